//! A waiting robot turn: leases it, searches, plays.

use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;

use jiff::Timestamp;
use rand_chacha::ChaCha12Rng;
use rand_chacha::rand_core::SeedableRng;

use crate::board::{BadRecord, Board, names};
use crate::credentials::{Limits, Proofs, Writer};
use crate::failure::{CommandError, Error};
use crate::ids::BoardId;
use crate::notices::{Occasion, Outbox, audience};
use crate::play::at_board::{self, AtBoard};
use crate::play::robot::{LEASE, PrecomputedMoves, Question, RobotConfig};
use crate::play::{Context, answers};
use crate::store::{ClosedLetter, Entrance, RobotTurn, Store};

#[derive(Debug)]
pub struct Turn {
    pub board: BoardId,
    pub turned: Turned,
}

#[derive(Debug)]
pub enum Turned {
    Played {
        mails: usize,
    },
    /// The board changed meanwhile, or another process was faster. Nothing happened.
    Dropped,
    /// Somebody cancelled the search; the turn still waits.
    Stopped,
    /// The robot cannot play. When its lease ends, we try the turn again, behind all others.
    Lost(Error),
}

/// Searches the turn that has waited longest and plays it; `None` when none waits. Calls `now` before and after the
/// search. Setting `cancel` ends the search.
pub fn think_one(
    store: &mut Store,
    robot: &RobotConfig,
    outbox: &impl Outbox,
    now: impl Fn() -> Timestamp,
    cancel: &AtomicBool,
) -> Result<Option<Turn>, Error> {
    // Usually nothing waits. This check takes no write lock.
    if !robot.enabled || !store.robot_is_wanted(now())? {
        return Ok(None);
    }
    let Some(turn) = store.write(|store| store.lease_robot_turn(now(), LEASE))? else { return Ok(None) };
    let turned = match think(store, robot, outbox, turn, &now, cancel) {
        Ok(turned) => turned,
        Err(Error::Store(why)) if why.is_busy() => return Err(why.into()),
        Err(why) => Turned::Lost(why),
    };
    if matches!(turned, Turned::Stopped) {
        store.write(|store| store.release_robot_turn(turn))?;
    }
    Ok(Some(Turn { board: turn.board, turned }))
}

fn think(
    store: &mut Store,
    robot: &RobotConfig,
    outbox: &impl Outbox,
    turn: RobotTurn,
    now: &impl Fn() -> Timestamp,
    cancel: &AtomicBool,
) -> Result<Turned, Error> {
    let Some(board) = Board::load(store, turn.board)?.filter(|board| board.row.events == turn.event) else {
        return Ok(Turned::Dropped);
    };
    let Some(question) = Question::of(&board) else { return Ok(Turned::Dropped) };
    let Some(answer) = question.answer(robot.bytes(), cancel)? else { return Ok(Turned::Stopped) };
    if cancel.load(Relaxed) {
        return Ok(Turned::Stopped);
    }
    let precomputed = PrecomputedMoves::of(question, answer);
    let at = now();
    store.write(|store| play(store, robot, outbox, turn, &precomputed, at))
}

/// Plays the robot's move if the board has not changed. Runs inside the transaction.
fn play(
    store: &Store,
    robot: &RobotConfig,
    outbox: &impl Outbox,
    turn: RobotTurn,
    precomputed: &PrecomputedMoves,
    now: Timestamp,
) -> Result<Turned, Error> {
    let Some(board) = Board::load(store, turn.board)?.filter(|board| board.row.events == turn.event) else {
        return Ok(Turned::Dropped);
    };
    let Some(seat) = board.row.to_move.filter(|_| board.row.robot_to_move().is_some()) else {
        return Ok(Turned::Dropped);
    };
    let what = format!("robot {} {}", turn.board, turn.event);
    let Some(occasion) = Occasion::begin(store, Entrance::Robot, &what, now)? else {
        return Ok(Turned::Dropped);
    };
    // Nothing random follows, but a context needs an rng.
    let mut rng = ChaCha12Rng::from_seed(occasion.letter.identity.0);
    let proofs = Proofs::default();
    let limits = Limits::default();
    let mut ctx = Context::new(
        store,
        (robot, &limits),
        (&occasion.letter, Writer::server()),
        &proofs,
        precomputed,
        now,
        &mut rng,
    );
    let names = names(store, &board.row.players)?;
    let mut at = AtBoard::new(board, seat, names);
    match answers::run_queues(&mut ctx, &mut at) {
        Ok(_) => {}
        Err(CommandError::Failed(failure)) => return Err(failure),
        Err(CommandError::Refused(why)) => return Err(lost(turn, &why.to_string())),
    }
    if at.steps.is_empty() {
        return Err(lost(turn, "the rules forbid what the robot found"));
    }
    at_board::tell_as(&mut ctx, at, None)?;
    let mails = audience::of_events(store, now, &ctx.news, ctx.mails)?;
    store.close_letter(occasion.id, &ClosedLetter { commands: &what, ..ClosedLetter::default() })?;
    Ok(Turned::Played { mails: outbox.put(store, &occasion, mails, now)? })
}

fn lost(turn: RobotTurn, why: &str) -> Error {
    BadRecord { number: turn.event, why: why.to_owned() }.into()
}
