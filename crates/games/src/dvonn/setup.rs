//! How a board begins: empty, or filled from a seed.
//!
//! - `-random`: every piece on the board, uniformly at random among the layouts in which no piece has six neighbours
//!   all of its own colour, the pieces of white and black on the edge differ by at most 2, and so do those in each
//!   half, columns A to E and G to K.
//! - `-symmetry`: a DVONN piece on F3, the other two on spaces that the half-turn about F3 maps to each other, and
//!   every other space holding the other colour of its image; uniform among those layouts.
//! - `-seed=N`: the seed of either, so that a layout can be reproduced and shown to have been fair.
//!
//! A seed gives the same board for ever: the stream is that of ChaCha with 12 rounds, and drawing below a bound and
//! shuffling are written here because `rand` may change its own from one version to the next.

use rand_chacha::ChaCha12Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use super::board::{Board, DVONN_PIECES, PIECES_PER_SIDE};
use super::position::Dvonn;
use super::space::{EDGE, NEIGHBOURS, Space, SpaceSet, spaces};
use crate::{GameOption, Seat, Setup, SetupError};

/// The options of a challenge.
pub(super) const OPTIONS: &[GameOption] = &[
    GameOption {
        name: "random",
        value: None,
        unrated: false,
        help: "all pieces placed at random, no side much better off",
    },
    GameOption {
        name: "symmetry",
        value: None,
        unrated: false,
        help: "all pieces placed, white and black as mirror images about a DVONN piece in the centre",
    },
    GameOption {
        name: "seed",
        value: Some("N"),
        unrated: true,
        help: "the number -random or -symmetry draws from, 0 to 18446744073709551615",
    },
];

/// The position a challenge asked for.
pub(super) fn start(setup: &Setup<'_>) -> Result<Dvonn, SetupError> {
    for (name, value) in setup.options {
        match (name.as_str(), value) {
            ("random" | "symmetry", Some(_)) => return refuse(format!("-{name} takes no value")),
            ("seed", value) => check_seed(value.as_deref())?,
            _ => {}
        }
    }
    match (setup.has("random"), setup.has("symmetry")) {
        (true, true) => refuse("-random and -symmetry exclude each other: choose one"),
        (true, false) => Ok(random(setup.seed)),
        (false, true) => Ok(symmetrical(setup.seed)),
        (false, false) if setup.has("seed") => {
            refuse("-seed goes with -random or -symmetry: an empty board leaves nothing to chance")
        }
        (false, false) => Ok(Dvonn::EMPTY),
    }
}

fn refuse<T>(why: impl Into<String>) -> Result<T, SetupError> {
    Err(SetupError::Option(why.into()))
}

/// Digits only: `u64::from_str` would also take a `+`.
fn check_seed(value: Option<&str>) -> Result<(), SetupError> {
    let value = value.unwrap_or_default();
    if value.bytes().all(|b| b.is_ascii_digit()) && value.parse::<u64>().is_ok() {
        return Ok(());
    }
    refuse("-seed is a whole number from 0 to 18446744073709551615, as in -seed=7")
}

/// A number from 0 to `bound - 1`, each equally likely. `bound` is above 0.
fn below(bound: u64, source: &mut ChaCha12Rng) -> u64 {
    // The numbers above the last multiple of `bound` would favour small remainders.
    let fair = u64::MAX - u64::MAX % bound;
    loop {
        let drawn = source.next_u64();
        if drawn < fair {
            return drawn % bound;
        }
    }
}

/// Fisher and Yates, from the last place down.
fn shuffle<T>(items: &mut [T], source: &mut ChaCha12Rng) {
    for last in (1..items.len()).rev() {
        items.swap(last, below(last as u64 + 1, source) as usize);
    }
}

/// A layout of `-random`.
pub fn random(seed: u64) -> Dvonn {
    let mut source = ChaCha12Rng::seed_from_u64(seed);
    let own = usize::from(PIECES_PER_SIDE);
    let mut pieces = vec![None; usize::from(DVONN_PIECES)];
    pieces.extend([Some(Seat::First)].repeat(own));
    pieces.extend([Some(Seat::Second)].repeat(own));
    // About one shuffle in five is balanced.
    loop {
        shuffle(&mut pieces, &mut source);
        let board = lay(Space::all().zip(pieces.iter().copied()));
        if balanced(&board) {
            return Dvonn::stacking(board, Seat::First);
        }
    }
}

/// A layout of `-symmetry`.
pub fn symmetrical(seed: u64) -> Dvonn {
    let mut source = ChaCha12Rng::seed_from_u64(seed);
    // One space of each pair; F3 is its own image.
    let mut pairs: Vec<Space> = Space::all().filter(|space| *space < space.half_turn()).collect();
    shuffle(&mut pairs, &mut source);
    let mut layout: Vec<(Space, Option<Seat>)> =
        Space::all().filter(|space| *space == space.half_turn()).map(|centre| (centre, None)).collect();
    for (index, space) in pairs.into_iter().enumerate() {
        let seat = if below(2, &mut source) == 0 { Seat::First } else { Seat::Second };
        let (piece, image) = if index == 0 { (None, None) } else { (Some(seat), Some(seat.other())) };
        layout.extend([(space, piece), (space.half_turn(), image)]);
    }
    Dvonn::stacking(lay(layout), Seat::First)
}

/// A board of single pieces; nobody's are DVONN pieces.
fn lay(pieces: impl IntoIterator<Item = (Space, Option<Seat>)>) -> Board {
    let mut board = Board::EMPTY;
    for (space, owner) in pieces {
        board.put(space, owner, 1, owner.is_none());
    }
    board
}

fn balanced(board: &Board) -> bool {
    let [white, black] = Seat::BOTH.map(|seat| board.controlled(seat));
    let even = |part: SpaceSet| (white & part).count_ones().abs_diff((black & part).count_ones()) <= 2;
    let (left, right) = halves();
    even(EDGE) && even(left) && even(right) && !hemmed_in(white) && !hemmed_in(black)
}

/// Whether a piece of `own` has six neighbours, all in `own`.
fn hemmed_in(own: SpaceSet) -> bool {
    spaces(own & !EDGE).any(|space| NEIGHBOURS[space.index()] & !own == 0)
}

/// Columns A to E and G to K.
fn halves() -> (SpaceSet, SpaceSet) {
    let columns =
        |first, last| (first..=last).flat_map(Space::of_column).fold(0, |set, space| set | space.set());
    (columns(0, 4), columns(6, 10))
}
