//! The board in text, as pbmserv draws it: 20 lines of at most 39 columns.
//!
//! A space is a hexagon around two characters: blanks if it is empty, `w ` `b ` `D ` for one piece, `w3` for
//! a stack of three, `W3` for one with a DVONN piece in it, `w+` or `W+` for a stack of ten or more, whose
//! height is in a note.

use super::board::{ALL_PIECES, Board};
use super::position::{Dvonn, Phase};
use super::space::{COLUMNS, ROWS, Space, column_letter};
use super::text::{DOUBLE_TURN, left_to_place, next_piece, stack};
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
        labels: labels().collect(),
        colours: ['w', 'b'],
        origin: [0, 5],
        mark: "DVONN",
        key: KEY.to_owned(),
        notes: high.map(|space| format!("{space} is {}", stack(board, space))).chain(double_turn).collect(),
        holds: Seat::BOTH.map(|seat| holds(position, seat)),
        standing: standing(position),
        asks: asks(position),
        props: Vec::new(),
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
    let mut sign = stack(board, space);
    if thing.is_none() {
        sign.clear();
    } else if sign.len() > 2 {
        sign.replace_range(1.., "+");
    }
    scene::Space {
        name: space.to_string(),
        q,
        r,
        ground: scene::Ground::Plain,
        thing,
        held: [false; 2],
        sign,
        fell: false,
        in_check: false,
        wins: false,
        shift: 0,
    }
}

/// Columns to the right and rows down. Row 5 is at the top.
fn place(space: Space) -> [i32; 2] {
    [space.column(), ROWS - space.row()]
}

/// The number of each row before its first space, and the letter of each column below its lowest one.
fn labels() -> impl Iterator<Item = Label> {
    let rows = (1..=ROWS).map(|row| (Space::of_row(row).next(), row.to_string(), Side::RowStart));
    let columns = (0..COLUMNS)
        .map(|column| (Space::of_column(column).next(), column_letter(column).to_string(), Side::ColumnEnd));
    rows.chain(columns).filter_map(|(space, text, side)| Some(Label { text, beside: place(space?), side }))
}

fn asks(position: &Dvonn) -> [String; 3] {
    match position.phase() {
        Phase::Placement => [format!("Place {}.", next_piece(position)), String::new(), String::new()],
        Phase::Stacking => {
            ["Choose a piece or stack to move.", "Choose where it goes.", ""].map(str::to_owned)
        }
    }
}

/// The pieces that a side controls, or those that it has yet to place.
fn holds(position: &Dvonn, seat: Seat) -> String {
    if position.phase() == Phase::Placement {
        return format!("{} to place", left_to_place(position, seat));
    }
    counted((*seat.of(&position.score())).into(), "piece")
}

fn standing(position: &Dvonn) -> String {
    let board = position.board();
    if position.phase() == Phase::Placement {
        let [white, black] = Seat::BOTH.map(|seat| board.controlled(seat).count_ones());
        let (dvonn, left) = (board.red().count_ones(), ALL_PIECES - position.placed());
        return format!("Placed so far: {dvonn} DVONN, {white} white, {black} black; {left} to come.");
    }
    let [white, black] = position.score();
    format!("White controls {}, black {black}.", counted(white.into(), "piece"))
}
