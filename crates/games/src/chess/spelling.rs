//! The spelling of a ply in algebraic notation: its parts, before the position says which ply they mean.

use cozy_chess::{Board, File, Move, Piece, Rank, Square};

use super::letters::{Tongue, said};
use super::{CASTLING, Ply, square};
use crate::notation::is_dash;

/// The parts of a written ply. A part that is not written is `None`.
#[derive(Default)]
pub(super) struct Spelt {
    pub man: Option<Piece>,
    pub from: (Option<File>, Option<Rank>),
    pub to: Option<Square>,
    /// The file that a pawn reaches, if no rank is written: `exd`.
    pub to_file: Option<File>,
    pub becomes: Option<Piece>,
    /// An `x` is written.
    pub captures: bool,
    /// The number of `O` in castling, or 1 if the side is not written; 0 in other plies.
    pub castles: usize,
}

impl Spelt {
    pub(super) fn means(&self, board: &Board, ply: &Ply, man: &Move) -> bool {
        let is_castling = ply.more == CASTLING;
        if self.castles > 0 {
            return is_castling
                && (self.castles == 1 || (man.to.file() > man.from.file()) == (self.castles == 2));
        }
        // A king's move to its castled square or to its rook means castling only if the text names the king's own
        // square.
        let is_castling = is_castling && self.from.1.is_some();
        let reaches = ply.to.map(square) == self.to && (ply.more != CASTLING || is_castling)
            || is_castling && Some(man.to) == self.to
            || self.to_file.is_some_and(|file| man.to.file() == file);
        let moves = board.piece_on(man.from);
        // Two squares say all, so a letter before them does not count.
        let is_whole = self.from.1.is_some() && self.from.0.is_some();
        let is_bishop = self.is_small_bishop(board);
        let named = match self.man {
            _ if is_whole => None,
            _ if is_bishop => Some(Piece::Bishop),
            man => man.or(Some(Piece::Pawn)),
        };
        // A pawn's ply with a first file but no rank, such as `exd5`, is a capture, so the pawn must change its file.
        let is_bare = self.from.0.is_some() && self.from.1.is_none() && moves == Some(Piece::Pawn);
        reaches
            && !(is_bare && man.from.file() == man.to.file())
            && named.is_none_or(|named| moves == Some(named))
            && (is_bishop || self.from.0.is_none_or(|file| man.from.file() == file))
            && self.from.1.is_none_or(|rank| man.from.rank() == rank)
            && self.becomes.is_none_or(|becomes| man.promotion == Some(becomes))
    }

    /// True if a first small `b` is a bishop, because no pawn of that file can be meant.
    fn is_small_bishop(&self, board: &Board) -> bool {
        let is_b = self.man.is_none() && self.from == (Some(File::B), None);
        let captures = |to: Square| {
            matches!(to.file(), File::A | File::C) && (self.captures || board.piece_on(to).is_some())
        };
        is_b && self.to.is_some_and(|to| !captures(to))
    }
}

