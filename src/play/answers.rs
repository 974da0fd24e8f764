//! Answers within the letter of a move: queues play, and so does the robot if its move is precomputed.

use turnpost_games::{Cast, Turn};

use crate::board::Board;
use crate::failure::{CommandError, Error, Refusal};
use crate::ids::{Ply, Seat};
use crate::language::plan::{Branch, Plan};
use crate::notices::Event;
use crate::notices::board_update::{BoardEvent, BoardStep};
use crate::play::Context;
use crate::play::at_board::{self, AtBoard};
use crate::play::plans::{keep_queue, plan};
use crate::play::plies;
use crate::play::robot::{self, Question};
use crate::store::{BoardState, EventKind, StoreError};

/// Lets queues and the robot play until neither has an answer. Each answer is an ordinary move, which another
/// queue can answer. If nothing was played before the queue of the player to move was dropped, returns the
/// reason.
pub(crate) fn run_queues(ctx: &mut Context<'_>, at: &mut AtBoard) -> Result<Option<String>, CommandError> {
    while at.board.row.state == BoardState::Running
        && let Some(seat) = at.board.row.to_move
    {
        let player = *seat.of(&at.board.row.players);
        if player.is_robot() {
            match or_as_before(ctx, at, |ctx, at| robot_plays(ctx, at, seat))? {
                Ok(true) => continue,
                // If this was a failure, the robot worker meets it again and reports it to the operator.
                Ok(false) | Err(_) => return Ok(None),
            }
        }
        let Some(plan) = plan(ctx, &at.board, player)? else { return Ok(None) };
        let id = at.board.row.id;
        let (note, why) = match answer(ctx, &at.board, seat, plan)? {
            // The dice may fit it later.
            None if at.board.kind.dice => return Ok(None),
            // The opponent's move is not one that the queue expects.
            None => (
                "Your queue held no answer to this and was dropped.".to_owned(),
                "it holds no answer to what was played.".to_owned(),
            ),
            Some(Branch { play, then, .. }) => {
                match or_as_before(ctx, at, |ctx, at| {
                    plies::play_plies(ctx, at, seat, BoardEvent::Queued, &play)
                })? {
                    Ok(()) => {
                        keep_queue(ctx, &at.board, player, &then)?;
                        continue;
                    }
                    Err(why) => {
                        (format!("Your queue wanted to play {play} and was dropped: {why}"), why.to_string())
                    }
                }
            }
        };
        ctx.store.set_queue(id, player, None)?;
        if at.steps.is_empty() {
            return Ok(Some(why));
        }
        at.note(seat, note);
        return Ok(None);
    }
    Ok(None)
}

