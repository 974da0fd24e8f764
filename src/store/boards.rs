//! Boards, their seats and their events.

use rusqlite::params;
use sha2::{Digest, Sha256};

use super::columns::{StoredRow, seat_number};
use super::records::{BoardRow, BoardState, EventRow, LiveState, PlyRow};
use super::sql::{Select, Write};
use super::{PlayerId, Result, Store};
use crate::ids::{BoardId, Ply, Seat};

impl Store {
    /// The latest board of a player that started as the rematch of `old`.
    pub fn rematch_of(&self, player: PlayerId, old: BoardId) -> Result<Option<BoardId>> {
        self.find(
            "SELECT e.board FROM seats s JOIN events e ON e.board = s.board AND e.number = 1
             WHERE s.player = ?1 AND s.board > ?2 AND json_extract(e.text, '$.rematch_of') = ?2
             ORDER BY e.board DESC LIMIT 1",
            params![player, old],
        )
    }

    pub fn tutorial_of(&self, player: PlayerId, game: &str) -> Result<Option<BoardId>> {
        self.find(
            "SELECT b.id FROM seats s JOIN boards b ON b.id = s.board AND b.state = 'running'
             JOIN events e ON e.board = b.id AND e.number = 1
             WHERE s.player = ?1 AND b.game = ?2 AND json_extract(e.text, '$.tutorial')
             ORDER BY b.id DESC LIMIT 1",
            params![player, game],
        )
    }

    pub fn running_positions(&self, player: PlayerId, game: &str) -> Result<Vec<String>> {
        self.all(
            "SELECT b.position FROM seats s JOIN boards b ON b.id = s.board AND b.state = 'running'
             WHERE s.player = ?1 AND b.game = ?2",
            params![player, game],
        )
    }

    pub fn board(&self, id: BoardId) -> Result<Option<BoardRow>> {
        Select::rows().and_with("b.id = ?", id).first(self)
    }

