//! Answers to a move within the same letter: queues play, and the robot plays where we know its move.

use crate::board::Board;
use crate::failure::CommandError;
use crate::ids::{Ply, Seat};
use crate::language::plan::{Branch, Plan};
use crate::mail::AnswerBy;
use crate::notices::board_update::{BoardEvent, BoardUpdate};
use crate::notices::mail::{BoardNotice, Content, Recipient};
use crate::notices::{Event, Mail};
use crate::play::Context;
use crate::play::at_board::{self, AtBoard};
use crate::play::robot::Question;
use crate::store::{BoardState, PlayerId, StoreError};

pub(crate) fn plan(ctx: &Context<'_>, board: &Board, player: PlayerId) -> Result<Option<Plan>, StoreError> {
    let Some(text) = ctx.store.queue(board.row.id, player)? else { return Ok(None) };
    let damaged = |why: serde_json::Error| StoreError::Damaged(format!("queue on {}: {why}", board.row.id));
    serde_json::from_str(&text).map(Some).map_err(damaged)
}

/// Stores what is left of a plan; nothing once the board has ended.
pub(crate) fn keep_queue(
    ctx: &Context<'_>,
    board: &Board,
    player: PlayerId,
    plan: &Plan,
) -> Result<(), StoreError> {
    let has_turns = board.row.state == BoardState::Running && !plan.is_empty();
    let text = has_turns.then(|| serde_json::to_string(plan)).transpose();
    let text = text.map_err(|why| StoreError::Damaged(why.to_string()))?;
    ctx.store.set_queue(board.row.id, player, text.as_deref())
}

/// Lets queues and the robot play until none has an answer. Returns why it dropped a queue when no mail of this letter
/// says so. Each player gets one mail, which shows the last position and names every ply.
pub(crate) fn run_queues(
    ctx: &mut Context<'_>,
    at: AtBoard,
) -> Result<(AtBoard, Option<String>), CommandError> {
    let (board, since) = (at.board.row.id.0, at.board.row.events);
    let done = play_on(ctx, at)?;
    if done.0.board.row.events > since {
        one_mail_a_player(&mut ctx.mails, board, since);
    }
    Ok(done)
}

/// Merges what each player is told of a board from event `since` on into the last such mail.
fn one_mail_a_player(mails: &mut Vec<Mail>, board: u32, since: u32) {
    let mut merged: Vec<Mail> = Vec::with_capacity(mails.len());
    for mut next in std::mem::take(mails) {
        let is_one = |mail: &Mail| {
            let at_board = mail.player_at_board();
            at_board.is_some_and(|(_, BoardNotice { update, .. })| {
                update.view.board == board && update.view.events >= since
            })
        };
        let earlier = merged.iter().position(|other| is_one(other) && is_one(&next) && other.to == next.to);
        if let Some(earlier) = earlier.map(|place| merged.remove(place))
            && let Content::Board(earlier) = earlier.content
            && let Some(notice) = next.board_mut()
        {
            notice.update = notice.update.clone().after(earlier.update);
        }
        merged.push(next);
    }
    *mails = merged;
}

