//! A board: a game in play or ended, with its players, record and result.
//!
//! The record is the list of events. `Board::rebuild` makes the board from them, and every change applies one more
//! event with the same code. This lets `admin verify` compare the stored row with the events.

pub(crate) mod archive;
pub(crate) mod clocks;
pub mod dice;
mod events;
mod hosts;
pub(crate) mod interval;
pub mod ratings;
pub mod record;
mod replay;
mod result;
pub(crate) mod seats;
mod slips;
mod terms;
pub mod verify;

use jiff::tz::TimeZone;
use jiff::{SignedDuration, Span, Timestamp};
use turnpost_games::{Cast, Chance, GameKind, MoveError, Played, Table, registry};

use crate::ids::{BoardId, Ply, Seat};
use crate::store::{
    BoardRow, BoardState, Ending, EventKind, EventRow, PlayerId, ResultRow, Store, StoreError,
};

pub use crate::failure::BadRecord;
pub(crate) use events::taken_up_by;
pub use replay::{Replay, ShownBoard, pictured};
pub use result::{names, result_sentence};
pub(crate) use result::{outcome, outcome_for, tie};
pub use terms::{Imported, Terms, start};

pub struct Board {
    pub row: BoardRow,
    pub kind: &'static GameKind,
    pub table: Box<dyn Table>,
}

impl Board {
    /// Loads a board from its stored position, without replaying it.
    pub fn load(store: &Store, id: BoardId) -> Result<Option<Board>, StoreError> {
        let Some(row) = store.board(id)? else { return Ok(None) };
        let kind = kind(&row.game).map_err(StoreError::Damaged)?;
        let table =
            (kind.read)(&row.position).map_err(|why| StoreError::Damaged(format!("board {id}: {why}")))?;
        Ok(Some(Board { row, kind, table }))
    }

    /// The position, if `seat` is to move.
    pub(crate) fn to_move(&self, seat: Seat) -> Option<&dyn Table> {
        (self.row.to_move == Some(seat)).then_some(&*self.table)
    }

    /// The seat of the next ply; `None` if the dice fall next.
    pub(crate) fn mover(&self) -> Option<Seat> {
        self.table.chance().is_none().then(|| self.table.turn())
    }

    pub fn start(id: BoardId, event: &EventRow) -> Result<Board, BadRecord> {
        let bad = |why: String| BadRecord { number: event.number, why };
        if event.kind != EventKind::Start || event.number != 1 {
            return Err(bad("a record begins with its start".into()));
        }
        let terms = Terms::of(event)?;
        let kind = kind(&terms.game).map_err(bad)?;
        let table = (kind.read)(&terms.position).map_err(|why| bad(why.to_string()))?;
        let [first, second] = terms.players;
        let row = BoardRow {
            id,
            game: terms.game,
            players: [PlayerId(first), PlayerId(second)],
            rated: terms.rated,
            state: BoardState::Running,
            position: terms.position,
            plies: Ply::START,
            events: 1,
            to_move: Some(table.turn()),
            result: None,
            proposal: None,
            may_swap: terms.may_swap,
            swapped: false,
            days: terms.days,
            contest: terms.contest,
            started_at: event.at,
            changed_at: event.at,
            deadline_at: event.deadline_at,
        };
        Ok(Board { row, kind, table })
    }

