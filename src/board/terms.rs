//! The terms a board was started on.

use data_encoding::HEXLOWER;
use jiff::Timestamp;
use jiff::tz::TimeZone;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use turnpost_games::{GameKind, Setup, SetupError};

use crate::board::{BadRecord, Board, ratings};
use crate::failure::Error;
use crate::ids::Seat;
use crate::store::{BoardRow, BoardState, EventKind, EventRow, OfContest, PlayerId, Store, TimeControl};

/// The text of a board's first event.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Terms {
    /// Key of the game in the registry.
    pub game: String,
    /// The ids of the first and the second player.
    pub players: [i64; 2],
    /// Options of the game with their values, as the player wrote them.
    pub options: Vec<(String, Option<String>)>,
    pub seed: u64,
    /// True if `-position` gave the position instead of options and seed.
    pub from_position: bool,
    pub position: String,
    pub rated: bool,
    /// True if the server drew who moves first.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub lots: bool,
    /// True if the second player can answer ply 1 with a swap.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub may_swap: bool,
    pub days: TimeControl,
    /// Whether players can take back a move at once. Boards of contests before there was this choice cannot.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub grace: Option<bool>,
    /// The board whose rematch this is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rematch_of: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub contest: Option<OfContest>,
    /// True for a first game with lessons.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub tutorial: bool,
    /// The challenger's word for the dice, which an event of its own keeps.
    #[serde(skip)]
    pub salt: Option<String>,
    /// Set if the board was imported from a record.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub imported: Option<Imported>,
}

/// The origin of an imported board.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Imported {
    /// Number of the board on the server that wrote the record; 0 if unknown.
    pub board: u32,
    /// True if the board was rated on that server. An imported board is never rated.
    pub rated: bool,
    /// Number of events that came with the record. They use no clock time.
    pub events: u32,
    /// The hash of the seed, if the record was of a running board. The seed of the terms is 0 then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed_hash: Option<String>,
}

impl Terms {
    pub fn of(start: &EventRow) -> Result<Terms, BadRecord> {
        serde_json::from_str(&start.text)
            .map_err(|why| BadRecord { number: start.number, why: why.to_string() })
    }

    /// What is told of the seed of a board, and its name: the seed once the board is over, its hash while it runs.
    pub(crate) fn told_seed(&self, row: &BoardRow) -> (&'static str, String) {
        if let Some(hash) = self.seed_hash() {
            return ("seed-hash", hash.to_owned());
        }
        if row.state != BoardState::Running {
            return ("seed", self.seed.to_string());
        }
        let hash = Sha256::digest(format!("turnpost seed 1\n{}\n{}\n", row.id, self.seed));
        ("seed-hash", HEXLOWER.encode(&hash))
    }

    /// The hash of a seed that is not known here.
    pub(crate) fn seed_hash(&self) -> Option<&str> {
        self.imported.as_ref()?.seed_hash.as_deref()
    }

    /// The terms of a game of a contest.
    pub(crate) fn in_contest(self, of: OfContest) -> Terms {
        Terms { contest: Some(of), grace: Some(self.grace.is_none()), ..self }
    }

    /// The terms with these players. Options for people are added if no robot plays, but not to those of a contest, and
    /// left out if one does. A game against an engine, or against a level without a rating, is unrated.
    pub(crate) fn between(self, game: &GameKind, ids: [PlayerId; 2]) -> Result<Terms, SetupError> {
        let rated = self.rated && ratings::can_rate(game.key, ids);
        let terms = Terms { players: ids.map(|id| id.0), rated, ..self };
        let more = game.more_between_people(&[]);
        let mut options = terms.options.clone();
        if ids.iter().any(|id| id.is_robot()) {
            options.retain(|option| !more.contains(option));
        } else if terms.contest.is_none() {
            options.extend(game.more_between_people(&terms.options));
        }
        if terms.from_position || options == terms.options {
            return Ok(terms);
        }
        let position = (game.start)(&Setup { options: &options, seed: terms.seed })?.position();
        Ok(Terms { options, position, ..terms })
    }

    /// True if a player can take back a move at once.
    pub(crate) fn has_grace(&self) -> bool {
        self.grace.unwrap_or(self.contest.is_none())
    }

    /// The first event of a board on these terms, which the player at `by` requested.
    pub fn event(
        &self,
        at: Timestamp,
        by: Option<Seat>,
        deadline_at: Option<Timestamp>,
    ) -> Result<EventRow, BadRecord> {
        let text =
            serde_json::to_string(self).map_err(|why| BadRecord { number: 1, why: why.to_string() })?;
        let player = by.map(|seat| PlayerId(*seat.of(&self.players)));
        Ok(EventRow { number: 1, kind: EventKind::Start, at, seat: by, player, ply: None, text, deadline_at })
    }
}

/// Stores a new board with its first event. Without `zones` no clock runs before the first ply.
pub fn start(
    store: &Store,
    terms: &Terms,
    at: Timestamp,
    by: Option<Seat>,
    zones: Option<&[TimeZone; 2]>,
) -> Result<(Board, EventRow), Error> {
    let mut event = terms.event(at, by, None)?;
    let mut board = Board::start(store.next_board()?, &event)?;
    event.deadline_at = zones.and_then(|zones| board.deadline(at, zones));
    board.row.deadline_at = event.deadline_at;
    store.add_board(&board.row)?;
    store.add_event(board.row.id, &event)?;
    Ok((board, event))
}
