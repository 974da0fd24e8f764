//! The board in text: 23 lines of at most 42 columns.
//!
//! The board stands on a corner: row 1 is its lower left edge and row 11 its upper right one. Each cell on the edge
//! has its name beside it, which shows both ends of every row.
//!
//! A cell is a hexagon around two characters. The first is its stone or, on an empty cell, who secures it: `+` white,
//! `-` black, `*` both. The second is `#` on a gate and, on other empty cells, `o` for a ring and `.` for a lane.

use super::cells::{Cell, CellSet, Kind};
use super::position::Hexmeister;
use crate::canvas::Canvas;
use crate::notation::colour_capital;
use crate::{Drawing, Position, Seat};

const KEY: &str = "w white, b black; # gate, o ring, . lane; secured by + white, - black, * both.";

/// Columns on the left for the names of cells.
const MARGIN: usize = 4;

/// Columns for a cell's name on the map: `a11#`.
const NAME_WIDTH: usize = 4;

/// From this many turns without a drop or a capture on, a note counts them.
const MANY_QUIET_TURNS: usize = 50;

pub(super) fn draw(position: &Hexmeister) -> Drawing {
    let mut canvas = Canvas::new();
    let secured = Seat::BOTH.map(|seat| position.board().secured(seat));
    for cell in Cell::all() {
        let (line, column) = hexagon_at(cell);
        canvas.hexagon(line, column, &inside(position.board().owner(cell), secured, cell));
        name(&mut canvas, cell);
    }
    Drawing {
        board: canvas.text(),
        key: KEY.to_owned(),
        notes: notes(position),
        standing: standing(position),
    }
}

/// The board with the name of every cell in it, gates with a `#`, as [`draw`] turns it: 23 lines of 56 columns.
pub(super) fn map() -> String {
    let mut canvas = Canvas::new();
    for cell in Cell::all() {
        let (line, column) = place(cell);
        let gate = if cell.kind() == Kind::Gate { "#" } else { "" };
        let inside = format!("{:<3}{gate}", cell.to_string());
        canvas.wide_hexagon(line, column * (NAME_WIDTH + 1), NAME_WIDTH, &inside);
    }
    canvas.text()
}

/// The line of a cell's hexagon, and how many hexagons stand to the left of it.
fn place(cell: Cell) -> (usize, usize) {
    // A step along a row goes down and to the right. Neither number is negative on the board.
    let (line, column) = (cell.q() + 2 * cell.r() + 11, cell.q() + 5);
    (line as usize, column as usize)
}

/// The line and column of the `/` of a cell's hexagon.
fn hexagon_at(cell: Cell) -> (usize, usize) {
    let (line, column) = place(cell);
    (line, MARGIN + 3 * column)
}

/// The two characters of a cell, given the cells that white and black secure.
fn inside(owner: Option<Seat>, secured: [CellSet; 2], cell: Cell) -> String {
    let [white, black] = secured.map(|set| set & cell.set() != 0);
    let first = match (owner, white, black) {
        (Some(Seat::First), ..) => 'w',
        (Some(Seat::Second), ..) => 'b',
        (None, true, true) => '*',
        (None, true, false) => '+',
        (None, false, true) => '-',
        (None, false, false) => ' ',
    };
    let second = match cell.kind() {
        Kind::Gate => '#',
        // A stone is easier to see alone, and below a stone the kind matters only for gates, which stones cross.
        _ if owner.is_some() => ' ',
        Kind::Ring => 'o',
        Kind::Lane => '.',
    };
    [first, second].iter().collect()
}

/// Writes the name of a cell on the edge outside the board.
fn name(canvas: &mut Canvas, cell: Cell) {
    let (line, column) = hexagon_at(cell);
    let name = cell.to_string();
    let (q, r) = (cell.q(), cell.r());
    let left = column.saturating_sub(1 + name.len());
    let right = column + 5;
    match (q, r, q + r) {
        (-5, ..) => canvas.put(line, left, &name),
        (5, ..) => canvas.put(line, right, &name),
        (.., -5) => canvas.put(line - 1, left + 1, &name),
        (.., 5) => canvas.put(line + 1, right, &name),
        (_, -5, _) => canvas.put(line - 1, right - 1, &name),
        (_, 5, _) => canvas.put(line + 1, left, &name),
        _ => {}
    }
}

fn notes(position: &Hexmeister) -> Vec<String> {
    let mut notes = Vec::new();
    if position.outcome().is_some() {
        return notes;
    }
    if position.bonus() {
        let what = if position.rules().bonusdrop { "move or drop" } else { "move" };
        notes.push(format!(
            "{} has a bonus {what}, to be used or declined with `done`.",
            colour_capital(position.to_move())
        ));
    }
    if position.history().times() == 2 && !position.bonus() {
        notes.push("This position stands for the second time; the third time is a draw.".to_owned());
    }
    let quiet = position.quiet_turns();
    if quiet >= MANY_QUIET_TURNS {
        notes.push(format!("{quiet} turns without a drop or a capture; 100 are a draw."));
    }
    notes
}

fn standing(position: &Hexmeister) -> String {
    let [white, black] = Seat::BOTH.map(|seat| {
        let on_board = position.board().stones(seat).count_ones();
        format!("{on_board}, {}, {}", position.reserve(seat), position.captured(seat))
    });
    format!("Stones on the board, in reserve, captured: white {white}; black {black}.")
}
