//! Asks the archive about a position: how often it was reached, and what was played there.
//!
//! ```text
//! game explore [board[#ply] | -position="..."] [move ...]
//! ```

use minijinja::context;
use turnpost_games::{GameKind, Setup, Table};

use crate::board::Board;
use crate::commands::prelude::*;
use crate::language::token::option;
use crate::language::values::{BoardAndPly, written_ply};
use crate::language::{InReply, OnBoard, Seen};
use crate::notices::explored::Explored;
use crate::notices::transcript::data;
use crate::play::at_board::{self, no_such_ply};
use crate::play::plies::{bad_move, sentence};

#[derive(Debug, Clone)]
pub struct Explore {
    pub game: &'static GameKind,
    pub from: ExploreFrom,
    /// The moves after it, separated by spaces.
    pub plies: String,
}

#[derive(Debug, Clone)]
pub enum ExploreFrom {
    /// The start that most games have.
    Start,
    Board(BoardAndPly),
    Position(String),
}

impl Parameters for Explore {
    fn line(&self, word: &str) -> String {
        let from = match &self.from {
            ExploreFrom::Start => None,
            ExploreFrom::Board(BoardAndPly { board, ply }) => Some(written_ply(*board, *ply)),
            ExploreFrom::Position(text) => Some(option("position", Some(text))),
        };
        Written::new(self.game, word).and(from).and(self.plies.split_whitespace()).end()
    }
}

pub(crate) const EXPLORE: Entry = Entry {
    summary: "how often a position was reached, and what was played there",
    details: "It counts the rated games that are over: how many reached the position, who won them, and each next \
              move with its results. It begins at the start of a game, at a board, or at a position in quotes, and \
              follows your moves. In a reply about a board it begins there.",
    example: "GAME explore",
    in_reply: InReply::MayBegin(read_behind),
    needs: Seen::Nothing,
    ..Entry::of_game("explore", "[board[#ply] | -position=\"...\"] [move ...]", read)
};

fn read(args: &mut Args) -> Result<Command, ArgumentError> {
    explored(args).map(Command::Explore)
}

fn explored(args: &mut Args) -> Result<Explore, ArgumentError> {
    let positions = args.extract(|word| {
        let (name, text) = word.split_once('=').unwrap_or((word, ""));
        name.eq_ignore_ascii_case("-position").then(|| match text {
            "" => Err("a position is expected after the `=`, in quotes".to_owned()),
            text => Ok(ExploreFrom::Position(text.to_owned())),
        })
    })?;
    let mut from = positions.into_iter().next_back().unwrap_or(ExploreFrom::Start);
    let mut words: Vec<String> = args.rest().into_iter().map(|word| word.text).collect();
    if let (ExploreFrom::Start, Some(Ok(board))) = (&from, words.first().map(|word| word.parse())) {
        from = ExploreFrom::Board(board);
        words.remove(0);
    }
    Ok(Explore { game: args.game, from, plies: words.join(" ") })
}

/// Reads it in a reply. By default it begins at the board of that reply.
fn read_behind(at: OnBoard, args: &mut Args) -> Result<Command, ArgumentError> {
    let explore = explored(args)?;
    let from = match explore.from {
        ExploreFrom::Start => ExploreFrom::Board(BoardAndPly { board: at.board, ply: None }),
        from => from,
    };
    Ok(Command::Explore(Explore { from, ..explore }))
}

pub(crate) fn explore(ctx: &mut Context<'_>, command: Explore) -> Result<Event, CommandError> {
    let game = command.game;
    let mut table = start(ctx, &command)?;
    let played = follow(table.as_mut(), &command.plies)?;
    let explored = Explored::find(ctx.store, game, table.as_ref())?;
    let from = match &command.from {
        ExploreFrom::Start if played.is_empty() => "from the start".to_owned(),
        ExploreFrom::Board(at) => format!("board {}", written_ply(at.board, at.ply)),
        ExploreFrom::Start | ExploreFrom::Position(_) => String::new(),
    };
    let next = explored.plies.first().map(|next| {
        let plies = format!("{} {}", command.plies, next.ply);
        Explore { plies: plies.trim_start().to_owned(), ..command.clone() }.line(EXPLORE.word)
    });
    let data = context! {
        name => game.name, game => game.key, sides => game.seats, from, played => played.join(" "), next,
        drawing => table.drawing().board, x => data(&explored),
    };
    Ok(Event::page("explore.md", data, None))
}

/// The position where the exploration begins.
fn start(ctx: &Context<'_>, Explore { game, from, .. }: &Explore) -> Result<Box<dyn Table>, CommandError> {
    match from {
        ExploreFrom::Start => {
            let options = game.more_between_people(&[]);
            Ok((game.start)(&Setup { options: &options, seed: 0 }).map_err(|why| refusal!("{why}."))?)
        }
        ExploreFrom::Position(text) => Ok((game.read)(text).map_err(|why| refusal!("{why}."))?),
        ExploreFrom::Board(BoardAndPly { board: number, ply }) => {
            let board = at_board::board(ctx, game, *number)?;
            match ply.filter(|ply| *ply != board.row.plies) {
                None => Ok(board.table),
                Some(ply) if ply > board.row.plies => Err(no_such_ply(*number, board.row.plies).into()),
                Some(ply) => Ok(Board::past(*number, &ctx.store.events(*number)?, ply)?.table),
            }
        }
    }
}

/// Plays moves and casts, and the forced passes after each. Returns the moves in their standard form.
fn follow(table: &mut dyn Table, plies: &str) -> Result<Vec<String>, Refusal> {
    let mut played: Vec<String> = Vec::new();
    let mut rest = plies.trim();
    while !rest.is_empty() {
        let bad = |why| bad_move(played.join(", "), sentence(&why));
        if table.chance().is_some() {
            let (cast, behind) = rest.split_once(' ').unwrap_or((rest, ""));
            table.replay(cast).map_err(bad)?;
            played.push(cast.to_owned());
            rest = behind;
        } else {
            let ply = table.play_text(rest).map_err(bad)?;
            played.push(ply.ply);
            rest = ply.rest;
        }
        table.play_passes();
    }
    Ok(played)
}
