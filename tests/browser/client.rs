//! A client in another language, which a generator makes of the description of the pages alone, plays a game.

use std::process::Command;

use crate::served_with;
use crate::support::played::late_game;

#[test]
fn a_generated_client_plays_a_game() {
    let (challenge, ply) = late_game();
    let (host, served, url) = served_with(&format!("{challenge} ann bob"), "dvonn", ply);
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
