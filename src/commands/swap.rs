//! `swap`: the second player changes seats in answer to ply 1.

use crate::failure::{CommandError, refuse};
use crate::ids::{Ply, Seat};
use crate::language::OnBoard;
use crate::notices::Event;
use crate::notices::board_update::BoardEvent;
use crate::play::{Context, answers, at_board};
use crate::store::EventKind;

pub(crate) fn swap(ctx: &mut Context<'_>, at: OnBoard) -> Result<Event, CommandError> {
    let mut at = at_board::load_for_player(ctx, &at)?;
    let row = &at.board.row;
    if !row.may_swap || row.plies != Ply(1) || at.seat != Seat::Second {
        return refuse!(
            "Seats can be changed only by the second player, in answer to ply 1, on a board started with --swap."
        );
    }
    at_board::drop_plans(ctx, &at.board)?;
    at_board::record_event(ctx, &mut at, EventKind::Swap, "")?;
    ctx.store.seat_players(&at.board.row)?;
    // The player who swapped sits on the first seat now.
    at.seat = at.seat.other();
    let update = at_board::update(ctx, BoardEvent::Swapped, &at, &[], Vec::new())?;
    at_board::notify_other(ctx, &at, &update);
    if at.board.row.is_with_robot() {
        return answers::let_others_answer(ctx, at, update);
    }
    Ok(Event::Board(Box::new(update), Some(at.seat.index())))
}
