//! `decline`: closes a board on which the second player has not acted.

use crate::command::OnBoard;
use crate::ids::{BoardId, Userid};
use crate::service::board::taken_up_by;
use crate::service::board_update::BoardEvent;
use crate::service::context::Context;
use crate::service::refusal::{Refuse, refuses};
use crate::service::transcript::Event;
use crate::service::{CommandError, at_board};
use crate::store::EventKind;

#[derive(Debug, thiserror::Error)]
enum DeclineRefusal {
    #[error(
        "Board {board} cannot be declined any more: {second} has played. `{game} resign {board}` gives it up."
    )]
    TooLateToDecline { board: BoardId, second: Userid, game: &'static str },
}

impl Refuse for DeclineRefusal {}

refuses!(DeclineRefusal);

pub(super) fn decline(ctx: &mut Context<'_>, at: OnBoard) -> Result<Event, CommandError> {
    let mut at = at_board::sit_down(ctx, &at)?;
    let row = &at.board.row;
    if let Some(second) = taken_up_by(&ctx.store.events(row.id)?) {
        let second = ctx.store.player_by_id(second)?.userid;
        return Err(
            DeclineRefusal::TooLateToDecline { board: row.id, second, game: at.board.kind.key }.into()
        );
    }
    at_board::happen(ctx, &mut at, EventKind::Decline, "")?;
    at_board::tell(ctx, BoardEvent::Declined, &at)
}
