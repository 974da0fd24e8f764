//! Why a deadline moved, as the text of its event.

use serde::{Deserialize, Serialize};

use crate::service::interval::Interval;

/// The text of a deadline event: why the deadline moved, and all that was counted of the turn.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Moved {
    /// Why.
    pub why: Why,
    /// The zone whose calendar counts. It stays for the turn, whatever the player chooses meanwhile.
    pub zone: String,
    /// When the clock stood still in this turn.
    pub stopped: Vec<Interval>,
}

/// Why a deadline moved.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Why {
    /// One of the two is, was or is no longer on vacation.
    Vacation,
    /// No timer ran.
    Stop,
    /// The time for all of a player's moves ends earlier.
    Total,
}

impl Moved {
    /// Reads the text of a deadline event.
    pub fn read(text: &str) -> Result<Moved, serde_json::Error> {
        serde_json::from_str(text)
    }

    /// The text of a deadline event.
    pub fn write(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }
}
