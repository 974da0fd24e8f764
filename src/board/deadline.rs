//! Why a deadline moved, as the text of its event.

use serde::{Deserialize, Serialize};

use crate::board::interval::Interval;

/// The text of a deadline event: why the deadline moved, and what the clock has counted in this turn.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MovedDeadline {
    pub why: Why,
    /// The zone whose calendar counts. It stays for the turn, even if the player changes theirs.
    pub zone: String,
    /// When the clock stood still in this turn.
    pub stopped: Vec<Interval>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Why {
    /// A vacation of either player began, ended or changed.
    Vacation,
    /// The server was down.
    Stop,
    /// The player's time for all moves ends earlier.
    Total,
}

impl MovedDeadline {
    pub fn read(text: &str) -> Result<MovedDeadline, serde_json::Error> {
        serde_json::from_str(text)
    }

    pub fn write(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }
}
