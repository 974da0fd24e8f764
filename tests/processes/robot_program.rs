//! `turnpost robot move` as a program.

use std::process::{Command, Output};

use turnpost_games::Position;
use turnpost_games::dvonn::Dvonn;

const BOARD: &str =
    "w,w,w,w,b,b,w,b,b/b,b,D,w,b,D,b,b,w,D/w,b,w,b,w,w,b,w,w,w,b/b,b,w,b,b,w,b,w,w,w/w,b,b,w,b,b,w,w,b w";

fn robot(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_turnpost")).arg("robot").args(arguments).output().unwrap()
}

fn text(output: &Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout.clone()).unwrap()
}

#[test]
fn a_move_is_printed_with_what_it_rests_on() {
    for bound in [["--nodes", "3000"], ["--level", "2"], ["--time", "100ms"], ["--depth", "3"]] {
        let out = text(&robot(&[&["move", BOARD][..], &bound].concat()));
        let fields: Vec<(&str, &str)> = out.lines().map(|line| line.split_once(' ').unwrap()).collect();
        let names: Vec<&str> = fields.iter().map(|(name, _)| *name).collect();
        assert_eq!(names, ["move", "value", "depth", "nodes", "line"]);
        let position = Dvonn::read(BOARD).unwrap();
        let ply = fields[0].1.trim();
        assert!(position.legal_moves().iter().any(|legal| legal.to_string() == ply), "{out}");
        assert!(fields[4].1.trim().starts_with(ply), "{out}");
    }
    let hexmeister = turnpost_games::hexmeister::Hexmeister::start(Default::default()).write();
    assert!(
        text(&robot(&["move", &hexmeister, "--game", "hexmeister", "--level", "1"])).starts_with("move ")
    );
}

#[test]
fn what_cannot_be_answered_is_said_in_a_sentence() {
    for arguments in [
        &["move", "nonsense"][..],
        &["move", BOARD, "--level", "10"],
        &["move", BOARD, "--game", "chess"],
        &["move", BOARD, "--time", "soon"],
    ] {
        let output = robot(arguments);
        assert!(!output.status.success() && output.stdout.is_empty(), "{arguments:?}");
        assert!(!output.stderr.is_empty());
    }
}
