//! A board of the server: a position with players, a record and a result.
//!
//! The record is its events. [`Board::rebuild`] makes the board from them; every change is one more event, applied by
//! the same code, so that what is stored beside the events can be compared with them.

use jiff::tz::TimeZone;
use jiff::{SignedDuration, Span, Timestamp};
use serde::{Deserialize, Serialize};

use crate::game::{GameKind, MoveError, Played, Table, registry};
use crate::ids::{BoardId, Ply, Seat};
use crate::store::{
    BoardRow, Days, Ending, EventKind, EventRow, PlayerId, ResultRow, State, Store, StoreError,
};

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
    ///
    /// # Errors
    /// When they cannot be read.
    pub fn of(start: &EventRow) -> Result<Terms, BadRecord> {
        serde_json::from_str(&start.text)
            .map_err(|why| BadRecord { number: start.number, why: why.to_string() })
    }

    /// The start event of a board on these terms.
    ///
    /// # Errors
    /// Never in fact: they are all text and numbers.
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

/// A board with its position set up.
pub struct Board {
    /// As it is stored.
    pub row: BoardRow,
    /// Its game.
    pub kind: &'static GameKind,
    /// Its position.
    pub table: Box<dyn Table>,
}

/// A record that cannot be followed.
#[derive(Debug, thiserror::Error)]
#[error("event {number}: {why}")]
pub struct BadRecord {
    /// The event.
    pub number: u32,
    /// What is wrong with it.
    pub why: String,
}

impl Board {
    /// The board as it stands, without replaying it.
    ///
    /// # Errors
    /// When the store fails or holds what cannot be read.
    pub fn load(store: &Store, id: BoardId) -> Result<Option<Board>, StoreError> {
        let Some(row) = store.board(id)? else { return Ok(None) };
        let kind = kind(&row.game).map_err(StoreError::Damaged)?;
        let table =
            (kind.read)(&row.position).map_err(|why| StoreError::Damaged(format!("board {id}: {why}")))?;
        Ok(Some(Board { row, kind, table }))
    }

    /// The board that `events` make, up to and with ply `until` when it is given.
    ///
    /// # Errors
    /// At the first event that cannot have followed the ones before it.
    pub fn rebuild(id: BoardId, events: &[EventRow], until: Option<Ply>) -> Result<Board, BadRecord> {
        let bad = |number, why: &str| BadRecord { number, why: why.to_owned() };
        let (start, rest) = events.split_first().ok_or_else(|| bad(1, "there is none"))?;
        let mut board = Board::start(id, start)?;
        for event in rest {
            if until.is_some_and(|until| board.row.plies >= until) {
                break;
            }
            board.apply(event)?;
        }
        Ok(board)
    }

    /// The board that a start event makes.
    ///
    /// # Errors
    /// When it is no start or its terms cannot be read.
    pub fn start(id: BoardId, event: &EventRow) -> Result<Board, BadRecord> {
        let bad = |why: String| BadRecord { number: event.number, why };
        if event.kind != EventKind::Start || event.number != 1 {
            return Err(bad("a record begins with its start".into()));
        }
        let terms: Terms = serde_json::from_str(&event.text).map_err(|why| bad(why.to_string()))?;
        let kind = kind(&terms.game).map_err(bad)?;
        let table = (kind.read)(&terms.position).map_err(|why| bad(why.to_string()))?;
        let [first, second] = terms.players;
        let row = BoardRow {
            id,
            game: terms.game,
            players: [PlayerId(first), PlayerId(second)],
            rated: terms.rated,
            state: State::Running,
            position: terms.position,
            plies: Ply::START,
            events: 1,
            to_move: Some(table.turn()),
            result: None,
            days: terms.days,
            started_at: event.at,
            changed_at: event.at,
            deadline_at: event.deadline_at,
        };
        Ok(Board { row, kind, table })
    }

    /// Lets an event of the record happen.
    ///
    /// # Errors
    /// When it cannot have followed what was before it.
    pub fn apply(&mut self, event: &EventRow) -> Result<(), BadRecord> {
        let bad = |why: String| BadRecord { number: event.number, why };
        if event.number != self.row.events.saturating_add(1) {
            return Err(bad(format!("follows event {}", self.row.events)));
        }
        if self.row.state != State::Running {
            return Err(bad("follows the end of the game".into()));
        }
        match event.kind {
            EventKind::Start => return Err(bad("a second start".into())),
            EventKind::Ply => {
                if event.ply != Some(self.row.plies.next()) {
                    return Err(bad(format!("should be ply {}", self.row.plies.next())));
                }
                if event.seat != Some(self.table.turn()) {
                    return Err(bad("was played by the seat that is not to move".into()));
                }
                let played = self.table.play_text(&event.text).map_err(|why| bad(why.to_string()))?;
                if played.ply != event.text || !played.rest.is_empty() {
                    return Err(bad("is not written as plies are written".into()));
                }
            }
            EventKind::Resignation | EventKind::Decline => {}
            EventKind::TimedOut => {
                if event.seat != Some(self.table.turn()) {
                    return Err(bad("is about the seat that is not to move".into()));
                }
                if self.row.deadline_at.is_some_and(|deadline| event.at < deadline) {
                    return Err(bad("came before the deadline".into()));
                }
            }
            EventKind::Deadline => {
                super::clock::Moved::read(&event.text).map_err(|why| bad(why.to_string()))?;
            }
        }
        self.note(event);
        Ok(())
    }

