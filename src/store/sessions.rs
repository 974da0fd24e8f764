//! Browsers that are signed in, the links that sign one in or confirm a line, and the tokens of bots.
//!
//! The column `browser` has the name of the browser once `used_at` is set. Before that it has the line that the link
//! confirms, or nothing if the link signs in.

use jiff::Timestamp;
use rusqlite::params;

use super::columns::stored_row;
use super::sql::Select;
use super::{CodeHash, PlayerId, Result, Store};
use crate::ids::BoardId;

/// How long a mailed link is good, and how long an unused browser stays signed in, in seconds. The token of a bot does
/// not end by itself.
const LINK_SECONDS: i64 = 15 * 60;
pub(super) const UNUSED_SECONDS: i64 = 30 * 24 * 60 * 60;

/// The names shown for a feed reader and for a bot.
const FEED: &str = "a feed reader";
const BOT: &str = "a bot";

stored_row! {
    /// A browser that is signed in.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct SessionRow from "sessions s JOIN players p ON p.id = s.player" {
        pub id: i64 = "s.id",
        pub player: PlayerId = "s.player",
        /// The name that its owner sees: `Firefox on Linux`.
        pub browser: String = "s.browser",
        pub begun_at: Timestamp = "s.begun_at",
        pub used_at: Timestamp = "s.used_at",
        /// Set if the link of a board signed the browser in: it can play on that board only.
        pub board: Option<BoardId> = "s.board",
        /// True if it is told of turns.
        pub takes_pushes: bool = "s.push IS NOT NULL",
    }
}

/// Selects sessions whose player can act.
const HERE: &str = "p.state <> 'deleted' AND p.suspended IS NULL";

impl SessionRow {
    pub fn plays(&self, board: BoardId) -> bool {
        self.board.is_none_or(|own| own == board)
    }
}

impl Store {
    /// Stores a link that signs a browser in, for all boards or for one, and deletes what has expired.
    pub fn add_sign_in(
        &self,
        player: PlayerId,
        link: CodeHash,
        board: Option<BoardId>,
        at: Timestamp,
    ) -> Result<()> {
        let at = at.as_second();
        self.execute(
            "DELETE FROM sessions WHERE coalesce(used_at + ?1, begun_at + ?2) < ?3 AND scope IS NULL",
            params![UNUSED_SECONDS, LINK_SECONDS, at],
        )?;
        self.run(
            "INSERT INTO sessions (player, code, begun_at, board) VALUES (?1, ?2, ?3, ?4)",
            params![player, link, at, board],
        )
    }

    /// Stores a link that confirms a line of a player.
    pub fn add_confirming(&self, player: PlayerId, link: CodeHash, line: &str, at: Timestamp) -> Result<()> {
        self.run(
            "INSERT INTO sessions (player, code, begun_at, browser) VALUES (?1, ?2, ?3, ?4)",
            params![player, link, at.as_second(), line],
        )
    }

    /// Opens the feed of a player's turns in the place of an earlier one. It ends as a browser does that is signed in.
    pub fn open_feed(&self, player: PlayerId, code: CodeHash, at: Timestamp) -> Result<()> {
        self.execute("DELETE FROM sessions WHERE player = ?1 AND browser = ?2", params![player, FEED])?;
        self.run(
            "INSERT INTO sessions (player, code, begun_at, used_at, browser) VALUES (?1, ?2, ?3, ?3, ?4)",
            params![player, code, at.as_second(), FEED],
        )
    }

    /// Marks the account as a bot's, for good.
    pub fn set_bot(&self, player: PlayerId) -> Result<()> {
        self.run("UPDATE players SET bot = 1 WHERE id = ?1", [player])
    }

    /// Ends the token of a bot and gives true if it had one. `token` takes its place.
    pub fn set_bot_token(&self, player: PlayerId, token: Option<CodeHash>, at: Timestamp) -> Result<bool> {
        let ended = self.execute("DELETE FROM sessions WHERE player = ?1 AND scope = 'play'", [player])?;
        if let Some(token) = token {
            self.execute(
                "INSERT INTO sessions (player, code, begun_at, used_at, browser, scope)
                 VALUES (?1, ?2, ?3, ?3, ?4, 'play')",
                params![player, token, at.as_second(), BOT],
            )?;
        }
        Ok(ended > 0)
    }

