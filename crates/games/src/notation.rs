//! Code with which all games read and write plies, positions and sentences.

use std::fmt::{Display, Write as _};

use crate::position::{Position, SetupError, Unreadable};
use crate::seat::Seat;

/// The result of reading a space, and the rest of the text. It is an error if the board has no space of that name.
/// `None` if the text does not begin with the name of a space.
pub type ReadSpace<'t, S> = Option<(Result<S, Unreadable>, &'t str)>;

/// Reads the space that `text` names by a letter and a number. `find` gets the number of the letter, 0 for A, and the
/// number; `why` is the sentence for a name that `find` does not know.
pub fn read_space<'t, S>(
    text: &'t str,
    find: impl FnOnce(i32, i32) -> Option<S>,
    why: impl FnOnce(i32, i32) -> String,
) -> ReadSpace<'t, S> {
    let letter = text.bytes().next().filter(u8::is_ascii_alphabetic)?;
    let length = text.bytes().skip(1).take_while(u8::is_ascii_digit).count();
    // The letter and each digit are one byte, so this cuts between characters.
    let (word, rest) = text.split_at_checked(1 + length)?;
    let digits = word.get(1..).filter(|digits| !digits.is_empty())?;
    let column = i32::from(letter.to_ascii_lowercase() - b'a');
    // Refuse a leading zero, because `a01` would be a second way to write a1: no board has a row 0. Parse a `u16`,
    // because games calculate with rows, and a row of nine digits could overflow an `i32`.
    let row = if digits.starts_with('0') { 0 } else { digits.parse::<u16>().map_or(0, i32::from) };
    Some((find(column, row).ok_or_else(|| unreadable(word, why(column, row))), rest))
}

/// How a game writes its plies.
pub struct PlyNotation<'a, S, M> {
    /// Reads the space at the start of a text.
    pub space: &'a dyn for<'t> Fn(&'t str) -> ReadSpace<'t, S>,
    /// The number of spaces in a ply that is written with blanks alone. A space after these begins the next ply.
    pub near: usize,
    /// Makes the ply that names these spaces.
    pub named: &'a dyn Fn(&[S]) -> Option<M>,
    /// Plies that are words.
    pub words: &'a [(&'a str, M)],
    /// True if a ply can end before this character.
    pub ends: fn(char) -> bool,
    /// The sentence for a text that is not a ply.
    pub expected: &'a dyn Display,
}

impl<S, M: Copy> PlyNotation<'_, S, M> {
    /// Reads the ply at the start of `text`, and returns the rest of the text too.
    pub fn read<'t>(&self, text: &'t str) -> Result<(M, &'t str), Unreadable> {
        let no_ply = |text| unreadable(first_word(text), self.expected.to_string());
        let mut spaces = Vec::new();
        let mut next = (self.space)(text);
        let mut rest = text;
        while let Some((space, behind)) = next {
            spaces.push(space?);
            rest = behind;
            next = self.next_space(rest, spaces.len() < self.near).map_err(no_ply)?;
        }
        let word = || self.words.iter().find_map(|(word, ply)| Some((*ply, keyword(text, word)?)));
        let ply = if spaces.is_empty() { word() } else { (self.named)(&spaces).map(|ply| (ply, rest)) };
        self.ended(text, ply.ok_or_else(|| no_ply(text))?)
    }

    /// Returns the ply and `rest`. Refuses a ply that does not end there, because `rest` continues its last word.
    pub fn ended<'t>(&self, text: &str, (ply, rest): (M, &'t str)) -> Result<(M, &'t str), Unreadable> {
        // `A3-B44` and `F3you` are typing errors: refuse them rather than play `A3-B4` or `F3`.
        match rest.chars().next() {
            Some(next) if !(self.ends)(next) => Err(unreadable(
                word_at(text, text.len() - rest.len()),
                "Something follows the move without a blank; only a comma, or # and the number of the move, can.",
            )),
            _ => Ok((ply, rest)),
        }
    }

    /// Reads the next space of a ply, if there is one. The error is the text after a dash or slash that names no space.
    fn next_space<'t>(&self, text: &'t str, is_near: bool) -> Result<ReadSpace<'t, S>, &'t str> {
        let after_blanks = text.trim_start();
        if let Some(behind) = after_blanks.strip_prefix(|c| is_dash(c) || matches!(c, '/' | '(' | '[')) {
            let behind = behind.trim_start();
            return (self.space)(behind).map(Some).ok_or(behind);
        }
        // An x means "moves to" only when a space follows it.
        let captured = after_blanks.strip_prefix(['x', 'X']).and_then(|rest| (self.space)(rest.trim_start()));
        Ok(captured.or_else(|| (self.space)(if is_near { after_blanks } else { text })))
    }
}

