//! The board in text, as pbmserv draws it: 20 lines of at most 39 columns.
//!
//! A space is a hexagon around two characters: blanks when empty, `w ` `b ` `D ` for one piece, `w3` for a stack of
//! three, `W3` for one with a DVONN piece in it, and `w+` or `W+` for ten or more, whose height a note gives.

use super::board::ALL_PIECES;
use super::position::{Dvonn, Phase};
use super::remarks::DOUBLE_TURN;
use super::space::{COLUMNS, ROWS, Space, column_letter};
use super::text::stack;
use crate::canvas::Canvas;
use crate::{Drawing, Seat};

const KEY: &str = "w white, b black, D DVONN piece; b3 stack of 3, B3 with DVONN in it, b+ 10 up.";

pub(super) fn draw(position: &Dvonn) -> Drawing {
    let board = position.board();
    let mut canvas = Canvas::new();
    for space in Space::all() {
        let (line, column) = hexagon_at(space);
        canvas.hexagon(line, column, &inside(&stack(board, space)));
    }
    rows(&mut canvas);
    columns(&mut canvas);
    let high = Space::all().filter(|space| board.height(*space) > 9);
    let double_turn = (position.placed() + 1 == ALL_PIECES).then(|| DOUBLE_TURN.to_owned());
    Drawing {
        board: canvas.text(),
        key: KEY.to_owned(),
        notes: high.map(|space| format!("{space} is {}", stack(board, space))).chain(double_turn).collect(),
        standing: standing(position),
    }
}

/// The line and column of the `/` of a space's hexagon.
fn hexagon_at(space: Space) -> (usize, usize) {
    // Row 5 is at the top; each column to the right is three characters on and one line down.
    let (column, from_top) = (space.column() as usize, (ROWS - space.row()) as usize);
    (2 * from_top + column, 5 + 3 * column)
}

/// The two characters for a stack, given as the position's text writes it.
fn inside(stack: &str) -> String {
    match (stack, stack.len()) {
        (".", _) => String::new(),
        (_, 1 | 2) => stack.to_owned(),
        _ => stack.chars().take(1).chain(['+']).collect(),
    }
}

/// Writes the number of each row above and to the left of its first space, with a stroke between them.
fn rows(canvas: &mut Canvas) {
    for row in 1..=ROWS {
        let Some(first) = Space::of_row(row).next() else { continue };
        let (line, column) = hexagon_at(first);
        // One column further to the left where another hexagon stands above.
        let shift = usize::from(Space::at(first.column(), row + 1).is_some());
        canvas.put(line - 1, column - 1 - shift, "\\");
        canvas.put(line - 2, column - 2 - shift, &row.to_string());
    }
}

/// Writes the letter of each column below its lowest space, with a stroke between them.
fn columns(canvas: &mut Canvas) {
    for number in 0..COLUMNS {
        let Some(lowest) = Space::of_column(number).next() else { continue };
        let (line, column) = hexagon_at(lowest);
        canvas.put(line + 2, column + 1, "|");
        canvas.put(line + 3, column + 1, &column_letter(number).to_string());
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