    /// Plays the first move of `text` and returns its event.
    pub fn play<'t>(
        &mut self,
        text: &'t str,
        player: Option<PlayerId>,
        at: Timestamp,
        zones: &[TimeZone; 2],
    ) -> Result<(EventRow, Played<'t>), MoveError> {
        let seat = self.table.turn();
        let played = self.table.play_text(text)?;
        Ok((self.note_ply(Some(seat), played.ply.clone(), player, at, zones), played))
    }

    /// Plays forced passes until a side has a choice, the dice fall next or the game is over. Returns their events.
    pub fn play_passes(&mut self, at: Timestamp, zones: &[TimeZone; 2]) -> Vec<EventRow> {
        self.play_until_choice(&mut |_| None, at, zones)
    }

    /// Plays rolls of the dice and forced passes until a side has a choice or the game is over. Returns their events.
    pub fn play_until_choice(
        &mut self,
        dice: &mut dyn FnMut(Chance) -> Option<Cast>,
        at: Timestamp,
        zones: &[TimeZone; 2],
    ) -> Vec<EventRow> {
        // One at a time: a deadline depends on the table after its ply.
        let mut events = Vec::new();
        while let Some(pass) = self.table.play_next(dice) {
            events.push(self.note_ply(pass.seat, pass.ply, None, at, zones));
        }
        events
    }

    /// Makes and applies the event of a ply that the table has already played.
    fn note_ply(
        &mut self,
        seat: Option<Seat>,
        text: String,
        player: Option<PlayerId>,
        at: Timestamp,
        zones: &[TimeZone; 2],
    ) -> EventRow {
        let event = EventRow {
            seat,
            player,
            ply: Some(self.row.plies.next()),
            text,
            deadline_at: self.deadline(at, zones),
            ..self.next_event(EventKind::Ply, at)
        };
        self.note(&event);
        self.row.position = self.table.position();
        event
    }

    /// Applies an event that is not a ply. The caller has checked that `seat` can do it.
    pub fn act(&mut self, kind: EventKind, seat: Seat, text: &str, at: Timestamp) -> EventRow {
        let event = EventRow {
            seat: Some(seat),
            player: Some(*seat.of(&self.row.players)),
            text: text.to_owned(),
            deadline_at: self.row.deadline_at,
            ..self.next_event(kind, at)
        };
        self.note(&event);
        event
    }

    /// The next event, by the server, without a seat or text.
    pub(crate) fn next_event(&self, kind: EventKind, at: Timestamp) -> EventRow {
        let number = self.row.events.saturating_add(1);
        let text = String::new();
        EventRow { number, kind, at, seat: None, player: None, ply: None, text, deadline_at: None }
    }

    /// Takes plies back to ply `stands`. `seat` agrees to it, or is that of the player who takes back their own move.
    pub(crate) fn take_back(
        &mut self,
        events: &[EventRow],
        stands: Ply,
        seat: Seat,
        at: Timestamp,
        zones: &[TimeZone; 2],
    ) -> Result<EventRow, BadRecord> {
        let player = Some(*seat.of(&self.row.players));
        let event = self.next_event(EventKind::Undo, at);
        let event = EventRow { seat: Some(seat), player, ply: Some(stands), ..event };
        self.stand_at(events, event, zones)
    }

    pub(crate) fn seat_of(&self, player: PlayerId) -> Option<Seat> {
        Seat::BOTH.into_iter().find(|seat| *seat.of(&self.row.players) == player)
    }

    /// When the seat to move forfeits if its turn began at `at`: full days by the player's calendar.
    pub fn deadline(&self, at: Timestamp, zones: &[TimeZone; 2]) -> Option<Timestamp> {
        if self.row.days.forfeit == 0 || self.table.ended().is_some() {
            return None;
        }
        Some(days_later(at, self.row.days.forfeit, self.table.turn().of(zones)))
    }
}

/// A result that does not follow from the rules of the game, such as a resignation.
fn ended(ending: Ending, winner: Option<Seat>) -> ResultRow {
    ResultRow { ending, winner, score: None, how: None }
}

impl BadRecord {
    fn new(event: &EventRow, why: &str) -> BadRecord {
        BadRecord { number: event.number, why: why.to_owned() }
    }
}

fn kind(key: &str) -> Result<&'static GameKind, String> {
    registry::find(key).ok_or_else(|| format!("no game {key:?} here"))
}

/// `days` calendar days after `at` in `zone`, at the same time of day.
pub fn days_later(at: Timestamp, days: u32, zone: &TimeZone) -> Timestamp {
    let later = at.to_zoned(zone.clone()).checked_add(Span::new().days(i64::from(days)));
    match later {
        Ok(later) => later.timestamp(),
        // Happens only after the year 9999.
        Err(_) => at.checked_add(SignedDuration::from_hours(24 * i64::from(days))).unwrap_or(Timestamp::MAX),
    }
}
