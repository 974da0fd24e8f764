//! A board as it is seen at a ply: the scene with the move that led to it, and every ply.

use serde::Serialize;
use turnpost_games::scene::{Ends, Scene};
use turnpost_games::{GameKind, Table};

use crate::board::Board;
use crate::failure::Error;
use crate::ids::{BoardId, Ply};
use crate::notices::view::{BoardView, PlyView, board_view};
use crate::store::Store;

/// A board at a ply.
pub struct Look {
    pub kind: &'static GameKind,
    pub scene: Scene,
    pub view: BoardView,
    /// All plies of the board, also later ones.
    pub plies: Vec<PlyView>,
}

impl Look {
    /// The position and the last move in words.
    pub fn sentence(&self) -> String {
        self.scene.sentence(self.kind.seats)
    }
}

/// What the players of a board said to each other.
#[derive(Debug, Clone, Serialize)]
pub struct Said {
    /// Who said it.
    pub by: String,
    /// When, in seconds since 1970.
    pub at: i64,
    pub words: String,
}

/// The latest words about a board, the oldest first.
pub fn conversation(store: &Store, board: BoardId) -> Result<Vec<Said>, Error> {
    const MOST: u32 = 50;
    let said = store.conversation(board, MOST)?.into_iter().map(|row| {
        let by = store.player_by_id(row.writer)?.userid.to_string();
        Ok(Said { by, at: row.at.as_second(), words: row.words })
    });
    said.collect()
}

/// The board as it stands or, with a ply, as it stood; `None` where there is no such board or ply.
pub fn look(store: &Store, number: BoardId, ply: Option<Ply>) -> Result<Option<Look>, Error> {
    let Some(now) = Board::load(store, number)? else { return Ok(None) };
    let at = ply.unwrap_or(now.row.plies);
    if at > now.row.plies {
        return Ok(None);
    }
    let kind = now.kind;
    let events = store.events(number)?;
    let plies = store.plies(number, Ply(1), now.row.plies)?;
    let is_past = at != now.row.plies;
    let board = if is_past { Board::past(number, &events, at)? } else { now };
    let mut scene = board.table.look();
    // A pass moves nothing: what is shown is the move before it.
    for last in plies.iter().take(at.0 as usize).rev() {
        let mut before = Board::past(number, &events, Ply(last.ply.0.saturating_sub(1)))?.table;
        let stood = before.look();
        let ends = before.play_text(&last.text).map_or_else(|_| Ends::default(), |played| played.ends);
        if ends.to.is_some() {
            scene = scene.after(&stood, ends);
            break;
        }
    }
    let mut view = board_view(store, &board)?;
    view.past = is_past;
    Ok(Some(Look { kind, scene, view, plies: plies.into_iter().map(PlyView::from).collect() }))
}

/// The board after each ply up to `most`, from the start on; none where there is no such board.
pub fn looks(store: &Store, number: BoardId, most: u32) -> Result<Vec<Look>, Error> {
    let Some(now) = Board::load(store, number)? else { return Ok(Vec::new()) };
    let last = now.row.plies;
    let plies = store.plies(number, Ply(1), last)?;
    let mut played = plies.iter();
    let mut before: Option<Box<dyn Table>> = None;
    let mut moved: Option<(Scene, Ends)> = None;
    let mut looks = Vec::new();
    Board::each_past(number, &store.events(number)?, last.min(Ply(most)), |board| {
        if let Some(mut table) = before.take()
            && let Some(ply) = played.next()
        {
            let stood = table.look();
            let ends = table.play_text(&ply.text).map_or_else(|_| Ends::default(), |played| played.ends);
            moved = if ends.to.is_some() { Some((stood, ends)) } else { moved.take() };
        }
        before = Some(board.table.copy());
        let mut scene = board.table.look();
        if let Some((stood, ends)) = &moved {
            scene = scene.after(stood, ends.clone());
        }
        let past = board.row.plies != last;
        let view = board_view(store, if past { board } else { &now });
        looks.push(view.map(|view| (scene, BoardView { past, ..view })));
    })?;
    let plies: Vec<PlyView> = plies.into_iter().map(PlyView::from).collect();
    looks
        .into_iter()
        .map(|look| {
            let (scene, view) = look?;
            Ok(Look { kind: now.kind, scene, view, plies: plies.clone() })
        })
        .collect()
}
