//! `decline`: closes a board on which the second player has not acted.

use crate::board::taken_up_by;
use crate::failure::{CommandError, refuse};
use crate::language::OnBoard;
use crate::notices::Event;
use crate::notices::board_update::BoardEvent;
use crate::play::{Context, at_board};
use crate::store::EventKind;

pub(crate) fn decline(ctx: &mut Context<'_>, at: OnBoard) -> Result<Event, CommandError> {
    let mut at = at_board::load_for_player(ctx, &at)?;
    let row = &at.board.row;
    if let Some(second) = taken_up_by(&ctx.store.events(row.id)?) {
        let second = ctx.store.player_by_id(second)?.userid;
        return refuse!(
            "Board {board} cannot be declined any more: {second} has played. `{game} resign {board}` gives it up.",
            board = row.id,
            game = at.board.kind.key
        );
    }
    at_board::record_event(ctx, &mut at, EventKind::Decline, "")?;
    at_board::notify_opponent(ctx, BoardEvent::Declined, &at)
}
