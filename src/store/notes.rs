//! Private notes of players, on their boards and on each other.

use jiff::Timestamp;
use rusqlite::params;

use super::columns::stored_row;
use super::sql::Select;
use super::{PlayerId, Result, Store};
use crate::ids::{BoardId, Ply};

stored_row! {
    /// A note on the position after a ply.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct NoteRow from "notes" {
        pub player: PlayerId = "player",
        pub ply: Ply = "ply",
        pub at: Timestamp = "noted_at",
        pub text: String = "text",
        /// True if all visitors can read it once the game is over.
        pub shown: bool = "shown",
    }
}

impl Store {
    /// A player's notes on a board, by ply.
    pub fn notes(&self, board: BoardId, player: PlayerId) -> Result<Vec<NoteRow>> {
        Select::rows().and_with("board = ?", board).and_with("player = ?", player).order("ply").all(self)
    }

    /// The notes on a board that their writers show, by ply.
    pub fn shown_notes(&self, board: BoardId) -> Result<Vec<NoteRow>> {
        Select::rows().and_with("board = ?", board).and("shown").order("ply, player").all(self)
    }

    /// Stores a player's note after a ply in place of an earlier one; an empty text deletes it.
    pub fn note(&self, board: BoardId, player: PlayerId, ply: Ply, text: &str, at: Timestamp) -> Result<()> {
        if text.is_empty() {
            let sql = "DELETE FROM notes WHERE board = ?1 AND player = ?2 AND ply = ?3";
            return self.run(sql, params![board, player, ply]);
        }
        self.run(
            "INSERT INTO notes (board, player, ply, noted_at, text) VALUES (?1, ?2, ?3, ?4, ?5)
             ON CONFLICT (board, player, ply) DO UPDATE SET noted_at = ?4, text = ?5",
            params![board, player, ply, at.as_second(), text],
        )
    }

    /// Shows a player's notes on a board to all visitors, or hides them.
    pub fn show_notes(&self, board: BoardId, player: PlayerId, shown: bool) -> Result<()> {
        self.run(
            "UPDATE notes SET shown = ?3 WHERE board = ?1 AND player = ?2",
            params![board, player, shown],
        )
    }

    /// A player's note about another player.
    pub fn note_about(&self, player: PlayerId, about: PlayerId) -> Result<Option<String>> {
        self.find("SELECT words FROM player_notes WHERE player = ?1 AND about = ?2", [player, about])
    }

    /// Keeps a player's note of another in the place of an earlier one; an empty one deletes it.
    pub fn set_note_about(&self, player: PlayerId, about: PlayerId, words: &str) -> Result<()> {
        self.execute("DELETE FROM player_notes WHERE player = ?1 AND about = ?2", [player, about])?;
        self.execute(
            "INSERT INTO player_notes (player, about, words) SELECT ?1, ?2, ?3 WHERE ?3 <> ''",
            params![player, about, words],
        )?;
        Ok(())
    }
}
