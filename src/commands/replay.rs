//! `replay`: starts an unrated board from a position of an old one.

use crate::board::Board;
use crate::commands::challenge::{self, Start, bad_setup};
use crate::commands::grammar::replay::Replay;
use crate::failure::CommandError;
use crate::notices::Event;
use crate::play::Context;
use crate::play::at_board::{self, no_such_ply};

pub(crate) fn replay(ctx: &mut Context<'_>, command: Replay) -> Result<Event, CommandError> {
    let Replay { game, old: number, ply, players: userids, options } = &command;
    let (number, ply) = (*number, *ply);
    let players = challenge::two_players(ctx, userids)?;
    let by = challenge::challenger(ctx, game, &players)?;
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
    let start = Start {
        table: past.table,
        seed: 0,
        from_position: true,
        rated: false,
        rematch_of: None,
        tutorial: false,
    };
    challenge::open_board(ctx, game, players, by, options, start)
}
