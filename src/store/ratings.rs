//! The order of finished games, and the ratings computed from it.

use jiff::Timestamp;
use rusqlite::params;

use super::columns::stored_row;
use super::sql::{Select, Write};
use super::{PlayerId, Result, Store};
use crate::ids::BoardId;

stored_row! {
    /// The place of a finished game in the order of finished games.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct FinishRow from "finishes" {
        /// From 1, with possible gaps.
        pub number: i64 = "number",
        pub board: BoardId = "board",
    }
}

stored_row! {
    /// A player's rating at a game, in whole numbers: every machine computes the same.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct RatingRow from "ratings" {
        pub player: PlayerId = "player",
        /// Hundredths.
        pub rating: i64 = "rating",
        /// Hundredths.
        pub deviation: i64 = "deviation",
        /// Thousand millionths.
        pub volatility: i64 = "volatility",
        pub won: u32 = "won",
        pub lost: u32 = "lost",
        pub tied: u32 = "tied",
    }
}

stored_row! {
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct RatedGame from "rating_steps r CROSS JOIN finishes f ON f.number = r.finish CROSS JOIN boards b ON b.id = f.board CROSS JOIN seats o ON o.board = f.board AND o.player <> r.player" {
        pub board: BoardId = "f.board",
        pub at: Timestamp = "b.changed_at",
        pub opponent: PlayerId = "o.player",
        /// The player's rating before it, in hundredths.
        pub before: i64 = "r.rating",
    }
}

stored_row! {
    /// A rating that an upgrade worked out again, in hundredths.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct MovedRating from "ratings_before b JOIN players p ON p.id = b.player LEFT JOIN ratings r ON r.game = b.game AND r.player = b.player" {
        pub game: String = "b.game",
        pub userid: String = "p.userid",
        pub before: i64 = "b.rating",
        /// `None` if no game of the player counts any more.
        pub now: Option<i64> = "r.rating",
    }
}

impl Store {
    /// The ratings that the last upgrade changed. A second call returns none.
    pub fn take_moved_ratings(&self) -> Result<Vec<MovedRating>> {
        let moved = Select::rows().and("r.rating IS NOT b.rating").order("b.game, p.userid").all(self)?;
        self.execute("DELETE FROM ratings_before", [])?;
        Ok(moved)
    }

    /// Up to `limit` finished games after number `after`, in order.
    pub fn finishes(&self, after: i64, limit: u32) -> Result<Vec<FinishRow>> {
        Select::rows().and_with("number > ?", after).order("number").limit(limit).all(self)
    }

    /// True if the player has a seat at a rated board.
    pub fn plays_rated(&self, player: PlayerId) -> Result<bool> {
        self.exists(
            "SELECT 1 FROM seats s JOIN boards b ON b.id = s.board WHERE s.player = ?1 AND b.rated = 1",
            [player],
        )
    }

    /// Finished rated games without a place in the order.
    pub fn unordered_finishes(&self) -> Result<Vec<BoardId>> {
        self.all(
            "SELECT id FROM boards WHERE state = 'finished' AND rated = 1
             AND id NOT IN (SELECT board FROM finishes) ORDER BY id",
            [],
        )
    }

    /// The place of the last game that the ratings count.
    pub fn rated_through(&self) -> Result<i64> {
        Ok(self.find("SELECT number FROM rated_through", [])?.unwrap_or(0))
    }

    pub fn set_rated_through(&self, number: i64) -> Result<()> {
        self.run(
            "INSERT INTO rated_through (only, number) VALUES (1, ?1)
             ON CONFLICT (only) DO UPDATE SET number = excluded.number",
            [number],
        )
    }

    /// The place of a board in the order of finished games.
    pub fn finish_of(&self, board: BoardId) -> Result<Option<i64>> {
        self.find("SELECT number FROM finishes WHERE board = ?1", [board])
    }

    /// The place of a player's first finished game in the order.
    pub fn first_finish_of(&self, player: PlayerId) -> Result<Option<i64>> {
        self.one(
            "SELECT min(f.number) FROM seats s JOIN finishes f ON f.board = s.board WHERE s.player = ?1",
            [player],
        )
    }

