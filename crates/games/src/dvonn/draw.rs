//! The board in text, as pbmserv draws it: 20 lines of at most 39 columns.
//!
//! A space is a hexagon around two characters: blanks when empty, `w ` `b ` `D ` for one piece, `w3` for a stack of
//! three, `W3` for one with a DVONN piece in it, and `w+` or `W+` for ten or more, whose height a note gives.

use super::board::{ALL_PIECES, Board};
use super::position::{Dvonn, Phase};
use super::space::{COLUMNS, ROWS, Space, column_letter};
use super::text::{DOUBLE_TURN, stack};
use crate::Seat;
use crate::notation::counted;
use crate::scene::{self, Label, Scene, Side, Tiling};

const KEY: &str = "w white, b black, D DVONN piece; b3 stack of 3, B3 with DVONN in it, b+ 10 up.";

pub(super) fn scene(position: &Dvonn) -> Scene {
    let board = position.board();
    let high = Space::all().filter(|space| board.height(*space) > 9);
    let double_turn = (position.placed() + 1 == ALL_PIECES).then(|| DOUBLE_TURN.to_owned());
    Scene {
        tiling: Tiling::Hexagons,
        edges: Vec::new(),
        spaces: Space::all().map(|space| seen(board, space)).collect(),
        labels: rows().chain(columns()).collect(),
        colours: ['w', 'b'],
        origin: [0, 5],
        mark: "DVONN",
        key: KEY.to_owned(),
        notes: high.map(|space| format!("{space} is {}", stack(board, space))).chain(double_turn).collect(),
        standing: standing(position),
        last: None,
    }
}

fn seen(board: &Board, space: Space) -> scene::Space {
    let thing = (board.height(space) > 0).then(|| scene::Thing {
        side: board.owner(space),
        height: board.height(space),
        marked: board.red() & space.set() != 0,
        shape: scene::Shape::Ring,
        name: "",
    });
    let [q, r] = place(space);
    let sign = inside(&stack(board, space));
    scene::Space {
        name: space.to_string(),
        q,
        r,
        ground: scene::Ground::Plain,
        thing,
        held: [false; 2],
        sign,
        fell: false,
    }
}

/// Columns to the right and rows down: row 5 is at the top.
fn place(space: Space) -> [i32; 2] {
    [space.column(), ROWS - space.row()]
}

/// The two characters for a stack, given as the position's text writes it.
fn inside(stack: &str) -> String {
    match (stack, stack.len()) {
        (".", _) => String::new(),
        (_, 1 | 2) => stack.to_owned(),
        _ => stack.chars().take(1).chain(['+']).collect(),
    }
}

/// The number of each row, to the left of its first space.
fn rows() -> impl Iterator<Item = Label> {
    (1..=ROWS).filter_map(|row| {
        let first = Space::of_row(row).next()?;
        Some(Label { text: row.to_string(), beside: place(first), side: Side::RowStart })
    })
}

/// The letter of each column, below its lowest space.
fn columns() -> impl Iterator<Item = Label> {
    (0..COLUMNS).filter_map(|number| {
        let lowest = Space::of_column(number).next()?;
        let text = column_letter(number).to_string();
        Some(Label { text, beside: place(lowest), side: Side::ColumnEnd })
    })
}

fn standing(position: &Dvonn) -> String {
    let board = position.board();
    if position.phase() == Phase::Placement {
        let [white, black] = Seat::BOTH.map(|seat| board.controlled(seat).count_ones());
        let dvonn = board.red().count_ones();
        return format!(
            "Placed so far: {dvonn} DVONN, {white} white, {black} black; {} to come.",
            49 - position.placed()
        );
    }
    let [white, black] = position.score();
    let white = counted(white.into(), "piece");
    format!("White controls {white}, black {black}.")
}