    /// A short text that changes whenever the pages of a finished board change: the number of its last event, the
    /// names and ratings of its players, its analysis, and the notes that players show. `None` for a board in play.
    pub fn over(&self, id: BoardId, game: &str) -> Result<Option<String>> {
        self.find(
            "SELECT concat_ws(' ', b.id, b.events, b.changed_at, b.state, b.rated,
                (SELECT group_concat(concat_ws(' ', p.userid, r.rating)) FROM seats s JOIN players p ON p.id = s.player
                    LEFT JOIN finishes f ON f.board = s.board
                    LEFT JOIN rating_steps r ON r.finish = f.number AND r.player = s.player WHERE s.board = b.id),
                (SELECT concat_ws(' ', asked_at, octet_length(made)) FROM analyses WHERE board = b.id),
                (SELECT group_concat(concat_ws(' ', player, ply, noted_at)) FROM notes WHERE board = b.id AND shown))
             FROM boards b WHERE b.id = ?1 AND b.game = ?2 AND b.to_move IS NULL",
            params![id, game],
        )
    }

    pub fn news_of_board(&self, board: BoardId) -> Result<Option<LiveState>> {
        Select::rows().and_with("b.id = ?", board).first(self)
    }

    /// The news of all boards of a player, and of the words to that player.
    pub fn news_of_player(&self, player: PlayerId) -> Result<LiveState> {
        self.one(
            "SELECT coalesce(sum(b.events), 0),
                (SELECT max(id) FROM messages WHERE reader = ?1 AND board IS NOT NULL AND words IS NOT NULL)
             FROM seats s JOIN boards b ON b.id = s.board WHERE s.player = ?1",
            [player],
        )
    }

    /// Changes when another connection has changed the database.
    pub fn data_version(&self) -> Result<i64> {
        self.one("SELECT data_version FROM pragma_data_version", [])
    }

    /// The boards with numbers from `first` to `last`, in order, without those that lack a seat.
    pub fn boards_between(&self, first: BoardId, last: BoardId) -> Result<Vec<BoardRow>> {
        Select::rows().and_with("b.id >= ?", first).and_with("b.id <= ?", last).order("b.id").all(self)
    }

    /// The events of these boards, board by board.
    pub fn events_between(&self, first: BoardId, last: BoardId) -> Result<Vec<(BoardId, EventRow)>> {
        Select::columns(&format!("board, {}", EventRow::COLUMNS), EventRow::FROM)
            .and_with("board >= ?", first)
            .and_with("board <= ?", last)
            .order("board, number")
            .all(self)
    }

    /// The numbers of boards from `first` on, oldest first.
    pub fn board_numbers_from(&self, first: BoardId, limit: u32) -> Result<Vec<BoardId>> {
        Select::columns("id", "boards").and_with("id >= ?", first).order("id").limit(limit).all(self)
    }

    /// The number of a new board. Valid only in a write transaction.
    pub fn next_board(&self) -> Result<BoardId> {
        self.one("SELECT coalesce(max(id), 0) + 1 FROM boards", [])
    }

    pub fn add_board(&self, row: &BoardRow) -> Result<()> {
        self.keep_board(row)?;
        self.seat_players(row)?;
        self.note_robot_turn(row)
    }

    /// Writes the whole row of a board that is new or over.
    pub(super) fn keep_board(&self, row: &BoardRow) -> Result<()> {
        Write::row(row).upsert("id", self)
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

    /// Counts a hint for a player on a board, and gives its number; `None` after `most` hints. Repeating the last
    /// hint, in the same position, does not count.
    pub fn count_hint(
        &self,
        board: BoardId,
        player: PlayerId,
        position: &str,
        most: u32,
    ) -> Result<Option<u32>> {
        self.find(
            "UPDATE seats SET hints = hints + (hinted IS NOT ?3), hinted = ?3
             WHERE board = ?1 AND player = ?2 AND (hints < ?4 OR hinted = ?3) RETURNING hints",
            params![board, player, position, most],
        )
    }

    /// Stores a board after an event.
    pub fn update_board(&self, row: &BoardRow) -> Result<()> {
        if row.state == BoardState::Running {
            self.update_running(row)?
        } else {
            self.update_ended(row)?
        }
        self.note_robot_turn(row)
    }

    /// Does not write state and result: naming those columns makes SQLite rewrite every index over the state
    /// at each ply.
    fn update_running(&self, row: &BoardRow) -> Result<()> {
        const CHANGED: &str = "id, position, plies, events, to_move, changed_at, deadline_at, proposal, proposed_by, \
            may_swap, swapped";
        Write::row(row).only(CHANGED).with("clock_at", 0_i64).update(self)
    }

    pub(super) fn update_ended(&self, row: &BoardRow) -> Result<()> {
        // If the board was already over, the snapshot of its contest contains the old result.
        self.execute(
            "DELETE FROM contest_snapshots
             WHERE contest = (SELECT contest FROM boards WHERE id = ?1 AND state <> 'running')",
            [row.id],
        )?;
        self.keep_board(row)?;
        if let Some(of) = &row.contest {
            self.wake_contest(of.contest, row.changed_at)?;
        }
        self.run("DELETE FROM clocks WHERE board = ?1", [row.id])
    }

    pub fn add_event(&self, board: BoardId, event: &EventRow) -> Result<()> {
        Write::row(event).to("events").with("board", board).insert(self).map(drop)
    }

    /// The events of a board, in order.
    pub fn events(&self, board: BoardId) -> Result<Vec<EventRow>> {
        Select::rows().and_with("board = ?", board).order("number").all(self)
    }

    /// The events of a board that put players on seats, in order: its start, swaps and reseats.
    pub fn seat_events(&self, board: BoardId) -> Result<Vec<EventRow>> {
        Select::rows()
            .and_with("board = ?", board)
            .and("kind IN ('start', 'swap', 'reseat')")
            .order("number")
            .all(self)
    }

    /// Everyone who has or had a seat on a board.
    pub fn sitters(&self, board: BoardId) -> Result<Vec<PlayerId>> {
        self.all(
            "SELECT value FROM events, json_each(text, '$.players') WHERE board = ?1 AND number = 1
             UNION SELECT player FROM events WHERE board = ?1 AND kind = 'reseat'",
            [board],
        )
    }

    /// A digest of the record up to each event: what happened, when, and from which position. It leaves out the
    /// players, since the host can give a game to another account.
    pub fn record_digests(&self, board: BoardId) -> Result<Vec<[u8; 32]>> {
        let events: Vec<String> = self.all(
            "SELECT kind || ' ' || at || ' ' || ifnull(seat, '') || ' ' || ifnull(ply, '') || ' '
                 || iif(number = 1, ifnull(json_extract(text, '$.position'), ''), text)
             FROM events WHERE board = ?1 ORDER BY number",
            [board],
        )?;
        let mut hash = Sha256::new();
        let digest = |event: String| {
            hash.update((event.len() as u64).to_be_bytes());
            hash.update(event);
            hash.clone().finalize().into()
        };
        Ok(events.into_iter().map(digest).collect())
    }

    /// The number of the last event that changed the position (start, ply, undo, swap). Then the number of the last
    /// event of a kind other than `deadline`.
    pub fn last_events(&self, board: BoardId) -> Result<[u32; 2]> {
        // For `IN` with a list, SQLite builds a table each time, which costs more than the query.
        self.one(
            "SELECT coalesce(max(number) FILTER (WHERE kind = 'start' OR kind = 'ply' OR kind = 'undo' OR kind = 'swap'), 0),
                    coalesce(max(number) FILTER (WHERE kind <> 'deadline'), 0)
             FROM events WHERE board = ?1",
            [board])
    }

    /// The number of the last event that changed the position and was no act of `player`. A forced pass is no act.
    pub fn last_move_of_others(&self, board: BoardId, player: PlayerId) -> Result<u32> {
        self.one(
            "SELECT coalesce(max(number), 0) FROM events
             WHERE board = ?1 AND (kind = 'start' OR kind = 'ply' OR kind = 'undo' OR kind = 'swap')
               AND (player <> ?2 OR (player IS NULL AND kind <> 'ply'))",
            params![board, player],
        )
    }

    /// True if the spaces of a board were renamed, and nothing was played or taken back there since. A player can
    /// then name a space as an earlier mail did.
    pub fn is_newly_renamed(&self, board: BoardId) -> Result<bool> {
        self.exists(
            "SELECT 1 FROM renamed r WHERE board = ?1 AND NOT EXISTS (SELECT 1 FROM events e
             WHERE e.board = r.board AND e.number > r.events AND (e.kind = 'ply' OR e.kind = 'undo'))",
            [board],
        )
    }

    pub fn is_seated(&self, board: BoardId, player: PlayerId) -> Result<bool> {
        self.exists("SELECT 1 FROM seats WHERE board = ?1 AND player = ?2", params![board, player])
    }

    /// The parts of a reply token: the player's seat and secret, and the last event of the board.
    pub fn reply_seat(&self, board: BoardId, player: PlayerId) -> Result<Option<(Seat, [u8; 32], u32)>> {
        self.find(
            "SELECT s.seat, p.secret, b.events
             FROM seats s JOIN players p ON p.id = s.player
             JOIN boards b ON b.id = s.board
             WHERE s.board = ?1 AND s.player = ?2",
            params![board, player],
        )
    }

    /// The valid plies from `from` to `to`. If two plies have the same number, the later one is valid.
    pub fn plies(&self, board: BoardId, from: Ply, to: Ply) -> Result<Vec<PlyRow>> {
        Select::columns(&format!("{}, max(number)", PlyRow::COLUMNS), PlyRow::FROM)
            .and_with("board = ?", board)
            .and("kind = 'ply'")
            .and_with("ply >= ?", from)
            .and_with("ply <= ?", to)
            .group("ply")
            .order("ply")
            .all(self)
    }
}