/// Reads a text that has the form of a ply, in the letters of a language. With `far`, a blank can separate its squares.
pub(super) fn spelt<'t>(text: &'t str, far: bool, letters: &Tongue) -> Option<(Spelt, &'t str)> {
    let text = unnumbered(text);
    if let Some(castling) = castling(text) {
        return Some(castling);
    }
    let mut spelt = Spelt::default();
    let mut rest = text;
    // `B2` and `B2-B4` begin with a square, and `B2c3` can name a bishop.
    let mut signs = text.chars().skip(1);
    let is_square = text.starts_with(is_file)
        && signs.next().is_some_and(|c| c.is_ascii_digit())
        && !signs.find(|c| *c != 'x').is_some_and(|c| matches!(c, 'a'..='h'));
    if let Some((man, behind)) = letters.piece(text).filter(|_| !is_square) {
        (spelt.man, rest) = (Some(man), behind);
    } else if text.starts_with(|c: char| matches!(c, 'A'..='H'))
        && !text.chars().nth(1).is_some_and(|c| matches!(c, '0'..='9' | 'X' | 'A'..='H'))
    {
        return None;
    }
    let mut names = String::new();
    while let Some(next) = rest.chars().next() {
        let behind = rest.get(next.len_utf8()..)?;
        let follows = |behind: &str| behind.chars().next().is_some_and(|c| c.is_ascii_digit());
        let is_whole = names.len() > 1 && names.ends_with(|c: char| c.is_ascii_digit());
        match next {
            c if is_file(c) && (!is_whole || follows(behind)) => names.push(next.to_ascii_lowercase()),
            '1'..='8' => names.push(next),
            'x' | 'X' | ':' => spelt.captures = true,
            _ if is_dash(next) => {}
            ' ' if far && names.len() == 2 => {}
            _ => break,
        }
        rest = behind;
    }
    let (start, to) = names.split_at_checked(names.len().checked_sub(2)?)?;
    match to.parse() {
        // `Xe4` names no piece, in no language.
        Ok(_) if spelt.captures && start.is_empty() && spelt.man.is_none() => return None,
        Ok(to) => spelt.to = Some(to),
        Err(_)
            if spelt.captures
                && start.is_empty()
                && spelt.man.is_none()
                && !rest.starts_with(char::is_alphanumeric) =>
        {
            spelt.from.0 = to.get(..1)?.parse().ok();
            spelt.to_file = Some(to.get(1..)?.parse().ok()?);
            spelt.from.0?;
        }
        Err(_) => return None,
    }
    for c in start.chars() {
        match c {
            '1'..='8' => spelt.from.1 = c.to_string().parse().ok(),
            _ => spelt.from.0 = c.to_string().parse().ok(),
        }
    }
    // Blanks only before a piece that a pawn can become there: `e4 Qh5` are two plies.
    let is_far = matches!(spelt.to.map(Square::rank), Some(Rank::First | Rank::Eighth));
    let apart = rest.trim_start_matches(['=', '(', '/', ' ']);
    let ends = |(_, behind): &(Piece, &str)| !behind.starts_with(char::is_alphanumeric);
    let sign = if is_far { apart } else { rest.trim_start_matches(['=', '(', '/']) };
    let is_pawn = spelt.man.is_none_or(|man| man == Piece::Pawn) || start.len() == 2;
    let small_b = || sign.strip_prefix('b').map(|behind| (Piece::Bishop, behind));
    if let Some((becomes, behind)) = letters
        .name(sign)
        .or_else(|| letters.piece(sign))
        .or_else(small_b)
        .filter(|becomes| ends(becomes) && start.len() < 3 && is_pawn)
    {
        spelt.becomes = Some(becomes);
        rest = behind.trim_start_matches(')');
    } else if sign.len() < rest.len() && rest.starts_with('=') && sign.starts_with(char::is_alphabetic) {
        return None;
    }
    (start.len() < 3).then_some((spelt, marks(rest)))
}

fn is_file(c: char) -> bool {
    matches!(c, 'a'..='h' | 'A'..='H')
}

/// The text after the number of the move: `1.`, `1...`, `1`.
fn unnumbered(text: &str) -> &str {
    let behind = text.trim_start_matches(|c: char| c.is_ascii_digit());
    let rest = behind.trim_start_matches(['.', ' ', '\u{2026}']);
    let is_number = (1..4).contains(&(text.len() - behind.len())) && rest.len() < behind.len();
    if is_number && rest.starts_with(char::is_alphanumeric) { rest } else { text }
}

/// Reads castling: `O-O`, `0-0-0`, or words such as `castle short`.
fn castling(text: &str) -> Option<(Spelt, &str)> {
    let of = |castles, rest| Some((Spelt { castles, ..Spelt::default() }, marks(rest)));
    // The last two are Cyrillic.
    const ROUNDS: [char; 5] = ['O', 'o', '0', '\u{41E}', '\u{43E}'];
    let rounds = text.trim_start_matches(|c| ROUNDS.contains(&c) || is_dash(c));
    let signs = text.get(..text.len() - rounds.len())?;
    match signs.chars().filter(|c| !is_dash(*c)).count() {
        0 => {}
        castles @ 2..=3 if signs.starts_with(ROUNDS) => return of(castles, rounds),
        _ => return None,
    }
    let side =
        |text| [("short", 2), ("long", 3)].into_iter().find_map(|(key, side)| Some((side, said(key, text)?)));
    let castle = |text| said("castle", text);
    if let Some((castles, rest)) = side(text) {
        let whole = castle(rest.trim_start());
        return of(castles, whole.or(Some(rest).filter(|rest| !rest.contains(char::is_alphanumeric)))?);
    }
    let rest = castle(text)?;
    side(rest.trim_start()).map_or_else(|| of(1, rest), |(castles, rest)| of(castles, rest))
}

/// Skips the signs `+`, `#`, `!`, `?` and words such as `e.p.` and `mate`, and returns the rest of the text. `#5` is the
/// number of a ply, not mate.
fn marks(text: &str) -> &str {
    let text = text.trim_start_matches(['+', '!', '?']);
    match text.strip_prefix('#') {
        Some(behind) if !behind.starts_with(|c: char| c.is_ascii_digit()) => marks(behind),
        Some(_) => text,
        None => {
            let word = text.trim_start_matches([' ', '(', ',']);
            said("mark", word).map_or(text, |rest| marks(rest.trim_start_matches(')')))
        }
    }
}
