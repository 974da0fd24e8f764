//! The periodic run of the timer: sends reminders, forfeits boards, moves deadlines.
//!
//! `serve`, or `turnpost tick` from cron, runs [`tick`] every few minutes. It loads only boards with something due.
//! Each mail has an occasion. So the server writes it only once, even if a tick is repeated or interrupted.

mod contests;
mod tell;

use jiff::{SignedDuration, Timestamp};

use crate::board::clocks::{self, Calendar};
use crate::board::interval::{self, Interval};
use crate::board::{Board, archive, ratings, taken_up_by};
use crate::commands::vacation;
use crate::contest::terms::LeagueOptions;
use crate::credentials::Limits;
use crate::failure::Error;
use crate::ids::{BoardId, Seat};
use crate::notices::Outbox;
use crate::notices::board_update::{BoardEvent, BoardNews, BoardStep, BoardUpdate};
use crate::notices::ply_view::PlyView;
use crate::notices::view::board_view;
use crate::play::ended;
use crate::store::{BoardRow, BoardState, ClockRow, EventKind, EventRow, StopRow, Store, StoreError};

/// The server counts as down if the pause between two ticks exceeds both this and three usual pauses.
const DOWN_AFTER: SignedDuration = SignedDuration::from_hours(3);

/// Boards per transaction. Incoming mail waits while a transaction runs.
const BATCH: usize = 50;

/// Boards that a tick adds to the archive.
const ARCHIVED_AT_MOST: usize = 2_000;

/// Ends items that are too old, such as open challenges. Each tick runs each expiry in its own transaction. Returns the
/// number of ended items.
type Expiry = fn(&Store, Timestamp) -> Result<usize, Error>;

/// All expiries. A command module with items that expire adds its function here.
const EXPIRIES: &[Expiry] = &[crate::commands::seek::end_old, crate::commands::invite::end_old];

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Ticked {
    /// Reminders sent.
    pub reminded: usize,
    /// Last warnings sent.
    pub warned: usize,
    /// Vacation days spent because a clock bank was empty.
    pub spent: usize,
    /// Boards forfeited.
    pub timed_out: usize,
    /// Boards closed without a loser because no player had accepted them.
    pub declined: usize,
    /// Deadlines that moved.
    pub moved: usize,
    /// Challenges and invitations that expired.
    pub expired: usize,
    /// Mails put into the outbox.
    pub mails: usize,
    /// The time the server was down before this tick; `None` if it was too short to count.
    pub down: Option<SignedDuration>,
    /// Ratings that an upgrade changed, each in a sentence.
    pub rated_again: Vec<String>,
    /// Boards that failed, each with the reason.
    pub damaged: Vec<String>,
}

/// Does everything that is due at `now`. If a tick is interrupted, the next one does the rest.
pub fn tick(
    store: &mut Store,
    (limits, leagues, operator): (&Limits, &LeagueOptions, &str),
    outbox: &impl Outbox,
    now: Timestamp,
) -> Result<Ticked, Error> {
    let down = store.write(|store| begin(store, now))?;
    let calendar = Calendar::new(store, now)?;
    let mut timer = Timer { outbox, limits, leagues, operator, now, calendar, ticked: Ticked::default() };
    timer.ticked.down = down;
    let due = timer.due(store)?;
    for (number, batch) in due.chunks(BATCH).enumerate() {
        if number > 0 {
            store.yield_write_lock();
        }
        match timer.look_at(store, batch) {
            // One damaged board must not stop the clocks of the others.
            Err(why) if why.is_damage() => {
                for board in batch {
                    match timer.look_at(store, &[*board]) {
                        Err(why) if why.is_damage() => {
                            timer.ticked.damaged.push(format!("board {board}: {why}"));
                        }
                        looked => looked?,
                    }
                }
            }
            looked => looked?,
        }
    }
    for stop in timer.calendar.stops.clone().into_iter().filter(|stop| !stop.told) {
        timer.tell_of(store, &stop)?;
    }
    timer.contests(store)?;
    timer.announce(store)?;
    for expire in EXPIRIES {
        timer.ticked.expired += store.write(|store| expire(store, now))?;
    }
    timer.ticked.rated_again = store.write(ratings::rate_after_upgrade)?;
    timer.archive(store)?;
    store.clean_files(1)?;
    Ok(timer.ticked)
}

