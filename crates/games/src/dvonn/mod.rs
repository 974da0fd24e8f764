//! DVONN, by Kris Burm: stacks that stay in play as long as they are linked to a red DVONN piece.
//!
//! Rule numbers in this folder (`E.6`) are those of the published rules, chapter and paragraph.
//!
//! Reading order: [`space`] (what follows from the shape of the board), [`board`] (what the rules make of stacks),
//! [`position`] (phases, turns, the face towards the house); then what is about text: plies, position text, refusals,
//! remarks, the drawing; and the layouts a board starts from.

pub mod board;
mod draw;
mod notation;
pub mod position;
mod refuse;
mod remarks;
mod servers;
pub mod setup;
pub mod space;
mod text;

pub use position::{Dvonn, Move, Phase, Piece};

use super::{GameKind, Position, Setup, SetupError, Table};

/// DVONN, as the registry knows it.
pub const KIND: GameKind = GameKind {
    key: "dvonn",
    aliases: &[],
    name: "DVONN",
    seats: ["white", "black"],
    options: setup::OPTIONS,
    notation: "F3 places a piece on F3, A3-B4 moves the stack on A3 onto B4",
    start,
    read,
    notations: servers::NOTATIONS,
};

fn start(setup: &Setup<'_>) -> Result<Box<dyn Table>, SetupError> {
    Ok(Box::new(setup::start(setup)?))
}

fn read(text: &str) -> Result<Box<dyn Table>, SetupError> {
    Ok(Box::new(Dvonn::read(text)?))
}
