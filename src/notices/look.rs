//! A board at a ply: the scene with the move that led to it, and all plies.

use schemars::JsonSchema;
use serde::Serialize;
use turnpost_games::scene::{Captured, Scene, ToldCaptures};
use turnpost_games::{GameKind, Table};

use crate::board::Board;
use crate::failure::Error;
use crate::ids::{BoardId, Ply, Seat};
use crate::notices::ply_view::PlyView;
use crate::notices::view::{BoardView, board_view};
use crate::store::{PlyRow, Store};

pub struct Look {
    pub kind: &'static GameKind,
    pub scene: Scene,
    /// The pieces that each side has captured.
    pub captured: [Captured; 2],
    pub view: BoardView,
    /// All plies of the board, later ones too.
    pub plies: Vec<PlyView>,
}

impl Look {
    /// The board from its other side.
    pub fn flipped(mut self) -> Look {
        self.scene = self.scene.turned();
        self.view.drawing = self.scene.drawing().board;
        self
    }

    /// The position and the last move in words.
    pub fn sentence(&self) -> String {
        self.scene.sentence(self.kind.seats)
    }
}

/// A message between the players of a board.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Said {
    pub by: String,
    /// Seconds since 1970.
    pub at: i64,
    pub words: String,
}

/// The latest messages about a board, oldest first.
pub fn conversation(store: &Store, board: BoardId) -> Result<Vec<Said>, Error> {
    const MOST: u32 = 50;
    let said = store.conversation(board, MOST)?.into_iter().map(|row| {
        let by = store.player_by_id(row.writer)?.userid.to_string();
        Ok(Said { by, at: row.at.as_second(), words: row.words })
    });
    said.collect()
}

/// The board now or, with a ply, after it; `None` if the board or ply does not exist.
pub fn look(store: &Store, number: BoardId, ply: Option<Ply>) -> Result<Option<Look>, Error> {
    let Some(now) = Board::load(store, number)? else { return Ok(None) };
    let (kind, last) = (now.kind, now.row.plies);
    let at = ply.unwrap_or(last);
    if at > last {
        return Ok(None);
    }
    let plies = store.plies(number, Ply(1), last)?;
    let mut tables = Vec::new();
    let past = Board::each_past(number, &store.events(number)?, at, |board| tables.push(board.table.copy()))?;
    let is_past = at != last;
    let view = board_view(store, if is_past { &past } else { &now })?;
    let scene = scene(&tables, &plies).unwrap_or_else(|| now.table.look());
    let captured = captured(kind, &tables, &scene, &plies);
    let plies = PlyView::all(store, &now.row, plies)?;
    Ok(Some(Look { kind, scene, captured, view: BoardView { past: is_past, ..view }, plies }))
}

/// The board after each ply up to `most`, from the start on; empty if there is no such board.
pub fn looks(store: &Store, number: BoardId, most: u32) -> Result<Vec<Look>, Error> {
    let Some(now) = Board::load(store, number)? else { return Ok(Vec::new()) };
    let last = now.row.plies;
    let plies = store.plies(number, Ply(1), last)?;
    let (mut tables, mut looks) = (Vec::new(), Vec::new());
    Board::each_past(number, &store.events(number)?, last.min(Ply(most)), |board| {
        tables.push(board.table.copy());
        let past = board.row.plies != last;
        let view = board_view(store, if past { board } else { &now });
        looks.extend(scene(&tables, &plies).map(|scene| {
            let captured = captured(now.kind, &tables, &scene, &plies);
            view.map(|view| (scene, captured, BoardView { past, ..view }))
        }));
    })?;
    let plies = PlyView::all(store, &now.row, plies)?;
    let look = |(scene, captured, view)| Look { kind: now.kind, scene, captured, view, plies: plies.clone() };
    looks.into_iter().map(|shown| shown.map(look)).collect()
}

/// The scene of the last board in `tables`, with the move that led to it. `tables` are the start and the board after
/// each ply. A pass moves nothing, so the move before it is shown.
fn scene(tables: &[Box<dyn Table>], plies: &[PlyRow]) -> Option<Scene> {
    let (now, before) = tables.split_last()?;
    let moved = before.iter().zip(plies).rev().find_map(|(table, ply)| {
        let ends = table.copy().play_text(&ply.text).ok()?.ends;
        ends.to.is_some().then(|| (table.look(), ends))
    });
    let scene = now.look();
    Some(match moved {
        Some((stood, ends)) => scene.after(&stood, ends),
        None => scene,
    })
}

/// The pieces that each side has captured on the last board in `tables`.
fn captured(kind: &GameKind, tables: &[Box<dyn Table>], scene: &Scene, plies: &[PlyRow]) -> [Captured; 2] {
    let Some(start) = tables.first().filter(|_| kind.captures != ToldCaptures::Untold) else {
        return Default::default();
    };
    let played = plies.get(..tables.len().saturating_sub(1)).unwrap_or_default();
    // A ply that puts down a piece is written as the name of its space.
    let puts = |ply: &PlyRow| scene.space(&ply.text).is_some();
    let placed = |seat: Seat| played.iter().filter(|ply| ply.seat == Some(seat) && puts(ply)).count();
    scene.captured(kind.captures, &start.look(), Seat::BOTH.map(placed))
}
