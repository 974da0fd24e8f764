//! How the rating of a player went, game by game.

use jiff::Timestamp;
use rusqlite::params;

use super::columns::stored_row;
use super::sql::Select;
use super::{PlayerId, Result, Store};
use crate::ids::BoardId;

stored_row! {
    /// A rated game of a player.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct RatedGame from "rating_steps r CROSS JOIN finishes f ON f.number = r.finish CROSS JOIN boards b ON b.id = f.board CROSS JOIN seats o ON o.board = f.board AND o.player <> r.player" {
        pub board: BoardId = "f.board",
        /// When it ended.
        pub at: Timestamp = "b.changed_at",
        pub opponent: PlayerId = "o.player",
        /// The player's rating before it, in hundredths.
        pub before: i64 = "r.rating",
    }
}

impl Store {
    /// The rated games of a player that ended last, the latest first.
    pub fn rated_games(&self, player: PlayerId, game: &str, limit: u32) -> Result<Vec<RatedGame>> {
        Select::rows()
            .and_with("r.player = ?", player)
            .and_with("r.game = ?", game)
            .order("r.finish DESC")
            .limit(limit)
            .all(self)
    }

    /// The rating of a player before a finished board, in hundredths; `None` where that board does not count.
    pub fn rating_before(&self, board: BoardId, player: PlayerId) -> Result<Option<i64>> {
        self.find(
            "SELECT r.rating FROM finishes f JOIN rating_steps r ON r.finish = f.number AND r.player = ?2
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
        let store = Store::open(&data.path().join("turnpost.db")).unwrap();
        let sql = "SELECT finish FROM rating_steps WHERE player = 1 AND game = 'dvonn'
                   ORDER BY finish DESC LIMIT 9";
        let plan = store.plan(sql, []);
        assert!(plan.contains("rating_steps_by_player") && !plan.contains("TEMP"), "{plan}");
    }
}
