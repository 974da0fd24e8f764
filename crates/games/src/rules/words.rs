//! Plies, texts of positions, refusals and captures of games on a board.
//!
//! The text of a position has the rows in reading order, separated by `/`, with one sign for each space and `.` for an
//! empty one; then the side to move, `w` or `b`. If any count is not 0, the counts follow, separated by commas. If
//! boards can recur, `since` and their keys follow.

use super::{Board, Cell, Cells, Game, Kind, Piece, Ply, Rules, State};
use crate::notation::{
    PlyNotation, counted, ends_a_ply, instead, listed, listed_briefly, plain_numbers, reached, read_rows,
    side_to_move, told_of, write_rows,
};
use crate::scene::Shape;
use crate::{Position, Seat, SetupError, Unreadable};

/// `white` or `black`.
fn colour<R: Rules>(seat: Seat) -> &'static str {
    R::COLOURS[seat.index()]
}

/// The numbers of a side's pieces of each kind: `12 men, 1 king`.
pub(super) fn pieces<R: Rules>(state: &State, seat: Seat) -> String {
    let of = |(kind, Kind { name, .. }): (u8, &Kind)| {
        let count = (state.of(seat) & state.of_kind(kind)).count();
        (count > 0 || kind == 0).then(|| counted(count, name))
    };
    (0..).zip(R::KINDS).filter_map(of).collect::<Vec<String>>().join(", ")
}

/// `White` or `Black`.
pub fn capital<R: Rules>(seat: Seat) -> String {
    crate::scene::capital(colour::<R>(seat))
}

const SINCE: &str = " since ";

/// The letters of the first and the second side in the text of a position.
pub(super) fn letters<R: Rules>() -> [&'static str; 2] {
    R::COLOURS.map(|colour| colour.get(..1).unwrap_or_default())
}

fn rows(board: &Board) -> Vec<Vec<Cell>> {
    let cells: Vec<Cell> = board.reading().collect();
    cells.chunk_by(|one, other| one.row() == other.row()).map(<[Cell]>::to_vec).collect()
}

pub fn read_ply<'t, R: Rules>(state: &State, text: &'t str) -> Result<(Ply, &'t str), Unreadable> {
    let mut examples = Vec::new();
    R::each_move(state, &mut |ply| examples.extend(examples.is_empty().then_some(ply)));
    let example = examples.first().copied().unwrap_or(Ply::PASS);
    let expected = &std::fmt::from_fn(|f| {
        write!(f, "That is no move: one is written like {}.", R::write(state, example))
    });
    let words: Vec<(&str, Ply)> = R::WORDS.iter().copied().zip((0..).map(Ply::word)).collect();
    let written = PlyNotation {
        space: &|text| state.board.read(text),
        // Blanks can separate the spaces of one move as well as two moves, so the example sets the number of spaces.
        near: example.spaces().count(),
        named: &|spaces| R::named(state, spaces),
        words: &words,
        ends: ends_a_ply,
        expected,
    };
    match R::read_ply(state, text)? {
        Some(own) => written.ended(text, own),
        None => written.read(text),
    }
}

/// The word of a ply, or the names of its spaces.
pub fn write_ply<R: Rules>(state: &State, ply: Ply) -> String {
    let word = usize::try_from(ply.more).ok().and_then(|number| R::WORDS.get(number));
    word.filter(|_| ply.spaces().next().is_none())
        .map_or_else(|| ply.write(&state.board), |word| (*word).to_owned())
}

/// Why an illegal ply is illegal, and which plies are legal.
pub fn why_not<R: Rules>(game: &Game<R>, ply: Ply) -> String {
    let state = &game.state;
    if let Some(outcome) = game.outcome() {
        return format!("The game is over: {}.", outcome.how.unwrap_or("it is decided"));
    }
    if game.chance().is_some() {
        return "The dice fall first, and the server rolls them.".to_owned();
    }
    let written = R::write(state, ply);
    let name = |cell| state.board.name(cell);
    let side = capital::<R>(state.to_move);
    let legal = game.legal_moves();
    let words: Vec<Ply> = legal.iter().copied().filter(|ply| ply.spaces().next().is_none()).collect();
    let instead = instead(game, ply.from.map(name), &side, "play", &words);
    let same: Vec<&Ply> = legal.iter().filter(|legal| (legal.from, legal.to) == (ply.from, ply.to)).collect();
    match (R::broken(state, ply), ply.from, ply.to) {
        (Some(rule), ..) => format!("{rule} {instead}"),
        (_, Some(start), _) if state.owner(start) != Some(state.to_move) => {
            let (colour, piece) = (colour::<R>(state.to_move), piece_name::<R>());
            format!("There is no {colour} {piece} on {}. {instead}", name(start))
        }
        (_, Some(_), Some(_)) if !same.is_empty() => {
            let same = listed_briefly(same.into_iter().map(|ply| R::write(state, *ply)));
            format!("{written} is not legal, but {same} is.")
        }
        (_, Some(start), _) if !reached(game, &name(start)).is_empty() => {
            let start = name(start);
            format!("{written} is not legal: from {start} it can go to {}.", reached(game, &start))
        }
        (_, None, Some(to)) if !state.is_empty(to) => format!("{} is occupied. {instead}", name(to)),
        _ => format!("{written} is not legal. {instead}"),
    }
}

