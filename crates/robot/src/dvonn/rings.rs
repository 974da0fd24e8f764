//! The rings of a position and what they are worth together.
//!
//! A ply changes what stands on two spaces, and seldom more; only the rings of these and of the spaces beside them
//! change. So the sum is carried from ply to ply, and nobody looks at the whole board.

use super::layout::Near;
use super::ring::{Change, Middle, Ring};
use super::weights::Weights;
use super::worth::Worth;
use turnpost_games::Seat;
use turnpost_games::dvonn::board::Board;
use turnpost_games::dvonn::space::{Space, SpaceSet, spaces};

/// The spaces lie so far in among the places, so that each has six neighbours.
const MARGIN: usize = 13;

/// From [`MARGIN`] places before a space to its six neighbours.
const NEIGHBOURS: [usize; 6] = [MARGIN - 13, MARGIN - 12, MARGIN - 1, MARGIN + 1, MARGIN + 12, MARGIN + 13];

/// The rings of a position.
#[derive(Debug, Clone, Copy)]
pub struct Rings {
    /// By [`Space::index`] from [`MARGIN`] on. Beyond the board nothing ever stands in the middle.
    places: [Ring; 64 + 2 * MARGIN],
    worth: Worth,
    stacks: u8,
    weights: &'static Weights,
}

impl Rings {
    /// Of an empty board.
    pub fn none() -> Rings {
        let weights = Weights::get();
        Rings { places: [Ring::EMPTY; 64 + 2 * MARGIN], worth: weights.turn(), stacks: 0, weights }
    }

    /// Of a board.
    pub fn of(board: &Board) -> Rings {
        let mut rings = Rings::none();
        for space in spaces(board.occupied()) {
            rings.put(space, Middle::of(board, space));
            rings.stacks += 1;
        }
        rings.measure(board);
        rings
    }

    /// `seat` moved its stack on `from` onto the one on `to`, which made `after` of `before`.
    #[inline]
    pub fn stack(&mut self, seat: Seat, from: Space, to: Space, (before, after): (&Board, &Board)) {
        self.put(to, Middle::stack(seat, after.red() & to.set() != 0));
        self.put(from, Middle::Empty);
        self.stacks = self.stacks.wrapping_sub(1);
        for space in spaces(before.occupied() & !after.occupied() & !from.set()) {
            self.put(space, Middle::Empty);
            self.stacks = self.stacks.wrapping_sub(1);
        }
        if before.red() != after.red() {
            self.measure(after);
        }
    }

    /// What they are worth together, and that it is one's turn.
    #[inline]
    pub fn worth(&self) -> Worth {
        self.worth
    }

    /// Stacks on the board.
    #[inline]
    pub fn stacks(&self) -> u8 {
        self.stacks
    }

    /// The weights it stands on.
    #[inline]
    pub fn weights(&self) -> &'static Weights {
        self.weights
    }

    /// The rings with something in the middle.
    pub fn all(&self) -> impl Iterator<Item = Ring> {
        self.places.iter().copied().filter(|ring| ring.middle() != Middle::Empty)
    }

    #[inline]
    fn put(&mut self, space: Space, middle: Middle) {
        let old = self.places[space.index() + MARGIN].middle();
        self.turn(space.index() + MARGIN, |ring| ring.put(middle));
        // None at all where a stack gives way to one of the same side: to find that out takes longer than to add it.
        let change = Change::between(old, middle);
        for neighbour in NEIGHBOURS {
            self.turn(space.index() + neighbour, |ring| ring.change(change));
        }
    }

    /// Finds out how far everything is from the nearest DVONN piece.
    #[inline(never)]
    fn measure(&mut self, board: &Board) {
        let Near { one, two, three } = Near::of(board.red());
        for space in spaces(board.occupied()) {
            let within = |set: SpaceSet| (set >> space.index() & 1) as u16;
            let far = 3 - within(one) - within(two) - within(three);
            self.turn(space.index() + MARGIN, |ring| ring.measure(far));
        }
    }

    #[inline]
    fn turn(&mut self, place: usize, change: impl FnOnce(&mut Ring)) {
        let ring = &mut self.places[place];
        self.worth -= self.weights.ring(*ring);
        change(ring);
        self.worth += self.weights.ring(*ring);
    }
}

#[cfg(test)]
mod tests {
    use super::super::layout::links_between;
    use super::super::tests::game_by_chance;
    use super::*;
    use crate::mind::Mind;
    use turnpost_games::Position;
    use turnpost_games::dvonn::setup;
    use turnpost_games::dvonn::space::{BOARD, beside};

    #[test]
    fn what_is_carried_is_what_is_seen_anew() {
        let (mut fell, mut moved) = (0, 0);
        for seed in 0..60 {
            let (mut position, game) = game_by_chance(seed);
            let mut rings = Rings::of(position.board());
            for ply in game {
                let before = position;
                position.make_with(&mut rings, ply);
                let after = position.board();
                let anew = Rings::of(after);
                for space in spaces(after.occupied()) {
                    let place = space.index() + MARGIN;
                    assert_eq!(rings.places[place], anew.places[place], "{space} {}", position.write());
                }
                assert_eq!((rings.worth, rings.stacks), (anew.worth, anew.stacks), "{}", position.write());
                fell += u32::from(after.occupied().count_ones() + 1 < before.board().occupied().count_ones());
                moved += u32::from(before.board().red() & !after.red() != 0);
            }
        }
        assert!(fell > 200 && moved > 40, "{fell} {moved}");
    }

    #[test]
    fn a_ring_says_what_stands_there() {
        for seed in 0..20 {
            let position = setup::random(seed);
            let (board, rings) = (position.board(), Rings::of(position.board()));
            for space in spaces(board.occupied()) {
                let around = beside(space.set()) & BOARD;
                let count = |set: SpaceSet| (set & around).count_ones() as u16;
                let [white, black] = Seat::BOTH.map(|seat| count(board.controlled(seat)));
                let links = spaces(board.red()).map(|dvonn| links_between(space, dvonn));
                let far = links.min().unwrap().clamp(1, 4) as u16 - 1;
                let beside = [white, black, count(board.red())];
                let expected = Ring::new(Middle::of(board, space), far, beside);
                assert_eq!(rings.places[space.index() + MARGIN], expected, "{space} {}", position.write());
            }
        }
    }
}
