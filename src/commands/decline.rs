//! Declines a game. The word is also accepted in place of a move.
//!
//! ```text
//! game decline board userid password
//! ```

use crate::board::taken_up_by;
use crate::commands::prelude::*;
use crate::language::{InReply, ON_BOARD, Offered, OnBoard};
use crate::notices::board_update::BoardEvent;
use crate::play::at_board;
use crate::store::EventKind;

pub(crate) const DECLINE: Entry = Entry {
    by: Needs::Proven,
    summary: "refuses a game before both players have moved",
    details: "Either player can do it. The board is deleted and not rated.",
    example: "GAME decline 1 bob dunlin-7",
    in_reply: InReply::Decides(Command::Decline),
    offered: Offered::Challenged,
    done: Some("You have declined the game."),
    ..Entry::of_game("decline", ON_BOARD, |args| Ok(Command::Decline(args.on_board()?)))
};

pub(crate) fn decline(ctx: &mut Context<'_>, by: &Account, at: OnBoard) -> Result<Event, CommandError> {
    let at = at_board::load_for_player(ctx, by, at)?;
    let row = &at.board.row;
    if let Some(of) = &row.contest {
        return refuse!(
            "Board {board} belongs to {name}, and games of it are not declined. `{game} resign {board}` gives it up.",
            board = row.id,
            name = of.name,
            game = at.board.kind.key
        );
    }
    if let Some(second) = taken_up_by(&ctx.store.events(row.id)?) {
        let second = ctx.store.player_by_id(second)?.userid;
        return refuse!(
            "Board {board} cannot be declined any more: {second} has played. `{game} resign {board}` gives it up.",
            board = row.id,
            game = at.board.kind.key
        );
    }
    at_board::act(ctx, at, EventKind::Decline, BoardEvent::Declined, "")
}
