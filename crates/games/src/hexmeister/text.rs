//! A position as one line of text, and sentences about a ply.
//!
//! - Rows 11 to 1, separated by `/`, one character a cell: `w`, `b`, `.` empty (`o` and `#` are read as empty too).
//! - The side to move, `w` or `b`.
//! - The reserves of white and black: `12,11`. Without them, no stone was captured.
//! - `bonus` if the next ply uses or declines a bonus; `straight` and `bonusdrop` for the options.
//! - `since` and the turns since the last drop or capture, oldest first, separated by commas. A turn is the cells left,
//!   `>` and the cells reached, as in `c1>d4` or `c1c3>d4d5`, or `>` if it changed nothing. With a pending bonus the
//!   last turn is incomplete. Without `since`, no board can recur.

use super::board::{Board, STONES};
use super::cells::{CENTRE, Cell, CellSet, ROWS, cells};
use super::history::{History, QUIET_TURNS};
use super::notation;
use super::position::{Hexmeister, Rules};
use crate::notation::{colour, colour_capital, plain_numbers, read_rows, side_to_move, told_of, write_rows};
use crate::{Position, Seat, SetupError};

/// The letters of white and black.
const SIDES: [&str; 2] = ["w", "b"];

/// The cells, row 11 first.
fn rows() -> Vec<Vec<Cell>> {
    (1..=ROWS).rev().map(|row| Cell::of_row(row).collect()).collect()
}

pub(super) fn write(position: &Hexmeister) -> String {
    let sign = |cell| position.board().owner(cell).map_or(".", |seat| *seat.of(&SIDES));
    let rows = write_rows(&rows(), "", sign);
    let [white, black] = Seat::BOTH.map(|seat| position.reserve(seat));
    let mut words = vec![rows, (*position.to_move().of(&SIDES)).to_owned(), format!("{white},{black}")];
    let Rules { straight, bonusdrop } = position.rules();
    let flags = [("bonus", position.bonus()), ("straight", straight), ("bonusdrop", bonusdrop)];
    words.extend(flags.into_iter().filter(|(_, given)| *given).map(|(word, _)| word.to_owned()));
    let turns = turns(position);
    if !turns.is_empty() {
        words.extend(["since".to_owned(), turns.join(",")]);
    }
    words.join(" ")
}

/// The turns since the last drop or capture, oldest first.
fn turns(position: &Hexmeister) -> Vec<String> {
    let mut after = *position.board();
    // At the start of a turn the newest board of the history is the current board.
    let earlier = position.history().boards().skip(usize::from(!position.bonus()));
    let mut turns: Vec<String> = earlier
        .map(|before| {
            let changed = |from: &Board, to: &Board| {
                Seat::BOTH.iter().fold(0, |set, seat| set | from.stones(*seat) & !to.stones(*seat))
            };
            let turn = written(changed(&before, &after), changed(&after, &before));
            after = before;
            turn
        })
        .collect();
    turns.reverse();
    turns
}

/// A turn in text: `c1>d4`.
fn written(left: CellSet, reached: CellSet) -> String {
    let [left, reached] =
        [left, reached].map(|set| cells(set).map(|cell| cell.to_string()).collect::<String>());
    format!("{left}>{reached}")
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
    let all_others = || Seat::BOTH.map(|seat| STONES.saturating_sub(board.stones(seat).count_ones() as u8));
    let reserves = reserves.unwrap_or_else(all_others);
    lawful(&board, reserves).map_err(SetupError::Unlawful)?;
    let turns = since.map(read_turns).transpose()?.unwrap_or_default();
    let mover = if bonus { to_move } else { to_move.other() };
    let history = read_history(board, mover, bonus, &turns).map_err(SetupError::Unlawful)?;
    Ok(Hexmeister { board, to_move, reserves, bonus, rules, history })
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
    let turn = |turn: &str| {
        let (left, reached) = turn.split_once('>')?;
        Some([read_cells(left)?, read_cells(reached)?])
    };
    match text.split(',').map(turn).collect::<Option<Vec<_>>>() {
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

/// Rebuilds the history by taking back `turns`. `mover` played the last of them.
fn read_history(board: Board, mover: Seat, bonus: bool, turns: &[[CellSet; 2]]) -> Result<History, String> {
    let mut boards = if bonus { Vec::new() } else { vec![board] };
    let (mut before, mut seat) = (board, mover);
    for [left, reached] in turns.iter().rev() {
        let moved = reached & !before.stones(seat) == 0 && left & !before.empty() == 0;
        if !moved || left.count_ones() != reached.count_ones() {
            let (turn, side) = (written(*left, *reached), colour(seat));
            return Err(format!("{turn} is no turn of {side} that could have led to the board behind it"));
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

/// Refuses a board if it shows by itself that no game can reach it.
fn lawful(board: &Board, reserves: [u8; 2]) -> Result<(), String> {
    for seat in Seat::BOTH {
        let (side, other) = (colour(seat), seat.other());
        let stones = board.stones(seat).count_ones() + u32::from(*seat.of(&reserves));
        if stones > u32::from(STONES) {
            return Err(format!("{side} has {stones} stones on the board and in reserve, and a side has 18"));
        }
        // A stone in the centre stays when its side loses the eight gates that protected it from a triangle.
        let secured = board.near(other) | board.triangulated(other) & !CENTRE;
        if let Some(cell) = cells(board.stones(seat) & secured).next() {
            let other = colour(other);
            return Err(format!("{cell} is secured by {other} and its stone would have been captured"));
        }
    }
    if Seat::BOTH.iter().all(|seat| board.won(*seat).is_some()) {
        return Err("both sides have won".to_owned());
    }
    Ok(())
}

/// Sentences about what a ply captured and how it earned a bonus. They stay true if the side declines the bonus: `White
/// earns a bonus move by a capture.`
pub(super) fn remarks(before: &Hexmeister, after: &Hexmeister) -> Vec<String> {
    let seat = before.to_move();
    let [earlier, later] = [before, after].map(|position| position.board().stones(seat.other()));
    let gone: Vec<Cell> = cells(earlier & !later).collect();
    let captured = told_of(colour_capital(seat.other()), "stone", &gone, "captured");
    let why = if gone.is_empty() { "entering a gate" } else { "a capture" };
    let moves_again = after.bonus() && after.outcome().is_none() && after.forced().is_none();
    let earned = moves_again.then(|| format!("{} earns a bonus move by {why}.", colour_capital(seat)));
    captured.into_iter().chain(earned).collect()
}
