//! A position as one line of words, and what a ply captured.
//!
//! - Rows 11 to 1, separated by `/`, one character a cell: `w`, `b`, `.` empty (it reads `o` and `#` as empty too).
//! - The side to move, `w` or `b`.
//! - The reserves of white and black: `12,11`. Without them, no stone was captured.
//! - `bonus` when the next ply is a bonus; `straight` and `bonusdrop` for the options.
//! - `since` and the turns since the last drop or capture, oldest first, separated by commas: the cells left, `>` and
//!   the cells reached, as in `c1>d4` or `c1c3>d4d5`. A turn that changed nothing is `>`. With a pending bonus the
//!   last turn is the one in progress. Without `since`, no board can recur.

use std::fmt::Write as _;

use super::board::{Board, STONES};
use super::cells::{CENTRE, Cell, CellSet, ROWS, cells};
use super::history::{History, QUIET_TURNS};
use super::{
    notation,
    position::{Hexmeister, Rules},
};
use crate::notation::{colour, colour_capital, listed, plain_numbers, read_rows, side_to_move, write_rows};
use crate::{Position, Seat, SetupError};

/// The side to move: white, then black.
const SIDES: [&str; 2] = ["w", "b"];

/// The cells, row 11 first.
fn rows() -> Vec<Vec<Cell>> {
    (1..=ROWS).rev().map(|row| Cell::of_row(row).collect()).collect()
}

pub(super) fn write(position: &Hexmeister) -> String {
    let board = position.board();
    let sign = |cell| board.owner(cell).map_or(".", |seat| *seat.of(&SIDES));
    let rows = write_rows(&rows(), "", sign);
    let [white, black] = Seat::BOTH.map(|seat| position.reserve(seat));
    let mut text = format!("{rows} {} {white},{black}", position.to_move().of(&SIDES));
    let Rules { straight, bonusdrop } = position.rules();
    for (word, given) in [("bonus", position.bonus()), ("straight", straight), ("bonusdrop", bonusdrop)] {
        if given {
            // Writing to a String cannot fail.
            let _ = write!(text, " {word}");
        }
    }
    let turns = turns(position);
    if !turns.is_empty() {
        let _ = write!(text, " since {}", turns.join(","));
    }
    text
}

/// The turns since the last drop or capture, oldest first.
fn turns(position: &Hexmeister) -> Vec<String> {
    let mut after = *position.board();
    // At the start of a turn the newest board of the history is the current one.
    let earlier = position.history().boards().skip(usize::from(!position.bonus()));
    let mut turns: Vec<String> = earlier
        .map(|before| {
            let changed = |from: &Board, to: &Board| {
                Seat::BOTH.iter().fold(0, |set, seat| set | from.stones(*seat) & !to.stones(*seat))
            };
            let turn = format!("{}>{}", joined(changed(&before, &after)), joined(changed(&after, &before)));
            after = before;
            turn
        })
        .collect();
    turns.reverse();
    turns
}

fn joined(set: CellSet) -> String {
    cells(set).map(|cell| cell.to_string()).collect()
}

pub(super) fn read(text: &str) -> Result<Hexmeister, SetupError> {
    let mut words = text.split_whitespace();
    let (Some(rows), Some(side)) = (words.next(), words.next()) else {
        return SetupError::unreadable(
            "it is eleven rows without blanks, a blank, and w or b; then the reserves and what else there is to say",
        );
    };
    let board = read_board(rows)?;
    let to_move = side_to_move(side, SIDES)?;
    let (mut reserves, mut bonus, mut rules, mut since) = (None, false, Rules::default(), None);
    while let Some(word) = words.next() {
        let twice = match word {
            "bonus" => std::mem::replace(&mut bonus, true),
            "straight" => std::mem::replace(&mut rules.straight, true),
            "bonusdrop" => std::mem::replace(&mut rules.bonusdrop, true),
            "since" => since.replace(words.next().unwrap_or_default()).is_some(),
            _ => reserves.replace(read_reserves(word)?).is_some(),
        };
        if twice {
            return SetupError::unreadable("behind the side to move nothing is said twice");
        }
    }
    let reserves = match reserves {
        Some(reserves) => reserves,
        None => Seat::BOTH.map(|seat| STONES.saturating_sub(board.stones(seat).count_ones() as u8)),
    };
    lawful(&board, reserves)?;
    let turns = match since {
        Some(turns) => read_turns(turns)?,
        None => Vec::new(),
    };
    let mover = if bonus { to_move } else { to_move.other() };
    let history = read_history(board, mover, bonus, &turns)?;
    Ok(Hexmeister::turn_begins(board, to_move, reserves, rules).with_history(history, bonus))
}