/// Records the tick. Returns how long the server was down, if that was long enough to count.
fn begin(store: &Store, now: Timestamp) -> Result<Option<SignedDuration>, Error> {
    // If no tick has run yet, the server counts as down since its oldest board in play or its first mail.
    let last = match store.last_tick()? {
        Some(last) => Some(last),
        None => store.began()?,
    };
    let usual = SignedDuration::from_secs(store.usual_pause()?.saturating_mul(3));
    store.note_tick(now)?;
    let Some(last) = last else { return Ok(None) };
    if now < last {
        // The system clock was set back, so recorded stops that end after `now` are wrong.
        if store.cut_stops(now, DOWN_AFTER.as_secs())? {
            store.forget_clocks()?;
        }
        return Ok(None);
    }
    let pause = now.duration_since(last);
    if pause <= DOWN_AFTER.max(usual) {
        return Ok(None);
    }
    store.add_stop(last, now)?;
    Ok(Some(pause))
}

/// Deletes the text of mails written before `before`, until `goes_on` returns false. Returns the number of mails. Time
/// without a running timer does not add to their age, so a system clock that is set forward deletes nothing early.
pub fn forget_mails(
    store: &mut Store,
    before: Timestamp,
    now: Timestamp,
    goes_on: impl Fn() -> bool,
) -> Result<usize, Error> {
    let stops =
        store.stops()?.iter().map(|stop| Interval(stop.from.as_second(), stop.to.as_second())).collect();
    let age = now.as_second() - before.as_second();
    let since = interval::since(now.as_second(), age, &interval::merged(stops));
    Ok(store.forget_mails(Timestamp::from_second(since).unwrap_or(Timestamp::MIN), now, goes_on)?)
}

/// One run of the timer.
struct Timer<'a, O> {
    outbox: &'a O,
    limits: &'a Limits,
    leagues: &'a LeagueOptions,
    /// The operator's address.
    operator: &'a str,
    now: Timestamp,
    calendar: Calendar,
    ticked: Ticked,
}

