//! DVONN, by Kris Burm: a stack stays on the board while it is linked to a red DVONN piece.
//!
//! Rule numbers in this folder, such as E.6, are chapter and paragraph of the published rules.
//!
//! Reading order: [`space`] has the shape of the board, [`board`] the stacks and their moves, [`position`]
//! the phase and the side to move. `notation`, `text`, `refuse` and `draw` turn these into words, and `rules`
//! implements [`Position`]. [`setup`] makes the start positions, and `servers` reads the records of other
//! servers.

pub mod board;
mod draw;
mod notation;
pub mod position;
mod refuse;
mod rules;
mod servers;
pub mod setup;
pub mod space;
mod text;

use crate::{GameKind, Plies, Position, Tutorial};

pub use position::{Dvonn, Move, Phase, Piece};

/// The entry of the registry.
pub const KIND: GameKind = GameKind {
    family: "stacking",
    options: setup::OPTIONS,
    notation: "F3 places a piece on F3, A3-B4 moves the stack on A3 onto B4",
    pitch: "Move a stack as far as it is high, onto another stack; what loses touch with the red pieces falls.",
    plies: Plies::of_columns('k'),
    notations: servers::NOTATIONS,
    tutorial: Some(TUTORIAL),
    ..GameKind::of::<Dvonn>("dvonn", "DVONN", |setup| Ok(Box::new(setup::start(setup)?)))
};

pub(super) const TUTORIAL: Tutorial =
    Tutorial { options: &["random"], lessons: include_str!("tutorial.txt"), example };

/// The ply that leaves the other side the fewest moves. It prefers plies onto a stack of the other side.
fn example(position: &str) -> Option<String> {
    let position = Dvonn::read(position).ok()?;
    let enemies = position.board().controlled(position.to_move().other());
    let ply = position.legal_moves().into_iter().min_by_key(|ply| {
        let mut after = position;
        after.make(*ply);
        let takes = matches!(ply, Move::Stack(_, to) if to.set() & enemies != 0);
        (!takes, after.legal_count())
    })?;
    Some(position.write_move(ply))
}
