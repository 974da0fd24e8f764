//! Game records.
//!
//! ```text
//! game record board [--format=NAME]
//! ```

use super::Command;
use super::args::{Args, Expected};
use super::table::{Entry, Scope};
use crate::game::{GameKind, Notation};
use crate::ids::BoardId;

/// A command about records.
#[derive(Debug, Clone)]
pub enum RecordCommand {
    /// `game record board [--format=NAME]`
    Record {
        /// The game.
        game: &'static GameKind,
        /// The board.
        board: BoardId,
        /// Another server's way to write it; ours when there is none.
        notation: Option<&'static Notation>,
    },
}

impl RecordCommand {
    /// The board it names.
    pub fn board(&self) -> BoardId {
        match self {
            RecordCommand::Record { board, .. } => *board,
        }
    }
}

pub(super) const ENTRIES: &[Entry] = &[Entry {
    word: "record",
    aliases: &[],
    scope: Scope::Game,
    arguments: "board [--format=NAME]",
    summary: "prints the game record, as text to keep or load elsewhere",
    details: "Players, dates, options, seed, start position, result, and every ply with its instant. Another Turnpost \
              loads it. For DVONN there are two other formats, `--format=littlegolem` and `--format=codecup`, which hold \
              the plies alone.",
    example: "GAME record 1",
    read: read_record,
}];

fn read_record(args: &mut Args) -> Result<Command, Expected> {
    let game = args.game;
    let mut notations = args.extract(|word| {
        let (name, value) = word.split_once('=').unwrap_or((word, ""));
        name.eq_ignore_ascii_case("--format").then(|| find(game, value))
    })?;
    let board = args.board()?;
    if let Some((at, word)) = args.rest().into_iter().next() {
        notations.push(find(game, &word).map_err(|why| Expected::at(Some(at), why))?);
    }
    if notations.len() > 1 {
        return Err(Expected::at(None, "one format is enough"));
    }
    Ok(Command::Record(RecordCommand::Record { game, board, notation: notations.pop() }))
}

fn find(game: &'static GameKind, name: &str) -> Result<&'static Notation, String> {
    game.notations.iter().find(|notation| notation.name.eq_ignore_ascii_case(name)).ok_or_else(|| {
        let known: Vec<&str> = game.notations.iter().map(|notation| notation.name).collect();
        match known.as_slice() {
            [] => format!("records of {} have one format, which needs no name", game.name),
            known => format!("a format of {} is one of {}", game.name, known.join(", ")),
        }
    })
}