impl<O: Outbox> Timer<'_, O> {
    /// Finds the boards with something due.
    fn due(&mut self, store: &Store) -> Result<Vec<BoardId>, Error> {
        let mut due = store.due_boards(self.now)?;
        // Before players are told of a new stop, the deadlines of all boards must include it.
        if self.calendar.stops.iter().any(|stop| !stop.told) {
            due.extend(store.boards_before_stop(self.calendar.last_stop())?);
        }
        let mut players = store.players_on_vacation(self.calendar.lately())?;
        players.extend(store.players_counted_on_vacation()?);
        players.sort_unstable();
        players.dedup();
        for player in players {
            for (board, both, counted) in store.boards_in_play_of(player)? {
                if self.calendar.counted(store, &both)? != counted {
                    due.push(board);
                }
            }
        }
        due.sort_unstable();
        due.dedup();
        Ok(due)
    }

    /// Adds boards that ended to the archive.
    fn archive(&mut self, store: &mut Store) -> Result<(), Error> {
        for _ in 0..ARCHIVED_AT_MOST / BATCH {
            if store.unarchived(1)?.is_empty() {
                break;
            }
            let damaged = store.write(|store| archive::fill(store, BATCH as u32))?;
            self.ticked.damaged.extend(damaged);
            store.yield_write_lock();
        }
        Ok(())
    }

    /// Handles some boards in one transaction. If it fails, restores the counters.
    fn look_at(&mut self, store: &mut Store, boards: &[BoardId]) -> Result<(), Error> {
        let before = self.ticked.clone();
        store.write(|store| boards.iter().try_for_each(|board| self.look(store, *board))).inspect_err(|_| {
            self.ticked = before;
            self.calendar.forget_vacations();
        })
    }

    /// Does what is due on one board.
    fn look(&mut self, store: &Store, id: BoardId) -> Result<(), Error> {
        // The board may have ended since `due` listed it.
        let Some(mut board) = Board::load(store, id)? else { return Ok(()) };
        let Some(mover) = board.row.to_move else { return Ok(()) };
        let events = store.events(id)?;
        let clock = store.clock(id)?.unwrap_or_default();
        let counted = self.calendar.counted(store, &board.row.players)?;
        let reading = self.calendar.read(store, &board.row, &events)?;
        let mut kept = ClockRow { vacations: counted, stop: self.calendar.last_stop(), ..clock };
        if let Some(reading) = &reading {
            if kept.turn != reading.turn {
                kept.turn = reading.turn;
                kept.zone = self.calendar.zone(store, *mover.of(&board.row.players))?.0;
            }
            kept.remind_at = reading.remind_at.filter(|_| kept.reminded != reading.turn);
            kept.warn_at = reading.warn_at.filter(|_| kept.warned != reading.turn);
            if clocks::settle(store, &mut board, reading, self.now)? {
                self.ticked.moved += 1;
                let counts = |stop: &StopRow| {
                    stop.to > reading.began && reading.deadline.is_some_and(|deadline| stop.from < deadline)
                };
                if self.calendar.stops.iter().any(|stop| !stop.told && counts(stop)) {
                    kept.moved = self.calendar.last_stop();
                }
            }
            if let Some(deadline) = reading.deadline.filter(|deadline| *deadline <= self.now) {
                if !lapses(&board.row, &events) && self.spends_a_day(store, &mut board, (mover, deadline))? {
                    return self.look(store, id);
                }
                return self.end(store, &mut board, mover, &events);
            }
            if kept.warn_at.is_some_and(|warn_at| warn_at <= self.now) {
                let lapses = lapses(&board.row, &events);
                self.remind(store, &board, (BoardEvent::LastWarning, lapses), mover, reading.turn)?;
                // The warning replaces the reminder of this turn.
                (kept.reminded, kept.warned) = (reading.turn, reading.turn);
                (kept.remind_at, kept.warn_at) = (None, None);
            } else if kept.remind_at.is_some_and(|remind_at| remind_at <= self.now) {
                let lapses = lapses(&board.row, &events);
                self.remind(store, &board, (BoardEvent::Reminded, lapses), mover, reading.turn)?;
                kept.reminded = reading.turn;
                kept.remind_at = None;
            }
        } else {
            (kept.remind_at, kept.warn_at) = (None, None);
        }
        let next = [board.row.deadline_at, kept.remind_at, kept.warn_at].into_iter().flatten().min();
        Ok(store.set_clock(id, &kept, next)?)
    }

    /// Spends a vacation day of the player to move, whose clock bank is empty. False if none can be spent. The player
    /// gets a mail only about the first day spent since their last letter.
    fn spends_a_day(
        &mut self,
        store: &Store,
        board: &mut Board,
        (mover, deadline): (Seat, Timestamp),
    ) -> Result<bool, Error> {
        let player = *mover.of(&board.row.players);
        if board.row.days.bank.is_none() || player.is_robot() {
            return Ok(false);
        }
        // A vacation that begins at the deadline no longer moves it, so this one begins a second earlier.
        let last_second = deadline.checked_sub(SignedDuration::from_secs(1)).unwrap_or(deadline);
        let Some(spent) = vacation::spend_a_day(store, player, last_second)? else { return Ok(false) };
        self.calendar.forget_vacations();
        self.ticked.spent += 1;
        clocks::settle_now(store, board, self.now)?;
        let mut update = BoardUpdate::new(BoardEvent::DaySpent, mover, board_view(store, board)?);
        let days = if spent.left == 1 { "day" } else { "days" };
        update.notes.push(format!("You have {} {days} of vacation left for {}.", spent.left, spent.year));
        let written_at = spent.written_at.map_or(0, Timestamp::as_second);
        let news = BoardNews::new(update, board.row.players, &[mover]);
        self.tell(store, &format!("day spent {} {written_at}", player.0), news)?;
        Ok(true)
    }

    /// Ends a board whose deadline has passed. The player to move loses, unless the board [`lapses`] or a ply closes the
    /// turn.
    fn end(
        &mut self,
        store: &Store,
        board: &mut Board,
        mover: Seat,
        events: &[EventRow],
    ) -> Result<(), Error> {
        let answered = !lapses(&board.row, events);
        if let Some(ply) = board.table.closing_ply().filter(|_| answered) {
            return self.close(store, board, (mover, &ply));
        }
        let (kind, what, happened) = match answered {
            true => (EventKind::TimedOut, "timed-out", BoardEvent::TimedOut),
            false => (EventKind::Decline, "lapsed", BoardEvent::Lapsed),
        };
        let deadline_at = board.row.deadline_at;
        let event = EventRow { seat: Some(mover), deadline_at, ..board.next_event(kind, self.now) };
        clocks::keep(store, board, event)?;
        let changes = ended(store, Some(self.limits), board, self.now)?;
        let counter = if answered { &mut self.ticked.timed_out } else { &mut self.ticked.declined };
        *counter += 1;
        let mut view = board_view(store, board)?;
        view.show_ratings(&changes);
        if happened == BoardEvent::Lapsed {
            // The store records the lapsed board as declined, but no player declined it.
            view.result = Some("The game is off, and no player lost it.".to_owned());
        }
        let update = BoardUpdate::new(happened, mover, view);
        let occasion = format!("{what} {} {}", board.row.id, board.row.events);
        self.tell(store, &occasion, BoardNews::new(update, board.row.players, &Seat::BOTH))
    }

    /// Plays the ply that closes the turn of a player whose time has run out.
    fn close(&mut self, store: &Store, board: &mut Board, (mover, ply): (Seat, &str)) -> Result<(), Error> {
        let [first, second] = board.row.players;
        let zones = [self.calendar.zone(store, first)?.1, self.calendar.zone(store, second)?.1];
        let (event, played) = board
            .play(ply, None, self.now, &zones)
            .map_err(|why| StoreError::Damaged(format!("board {}: {why}", board.row.id)))?;
        store.add_event(board.row.id, &event)?;
        store.update_board(&board.row)?;
        clocks::settle_now(store, board, self.now)?;
        let mut view = board_view(store, board)?;
        if board.row.state == BoardState::Finished {
            view.show_ratings(&ended(store, Some(self.limits), board, self.now)?);
        }
        let remarks = [vec![format!("So the server has played `{ply}`.")], played.remarks].concat();
        let played = PlyView::of(&event).into_iter().collect();
        let step = BoardStep { played, remarks, ..BoardStep::new(BoardEvent::TimedOut, mover) };
        let occasion = format!("closed {} {}", board.row.id, board.row.events);
        let news = BoardNews::new(BoardUpdate::of(step, view), board.row.players, &Seat::BOTH);
        self.tell(store, &occasion, news)?;
        self.look(store, board.row.id)
    }

    /// Mails the player to move a reminder or a last warning. `lapses`: the deadline closes the board without a loser.
    fn remind(
        &mut self,
        store: &Store,
        board: &Board,
        (event, lapses): (BoardEvent, bool),
        mover: Seat,
        turn: u32,
    ) -> Result<(), Error> {
        let view = board_view(store, board)?;
        let fate = board.table.closing_ply().map(|ply| format!("the server plays `{ply}` for you"));
        let update = BoardUpdate { lapses, fate, ..BoardUpdate::new(event, mover, view) };
        let (what, counter) = match event {
            BoardEvent::LastWarning => ("warning", &mut self.ticked.warned),
            _ => ("reminder", &mut self.ticked.reminded),
        };
        *counter += 1;
        let news = BoardNews::new(update, board.row.players, &[mover]);
        self.tell(store, &format!("{what} {} {turn}", board.row.id), news)
    }
}

/// True if a board closes without a loser at its deadline: no player has accepted it, and it belongs to no contest.
fn lapses(row: &BoardRow, events: &[EventRow]) -> bool {
    row.contest.is_none() && taken_up_by(events).is_none()
}
