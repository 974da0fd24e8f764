//! State of the timer: deadlines, reminders and nudges of boards, and its own runs.

use jiff::Timestamp;
use rusqlite::params;

use super::columns::stored_row;
use super::sql::{Select, Write};
use super::{PlayerId, Result, Store};
use crate::ids::BoardId;

stored_row! {
    /// The timer's view of a board in play.
    #[derive(Debug, Clone, PartialEq, Eq, Default)]
    pub struct ClockRow from "clocks" {
        /// The event that started the turn.
        pub turn: u32 = "turn",
        /// The zone of the player to move when the turn began.
        pub zone: String = "zone",
        /// When to remind the player to move; `None` if no reminder is left this turn.
        pub remind_at: Option<Timestamp> = "remind_at",
        /// The turn of the last reminder.
        pub reminded: u32 = "reminded",
        /// When to warn the player to move that a forfeit is near; `None` if no warning is left this turn.
        pub warn_at: Option<Timestamp> = "warn_at",
        /// The turn of the last warning.
        pub warned: u32 = "warned",
        /// The vacations of both players that the deadline includes, as a text to compare.
        pub vacations: String = "vacations",
        /// The last stop of the server that the deadline includes.
        pub stop: i64 = "stop",
        /// The last stop that moved the deadline.
        pub moved: i64 = "moved",
        /// When a player last nudged the other.
        pub nudged_at: Option<Timestamp> = "nudged_at",
    }
}

stored_row! {
    /// A time without a running timer.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct StopRow from "stops" {
        pub id: i64 = "id",
        pub from: Timestamp = "from_at",
        pub to: Timestamp = "to_at",
        /// True if the players have been told.
        pub told: bool = "told",
    }
}

const DUE_BOARDS: &str =
    "SELECT id FROM boards INDEXED BY boards_by_clock WHERE state = 'running' AND clock_at <= ?1";

/// CROSS JOIN fixes the order: first the few clocks, then their seats. A finished board has no clock.
const COUNTED_ON_VACATION: &str =
    "SELECT DISTINCT s.player FROM clocks c INDEXED BY clocks_with_vacations CROSS JOIN seats s ON s.board = c.board
     WHERE c.vacations <> ''";

impl Store {
    pub fn clock(&self, board: BoardId) -> Result<Option<ClockRow>> {
        Select::rows().and_with("board = ?", board).first(self)
    }

    pub fn keep_clock(&self, board: BoardId, clock: &ClockRow) -> Result<()> {
        Write::row(clock).with("board", board).replace(self)
    }

    /// Stores the clock of a board, and when the timer looks at it next; `None`: after the next event on it.
    pub fn set_clock(&self, board: BoardId, clock: &ClockRow, next: Option<Timestamp>) -> Result<()> {
        self.keep_clock(board, clock)?;
        let next = next.map(Timestamp::as_second);
        self.run("UPDATE boards SET clock_at = ?2 WHERE id = ?1", params![board, next])
    }

    /// The boards in play that changed or have something due. Vacations and stops are checked separately.
    pub fn due_boards(&self, at: Timestamp) -> Result<Vec<BoardId>> {
        self.all(DUE_BOARDS, [at.as_second()])
    }

    /// The boards in play whose deadline does not include the stop. Reads all boards in play.
    pub fn boards_before_stop(&self, stop: i64) -> Result<Vec<BoardId>> {
        self.all(
            "SELECT b.id FROM boards b LEFT JOIN clocks c ON c.board = b.id
             WHERE b.state = 'running' AND coalesce(c.stop, 0) < ?1",
            [stop],
        )
    }

    /// The boards in play of a player, with both players and the vacations that the deadline includes.
    pub fn boards_in_play_of(&self, player: PlayerId) -> Result<Vec<(BoardId, [PlayerId; 2], String)>> {
        self.all(
            "SELECT b.id, f.player, s.player, coalesce(c.vacations, '')
             FROM seats p JOIN boards b ON b.id = p.board AND b.state = 'running'
             JOIN seats f ON f.board = b.id AND f.seat = 0 JOIN seats s ON s.board = b.id AND s.seat = 1
             LEFT JOIN clocks c ON c.board = b.id
             WHERE p.player = ?1 ORDER BY b.id",
            [player],
        )
    }

    /// The players of boards whose deadlines include vacations.
    pub fn players_counted_on_vacation(&self) -> Result<Vec<PlayerId>> {
        self.all(COUNTED_ON_VACATION, [])
    }

    /// When the oldest board in play started, or else when the first mail was written.
    pub fn began(&self) -> Result<Option<Timestamp>> {
        let sql = "SELECT coalesce(min(started_at), (SELECT created_at FROM outbox ORDER BY id LIMIT 1))
                   FROM boards WHERE state = 'running'";
        self.one(sql, [])
    }

