//! A board: a game in play or ended, with its players, record and result.
//!
//! The record is the list of events. `Board::rebuild` makes the board from them, and every change applies one more
//! event with the same code. This lets `admin verify` compare the stored row with the events.

pub(crate) mod clocks;
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

use self::interval::Stopped;

use crate::ids::{BoardId, Ply, Seat};
use crate::store::{
    BoardRow, BoardState, Ending, EventKind, EventRow, PlayerId, ResultRow, Store, StoreError,
};

pub use crate::failure::BadRecord;
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

    pub(crate) fn rebuild(id: BoardId, events: &[EventRow]) -> Result<Board, BadRecord> {
        Ok(Board::replay(id, events)?.finish())
    }

    /// The board after ply `until`, without plies that were taken back.
    pub fn past(id: BoardId, events: &[EventRow], until: Ply) -> Result<Board, BadRecord> {
        let mut past = Board::each_past(id, events, until, |_| ())?;
        past.row.position = past.table.position();
        Ok(past)
    }

    /// Calls `see` with the start position and with the board after each ply up to `until`. Returns the last board. The
    /// rows of these boards have no position.
    pub(crate) fn each_past(
        id: BoardId,
        events: &[EventRow],
        until: Ply,
        mut see: impl FnMut(&Board),
    ) -> Result<Board, BadRecord> {
        let Replay { board: now, line, .. } = Board::replay(id, events)?;
        let mut past = Board::first(id, events)?;
        // Earlier positions show the current players.
        past.row.players = now.row.players;
        past.row.swapped = now.row.swapped;
        past.row.deadline_at = None;
        past.row.result = None;
        see(&past);
        for event in line.iter().take(until.0 as usize) {
            past.play_event(event)?;
            past.row.changed_at = event.at;
            see(&past);
        }
        Ok(past)
    }

    fn replay(id: BoardId, events: &[EventRow]) -> Result<Replay, BadRecord> {
        let (start, rest) =
            events.split_first().ok_or_else(|| BadRecord { number: 1, why: "there is none".into() })?;
        let mut replay = Replay::begin(id, start.clone())?;
        for event in rest {
            replay.apply(event)?;
        }
        Ok(replay)
    }

    /// Applies an event that neither plays nor takes back plies.
    pub fn apply(&mut self, event: &EventRow) -> Result<(), BadRecord> {
        self.must_follow(event)?;
        if matches!(event.kind, EventKind::Ply | EventKind::Undo | EventKind::Resumption) {
            return Err(BadRecord::new(event, "needs the record before it"));
        }
        self.note(event);
        Ok(())
    }

    fn first(id: BoardId, events: &[EventRow]) -> Result<Board, BadRecord> {
        let start = events.first().ok_or_else(|| BadRecord { number: 1, why: "there is none".into() })?;
        Board::start(id, start)
    }

    /// Plays `line` from `start` and takes over the resulting position.
    fn set_back(&mut self, start: Board, line: &[EventRow]) -> Result<(), BadRecord> {
        let mut back = start;
        // A player who could swap after ply 1 can do so again.
        self.row.may_swap = back.row.may_swap && !self.row.swapped && line.len() < 2;
        for event in line {
            back.play_event(event)?;
        }
        self.table = back.table;
        self.row.plies = back.row.plies;
        Ok(())
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

    /// Checks that an event is allowed next.
    fn must_follow(&self, event: &EventRow) -> Result<(), BadRecord> {
        if event.number != self.row.events.saturating_add(1) {
            return Err(BadRecord::new(event, &format!("follows event {}", self.row.events)));
        }
        if self.row.state != BoardState::Running
            && !(self.row.state == BoardState::Finished && hosts::reopens(event))
        {
            return Err(BadRecord::new(event, "follows the end of the game"));
        }
        match event.kind {
            EventKind::Start => return Err(BadRecord::new(event, "a second start")),
            EventKind::TimedOut => {
                if event.seat != Some(self.table.turn()) {
                    return Err(BadRecord::new(event, "is about the seat that is not to move"));
                }
                // Events of earlier versions have no deadline; then the deadline of the event before counts.
                if event.deadline_at.or(self.row.deadline_at).is_some_and(|deadline| event.at < deadline) {
                    return Err(BadRecord::new(event, "came before the deadline"));
                }
            }
            EventKind::Deadline => {
                Stopped::read(&event.text).map_err(|why| BadRecord::new(event, &why.to_string()))?;
            }
            EventKind::Swap if !self.row.may_swap => {
                return Err(BadRecord::new(event, "swaps where no swap is allowed"));
            }
            _ => {}
        }
        self.must_fit_host(event)
    }

    fn play_event(&mut self, event: &EventRow) -> Result<(), BadRecord> {
        if event.ply != Some(self.row.plies.next()) {
            return Err(BadRecord::new(event, &format!("should be ply {}", self.row.plies.next())));
        }
        if event.seat != self.mover() {
            return Err(BadRecord::new(event, "was played by the seat that is not to move"));
        }
        let is_standard =
            self.table.replay(&event.text).map_err(|why| BadRecord::new(event, &why.to_string()))?;
        if !is_standard {
            return Err(BadRecord::new(event, "is not written as plies are written"));
        }
        self.row.plies = self.row.plies.next();
        self.row.to_move = Some(self.table.turn());
        Ok(())
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

    /// Applies an event to the board row, except for its position. If the event is a ply, the table has already played
    /// it.
    fn note(&mut self, event: &EventRow) {
        let row = &mut self.row;
        row.events = event.number;
        row.changed_at = event.at;
        row.deadline_at = event.deadline_at;
        // Any act of a player withdraws the open proposal.
        if event.kind != EventKind::Deadline {
            row.proposal = None;
        }
        match event.kind {
            EventKind::Ply => {
                row.plies = event.ply.unwrap_or(row.plies);
                // Only the answer to ply 1 can be a swap.
                row.may_swap = row.may_swap && row.plies == Ply(1);
                row.result = self.table.ended().map(|outcome| ResultRow {
                    ending: Ending::Normal,
                    winner: outcome.winner,
                    score: outcome.score,
                    how: outcome.how.map(str::to_owned),
                });
            }
            EventKind::Undo | EventKind::Resumption => {
                row.plies = event.ply.unwrap_or(row.plies);
                row.result = None;
                row.state = BoardState::Running;
            }
            EventKind::Ruling => row.result = Some(hosts::result(event)),
            EventKind::Reseat => hosts::seat(&mut row.players, event),
            EventKind::Swap => {
                row.players.reverse();
                row.may_swap = false;
                row.swapped = true;
            }
            EventKind::Proposal => row.proposal = event.text.parse().ok().zip(event.seat),
            EventKind::Resignation => row.result = Some(ended(Ending::Resigned, event.seat.map(Seat::other))),
            EventKind::TimedOut => row.result = Some(ended(Ending::TimedOut, event.seat.map(Seat::other))),
            EventKind::Agreement => row.result = Some(ended(Ending::Agreed, None)),
            EventKind::Decline => {
                row.result = Some(ended(Ending::Abandoned, None));
                row.rated = false;
            }
            EventKind::Start | EventKind::Rejection | EventKind::Deadline | EventKind::Adjournment => {}
        }
        if row.result.is_some() {
            row.state =
                if event.kind == EventKind::Decline { BoardState::Declined } else { BoardState::Finished };
        }
        if row.state == BoardState::Running {
            row.to_move = Some(self.table.turn());
        } else {
            row.to_move = None;
            row.deadline_at = None;
            row.may_swap = false;
        }
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

/// The player who accepted the challenge: the second of the two to make a ply or a swap. A later take-back does not
/// undo the acceptance.
pub(crate) fn taken_up_by(events: &[EventRow]) -> Option<PlayerId> {
    let is_act = |event: &&EventRow| matches!(event.kind, EventKind::Ply | EventKind::Swap);
    let mut acts = events.iter().filter(is_act).filter(|event| event.player.is_some());
    let first = acts.next()?.seat;
    acts.find(|event| event.seat != first)?.player
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
