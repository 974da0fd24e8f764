//! Contents of the events in a contest's record.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::contest::terms::{EventDates, SeasonPlan};
use crate::language::BoardOptions;
use crate::store::{ContestEventKind, ContestEventRow, PlayerId};

/// The text of contest events that the host caused.
pub const BY_HOST: &str = "host";

/// The text of contest events that the organiser caused.
pub const BY_ORGANISER: &str = "organiser";

/// Text of an event by which a player enters.
#[derive(Default, Serialize, Deserialize)]
pub struct Entered {
    /// True if the player enters only the next season of a league.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub once: bool,
    /// The player's seat, if the contest begins now.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seat: Option<GroupSeat>,
}

#[derive(Serialize, Deserialize)]
pub struct GroupSeat {
    pub group: usize,
    pub rating: i64,
    pub deviation: i64,
    #[serde(default)]
    pub sent: i32,
}

/// The games of a group that begin together.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Opened {
    pub group: usize,
    /// From 1 in a contest with rounds.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub round: u32,
    /// Each pair holds two places in the group; the first moves first.
    pub pairs: Vec<[usize; 2]>,
    /// The numbers of games without a board; each player has half a point. Only old records have them, for two with a
    /// block.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub without: Vec<u32>,
    /// The places in the group of players who have no game in this round.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub byes: Vec<usize>,
}

fn is_zero(number: &u32) -> bool {
    *number == 0
}

/// A change of a contest's state, or of the state of one of its players.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Ruling {
    /// The contest has begun: players can no longer join or leave.
    Started,
    /// A letter has warned a player: a later loss on time withdraws them, or they leave the ladder unless they move.
    Warned,
    /// Boards of later seasons have these options.
    Options(BoardOptions),
    /// An event has other dates.
    Dates(EventDates),
    /// When the next season begins.
    Plan(SeasonPlan),
    /// The mail about the next season went to the members of a league.
    Announced,
    /// A season of a league has begun.
    Began,
    /// True if the player is paired on Mondays on a ladder.
    Auto(bool),
    /// The Monday games of a ladder have begun.
    Paired,
    /// The player is in this team.
    Team(String),
    /// The other player of the event has the place of the first, who has made no move.
    Replaced,
    /// These games of a closed contest have other results than when it closed, or than the last correction told.
    Corrected(Vec<u32>),
    /// The player, who organises the event, decided a running game. `other` won it, or nobody.
    Decided,
    /// The player asks to join, or waits for a place.
    Asked,
}

/// An event without its number and time.
#[derive(Debug, Clone)]
pub struct Noted {
    pub kind: ContestEventKind,
    pub player: Option<PlayerId>,
    pub other: Option<PlayerId>,
    pub pair: Option<u32>,
    pub text: String,
}

impl Noted {
    pub fn of(kind: ContestEventKind, text: impl Into<String>) -> Noted {
        Noted { kind, player: None, other: None, pair: None, text: text.into() }
    }

    pub fn ruled(ruling: &Ruling) -> Noted {
        Noted::of(ContestEventKind::Ruled, json(ruling))
    }

    pub(super) fn event(self, number: u32, at: Timestamp) -> ContestEventRow {
        let Noted { kind, player, other, pair, text } = self;
        ContestEventRow { number, kind, at, player, other, pair, text }
    }
}

pub(super) fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default()
}
