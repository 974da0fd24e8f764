//! EinStein würfelt nicht!, by Ingo Althöfer: the die names the stone that moves, and the far corner wins.

use crate::notation::listed;
use crate::rules::{Board, Cell, Cells, Kind, Piece, Ply, Rules, State, Way, capital, kind};
use crate::{Cast, Chance, GameKind, Outcome, Seat, Setup, SetupError};

/// The entry of the registry.
pub const KIND: GameKind = GameKind {
    aliases: &["ewn"],
    family: "racing",
    dice: true,
    has_draws: false,
    notation: "roll begins, a1-b2 moves the stone on a1 to b2",
    pitch: "The die names your stone; move it a square towards the far corner, and be there first.",
    ..kind::<Einstein>("einstein", "EinStein")
};

/// The rules. The first count of a state is the number on the die, or one of these two; the others are 0.
#[derive(Debug, Clone)]
pub struct Einstein;

/// In `counts[0]`: the second side has not rolled yet.
const INVITED: u16 = 0;
/// In `counts[0]`: the die falls next.
const FALLS: u16 = 7;

const ROLL: Ply = Ply::word(1);

/// Column, row and number of the first side's stones at the start. The second side has the same, turned.
const START: [(u8, u8, u8); 6] = [(0, 0, 3), (1, 1, 4), (0, 1, 2), (1, 0, 5), (0, 2, 1), (2, 0, 6)];

/// The corners that the sides run to.
const GOALS: [Cell; 2] = [Cell::at(4, 4), Cell::at(0, 0)];

/// The spaces of a side's stone with this number: one, or none.
fn stone(state: &State, side: Seat, number: u16) -> Cells {
    state.of(side) & state.of_kind(number.wrapping_sub(1) as u8)
}

/// The numbers that can move: that of the die or, if this stone is gone, the next lower and the next higher one.
fn chosen(state: &State) -> Vec<u16> {
    let die = state.counts[0];
    let lives = |number: &u16| !stone(state, state.to_move, *number).is_empty();
    if lives(&die) {
        return vec![die];
    }
    (1..die).rev().find(lives).into_iter().chain((die + 1..FALLS).find(lives)).collect()
}

/// What the die demands: `The die shows 3: stone 3 moves.`
fn demand(state: &State) -> String {
    let (die, chosen) = (state.counts[0], chosen(state));
    let gone = if chosen == [die] { "" } else { ", and that stone is gone" };
    format!("The die shows {die}{gone}: stone {} moves.", listed(chosen).replace(" and ", " or "))
}

impl Rules for Einstein {
    const SIZES: &'static [u8] = &[5];
    const KINDS: &'static [Kind] = &[
        Kind::numbered("stone 1", 1),
        Kind::numbered("stone 2", 2),
        Kind::numbered("stone 3", 3),
        Kind::numbered("stone 4", 4),
        Kind::numbered("stone 5", 5),
        Kind::numbered("stone 6", 6),
    ];
    const WORDS: &'static [&'static str] = &["pass", "roll"];

    fn board(size: u8) -> Board {
        Board::squares(size, size)
    }

    fn start(state: &mut State, _: &Setup<'_>) -> Result<(), SetupError> {
        for (column, row, number) in START {
            let piece = |side| Some(Piece { side: Some(side), kind: number - 1 });
            state.set(Cell::at(column, row), piece(Seat::First));
            state.set(Cell::at(4 - column, 4 - row), piece(Seat::Second));
        }
        state.to_move = Seat::Second;
        Ok(())
    }

    fn chance(state: &State) -> Option<Chance> {
        (state.counts[0] == FALLS).then_some(Chance::Dice { count: 1, sides: 6 })
    }

    fn make_chance(state: &mut State, cast: Cast) {
        state.counts[0] = cast.faces().iter().copied().map(u16::from).sum();
    }

    fn is_forced(_: &State, only: Ply) -> bool {
        only != ROLL
    }

    fn each_move(state: &State, visit: &mut impl FnMut(Ply)) {
        if state.counts[0] == INVITED {
            return visit(ROLL);
        }
        let forward = *state.to_move.of(&[1, -1]);
        let ways = [(1, 0), (0, 1), (1, 1)].map(|(aside, up)| Way::new(aside * forward, up * forward));
        for from in chosen(state).into_iter().flat_map(|number| stone(state, state.to_move, number).iter()) {
            let reached = ways.iter().filter_map(|way| state.board.step(from, *way));
            reached.for_each(|to| visit(Ply::go(from, to)));
        }
    }

    fn make(state: &mut State, ply: Ply) {
        state.go(ply);
        state.counts[0] = FALLS;
    }

    fn outcome(state: &State, _: Option<Cell>) -> Option<Outcome> {
        let (winner, loser) = (state.to_move.other(), state.to_move);
        if state.of(winner).has(*winner.of(&GOALS)) {
            return Some(Outcome::won(winner, "the far corner is reached"));
        }
        state.of(loser).is_empty().then(|| Outcome::won(winner, "all stones are captured"))
    }

    fn explain(state: &State, ply: Ply) -> Option<String> {
        let name = |cell| state.board.name(cell);
        Some(match (ply.from, ply.to) {
            (Some(from), Some(to)) => format!("moves the stone on {} to {}", name(from), name(to)),
            _ => "accepts the game and lets the die fall".to_owned(),
        })
    }

    fn broken(state: &State, ply: Ply) -> Option<String> {
        if state.counts[0] == INVITED || ply.from.and_then(|from| state.owner(from)) != Some(state.to_move) {
            return None;
        }
        let goal = state.board.name(*state.to_move.of(&GOALS));
        Some(format!("{} It goes one square towards {goal}, straight or diagonally.", demand(state)))
    }

    fn remarks(before: &State, after: &State) -> Vec<String> {
        let all = Seat::BOTH.into_iter().flat_map(|side| (1..FALLS).map(move |number| (side, number)));
        let gone = all.filter_map(|(side, number)| {
            let place = stone(before, side, number).iter().next()?;
            stone(after, side, number).is_empty().then(|| {
                let name = before.board.name(place);
                format!("{}'s stone {number} on {name} is captured.", capital::<Einstein>(side))
            })
        });
        gone.collect()
    }

    fn holds(_: &State, _: Seat) -> String {
        String::new()
    }

    fn note(state: &State) -> String {
        if (1..FALLS).contains(&state.counts[0]) { demand(state) } else { String::new() }
    }

    fn lawful(state: &State) -> Result<(), String> {
        let is_twice = |side| (1..FALLS).any(|number| stone(state, side, number).count() > 1);
        if Seat::BOTH.into_iter().any(is_twice) {
            return Err("a side has one stone of each number".to_owned());
        }
        if state.counts[0] > FALLS || state.counts[1..] != [0; 3] {
            return Err("the first of the four numbers is at most 7, and the others are 0".to_owned());
        }
        if state.of(state.to_move.other()).is_empty()
            || state.of(state.to_move).has(*state.to_move.of(&GOALS))
        {
            return Err("the side to move has won before".to_owned());
        }
        Ok(())
    }
}
