//! `submit` and `confirm`: shows a move before it counts, and plays it.

use minijinja::context;

use crate::board::names;
use crate::commands::grammar::play::Move;
use crate::commands::grammar::submit::Submit;
use crate::commands::play;
use crate::credentials::token::MailKind;
use crate::failure::{CommandError, refuse};
use crate::language::OnBoard;
use crate::notices::transcript::data;
use crate::notices::view::board_view;
use crate::notices::{Event, Thread};
use crate::play::{Context, at_board};

pub(crate) fn submit(ctx: &mut Context<'_>, command: Submit) -> Result<Event, CommandError> {
    let Submit { at, plies } = &command;
    let mut at = at_board::load_for_player(ctx, at)?;
    let (id, events) = (at.board.row.id, at.board.row.events);
    // Plays for the drawing only and stores nothing.
    let (played, mut remarks) = at_board::try_plies(ctx, &mut at, plies)?;
    remarks.extend(at_board::passes(&played, at.seat, at.board.kind));
    ctx.store.set_draft(id, at.player, Some((events, plies)))?;
    let names = names(ctx.store, &at.board.row.players)?;
    at.board.row.deadline_at = None;
    let mut view = crate::notices::view::view_of(&at.board, names, Vec::new());
    view.past = true;
    view.remarks = remarks;
    // A reply to it answers the question.
    let thread = Event::of_view("submit.txt", &view).thread();
    let thread = thread.map(|thread| Thread { mail: MailKind::Question, ..thread });
    Ok(Event::page(
        "submit.txt",
        context! { v => data(&view), move => plies, userid => at.seat.of(&at.names) },
        thread,
    ))
}

/// Forgets the submitted move.
pub(crate) fn drop_draft(ctx: &mut Context<'_>, at: &OnBoard, plies: &str) -> Result<Event, CommandError> {
    let seat = at_board::load_for_player(ctx, at)?;
    ctx.store.set_draft(seat.board.row.id, seat.player, None)?;
    let view = board_view(ctx.store, &seat.board)?;
    let thread = Event::of_view("dropped.txt", &view).thread();
    let userid = seat.seat.of(&seat.names);
    Ok(Event::page("dropped.txt", context! { v => data(&view), move => plies, userid }, thread))
}

/// Plays the submitted move.
pub(crate) fn confirm(ctx: &mut Context<'_>, at: OnBoard) -> Result<Event, CommandError> {
    let seat = at_board::load_for_player(ctx, &at)?;
    let id = seat.board.row.id;
    match ctx.store.draft(id, seat.player)? {
        Some((events, plies)) if events >= ctx.store.last_events(id)?[1] => {
            ctx.store.set_draft(id, seat.player, None)?;
            play::play(ctx, Move { at, plies, conditions: String::new() })
        }
        _ => refuse!(
            "There is nothing to confirm on board {id}: submit a move first. A submitted move lapses when anything happens on the board."
        ),
    }
}
