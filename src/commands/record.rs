//! Prints game records.
//!
//! ```text
//! game record board [--format=NAME]
//! ```

use minijinja::context;
use turnpost_games::{GameKind, Notation};

use crate::board::names;
use crate::board::record::{write, write_as};
use crate::commands::prelude::*;
use crate::ids::BoardId;
use crate::language::{InReply, Offered, Seen};
use crate::notices::Thread;
use crate::play::at_board;

#[derive(Debug, Clone)]
pub struct Record {
    pub game: &'static GameKind,
    pub board: BoardId,
    /// Another server's format; `None` for Turnpost's own.
    pub notation: Option<&'static Notation>,
}

impl Parameters for Record {
    fn line(&self, word: &str) -> String {
        let format = self.notation.map(|notation| format!("--format={}", notation.name));
        Written::new(self.game, word).and([self.board]).and(format).end()
    }

    fn board(&self) -> Option<BoardId> {
        Some(self.board)
    }
}

pub(crate) const RECORD: Entry = Entry {
    summary: "prints the game record, as text to keep or load elsewhere",
    details: "It has the players, dates, options, start position and result, every move with its time, and the seed \
              once the game is over. Another Turnpost can load it. The help page of a game names the formats of \
              other servers and programs; a mail attaches a record in one of them.",
    example: "GAME record 1",
    in_reply: InReply::Alone(|at| Command::Record(Record { game: at.game, board: at.board, notation: None })),
    needs: Seen::Nothing,
    offered: Offered::Over,
    ..Entry::of_game("record", "board [--format=NAME]", read)
};

fn read(args: &mut Args) -> Result<Command, ArgumentError> {
    let game = args.game;
    let mut notations = args.extract(|word| {
        let (name, value) = word.split_once('=').unwrap_or((word, ""));
        name.eq_ignore_ascii_case("--format").then(|| find(game, value))
    })?;
    let board = args.board()?;
    if let Some(word) = args.rest().into_iter().next() {
        notations.push(find(game, &word.text).map_err(|why| word.error(why))?);
    }
    if notations.len() > 1 {
        return Err(ArgumentError::at_end("one format is enough"));
    }
    Ok(Command::Record(Record { game, board, notation: notations.pop() }))
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

pub(crate) fn record(ctx: &mut Context<'_>, command: Record) -> Result<Event, CommandError> {
    let Record { game, board: number, notation } = command;
    let board = at_board::board(ctx, game, number)?;
    let thread = Thread::of(&board.row, &names(ctx.store, &board.row.players)?);
    let file = notation.map(|notation| format!("{}-{number}.{}", game.key, notation.name));
    let text = match notation {
        None => write(ctx.store, &board)?,
        Some(notation) => write_as(ctx.store, &board, notation)?
            .map_err(|why| refusal!("The record cannot be written like that: {why}."))?,
    };
    Ok(Event::page("record.md", context! { record => text, file }, Some(thread)))
}
