//! The pieces that each side has captured, for the line next to the board.

use std::collections::BTreeSet;

use super::svg::{Frame, document};
use super::{Figure, Scene, Shape, Theme, Thing};
use crate::Seat;
use crate::notation::counted;

/// What a game tells its players about captured pieces.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ToldCaptures {
    /// Nothing: the numbers of pieces on the board tell enough.
    Untold,
    /// The pieces themselves, and how much more one side has.
    Shown,
    /// Their number under this name, in a game that puts down pieces.
    Counted(&'static str),
}

/// The pieces that a side has captured.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Captured {
    /// The pieces, the least first. If a side has more than six, equal pieces of both sides are left out.
    pub things: Vec<Thing>,
    /// The things in words: `2 prisoners`, `1 pawn, 1 rook`. Empty if there are none.
    pub words: String,
    /// How much more the side has on the board, in pawns.
    pub lead: u16,
}

/// The most captured pieces that are all shown.
const SHOWN: usize = 6;

/// The distance between two pieces in the small picture.
const STEP: i32 = 20;

impl Figure {
    /// The usual value in pawns.
    fn value(self) -> u16 {
        match self {
            Figure::Pawn => 1,
            Figure::Knight | Figure::Bishop => 3,
            Figure::Rook => 5,
            Figure::Queen => 9,
            Figure::King => 0,
        }
    }
}

impl Scene {
    /// The pieces that each side has captured since `start`. `placed` are the pieces that each side has put down since then.
    pub fn captured(&self, captures: ToldCaptures, start: &Scene, placed: [usize; 2]) -> [Captured; 2] {
        match captures {
            ToldCaptures::Untold => Default::default(),
            ToldCaptures::Counted(name) => Seat::BOTH.map(|seat| {
                let side = seat.other();
                let gone = start.pieces(side) + *side.of(&placed).min(&1_000) as u32;
                let gone = gone.saturating_sub(self.pieces(side));
                let words = if gone > 0 { counted(gone, name) } else { String::new() };
                Captured { words, ..Captured::default() }
            }),
            ToldCaptures::Shown => self.captured_things(start),
        }
    }

    fn captured_things(&self, start: &Scene) -> [Captured; 2] {
        let [mut first, mut second] = Seat::BOTH.map(|seat| self.missing(start, seat.other()));
        if first.len().max(second.len()) > SHOWN {
            leave_out_equals(&mut first, &mut second);
        }
        let gone = [first, second];
        Seat::BOTH.map(|seat| {
            let things = seat.of(&gone).clone();
            let kinds: BTreeSet<(Shape, &str)> =
                things.iter().map(|thing| (thing.shape, thing.name)).collect();
            let words = kinds.into_iter().map(|(shape, name)| {
                counted(things.iter().filter(|thing| thing.shape == shape).count() as u32, name)
            });
            let words = words.collect::<Vec<_>>().join(", ");
            Captured { words, lead: self.value(seat).saturating_sub(self.value(seat.other())), things }
        })
    }

    /// The pieces of a side that were there at the start. A promoted piece is its pawn.
    fn missing(&self, start: &Scene, side: Seat) -> Vec<Thing> {
        let (mut missing, mut promoted) = (start.things(side), self.things(side));
        leave_out_equals(&mut missing, &mut promoted);
        for _ in promoted {
            if let Some(pawn) = missing.iter().position(|thing| thing.shape == Shape::Figure(Figure::Pawn)) {
                missing.remove(pawn);
            }
        }
        missing
    }

    /// The pieces of a side, the least first.
    fn things(&self, side: Seat) -> Vec<Thing> {
        let things = self.spaces.iter().filter_map(|space| space.thing);
        let mut things: Vec<Thing> = things.filter(|thing| thing.side == Some(side)).collect();
        things.sort_by_key(|thing| thing.shape);
        things
    }

    /// The value of the chess pieces of a side.
    fn value(&self, side: Seat) -> u16 {
        let values = self.things(side).into_iter().map(|thing| match thing.shape {
            Shape::Figure(figure) => figure.value(),
            _ => 0,
        });
        values.sum()
    }

    /// The pieces in a row, as a small picture with the colours of a page; empty if there are none.
    pub fn row_of(&self, things: &[Thing], label: &str) -> String {
        let (mut body, mut used) = (String::new(), BTreeSet::new());
        for (x, thing) in (0..).step_by(STEP as usize).zip(things) {
            self.put_thing(&mut body, &mut used, *thing, x, 0);
        }
        let last = i32::try_from(things.len()).unwrap_or_default().saturating_sub(1);
        let frame = Frame { left: -14, top: -21, width: 28 + STEP * last, height: 42 };
        if things.is_empty() { body } else { document(Theme::Page, frame, label, self.tiling, &used, &body) }
    }
}

/// Removes pairs of equal pieces from two lists.
fn leave_out_equals(first: &mut Vec<Thing>, second: &mut Vec<Thing>) {
    first.retain(|thing| match second.iter().position(|other| other.shape == thing.shape) {
        Some(at) => {
            second.remove(at);
            false
        }
        None => true,
    });
}
