//! Changing seats after ply 1. The word may stand in place of a move.
//!
//! ```text
//! game swap board userid password
//! ```

use crate::commands::play::{Move, play};
use crate::commands::{Command, Entry};
use crate::failure::{CommandError, refuse};
use crate::ids::{Ply, Seat};
use crate::language::{InReply, ON_BOARD, Offered, OnBoard, WriterPlace};
use crate::notices::Event;
use crate::notices::board_update::{BoardEvent, BoardStep};
use crate::play::{Context, answers, at_board, drop_plans};
use crate::store::EventKind;

pub(crate) const SWAP: Entry = Entry {
    summary: "answers ply 1 by changing seats, on a board started with --swap",
    details: "The second player takes over the first seat with the ply played there; no ply is played. In games in which \
              that is a rule of their own, such as those of connection, it is a ply: the stone changes sides.",
    example: "GAME swap 1 bob dunlin-7",
    writer: WriterPlace::LastWithPassword,
    in_reply: InReply::ForMove(Command::Swap),
    offered: Offered::MaySwap,
    done: Some("You have changed seats."),
    ..Entry::of_game("swap", ON_BOARD, |args| Ok(Command::Swap(args.on_board()?)))
};

pub(crate) fn swap(ctx: &mut Context<'_>, at: OnBoard) -> Result<Event, CommandError> {
    let on_board = at;
    let mut at = at_board::load_for_player(ctx, &on_board)?;
    let row = &at.board.row;
    // Where the game has a swap of its own, that is a ply.
    if !row.may_swap && row.plies == Ply(1) && at.board.table.may_swap() {
        let plies = SWAP.word.to_owned();
        return play(ctx, Move { at: on_board, plies, conditions: String::new() });
    }
    if !row.may_swap || row.plies != Ply(1) || at.seat != Seat::Second {
        return refuse!(
            "Seats can be changed only by the second player, in answer to ply 1, on a board started with --swap."
        );
    }
    drop_plans(ctx.store, &at.board.row)?;
    at_board::record_event(ctx, &mut at, EventKind::Swap, "")?;
    ctx.store.seat_players(&at.board.row)?;
    // The player who swapped sits on the first seat now.
    at.seat = at.seat.other();
    at.steps.push(BoardStep::new(BoardEvent::Swapped, at.seat));
    answers::let_others_answer(ctx, at)
}
