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
    Teams,
}

impl Pairing {
    pub const ALL: [Pairing; 4] = [Pairing::AllPlayAll, Pairing::Swiss, Pairing::KnockOut, Pairing::Teams];

    /// The word after `-form=`.
    pub fn as_str(self) -> &'static str {
        match self {
            Pairing::AllPlayAll => "all-play-all",
            Pairing::Swiss => "swiss",
            Pairing::KnockOut => "knock-out",
            Pairing::Teams => "teams",
        }
    }

    /// Allowed numbers of players, or of teams.
    pub fn sizes(self) -> RangeInclusive<u32> {
        match self {
            Pairing::AllPlayAll => 3..=16,
            Pairing::Swiss | Pairing::KnockOut => 4..=256,
            Pairing::Teams => 2..=8,
        }
    }

    /// Fewest players, or teams.
    pub fn least(self) -> usize {
        *self.sizes().start() as usize
    }

    pub fn is_all_play_all(&self) -> bool {
        *self == Pairing::AllPlayAll
    }
}
