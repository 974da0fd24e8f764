//! Conditional moves, and moves that wait to be confirmed.

use super::CommandError;
use super::board::Board;
use super::context::Context;
use super::notification::{Notification, Recipient};
use super::play::{AtBoard, sentence};
use super::transcript::Event;
use super::view::{BoardEvent, board_view, names};
use crate::command::Seated;
use crate::command::plan::{Branch, Plan};
use crate::ids::BoardId;
use crate::ids::{Ply, Seat};
use crate::service::play;
use crate::service::refusal::{Refuse, refuses};
use crate::service::robot::context as robot_context;
use crate::store::{PlayerId, State, StoreError};
use turnpost_games::MoveError;

/// Why it is refused.
#[derive(Debug, thiserror::Error)]
pub(in crate::service) enum QueueRefusal {
    #[error("It is your turn, and the queue cannot play: {why}")]
    QueueDoesNotFit { why: String },
    #[error("A move of the queue cannot be read: {why}")]
    BadQueue { why: String },
    #[error(
        "There is nothing to confirm on board {board}: submit a move first. A submitted move lapses when anything happens on the board."
    )]
    NoDraft { board: BoardId },
}

impl Refuse for QueueRefusal {}

refuses!(QueueRefusal);

/// Sets, drops or shows a player's queue.
pub(super) fn queue(ctx: &mut Context<'_>, at: &Seated, plan: Option<Plan>) -> Result<Event, CommandError> {
    let at = play::sit_down(ctx, at)?;
    let id = at.board.row.id;
    match &plan {
        Some(plan) if plan.is_empty() => ctx.store.set_queue(id, at.player, None)?,
        Some(plan) => {
            must_be_readable(&at, plan)?;
            keep_queue(ctx, &at.board, at.player, plan)?;
        }
        None => {}
    }
    let (seat, player) = (at.seat, at.player);
    let before = ctx.notifications.len();
    let (at, dropped) = run_queues(ctx, at)?;
    // On one's own turn a queue plays at once, or is refused like a move.
    if let Some(why) = dropped {
        return Err(QueueRefusal::QueueDoesNotFit { why }.into());
    }
    let mut view = board_view(ctx.store, &at.board)?;
    view.queue = queue_lines(ctx, &at.board, player)?;
    let played = plan.is_some_and(|plan| !plan.is_empty()) && ctx.notifications.len() > before;
    if at.board.row.is_with_robot() {
        // The board in the answer is as the robot has left it; only what else there is to know comes beside it.
        for told in ctx.notifications_from(before) {
            let theirs = told.to == Recipient::Player(player);
            if let Some(notice) = told.board_mut() {
                notice.in_answer = theirs && notice.update.notes.is_empty();
            }
        }
    }
    Ok(Event::Queue { view: Box::new(view), played, seat: seat.index() })
}

/// A queue as its owner sees it.
pub(super) fn queue_lines(
    ctx: &Context<'_>,
    board: &Board,
    player: PlayerId,
) -> Result<Vec<String>, CommandError> {
    Ok(plan(ctx, board, player)?.map(|plan| plan.lines()).unwrap_or_default())
}

fn plan(ctx: &Context<'_>, board: &Board, player: PlayerId) -> Result<Option<Plan>, StoreError> {
    let Some(text) = ctx.store.queue(board.row.id, player)? else { return Ok(None) };
    let damaged = |why: serde_json::Error| StoreError::Damaged(format!("queue on {}: {why}", board.row.id));
    serde_json::from_str(&text).map(Some).map_err(damaged)
}

fn keep_queue(ctx: &Context<'_>, board: &Board, player: PlayerId, plan: &Plan) -> Result<(), StoreError> {
    let text = (!plan.is_empty()).then(|| serde_json::to_string(plan)).transpose();
    let text = text.map_err(|why| StoreError::Damaged(why.to_string()))?;
    ctx.store.set_queue(board.row.id, player, text.as_deref())
}

/// Whether each move of a plan is written as moves are; whether it is legal shows when its turn comes.
fn must_be_readable(at: &AtBoard, plan: &Plan) -> Result<(), CommandError> {
    for turn in plan.turns() {
        if let Err(MoveError::Unreadable(why)) = at.board.table.copy().play_text(turn) {
            return Err(QueueRefusal::BadQueue { why: sentence(&why.into()) }.into());
        }
    }
    Ok(())
}

