//! A board to be shown: its spaces on a plane, the pieces on them, and the last move.
//!
//! A game describes its board as a [`Scene`], and every view is made from it: [`Scene::drawing`] in text,
//! [`Scene::svg`] as a picture, [`Scene::sentence`] in words.
//!
//! Spaces have coordinates: `q` counts to the right along a row, and `r` counts rows down. A step down to the next row
//! of hexagons also goes half a space to the right. Rows are level in the picture and slanted in the text drawing of
//! hexagons.

mod bare;
mod captured;
mod choice;
mod figures;
mod parts;
mod stamps;
mod strokes;
mod svg;
mod text;
mod triangles;
mod turned;
mod words;

pub(crate) use words::capital;

pub use captured::{Captured, ToldCaptures};
pub use choice::{Choice, Hint};
pub use stamps::{Stamp, StampLook};
pub use svg::{Frame, Theme};

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
    /// The pieces or the goal of each side in a few words, such as `12 men, 1 king`; empty if the board shows all.
    pub holds: [String; 2],
    /// A line about both sides for mails, such as the komi; empty if the text drawing shows all.
    pub standing: String,
    /// What a player chooses for a turn, a sentence each: with no space chosen yet, with one and with two. Empty if
    /// nothing is left to choose then.
    pub asks: [String; 3],
    /// The dice and the cube on a board of triangles.
    pub props: Vec<Prop>,
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
    /// Triangles in two rows, the upper one pointing down: columns 0 to 5 and 7 to 12, with a bar in column 6 and a tray
    /// in column 13.
    Triangles,
}

/// What is on a board besides pieces.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Prop {
    /// A die.
    Die {
        /// The face that it shows.
        face: u8,
        /// True if the turn so far has played it.
        is_used: bool,
    },
    /// A cube with a number.
    Cube {
        /// The number.
        value: u16,
        /// The row of its owner's home; `None` if it is in the middle.
        row: Option<i32>,
        /// True if the cube was turned to this number and is not accepted yet.
        is_offered: bool,
    },
}

/// A side of a space on the rim of the board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Edge {
    /// The `q` of the space.
    pub q: i32,
    /// The `r` of the space.
    pub r: i32,
    /// The coordinates just off the board, across this edge.
    pub beyond: [i32; 2],
    /// The seat whose goal this edge is.
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
    /// For each seat, true if it secures the space without a piece on it, in games with such a rule.
    pub held: [bool; 2],
    /// The characters of this space in the text drawing.
    pub sign: String,
    /// True if the last move removed the piece here; set by [`after`](Scene::after).
    pub fell: bool,
    /// True if the piece here is a king in check.
    pub in_check: bool,
    /// True if the piece here is one of those that won the game.
    pub wins: bool,
    /// The number of checkers that came with the last move, or negative that left; set by [`after`](Scene::after) on
    /// triangles.
    pub shift: i8,
}

/// The look of an empty space.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ground {
    /// An ordinary space.
    Plain,
    /// A lane of Hexmeister.
    Lane,
    /// A dark square.
    Dark,
    /// A space on which a side puts down its pieces.
    Base,
    /// A gate of Hexmeister or, on points, a star point.
    Gate,
}

impl Ground {
    /// The squares of a chequered board, on which a1 is dark.
    pub(crate) fn of_chequers(column: u8, row: u8) -> Ground {
        if (column + row).is_multiple_of(2) { Ground::Dark } else { Ground::Plain }
    }
}

/// A piece or a stack of pieces.
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
    /// A stone on a board of points that is marked dead: pale, with a cross.
    Dead,
    /// A disc, or a stone on a board of points.
    Disc,
    /// A flat disc with a ring, on a board of triangles.
    Checker,
    /// A disc with a number.
    Numbered(u8),
    /// Two discs and a crown.
    King,
    /// A disc with a bow.
    Bow,
    /// A dart.
    Dart,
    /// A chess piece.
    Figure(Figure),
}

/// The chess pieces.
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
    /// Before the first space of a row. The text drawing adds a stroke to that space.
    RowStart,
    /// Below the last space of a column. The text drawing adds a stroke to that space.
    ColumnEnd,
}

/// The spaces that a ply names. A move has `from` and `to`, a placement only `to`, and a pass none. Some moves also
/// have `then`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Ends<Space = String> {
    /// The space that the piece leaves.
    pub from: Option<Space>,
    /// The space that the piece reaches.
    pub to: Option<Space>,
    /// A third space, such as the target of an arrow.
    pub then: Option<Space>,
}

impl<Space: ToString> Ends<Space> {
    /// The names of these spaces.
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
        if self.tiling == Tiling::Triangles {
            self.shift(before, &ends);
            self.last = Some(ends);
            return self;
        }
        let count = |scene: &Scene, side| {
            scene.spaces.iter().filter(|space| space.thing.is_some_and(|thing| thing.side == side)).count()
        };
        // A piece that left its space is not always removed: in castling, the rook moves too. So look for removed
        // pieces only if a side has fewer pieces than before.
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

    /// The spaces in rows, from the top, for the table that screen readers get.
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
