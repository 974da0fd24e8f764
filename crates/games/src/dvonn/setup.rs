//! Start positions: the empty board, or a full board drawn from a seed. All boards of a kind are equally likely.
//!
//! - `-random`: no piece has six neighbours of its own colour. The numbers of white and black pieces differ by at most
//!   2 on the edge, in columns A to E, and in columns G to K.
//! - `-symmetry`: a DVONN piece is on F3. The half-turn about F3 swaps the other two, and turns every white piece into
//!   a black one.
//! - `-seed=N`: the seed of either, so that players can repeat a drawing and see that it was fair.
//!
//! A seed gives the same board in every version. ChaCha12 is specified. This file has its own shuffle, because the
//! shuffle of `rand` can change.

use rand_chacha::ChaCha12Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use super::board::{ALL_PIECES, Board, DVONN_PIECES, PIECES_PER_SIDE};
use super::position::Dvonn;
use super::space::{EDGE, Space, SpaceSet, surrounded};
use crate::{GameOption, Seat, Setup, SetupError};

/// The options of a challenge.
pub(super) const OPTIONS: &[GameOption] = &[
    GameOption::plain("random", "all pieces placed at random, no side much better off"),
    GameOption::plain(
        "symmetry",
        "all pieces placed, white and black as mirror images about a DVONN piece in the centre",
    ),
    GameOption {
        unrated: true,
        ..GameOption::number(
            "seed",
            &["7"],
            "the number -random or -symmetry draws from, 0 to 18446744073709551615",
        )
    },
];

/// The position that a challenge asks for.
pub(super) fn start(setup: &Setup<'_>) -> Result<Dvonn, SetupError> {
    let invalid = |why: &str| Err(SetupError::Option(why.to_owned()));
    for (name, value) in setup.options {
        let value = value.as_deref();
        match name.as_str() {
            "random" | "symmetry" if value.is_some() => return invalid(&format!("-{name} takes no value")),
            "seed" if !value.is_some_and(is_seed) => {
                return invalid("-seed is a whole number from 0 to 18446744073709551615, as in -seed=7");
            }
            _ => {}
        }
    }
    match (setup.has("random"), setup.has("symmetry")) {
        (true, true) => invalid("-random and -symmetry exclude each other: choose one"),
        (true, false) => Ok(random(setup.seed)),
        (false, true) => Ok(symmetrical(setup.seed)),
        (false, false) if setup.has("seed") => {
            invalid("-seed goes with -random or -symmetry: an empty board leaves nothing to chance")
        }
        (false, false) => Ok(Dvonn::EMPTY),
    }
}

/// True for digits alone: `u64::from_str` also accepts a `+`.
fn is_seed(value: &str) -> bool {
    value.bytes().all(|byte| byte.is_ascii_digit()) && value.parse::<u64>().is_ok()
}

/// A uniform number from 0 to `bound - 1`. `bound` is above 0.
fn below(bound: u64, rng: &mut ChaCha12Rng) -> u64 {
    // Numbers above the last multiple of `bound` would make small remainders more likely.
    let fair = u64::MAX - u64::MAX % bound;
    loop {
        let drawn = rng.next_u64();
        if drawn < fair {
            return drawn % bound;
        }
    }
}

/// The Fisher-Yates shuffle, from the last element down.
fn shuffle<T>(items: &mut [T], rng: &mut ChaCha12Rng) {
    for last in (1..items.len()).rev() {
        items.swap(last, below(last as u64 + 1, rng) as usize);
    }
}

/// The position that `-random` draws from `seed`.
pub fn random(seed: u64) -> Dvonn {
    let mut rng = ChaCha12Rng::seed_from_u64(seed);
    let [red, own] = [DVONN_PIECES, PIECES_PER_SIDE].map(usize::from);
    let mut pieces = [vec![None; red], vec![Some(Seat::First); own], vec![Some(Seat::Second); own]].concat();
    // About one shuffle in five is balanced.
    loop {
        shuffle(&mut pieces, &mut rng);
        let board = single_pieces(Space::all().zip(pieces.iter().copied()));
        if balanced(&board) {
            return Dvonn { board, to_move: Seat::First, placed: ALL_PIECES };
        }
    }
}

/// The position that `-symmetry` draws from `seed`.
pub fn symmetrical(seed: u64) -> Dvonn {
    let mut rng = ChaCha12Rng::seed_from_u64(seed);
    // One space of each pair that the half-turn swaps. F3 is its own image.
    let mut pairs: Vec<Space> = Space::all().filter(|space| *space < space.half_turn()).collect();
    shuffle(&mut pairs, &mut rng);
    let mut pieces: Vec<(Space, Option<Seat>)> =
        Space::all().filter(|space| *space == space.half_turn()).map(|centre| (centre, None)).collect();
    for (index, space) in pairs.into_iter().enumerate() {
        let seat = if below(2, &mut rng) == 0 { Seat::First } else { Seat::Second };
        let (piece, image) = if index == 0 { (None, None) } else { (Some(seat), Some(seat.other())) };
        pieces.extend([(space, piece), (space.half_turn(), image)]);
    }
    Dvonn { board: single_pieces(pieces), to_move: Seat::First, placed: ALL_PIECES }
}

/// The board with these single pieces. A piece without an owner is a DVONN piece.
fn single_pieces(pieces: impl IntoIterator<Item = (Space, Option<Seat>)>) -> Board {
    let mut board = Board::EMPTY;
    for (space, owner) in pieces {
        board.put(space, owner, 1, owner.is_none());
    }
    board
}

/// True if `-random` accepts the board.
fn balanced(board: &Board) -> bool {
    let sides = Seat::BOTH.map(|seat| board.controlled(seat));
    let columns =
        |first, last| (first..=last).flat_map(Space::of_column).fold(0, |set, space| set | space.set());
    let is_even = |part: SpaceSet| {
        let [white, black] = sides.map(|side| (side & part).count_ones());
        white.abs_diff(black) <= 2
    };
    [EDGE, columns(0, 4), columns(6, 10)].into_iter().all(is_even)
        && sides.into_iter().all(|own| surrounded(own) == 0)
}
