//! Plies that the rules forbid and texts of positions that are none, from data files, whose heads say how to read them.

use std::fmt::Debug;

use turnpost_games::dvonn::Dvonn;
use turnpost_games::hexmeister::Hexmeister;
use turnpost_games::{MoveError, Position, SetupError, Table};

fn lines(file: &str) -> impl Iterator<Item = &str> {
    file.lines().filter(|line| !line.is_empty() && !line.starts_with("# "))
}

/// Each ply is refused with its sentence.
fn refuses<P: Position + Table + Debug + PartialEq>(file: &str) {
    let mut position = None;
    for line in lines(file) {
        if let Some(text) = line.strip_prefix("at ") {
            position = Some(P::read(text).unwrap());
            continue;
        }
        let (ply, sentence) = line.split_once(": ").unwrap();
        let before = position.as_ref().unwrap();
        let mut after = before.clone();
        match after.play_text(ply) {
            Err(MoveError::Illegal(illegal)) => assert_eq!(illegal.why, sentence, "{ply}"),
            other => panic!("{ply}: {other:?}"),
        }
        assert_eq!(after, *before, "{ply} was refused and changed the position");
    }
}

/// Each text is refused, for its reason where it has one.
fn reads_none<P: Position + Debug>(file: &str) {
    assert!(matches!(P::read(""), Err(SetupError::Unreadable(_))));
    for line in lines(file) {
        match (line.split_once('!'), P::read(line.split('!').next().unwrap())) {
            (None, Err(SetupError::Unreadable(_))) => {}
            (Some((text, why)), Err(SetupError::Unlawful(told))) => {
                assert!(told.contains(why), "{text}: {told}");
            }
            (_, other) => panic!("{line}: {other:?}"),
        }
    }
}

#[test]
fn every_bad_ply_has_a_sentence_and_changes_nothing() {
    refuses::<Dvonn>(include_str!("data/dvonn-refusals.txt"));
    refuses::<Hexmeister>(include_str!("data/hexmeister-refusals.txt"));
}

#[test]
fn texts_that_are_no_positions() {
    reads_none::<Dvonn>(include_str!("data/dvonn-positions.txt"));
    reads_none::<Hexmeister>(include_str!("data/hexmeister-positions.txt"));
}