    pub fn last_tick(&self) -> Result<Option<Timestamp>> {
        self.find("SELECT last_at FROM ticks", [])
    }

    /// About when the server was upgraded to a version that derives deadlines; `None` if it always ran one.
    pub fn foreseen(&self) -> Result<Option<Timestamp>> {
        self.find("SELECT until FROM foreseen", [])
    }

    /// The usual pause of the timer in seconds: the shorter of its last two pauses, at most a day. A machine that
    /// runs once a month has no usual pause.
    pub fn usual_pause(&self) -> Result<i64> {
        let pause = self.find("SELECT min(last, before, 86400) FROM pauses", [])?;
        Ok(pause.unwrap_or(0))
    }

    /// Records a run of the timer. A second run at the same time is no pause.
    pub fn note_tick(&self, at: Timestamp) -> Result<()> {
        let at = at.as_second();
        self.execute(
            "INSERT INTO pauses (only, last, before) SELECT 1, ?1 - last_at, 0 FROM ticks WHERE last_at < ?1
             ON CONFLICT (only) DO UPDATE SET before = last, last = excluded.last",
            [at],
        )?;
        self.run("INSERT OR REPLACE INTO ticks (only, last_at) VALUES (1, ?1)", [at])
    }

    pub fn add_stop(&self, from: Timestamp, to: Timestamp) -> Result<()> {
        self.run("INSERT INTO stops (from_at, to_at) VALUES (?1, ?2)", [from.as_second(), to.as_second()])
    }

    /// Ends stops that reach beyond `at`, because the clock was set back; true if there were any. If a stop loses
    /// more than `much` seconds, the players are told again.
    pub fn cut_stops(&self, at: Timestamp, much: i64) -> Result<bool> {
        let cut = self.execute(
            "UPDATE stops SET to_at = max(from_at, ?1), told = iif(to_at - max(from_at, ?1) > ?2, 0, told)
             WHERE to_at > ?1 AND to_at > from_at",
            [at.as_second(), much],
        )?;
        Ok(cut > 0)
    }

    /// Makes the timer read every board in play again.
    pub fn forget_clocks(&self) -> Result<()> {
        self.run("UPDATE boards SET clock_at = 0 WHERE state = 'running'", [])
    }

    /// The times in which no timer ran, in order.
    pub fn stops(&self) -> Result<Vec<StopRow>> {
        Select::rows().order("id").all(self)
    }

    pub fn boards_moved_by(&self, stop: i64) -> Result<Vec<(BoardId, [PlayerId; 2])>> {
        self.all(
            "SELECT b.id, f.player, s.player FROM clocks c JOIN boards b ON b.id = c.board
             AND b.state = 'running'
             JOIN seats f ON f.board = b.id AND f.seat = 0 JOIN seats s ON s.board = b.id
             AND s.seat = 1
             WHERE c.moved = ?1 ORDER BY b.id",
            [stop],
        )
    }

    /// Records that the players know of a stop.
    pub fn stop_is_told(&self, stop: i64) -> Result<()> {
        self.run("UPDATE stops SET told = 1 WHERE id = ?1", [stop])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ids::Seat;
    use crate::store::vacations::ON_VACATION;
    use crate::store::{BoardRow, BoardState, TimeControl};

    fn at(second: i64) -> Timestamp {
        Timestamp::from_second(second).unwrap()
    }

    /// A store with boards that the timer has read; three of them are due.
    fn with_boards(boards: u32) -> Store {
        let store = Store::in_memory().unwrap();
        for id in 1..=boards {
            let id = BoardId(id);
            let row = BoardRow {
                id,
                game: "dvonn".into(),
                players: [PlayerId::robot(1), PlayerId::robot(2)],
                rated: false,
                state: BoardState::Running,
                position: String::new(),
                plies: crate::ids::Ply::START,
                events: 1,
                to_move: Some(Seat::First),
                result: None,
                proposal: None,
                may_swap: false,
                swapped: false,
                days: TimeControl { nag: 7, forfeit: 21, ..TimeControl::default() },
                contest: None,
                started_at: at(0),
                changed_at: at(0),
                deadline_at: Some(at(2000)),
            };
            store.add_board(&row).unwrap();
            let next = if id.0 <= 3 { 1000 } else { 2000 };
            store.set_clock(id, &ClockRow::default(), Some(at(next))).unwrap();
        }
        store
    }

    #[test]
    fn a_tick_costs_what_is_due_however_many_boards_there_are() {
        let [few, many] = [5, 500].map(with_boards);
        for (sql, values) in [(DUE_BOARDS, &[1500][..]), (COUNTED_ON_VACATION, &[]), (ON_VACATION, &[1500])] {
            assert_eq!(few.steps(sql, values), many.steps(sql, values), "{sql}");
        }
        assert_eq!(many.due_boards(at(1500)).unwrap(), [1, 2, 3].map(BoardId));
    }
}
