//! A position as one line of text, and sentences about a ply.
//!
//! The text gives rows 5 to 1, separated by `/`, with the spaces of a row separated by `,`, and then the side
//! to move, `w` or `b`. A space is `.` empty, `w` or `b` a single piece, `w7` a stack of 7, `W7` a stack of 7
//! with a DVONN piece in it, `D` a lone DVONN piece. In the placement phase `place` and the number of the
//! next ply follow: `... w place 1`.

use super::board::{ALL_PIECES, Board, DVONN_PIECES, PIECES_PER_SIDE};
use super::position::{Dvonn, Move, Phase, Piece, piece_of, placer};
use super::space::{ROWS, Space, spaces};
use crate::notation::{colour, counted, plain_number, read_rows, side_to_move, write_rows};
use crate::{Position, Seat, SetupError};

/// The letters of white and black.
const SIDES: [&str; 2] = ["w", "b"];

/// The spaces, row 5 first.
fn rows() -> Vec<Vec<Space>> {
    (1..=ROWS).rev().map(|row| Space::of_row(row).collect()).collect()
}

pub(super) fn write(position: &Dvonn) -> String {
    let rows = write_rows(&rows(), ",", |space| stack(position.board(), space));
    let to_move = position.to_move().of(&SIDES);
    match position.phase() {
        Phase::Placement => format!("{rows} {to_move} place {}", position.placed() + 1),
        Phase::Stacking => format!("{rows} {to_move}"),
    }
}

/// `.`, `D`, `w`, `w7` or `W7`.
pub(super) fn stack(board: &Board, space: Space) -> String {
    let (height, red) = (board.height(space), board.red() & space.set() != 0);
    match (board.owner(space), height) {
        (None, 0) => ".".to_owned(),
        (None, _) => "D".to_owned(),
        (Some(seat), 1) => seat.of(&SIDES).to_string(),
        (Some(seat), _) if red => format!("{}{height}", seat.of(&["W", "B"])),
        (Some(seat), _) => format!("{}{height}", seat.of(&SIDES)),
    }
}

pub(super) fn read(text: &str) -> Result<Dvonn, SetupError> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let (signs, side, ply) = match words.as_slice() {
        [signs, side] => (signs, side, None),
        [signs, side, "place", ply] => (signs, side, Some(ply)),
        _ => {
            return SetupError::unreadable(
                "it is five rows without blanks, a blank, and w or b; then, while placing, place and the number of the ply",
            );
        }
    };
    let mut board = Board::EMPTY;
    for (space, text) in read_rows(signs, &rows(), |row| row.split(',').collect())? {
        read_stack(&mut board, space, text).ok_or_else(|| {
            SetupError::Unreadable(format!(
                "what stands for {space} is none of . (empty), w, b, D (a lone DVONN piece), w2 to w49, b2 to b49, or W2 to W49, B2 to B49 with a DVONN piece inside"
            ))
        })?;
    }
    let to_move = side_to_move(side, SIDES)?;
    let Some(ply) = ply else {
        lawful_stacking(&board).map_err(SetupError::Unlawful)?;
        return Ok(Dvonn { board, to_move, placed: ALL_PIECES });
    };
    match ply.parse() {
        Ok(ply @ 1..=ALL_PIECES) => {
            lawful_placement(&board, to_move, ply).map_err(SetupError::Unlawful)?;
            Ok(Dvonn { board, to_move, placed: ply - 1 })
        }
        _ => SetupError::unreadable("the ply to be placed is a number from 1 to 49"),
    }
}

/// Puts the stack that `text` describes on the board; `None` if it describes none.
fn read_stack(board: &mut Board, space: Space, text: &str) -> Option<()> {
    let (owner, red) = match text.get(..1)? {
        "." | "D" if text.len() > 1 => return None,
        "." => return Some(()),
        "D" => (None, true),
        "w" => (Some(Seat::First), false),
        "b" => (Some(Seat::Second), false),
        "W" => (Some(Seat::First), true),
        "B" => (Some(Seat::Second), true),
        _ => return None,
    };
    let height = match text.get(1..)? {
        "" if owner.is_none() || !red => 1,
        // A height of 1 is not written, and each other height can be written in one way only.
        digits => plain_number(digits).filter(|height| (2..=ALL_PIECES.into()).contains(height))? as u8,
    };
    board.put(space, owner, height, red);
    Some(())
}

