//! News of contests that players have not been told.

use jiff::Timestamp;
use rusqlite::params;

use super::columns::stored_row;
use super::sql::Select;
use super::words::stored_enum;
use super::{ContestId, PlayerId, Result, Store};

stored_enum! {
    ContestNewsKind {
        Started = "started",
        /// The player lost a game on time.
        Late = "late",
        /// The player was withdrawn for a second loss on time.
        Withdrawn = "withdrawn",
        /// The player was withdrawn because they made no move.
        Silent = "silent",
        Closed = "closed",
        /// A table has changed since the contest closed.
        Corrected = "corrected",
        /// The dates of an event that has not begun were changed.
        Moved = "moved",
        /// The contest was called off before it began, or a season was postponed.
        Off = "off",
        /// A season begins in a week.
        Season = "season",
        /// A ladder has paired the player for a new game; ladders pair players on Mondays.
        Paired = "paired",
        /// The places of a ladder, once a month.
        Places = "places",
        /// The player leaves a ladder in a week unless they move.
        Idle = "idle",
        /// The player made no move and was dropped from the ladder.
        Dropped = "dropped",
        /// For the organiser: players ask to join.
        Asked = "asked",
        /// The player asked to join, or waited for a place, and has one.
        Entered = "entered",
        /// The player asked to join, or waited for a place, and has none.
        Refused = "refused",
        /// Another account with the player's mailbox is in the contest.
        Second = "second",
    }
}

stored_row! {
    /// A piece of news.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct ContestNewsRow from "contest_news" {
        pub id: i64 = "id",
        pub contest: ContestId = "contest",
        pub kind: ContestNewsKind = "kind",
    }
}

impl Store {
    /// Queues news for a player, unless the same news is waiting already.
    pub fn add_contest_news(
        &self,
        player: PlayerId,
        contest: ContestId,
        kind: ContestNewsKind,
        at: Timestamp,
    ) -> Result<()> {
        self.run(
            "INSERT INTO contest_news (player, contest, kind, at) SELECT ?1, ?2, ?3, ?4 WHERE NOT EXISTS
                (SELECT 1 FROM contest_news WHERE player = ?1 AND contest = ?2 AND kind = ?3)",
            params![player, contest, kind, at.as_second()],
        )
    }

    /// The players who have news and got no mail about news since `since`.
    pub fn players_with_contest_news(&self, since: Timestamp) -> Result<Vec<PlayerId>> {
        self.all(
            "SELECT DISTINCT n.player FROM contest_news n JOIN players p ON p.id = n.player
             WHERE p.contests_told_at IS NULL OR p.contests_told_at <= ?1 ORDER BY n.player",
            [since.as_second()],
        )
    }

    /// True if a player has not been told such news of a contest yet.
    pub fn has_contest_news(&self, player: PlayerId, of: ContestId, kind: ContestNewsKind) -> Result<bool> {
        self.exists(
            "SELECT 1 FROM contest_news WHERE player = ?1 AND contest = ?2 AND kind = ?3",
            params![player, of, kind],
        )
    }

    /// A player's news, oldest first.
    pub fn contest_news(&self, player: PlayerId) -> Result<Vec<ContestNewsRow>> {
        Select::rows().and_with("player = ?", player).order("id").all(self)
    }

    /// Deletes news that a player is told now.
    pub fn contest_news_are_told(
        &self,
        player: PlayerId,
        news: &[ContestNewsRow],
        now: Timestamp,
    ) -> Result<()> {
        for row in news {
            self.execute("DELETE FROM contest_news WHERE id = ?1", [row.id])?;
        }
        self.run("UPDATE players SET contests_told_at = ?2 WHERE id = ?1", params![player, now.as_second()])
    }
}
