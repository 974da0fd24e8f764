//! From a record of plies back to a position.

use super::{MoveError, Table};

/// Plays `plies` in order onto `table`. Forced passes are plies of the record like any other.
///
/// # Errors
/// The index of the first ply that cannot be played, counted from 0, and why.
pub fn replay<'p>(
    table: &mut dyn Table,
    plies: impl IntoIterator<Item = &'p str>,
) -> Result<(), (usize, MoveError)> {
    for (index, ply) in plies.into_iter().enumerate() {
        table.play_text(ply).map_err(|why| (index, why))?;
    }
    Ok(())
}
