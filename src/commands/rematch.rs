//! Starts a new game with the same players and options, and swapped seats.
//!
//! ```text
//! game rematch board userid password
//! ```

use crate::board::{Board, Terms};
use crate::commands::opening;
use crate::commands::prelude::*;
use crate::commands::set_up;
use crate::language::{BoardOptions, InReply, ON_BOARD, Offered, OnBoard, Seen};
use crate::notices::board_update::{BoardEvent, BoardUpdate};
use crate::notices::view::board_view;
use crate::play::at_board::{self, no_such_board};
use crate::store::BoardState;

pub(crate) const REMATCH: Entry = Entry {
    by: Needs::Proven,
    summary: "starts a new game with the same opponent and options, sides changed",
    details: "The old game must be over.",
    example: "GAME rematch 1 ann plover-42",
    in_reply: InReply::ForMove(Command::Rematch),
    needs: Seen::Nothing,
    offered: Offered::Over,
    done: Some("The new game has begun."),
    ..Entry::of_game("rematch", ON_BOARD, |args| Ok(Command::Rematch(args.on_board()?)))
};

pub(crate) fn rematch(ctx: &mut Context<'_>, by: &Account, at: OnBoard) -> Result<Event, CommandError> {
    let old = at_board::board(ctx, at.game, at.board)?;
    let seat = at_board::seat_at(ctx, &old, by)?;
    if old.row.state == BoardState::Running {
        return refuse!(
            "Board {board} is still in play: a rematch can follow once it is over.",
            board = at.board
        );
    }
    // If both players ask, the second gets the board that the first started.
    if let Some(board) = ctx.store.rematch_of(by.id, at.board)?
        && let Some(board) =
            Board::load(ctx.store, board)?.filter(|board| board.row.state == BoardState::Running)
        && let Some(seat) = board.seat_of(by.id)
    {
        let mut update = BoardUpdate::new(BoardEvent::Started, seat, board_view(ctx.store, &board)?);
        update.notes.push(format!("This is the rematch of board {}; it had begun already.", at.board));
        return Ok(Event::Board(Box::new(update), Some(seat.index())));
    }
    let [first, second] = old.row.players;
    let userids = [ctx.store.player_by_id(second)?.userid, ctx.store.player_by_id(first)?.userid];
    let players = [opening::challenged(ctx, &userids[0])?, opening::challenged(ctx, &userids[1])?];
    let events = ctx.store.events(at.board)?;
    let terms = events.first().and_then(|start| serde_json::from_str::<Terms>(&start.text).ok());
    let Some(terms) = terms else {
        return Err(no_such_board(at.board, at.game.key).into());
    };
    let days = terms.days;
    let options = BoardOptions {
        position: terms.from_position.then(|| terms.position.clone()),
        game: terms.options,
        unrated: !terms.rated,
        swap: terms.may_swap,
        no_grace: terms.grace == Some(false),
        ..BoardOptions::default()
    };
    opening::may_play(ctx, at.game, &players, &[seat.other()])?;
    let terms = Terms { rematch_of: Some(at.board.0), days, ..set_up::set_up(ctx, at.game, &options)? };
    opening::open_board(ctx, at.game, players, &[seat.other()], terms)
}
