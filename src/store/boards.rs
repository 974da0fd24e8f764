//! Boards, their seats and their events.

use jiff::Timestamp;
use rusqlite::{Row, ToSql, params};

use super::records::{BoardFilter, BoardRow, Days, Ending, EventRow, PlyRow, Proposal, ResultRow, State};
use super::sql::{Columns, seat_number};
use super::{PlayerId, Result, Store};
use crate::ids::{BoardId, Ply, Seat, Which};

pub(super) const BOARD: &str = "SELECT b.id, b.game, b.rated, b.state, b.position, b.plies, b.events, b.to_move, b.ending, b.winner,
    b.score_first, b.score_second, b.how, b.nag_days, b.forfeit_days, b.total_days, b.started_at, b.changed_at,
    b.deadline_at, f.player, s.player, b.proposal, b.proposed_by, b.may_swap, b.swapped
    FROM boards b JOIN seats f ON f.board = b.id AND f.seat = 0 JOIN seats s ON s.board = b.id AND s.seat = 1";

impl Store {
    /// The latest board of a player that began as the rematch of `old`.
    pub fn rematch_of(&self, player: PlayerId, old: BoardId) -> Result<Option<BoardId>> {
        self.find(
            "SELECT e.board FROM seats s JOIN events e ON e.board = s.board AND e.number = 1
             WHERE s.player = ?1 AND s.board > ?2 AND json_extract(e.text, '$.rematch_of') = ?2
             ORDER BY e.board DESC LIMIT 1",
            params![player, old],
            |row| row.get(0),
        )
    }

    /// The running tutorial of a player in a game.
    pub fn tutorial_of(&self, player: PlayerId, game: &str) -> Result<Option<BoardId>> {
        self.find(
            "SELECT b.id FROM seats s JOIN boards b ON b.id = s.board AND b.state = 'running'
             JOIN events e ON e.board = b.id AND e.number = 1
             WHERE s.player = ?1 AND b.game = ?2 AND json_extract(e.text, '$.tutorial')
             ORDER BY b.id DESC LIMIT 1",
            params![player, game],
            |row| row.get(0),
        )
    }

    /// The positions of a player's running boards of a game.
    pub fn running_positions(&self, player: PlayerId, game: &str) -> Result<Vec<String>> {
        self.all(
            "SELECT b.position FROM seats s JOIN boards b ON b.id = s.board AND b.state = 'running'
             WHERE s.player = ?1 AND b.game = ?2",
            params![player, game],
            |row| row.get(0),
        )
    }

    pub fn board(&self, id: BoardId) -> Result<Option<BoardRow>> {
        self.find(&format!("{BOARD} WHERE b.id = ?1"), [id], board)
    }

    /// The newest boards that match `filter`, newest first.
    pub fn boards(&self, filter: &BoardFilter) -> Result<Vec<BoardRow>> {
        let mut sql = String::from(BOARD);
        let mut values: Vec<Box<dyn ToSql>> = Vec::new();
        let mut conditions: Vec<String> = Vec::new();
        if let Some(player) = filter.player {
            values.push(Box::new(player));
            conditions.push(format!("b.id IN (SELECT board FROM seats WHERE player = ?{})", values.len()));
        }
        if let Some(game) = &filter.game {
            values.push(Box::new(game.clone()));
            conditions.push(format!("b.game = ?{}", values.len()));
        }
        match (filter.which, filter.player) {
            (Which::All, _) => {}
            (Which::Active, _) | (Which::Next, None) => conditions.push("b.state = 'running'".into()),
            (Which::Inactive, _) => conditions.push("b.state <> 'running'".into()),
            (Which::Next, Some(_)) => conditions.push(
                "b.state = 'running' AND EXISTS
                 (SELECT 1 FROM seats n WHERE n.board = b.id AND n.player = ?1 AND n.seat = b.to_move)"
                    .into(),
            ),
        }
        if let Some(before) = filter.before {
            values.push(Box::new(before));
            conditions.push(format!("b.id < ?{}", values.len()));
        }
        if !conditions.is_empty() {
            sql.push_str(" WHERE ");
            sql.push_str(&conditions.join(" AND "));
        }
        values.push(Box::new(filter.limit));
        sql.push_str(&format!(" ORDER BY b.id DESC LIMIT ?{}", values.len()));
        self.all(&sql, rusqlite::params_from_iter(values), board)
    }