    /// Plays the first ply of `text` by `player` and gives the event it makes.
    ///
    /// # Errors
    /// When it cannot be read or the rules forbid it; the board is then as it was.
    pub fn play<'t>(
        &mut self,
        text: &'t str,
        player: Option<PlayerId>,
        at: Timestamp,
        zones: &[TimeZone; 2],
    ) -> Result<(EventRow, Played<'t>), MoveError> {
        let seat = self.table.turn();
        let played = self.table.play_text(text)?;
        let event = EventRow {
            number: self.row.events.saturating_add(1),
            kind: EventKind::Ply,
            at,
            seat: Some(seat),
            player,
            ply: Some(self.row.plies.next()),
            text: played.ply.clone(),
            deadline_at: self.deadline(at, zones),
        };
        self.note(&event);
        Ok((event, played))
    }

    /// Gives the game up for `seat` and returns the event.
    pub fn resign(&mut self, seat: Seat, player: PlayerId, at: Timestamp) -> EventRow {
        let event = EventRow {
            number: self.row.events.saturating_add(1),
            kind: EventKind::Resignation,
            at,
            seat: Some(seat),
            player: Some(player),
            ply: None,
            text: String::new(),
            deadline_at: None,
        };
        self.note(&event);
        event
    }

    /// The seats a player sits on.
    pub fn seat_of(&self, player: PlayerId) -> Option<Seat> {
        Seat::BOTH.into_iter().find(|seat| *seat.of(&self.row.players) == player)
    }

    /// When the seat to move forfeits, if the last ply was at `at`: so many days later by the calendar of its player.
    pub fn deadline(&self, at: Timestamp, zones: &[TimeZone; 2]) -> Option<Timestamp> {
        if self.row.days.forfeit == 0 || self.table.ended().is_some() {
            return None;
        }
        Some(days_later(at, self.row.days.forfeit, self.table.turn().of(zones)))
    }

    /// Brings the row up to an event whose ply, if it is one, stands on the table.
    fn note(&mut self, event: &EventRow) {
        let row = &mut self.row;
        row.events = event.number;
        row.changed_at = event.at;
        row.deadline_at = event.deadline_at;
        if let Some(ply) = event.ply {
            row.plies = ply;
            row.position = self.table.position();
        }
        row.result = match event.kind {
            EventKind::Resignation => Some(ResultRow {
                ending: Ending::Resigned,
                winner: event.seat.map(Seat::other),
                score: None,
                how: None,
            }),
            EventKind::TimedOut => Some(ResultRow {
                ending: Ending::TimedOut,
                winner: event.seat.map(Seat::other),
                score: None,
                how: None,
            }),
            EventKind::Decline => {
                Some(ResultRow { ending: Ending::Abandoned, winner: None, score: None, how: None })
            }
            EventKind::Start | EventKind::Ply | EventKind::Deadline => {
                self.table.ended().map(|outcome| ResultRow {
                    ending: Ending::Normal,
                    winner: outcome.winner,
                    score: outcome.score,
                    how: outcome.how.map(str::to_owned),
                })
            }
        };
        if row.result.is_some() {
            row.state = if event.kind == EventKind::Decline { State::Declined } else { State::Finished };
            row.to_move = None;
            row.deadline_at = None;
        } else {
            row.to_move = Some(self.table.turn());
        }
    }
}

/// The game a board is of.
fn kind(key: &str) -> Result<&'static GameKind, String> {
    registry::find(key).ok_or_else(|| format!("no game {key:?} here"))
}

/// `days` calendar days after `at` in `zone`: at the same time of day, however long the days between were.
pub fn days_later(at: Timestamp, days: u32, zone: &TimeZone) -> Timestamp {
    let later = at.to_zoned(zone.clone()).checked_add(Span::new().days(i64::from(days)));
    match later {
        Ok(later) => later.timestamp(),
        // Only beyond the year 9999.
        Err(_) => at.checked_add(SignedDuration::from_hours(24 * i64::from(days))).unwrap_or(Timestamp::MAX),
    }
}
