//! In which order plies are searched: the better the first, the less there is to search.

use crate::game::Seat;

/// Places of the history by ply; codes beyond share one.
const CODES: usize = 1 << 14;

/// No entry of the history passes this.
const MOST: i32 = 1 << 13;

/// What cut positions off so far, wherever it was.
#[derive(Debug)]
pub struct History([Box<[i16; CODES]>; 2]);

/// The history of one side.
#[derive(Debug, Clone, Copy)]
pub struct Side<'h>(&'h [i16; CODES]);

impl History {
    /// Nothing yet.
    pub fn new() -> History {
        History([Box::new([0; CODES]), Box::new([0; CODES])])
    }

    /// What the plies of `seat` did; nothing if it is not to be `used`.
    #[inline]
    pub fn side(&self, seat: Seat, used: bool) -> Side<'_> {
        static NOTHING: [i16; CODES] = [0; CODES];
        Side(if used { &self.0[seat.index()] } else { &NOTHING })
    }

    /// The ply cut a position off, or failed to, `weight` being above or below 0. What is great already grows slowly.
    #[inline]
    pub fn learn(&mut self, seat: Seat, code: u16, weight: i32) {
        let entry = &mut self.0[seat.index()][place(code)];
        let (old, weight) = (i32::from(*entry), weight.clamp(-1024, 1024));
        *entry = (old + weight - old * weight.abs() / MOST) as i16;
    }
}

impl Side<'_> {
    /// How well the ply did.
    #[inline]
    pub fn of(&self, code: u16) -> i32 {
        i32::from(self.0[place(code)])
    }
}

fn place(code: u16) -> usize {
    usize::from(code) & (CODES - 1)
}

/// A ply with its place in the order.
#[derive(Debug, Clone, Copy)]
pub struct Scored<M> {
    /// The ply.
    pub ply: M,
    /// The higher, the earlier.
    pub score: i32,
    /// The ply's code.
    pub code: u16,
}

/// So many of the plies are looked for; where none of them cut the position off, the rest hardly will.
const PICKED: usize = 10;

/// Takes the best of `plies` from `from` on to the place `from`: a position is mostly cut off by one of the first, so
/// sorting them all would be a waste.
#[inline]
pub fn pick<M: Copy>(plies: &mut [Scored<M>], from: usize) -> Option<Scored<M>> {
    let rest = plies.get_mut(from..)?;
    let first = rest.first()?;
    if from >= PICKED {
        return Some(*first);
    }
    let (mut best, mut score) = (0, first.score);
    for (place, scored) in rest.iter().enumerate().skip(1) {
        // Two choices and no branch, for nobody can foretell it.
        let better = scored.score > score;
        best = if better { place } else { best };
        score = if better { scored.score } else { score };
    }
    rest.swap(0, best);
    rest.first().copied()
}

/// How much less deep the ply at `place` is searched at first. In whole numbers, so that it is the same everywhere.
#[inline]
pub fn reduction(depth: i32, place: usize) -> i32 {
    let (depth, place) = (depth.max(1).ilog2() as i32, (place.max(1)).ilog2() as i32);
    (depth * place + place) / 3
}
