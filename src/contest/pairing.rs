//! How the players of a contest meet.

use std::ops::RangeInclusive;

use serde::{Deserialize, Serialize};

/// How the players of an event meet.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Pairing {
    #[default]
    AllPlayAll,
    Swiss,
    KnockOut,
}

impl Pairing {
    pub const ALL: [Pairing; 3] = [Pairing::AllPlayAll, Pairing::Swiss, Pairing::KnockOut];

    /// The word after `-form=`.
    pub fn as_str(self) -> &'static str {
        match self {
            Pairing::AllPlayAll => "all-play-all",
            Pairing::Swiss => "swiss",
            Pairing::KnockOut => "knock-out",
        }
    }

    /// Allowed numbers of players.
    pub fn sizes(self) -> RangeInclusive<u32> {
        match self {
            Pairing::AllPlayAll => 3..=16,
            Pairing::Swiss | Pairing::KnockOut => 4..=256,
        }
    }

    /// Fewest players.
    pub fn least(self) -> usize {
        *self.sizes().start() as usize
    }

    pub fn is_all_play_all(&self) -> bool {
        *self == Pairing::AllPlayAll
    }
}