/// True for a hyphen, for the dashes that mail programs put in its place, and for a colon.
pub(crate) fn is_dash(c: char) -> bool {
    matches!(c, '-' | ':' | '\u{2010}'..='\u{2015}' | '\u{2212}')
}

/// If `text` begins with `word`, in upper or lower case, returns the rest of the text.
pub fn keyword<'t>(text: &'t str, word: &str) -> Option<&'t str> {
    let (head, rest) = text.split_at_checked(word.len())?;
    head.eq_ignore_ascii_case(word).then_some(rest)
}

/// True if a ply can end before this character.
pub fn ends_a_ply(c: char) -> bool {
    c.is_whitespace() || c == ',' || c == '#'
}

pub fn first_word(text: &str) -> &str {
    text.split_whitespace().next().unwrap_or_default()
}

/// The word that contains byte `at`.
fn word_at(text: &str, at: usize) -> &str {
    let before = text.get(..at).unwrap_or_default();
    let start = before.trim_end_matches(|c: char| !c.is_whitespace()).len();
    first_word(text.get(start..).unwrap_or_default())
}

/// Writes the spaces of a position, with `/` between rows and `between` between the spaces of a row.
pub fn write_rows<S: Copy, T: Display>(rows: &[Vec<S>], between: &str, sign: impl Fn(S) -> T) -> String {
    let mut text = String::new();
    for row in rows {
        text.push_str(if text.is_empty() { "" } else { "/" });
        for (at, space) in row.iter().enumerate() {
            text.push_str(if at == 0 { "" } else { between });
            // Writing to a String cannot fail.
            let _ = write!(text, "{}", sign(*space));
        }
    }
    text
}

/// Reads the sign of each space from the rows of the text of a position. `signs` splits a row into signs.
pub fn read_rows<'t, S: Copy, T>(
    text: &'t str,
    rows: &[Vec<S>],
    signs: impl Fn(&'t str) -> Vec<T>,
) -> Result<Vec<(S, T)>, SetupError> {
    let (count, known) = (text.split('/').count(), rows.len());
    if count != known {
        return SetupError::unreadable(format!("it has {count} rows and not {known}, parted by /"));
    }
    let mut read = Vec::new();
    for (number, (row, text)) in (1..).zip(rows.iter().zip(text.split('/'))) {
        let signs = signs(text);
        let (count, known) = (signs.len(), row.len());
        if count != known {
            let why = format!("row {number} of the text has {known} spaces, and here are {count}");
            return SetupError::unreadable(why);
        }
        read.extend(row.iter().copied().zip(signs));
    }
    Ok(read)
}

/// Reads the side to move, given the letters of the two sides.
pub fn side_to_move(word: &str, letters: [&str; 2]) -> Result<Seat, SetupError> {
    let seat = Seat::BOTH.into_iter().find(|seat| *seat.of(&letters) == word);
    seat.map_or_else(|| SetupError::unreadable("the side to move, behind the rows, is w or b"), Ok)
}

pub fn unreadable(word: &str, why: impl Into<String>) -> Unreadable {
    Unreadable { word: word.to_owned(), why: why.into() }
}

/// A list in prose: `A1, A2 and A3`.
pub fn listed(items: impl IntoIterator<Item = impl ToString>) -> String {
    let items: Vec<String> = items.into_iter().map(|item| item.to_string()).collect();
    match items.split_last() {
        Some((last, before)) if !before.is_empty() => format!("{} and {last}", before.join(", ")),
        _ => items.concat(),
    }
}

