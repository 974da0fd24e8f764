//! Hypergammon: backgammon with three checkers a side.

use crate::GameKind;
use crate::backgammon::board::{Side, side_of};
use crate::backgammon::{Variant, kind};

/// The start with three checkers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Hypergammon;

impl Variant for Hypergammon {
    const START: Side = side_of(&[(24, 1), (23, 1), (22, 1)]);
}

/// The entry of the registry.
pub const KIND: GameKind = GameKind {
    aliases: &["hyper"],
    pitch: "Backgammon with three checkers a side: short, and hit at every turn.",
    ..kind::<Hypergammon>("hypergammon", "Hypergammon")
};