/// Lets queues and the robot play. Each answer is an ordinary move: we notify both players, and the other's queue may
/// answer it.
fn play_on(ctx: &mut Context<'_>, mut at: AtBoard) -> Result<(AtBoard, Option<String>), CommandError> {
    while at.board.row.state == BoardState::Running
        && let Some(seat) = at.board.row.to_move
    {
        let player = *seat.of(&at.board.row.players);
        if player.is_robot() {
            let (table, row) = (at.board.table.copy(), at.board.row.clone());
            match ctx.store.savepoint(|| robot_plays(ctx, &mut at)) {
                Ok(true) => continue,
                Ok(false) => return Ok((at, None)),
                // The robot worker meets the failure again and reports it to the operator.
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
            // The opponent has played something else than the queue expects.
            ctx.store.set_queue(id, player, None)?;
            let noted = ctx.add_note(player, id, "Your queue held no answer to this and was dropped.");
            let why = "it holds no answer to what was played.".to_owned();
            return Ok((at, (!noted).then_some(why)));
        };
        let table = at.board.table.copy();
        let row = at.board.row.clone();
        match ctx.store.savepoint(|| at_board::play_plies(ctx, &mut at, &branch.play)) {
            Ok((events, remarks)) => {
                keep_queue(ctx, &at.board, player, &branch.then)?;
                let update = at_board::update(ctx, BoardEvent::Queued, &at, &events, remarks)?;
                at_board::notify_other(ctx, &at, &update);
                ctx.notify(Mail::of_board(player, seat, update));
            }
            Err(CommandError::Refused(why)) => {
                at.board.table = table;
                at.board.row = row;
                ctx.store.set_queue(id, player, None)?;
                let note = format!("Your queue wanted to play {} and was dropped: {why}", branch.play);
                let noted = ctx.add_note(player, id, &note);
                return Ok((at, (!noted).then(|| why.to_string())));
            }
            Err(failed) => return Err(failed),
        }
    }
    Ok((at, None))
}

/// The branch of the queue that answers the opponent's last turn.
fn answer(ctx: &Context<'_>, board: &Board, seat: Seat, plan: Plan) -> Result<Option<Branch>, CommandError> {
    let conditional = plan.0.iter().any(|branch| branch.on.is_some());
    if !conditional {
        return Ok(plan.0.into_iter().next());
    }
    let before = before_their_turn(ctx, board, seat)?;
    for branch in plan.0 {
        let Some(on) = &branch.on else { return Ok(Some(branch)) };
        if let Some(before) = &before
            && reaches(before, on, board)
        {
            return Ok(Some(branch));
        }
    }
    Ok(None)
}

/// The board before the opponent's last turn; `None` when they have not played yet.
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

/// True when playing `turn` on `before` leads to the position of `now`.
fn reaches(before: &Board, turn: &str, now: &Board) -> bool {
    let mut table = before.table.copy();
    table.play_turn(turn).is_ok_and(|turn| turn.rest.is_empty()) && table.position() == now.table.position()
}

/// Plays the robot's move if it is the robot's turn and we know the move. Returns true if it played.
fn robot_plays(ctx: &mut Context<'_>, at: &mut AtBoard) -> Result<bool, CommandError> {
    let Some((question, seat)) = Question::of(&at.board).zip(at.board.row.to_move) else {
        return Ok(false);
    };
    let Some(plies) = ctx.robot.plies(question) else { return Ok(false) };
    at.seat = seat;
    at.player = *seat.of(&at.board.row.players);
    let (events, remarks) = at_board::play_plies(ctx, at, &plies)?;
    let update = at_board::update(ctx, BoardEvent::Played, at, &events, remarks)?;
    at_board::notify_other(ctx, at, &update);
    Ok(true)
}

/// Lets queues and the robot answer a player's command. The player gets one answer that shows the final board.
pub(crate) fn let_others_answer(
    ctx: &mut Context<'_>,
    at: AtBoard,
    update: BoardUpdate,
) -> Result<Event, CommandError> {
    let (seat, player) = (at.seat, at.player);
    let (at, _) = run_queues(ctx, at)?;
    let mut update = merge(ctx, (player, at.board.row.is_with_robot()), update);
    update.notes.extend(robot_thinks(ctx, &at));
    Ok(Event::Board(Box::new(update), Some(seat.index())))
}

/// What the player is told of a board after `update`, in one with it.
fn merge(ctx: &mut Context<'_>, (player, with_robot): (PlayerId, bool), update: BoardUpdate) -> BoardUpdate {
    let is_later = |notice: &BoardNotice| {
        notice.update.view.board == update.view.board && notice.update.view.events > update.view.events
    };
    for mail in &mut ctx.mails {
        if mail.to == Recipient::Player(player)
            && let Some(notice) = mail.board_mut().filter(|notice| is_later(notice))
        {
            // The terminal's answer may be read by somebody else.
            notice.in_answer = with_robot || matches!(ctx.letter.answer, AnswerBy::Mail | AnswerBy::Page);
            notice.update = notice.update.clone().after(update);
            return notice.update.clone();
        }
    }
    update
}

/// Says that the robot's move follows in a mail of its own.
pub(crate) fn robot_thinks(ctx: &Context<'_>, at: &AtBoard) -> Option<String> {
    at.board.row.robot_to_move().filter(|_| ctx.robot.rules.enabled)?;
    let name = at.board.row.to_move?.of(&at.names);
    Some(format!("{name} thinks about its move, which comes in a mail of its own."))
}

/// Lets the robot open a new board. Returns notes for its opponent.
pub(crate) fn robot_opens(
    ctx: &mut Context<'_>,
    at: AtBoard,
) -> Result<(AtBoard, Vec<String>), CommandError> {
    if !at.board.row.is_with_robot() {
        return Ok((at, Vec::new()));
    }
    let from = ctx.mails.len();
    let (at, _) = run_queues(ctx, at)?;
    let told = ctx.mails_from(from).iter().filter_map(Mail::board);
    let told = told.flat_map(|notice| {
        let earlier = notice.update.earlier.iter().filter_map(|update| update.sentence(None));
        earlier.chain(notice.update.sentence(None)).collect::<Vec<_>>()
    });
    let mut notes: Vec<String> = told.collect();
    // The mail about the new board says it.
    ctx.mails.truncate(from);
    notes.extend(robot_thinks(ctx, &at));
    Ok((at, notes))
}
