//! A new, unrated game from a position of an old one.
//!
//! ```text
//! game replay board[#ply] userid1 userid2 [options]
//! ```

use super::challenge::players;
use crate::commands::prelude::*;
use turnpost_games::GameKind;

use crate::board::{Board, Terms};
use crate::commands::challenge;
use crate::commands::set_up::{self, bad_setup};
use crate::credentials::Actor;
use crate::ids::{BoardId, Ply, Userid};
use crate::language::BoardOptions;
use crate::language::args::written_ply;
use crate::language::options::board_options;
use crate::play::at_board::{self, no_such_ply};

#[derive(Debug, Clone)]
pub struct Replay {
    pub game: &'static GameKind,
    /// The answer is not part of its thread.
    pub old: BoardId,
    /// The ply after which the new game begins; `None` for the latest.
    pub ply: Option<Ply>,
    pub players: [Userid; 2],
    /// Days alone.
    pub options: BoardOptions,
}

impl Parameters for Replay {
    fn line(&self, word: &str) -> String {
        let old = written_ply(self.old, self.ply);
        Written::new(self.game, word).and([old]).and(&self.players).and(self.options.words()).end()
    }
}

pub(crate) const REPLAY: Entry = Entry {
    summary: "starts a new, unrated game from a position of an old one",
    details: "As with a challenge, the sender must be one of the two.",
    example: "GAME replay 1#0 ann bob",
    ..Entry::of_game("replay", "board[#ply] userid1 userid2 [options]", read)
};

fn read(args: &mut Args) -> Result<Command, ArgumentError> {
    let game = args.game;
    let mut options = board_options(args)?;
    if !options.game.is_empty() || options.position.is_some() {
        let why = "a replay takes its position from the old board, and only days as options";
        return Err(ArgumentError::at_end(why));
    }
    let old = args.board_and_ply("the old board's number")?;
    let players = players(args, options.level.take())?;
    Ok(Command::Replay(Replay { game, old: old.board, ply: old.ply, players, options }))
}

pub(crate) fn replay(ctx: &mut Context<'_>, by: &Actor, command: Replay) -> Result<Event, CommandError> {
    let Replay { game, old: number, ply, players: userids, options } = &command;
    let (number, ply) = (*number, *ply);
    let players = challenge::two_players(ctx, userids)?;
    let by = challenge::challenger(ctx, by, game, &players)?;
    let board = at_board::board(ctx, game, number)?;
    let ply = ply.unwrap_or(board.row.plies);
    if ply > board.row.plies {
        return Err(no_such_ply(number, board.row.plies).into());
    }
    let past = Board::past(number, &ctx.store.events(number)?, ply)?;
    if past.table.ended().is_some() {
        let why = format!("after ply {ply} the game is over");
        return Err(bad_setup(why).into());
    }
    challenge::may_play(ctx, game, &players, by.as_slice())?;
    let terms = Terms { position: past.table.position(), ..set_up::terms_of(game, options) };
    challenge::open_board(ctx, game, players, by.as_slice(), terms)
}
