//! `queue`: conditional moves.

use turnpost_games::MoveError;

use crate::command::plan::Plan;
use crate::command::queue::Queue;
use crate::service::at_board::{AtBoard, sentence};
use crate::service::board::Board;
use crate::service::context::Context;
use crate::service::notification::Recipient;
use crate::service::refusal::{Refuse, refuses};
use crate::service::transcript::Event;
use crate::service::view::board_view;
use crate::service::{CommandError, answers, at_board};
use crate::store::PlayerId;

#[derive(Debug, thiserror::Error)]
enum QueueRefusal {
    #[error("It is your turn, and the queue cannot play: {why}")]
    QueueDoesNotFit { why: String },
    #[error("A move of the queue cannot be read: {why}")]
    BadQueue { why: String },
}

impl Refuse for QueueRefusal {}

refuses!(QueueRefusal);

pub(super) fn queue(ctx: &mut Context<'_>, command: Queue) -> Result<Event, CommandError> {
    let Queue { at, plan } = command;
    let at = at_board::sit_down(ctx, &at)?;
    let id = at.board.row.id;
    match &plan {
        Some(plan) if plan.is_empty() => ctx.store.set_queue(id, at.player, None)?,
        Some(plan) => {
            must_be_readable(&at, plan)?;
            answers::keep_queue(ctx, &at.board, at.player, plan)?;
        }
        None => {}
    }
    let (seat, player) = (at.seat, at.player);
    let before = ctx.notifications.len();
    let (at, dropped) = answers::run_queues(ctx, at)?;
    // On the player's own turn a queue plays at once, or fails like a move.
    if let Some(why) = dropped {
        return Err(QueueRefusal::QueueDoesNotFit { why }.into());
    }
    let mut view = board_view(ctx.store, &at.board)?;
    view.queue = queue_lines(ctx, &at.board, player)?;
    let played = plan.is_some_and(|plan| !plan.is_empty()) && ctx.notifications.len() > before;
    if at.board.row.is_with_robot() {
        // The answer shows the board after the robot's moves. A mail of its own follows only if it has more to say.
        for notification in ctx.notifications_from(before) {
            let theirs = notification.to == Recipient::Player(player);
            if let Some(notice) = notification.board_mut() {
                notice.in_answer = theirs && notice.update.notes.is_empty();
            }
        }
    }
    Ok(Event::Queue { view: Box::new(view), played, seat: seat.index() })
}

/// The plan of the conditions behind a move that was just played.
pub(super) fn behind_a_move(at: &AtBoard, conditions: &str) -> Result<Plan, CommandError> {
    let plan =
        Plan::behind_a_move(conditions).map_err(|why| QueueRefusal::BadQueue { why: format!("{why}.") })?;
    must_be_readable(at, &plan)?;
    Ok(plan)
}

/// A queue as its owner sees it, a line a turn.
pub(super) fn queue_lines(
    ctx: &Context<'_>,
    board: &Board,
    player: PlayerId,
) -> Result<Vec<String>, CommandError> {
    Ok(answers::plan(ctx, board, player)?.map(|plan| plan.lines()).unwrap_or_default())
}

/// Checks the notation of each move of a plan. Whether a move is legal shows when its turn comes.
fn must_be_readable(at: &AtBoard, plan: &Plan) -> Result<(), CommandError> {
    for turn in plan.turns() {
        if let Err(MoveError::Unreadable(why)) = at.board.table.copy().play_text(turn) {
            return Err(QueueRefusal::BadQueue { why: sentence(&why.into()) }.into());
        }
    }
    Ok(())
}
