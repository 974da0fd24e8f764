//! Clocks: reminders, forfeits, and deadlines that move while a clock stands still.
//!
//! [`tick`] is run every few minutes, by `serve` or by `turnpost tick` from cron. It looks only at boards where there
//! is something to do. Moving a deadline is an event of the board, so that the record says how it came about; each
//! mail has an occasion, which is noted like a letter's identity, so that it is written once however often a timer
//! runs or breaks off.
//!
//! A player's clock stands still on vacations of either player, and while the server was down: when no timer ran for
//! more than an hour. Days are those of the player's calendar; a stretch of a day and more is counted by it.

mod reading;
pub mod stretch;
mod tell;

use std::collections::HashMap;

use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Span, Timestamp};

use super::board::{Board, Terms};
use super::transcript::Notice;
use super::view::{News, board_view};
use super::{Failure, House, standing};
use crate::ids::{BoardId, Seat};
use crate::store::{ClockRow, EventKind, EventRow, PlayerId, StopRow, Store, StoreError, Vacation};

pub use reading::{Facts, Moved, Reading, Why, begins_turn};
use stretch::Stretch;

/// The server counts as down when no timer ran for longer.
const DOWN_AFTER: SignedDuration = SignedDuration::from_hours(1);

/// So many boards are looked at in one transaction: mail that comes in meanwhile waits no longer than that.
const BATCH: usize = 50;

/// Something of the server's that ends by itself: an open challenge after 30 days, a token after an hour. It is run in
/// a transaction of its own at every tick, and has to find out itself what is due. Says how much ended.
pub type Expiry = fn(&Store, &House, Timestamp) -> Result<usize, Failure>;

/// All of them; a family of commands adds its own here.
const EXPIRIES: &[Expiry] = &[super::seek::end_old];

/// What a tick did.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Ticked {
    /// Players reminded.
    pub reminded: usize,
    /// Boards that were lost by time.
    pub timed_out: usize,
    /// Boards that went away before they began.
    pub declined: usize,
    /// Deadlines that moved.
    pub moved: usize,
    /// What else ended by itself.
    pub expired: usize,
    /// Mails put into the outbox.
    pub mails: usize,
    /// How long no timer had run, when that was long enough to count.
    pub down: Option<SignedDuration>,
    /// Boards that could not be looked at, each with why.
    pub damaged: Vec<String>,
}

/// Does all that is due at `at`. What a broken-off tick left undone, the next one does.
///
/// # Errors
/// Ours only.
pub fn tick(store: &mut Store, house: &House, at: Timestamp) -> Result<Ticked, Failure> {
    let down = store.write(|store| begin(store, at))?;
    let mut timer = Timer {
        house,
        at,
        stops: store.stops()?,
        zones: HashMap::new(),
        vacations: HashMap::new(),
        ticked: Ticked::default(),
    };
    timer.ticked.down = down;
    let due = timer.due(store)?;
    for batch in due.chunks(BATCH) {
        match timer.look_at(store, batch) {
            // One damaged board must not stop the clocks of all others.
            Err(why) if is_damage(&why) => {
                for board in batch {
                    match timer.look_at(store, &[*board]) {
                        Err(why) if is_damage(&why) => {
                            timer.ticked.damaged.push(format!("board {board}: {why}"));
                        }
                        looked => looked?,
                    }
                }
            }
            looked => looked?,
        }
    }
    for stop in timer.stops.clone().into_iter().filter(|stop| !stop.told) {
        store.write(|store| timer.tell_of(store, &stop))?;
    }
    for expire in EXPIRIES {
        timer.ticked.expired += store.write(|store| expire(store, house, at))?;
    }
    store.write(standing::catch_up)?;
    Ok(timer.ticked)
}

/// Notes that the timer runs, and for how long it did not.
fn begin(store: &Store, at: Timestamp) -> Result<Option<SignedDuration>, Failure> {
    // The first timer of a server that has boards already: until now it was as good as down.
    let last = match store.last_tick()? {
        Some(last) => Some(last),
        None => store.oldest_in_play()?,
    };
    store.note_tick(at)?;
    let Some(last) = last else { return Ok(None) };
    if at < last {
        // The clock was set back. What it told of the time between was wrong.
        if store.cut_stops(at)? {
            store.forget_clocks()?;
        }
        return Ok(None);
    }
    let pause = at.duration_since(last);
    if pause <= DOWN_AFTER {
        return Ok(None);
    }
    store.add_stop(last, at)?;
    Ok(Some(pause))
}

