//! What the timer knows about boards: deadlines, reminders, nudges, and its own runs.

use jiff::Timestamp;
use rusqlite::params;

use super::sql::Columns;
use super::{PlayerId, Result, Store};
use crate::ids::BoardId;

/// The timer's view of a board in play.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ClockRow {
    /// The last event of the board that the timer has seen.
    pub event: u32,
    /// The event that began the turn.
    pub turn: u32,
    /// When to remind the player to move; `None`: not again this turn.
    pub remind_at: Option<Timestamp>,
    /// The turn of the last reminder.
    pub reminded: u32,
    /// When to warn the player to move that the forfeit is near; `None`: not again this turn.
    pub warn_at: Option<Timestamp>,
    /// The turn of the last warning.
    pub warned: u32,
    /// The vacations of both players that the deadline counts, as a text to compare.
    pub vacations: String,
    /// The last stop of the server that the deadline counts.
    pub stop: i64,
    /// The last stop that moved the deadline.
    pub moved: i64,
    /// When a player last nudged the other.
    pub nudged_at: Option<Timestamp>,
}

/// A time in which no timer ran.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StopRow {
    pub id: i64,
    /// The last run before it.
    pub from: Timestamp,
    /// The first run after it.
    pub to: Timestamp,
    /// True when the players know.
    pub told: bool,
}

impl Store {
    pub fn clock(&self, board: BoardId) -> Result<Option<ClockRow>> {
        let sql =
            "SELECT event, turn, remind_at, reminded, vacations, stop, moved, nudged_at, warn_at, warned
                   FROM clocks WHERE board = ?1";
        self.find(sql, [board], |row| {
            Ok(ClockRow {
                event: row.get(0)?,
                turn: row.get(1)?,
                remind_at: row.optional_instant(2)?,
                reminded: row.get(3)?,
                vacations: row.get(4)?,
                stop: row.get(5)?,
                moved: row.get(6)?,
                nudged_at: row.optional_instant(7)?,
                warn_at: row.optional_instant(8)?,
                warned: row.get(9)?,
            })
        })
    }