/// Lets queues play as long as one has an answer. Each answer is a move like any other: both players are told,
/// and it may be answered by the other's queue in turn.
/// Gives why one was dropped, where no mail of this letter can say so.
pub(super) fn run_queues(
    ctx: &mut Context<'_>,
    mut at: AtBoard,
) -> Result<(AtBoard, Option<String>), CommandError> {
    while at.board.row.state == State::Running
        && let Some(seat) = at.board.row.to_move
    {
        let player = *seat.of(&at.board.row.players);
        if player.is_robot() {
            let (table, row) = (at.board.table.copy(), at.board.row.clone());
            match ctx.store.savepoint(|| robot_context::robot_plays(ctx, &mut at)) {
                Ok(true) => continue,
                Ok(false) => return Ok((at, None)),
                // Whoever looks after the robot's turns finds it again, and says so to the operator.
                Err(CommandError::Refused(_)) => {
                    at.board.table = table;
                    at.board.row = row;
                    return Ok((at, None));
                }
                Err(failed) => return Err(failed),
            }
        }
        let Some(plan) = plan(ctx, &at.board, player)? else { return Ok((at, None)) };
        at.seat = seat;
        at.player = player;
        let id = at.board.row.id;
        let Some(branch) = answer(ctx, &at.board, seat, plan)? else {
            // What the queue waits for has not been played, and something else has.
            ctx.store.set_queue(id, player, None)?;
            let told = ctx.add_note(player, id, "Your queue held no answer to this and was dropped.");
            let why = "it holds no answer to what was played.".to_owned();
            return Ok((at, (!told).then_some(why)));
        };
        let table = at.board.table.copy();
        let row = at.board.row.clone();
        match ctx.store.savepoint(|| play::play_plies(ctx, &mut at, &branch.play)) {
            Ok((events, remarks)) => {
                keep_queue(ctx, &at.board, player, &branch.then)?;
                let update = play::update(ctx, BoardEvent::Queued, &at, &events, remarks)?;
                play::notify_other(ctx, &at, &update);
                ctx.notify(Notification::of_board(player, seat, update));
            }
            Err(CommandError::Refused(why)) => {
                at.board.table = table;
                at.board.row = row;
                ctx.store.set_queue(id, player, None)?;
                let note = format!("Your queue wanted to play {} and was dropped: {why}", branch.play);
                let told = ctx.add_note(player, id, &note);
                return Ok((at, (!told).then(|| why.to_string())));
            }
            Err(failed) => return Err(failed),
        }
    }
    if at.board.row.state != State::Running {
        drop_plans(ctx, &at.board)?;
    }
    Ok((at, None))
}

/// The branch that answers what the opponent has just played.
fn answer(ctx: &Context<'_>, board: &Board, seat: Seat, plan: Plan) -> Result<Option<Branch>, CommandError> {
    let conditional = plan.0.iter().any(|branch| branch.on.is_some());
    if !conditional {
        return Ok(plan.0.into_iter().next());
    }
    let before = before_their_turn(ctx, board, seat)?;
    for branch in plan.0 {
        let Some(on) = &branch.on else { return Ok(Some(branch)) };
        if let Some(before) = &before
            && leads_to(before, on, board)
        {
            return Ok(Some(branch));
        }
    }
    Ok(None)
}

/// The board as it stood when the opponent's last turn began; `None` when they have had none.
fn before_their_turn(ctx: &Context<'_>, board: &Board, seat: Seat) -> Result<Option<Board>, CommandError> {
    let plies = ctx.store.plies(board.row.id, Ply(1), board.row.plies)?;
    let theirs = plies.iter().rev().take_while(|ply| ply.seat != seat || ply.player.is_none()).last();
    match theirs {
        Some(first) => {
            let events = ctx.store.events(board.row.id)?;
            Ok(Some(Board::past(board.row.id, &events, Ply(first.ply.0.saturating_sub(1)))?))
        }
        None => Ok(None),
    }
}

/// Drops both players' queues and drafts on a board.
pub(super) fn drop_plans(ctx: &Context<'_>, board: &Board) -> Result<(), CommandError> {
    for player in board.row.players {
        ctx.store.set_queue(board.row.id, player, None)?;
        ctx.store.set_draft(board.row.id, player, None)?;
    }
    Ok(())
}

/// Shows a move before it counts.
pub(super) fn submit(ctx: &mut Context<'_>, at: &Seated, plies: &str) -> Result<Event, CommandError> {
    let mut at = play::sit_down(ctx, at)?;
    let (id, events) = (at.board.row.id, at.board.row.events);
    // Played for the look of it: nothing of it is kept.
    play::try_plies(ctx, &mut at, plies)?;
    ctx.store.set_draft(id, at.player, Some((events, plies)))?;
    let names = names(ctx.store, &at.board.row.players)?;
    at.board.row.deadline_at = None;
    let mut view = super::view::view_of(&at.board, names, Vec::new());
    view.past = true;
    Ok(Event::Drafted(Box::new(view)))
}

/// Plays the move that was shown.
pub(super) fn confirm(ctx: &mut Context<'_>, seated: &Seated) -> Result<Event, CommandError> {
    let at = play::sit_down(ctx, seated)?;
    let id = at.board.row.id;
    match ctx.store.draft(id, at.player)? {
        Some((events, plies)) if events >= ctx.store.last_events(id)?[1] => {
            ctx.store.set_draft(id, at.player, None)?;
            play::play(ctx, seated, &plies)
        }
        _ => Err(QueueRefusal::NoDraft { board: id }.into()),
    }
}

/// Whether `turn`, played on `before`, makes the position of `now`.
fn leads_to(before: &Board, turn: &str, now: &Board) -> bool {
    let mut table = before.table.copy();
    let mut rest = turn.to_owned();
    while !rest.is_empty() {
        match table.play_text(&rest) {
            Ok(played) => rest = played.rest.to_owned(),
            Err(_) => return false,
        }
        while let Some(pass) = table.forced_ply() {
            if table.play_text(&pass).is_err() {
                return false;
            }
        }
    }
    table.position() == now.table.position()
}
