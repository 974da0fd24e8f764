//! What the events of a contest's record say.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::contest::terms::SeasonPlan;
use crate::language::BoardOptions;
use crate::store::{ContestEventKind, ContestEventRow, PlayerId};

/// How a player enters.
#[derive(Default, Serialize, Deserialize)]
pub struct Entered {
    /// For the next season of a league alone.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub once: bool,
    /// To play in a group of a contest that begins now.
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
    /// Two places in the group each; the first moves first.
    pub pairs: Vec<[usize; 2]>,
    /// The numbers of games without a board, because one of the two players blocks the other.
    pub without: Vec<u32>,
}

/// What is settled about a contest, or about a player of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Ruling {
    /// Nobody joins or leaves any more.
    Started,
    /// The player was told that a second loss on time withdraws them, or that they leave a ladder unless they move.
    Warned,
    /// Later seasons have boards with these options.
    Options(BoardOptions),
    /// When the next season begins.
    Plan(SeasonPlan),
    /// The members of a league were told of the next season.
    Announced,
    /// A season of a league has begun.
    Began,
    /// Whether Mondays pair the player on a ladder.
    Auto(bool),
    /// A Monday's games have begun on a ladder.
    Paired,
}

/// An event before it has a number.
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
