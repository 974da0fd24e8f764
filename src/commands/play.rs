//! `move` and `resign`.

use crate::commands::grammar::play::Move;
use crate::commands::queue;
use crate::failure::CommandError;
use crate::language::OnBoard;
use crate::notices::Event;
use crate::notices::board_update::BoardEvent;
use crate::play::at_board::{self, update};
use crate::play::{Context, answers};
use crate::store::EventKind;

pub(crate) fn play(ctx: &mut Context<'_>, command: Move) -> Result<Event, CommandError> {
    let Move { at, plies: text, conditions } = &command;
    let mut at = at_board::load_for_player(ctx, at)?;
    let dropped = ctx.store.queue(at.board.row.id, at.player)?.is_some();
    if dropped {
        ctx.store.set_queue(at.board.row.id, at.player, None)?;
    }
    let (events, remarks) = at_board::play_plies(ctx, &mut at, text)?;
    let mut update = update(ctx, BoardEvent::Played, &at, &events, remarks)?;
    at_board::notify_other(ctx, &at, &update);
    let conditions = queue::behind_a_move(&at, conditions)?;
    if !conditions.is_empty() {
        answers::keep_queue(ctx, &at.board, at.player, &conditions)?;
        update.view.queue = conditions.lines();
    }
    if dropped && conditions.is_empty() {
        update.notes.push("You moved by hand, so your queue on this board was dropped.".to_owned());
    }
    answers::let_others_answer(ctx, at, update)
}

pub(crate) fn resign(ctx: &mut Context<'_>, at: OnBoard) -> Result<Event, CommandError> {
    let mut at = at_board::load_for_player(ctx, &at)?;
    at_board::record_event(ctx, &mut at, EventKind::Resignation, "")?;
    at_board::notify_opponent(ctx, BoardEvent::Resigned, &at)
}