/// What a legal ply does: `moves the piece on b2 to b3`.
pub fn explain<R: Rules>(state: &State, ply: Ply) -> String {
    let name = |cell| state.board.name(cell);
    let kind = |cell: Option<Cell>| {
        let kind = cell.and_then(|cell| state.at(cell)).map_or(0, |piece| piece.kind);
        R::KINDS.get(usize::from(kind)).map_or("piece", |kind| kind.name)
    };
    let then = ply.then.map(|then| format!(", and the {} goes to {}", nobodys::<R>(), name(then)));
    let then = then.unwrap_or_default();
    match (ply.from, ply.to) {
        (Some(from), Some(to)) => {
            format!("moves the {} on {} to {}{then}", kind(ply.from), name(from), name(to))
        }
        (_, Some(to)) => format!("puts a {} on {}{then}", kind(None), name(to)),
        _ => "passes".to_owned(),
    }
}

/// The meaning of the signs of a drawing: `w white, b black; W, B king; x arrow.`
pub fn key<R: Rules>(state: &State) -> String {
    if let [.., Kind { shape: Shape::Numbered(last), .. }] = R::KINDS {
        let side = |seat: Seat| {
            let letter = seat.of(&letters::<R>()).to_owned();
            format!("{letter}1 to {letter}{last} {}", colour::<R>(seat))
        };
        return format!("{}.", Seat::BOTH.map(side).join(", "));
    }
    // If the second side's signs are the small forms of the first side's signs, one letter explains both.
    if R::KINDS.iter().all(|Kind { signs: [first, second, _], .. }| first.to_lowercase().eq([*second])) {
        let kinds: Vec<String> =
            R::KINDS.iter().map(|kind| format!("{} {}", kind.signs[0], kind.name)).collect();
        return format!("{} in capitals: {}.", capital::<R>(Seat::First), kinds.join(", "));
    }
    let is_one = R::KINDS.first().is_some_and(|kind| kind.name == piece_name::<R>());
    let meaning = |kind: &Kind, is_first: bool| match (kind.signs, is_first) {
        (['?', _, nobody], _) => format!("{nobody} {}", kind.name),
        ([first, second, _], true) => {
            let ([first_colour, second_colour], name) = (R::COLOURS, if is_one { "" } else { kind.name });
            format!("{first} {first_colour}, {second} {second_colour} {name}").trim_end().to_owned()
        }
        ([first, second, _], false) => format!("{first}, {second} {}", kind.name),
    };
    // A state of the usual piece is explained if it is on the board.
    let is_shown =
        |number: u8, kind: &Kind| number == 0 || !is_state::<R>(kind) || !state.of_kind(number).is_empty();
    let kinds: Vec<String> = (0..)
        .zip(R::KINDS)
        .filter(|(number, kind)| is_shown(*number, kind))
        .map(|(number, kind)| meaning(kind, number == 0))
        .collect();
    format!("{}.", kinds.join("; "))
}

/// True for the first kind of piece and for its states: a dead stone is a stone.
fn is_state<R: Rules>(kind: &Kind) -> bool {
    R::KINDS.first().is_some_and(|first| kind.name.ends_with(first.name))
}

/// The name of the sides' pieces if they have only one kind, in one or more states; otherwise `piece`.
pub fn piece_name<R: Rules>() -> &'static str {
    match R::KINDS {
        [first, others @ ..] if others.iter().all(|kind| kind.signs[0] == '?' || is_state::<R>(kind)) => {
            first.name
        }
        _ => "piece",
    }
}

/// The name of the neutral piece; empty in games without one.
pub fn nobodys<R: Rules>() -> &'static str {
    R::KINDS.iter().find(|kind| kind.signs[2] != '?').map_or("", |kind| kind.name)
}

/// A list of numbers in prose: `5 to 19`, or each number if some in between are missing.
pub fn numbers(given: &[u8]) -> String {
    let mut sorted = given.to_vec();
    sorted.sort_unstable();
    match (sorted.first(), sorted.last()) {
        (Some(first), Some(last)) if usize::from(last - first) + 1 == sorted.len() => {
            format!("{first} to {last}")
        }
        _ => listed(sorted).replace(" and ", " or "),
    }
}

