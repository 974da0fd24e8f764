//! The board in text, as pbmserv draws it: 20 lines of at most 39 columns.
//!
//! The cell of a space holds two characters: blanks for an empty space, `w ` `b ` `D ` for one piece, `w3` for a stack
//! of three, `W3` for one with a DVONN piece in it, `w+` or `W+` for ten or more, whose heights are given in the notes.

use super::position::{Dvonn, Phase};
use super::space::{COLUMNS, ROWS, Space, column_letter};
use super::text::stack;
use crate::canvas::Sheet;
use crate::{Drawing, Seat};

const KEY: &str = "w white, b black, D DVONN piece; b3 stack of 3, B3 with DVONN in it, b+ 10 up.";

pub(super) fn draw(position: &Dvonn) -> Drawing {
    let board = position.board();
    let mut sheet = Sheet::new();
    for space in Space::all() {
        let (line, column) = place(space);
        sheet.hexagon(line, column, &inside(&stack(board, space)));
    }
    rows(&mut sheet);
    columns(&mut sheet);
    let high = Space::all().filter(|space| board.height(*space) > 9);
    Drawing {
        board: sheet.text(),
        key: KEY.to_owned(),
        notes: high.map(|space| format!("{space} is {}", stack(board, space))).collect(),
        standing: standing(position),
    }
}

/// Where the `/` of a space's cell stands.
fn place(space: Space) -> (usize, usize) {
    // Row 5 counts from 0 here; every column to the right is three characters on and one line down.
    let (column, from_top) = (space.column() as usize, (ROWS - space.row()) as usize);
    (2 * from_top + column, 5 + 3 * column)
}

/// The two characters of a cell for a stack written as in the position's text.
fn inside(stack: &str) -> String {
    match (stack, stack.len()) {
        (".", _) => String::new(),
        (_, 1 | 2) => stack.to_owned(),
        _ => stack.chars().take(1).chain(['+']).collect(),
    }
}

/// The number of each row, up and to the left of its first space, and a stroke towards it.
fn rows(sheet: &mut Sheet) {
    for row in 1..=ROWS {
        let Some(first) = Space::of_row(row).next() else { continue };
        let (line, column) = place(first);
        // One further to the left where another cell of the column stands above.
        let shift = usize::from(Space::at(first.column(), row + 1).is_some());
        sheet.put(line - 1, column - 1 - shift, "\\");
        sheet.put(line - 2, column - 2 - shift, &row.to_string());
    }
}

/// The letter of each column, below its lowest space, and a stroke towards it.
fn columns(sheet: &mut Sheet) {
    for number in 0..COLUMNS {
        let Some(lowest) = Space::of_column(number).next() else { continue };
        let (line, column) = place(lowest);
        sheet.put(line + 2, column + 1, "|");
        sheet.put(line + 3, column + 1, &column_letter(number).to_string());
    }
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
    let pieces = if white == 1 { "piece" } else { "pieces" };
    format!("White controls {white} {pieces}, black {black}.")
}
