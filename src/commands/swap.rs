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
    summary: "answers ply 1 by changing seats, where the start of the game allows it",
    details: "The second player takes over the first seat with the ply played there; no ply is played. `--swap` of a \
              challenge allows it. Some games, such as those of connection, always do: `-noswap` leaves it out there.",
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
            "Seats can be changed only by the second player, in answer to ply 1, where the game or `--swap` of its \
            challenge allows it."
        );
    }
    at_board::change_seats(ctx, &mut at)?;
    answers::let_others_answer(ctx, at)
}
