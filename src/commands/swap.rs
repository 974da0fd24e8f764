//! Swaps the seats after ply 1. The word is also accepted in place of a move.
//!
//! ```text
//! game swap board userid password
//! ```

use crate::commands::prelude::*;
use crate::ids::Seat;
use crate::language::{InReply, ON_BOARD, Offered, OnBoard};
use crate::play::{answers, at_board};

pub(crate) const SWAP: Entry = Entry {
    by: Needs::Proven,
    summary: "answers the first move by changing seats, if the start of the game allows it",
    details: "The second player takes over the first seat with the move played there; a swap is not a move. \
              `--swap` in a challenge allows it. Some games, such as those of connection, always allow it; there \
              `-noswap` forbids it.",
    example: "GAME swap 1 bob dunlin-7",
    in_reply: InReply::ForMove(Command::Swap),
    offered: Offered::MaySwap,
    done: Some("You have changed seats."),
    ..Entry::of_game("swap", ON_BOARD, |args| Ok(Command::Swap(args.on_board()?)))
};

pub(crate) fn swap(ctx: &mut Context<'_>, by: &Account, at: OnBoard) -> Result<Event, CommandError> {
    let mut at = at_board::load_for_player(ctx, by, at)?;
    if !at.board.row.can_swap() || at.seat != Seat::Second {
        return refuse!(
            "Only the second player can swap, in answer to the first move, if the game or `--swap` of its \
            challenge allows it."
        );
    }
    at_board::change_seats(ctx, &mut at)?;
    answers::let_others_answer(ctx, at)
}