    /// The numbers of all boards, oldest first.
    pub fn board_numbers(&self) -> Result<Vec<BoardId>> {
        self.all("SELECT id FROM boards ORDER BY id", [], |row| row.get(0))
    }

    /// The number for a new board. Valid only inside a write transaction.
    pub fn next_board(&self) -> Result<BoardId> {
        self.one("SELECT coalesce(max(id), 0) + 1 FROM boards", [], |row| row.get(0))
    }

    pub fn add_board(&self, row: &BoardRow) -> Result<()> {
        self.execute(
            "INSERT INTO boards (id, game, rated, nag_days, forfeit_days, total_days, started_at,
             state, position, plies,
             events, to_move, ending, winner, score_first, score_second, how, changed_at,
             deadline_at, may_swap)
             VALUES (?13, ?14, ?15, ?16, ?17, ?18, ?19, ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10,
             ?11, ?12, ?20)",
            params![
                row.state,
                row.position,
                row.plies,
                row.events,
                row.to_move.map(seat_number),
                row.result.as_ref().map(|r| r.ending),
                row.result.as_ref().and_then(|r| r.winner).map(seat_number),
                row.result.as_ref().and_then(|r| r.score).map(|[first, _]| first),
                row.result.as_ref().and_then(|r| r.score).map(|[_, second]| second),
                row.result.as_ref().and_then(|r| r.how.clone()),
                row.changed_at.as_second(),
                row.deadline_at.map(Timestamp::as_second),
                row.id,
                row.game,
                row.rated,
                row.days.nag,
                row.days.forfeit,
                row.days.total,
                row.started_at.as_second(),
                row.may_swap,
            ],
        )?;
        self.seat_players(row)?;
        self.note_robot_turn(row)
    }

    pub fn seat_players(&self, row: &BoardRow) -> Result<()> {
        for seat in Seat::BOTH {
            self.execute(
                "INSERT INTO seats (board, seat, player) VALUES (?1, ?2, ?3)
                 ON CONFLICT (board, seat) DO UPDATE SET player = excluded.player",
                params![row.id, seat_number(seat), seat.of(&row.players)],
            )?;
        }
        Ok(())
    }

    /// Stores a board after an event.
    pub fn update_board(&self, row: &BoardRow) -> Result<()> {
        if row.state == State::Running {
            self.update_running(row)?
        } else {
            self.update_ended(row)?
        }
        self.note_robot_turn(row)
    }

    /// Leaves state and result out: naming them makes SQLite write every index over the state on each ply.
    fn update_running(&self, row: &BoardRow) -> Result<()> {
        self.execute(
            "UPDATE boards SET position = ?2, plies = ?3, events = ?4, to_move = ?5, changed_at = ?6,
                deadline_at = ?7, proposal = ?8, proposed_by = ?9, may_swap = ?10, swapped = ?11
             WHERE id = ?1",
            params![
                row.id,
                row.position,
                row.plies,
                row.events,
                row.to_move.map(seat_number),
                row.changed_at.as_second(),
                row.deadline_at.map(Timestamp::as_second),
                row.proposal.map(|(proposal, _)| proposal),
                row.proposal.map(|(_, seat)| seat_number(seat)),
                row.may_swap,
                row.swapped,
            ],
        )?;
        Ok(())
    }

    pub(super) fn update_ended(&self, row: &BoardRow) -> Result<()> {
        self.execute(
            "UPDATE boards SET state = ?1, position = ?2, plies = ?3, events = ?4, to_move = ?5,
             ending = ?6,
             winner = ?7, score_first = ?8, score_second = ?9, how = ?10, changed_at = ?11,
             deadline_at = ?12,
             proposal = ?14, proposed_by = ?15, may_swap = ?16, rated = ?17, swapped = ?18
             WHERE id = ?13",
            params![
                row.state,
                row.position,
                row.plies,
                row.events,
                row.to_move.map(seat_number),
                row.result.as_ref().map(|r| r.ending),
                row.result.as_ref().and_then(|r| r.winner).map(seat_number),
                row.result.as_ref().and_then(|r| r.score).map(|[first, _]| first),
                row.result.as_ref().and_then(|r| r.score).map(|[_, second]| second),
                row.result.as_ref().and_then(|r| r.how.clone()),
                row.changed_at.as_second(),
                row.deadline_at.map(Timestamp::as_second),
                row.id,
                row.proposal.map(|(proposal, _)| proposal),
                row.proposal.map(|(_, seat)| seat_number(seat)),
                row.may_swap,
                row.rated,
                row.swapped,
            ],
        )?;
        Ok(())
    }

    pub fn add_event(&self, board: BoardId, event: &EventRow) -> Result<()> {
        self.execute(
            "INSERT INTO events (board, number, kind, at, seat, player, ply, text, deadline_at)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
            params![
                board,
                event.number,
                event.kind,
                event.at.as_second(),
                event.seat.map(seat_number),
                event.player,
                event.ply,
                event.text,
                event.deadline_at.map(Timestamp::as_second),
            ],
        )?;
        Ok(())
    }

    /// The events of a board, in order.
    pub fn events(&self, board: BoardId) -> Result<Vec<EventRow>> {
        self.all(
            "SELECT number, kind, at, seat, player, ply, text, deadline_at FROM events
             WHERE board = ?1 ORDER BY number",
            [board],
            event,
        )
    }

    /// The last event that changed the position (start, ply, undo, swap), and the last that a player caused.
    pub fn last_events(&self, board: BoardId) -> Result<[u32; 2]> {
        self.one(
            "SELECT coalesce(max(number) FILTER (WHERE kind IN ('start', 'ply', 'undo', 'swap')), 0),
                    coalesce(max(number) FILTER (WHERE kind <> 'deadline'), 0)
             FROM events WHERE board = ?1",
            [board],
            |row| Ok([row.get(0)?, row.get(1)?]),
        )
    }

    /// What a reply token is made of: the player's seat, their secret and the last event of a running board.
    pub fn reply_seat(&self, board: BoardId, player: PlayerId) -> Result<Option<(Seat, [u8; 32], u32)>> {
        self.find(
            "SELECT s.seat, p.secret, b.events
             FROM seats s JOIN players p ON p.id = s.player
             JOIN boards b ON b.id = s.board
             WHERE s.board = ?1 AND s.player = ?2",
            params![board, player],
            |row| Ok((row.seat(0)?, row.get(1)?, row.get(2)?)),
        )
    }

    /// The plies that stand from `from` to `to`. Of two plies with one number the later stands.
    pub fn plies(&self, board: BoardId, from: Ply, to: Ply) -> Result<Vec<PlyRow>> {
        self.all(
            "SELECT ply, seat, text, at, player, max(number) FROM events
             WHERE board = ?1 AND kind = 'ply' AND ply BETWEEN ?2 AND ?3 GROUP BY ply ORDER BY ply",
            params![board, from, to],
            |row| {
                Ok(PlyRow {
                    ply: row.get(0)?,
                    seat: row.seat(1)?,
                    text: row.get(2)?,
                    at: row.instant(3)?,
                    player: row.get(4)?,
                })
            },
        )
    }
}

