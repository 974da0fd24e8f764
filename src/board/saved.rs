//! An export of a damaged database: which boards it has, and how what it has fits together again.

use std::io::Write;

use crate::board::{Board, ratings, verify};
use crate::failure::Error;
use crate::ids::BoardId;
use crate::store::{BoardRow, ExportError, Exported, Store, write_end};

/// Writes all of a server that can be read, and says which boards are left out or incomplete.
pub fn export(store: &mut Store, out: &mut dyn Write) -> Result<Exported, ExportError> {
    let mut exported = store.export(out)?;
    if !exported.left_out.is_empty() {
        for board in store.boards_in_sight()? {
            if let Some(why) = verify::board(store, board) {
                exported.left_out.push(format!("board {board}: {why}"));
            }
        }
    }
    write_end(out, &exported)?;
    Ok(exported)
}

/// Makes boards anew from their events, leaves out those of which events are missing, and rates again; gives a sentence
/// for each thing that is not as it was. Call it inside a write transaction.
pub fn mend(store: &Store) -> Result<Vec<String>, Error> {
    let mut changed = Vec::new();
    let players = store.make_lost_players()?;
    if players > 0 {
        changed.push(format!(
            "{players} accounts were lost: they are called lost- and their number, without a password"
        ));
    }
    for id in store.boards_by_any_row()? {
        if verify::board(store, id).is_some() {
            let events = store.events(id)?;
            match Board::rebuild(id, &events) {
                Ok(board) => {
                    store.put_board_back(&board.row)?;
                    changed.push(format!("board {id}: made anew from its events"));
                }
                Err(why) => leave_out(store, id, &why.to_string(), &mut changed)?,
            }
        }
    }
    for (table, rows) in store.remove_dangling()? {
        changed.push(format!("{rows} rows of {table} belong to something that is lost"));
    }
    for id in store.board_numbers()? {
        if let Some(why) = verify::board(store, id) {
            leave_out(store, id, &why, &mut changed)?;
        } else if let Some(row) = store.board(id)?.filter(BoardRow::is_with_robot) {
            // That it is the robot's turn may be among what was lost.
            store.update_board(&row)?;
        }
    }
    store.remove_dangling()?;
    store.begin_ratings_anew()?;
    ratings::catch_up(store)?;
    Ok(changed)
}

fn leave_out(store: &Store, id: BoardId, why: &str, changed: &mut Vec<String>) -> Result<(), Error> {
    store.remove_board(id)?;
    changed.push(format!("board {id}: left out: {why}"));
    Ok(())
}
