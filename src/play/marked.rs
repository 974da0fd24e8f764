//! Moves that are marked with a ply number, as in `A3-B4#50`.

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

/// Plays the first turn of `text` on a copy of the position, without checking its marks.
pub(crate) fn turn<'t>(position: &dyn Table, text: &'t str) -> Result<MarkedTurn<'t>, MoveError> {
    let mut table = position.copy();
    let mut turn = MarkedTurn { plies: Vec::new(), rest: text.trim() };
    loop {
        let played = table.play_text(turn.rest)?;
        let (mark, behind) = cut(played.rest);
        turn.plies.push(format!("{}{mark}", played.ply));
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
