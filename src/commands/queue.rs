//! `queue`: conditional moves.

use turnpost_games::{GameKind, Table, Turn, Unreadable};

use crate::board::Board;
use crate::commands::grammar::queue::Queue;
use crate::failure::{CommandError, Refusal, refusal, refuse};
use crate::language::plan::Plan;
use crate::mail::AnswerBy;
use crate::notices::notification::Recipient;
use crate::notices::view::{BoardView, board_view};
use crate::notices::{Event, Notification};
use crate::play::at_board::{self, AtBoard, sentence};
use crate::play::{Context, answers};
use crate::store::PlayerId;

/// Sentences about what a queue would do, for a mail to stay readable.
const REMARKS_AT_MOST: usize = 10;

fn bad_queue(why: String) -> Refusal {
    refusal!("A move of the queue cannot be read: {why}")
}

pub(crate) fn queue(ctx: &mut Context<'_>, command: Queue) -> Result<Event, CommandError> {
    let Queue { at, plan } = command;
    let at = at_board::load_for_player(ctx, &at)?;
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
    let before = at.board.row.plies;
    let (at, dropped) = answers::run_queues(ctx, at)?;
    // On the player's own turn a queue plays at once, or fails like a move.
    if let Some(why) = dropped {
        return refuse!("It is your turn, and the queue cannot play: {why}");
    }
    let mut view = board_view(ctx.store, &at.board)?;
    show_queue(ctx, &at.board, player, &mut view)?;
    if plan.is_some_and(|plan| !plan.is_empty()) && at.board.row.plies != before {
        // The answer is the player's mail about what the queue has played.
        let mail = ctx.notifications.iter_mut().rev().find(|notification| {
            notification.to == Recipient::Player(player)
                && notification.board().is_some_and(|notice| notice.update.view.board == id.0)
        });
        if let Some(notice) = mail.and_then(Notification::board_mut) {
            notice.in_answer =
                at.board.row.is_with_robot() || matches!(ctx.letter.answer, AnswerBy::Mail | AnswerBy::Page);
            let mut update = notice.update.clone();
            update.view.queue = view.queue;
            update.view.queue_remarks = view.queue_remarks;
            update.notes.extend(answers::robot_thinks(ctx, &at));
            return Ok(Event::Board(Box::new(update), Some(seat.index())));
        }
    }
    Ok(Event::Queue { view: Box::new(view), seat: seat.index() })
}

/// The plan of the conditions behind a move that was just played.
pub(crate) fn behind_a_move(at: &AtBoard, conditions: &str) -> Result<Plan, CommandError> {
    let plan = Plan::behind_a_move(conditions).map_err(|why| bad_queue(format!("{why}.")))?;
    must_be_readable(at, &plan)?;
    Ok(plan)
}

/// Adds a queue to a board as its owner sees it: a line a turn, and what its moves would do beside moving.
pub(crate) fn show_queue(
    ctx: &Context<'_>,
    board: &Board,
    player: PlayerId,
    view: &mut BoardView,
) -> Result<(), CommandError> {
    let Some(plan) = answers::plan(ctx, board, player)? else { return Ok(()) };
    view.queue = plan.lines();
    foresee(board.table.as_ref(), board.kind, &plan, "", &mut view.queue_remarks);
    Ok(())
}

/// What the moves of a plan would do, as far as they are legal and the opponent's moves before them are named.
fn foresee(table: &dyn Table, kind: &GameKind, plan: &Plan, before: &str, remarks: &mut Vec<String>) {
    let then = |played: &str, next: &str| match played {
        "" => next.to_owned(),
        _ => format!("{played}, {next}"),
    };
    'branches: for branch in &plan.0 {
        let mut table = table.copy();
        let mut line = before.to_owned();
        for turn in branch.on.iter().chain([&branch.play]) {
            let seat = table.turn();
            let Ok(Turn { remarks: found, passes, rest: "", .. }) = table.play_turn(turn) else {
                continue 'branches;
            };
            line = then(&line, turn);
            if remarks.len() >= REMARKS_AT_MOST {
                return;
            }
            let passes = passes.iter().filter(|pass| pass.seat != seat);
            let passes = passes.map(|pass| at_board::passed(kind, pass.seat));
            for remark in found.into_iter().chain(passes) {
                let remark = format!("After {line}: {remark}");
                // Branches share their first moves.
                if !remarks.contains(&remark) {
                    remarks.push(remark);
                }
            }
        }
        foresee(table.as_ref(), kind, &branch.then, &line, remarks);
    }
}

/// Checks the notation of each move of a plan. Whether a move is legal shows when its turn comes.
fn must_be_readable(at: &AtBoard, plan: &Plan) -> Result<(), CommandError> {
    for turn in plan.turns() {
        let mut rest = turn;
        while !rest.is_empty() {
            let unreadable = |why: Unreadable| bad_queue(sentence(&why.into()));
            rest = at.board.table.behind_ply(rest).map_err(unreadable)?;
        }
    }
    Ok(())
}
