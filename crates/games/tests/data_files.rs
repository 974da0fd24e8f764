//! Ways to write a ply, illegal plies, and invalid texts of positions, from data files whose heads explain
//! them.

use std::fmt::Debug;

use turnpost_games::chess::Chess;
use turnpost_games::draughts::Draughts;
use turnpost_games::dvonn::Dvonn;
use turnpost_games::hexmeister::Hexmeister;
use turnpost_games::rules::Game;
use turnpost_games::{MoveError, Position, SetupError, Table};

/// Texts that can follow a ply in a mail.
const RESTS: [&str; 4] = ["#50", " #50", ", C1-C2", "\u{a0}\u{e4}"];

/// The notation of the ply and the rest, or the refused word and the reason.
fn read<P: Position>(position: &P, text: &str) -> Result<(String, String), (String, String)> {
    let read = position.read_move(text);
    read.map(|(ply, rest)| (position.write_move(ply), rest.to_owned())).map_err(|why| (why.word, why.why))
}

fn check<P: Position>(file: &str, line: &str, position: &P) {
    if let Some((text, expected)) = line.split_once('|') {
        let (ply, rest) = expected.split_once('|').unwrap();
        assert_eq!(read(position, text), Ok((ply.to_owned(), rest.to_owned())), "{file}: {text}");
        for more in RESTS.iter().filter(|_| rest.is_empty() && text.ends_with(char::is_alphanumeric)) {
            let read = read(position, &format!("{text}{more}"));
            assert_eq!(read, Ok((ply.to_owned(), (*more).to_owned())), "{file}: {text}{more}");
        }
        return;
    }
    let (text, expected) = line.split_once('!').unwrap_or_else(|| panic!("{file}: {line}"));
    let (word, sentence) = expected.split_once('!').unwrap_or((expected, ""));
    let (found, why) = read(position, text).unwrap_err();
    assert!(text.contains(&found) && [&found, ""].contains(&word), "{file}: {text} is refused for {found}");
    assert!(why.ends_with('.') && why.is_ascii(), "{why}");
    assert!(found.len() < 6 || !why.contains(&found), "{text}: {why}");
    assert!(sentence.is_empty() || sentence == why, "{file}: {text} is refused: {why}");
}

fn check_file<P: Position>(file: &str, text: &str) {
    let (mut positions, mut are_complete) = (Vec::<P>::new(), true);
    for line in lines(text) {
        if let Some(position) = line.strip_prefix("at ") {
            if are_complete {
                positions.clear();
            }
            positions.push(P::read(position).unwrap());
            are_complete = false;
        } else {
            positions.iter().for_each(|position| check(file, line, position));
            are_complete = true;
        }
    }
}

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

/// Each text is refused, for its reason if it has one.
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
fn each_way_of_writing_a_ply_is_read_and_nothing_else() {
    check_file::<Game<Chess>>("chess-notation", include_str!("data/chess-notation.txt"));
    check_file::<Game<Draughts>>("draughts-notation", include_str!("data/draughts-notation.txt"));
    check_file::<Dvonn>("dvonn-notation", include_str!("data/dvonn-notation.txt"));
    check_file::<Hexmeister>("hexmeister-notation", include_str!("data/hexmeister-notation.txt"));
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