pub fn write<R: Rules>(state: &State) -> String {
    let sign = |cell| {
        let piece = state.at(cell)?;
        Some(R::KINDS.get(usize::from(piece.kind))?.signs[piece.side.map_or(2, Seat::index)])
    };
    let rows = write_rows(&rows(&state.board), "", |cell| sign(cell).unwrap_or('.'));
    let mut text = format!("{rows} {}", state.to_move.of(&letters::<R>()));
    if state.counts != [0; 4] {
        text.push(' ');
        text.push_str(&state.counts.map(|count| count.to_string()).join(","));
    }
    text
}

/// The text of a state, with the keys of boards that can recur.
pub fn write_seen<R: Rules>(state: &State) -> String {
    let keys: Vec<String> = state.seen.iter().map(|key| in_base_32(*key)).collect();
    let text = R::write_state(state);
    if keys.is_empty() { text } else { format!("{text}{SINCE}{}", keys.join(",")) }
}

fn in_base_32(key: u64) -> String {
    let digits = 1 + key.checked_ilog2().unwrap_or_default() / 5;
    (0..digits).rev().filter_map(|digit| char::from_digit((key >> (5 * digit) & 31) as u32, 32)).collect()
}

pub fn read_seen<R: Rules>(text: &str) -> Result<State, SetupError> {
    let Some((text, keys)) = text.split_once(SINCE) else { return R::read_state(text) };
    let keys = keys.split(',').map(|key| u64::from_str_radix(key, 32).ok());
    let seen = keys.collect::<Option<Vec<u64>>>().ok_or_else(|| {
        SetupError::Unreadable("behind since stand keys of boards parted by commas".to_owned())
    })?;
    let mut state = R::read_state(text)?;
    state.seen = seen;
    Ok(state)
}

pub fn read<R: Rules>(text: &str) -> Result<State, SetupError> {
    let mut words = text.split(' ');
    let (Some(signs), Some(to_move)) = (words.next(), words.next()) else {
        return SetupError::unreadable("it is rows without blanks, a blank, and w or b");
    };
    let boards: Vec<Board> = R::SIZES.iter().map(|size| R::board(*size)).collect();
    let count = signs.split('/').count();
    let Some(board) = boards.iter().find(|board| usize::from(board.rows) == count) else {
        let known = numbers(&boards.iter().map(|board| board.rows).collect::<Vec<_>>());
        return SetupError::unreadable(format!("it has {count} rows and not {known}, parted by /"));
    };
    let mut state = State::empty(*board);
    for (cell, sign) in read_rows(signs, &rows(board), |row| row.chars().collect())? {
        state.set(cell, piece::<R>(sign));
        if state.is_empty(cell) && sign != '.' {
            let name = board.name(cell);
            return SetupError::unreadable(format!("what stands for {name} is no sign of a piece"));
        }
    }
    state.to_move = side_to_move(to_move, letters::<R>())?;
    if let Some(counts) = words.next() {
        let counts = plain_numbers(counts).filter(|counts| *counts != [0; 4]);
        state.counts = counts.ok_or_else(|| {
            SetupError::Unreadable("behind the side to move stand four numbers parted by commas".to_owned())
        })?;
    }
    match words.next() {
        Some(_) => SetupError::unreadable("there is text after its end"),
        None => Ok(state),
    }
}

fn piece<R: Rules>(sign: char) -> Option<Piece> {
    let sides = [Some(Seat::First), Some(Seat::Second), None];
    let all = (0..).zip(R::KINDS).flat_map(|(number, kind)| {
        kind.signs.into_iter().zip(sides).map(move |(sign, side)| (sign, Piece { side, kind: number }))
    });
    all.filter(|(known, _)| *known == sign && sign != '?').map(|(_, piece)| piece).next()
}

/// Sentences about the losses of the other side: `Black's piece on c3 is captured.`
pub fn captured<R: Rules>(before: &State, after: &State) -> Vec<String> {
    let (mover, loser) = (before.to_move, before.to_move.other());
    let gone = before.of(loser) - after.of(loser);
    let told = |gone: Cells, fate: &str| {
        let names: Vec<String> = gone.iter().map(|cell| before.board.name(cell)).collect();
        let only = gone.iter().next().filter(|_| names.len() == 1).and_then(|cell| before.at(cell));
        let kind = only.and_then(|piece| R::KINDS.get(usize::from(piece.kind)));
        let piece = kind.map_or_else(piece_name::<R>, |kind| kind.name);
        told_of(&capital::<R>(loser), piece, &names, fate)
    };
    // `gone` has the spaces of the lost pieces. If the mover has fewer pieces on other spaces than before, one of its
    // pieces moved onto a lost piece and captured it. Otherwise the lost pieces were turned over.
    let came = before.of(mover).count() > (after.of(mover) - gone).count();
    let turned = if came { Cells::NONE } else { gone & after.of(mover) };
    told(gone - turned, "captured").into_iter().chain(told(turned, "turned over")).collect()
}