/// A list in prose without repetitions, of at most six: `A1, B1, C1, D1, E1, F1 and 39 more`.
pub fn listed_briefly(items: impl IntoIterator<Item = impl ToString>) -> String {
    const LISTED: usize = 6;
    let mut each = Vec::new();
    for item in items.into_iter().map(|item| item.to_string()) {
        if !each.contains(&item) {
            each.push(item);
        }
    }
    let more = each.len().saturating_sub(LISTED);
    if more == 0 {
        return listed(each);
    }
    each.truncate(LISTED);
    format!("{} and {more} more", each.join(", "))
}

/// The spaces that plies from `from` reach, as a list in prose; empty if there are none.
pub fn reached<P: Position>(position: &P, from: &str) -> String {
    let ends = position.legal_moves().into_iter().map(|ply| position.ends(ply).named());
    listed_briefly(ends.filter(|ends| ends.from.as_deref() == Some(from)).filter_map(|ends| ends.to))
}

/// Tells a player whose ply was illegal which plies are legal. If plies begin on `from`: `From A3 it can go to A2 and
/// B3.` Otherwise: `White can drop on a1 and b1, or move from c1.` Here `White` is `side` and `drop on` is `put`.
/// `words` lists plies without spaces, such as a pass, which are named if they are legal.
pub fn instead<P: Position>(
    position: &P,
    from: Option<impl ToString>,
    side: &str,
    put: &str,
    words: &[P::Move],
) -> String {
    if let Some(from) = from.map(|from| from.to_string()) {
        let reached = reached(position, &from);
        if !reached.is_empty() {
            return format!("From {from} it can go to {reached}.");
        }
    }
    let legal = position.legal_moves();
    let ends = || legal.iter().map(|ply| position.ends(*ply));
    let drops = listed_briefly(ends().filter(|ends| ends.from.is_none()).filter_map(|ends| ends.to));
    let starts = |moves: bool| {
        listed_briefly(ends().filter(|ends| ends.to.is_some() == moves).filter_map(|ends| ends.from))
    };
    let spaces = [(put, drops), ("move from", starts(true)), ("mark", starts(false))]
        .into_iter()
        .filter(|(_, list)| !list.is_empty());
    let words = words.iter().filter(|word| legal.contains(word)).map(|word| position.write_move(*word));
    let all: Vec<String> = spaces.map(|(what, list)| format!("{what} {list}")).chain(words).collect();
    format!("{side} can {}.", all.join(", or "))
}

/// `Black's stones on c3 and d4 are captured.`; `None` if there are no such stones.
pub fn told_of<T: ToString>(side: &str, piece: &str, spaces: &[T], fate: &str) -> Option<String> {
    let (pieces, are) = match spaces {
        [] => return None,
        [_] => (piece.to_owned(), "is"),
        _ => (several_of(piece), "are"),
    };
    let spaces = listed(spaces.iter().map(T::to_string));
    Some(format!("{side}'s {pieces} on {spaces} {are} {fate}."))
}

/// `1 stone`, `3 stones`.
pub fn counted(count: u32, name: &str) -> String {
    if count == 1 { format!("1 {name}") } else { format!("{count} {}", several_of(name)) }
}

/// The plural of the name of a piece.
pub fn several_of(name: &str) -> String {
    name.strip_suffix("man").map_or_else(|| format!("{name}s"), |start| format!("{start}men"))
}

/// Reads a number without a sign and leading zeros.
pub fn plain_number(digits: &str) -> Option<u16> {
    digits.parse().ok().filter(|number: &u16| number.to_string() == digits)
}

/// Reads `N` numbers, separated by commas, each without a sign and leading zeros.
pub fn plain_numbers<const N: usize>(text: &str) -> Option<[u16; N]> {
    text.split(',').map(plain_number).collect::<Option<Vec<_>>>()?.try_into().ok()
}

/// `white` or `black`.
pub fn colour(seat: Seat) -> &'static str {
    ["white", "black"][seat.index()]
}

/// `White` or `Black`, to begin a sentence.
pub fn colour_capital(seat: Seat) -> &'static str {
    ["White", "Black"][seat.index()]
}