/// A tick at work.
struct Timer<'a> {
    house: &'a House,
    at: Timestamp,
    stops: Vec<StopRow>,
    zones: HashMap<PlayerId, (String, TimeZone)>,
    vacations: HashMap<PlayerId, Vec<Vacation>>,
    ticked: Ticked,
}

impl Timer<'_> {
    fn last_stop(&self) -> i64 {
        self.stops.last().map_or(0, |stop| stop.id)
    }

    /// The boards to look at.
    fn due(&mut self, store: &Store) -> Result<Vec<BoardId>, Failure> {
        let mut due = store.due_boards(self.at, self.last_stop())?;
        let mut players = store.players_on_vacation(self.lately())?;
        players.extend(store.players_counted_on_vacation()?);
        players.sort_unstable();
        players.dedup();
        for player in players {
            for (board, both, counted) in store.boards_in_play_of(player)? {
                if self.counted(store, &both)? != counted {
                    due.push(board);
                }
            }
        }
        due.sort_unstable();
        due.dedup();
        Ok(due)
    }

    /// Looks at some boards in one transaction. What was done counts once it is committed.
    fn look_at(&mut self, store: &mut Store, boards: &[BoardId]) -> Result<(), Failure> {
        let before = self.ticked.clone();
        store
            .write(|store| boards.iter().try_for_each(|board| self.look(store, *board)))
            .inspect_err(|_| self.ticked = before)
    }

    /// A vacation that ended before this day cannot be changed any more: two days, and it is past in every zone.
    fn lately(&self) -> Date {
        let today = self.at.to_zoned(TimeZone::UTC).date();
        today.checked_sub(Span::new().days(2)).unwrap_or(today)
    }

    /// The vacations of both players that may still change, as a text to compare.
    fn counted(&mut self, store: &Store, players: &[PlayerId; 2]) -> Result<String, StoreError> {
        let lately = self.lately();
        let mut text = String::new();
        for player in players {
            for vacation in self.vacations(store, *player)?.iter().filter(|vacation| vacation.last >= lately)
            {
                text.push_str(&format!("{}:{}..{} ", player.0, vacation.first, vacation.last));
            }
        }
        Ok(text)
    }

    /// The vacations of a player, read once a tick: one taken meanwhile waits for the next.
    fn vacations(&mut self, store: &Store, player: PlayerId) -> Result<Vec<Vacation>, StoreError> {
        if let Some(known) = self.vacations.get(&player) {
            return Ok(known.clone());
        }
        let vacations = store.vacations(player)?;
        self.vacations.insert(player, vacations.clone());
        Ok(vacations)
    }

    /// Looks at one board and does what is due.
    fn look(&mut self, store: &Store, id: BoardId) -> Result<(), Failure> {
        // It may have ended since the list was made.
        let Some(mut board) = Board::load(store, id)? else { return Ok(()) };
        let Some(mover) = board.row.to_move else { return Ok(()) };
        let events = store.events(id)?;
        let terms = events.first().map(Terms::of).transpose()?;
        let clock = store.clock(id)?.unwrap_or_default();
        let counted = self.counted(store, &board.row.players)?;
        let mut still = Vec::new();
        for player in board.row.players {
            let zone = self.zone(store, player)?.1;
            still.extend(
                self.vacations(store, player)?.iter().filter_map(|vacation| Stretch::of(vacation, &zone)),
            );
        }
        let zone = self.zone(store, *mover.of(&board.row.players))?;
        let began = events.first().map_or(i64::MIN, |start| start.at.as_second());
        let stops: Vec<Stretch> = self
            .stops
            .iter()
            .map(|stop| Stretch(stop.from.as_second(), stop.to.as_second()))
            .filter(|stop| stop.1 > began)
            .collect();
        let facts = Facts {
            events: &events,
            days: board.row.days,
            imported: terms.as_ref().and_then(|terms| terms.imported.as_ref()),
            mover,
            zone: (&zone.0, &zone.1),
            stops: &stops,
            vacations: &still,
            at: self.at,
        };
        let reading = facts.read();
        let mut kept = ClockRow { vacations: counted, stop: self.last_stop(), ..clock };
        if let Some(reading) = &reading {
            kept.turn = reading.turn;
            kept.remind_at = reading.remind_at.filter(|_| kept.reminded != reading.turn);
            if reading.deadline != board.row.deadline_at {
                self.move_deadline(store, &mut board, reading)?;
                if reading.moved.why == Why::Stop {
                    kept.moved = self.last_stop();
                }
            }
            if reading.deadline.is_some_and(|deadline| deadline <= self.at) {
                self.end(store, &mut board, mover, &events)?;
            } else if kept.remind_at.is_some_and(|remind_at| remind_at <= self.at) {
                self.remind(store, &board, mover, reading.turn)?;
                kept.reminded = reading.turn;
                kept.remind_at = None;
            }
        } else {
            kept.remind_at = None;
        }
        kept.event = board.row.events;
        store.keep_clock(id, &kept)?;
        Ok(())
    }

    fn move_deadline(&mut self, store: &Store, board: &mut Board, reading: &Reading) -> Result<(), Failure> {
        let event = self.event(board, EventKind::Deadline, board.row.to_move, reading.moved.write());
        keep(store, board, EventRow { deadline_at: reading.deadline, ..event })?;
        self.ticked.moved += 1;
        Ok(())
    }

    /// The deadline has passed: the player to move has lost; or, before the second player's first ply, the board goes
    /// away.
    fn end(
        &mut self,
        store: &Store,
        board: &mut Board,
        mover: Seat,
        events: &[EventRow],
    ) -> Result<(), Failure> {
        let answered = events.iter().any(|event| {
            let answers = matches!(event.kind, EventKind::Ply | EventKind::Swap);
            answers && event.seat == Some(Seat::Second) && event.player.is_some()
        });
        let (kind, what) =
            if answered { (EventKind::TimedOut, "timed-out") } else { (EventKind::Decline, "lapsed") };
        let event = self.event(board, kind, Some(mover), String::new());
        keep(store, board, event)?;
        let counter = if answered { &mut self.ticked.timed_out } else { &mut self.ticked.declined };
        *counter += 1;
        let news = News::new(what, mover, board_view(store, board)?);
        let occasion = format!("{what} {} {}", board.row.id, board.row.events);
        let notices = Seat::BOTH.map(|seat| Notice {
            to: *seat.of(&board.row.players),
            seat: seat.index(),
            news: news.clone(),
        });
        self.tell(store, &occasion, &notices)
    }

    fn remind(&mut self, store: &Store, board: &Board, mover: Seat, turn: u32) -> Result<(), Failure> {
        let view = board_view(store, board)?;
        let news = News::new("reminded", mover, view);
        let notice = Notice { to: *mover.of(&board.row.players), seat: mover.index(), news };
        self.tell(store, &format!("reminder {} {turn}", board.row.id), &[notice])?;
        self.ticked.reminded += 1;
        Ok(())
    }

    fn event(&self, board: &Board, kind: EventKind, seat: Option<Seat>, text: String) -> EventRow {
        EventRow {
            number: board.row.events.saturating_add(1),
            kind,
            at: self.at,
            seat,
            player: None,
            ply: None,
            text,
            deadline_at: None,
        }
    }

    /// The zone of a player, and its name.
    fn zone(&mut self, store: &Store, player: PlayerId) -> Result<(String, TimeZone), StoreError> {
        if let Some(known) = self.zones.get(&player) {
            return Ok(known.clone());
        }
        let name = store.player_by_id(player)?.zone;
        let zone = crate::zone::find(&name).unwrap_or(TimeZone::UTC);
        self.zones.insert(player, (name.clone(), zone.clone()));
        Ok((name, zone))
    }
}

/// Whether the data are to blame, and not the moment.
fn is_damage(why: &Failure) -> bool {
    matches!(why, Failure::Record(_) | Failure::Store(StoreError::Damaged(_)))
}

/// Lets an event happen on a board and keeps both.
fn keep(store: &Store, board: &mut Board, event: EventRow) -> Result<(), Failure> {
    board.apply(&event)?;
    store.add_event(board.row.id, &event)?;
    Ok(store.update_board(&board.row)?)
}