fn read_board(text: &str) -> Result<Board, SetupError> {
    let mut board = Board::EMPTY;
    for (cell, sign) in read_rows(text, &rows(), |row| row.chars().collect())? {
        match sign {
            '.' | 'o' | '#' => {}
            'w' => board.put(Seat::First, cell.set()),
            'b' => board.put(Seat::Second, cell.set()),
            _ => {
                return SetupError::unreadable(format!(
                    "what stands for {cell} is none of . (empty), w and b"
                ));
            }
        }
    }
    Ok(board)
}

fn read_reserves(text: &str) -> Result<[u8; 2], SetupError> {
    match plain_numbers(text) {
        Some(reserves) if reserves.iter().all(|number| *number <= u16::from(STONES)) => {
            Ok(reserves.map(|number| number as u8))
        }
        _ => SetupError::unreadable(
            "behind the side to move stand the reserves, like 12,11, each at most 18, and the words bonus, straight, \
             bonusdrop and since",
        ),
    }
}

/// Reads the cells left and reached in each turn.
fn read_turns(text: &str) -> Result<Vec<[CellSet; 2]>, SetupError> {
    let turns: Option<Vec<[CellSet; 2]>> = text
        .split(',')
        .map(|turn| {
            let (left, reached) = turn.split_once('>')?;
            Some([read_cells(left)?, read_cells(reached)?])
        })
        .collect();
    match turns {
        Some(turns) if turns.len() <= QUIET_TURNS => Ok(turns),
        Some(_) => SetupError::unreadable("behind since stand at most 100 turns"),
        None => SetupError::unreadable("behind since stand turns parted by commas, each like c1>d4"),
    }
}

fn read_cells(mut text: &str) -> Option<CellSet> {
    let mut set = 0;
    while !text.is_empty() {
        let (cell, rest) = notation::cell(text)?;
        let cell = cell.ok()?.set();
        if set & cell != 0 {
            return None;
        }
        set |= cell;
        text = rest;
    }
    Some(set)
}

/// Rebuilds the history by taking back `turns`, of which `mover` played the last.
fn read_history(
    board: Board,
    mover: Seat,
    bonus: bool,
    turns: &[[CellSet; 2]],
) -> Result<History, SetupError> {
    let mut boards = if bonus { Vec::new() } else { vec![board] };
    let (mut before, mut seat) = (board, mover);
    for [left, reached] in turns.iter().rev() {
        let moved = reached & !before.stones(seat) == 0 && left & !before.empty() == 0;
        if !moved || left.count_ones() != reached.count_ones() {
            return SetupError::unlawful(format!(
                "{}>{} is no turn of {} that could have led to the board behind it",
                joined(*left),
                joined(*reached),
                colour(seat)
            ));
        }
        before.take(seat, *reached);
        before.put(seat, *left);
        boards.push(before);
        seat = seat.other();
    }
    let mut history = History::EMPTY;
    boards.into_iter().rev().for_each(|board| history.push(board));
    Ok(history)
}

/// Refuses a board that no game can reach, as far as one board shows.
fn lawful(board: &Board, reserves: [u8; 2]) -> Result<(), SetupError> {
    for seat in Seat::BOTH {
        let on_board = board.stones(seat).count_ones();
        let stones = on_board + u32::from(*seat.of(&reserves));
        if stones > u32::from(STONES) {
            return SetupError::unlawful(format!(
                "{} has {stones} stones on the board and in reserve, and a side has 18",
                colour(seat)
            ));
        }
        // A stone in the centre stays when its side loses the eight gates that protected it from a triangle.
        let other = seat.other();
        let secured = board.near(other) | board.triangulated(other) & !CENTRE;
        if let Some(cell) = cells(board.stones(seat) & secured).next() {
            return SetupError::unlawful(format!(
                "{cell} is secured by {} and its stone would have been captured",
                colour(other)
            ));
        }
    }
    if Seat::BOTH.iter().all(|seat| board.won(*seat).is_some()) {
        return SetupError::unlawful("both sides have won");
    }
    Ok(())
}

/// Why the side that has just played may go on, in words that hold when it declines: `White earns a bonus move by a
/// capture.`
pub(super) fn earned(before: &Hexmeister, after: &Hexmeister) -> Option<String> {
    let seat = before.to_move();
    let captured = before.board().stones(seat.other()) != after.board().stones(seat.other());
    let why = if captured { "a capture" } else { "entering a gate" };
    let side = colour_capital(seat);
    let goes_on = after.bonus() && after.outcome().is_none() && after.forced().is_none();
    goes_on.then(|| format!("{side} earns a bonus move by {why}."))
}

/// `White's stones on c10 and d9 are captured.`, or nothing when none were.
pub(super) fn captured(before: &Hexmeister, after: &Hexmeister) -> Option<String> {
    let loser = before.to_move().other();
    let gone = before.board().stones(loser) & !after.board().stones(loser);
    let (side, cells) = (colour_capital(loser), listed(cells(gone)));
    match gone.count_ones() {
        0 => None,
        1 => Some(format!("{side}'s stone on {cells} is captured.")),
        _ => Some(format!("{side}'s stones on {cells} are captured.")),
    }
}
