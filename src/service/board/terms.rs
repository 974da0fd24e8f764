//! What a board was started on.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::ids::Seat;
use crate::service::board::BadRecord;
use crate::store::{Days, EventKind, EventRow, PlayerId};

/// What a board was started on: the text of its first event.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Terms {
    /// The key of its game.
    pub game: String,
    /// The numbers of the players on the first and the second seat.
    pub players: [i64; 2],
    /// The game's own options as they were given.
    pub options: Vec<(String, Option<String>)>,
    /// What decided all that was left to chance.
    pub seed: u64,
    /// Whether the position was given by `-position`, not set up from options and seed.
    pub from_position: bool,
    /// The position's text.
    pub position: String,
    /// Whether it counts for ratings.
    pub rated: bool,
    /// Whether lots decided who is first.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub lots: bool,
    /// Whether the second player may answer ply 1 by changing seats.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub may_swap: bool,
    /// Its days.
    pub days: Days,
    /// Where it came from, when it was loaded from a record.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub imported: Option<Imported>,
}

/// What a board that was loaded from a record was before.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Imported {
    /// Its number on the server that wrote the record; 0 where the record names none.
    pub board: u32,
    /// Whether it counted for ratings there. Here it does not.
    pub rated: bool,
    /// How many events came with the record: their days are long gone.
    pub events: u32,
}

impl Terms {
    /// The terms in a start event.
    pub fn of(start: &EventRow) -> Result<Terms, BadRecord> {
        serde_json::from_str(&start.text)
            .map_err(|why| BadRecord { number: start.number, why: why.to_string() })
    }

    /// The start event of a board on these terms.
    pub fn event(
        &self,
        at: Timestamp,
        seat: Option<Seat>,
        player: Option<PlayerId>,
        deadline_at: Option<Timestamp>,
    ) -> Result<EventRow, BadRecord> {
        let text =
            serde_json::to_string(self).map_err(|why| BadRecord { number: 1, why: why.to_string() })?;
        Ok(EventRow { number: 1, kind: EventKind::Start, at, seat, player, ply: None, text, deadline_at })
    }
}
