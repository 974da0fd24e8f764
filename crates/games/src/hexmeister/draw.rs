//! The board in text: 23 lines of at most 42 columns.
//!
//! A corner of the board is at the bottom: row 1 is the lower left edge and row 11 the upper right edge. The names of
//! all cells on the edge are around the board, so both ends of each row have a name.
//!
//! A cell is a hexagon around two characters. The first is its stone or, on an empty cell, the side that
//! secures it: `+` white, `-` black, `*` both. The second is `#` on a gate and, on other empty cells, `o` for
//! a ring and `.` for a lane.

use super::cells::{Cell, CellKind, CellSet};
use super::position::Hexmeister;
use crate::canvas::Canvas;
use crate::notation::{colour_capital, counted};
use crate::scene::{Ground, Label, Scene, Shape, Side, Space, Thing, Tiling};
use crate::{Position, Seat};

const KEY: &str = "w white, b black; # gate, o ring, . lane; secured by + white, - black, * both.";

/// The columns of a name on the map, such as `a11#`.
const NAME_WIDTH: usize = 4;

/// A note counts the turns without a drop or a capture if there are this many or more.
const MANY_QUIET_TURNS: usize = 50;

pub(super) fn scene(position: &Hexmeister) -> Scene {
    let secured = Seat::BOTH.map(|seat| position.board().secured(seat));
    Scene {
        tiling: Tiling::Hexagons,
        edges: Vec::new(),
        spaces: Cell::all().map(|cell| seen(position.board().owner(cell), secured, cell)).collect(),
        labels: Cell::all().filter_map(name).collect(),
        colours: ['w', 'b'],
        // Room for the names of cells: four columns on the left.
        origin: [11, 19],
        mark: "",
        key: KEY.to_owned(),
        notes: notes(position),
        holds: Seat::BOTH.map(|seat| holds(position, seat)),
        standing: standing(position),
        asks: asks(position),
        props: Vec::new(),
        last: None,
    }
}

/// The board with the name in each cell, and a `#` in gates: 23 lines of 56 columns.
pub(super) fn map() -> String {
    let mut canvas = Canvas::new();
    for cell in Cell::all() {
        let (line, column) = place(cell);
        let gate = if cell.kind() == CellKind::Gate { "#" } else { "" };
        let inside = format!("{:<3}{gate}", cell.to_string());
        canvas.wide_hexagon(line, column * (NAME_WIDTH + 1), NAME_WIDTH, &inside);
    }
    canvas.text()
}

/// The line of the hexagon of a cell, and the number of hexagons to the left of it.
fn place(cell: Cell) -> (usize, usize) {
    // A step along a row goes down and to the right. Neither number is negative on the board.
    let (line, column) = (cell.q() + 2 * cell.r() + 11, cell.q() + 5);
    (line as usize, column as usize)
}

/// The cell in the scene. `secured` has the cells that white and black secure.
fn seen(owner: Option<Seat>, secured: [CellSet; 2], cell: Cell) -> Space {
    let held = secured.map(|set| owner.is_none() && set & cell.set() != 0);
    let first = match (owner, held) {
        (Some(seat), _) => *seat.of(&['w', 'b']),
        (None, [true, true]) => '*',
        (None, [true, false]) => '+',
        (None, [false, true]) => '-',
        (None, [false, false]) => ' ',
    };
    let second = match cell.kind() {
        CellKind::Gate => '#',
        // Leave out the kind of an occupied cell: the stone is easier to see alone. Gates are the exception, because
        // stones cross them.
        _ if owner.is_some() => ' ',
        CellKind::Ring => 'o',
        CellKind::Lane => '.',
    };
    let thing = |seat| Thing { side: Some(seat), height: 1, marked: false, shape: Shape::Disc, name: "" };
    Space {
        name: cell.to_string(),
        q: cell.q(),
        r: cell.r(),
        ground: match cell.kind() {
            CellKind::Gate => Ground::Gate,
            CellKind::Ring if cell.r().abs() == 5 => Ground::Base,
            CellKind::Ring => Ground::Plain,
            CellKind::Lane => Ground::Lane,
        },
        thing: owner.map(thing),
        held,
        sign: [first, second].iter().collect(),
        fell: false,
        in_check: false,
        wins: false,
        shift: 0,
    }
}

/// The name of a cell on the edge, outside the board.
fn name(cell: Cell) -> Option<Label> {
    let (q, r) = (cell.q(), cell.r());
    let side = match (q, r, q + r) {
        (-5, ..) => Side::Left,
        (5, ..) => Side::Right,
        (.., -5) => Side::West,
        (.., 5) => Side::East,
        (_, -5, _) => Side::NorthEast,
        (_, 5, _) => Side::SouthWest,
        _ => return None,
    };
    Some(Label { text: cell.to_string(), beside: [q, r], side })
}

fn asks(position: &Hexmeister) -> [String; 3] {
    let seat = position.to_move();
    let reserve = position.reserve(seat);
    let first = match (position.bonus(), position.rules().bonusdrop && reserve > 0) {
        (true, true) => "Your bonus: move or drop a stone, or give it up by done.".to_owned(),
        (true, false) => "Your bonus: move a stone once more, or give it up by done.".to_owned(),
        (false, _) if reserve == 0 => "Choose a stone to move.".to_owned(),
        (false, _) if position.board().stones(seat) == 0 => {
            format!("Drop a stone on your base; {reserve} are in reserve.")
        }
        (false, _) => format!("Move a stone, or drop one on your base; {reserve} are in reserve."),
    };
    [first, "Choose where it goes.".to_owned(), String::new()]
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

fn holds(position: &Hexmeister, seat: Seat) -> String {
    format!("{} in reserve, {} captured", position.reserve(seat), position.captured(seat))
}

fn standing(position: &Hexmeister) -> String {
    let [white, black] = Seat::BOTH.map(|seat| {
        let stones = counted(position.board().stones(seat).count_ones(), "stone");
        format!("{stones} on the board, {}", holds(position, seat))
    });
    format!("White: {white}. Black: {black}.")
}
