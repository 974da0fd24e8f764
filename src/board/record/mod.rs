//! Game records: the events of a board as text that can be imported.
//!
//! ```text
//! Turnpost game record 1
//! board: 42
//! ...
//!
//! 1. D1-E1 2026-11-16T12:00:00Z
//! * resignation second by second at 2026-11-17T10:00:00Z
//! end
//! ```
//! The header of a game with dice has `dice: HEX`, the hash of their secret. That of another running board has
//! `seed-hash: HEX` in place of `seed: N`: SHA-256 of `turnpost seed 1\nBOARD\nSEED\n`.
//!
//! Records are ASCII, at most 76 columns wide. A line that begins with a space continues the one before. `*` marks an
//! event that is not a ply.

mod formats;
mod lines;
mod read;
mod write;

use jiff::Timestamp;

use crate::failure::Error;
use crate::ids::{Ply, Seat, Userid};
use crate::store::{EventKind, StoreError};

pub use formats::write_as;
pub use write::write;

/// Why a record cannot be imported.
#[derive(Debug, thiserror::Error)]
pub enum BadText {
    #[error("line {line}: {why}")]
    Line { line: usize, why: String },
    /// A fault that belongs to no single line: a part is missing, or parts contradict each other.
    #[error("{0}")]
    Whole(String),
    #[error(transparent)]
    Error(#[from] Error),
}

impl From<StoreError> for BadText {
    fn from(error: StoreError) -> BadText {
        BadText::Error(error.into())
    }
}

#[derive(Debug, Clone)]
pub struct Record {
    /// The players of the first and the second seat.
    pub players: [Userid; 2],
    /// The result that the record states.
    pub(crate) result: Option<String>,
    pub(crate) terms: serde_json::Map<String, serde_json::Value>,
    pub(crate) start: (Timestamp, Option<Seat>),
    pub(crate) events: Vec<RecordLine>,
}

#[derive(Debug, Clone)]
pub(crate) struct RecordLine {
    /// Number of the line in the text; 0 if the record was made of a game in another format.
    pub line: usize,
    pub kind: EventKind,
    pub seat: Option<Seat>,
    /// `None` means the player to move.
    pub by: Option<By>,
    pub ply: Option<Ply>,
    pub at: Timestamp,
    pub text: String,
}

#[derive(Debug, Clone, Copy)]
pub(crate) enum By {
    Player(Seat),
    Server,
}
