//! Moves that are marked with a ply number, as in `A3-B4#50`, or with the word `ask`, as in `8/5 6/5 ask`.

use turnpost_games::{MoveError, Table};

/// A turn at the start of a text.
pub(crate) struct MarkedTurn<'t> {
    /// The plies in standard form, each with its mark.
    pub plies: Vec<String>,
    /// The text after the turn.
    pub rest: &'t str,
}

/// Splits a mark `#n` off the text after a ply. Returns the mark, empty if there is none, and the rest.
pub(crate) fn cut(text: &str) -> (&str, &str) {
    let Some(marked) = text.strip_prefix('#') else { return ("", text) };
    let behind = marked.trim_start_matches(|c: char| c.is_ascii_digit());
    let (mark, _) = text.split_at(text.len() - behind.len());
    (mark, behind.trim_start())
}

/// The text after the word `ask` at its start, by which a player wants to be asked before the next roll.
pub(crate) fn behind_ask(text: &str) -> Option<&str> {
    let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    word.eq_ignore_ascii_case(ASK).then(|| rest.trim_start())
}

const ASK: &str = "ask";

/// Plays the first turn of `text` on a copy of the position, without checking its marks. `asks` is that of the game.
pub(crate) fn turn<'t>(position: &dyn Table, asks: bool, text: &'t str) -> Result<MarkedTurn<'t>, MoveError> {
    let mut table = position.copy();
    let mut turn = MarkedTurn { plies: Vec::new(), rest: text.trim() };
    loop {
        let played = table.play_text(turn.rest)?;
        let (mark, behind) = cut(played.rest);
        turn.plies.push(format!("{}{mark}", played.ply));
        let after_ask = behind_ask(behind).filter(|_| asks);
        turn.plies.extend(after_ask.map(|_| ASK.to_owned()));
        let behind = after_ask.unwrap_or(behind);
        turn.rest = behind;
        table.play_passes();
        let is_over = table.turn() != position.turn() || table.ended().is_some();
        if behind.is_empty() && !is_over {
            turn.plies.extend(table.closing_ply());
        }
        if behind.is_empty() || is_over {
            return Ok(turn);
        }
    }
}
