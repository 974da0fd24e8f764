//! Settings of players, for all games and for one, pauses of mails, and "your move" mails that are held back.

use jiff::Timestamp;
use rusqlite::params;

use super::columns::{StoredRow, stored_row};
use super::sql::{Select, Write};
use super::words::stored_enum;
use super::{PlayerId, Result, Store};
use crate::ids::BoardId;
use crate::settings::{ANNOUNCE, ChosenValue, CurrentSetting, DIGEST, SETTINGS, Setting, WEEKENDS};

stored_enum! {
    #[derive(clap::ValueEnum)]
    AccountRole {
        Player = "player",
        /// Can challenge for others and write to all players.
        Organiser = "organiser",
    }
}

stored_row! {
    /// A player's settings for a game.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
    pub struct GameSettings from "game_settings" {
        /// No challenges above this number of games.
        pub at_most: Option<u32> = "at_most",
        /// No challenges at all.
        pub rejects: bool = "rejects",
        /// The player is told when games end.
        pub tells_ends: bool = "tells_ends",
    }
}

stored_row! {
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct GameResults from "seats s JOIN boards b ON b.id = s.board" {
        /// The key of the game.
        pub game: String = "b.game",
        /// The number of boards in play.
        pub running: u32 = "sum(b.state = 'running')",
        pub won: u32 = "sum(b.state = 'finished' AND b.winner IS s.seat)",
        pub lost: u32 = "sum(b.state = 'finished' AND b.winner IS NOT NULL AND b.winner <> s.seat)",
        pub tied: u32 = "sum(b.state = 'finished' AND b.winner IS NULL)",
    }
}

impl Store {
    /// The value of a setting.
    pub fn setting(&self, player: PlayerId, setting: &Setting) -> Result<String> {
        // Two settings follow from what they began.
        let set: Option<String> = if *setting == WEEKENDS {
            let sql = "SELECT 'off' FROM free_weekends WHERE player = ?1 AND until_at IS NULL";
            self.find(sql, [player])?
        } else if *setting == ANNOUNCE {
            self.find("SELECT 'on' FROM players WHERE id = ?1 AND announced_at IS NOT NULL", [player])?
        } else {
            let sql = "SELECT value FROM settings WHERE player = ?1 AND word = ?2";
            self.find(sql, params![player, setting.word])?
        };
        Ok(set.unwrap_or_else(|| setting.default.to_owned()))
    }

    pub fn is_on(&self, player: PlayerId, switch: &Setting) -> Result<bool> {
        Ok(self.setting(player, switch)? == "on")
    }

    /// All settings of a player.
    pub fn settings(&self, player: PlayerId) -> Result<Vec<CurrentSetting>> {
        SETTINGS.iter().map(|setting| Ok(setting.with(self.setting(player, setting)?))).collect()
    }

    /// Stores a setting. `digest off` deletes the mails held back; the weekly mail of `announce` counts from `now`.
    pub fn set(&self, player: PlayerId, set: ChosenValue, now: Timestamp) -> Result<()> {
        let ChosenValue { setting, value, in_place_of } = set;
        if in_place_of.is_some() && in_place_of != Some(&self.setting(player, setting)?) {
            return Ok(());
        }
        if *setting == ANNOUNCE {
            return self.run(
                "UPDATE players SET announced_at = iif(?2, coalesce(announced_at, ?3), NULL) WHERE id = ?1",
                params![player, value == "on", now.as_second()],
            );
        }
        self.run(
            "INSERT INTO settings (player, word, value) VALUES (?1, ?2, ?3)
             ON CONFLICT (player, word) DO UPDATE SET value = excluded.value",
            params![player, setting.word, value],
        )?;
        if *setting == DIGEST && value == "off" {
            self.forget_told(player)?;
            self.execute("DELETE FROM held WHERE player = ?1", [player])?;
        }
        Ok(())
    }

    pub fn set_zone(&self, player: PlayerId, zone: &str) -> Result<()> {
        self.run("UPDATE players SET zone = ?2 WHERE id = ?1", params![player, zone])
    }

    pub fn role(&self, player: PlayerId) -> Result<AccountRole> {
        self.one("SELECT role FROM players WHERE id = ?1", [player])
    }

    pub fn set_role(&self, player: PlayerId, role: AccountRole) -> Result<()> {
        self.run("UPDATE players SET role = ?2 WHERE id = ?1", params![player, role])
    }

