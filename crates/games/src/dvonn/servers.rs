//! The formats in which other servers record a game: its plies, beginning with the empty board.
//!
//! - Little Golem: numbered plies in lower case, `1. f3`, `50. a3-b4`, `pass`.
//! - CodeCup: one ply a line in capitals without a dash, `F3`, `A3B4`, `PASS`.
//!
//! One reader reads both. These servers leave out plies without a choice: the 49th placement and passes. The reader
//! adds them.

use super::position::Dvonn;
use crate::formats::{RecordReader, lines, some};
use crate::{EndedBy, Finish, GameKind, Notation, Position, Recorded, replay};

/// The formats that a record can be written in.
pub(super) const NOTATIONS: &[Notation] = &[
    Notation { name: "littlegolem", write: little_golem, read },
    Notation { name: "codecup", write: code_cup, read },
];

fn little_golem(kind: &GameKind, game: &Recorded) -> Result<String, String> {
    from_empty(&game.start)?;
    let numbered = (1..).zip(&game.plies).map(|(number, ply)| format!("{number}. {}", ply.to_lowercase()));
    Ok(lines(&numbered.chain(resigned(kind, game).map(str::to_owned)).collect::<Vec<String>>()))
}

fn code_cup(kind: &GameKind, game: &Recorded) -> Result<String, String> {
    from_empty(&game.start)?;
    let plies = game.plies.iter().map(String::as_str).chain(resigned(kind, game));
    Ok(plies.map(|ply| ply.to_uppercase().replace('-', "") + "\n").collect())
}

fn from_empty(start: &str) -> Result<(), String> {
    if start == Dvonn::EMPTY.write() {
        return Ok(());
    }
    Err("in this format a game begins with the empty board, and this one did not".to_owned())
}

/// The word with which the side to move resigned. These formats tell no other end that the rules did not bring.
fn resigned(kind: &GameKind, game: &Recorded) -> Option<&'static str> {
    let loser = game.end.filter(|end| end.by == EndedBy::Resignation)?.winner?.other();
    let mut table = game.table(kind).ok()?;
    replay(&mut *table, game.plies.iter().map(String::as_str)).ok()?;
    (table.turn() == loser).then_some("resign")
}

/// Reads plies in either format. A game begins after the end of another, or with CodeCup's `start`.
fn read(kind: &GameKind, text: &str) -> Result<Vec<Recorded>, String> {
    let begin = || RecordReader::begin(text, kind, Recorded::of(kind, Vec::new())?);
    let (mut games, mut reading) = (Vec::new(), begin()?);
    for word in words(text) {
        let says = |words: &[&str]| words.iter().any(|known| word.eq_ignore_ascii_case(known));
        let is_next = says(&["start"]) || reading.table.ended().is_some();
        if is_next && !reading.game.plies.is_empty() {
            games.push(std::mem::replace(&mut reading, begin()?).end(None));
        }
        if says(&["resign", "resigned"]) {
            let end = Finish { winner: Some(reading.table.turn().other()), by: EndedBy::Resignation };
            games.push(std::mem::replace(&mut reading, begin()?).end(Some(end)));
        } else if !says(&["start", "quit"]) {
            let plain = |ply: &str| ply.replace('-', "").to_lowercase();
            if let [only] = reading.table.legal_plies().as_slice()
                && plain(only) != plain(word)
            {
                reading.play(word, only)?;
            }
            reading.play(word, word)?;
        }
    }
    if !reading.game.plies.is_empty() {
        games.push(reading.end(None));
    }
    some(games)
}

/// The words that can be plies, without their numbers.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| c.is_whitespace() || matches!(c, ',' | ';'))
        .map(|word| {
            let unnumbered = word.trim_start_matches(|c: char| c.is_ascii_digit());
            unnumbered.strip_prefix('.').unwrap_or(if unnumbered.is_empty() { "" } else { word })
        })
        .filter(|word| !word.is_empty())
}
