//! Small names that all rooms share: player, board, seat, ply.
//!
//! Each parses and prints itself.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

pub use turnpost_games::Seat;

/// A player's name: a letter, then 1 to 19 letters, digits, `-` or `_`. Case does not matter in comparisons.
#[derive(Debug, Clone, Serialize)]
#[serde(transparent)]
pub struct Userid(String);

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a userid is a letter followed by 1 to 19 letters, digits, '-' or '_'")]
pub struct NotAUserid;

impl Userid {
    pub const MAX: usize = 20;

    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Lower case, for comparison and lookup.
    pub fn key(&self) -> String {
        self.0.to_ascii_lowercase()
    }
}

impl FromStr for Userid {
    type Err = NotAUserid;

    fn from_str(text: &str) -> Result<Userid, NotAUserid> {
        let mut characters = text.chars();
        let first = characters.next().is_some_and(|c| c.is_ascii_alphabetic());
        let rest = characters.all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_');
        if first && rest && (2..=Self::MAX).contains(&text.len()) {
            Ok(Userid(text.to_owned()))
        } else {
            Err(NotAUserid)
        }
    }
}

impl PartialEq for Userid {
    fn eq(&self, other: &Userid) -> bool {
        self.0.eq_ignore_ascii_case(&other.0)
    }
}

impl Eq for Userid {}

impl fmt::Display for Userid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The number of a board, from 1, over all games of a server.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct BoardId(pub u32);

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a board number is a whole number from 1 to 4294967295")]
pub struct NotABoardId;

impl FromStr for BoardId {
    type Err = NotABoardId;

    fn from_str(text: &str) -> Result<BoardId, NotABoardId> {
        read_number(text).filter(|n| *n > 0).map(BoardId).ok_or(NotABoardId)
    }
}

impl fmt::Display for BoardId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// The number of a ply on its board, from 1.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Ply(pub u32);

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a ply number is a whole number")]
pub struct NotAPly;

impl Ply {
    /// The board before ply 1.
    pub const START: Ply = Ply(0);

    pub fn next(self) -> Ply {
        Ply(self.0.saturating_add(1))
    }
}

impl FromStr for Ply {
    type Err = NotAPly;

    fn from_str(text: &str) -> Result<Ply, NotAPly> {
        read_number(text).map(Ply).ok_or(NotAPly)
    }
}

impl fmt::Display for Ply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Reads digits only: `u32::from_str` also takes a `+`.
fn read_number(text: &str) -> Option<u32> {
    if text.bytes().all(|b| b.is_ascii_digit()) { text.parse().ok() } else { None }
}

/// The SHA-256 of a letter; two deliveries of the same letter share it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Identity(pub [u8; 32]);

/// The robot has an account for each level up to this one.
pub const ROBOT_LEVELS: u8 = 9;

/// Which boards a list shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Which {
    #[default]
    All,
    /// Boards in play.
    Active,
    /// Finished boards.
    Inactive,
    /// Boards in play on which the player is to move.
    Next,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn userids_are_compared_without_case_and_printed_as_written() {
        let ann: Userid = "Ann-Lee_9".parse().unwrap();
        assert_eq!(ann, "aNN-lEE_9".parse().unwrap());
        assert_eq!(ann.to_string(), "Ann-Lee_9");
    }

    #[test]
    fn what_is_no_userid() {
        for text in ["", "a", "9ann", "-ann", "ann bob", "ann@x", "änn", "a23456789012345678901"] {
            assert!(text.parse::<Userid>().is_err(), "{text:?}");
        }
        assert!("a2345678901234567890".parse::<Userid>().is_ok());
    }

    #[test]
    fn board_numbers_are_plain_digits_from_one() {
        for text in ["", "0", "-1", "+1", " 1", "1.0", "4294967296", "99999999999999999999"] {
            assert!(text.parse::<BoardId>().is_err(), "{text:?}");
        }
        assert_eq!("4294967295".parse(), Ok(BoardId(u32::MAX)));
        assert_eq!("007".parse(), Ok(BoardId(7)));
    }
}
