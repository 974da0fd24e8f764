//! Game records, and looking back at games.
//!
//! ```text
//! game record board [--format=NAME]
//! game analyse board[#ply]
//! ```

use super::Command;
use super::args::{Args, Expected};
use super::offer::board_and_ply;
use super::table::{Entry, Scope};
use crate::ids::{BoardId, Ply};
use turnpost_games::{GameKind, Notation};

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
    /// `game analyse board[#ply]`
    Analyse {
        /// The game.
        game: &'static GameKind,
        /// The board.
        board: BoardId,
        /// The ply asked about; all, when there is none.
        ply: Option<Ply>,
    },
}

impl RecordCommand {
    /// The board it names.
    pub fn board(&self) -> BoardId {
        match self {
            RecordCommand::Record { board, .. } | RecordCommand::Analyse { board, .. } => *board,
        }
    }
}

pub(super) const ENTRIES: &[Entry] = &[RECORD, ANALYSE];

const ANALYSE: Entry = Entry {
    word: "analyse",
    aliases: &["analyze"],
    scope: Scope::Game,
    arguments: "board[#ply]",
    summary: "the robot's view of each ply of a game that is over",
    details: "For each ply what the robot thinks could be reached before it and after it, and what would have been better; \
              near the end the exact result. Games in play are not analysed. An analysis takes a while and comes by mail \
              when it is made; after that the answer shows it at once.",
    example: "GAME analyse 1",
    read: read_analyse,
};

const RECORD: Entry = Entry {
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
};

fn read_analyse(args: &mut Args) -> Result<Command, Expected> {
    let game = args.game;
    let (at, word) = args.word("the board's number")?;
    let (board, ply) = board_and_ply(&word).map_err(|why| Expected::at(Some(at), why))?;
    let ply = ply.filter(|ply| *ply > Ply::START);
    Ok(Command::Record(RecordCommand::Analyse { game, board, ply }))
}

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