    pub fn game_settings(&self, player: PlayerId, game: &str) -> Result<GameSettings> {
        let found = Select::rows().and_with("player = ?", player).and_with("game = ?", game).first(self)?;
        Ok(found.unwrap_or_default())
    }

    pub fn set_game_settings(&self, player: PlayerId, game: &str, settings: &GameSettings) -> Result<()> {
        Write::row(settings).with("player", player).with("game", game).upsert("player, game", self)
    }

    /// The players who are told when a game of that kind ends.
    pub fn told_of_ends(&self, game: &str) -> Result<Vec<PlayerId>> {
        self.all(
            "SELECT player FROM game_settings JOIN players ON id = player
             WHERE game = ?1 AND tells_ends = 1 AND state = 'active' ORDER BY player",
            [game],
        )
    }

    /// The boards in play that count against a player's limit: those on which both seats have played. Until
    /// then, the player can decline, so a challenger cannot fill another player's limit.
    pub fn boards_in_play(&self, player: PlayerId, game: &str) -> Result<u32> {
        self.one(
            "SELECT count(*) FROM boards b
             WHERE b.game = ?2 AND b.state = 'running' AND b.id IN (SELECT board FROM seats
             WHERE player = ?1)
             AND (SELECT count(DISTINCT e.seat) FROM events e
             WHERE e.board = b.id AND e.kind IN ('ply', 'swap') AND e.player IS NOT NULL) = 2",
            params![player, game],
        )
    }

    /// The boards in play that a player started and that have no moves.
    pub fn unmoved_boards(&self, player: PlayerId) -> Result<u32> {
        self.one(
            "SELECT count(*) FROM seats s JOIN boards b ON b.id = s.board
             JOIN events e ON e.board = b.id AND e.number = 1
             WHERE s.player = ?1 AND b.state = 'running' AND b.plies = 0 AND e.player = ?1",
            [player],
        )
    }

    /// Whether a player has as many boards of a game in play as they want.
    pub fn is_at_the_limit(&self, player: PlayerId, game: &str) -> Result<bool> {
        let limit = self.game_settings(player, game)?.at_most;
        Ok(match limit {
            Some(limit) => self.boards_in_play(player, game)? >= limit,
            None => false,
        })
    }

    /// How many boards of a game a player has finished.
    pub fn boards_finished(&self, player: PlayerId, game: &str) -> Result<u32> {
        self.one(
            "SELECT count(*) FROM seats s JOIN boards b ON b.id = s.board
             WHERE s.player = ?1 AND b.game = ?2 AND b.state = 'finished'",
            params![player, game],
        )
    }

    /// How many boards two players have finished with each other.
    pub fn boards_finished_between(&self, one: PlayerId, two: PlayerId) -> Result<u32> {
        self.one(
            "SELECT count(*) FROM seats s JOIN seats o ON o.board = s.board AND o.player = ?2
             JOIN boards b ON b.id = s.board WHERE s.player = ?1 AND b.state = 'finished'",
            params![one, two],
        )
    }

    pub fn block(&self, player: PlayerId, blocked: PlayerId) -> Result<()> {
        let sql = "INSERT INTO blocks (player, blocked) VALUES (?1, ?2) ON CONFLICT DO NOTHING";
        self.run(sql, [player, blocked])
    }

    pub fn end_block(&self, player: PlayerId, blocked: PlayerId) -> Result<()> {
        self.run("DELETE FROM blocks WHERE player = ?1 AND blocked = ?2", [player, blocked])
    }

    pub fn blocked(&self, player: PlayerId) -> Result<Vec<PlayerId>> {
        self.all("SELECT blocked FROM blocks WHERE player = ?1 ORDER BY blocked", [player])
    }

    /// The players who block a player.
    pub fn blocked_by(&self, player: PlayerId) -> Result<Vec<PlayerId>> {
        self.all("SELECT player FROM blocks WHERE blocked = ?1", [player])
    }

    pub fn is_block_between(&self, one: PlayerId, two: PlayerId) -> Result<bool> {
        self.exists(
            "SELECT 1 FROM blocks WHERE player = ?1 AND blocked = ?2 OR player = ?2 AND blocked = ?1",
            [one, two],
        )
    }

