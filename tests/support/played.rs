//! What was played before a test begins.

use std::collections::BTreeMap;
use std::sync::LazyLock;
use std::sync::atomic::AtomicBool;

use turnpost::cli::Instance;
use turnpost::commands::analysis_of;
use turnpost::config::Config;
use turnpost::ids::BoardId;
use turnpost_games::{Seat, Setup, Table, dvonn, registry};

use super::host::{Host, HostFiles};

/// The lines of a game of ann and bob: `plies` plies, each the first legal one, then ann resigns.
fn game(kind: &str, board: u32, plies: usize) -> String {
    let kind = registry::find(kind).unwrap();
    let symmetry = if kind.key == "dvonn" { "-symmetry -seed=7 " } else { "" };
    let options: Vec<_> = (kind.key == "dvonn").then(|| ("symmetry".to_owned(), None)).into_iter().collect();
    let mut table: Box<dyn Table> = (kind.start)(&Setup { options: &options, seed: 7 }).unwrap();
    let mut lines = format!("{} challenge {symmetry}ann bob\n", kind.key);
    for _ in 0..plies {
        let player = if table.turn() == Seat::First { "ann plover-42" } else { "bob dunlin-7" };
        let ply = table.legal_plies()[0].clone();
        table.play_text(&ply).unwrap();
        lines += &format!("{} move {board} {player} {ply}\n", kind.key);
    }
    lines + &format!("{} resign {board} ann plover-42\n", kind.key)
}

/// A host with three finished games, one of DVONN with an analysis and two rated ones of Hexmeister. One game of each kind is
/// in play.
pub fn club() -> Host {
    static FILES: LazyLock<HostFiles> = LazyLock::new(|| begun_club().files());
    Host::copy_of(&FILES)
}

fn begun_club() -> Host {
    let host = Host::new();
    let lines = format!(
        "signup ann plover-42 ann@example.org\nsignup bob dunlin-7 bob@example.org\n{}{}{}\
         dvonn challenge bob ann\nhexmeister challenge ann bob\ndvonn seek --rating=1200-1700 bob dunlin-7\n",
        game("hexmeister", 1, 8),
        game("dvonn", 2, 30),
        game("hexmeister", 3, 14),
    );
    let said = host.run(&["submit"], lines.as_bytes());
    assert_eq!(said.code, Some(0), "{said:?}");
    let config = Config::load(host.data(), None, &BTreeMap::new()).unwrap();
    let mut server = Instance::open(host.data(), config).unwrap();
    server.app.robot.analysis = 100;
    let at = server.store.board(BoardId(2)).unwrap().unwrap().changed_at;
    let (store, app, never) = (&mut server.store, &server.app, AtomicBool::new(false));
    analysis_of(store, &app.robot, app, BoardId(2), || at, &never).unwrap();
    host
}

/// Adds an event of DVONN in which ann, bob and carol play, and one that begins later. They are on its ladder, and ann is in its
/// league.
pub fn with_events(host: &Host) {
    let lines = "signup carol godwit-11 carol@example.org\n\
        dvonn event new spring-cup -size=3 ann plover-42\ndvonn event join spring-cup bob dunlin-7\n\
        dvonn event join spring-cup carol godwit-11\nhexmeister event new late-cup -rounds=2 bob dunlin-7\n";
    let said = host.run(&["submit"], lines.as_bytes());
    assert_eq!(said.code, Some(0), "{said:?}");
    host.run(&["tick"], b"").ok();
    let lines = "dvonn ladder join ann plover-42\ndvonn ladder join bob dunlin-7\n\
        dvonn ladder join carol godwit-11\ndvonn ladder challenge ann plover-42\ndvonn league join ann plover-42\n";
    let said = host.run(&["submit"], lines.as_bytes());
    assert_eq!(said.code, Some(0), "{said:?}");
}

/// A challenge from a position a dozen plies before the end of a game, and the next ply.
pub fn late_game() -> (String, &'static str) {
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
    (format!("dvonn challenge -position=\"{}\"", table.position()), script[late])
}

/// A ply of a short match of backgammon with all that a match can have: players double as soon as they can, the first
/// double of a game is taken and the next one dropped, and checkers run home.
pub fn ply_of_a_match(table: &dyn Table) -> String {
    let plies = table.legal_plies();
    let answer = if table.position().contains(" cube 1 ") { "take" } else { "drop" };
    let word = plies.iter().find(|ply| ["double", answer].contains(&ply.as_str()));
    word.or(plies.last()).cloned().unwrap()
}
