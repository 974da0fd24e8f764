//! Values of arguments, and how they are written: boards with a ply, choices of boards, addresses.

use std::str::FromStr;

use crate::ids::{BoardId, Ply, Which};
use crate::mail::clean;

/// A board, with or without a ply: `42` or `42#7`.
#[derive(Debug, Clone)]
pub struct BoardAndPly {
    pub board: BoardId,
    pub ply: Option<Ply>,
}

/// Writes a board, or a board after a ply, as [`BoardAndPly`] reads it.
pub(crate) fn written_ply(board: BoardId, ply: Option<Ply>) -> String {
    ply.map_or_else(|| board.to_string(), |ply| format!("{board}#{ply}"))
}

impl FromStr for BoardAndPly {
    type Err = String;

    fn from_str(word: &str) -> Result<BoardAndPly, String> {
        let (board, ply) = match word.split_once('#') {
            Some((board, ply)) => (board, Some(ply.parse::<Ply>().map_err(|why| why.to_string())?)),
            None => (word, None),
        };
        Ok(BoardAndPly { board: board.parse::<BoardId>().map_err(|why| why.to_string())?, ply })
    }
}

/// The word that chooses these boards; `None` for boards in play.
pub(crate) fn word_of(which: Which) -> Option<&'static str> {
    match which {
        Which::All => Some("all"),
        Which::Active => None,
        Which::Inactive => Some("inactive"),
        Which::Next => Some("next"),
    }
}

/// Reads `all`, `active`, `inactive` or `next`.
pub(crate) fn which(word: &str) -> Option<Which> {
    match word.to_ascii_lowercase().as_str() {
        "all" => Some(Which::All),
        "active" => Some(Which::Active),
        "inactive" => Some(Which::Inactive),
        "next" => Some(Which::Next),
        _ => None,
    }
}

/// Reads an address that mail can be sent to. The error says what is expected.
pub(crate) fn read_address(text: &str) -> Result<String, &'static str> {
    let domain = text.rsplit_once('@').map_or("", |(_, domain)| domain);
    if domain.starts_with('[') {
        return Err("mail goes to a domain such as example.org, and not to an address in brackets");
    }
    // Other mail servers cannot reach a domain without a dot.
    let is_whole = domain.trim_end_matches('.').contains('.') || domain.eq_ignore_ascii_case("localhost");
    let address = clean::address(text).filter(|_| is_whole);
    address.ok_or("a mail address such as ann@example.org is expected here")
}