pub(super) fn board(row: &Row<'_>) -> rusqlite::Result<BoardRow> {
    let ending: Option<Ending> = row.get(8)?;
    let score: (Option<u16>, Option<u16>) = (row.get(10)?, row.get(11)?);
    let result = match ending {
        Some(ending) => Some(ResultRow {
            ending,
            winner: row.optional_seat(9)?,
            score: score.0.zip(score.1).map(|(first, second)| [first, second]),
            how: row.get(12)?,
        }),
        None => None,
    };
    let proposal: Option<Proposal> = row.get(21)?;
    let proposed_by = row.optional_seat(22)?;
    Ok(BoardRow {
        id: row.get(0)?,
        game: row.get(1)?,
        players: [row.get(19)?, row.get(20)?],
        rated: row.get(2)?,
        state: row.get(3)?,
        position: row.get(4)?,
        plies: row.get(5)?,
        events: row.get(6)?,
        to_move: row.optional_seat(7)?,
        result,
        proposal: proposal.zip(proposed_by),
        may_swap: row.get(23)?,
        swapped: row.get(24)?,
        days: Days { nag: row.get(13)?, forfeit: row.get(14)?, total: row.get(15)? },
        started_at: row.instant(16)?,
        changed_at: row.instant(17)?,
        deadline_at: row.optional_instant(18)?,
    })
}

fn event(row: &Row<'_>) -> rusqlite::Result<EventRow> {
    Ok(EventRow {
        number: row.get(0)?,
        kind: row.get(1)?,
        at: row.instant(2)?,
        seat: row.optional_seat(3)?,
        player: row.get(4)?,
        ply: row.get(5)?,
        text: row.get(6)?,
        deadline_at: row.optional_instant(7)?,
    })
}
