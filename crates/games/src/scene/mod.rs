//! A board as it is seen: its spaces on a plane, what stands on them, and what a move did.
//!
//! A game describes one [`Scene`], and everything that shows a board is drawn from it: [`Scene::drawing`] in text,
//! [`Scene::svg`] as a picture, [`Scene::sentence`] for who cannot see it.
//!
//! Spaces have coordinates: `q` runs to the right along a row, `r` from row to row down, and where they are hexagons half
//! a space to the right. The picture shows rows level; the text drawing of hexagons, which stand on an edge there, shows
//! them slanted.

mod figures;
mod parts;
mod stamps;
mod strokes;
mod svg;
mod text;
mod words;

pub(crate) use words::capital;

pub use stamps::{Stamp, StampLook};
pub use svg::{Choice, Frame, Hint, Theme};

use crate::Seat;

/// A board to look at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scene {
    /// How the spaces lie.
    pub tiling: Tiling,
    /// Every space of the board, in reading order.
    pub spaces: Vec<Space>,
    /// The names beside the board.
    pub labels: Vec<Label>,
    /// The sides of spaces that are a player's goal.
    pub edges: Vec<Edge>,
    /// What the sides look like in the picture: `w` white, `b` black.
    pub colours: [char; 2],
    /// Where the text drawing puts the hexagon of the space (0, 0): the line and column of its upper left side.
    pub origin: [i32; 2],
    /// The name of a piece that is nobody's; empty in games without one.
    pub mark: &'static str,
    /// One line that explains the signs of the text drawing.
    pub key: String,
    /// What the text drawing cannot hold: `F3 is w12`.
    pub notes: Vec<String>,
    /// One line that counts what each side holds.
    pub standing: String,
    /// The move that led here, once [`after`](Scene::after) has told it.
    pub last: Option<Ends>,
}

/// How the spaces of a board lie.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Tiling {
    /// Hexagons: each row is half a space to the right of the one above.
    Hexagons,
    /// Squares.
    Squares,
    /// The crossings of lines.
    Points,
}

/// A side of a space on the rim of the board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Edge {
    /// The `q` of the space.
    pub q: i32,
    /// Its `r`.
    pub r: i32,
    /// Where the next space would be.
    pub beyond: [i32; 2],
    /// Whose goal it is.
    pub seat: Seat,
}

/// A space of the board.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Space {
    /// As players write it.
    pub name: String,
    /// Spaces to the right, along a row.
    pub q: i32,
    /// Rows down.
    pub r: i32,
    /// How the empty space looks.
    pub ground: Ground,
    /// What stands on it.
    pub thing: Option<Thing>,
    /// The sides that hold it without standing on it, in games that know this.
    pub held: [bool; 2],
    /// The two characters of the text drawing.
    pub sign: String,
    /// True when the last move removed what stood here; set by [`after`](Scene::after).
    pub fell: bool,
}

/// How an empty space looks: tints of one colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ground {
    /// An ordinary space.
    Plain,
    /// A space of the other kind, in games with two.
    Lane,
    /// A dark one of squares in two shades.
    Dark,
    /// A space where a side's pieces come in, in games with such.
    Base,
    /// A space that decides the game.
    Gate,
}

/// A piece or a stack of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Thing {
    /// Whose it is; `None` when it is nobody's.
    pub side: Option<Seat>,
    /// The number of pieces in it.
    pub height: u8,
    /// True when a piece of nobody's is in it.
    pub marked: bool,
    /// How a single piece looks.
    pub shape: Shape,
    /// What the piece is called, where a side has pieces of several kinds; else empty.
    pub name: &'static str,
}

/// The look of a piece.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Shape {
    /// A ring, as games have whose pieces are stacked.
    Ring,
    /// A disc, or on points a stone.
    Disc,
    /// Two discs and a crown.
    King,
    /// A disc with a bow.
    Bow,
    /// A dart, which closes its space.
    Dart,
    /// A figure of chess.
    Figure(Figure),
}

/// The figures of chess.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[allow(missing_docs)]
pub enum Figure {
    Pawn,
    Knight,
    Bishop,
    Rook,
    Queen,
    King,
}

/// A name beside the board.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Label {
    /// The name.
    pub text: String,
    /// The `q` and `r` of the space beside which it stands.
    pub beside: [i32; 2],
    /// On which side of that space.
    pub side: Side,
}

/// A side of a space.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// Where the next space of the row would be.
    East,
    /// Where the space before it in the row would be.
    West,
    /// Above and to the right, in the picture.
    NorthEast,
    /// Below and to the left, in the picture.
    SouthWest,
    /// In the row above, where a space of the same `q` would be.
    Above,
    /// In the row below, where a space of the same `q` would be.
    Below,
    /// To the left, in the text drawing too.
    Left,
    /// To the right, in the text drawing too.
    Right,
    /// Before the row that begins with it, to which the text drawing leads with a stroke.
    RowStart,
    /// Below the column that ends with it, to which the text drawing leads with a stroke.
    ColumnEnd,
}

/// The spaces that a ply names: both of a move, the second alone of a placement, none of a pass, and a third of a move
/// that goes on.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Ends<Space = String> {
    /// The space that is left.
    pub from: Option<Space>,
    /// The space that is reached.
    pub to: Option<Space>,
    /// What is chosen after that.
    pub then: Option<Space>,
}

impl<Space: ToString> Ends<Space> {
    /// The same spaces by name.
    pub fn named(self) -> Ends {
        let [from, to, then] =
            [self.from, self.to, self.then].map(|space| space.map(|space| space.to_string()));
        Ends { from, to, then }
    }
}

impl Scene {
    /// The space with this name, in any case.
    pub fn space(&self, name: &str) -> Option<&Space> {
        self.spaces.iter().find(|space| space.name.eq_ignore_ascii_case(name))
    }

    /// The same scene with the move that led to it from `before`, and with what that move removed.
    #[must_use]
    pub fn after(mut self, before: &Scene, ends: Ends) -> Scene {
        let count = |scene: &Scene, side| {
            scene.spaces.iter().filter(|space| space.thing.is_some_and(|thing| thing.side == side)).count()
        };
        // Who still has as many pieces, as in castling, has lost none.
        let mut losers = vec![Some(Seat::First), Some(Seat::Second), None];
        losers.retain(|side| count(&self, *side) < count(before, *side));
        for (space, earlier) in self.spaces.iter_mut().zip(&before.spaces) {
            let left = ends.from.as_ref() == Some(&space.name);
            let lost = earlier.thing.is_some_and(|thing| losers.contains(&thing.side));
            space.fell = lost && space.thing.is_none() && !left;
        }
        self.last = Some(ends);
        self
    }

    /// How many pieces are in what a side has on the board.
    pub fn pieces(&self, side: Seat) -> u32 {
        let things = self.spaces.iter().filter_map(|space| space.thing);
        things.filter(|thing| thing.side == Some(side)).map(|thing| u32::from(thing.height)).sum()
    }

    /// The spaces by rows, from the top, for a table that is read aloud.
    pub fn rows(&self) -> Vec<Vec<&Space>> {
        let mut rows: Vec<i32> = self.spaces.iter().map(|space| space.r).collect();
        rows.sort_unstable();
        rows.dedup();
        rows.into_iter()
            .map(|row| {
                let mut spaces: Vec<&Space> = self.spaces.iter().filter(|space| space.r == row).collect();
                spaces.sort_by_key(|space| space.q);
                spaces
            })
            .collect()
    }
}
