//! The board in the picture of a mail.

use turnpost_games::GameKind;
use turnpost_games::scene::Scene;

use super::{BadRecord, Board, Replay};
use crate::failure::Error;
use crate::ids::Ply;
use crate::store::{Pictured, Store};

/// A board to draw.
pub struct ShownBoard {
    pub kind: &'static GameKind,
    /// With the move that led to it.
    pub scene: Scene,
}

/// The board as it stood after an event; `None` where there is no such board.
pub fn pictured(store: &Store, picture: Pictured) -> Result<Option<ShownBoard>, Error> {
    let Pictured { board, event } = picture;
    let mut events = store.events(board)?;
    events.retain(|row| row.number <= event);
    if events.is_empty() {
        return Ok(None);
    }
    let Replay { board: now, line, .. } = Board::replay(board, &events)?;
    let scene = now.table.look();
    let mut table = Board::first(board, &events)?.table;
    // A pass moves nothing: the picture shows the move before it.
    let mut last = None;
    for (ply, event) in (0..).zip(&line) {
        let played = table.play_text(&event.text).map_err(|why| BadRecord::new(event, &why.to_string()))?;
        if played.ends.to.is_some() {
            last = Some((Ply(ply), played.ends));
        }
    }
    let scene = match last {
        Some((ply, ends)) => scene.after(&Board::past(board, &events, ply)?.table.look(), ends),
        None => scene,
    };
    Ok(Some(ShownBoard { kind: now.kind, scene }))
}
