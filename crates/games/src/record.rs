//! Replaying a record of plies.

use crate::{MoveError, Table};

/// Plays `plies` onto `table`. A record contains its forced passes like any other ply.
///
/// # Errors
/// The index, from 0, of the first ply that cannot be played, and why.
pub fn replay<'p>(
    table: &mut dyn Table,
    plies: impl IntoIterator<Item = &'p str>,
) -> Result<(), (usize, MoveError)> {
    for (index, ply) in plies.into_iter().enumerate() {
        table.play_text(ply).map_err(|why| (index, why))?;
    }
    Ok(())
}
