//! A client in another language, which a generator makes of the description of the pages alone, plays a game.

use std::process::Command;

use turnpost_games::{Seat, Setup, dvonn};

use crate::served_with;

#[test]
fn a_generated_client_plays_a_game() {
    // The last plies of a game between two players.
    let games = include_str!("../../crates/games/tests/data/dvonn-games.txt");
    let (_, game) = games.split_once("game 1\n").unwrap();
    let plies = |key: &str| game.lines().find_map(|line| line.strip_prefix(key)).unwrap().split_whitespace();
    let script: Vec<&str> = plies("place: ").chain(plies("move: ")).collect();
    let mut table = (dvonn::KIND.start)(&Setup { options: &[], seed: 0 }).unwrap();
    let mut late = 0;
    while late + 12 < script.len() || table.turn() != Seat::First {
        table.play_text(script[late]).unwrap();
        late += 1;
    }
    let challenge = format!("dvonn challenge -position=\"{}\" ann bob", table.position());
    let (host, served, url) = served_with(&challenge, "dvonn", script[late]);
    host.wait_until_quiet();
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/target/client");
    let python = format!("{folder}/bin/python");
    let mut client = Command::new(python);
    client
        .arg(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/browser/client.py"))
        .arg(&url)
        .arg(host.data().join("mail"));
    let played = client.env("PYTHONPATH", folder).output().expect("a client is there once `.ci/client` ran");
    let said = String::from_utf8_lossy(&played.stdout).into_owned();
    assert!(played.status.success(), "{said}{}", String::from_utf8_lossy(&played.stderr));
    let made: usize = said.split(' ').next().unwrap().parse().unwrap();
    assert!(made > 3, "{said}");
    assert!(!served.log().contains("WARN"), "{}", served.log());
    host.assert_verified();
}
