//! Pig: roll the die until you hold your points, or lose them to a 1. The first with 100 points wins.

use crate::rules::{Board, Cell, Kind, Piece, Ply, Rules, State, kind};
use crate::{Cast, Chance, GameKind, Outcome, Seat, Setup, SetupError};

/// The entry of the registry.
pub const KIND: GameKind = GameKind {
    family: "dice",
    dice: true,
    has_draws: false,
    notation: "roll rolls the die, hold keeps the points of the turn",
    pitch: "Roll as often as you dare, then hold your points; a 1 loses all points of the turn.",
    ..kind::<Pig>("pig", "Pig")
};

/// The rules. The counts of a state are the points of both sides, those at stake, and the phase.
#[derive(Debug, Clone)]
pub struct Pig;

// The phases: the second side has not rolled yet, the side to move chooses, or the die falls.
const INVITED: u16 = 0;
const CHOICE: u16 = 1;
const FALLS: u16 = 2;

const ROLL: Ply = Ply::word(1);
const HOLD: Ply = Ply::word(2);
const GOAL: u16 = 100;

/// The space of a side's piece, which goes up a row for each 20 points.
fn place(state: &State, side: Seat) -> Cell {
    let points = state.counts[side.index()].min(GOAL);
    Cell::at(side.index() as u8, (points / 20) as u8)
}

impl Rules for Pig {
    const SIZES: &'static [u8] = &[2];
    const KINDS: &'static [Kind] = &[Kind::disc("piece")];
    const WORDS: &'static [&'static str] = &["pass", "roll", "hold"];
    const ASKS: [&'static str; 3] = [""; 3];

    fn board(size: u8) -> Board {
        Board::squares(size, 6)
    }

    fn start(state: &mut State, _: &Setup<'_>) -> Result<(), SetupError> {
        for side in Seat::BOTH {
            state.set(place(state, side), Some(Piece::of(side)));
        }
        state.to_move = Seat::Second;
        Ok(())
    }

    fn chance(state: &State) -> Option<Chance> {
        (state.counts[3] == FALLS).then_some(Chance::Dice { count: 1, sides: 6 })
    }

    fn make_chance(state: &mut State, cast: Cast) {
        let [_, _, at_stake, phase] = &mut state.counts;
        *phase = CHOICE;
        *at_stake += cast.faces().iter().copied().map(u16::from).sum::<u16>();
        if cast.faces() == [1] {
            (*at_stake, state.to_move) = (0, state.to_move.other());
        }
    }

    fn is_forced(state: &State, _: Ply) -> bool {
        state.counts[3] != INVITED
    }

    fn each_move(state: &State, visit: &mut impl FnMut(Ply)) {
        let (own, at_stake) = (state.counts[state.to_move.index()], state.counts[2]);
        if own + at_stake < GOAL {
            visit(ROLL);
        }
        if at_stake > 0 {
            visit(HOLD);
        }
    }

    fn make(state: &mut State, ply: Ply) {
        if ply == ROLL {
            state.counts[3] = FALLS;
            return;
        }
        let side = state.to_move;
        state.set(place(state, side), None);
        state.counts[side.index()] += std::mem::take(&mut state.counts[2]);
        state.set(place(state, side), Some(Piece::of(side)));
        state.to_move = side.other();
    }

    fn outcome(state: &State, _: Option<Cell>) -> Option<Outcome> {
        let [first, second, ..] = state.counts;
        (first.max(second) >= GOAL).then(|| Outcome::counted([first, second]))
    }

    fn explain(_: &State, ply: Ply) -> Option<String> {
        let what = if ply == ROLL { "rolls the die" } else { "keeps the points of the turn" };
        Some(what.to_owned())
    }

    fn holds(state: &State, side: Seat) -> String {
        format!("{} points", state.counts[side.index()])
    }

    fn standing(state: &State) -> String {
        let [white, black, at_stake, _] = state.counts;
        format!("White has {white} points and Black {black}; {at_stake} are at stake.")
    }

    fn lawful(state: &State) -> Result<(), String> {
        let [first, second, at_stake, phase] = state.counts;
        let is_shown = Seat::BOTH.into_iter().all(|side| state.of(side).iter().eq([place(state, side)]));
        let is_reached = first.max(second).max(at_stake) < GOAL + 6 && phase <= FALLS;
        if is_shown && is_reached { Ok(()) } else { Err("no game has these points and pieces".to_owned()) }
    }
}