    /// Stores a player's rating before a game.
    pub fn keep_rating_step(&self, finish: i64, game: &str, row: &RatingRow) -> Result<()> {
        Write::row(row).to("rating_steps").with("finish", finish).with("game", game).replace(self)
    }

    /// Resets all ratings to those before place `finish`; to none if the steps do not reach that far.
    pub fn set_ratings_back(&self, finish: i64) -> Result<()> {
        let steps_after: i64 = self.find("SELECT steps_after FROM rated_through", [])?.unwrap_or(0);
        if finish <= steps_after {
            return self.forget_ratings();
        }
        if self.rated_through()? < finish {
            return Ok(());
        }
        for sql in [
            "DELETE FROM ratings WHERE (game, player) IN
                (SELECT game, player FROM rating_steps WHERE finish >= ?1)",
            // The first step from `finish` on holds a player's rating before it. A player without earlier
            // games gets no rating.
            "INSERT INTO ratings (game, player, rating, deviation, volatility, won, lost, tied)
             SELECT game, player, rating, deviation, volatility, won, lost, tied FROM
                (SELECT *, min(finish) FROM rating_steps WHERE finish >= ?1 GROUP BY game, player)
             WHERE won + lost + tied > 0",
            "DELETE FROM rating_steps WHERE finish >= ?1",
        ] {
            self.execute(sql, [finish])?;
        }
        self.set_rated_through(finish - 1)
    }

    /// Deletes all ratings, which are then computed from the first game.
    fn forget_ratings(&self) -> Result<()> {
        self.execute("DELETE FROM ratings", [])?;
        self.execute("DELETE FROM rating_steps", [])?;
        self.run("UPDATE rated_through SET number = 0, steps_after = 0", [])
    }

    /// A player's rating at a game; `None` before the first rated game.
    pub fn rating(&self, game: &str, player: PlayerId) -> Result<Option<RatingRow>> {
        Select::rows().and_with("game = ?", game).and_with("player = ?", player).first(self)
    }

    /// The ratings at a game from place `from` on (the first is 1), highest first.
    pub fn ratings(&self, game: &str, from: u32, limit: u32) -> Result<Vec<RatingRow>> {
        Select::rows()
            .and_with("game = ?", game)
            .order("rating DESC, player")
            .limit(limit)
            .after(from.saturating_sub(1))
            .all(self)
    }

    /// The place of a rating among those of its game.
    pub fn place(&self, game: &str, row: &RatingRow) -> Result<u32> {
        self.one(
            "SELECT 1 + count(*) FROM ratings WHERE game = ?1 AND (rating > ?2 OR rating = ?2
             AND player < ?3)",
            params![game, row.rating, row.player],
        )
    }

    pub fn keep_rating(&self, game: &str, row: &RatingRow) -> Result<()> {
        Write::row(row).with("game", game).replace(self)
    }

    /// The rated games of a player that ended last, latest first.
    pub fn rated_games(&self, player: PlayerId, game: &str, limit: u32) -> Result<Vec<RatedGame>> {
        Select::rows()
            .and_with("r.player = ?", player)
            .and_with("r.game = ?", game)
            .order("r.finish DESC")
            .limit(limit)
            .all(self)
    }

    /// The rating of a player before and after a finished board, in hundredths. `None` if that board does not count.
    pub fn rating_around(&self, board: BoardId, player: PlayerId) -> Result<Option<(i64, i64)>> {
        self.find(
            "SELECT r.rating, coalesce(
                 (SELECT n.rating FROM rating_steps n WHERE n.player = r.player AND n.game = r.game
                  AND n.finish > r.finish ORDER BY n.finish LIMIT 1),
                 (SELECT l.rating FROM ratings l WHERE l.player = r.player AND l.game = r.game))
             FROM finishes f JOIN rating_steps r ON r.finish = f.number AND r.player = ?2
             WHERE f.board = ?1",
            params![board, player],
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_history_of_a_player_is_found_along_an_index() {
        let data = tempfile::tempdir().unwrap();
        let store = Store::make(&data.path().join("turnpost.db")).unwrap();
        let sql = "SELECT finish FROM rating_steps WHERE player = 1 AND game = 'dvonn'
                   ORDER BY finish DESC LIMIT 9";
        let plan = store.plan(sql, []);
        assert!(plan.contains("rating_steps_by_player") && !plan.contains("TEMP"), "{plan}");
    }
}
