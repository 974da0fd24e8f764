//! Turns of engines: asks a child for a ply, and hands the board of an engine that fails to the operator.

use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;

use jiff::Timestamp;
use minijinja::context;
use rand_chacha::ChaCha12Rng;
use rand_chacha::rand_core::SeedableRng;
use turnpost_robot::engine::{Answer, Fault, GameSoFar};

use crate::board::{Board, Terms, clocks};
use crate::failure::{CommandError, Error};
use crate::ids::{BoardId, Ply, Userid};
use crate::notices::mail::Recipient;
use crate::notices::{Mail, Occasion, Outbox};
use crate::play::robot::{RESIGN, RobotConfig};
use crate::store::{ClosedLetter, Entrance, PlayerId, Store};
use crate::timer::bounce::BounceContext;
use crate::timer::host_acts::{Act, BoardAct, Order, carry_out};
use crate::timer::turned::Turned;

/// Faults of an engine at one turn, after which the operator gets the board.
const FAULTS: usize = 3;

/// Asks the engine with this account for its turn, as a player would write it; an `Err` says why it plays none. A child
/// that fails is started again, up to [`FAULTS`] times in all.
pub(super) fn ask(
    store: &Store,
    robot: &RobotConfig,
    board: &Board,
    engine: PlayerId,
    cancel: &AtomicBool,
) -> Result<Result<String, Turned>, Error> {
    let events = store.events(board.row.id)?;
    if clocks::is_adjourned(&events) {
        return Ok(Err(Turned::Adjourned));
    }
    let engine = store.player_by_id(engine)?.userid;
    let failed = |why: String| Ok(Err(Turned::Failed { engine: engine.clone(), why }));
    let Some(seated) = robot.engines.of(&engine) else {
        return failed("the configuration has no such engine any more".to_owned());
    };
    let start = events.first().map(Terms::of).transpose()?.map(|terms| terms.position).unwrap_or_default();
    let plies = store.plies(board.row.id, Ply(1), board.row.plies)?;
    let plies: Vec<String> = plies.into_iter().map(|ply| ply.text).collect();
    let game = GameSoFar { kind: board.kind, start: &start, plies: &plies };
    let mut why = String::new();
    for _ in 0..FAULTS {
        match seated.ask(&game) {
            _ if cancel.load(Relaxed) => return Ok(Err(Turned::Stopped)),
            Ok(Answer::Ply(ply)) => return Ok(Ok(ply)),
            Ok(Answer::Resigns) => return Ok(Ok(RESIGN.to_owned())),
            Err(fault) => {
                why = fault.to_string();
                // Another try tells the same game.
                if matches!(fault, Fault::Untold(_)) {
                    break;
                }
            }
        }
    }
    failed(why)
}

/// Adjourns the board of an engine that does not play, and tells the operator. The players get the mail of an
/// adjournment. The engine is asked again when the host resumes the game.
pub fn hand_over(
    store: &mut Store,
    outbox: &impl Outbox,
    host: &BounceContext<'_>,
    (board, engine, why): (BoardId, &Userid, &str),
    now: Timestamp,
) -> Result<(), Error> {
    // The mail comes first: after a crash in between, the turn still waits and fails again, and the mail is not repeated.
    store.write(|store| {
        let event = Board::load(store, board)?.map_or(0, |board| board.row.events);
        let name = format!("engine {board} {event}");
        let Some(occasion) = Occasion::begin(store, Entrance::Robot, &name, now)? else { return Ok(()) };
        let to = Recipient::Address(host.operator.to_owned());
        let data = context! { board => board.0, engine => engine.as_str(), why };
        outbox.put(store, &occasion, vec![Mail::page(to, "engine-failed.md", data)], now)?;
        store.close_letter(occasion.id, &ClosedLetter::of(name))?;
        Ok::<_, Error>(())
    })?;
    let reason = format!("{engine} gave no move, and the operator has been told: {why}.");
    let act = Act::OnBoard(board, BoardAct::Adjourn);
    let order = Order { act, reason, os_user: "turnpost".to_owned() };
    // An adjournment draws nothing, but an act requires an RNG.
    let mut rng = ChaCha12Rng::from_seed([0; 32]);
    match carry_out(store, outbox, host.server, &order, now, &mut rng) {
        // Refused: the game has ended meanwhile.
        Ok(_) | Err(CommandError::Refused(_)) => Ok(()),
        Err(CommandError::Failed(why)) => Err(why),
    }
}