    pub fn keep_clock(&self, board: BoardId, clock: &ClockRow) -> Result<()> {
        self.execute(
            "INSERT OR REPLACE INTO clocks
                (board, event, turn, remind_at, reminded, vacations, stop, moved, nudged_at, warn_at, warned)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)",
            params![
                board,
                clock.event,
                clock.turn,
                clock.remind_at.map(Timestamp::as_second),
                clock.reminded,
                clock.vacations,
                clock.stop,
                clock.moved,
                clock.nudged_at.map(Timestamp::as_second),
                clock.warn_at.map(Timestamp::as_second),
                clock.warned,
            ],
        )?;
        Ok(())
    }

    /// The boards in play that need the timer: changed, not counting `stop` yet, overdue, or due for a
    /// reminder or a warning. Vacations are checked apart.
    pub fn due_boards(&self, at: Timestamp, stop: i64) -> Result<Vec<BoardId>> {
        self.all(
            "SELECT b.id FROM boards b LEFT JOIN clocks c ON c.board = b.id
             WHERE b.state = 'running'
               AND (c.event IS NOT b.events OR c.stop < ?2 OR b.deadline_at <= ?1 OR c.remind_at <= ?1
                    OR c.warn_at <= ?1)
             ORDER BY b.id",
            params![at.as_second(), stop],
            |row| row.get(0),
        )
    }

    /// The boards in play of a player, with both players and the vacations counted for them.
    pub fn boards_in_play_of(&self, player: PlayerId) -> Result<Vec<(BoardId, [PlayerId; 2], String)>> {
        self.all(
            "SELECT b.id, f.player, s.player, coalesce(c.vacations, '')
             FROM seats p JOIN boards b ON b.id = p.board AND b.state = 'running'
             JOIN seats f ON f.board = b.id AND f.seat = 0 JOIN seats s ON s.board = b.id AND s.seat = 1
             LEFT JOIN clocks c ON c.board = b.id
             WHERE p.player = ?1 ORDER BY b.id",
            [player],
            |row| Ok((row.get(0)?, [row.get(1)?, row.get(2)?], row.get(3)?)),
        )
    }

    /// The players of boards whose deadlines count vacations.
    pub fn players_counted_on_vacation(&self) -> Result<Vec<PlayerId>> {
        // CROSS keeps the order: the few boards in play first, then their seats.
        self.all(
            "SELECT DISTINCT s.player FROM boards b CROSS JOIN clocks c ON c.board = b.id AND c.vacations <> ''
             CROSS JOIN seats s ON s.board = b.id WHERE b.state = 'running' ORDER BY s.player",
            [],
            |row| row.get(0),
        )
    }

    /// When the oldest board in play started.
    pub fn oldest_in_play(&self) -> Result<Option<Timestamp>> {
        let sql = "SELECT min(started_at) FROM boards WHERE state = 'running'";
        self.one(sql, [], |row| row.optional_instant(0))
    }

    pub fn last_tick(&self) -> Result<Option<Timestamp>> {
        self.find("SELECT last_at FROM ticks", [], |row| row.instant(0))
    }

    /// How often the timer usually runs, in seconds: the shorter of its last two pauses.
    pub fn usual_pause(&self) -> Result<i64> {
        let pause = self.find("SELECT min(last, before) FROM pauses", [], |row| row.get(0))?;
        Ok(pause.unwrap_or(0))
    }

    /// Notes a run of the timer. A second one at the same time is no pause.
    pub fn note_tick(&self, at: Timestamp) -> Result<()> {
        let at = at.as_second();
        self.execute(
            "INSERT INTO pauses (only, last, before) SELECT 1, ?1 - last_at, 0 FROM ticks WHERE last_at < ?1
             ON CONFLICT (only) DO UPDATE SET before = last, last = excluded.last",
            [at],
        )?;
        self.execute("INSERT OR REPLACE INTO ticks (only, last_at) VALUES (1, ?1)", [at])?;
        Ok(())
    }

    /// Records that no timer ran from `from` to `to`.
    pub fn add_stop(&self, from: Timestamp, to: Timestamp) -> Result<()> {
        self.execute(
            "INSERT INTO stops (from_at, to_at) VALUES (?1, ?2)",
            [from.as_second(), to.as_second()],
        )?;
        Ok(())
    }

    /// Cuts off stops after `at`, when the clock was set back. Gives true when there were any.
    pub fn cut_stops(&self, at: Timestamp) -> Result<bool> {
        let cut = self.execute(
            "UPDATE stops SET to_at = max(from_at, ?1) WHERE to_at > ?1 AND to_at > from_at",
            [at.as_second()],
        )?;
        Ok(cut > 0)
    }

    /// Makes the timer read every board in play again.
    pub fn forget_clocks(&self) -> Result<()> {
        self.execute("UPDATE clocks SET event = 0", [])?;
        Ok(())
    }

    /// The times in which no timer ran, in order.
    pub fn stops(&self) -> Result<Vec<StopRow>> {
        self.all("SELECT id, from_at, to_at, told FROM stops ORDER BY id", [], |row| {
            Ok(StopRow { id: row.get(0)?, from: row.instant(1)?, to: row.instant(2)?, told: row.get(3)? })
        })
    }

    /// The boards in play whose deadline a stop moved, with their players.
    pub fn boards_moved_by(&self, stop: i64) -> Result<Vec<(BoardId, [PlayerId; 2])>> {
        self.all(
            "SELECT b.id, f.player, s.player FROM clocks c JOIN boards b ON b.id = c.board
             AND b.state = 'running'
             JOIN seats f ON f.board = b.id AND f.seat = 0 JOIN seats s ON s.board = b.id
             AND s.seat = 1
             WHERE c.moved = ?1 ORDER BY b.id",
            [stop],
            |row| Ok((row.get(0)?, [row.get(1)?, row.get(2)?])),
        )
    }

    /// Records that the players know of a stop.
    pub fn stop_is_told(&self, stop: i64) -> Result<()> {
        self.execute("UPDATE stops SET told = 1 WHERE id = ?1", [stop])?;
        Ok(())
    }
}
