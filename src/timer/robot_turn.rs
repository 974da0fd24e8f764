//! Plays waiting robot turns: leases a turn, searches for a move, plays it.

use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;

use jiff::Timestamp;
use jiff::tz::TimeZone;
use rand_chacha::ChaCha12Rng;
use rand_chacha::rand_core::SeedableRng;

use crate::board::{BadRecord, Board, names};
use crate::credentials::{Limits, Proofs, Writer};
use crate::failure::{CommandError, Error};
use crate::notices::{Occasion, Outbox, audience};
use crate::play::at_board::{self, AtBoard};
use crate::play::robot::{LEASE, PrecomputedMoves, Question, RobotConfig};
use crate::play::{Context, answers};
use crate::store::{ClosedLetter, Entrance, RobotTurn, Store};
use crate::timer::engine_turn;
use crate::timer::turned::{TakenTurn, Turned};

/// Plays the robot turn that has waited longest; `None` if no turn waits. Calls `now` before and after the search.
/// Setting `cancel` ends the search.
pub fn think_one(
    store: &mut Store,
    rules: (&RobotConfig, &Limits),
    outbox: &impl Outbox,
    now: impl Fn() -> Timestamp,
    cancel: &AtomicBool,
) -> Result<Option<TakenTurn>, Error> {
    // Usually no turn waits, and this check needs no write lock.
    if !rules.0.enabled || !store.robot_is_wanted(now())? {
        return Ok(None);
    }
    let began = now();
    let Some(turn) = store.write(|store| store.lease_robot_turn(began, LEASE))? else { return Ok(None) };
    let turned = match think(store, rules, outbox, (turn, began), &now, cancel) {
        Ok(turned) => turned,
        Err(Error::Store(why)) if why.is_busy() => return Err(why.into()),
        Err(why) => Turned::Lost(why),
    };
    if matches!(turned, Turned::Stopped) {
        store.write(|store| store.release_robot_turn(turn))?;
    }
    Ok(Some(TakenTurn { board: turn.board, turned }))
}

fn think(
    store: &mut Store,
    (robot, limits): (&RobotConfig, &Limits),
    outbox: &impl Outbox,
    (turn, began): (RobotTurn, Timestamp),
    now: &impl Fn() -> Timestamp,
    cancel: &AtomicBool,
) -> Result<Turned, Error> {
    let Some(board) = Board::load(store, turn.board)?.filter(|board| board.row.events == turn.event) else {
        return Ok(Turned::Dropped);
    };
    let Some(question) = Question::of(&board) else { return Ok(Turned::Dropped) };
    if let Some(engine) = question.engine() {
        let answer = match engine_turn::ask(store, robot, &board, engine, cancel)? {
            Ok(answer) => answer,
            Err(turned) => return Ok(turned),
        };
        let found = (&PrecomputedMoves::of(question, answer), None);
        return store.write(|store| play(store, (robot, limits), outbox, turn, found, now()));
    }
    let budget = limits.robot_seconds();
    let person = board.row.players.into_iter().find(|player| !player.is_robot());
    let key = person.map(|person| person.0.to_string()).unwrap_or_default();
    let is_spent = !budget.has_room(store, &key, began, 0)?;
    let quick = question.quick().filter(|_| is_spent);
    let Some(answer) = quick.as_ref().unwrap_or(&question).answer(robot.bytes(), cancel)? else {
        return Ok(Turned::Stopped);
    };
    if cancel.load(Relaxed) {
        return Ok(Turned::Stopped);
    }
    let precomputed = PrecomputedMoves::of(question, answer);
    let at = now();
    let seconds = at.duration_since(began).as_secs().clamp(0, LEASE.as_secs());
    store.write(|store| {
        store.count_more(budget.what, &key, u32::try_from(seconds).unwrap_or(0), at, budget.seconds)?;
        let until = crate::zone::instant(budget.ends(store, &key, at)?, TimeZone::UTC);
        let note = quick.map(|_| {
            format!(
                "The robot has thought about your games for as long as it does in a day, so it plays below its level \
                until {until}."
            )
        });
        play(store, (robot, limits), outbox, turn, (&precomputed, note), at)
    })
}

/// Plays the robot's move if the board has not changed. Runs inside the transaction.
fn play(
    store: &Store,
    rules: (&RobotConfig, &Limits),
    outbox: &impl Outbox,
    turn: RobotTurn,
    (precomputed, note): (&PrecomputedMoves, Option<String>),
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
    // The code below uses no randomness, but `Context` requires an RNG.
    let mut rng = ChaCha12Rng::from_seed(occasion.letter.identity.0);
    let proofs = Proofs::default();
    let mut ctx =
        Context::new(store, rules, (&occasion.letter, Writer::server()), &proofs, precomputed, now, &mut rng);
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
    // A swap may have changed the robot's seat.
    if let Some(note) = note {
        at.note(at.seat.other(), note);
    }
    at_board::tell_as(&mut ctx, at, None)?;
    let mails = audience::of_events(store, now, &ctx.news, ctx.mails)?;
    store.close_letter(occasion.id, &ClosedLetter::of(what))?;
    Ok(Turned::Played { mails: outbox.put(store, &occasion, mails, now)? })
}

fn lost(turn: RobotTurn, why: &str) -> Error {
    BadRecord { number: turn.event, why: why.to_owned() }.into()
}
