//! Nackgammon, by Nack Ballard: backgammon from a start that takes longer to resolve.

use crate::GameKind;
use crate::backgammon::board::{Side, side_of};
use crate::backgammon::{Variant, kind};

/// The start with two checkers more at the far end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Nackgammon;

impl Variant for Nackgammon {
    const START: Side = side_of(&[(24, 2), (23, 2), (13, 4), (8, 3), (6, 4)]);
}

/// The entry of the registry.
pub const KIND: GameKind = GameKind {
    aliases: &["nack"],
    pitch: "Backgammon with four checkers far behind, so that its games are longer and less of a race.",
    ..kind::<Nackgammon>("nackgammon", "Nackgammon")
};