    /// A player's results by game, without declined boards.
    pub fn records(&self, player: PlayerId) -> Result<Vec<GameResults>> {
        Select::rows().and_with("s.player = ?", player).group("b.game").order("b.game").all(self)
    }

    /// True if a player can write to all players now, at most once in `seconds`. Records it.
    pub fn may_broadcast(&self, player: PlayerId, at: Timestamp, seconds: i64) -> Result<bool> {
        let changed = self.execute(
            "UPDATE players SET broadcast_at = ?2
             WHERE id = ?1 AND (broadcast_at IS NULL OR abs(broadcast_at - ?2) >= ?3)",
            params![player, at.as_second(), seconds],
        )?;
        Ok(changed == 1)
    }
}

stored_row! {
    /// The preferences of a player for a mail about a board. A set flag says that there are details to read.
    #[derive(Debug, Clone)]
    pub struct PreferencesRow from "seats s JOIN players p ON p.id = s.player" {
        pub player: PlayerId = "p.id",
        /// As the player writes it.
        pub userid: String = "p.userid",
        /// The player wants one "your move" mail at a time.
        pub digest: bool =
            "EXISTS (SELECT 1 FROM settings WHERE player = p.id AND word = 'digest' AND value = 'on')",
        /// The opponent sees the player's address.
        pub open: bool =
            "EXISTS (SELECT 1 FROM settings WHERE player = p.id AND word = 'openness' AND value = 'on')",
        /// The player is on vacation, or will be.
        pub away: bool = "EXISTS (SELECT 1 FROM vacations v WHERE v.player = p.id AND v.ends_at > ?2)",
        pub is_bot: bool = "p.bot",
        /// The board has watchers.
        pub watched: bool = "EXISTS (SELECT 1 FROM watchers w WHERE w.board = ?1)",
    }
}

impl Store {
    /// The preferences of both players, first seat first. One query reads them, because a move must be fast and most
    /// players have no preferences.
    pub fn mail_preferences(&self, board: BoardId, at: Timestamp) -> Result<Vec<PreferencesRow>> {
        // The columns use the time `?2`; the board is `?1`.
        let (columns, seats) = (PreferencesRow::COLUMNS, PreferencesRow::FROM);
        let sql = format!("SELECT {columns} FROM {seats} WHERE s.board = ?1 ORDER BY s.seat");
        self.all(&sql, params![board, at.as_second()])
    }

    pub fn pause_mails(&self, player: PlayerId, until: Timestamp) -> Result<()> {
        self.run("UPDATE players SET paused_until = ?2 WHERE id = ?1", params![player, until.as_second()])
    }

    /// Ends a pause: the mails that waited for its end leave now.
    pub fn resume_mails(&self, player: PlayerId, now: Timestamp) -> Result<()> {
        self.execute("UPDATE players SET paused_until = NULL WHERE id = ?1", [player])?;
        self.run(
            "UPDATE outbox SET created_at = ?2, due_at = ?2
             WHERE state = 'waiting' AND player = ?1 AND created_at > ?2",
            params![player, now.as_second()],
        )
    }

    /// True if a player got a "your move" mail since their last letter.
    pub fn is_told(&self, player: PlayerId) -> Result<bool> {
        self.exists("SELECT 1 FROM told WHERE player = ?1", [player])
    }

    pub fn note_told(&self, player: PlayerId) -> Result<()> {
        self.run("INSERT INTO told (player) VALUES (?1) ON CONFLICT DO NOTHING", [player])
    }

    /// Records that a player has written since the last "your move" mail.
    pub fn forget_told(&self, player: PlayerId) -> Result<()> {
        self.run("DELETE FROM told WHERE player = ?1", [player])
    }

    /// Holds back a "your move" mail.
    pub fn hold(&self, player: PlayerId, board: BoardId, at: Timestamp) -> Result<()> {
        self.run(
            "INSERT INTO held (player, board, held_at) VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING",
            params![player, board, at.as_second()],
        )
    }

    /// Removes and gives the board whose mail was held back first.
    pub fn take_held(&self, player: PlayerId) -> Result<Option<BoardId>> {
        self.find(
            "DELETE FROM held WHERE player = ?1 AND board =
             (SELECT board FROM held WHERE player = ?1 ORDER BY held_at, board LIMIT 1) RETURNING board",
            [player],
        )
    }
}