/// Refuses a board if it shows by itself that the stacking phase cannot reach it. The text does not give the colours
/// inside a stack, so only the top pieces are counted for each side.
fn lawful_stacking(board: &Board) -> Result<(), String> {
    let pieces = board.pieces(board.occupied());
    if pieces > u16::from(ALL_PIECES) {
        return Err(format!("there are {pieces} pieces on the board, and the game has 49"));
    }
    let red = board.red().count_ones();
    if !(1..=u32::from(DVONN_PIECES)).contains(&red) {
        return Err(format!(
            "{red} spaces hold DVONN pieces; there are 1 to 3, because they never leave the board"
        ));
    }
    // A lone DVONN piece counts as one. A stack can hold as many DVONN pieces as it has pieces below its top.
    let room: u32 = spaces(board.red()).map(|space| (u32::from(board.height(space)) - 1).max(1)).sum();
    if room < u32::from(DVONN_PIECES) {
        return Err(
            "the stacks with DVONN pieces have no room for all three, which never leave the board".to_owned()
        );
    }
    for seat in Seat::BOTH {
        let tops = board.controlled(seat).count_ones();
        if tops > u32::from(PIECES_PER_SIDE) {
            return Err(format!("{tops} stacks have a {} top, and a side has 23 pieces", colour(seat)));
        }
    }
    match spaces(board.occupied() & !board.linked()).next() {
        Some(space) => Err(format!("{space} is not linked to a DVONN piece and would have left the board")),
        None => Ok(()),
    }
}

/// Refuses a board that does not hold exactly the pieces placed before `ply`.
fn lawful_placement(board: &Board, to_move: Seat, ply: u8) -> Result<(), String> {
    if to_move != placer(ply) {
        return Err(format!("ply {ply} is placed by {}", colour(placer(ply))));
    }
    if board.tall() != 0 {
        return Err("there are no stacks yet while the pieces are placed".to_owned());
    }
    let sides = Seat::BOTH.map(|seat| (Piece::Of(seat), board.controlled(seat), colour(seat)));
    for (piece, spaces, what) in [(Piece::Dvonn, board.red(), "DVONN")].into_iter().chain(sides) {
        let expected = (1..ply).filter(|earlier| piece_of(*earlier) == piece).count();
        let placed = spaces.count_ones();
        if placed as usize != expected {
            return Err(format!(
                "before ply {ply} there are {expected} {what} pieces on the board, and here are {placed}"
            ));
        }
    }
    Ok(())
}

/// The side that places last also moves first. Players are told, because they can take it for a mistake.
pub(super) const DOUBLE_TURN: &str = "White moves twice here: the last placement and the first move.";

/// The piece that is placed next: `a red DVONN piece, the first of three`.
pub(super) fn next_piece(position: &Dvonn) -> String {
    if position.next_piece() == Some(Piece::Dvonn) {
        let which = match position.placed() {
            0 => "first",
            1 => "second",
            _ => "third",
        };
        return format!("a red DVONN piece, the {which} of three");
    }
    let left = match left_to_place(position, position.to_move()) {
        1 => "the last".to_owned(),
        left => format!("one of {left} left"),
    };
    format!("a {} piece, {left}", colour(position.to_move()))
}

/// The number of a side's own pieces that are not on the board yet.
pub(super) fn left_to_place(position: &Dvonn, seat: Seat) -> u32 {
    u32::from(PIECES_PER_SIDE).saturating_sub(position.board().controlled(seat).count_ones())
}

/// What a ply does: `places a red DVONN piece, the first of three, on F3`.
pub(super) fn explain(position: &Dvonn, ply: Move) -> String {
    match ply {
        Move::Place(space) => format!("places {}, on {space}", next_piece(position)),
        Move::Stack(from, to) => {
            let what = if position.board().height(from) == 1 { "piece" } else { "stack" };
            format!("moves the {what} on {from} onto {to}")
        }
        Move::Pass => "passes".to_owned(),
    }
}

/// The effects of the ply from `before` to `after` that its notation does not show.
pub(super) fn remarks(before: &Dvonn, after: &Dvonn) -> Vec<String> {
    match (before.phase(), after.phase()) {
        (Phase::Placement, Phase::Placement) => Vec::new(),
        (Phase::Placement, Phase::Stacking) => vec![DOUBLE_TURN.to_owned()],
        (Phase::Stacking, _) => Vec::from_iter(removed(before, after)),
    }
}

/// `3 pieces left the board: A1 (w), B1 (b2).`, or `None` if no piece left the board.
fn removed(before: &Dvonn, after: &Dvonn) -> Option<String> {
    let [earlier, later] =
        [before, after].map(|position| position.board().pieces(position.board().occupied()));
    let gone = earlier.checked_sub(later).filter(|gone| *gone > 0)?;
    let stacks = removed_stacks(before, after).map(|stacks| format!(": {stacks}"));
    Some(format!("{} left the board{}.", counted(gone.into(), "piece"), stacks.unwrap_or_default()))
}

/// The removed stacks, as they were after the move and before the removal. `None` if several moves lead to the same
/// board, which can happen if a stack cuts itself off.
fn removed_stacks(before: &Dvonn, after: &Dvonn) -> Option<String> {
    let mut plies = Vec::new();
    before.each_move(&mut |ply| {
        let mut next = *before;
        next.make(ply);
        if next == *after {
            plies.push(ply);
        }
    });
    let &[Move::Stack(from, to)] = plies.as_slice() else { return None };
    let moved = before.board().before_removal(before.to_move(), from, to);
    let gone = spaces(moved.occupied() & !after.board().occupied());
    let stacks: Vec<String> = gone.map(|space| format!("{space} ({})", stack(&moved, space))).collect();
    Some(stacks.join(", "))
}
