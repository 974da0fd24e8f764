//! Reminds the opponent that it is their turn.
//!
//! ```text
//! game nudge board userid password
//! ```

use minijinja::context;

use crate::board::clocks::NUDGED_AFTER;
use crate::board::names;
use crate::commands::prelude::*;
use crate::commands::talk;
use crate::language::{InReply, ON_BOARD, Offered, OnBoard};
use crate::notices::Thread;
use crate::notices::board_update::{BoardEvent, BoardNews, BoardUpdate};
use crate::notices::view::board_view;
use crate::play::at_board;

pub(crate) const NUDGE: Entry = Entry {
    by: Needs::Proven,
    summary: "reminds your opponent of the game, once a day",
    details: "Your opponent gets the board once more, with the words that you write. It must have been their \
              turn for 24 hours. Players on vacation are not reminded.",
    example: "GAME nudge 1 bob dunlin-7",
    in_reply: InReply::ForMove(Command::Nudge),
    offered: Offered::MayNudge,
    ..Entry::of_game("nudge", ON_BOARD, |args| Ok(Command::Nudge(args.on_board()?)))
};

pub(crate) fn nudge(ctx: &mut Context<'_>, by: &Account, at: OnBoard) -> Result<Event, CommandError> {
    let board = at_board::board(ctx, at.game, at.board)?;
    let players = names(ctx.store, &board.row.players)?;
    let seat = at_board::seat_at(ctx, &board, by)?;
    let Some(mover) = board.row.to_move else {
        return Err(at_board::over(&board, &players).into());
    };
    if mover == seat {
        return refuse!("On board {board} it is your own turn.", board = at.board);
    }
    let to = *mover.of(&board.row.players);
    let opponent = ctx.store.player_by_id(to)?.userid;
    if to.is_robot() {
        return refuse!("{opponent} is a program: it moves as soon as its turn to think comes.");
    }
    let events = ctx.store.events(at.board)?;
    let began = events.iter().rev().find(|event| event.kind.begins_turn()).map(|event| event.at);
    if began.is_some_and(|began| ctx.now.duration_since(began) < NUDGED_AFTER) {
        return refuse!("{opponent} has had less than 24 hours for this move. Nudge after that.");
    }
    let vacations = ctx.store.vacations(to)?;
    if let Some(away) = vacations.into_iter().find(|away| away.starts_at <= ctx.now && ctx.now < away.ends_at)
    {
        return refuse!(
            "{opponent} is on vacation until {until}; the clocks of the game are stopped.",
            until = crate::zone::day(away.last, ctx.now)
        );
    }
    let mut clock = ctx.store.clock(at.board)?.unwrap_or_default();
    // If the server's clock was set back, the last nudge lies in the future and must not block the next one.
    let waited = clock.nudged_at.map(|nudged| ctx.now.duration_since(nudged));
    if waited.is_some_and(|waited| !waited.is_negative() && waited < NUDGED_AFTER) {
        return refuse!("{opponent} was nudged less than 24 hours ago; once a day is enough.");
    }
    talk::take_mail(ctx, by, to)?;
    clock.nudged_at = Some(ctx.now);
    ctx.store.keep_clock(at.board, &clock)?;
    let thread = Thread::of(&board.row, &players);
    let view = board_view(ctx.store, &board)?;
    let update = BoardUpdate::new(BoardEvent::Nudged, seat, view);
    ctx.news.push(BoardNews::new(update, board.row.players, &[mover]));
    Ok(Event::page("nudge.md", context! { opponent => opponent.as_str() }, Some(thread)))
}