    /// True if an unused link that signs the player in has been mailed since then.
    pub fn was_asked_since(&self, player: PlayerId, since: Timestamp) -> Result<bool> {
        self.exists(
            "SELECT 1 FROM sessions WHERE player = ?1 AND used_at IS NULL AND begun_at > ?2 AND browser = ''",
            params![player, since.as_second()],
        )
    }

    /// The line that an unused link of the player confirms, if the link is not too old; empty if it signs in.
    pub fn mailed_link(&self, player: PlayerId, link: CodeHash, at: Timestamp) -> Result<Option<String>> {
        self.find(
            "SELECT s.browser FROM sessions s JOIN players p ON p.id = s.player
             WHERE s.player = ?1 AND s.code = ?2 AND s.used_at IS NULL AND s.begun_at > ?3 - ?4
             AND p.state <> 'deleted' AND p.suspended IS NULL",
            params![player, link, at.as_second(), LINK_SECONDS],
        )
    }

    /// Uses up a link that confirms a line; false if it was used already.
    pub fn end_confirming(&self, link: CodeHash) -> Result<bool> {
        Ok(self.execute("DELETE FROM sessions WHERE code = ?1 AND used_at IS NULL", [link])? > 0)
    }

    /// Uses up a link: signs in the browser whose cookie has the code `cookie`.
    pub fn open_session(&self, link: CodeHash, cookie: CodeHash, browser: &str, at: Timestamp) -> Result<()> {
        self.run(
            "UPDATE sessions SET code = ?2, begun_at = ?4, used_at = ?4, browser = ?3
             WHERE code = ?1 AND used_at IS NULL",
            params![link, cookie, browser, at.as_second()],
        )
    }

    /// The browser with this cookie, while it is signed in.
    pub fn session(&self, cookie: CodeHash, at: Timestamp) -> Result<Option<SessionRow>> {
        Select::rows()
            .and_with("s.code = ?", cookie)
            .and_with("s.used_at > ?", at.as_second() - UNUSED_SECONDS)
            .and("s.scope IS NULL")
            .and(HERE)
            .first(self)
    }

    /// The bot with this token.
    pub fn bot_session(&self, token: CodeHash) -> Result<Option<SessionRow>> {
        Select::rows().and_with("s.code = ?", token).and("s.scope = 'play'").and(HERE).first(self)
    }

    pub fn session_numbered(&self, id: i64) -> Result<Option<SessionRow>> {
        Select::rows().and_with("s.id = ?", id).and("s.used_at IS NOT NULL").first(self)
    }

    /// The browsers of a player, latest used first.
    pub fn sessions(&self, player: PlayerId, at: Timestamp) -> Result<Vec<SessionRow>> {
        Select::rows()
            .and_with("s.player = ?", player)
            .and_with("(s.used_at > ? OR s.scope IS NOT NULL)", at.as_second() - UNUSED_SECONDS)
            .order("s.used_at DESC, s.id DESC")
            .all(self)
    }

    pub fn use_session(&self, player: PlayerId, id: i64, at: Timestamp) -> Result<()> {
        self.run(
            "UPDATE sessions SET used_at = ?3 WHERE player = ?1 AND id = ?2 AND used_at IS NOT NULL",
            params![player, id, at.as_second()],
        )
    }

    /// Signs out one browser of a player.
    pub fn end_session(&self, player: PlayerId, id: i64) -> Result<()> {
        self.run("DELETE FROM sessions WHERE player = ?1 AND id = ?2", params![player, id])
    }

    /// Signs out every browser of a player, and ends links that were mailed.
    pub fn end_sessions(&self, player: PlayerId) -> Result<()> {
        self.run("DELETE FROM sessions WHERE player = ?1", [player])
    }
}
