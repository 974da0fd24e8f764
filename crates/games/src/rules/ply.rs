//! A ply of a game on a board.

use super::board::Board;
use super::cells::Cell;

/// One ply: a piece put down (without `from`), a move, a move and a shot, a chain of captures, or a pass.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Ply {
    /// The space that the piece leaves; `None` if a piece is put down. Without `to`, the ply is about the piece there.
    pub from: Option<Cell>,
    /// The space that the piece reaches.
    pub to: Option<Cell>,
    /// A third space, such as the target of a shot.
    pub then: Option<Cell>,
    /// Distinguishes plies between the same spaces, such as chains that capture different pieces.
    pub more: u64,
}

impl Ply {
    /// The pass.
    pub const PASS: Ply = Ply { from: None, to: None, then: None, more: 0 };

    /// The word with this number in [`Rules::WORDS`](super::Rules::WORDS).
    pub const fn word(number: u64) -> Ply {
        Ply { more: number, ..Ply::PASS }
    }

    /// A ply that moves a piece.
    #[inline]
    pub fn go(from: Cell, to: Cell) -> Ply {
        Ply { from: Some(from), to: Some(to), ..Ply::PASS }
    }

    /// A ply that puts a piece down.
    #[inline]
    pub fn put(to: Cell) -> Ply {
        Ply { to: Some(to), ..Ply::PASS }
    }

    /// The ply that names one to three spaces: a piece put down, a move, or a move with a third space.
    pub fn named(spaces: &[Cell]) -> Option<Ply> {
        match *spaces {
            [to] => Some(Ply::put(to)),
            [from, to] => Some(Ply::go(from, to)),
            [from, to, then] => Some(Ply { then: Some(then), ..Ply::go(from, to) }),
            _ => None,
        }
    }

    /// The names of the spaces, separated by dashes: `b2-b3`.
    pub fn write(self, board: &Board) -> String {
        let names: Vec<String> = self.spaces().map(|cell| board.name(cell)).collect();
        if names.is_empty() { "pass".to_owned() } else { names.join("-") }
    }

    pub(super) fn spaces(self) -> impl Iterator<Item = Cell> {
        [self.from, self.to, self.then].into_iter().flatten()
    }
}
