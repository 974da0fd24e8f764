//! A board to be shown: its spaces on a plane, the pieces on them, and the last move.
//!
//! A game describes its board as a [`Scene`], and every view is made from it: [`Scene::drawing`] in text,
//! [`Scene::svg`] as a picture, [`Scene::sentence`] in words.
//!
//! Spaces have coordinates: `q` counts to the right along a row, and `r` counts rows down. A step down to the next row
//! of hexagons also goes half a space to the right. Rows are level in the picture and slanted in the text drawing of
//! hexagons.

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

/// A board to be shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scene {
    /// How the spaces lie on the plane.
    pub tiling: Tiling,
    /// Every space of the board, in reading order.
    pub spaces: Vec<Space>,
    /// The names next to the board.
    pub labels: Vec<Label>,
    /// The sides of spaces that are the goal of a player.
    pub edges: Vec<Edge>,
    /// The colours of the two sides in the picture: `w` white, `b` black.
    pub colours: [char; 2],
    /// The line and column, in the text drawing of hexagons, of the upper left side of the space (0, 0).
    pub origin: [i32; 2],
    /// The name of the neutral piece; empty in games without one.
    pub mark: &'static str,
    /// One line that explains the signs of the text drawing.
    pub key: String,
    /// Facts that do not fit into the text drawing: `F3 is w12`.
    pub notes: Vec<String>,
    /// One line with the numbers of pieces of each side.
    pub standing: String,
    /// The move that led here; set by [`after`](Scene::after).
    pub last: Option<Ends>,
}

/// How the spaces of a board lie on the plane.
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
    /// The coordinates on the other side.
    pub beyond: [i32; 2],
    /// The seat whose goal it is.
    pub seat: Seat,
}

/// A space of the board.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Space {
    /// The name that players write.
    pub name: String,
    /// Spaces to the right, along the row.
    pub q: i32,
    /// Rows down.
    pub r: i32,
    /// The look of the empty space.
    pub ground: Ground,
    /// The piece or stack on it.
    pub thing: Option<Thing>,
    /// The sides that hold the space without a piece on it, in games with such a rule.
    pub held: [bool; 2],
    /// The two characters of the text drawing.
    pub sign: String,
    /// True if the last move removed the piece here; set by [`after`](Scene::after).
    pub fell: bool,
}

/// The look of an empty space.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ground {
    /// An ordinary space.
    Plain,
    /// A space of the other kind, in games with two.
    Lane,
    /// A dark square.
    Dark,
    /// A space on which a side puts down its pieces.
    Base,
    /// A space that decides the game.
    Gate,
}

/// A piece or a stack of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Thing {
    /// The side that owns it; `None` for a neutral piece.
    pub side: Option<Seat>,
    /// The number of pieces in it.
    pub height: u8,
    /// True if a neutral piece is in it.
    pub marked: bool,
    /// The look of a single piece.
    pub shape: Shape,
    /// The name of the piece if a side has pieces of several kinds; else empty.
    pub name: &'static str,
}

/// The look of a piece.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Shape {
    /// A ring, for pieces that are stacked.
    Ring,
    /// A disc; on points a stone.
    Disc,
    /// Two discs and a crown.
    King,
    /// A disc with a bow.
    Bow,
    /// A dart.
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

/// A name next to the board.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Label {
    /// The name.
    pub text: String,
    /// The `q` and `r` of the space next to the name.
    pub beside: [i32; 2],
    /// The side of that space on which the name is.
    pub side: Side,
}

/// A side of a space.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// To the right, along the row.
    East,
    /// To the left, along the row.
    West,
    /// Above and to the right in the picture.
    NorthEast,
    /// Below and to the left in the picture.
    SouthWest,
    /// In the row above, at the same `q`.
    Above,
    /// In the row below, at the same `q`.
    Below,
    /// To the left, on the same line of the text drawing.
    Left,
    /// To the right, on the same line of the text drawing.
    Right,
    /// Before the first space of a row, to which the text drawing has a stroke.
    RowStart,
    /// Below the last space of a column, to which the text drawing has a stroke.
    ColumnEnd,
}

/// The spaces that a ply names: `from` and `to` of a move, `to` of a placement, none of a pass, and a third
/// space of some moves.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Ends<Space = String> {
    /// The space that is left.
    pub from: Option<Space>,
    /// The space that is reached.
    pub to: Option<Space>,
    /// The space that is chosen after that.
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
    /// The space with this name, in upper or lower case.
    pub fn space(&self, name: &str) -> Option<&Space> {
        self.spaces.iter().find(|space| space.name.eq_ignore_ascii_case(name))
    }

    /// Adds the move that led here from `before`, and marks the spaces whose pieces it removed.
    #[must_use]
    pub fn after(mut self, before: &Scene, ends: Ends) -> Scene {
        let count = |scene: &Scene, side| {
            scene.spaces.iter().filter(|space| space.thing.is_some_and(|thing| thing.side == side)).count()
        };
        // In castling pieces leave their spaces, but a side with as many pieces as before has lost none.
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

    /// The number of pieces in all stacks of a side.
    pub fn pieces(&self, side: Seat) -> u32 {
        let things = self.spaces.iter().filter_map(|space| space.thing);
        things.filter(|thing| thing.side == Some(side)).map(|thing| u32::from(thing.height)).sum()
    }

    /// The spaces by rows, from the top. Screen readers get such a table.
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