/// Tries `turn`. After a refusal, the board and the store are as before.
fn or_as_before<T>(
    ctx: &mut Context<'_>,
    at: &mut AtBoard,
    turn: impl FnOnce(&mut Context<'_>, &mut AtBoard) -> Result<T, CommandError>,
) -> Result<Result<T, Refusal>, Error> {
    let (table, row) = (at.board.table.copy(), at.board.row.clone());
    match ctx.store.savepoint(|| turn(ctx, at)) {
        Ok(done) => Ok(Ok(done)),
        Err(CommandError::Refused(why)) => {
            (at.board.table, at.board.row) = (table, row);
            Ok(Err(why))
        }
        Err(CommandError::Failed(failed)) => Err(failed),
    }
}

/// The branch of the queue that answers the opponent's last turn.
pub(crate) fn answer(
    ctx: &Context<'_>,
    board: &Board,
    seat: Seat,
    plan: Plan,
) -> Result<Option<Branch>, CommandError> {
    let conditional = plan.0.iter().any(|branch| branch.on.is_some());
    if !conditional {
        return Ok(plan.0.into_iter().next());
    }
    let before = before_their_turn(ctx, board, seat)?;
    for branch in plan.0 {
        let Some(on) = &branch.on else { return Ok(Some(branch)) };
        if let Some(cast) = on.parse().ok().filter(|_| board.kind.dice) {
            if shows(ctx, board, cast)? {
                return Ok(Some(branch));
            }
            continue;
        }
        if let Some(before) = &before
            && reaches(ctx, before, on, board)?
        {
            return Ok(Some(branch));
        }
    }
    Ok(None)
}

/// True if the dice have just shown these faces, in any order.
fn shows(ctx: &Context<'_>, board: &Board, cast: Cast) -> Result<bool, StoreError> {
    let last = ctx.store.plies(board.row.id, board.row.plies, board.row.plies)?;
    let shown = last.first().filter(|ply| ply.seat.is_none()).and_then(|ply| ply.text.parse::<Cast>().ok());
    let sorted = |cast: &Cast| {
        let mut faces = cast.faces().to_vec();
        faces.sort_unstable();
        faces
    };
    Ok(shown.is_some_and(|shown| sorted(&shown) == sorted(&cast)))
}

/// The board before the opponent's last turn; `None` if the opponent has not played yet.
fn before_their_turn(ctx: &Context<'_>, board: &Board, seat: Seat) -> Result<Option<Board>, CommandError> {
    let plies = ctx.store.plies(board.row.id, Ply(1), board.row.plies)?;
    let theirs = match board.kind.dice {
        // A turn is one ply, and rolls stand between the turns.
        true => plies.iter().rfind(|ply| ply.seat == Some(seat.other())),
        false => plies.iter().rev().take_while(|ply| ply.seat != Some(seat) || ply.player.is_none()).last(),
    };
    match theirs {
        Some(first) => {
            let events = ctx.store.events(board.row.id)?;
            Ok(Some(Board::past(board.row.id, &events, Ply(first.ply.0.saturating_sub(1)))?))
        }
        None => Ok(None),
    }
}

/// True if `turn` is what was played on `before`. Without dice, another turn that leads to the position of `now` is the same.
fn reaches(ctx: &Context<'_>, before: &Board, turn: &str, now: &Board) -> Result<bool, StoreError> {
    let mut table = before.table.copy();
    let Ok(Turn { plies, rest: "", .. }) = table.play_turn(turn) else { return Ok(false) };
    if !now.kind.dice {
        return Ok(table.position() == now.table.position());
    }
    let next = before.row.plies.next();
    Ok(ctx.store.plies(now.row.id, next, next)?.iter().map(|ply| &ply.text).eq(&plies))
}

/// Plays the robot's move if it is precomputed. Returns true if it played.
fn robot_plays(ctx: &mut Context<'_>, at: &mut AtBoard, seat: Seat) -> Result<bool, CommandError> {
    let Some(question) = Question::of(&at.board) else { return Ok(false) };
    let Some(plies) = ctx.robot.plies(question) else { return Ok(false) };
    if plies == robot::SWAP {
        at_board::change_seats(ctx, at)?;
        return Ok(true);
    }
    if plies == robot::RESIGN {
        let event = at.board.act(EventKind::Resignation, seat, "", ctx.now);
        at_board::record(ctx, &mut at.board, &[event])?;
        at.steps.push(BoardStep::new(BoardEvent::Resigned, seat));
        return Ok(true);
    }
    plies::play_plies(ctx, at, seat, BoardEvent::Played, &plies)?;
    Ok(true)
}

/// Plays a word of the server that the game reads as a ply of the player.
pub(crate) fn play_word(ctx: &mut Context<'_>, mut at: AtBoard, word: &str) -> Result<Event, CommandError> {
    let (player, seat) = (at.player(), at.seat);
    ctx.store.set_queue(at.board.row.id, player, None)?;
    plies::play_plies(ctx, &mut at, seat, BoardEvent::Played, word)?;
    let_others_answer(ctx, at)
}

/// Lets queues and the robot answer a player's command, and tells both players what happened.
pub(crate) fn let_others_answer(ctx: &mut Context<'_>, mut at: AtBoard) -> Result<Event, CommandError> {
    run_queues(ctx, &mut at)?;
    if let Some(note) = robot_thinks(ctx, &at) {
        at.note(at.seat, note);
    }
    Ok(at_board::tell(ctx, at)?)
}

/// The note that the robot's move follows in a separate mail; `None` if the robot is not to move or is
/// switched off.
pub(crate) fn robot_thinks(ctx: &Context<'_>, at: &AtBoard) -> Option<String> {
    at.board.row.robot_to_move().filter(|_| ctx.robot.rules.enabled)?;
    let name = at.board.row.to_move?.of(&at.names);
    Some(format!("{name} thinks about its move, which comes in a mail of its own."))
}

/// Lets the robot open a new board. Returns the notes about it for the first mail.
pub(crate) fn robot_opens(ctx: &mut Context<'_>, at: &mut AtBoard) -> Result<Vec<String>, CommandError> {
    if !at.board.row.is_with_robot() {
        return Ok(Vec::new());
    }
    run_queues(ctx, at)?;
    let steps = std::mem::take(&mut at.steps);
    let opening = steps.iter().filter_map(|step| step.sentence(&at.names, None));
    Ok(opening.chain(robot_thinks(ctx, at)).collect())
}
