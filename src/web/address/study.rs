//! An analysis board: its first position and its lines.

use turnpost_games::GameKind;

use super::query::{Query, number_of, typed, words};
use crate::ids::{BoardId, Ply};

/// An analysis board: lines of plies after a position.
#[derive(Debug, Clone)]
pub(crate) struct Study {
    pub of: Studied,
    /// The line that is shown.
    pub line: Vec<String>,
    /// The other lines that the visitor keeps.
    pub kept: Vec<Vec<String>>,
    /// The first spaces of the next ply.
    pub from: Option<String>,
    /// True if the visitor asks what the robot would play.
    pub asks: bool,
    /// True if the board is shown from its other side.
    pub flip: bool,
}

/// The position from which a study begins.
#[derive(Debug, Clone)]
pub(crate) enum Studied {
    /// The board of the player with this link, as it is now.
    Own(String),
    Board {
        game: &'static GameKind,
        board: BoardId,
        ply: Option<Ply>,
    },
    /// A position; `None` for the start of the game.
    Position {
        game: &'static GameKind,
        text: Option<String>,
    },
    /// A position or a record that the visitor has pasted.
    Pasted {
        game: &'static GameKind,
        text: String,
    },
}

impl Studied {
    /// Reads the position, or the pasted text, of a study without a board.
    pub(super) fn position(game: &'static GameKind, query: &str) -> Option<Studied> {
        match (typed(query, "start").ok()?, typed(query, "paste").ok()?) {
            (Some(_), Some(_)) => None,
            (text, None) => Some(Studied::Position { game, text }),
            (None, Some(text)) => Some(Studied::Pasted { game, text }),
        }
    }

    pub(super) fn board(game: &'static GameKind, board: &str, query: &str) -> Option<Studied> {
        let ply = Query::read(query, &["ply"])?.optional("ply", number_of)?.map(Ply);
        Some(Studied::Board { game, board: BoardId(number_of(board)?), ply })
    }
}

impl Study {
    pub(super) fn read(of: Studied, query: &str) -> Option<Study> {
        let query = Query::read(query, &["line", "kept", "from", "ask", "flip"])?;
        let kept = query.take("kept").unwrap_or_default().split("..");
        Some(Study {
            of,
            line: query.take_words("line"),
            kept: kept.map(words).filter(|line| !line.is_empty()).collect(),
            from: query.take("from").map(str::to_owned),
            asks: query.has("ask"),
            flip: query.has("flip"),
        })
    }
}
