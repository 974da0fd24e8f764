//! What contests are made of: their terms, who plays in them, and when the seasons of a league begin.

use std::collections::BTreeMap;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::language::BoardOptions;
use crate::store::{ContestForm, PlayerId};

/// What a contest was made with: the text of its first event.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ContestTerms {
    pub form: String,
    /// The key of its game.
    pub game: String,
    pub name: String,
    /// It begins when this many have joined.
    pub size: u32,
    /// Two: each pair plays both ways.
    pub rounds: u32,
    /// When it begins, full or not: a second since 1970.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub starts_at: Option<i64>,
    /// Those of each board.
    pub options: BoardOptions,
    /// Which season of its league it is, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub season: Option<u32>,
}

impl ContestTerms {
    /// When it begins, full or not.
    pub fn starts_at(&self) -> Option<Timestamp> {
        Timestamp::from_second(self.starts_at?).ok()
    }
}

/// The options that the host set for the boards of leagues, by the keys of games.
pub type LeagueOptions = BTreeMap<String, BoardOptions>;

/// What a league has beside its members.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LeagueState {
    /// Members who play the next season alone.
    pub once: Vec<PlayerId>,
    pub next: Option<SeasonPlan>,
    /// The members were told of it.
    pub announced: bool,
    /// Seasons that have begun.
    pub seasons: u32,
}

/// When a season begins, and after how many weeks the next.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeasonPlan {
    /// A second since 1970.
    pub starts_at: i64,
    pub weeks: i64,
    /// It should have begun before: the members know.
    #[serde(default)]
    pub put_off: bool,
}

/// Who plays in a group, and how strong they were when it began.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Competitor {
    pub player: PlayerId,
    /// In hundredths.
    pub rating: i64,
    /// In hundredths.
    pub deviation: i64,
    /// How many groups up the last season sent them, its running games counted half.
    pub sent: i32,
}

/// Two competitors who have a board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ContestPair {
    /// From 0, in the contest.
    pub number: u32,
    pub group: usize,
    /// Their places in the group; the first moves first.
    pub seats: [usize; 2],
}

/// The name of a game's league.
pub fn league_name(game: &str) -> String {
    format!("{game}-{}", ContestForm::League)
}

/// The name of a game's ladder.
pub fn ladder_name(game: &str) -> String {
    format!("{game}-{}", ContestForm::Ladder)
}
