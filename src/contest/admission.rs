//! Who can enter an event.

use serde::{Deserialize, Serialize};

use crate::store::{PlayerId, RatingRange};

/// The terms on which players enter an event.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct EntryTerms {
    /// The ratings that players have when they join.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rating: Option<RatingRange>,
    /// Only these players can join, if there are any.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub players: Vec<PlayerId>,
    /// The organiser accepts or rejects each player.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub by_request: bool,
    /// No list names the event. Its name ends in letters that nobody guesses, and who knows it can join.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub private: bool,
}

impl EntryTerms {
    pub fn is_for_all(&self) -> bool {
        *self == EntryTerms::default()
    }

    /// False if the event is for others only.
    pub fn is_for(&self, player: PlayerId) -> bool {
        self.players.is_empty() || self.players.contains(&player)
    }
}
