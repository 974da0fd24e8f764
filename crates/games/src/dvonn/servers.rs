//! The formats in which other servers record a game: its plies, beginning with the empty board.
//!
//! - Little Golem: numbered plies in lower case, `1. f3`, `50. a3-b4`, `pass`.
//! - CodeCup: one ply a line in capitals without a dash, `F3`, `A3B4`, `PASS`.
//!
//! One reader reads both. These servers leave out plies without a choice: the 49th placement and passes. The reader
//! adds them.

use super::board::ALL_PIECES;
use super::position::{Dvonn, Move, Phase};
use super::space::spaces;
use crate::{Notation, Position, Transcribed};

/// The formats that a record can be written in.
pub(super) const NOTATIONS: &[Notation] = &[
    Notation { name: "littlegolem", write: little_golem, read },
    Notation { name: "codecup", write: code_cup, read },
];

fn little_golem(start: &str, plies: &[String]) -> Result<String, String> {
    from_empty(start)?;
    let numbered = (1..).zip(plies).map(|(number, ply)| format!("{number}. {}", ply.to_lowercase()));
    let mut lines = vec![String::new()];
    for ply in numbered {
        match lines.last_mut() {
            Some(line) if line.is_empty() => *line = ply,
            Some(line) if line.len() + ply.len() < 70 => *line = format!("{line} {ply}"),
            _ => lines.push(ply),
        }
    }
    Ok(lines.join("\n") + "\n")
}

fn code_cup(start: &str, plies: &[String]) -> Result<String, String> {
    from_empty(start)?;
    Ok(plies.iter().map(|ply| ply.to_uppercase().replace('-', "") + "\n").collect())
}

fn from_empty(start: &str) -> Result<(), String> {
    if start == Dvonn::EMPTY.write() {
        return Ok(());
    }
    Err("in this format a game begins with the empty board, and this one did not".to_owned())
}

/// Reads plies in either format.
fn read(text: &str) -> Result<Transcribed, String> {
    let (mut position, mut plies) = (Dvonn::EMPTY, Vec::new());
    for word in words(text) {
        if ["resign", "resigned"].iter().any(|resign| word.eq_ignore_ascii_case(resign)) {
            return Ok(Transcribed { resigned: Some(position.to_move()), plies });
        }
        let is_last = position.placed() + 1 == ALL_PIECES;
        if is_last && let Some(Move::Stack(..)) = read_one(&word, Phase::Stacking) {
            let last = spaces(position.board().empty()).map(Move::Place).next();
            play(&mut position, last.ok_or("the board is full")?, &mut plies)?;
        }
        let ply = read_one(&word, position.phase());
        let ply = ply.ok_or_else(|| format!("ply {} cannot be read: {word:?}", plies.len() + 1))?;
        if let Some(pass) = position.forced().filter(|pass| *pass != ply) {
            play(&mut position, pass, &mut plies)?;
        }
        play(&mut position, ply, &mut plies)?;
    }
    if plies.is_empty() {
        return Err("there is no ply in it".to_owned());
    }
    Ok(Transcribed { plies, resigned: None })
}

fn play(position: &mut Dvonn, ply: Move, plies: &mut Vec<String>) -> Result<(), String> {
    position.play(ply).map_err(|why| format!("ply {}, {ply}: {why}", plies.len() + 1))?;
    plies.push(ply.to_string());
    Ok(())
}

fn read_one(word: &str, phase: Phase) -> Option<Move> {
    let (ply, rest) = super::notation::read(word, phase).ok()?;
    rest.is_empty().then_some(ply)
}

/// The words that can be plies. This leaves out the numbers of plies and CodeCup's `start` and `quit`.
fn words(text: &str) -> impl Iterator<Item = String> + '_ {
    text.split(|c: char| c.is_whitespace() || matches!(c, ',' | ';'))
        .map(|word| {
            let unnumbered = word.trim_start_matches(|c: char| c.is_ascii_digit());
            unnumbered.strip_prefix('.').unwrap_or(if unnumbered.is_empty() { "" } else { word }).to_owned()
        })
        .filter(|word| !word.is_empty())
        .filter(|word| !word.eq_ignore_ascii_case("start") && !word.eq_ignore_ascii_case("quit"))
}
