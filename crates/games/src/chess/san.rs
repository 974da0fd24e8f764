//! Standard algebraic notation: `Nbd2`, `exd5`, `e8=Q+`, `O-O`. Squares alone, such as `g1f3`, are read too, and so are
//! the letters and names of pieces in other languages.

use cozy_chess::{Board, Color, Move, Piece, Square};

use super::letters::{LANGUAGES, Tongue};
use super::spelling::{Spelt, spelt};
use super::{CASTLING, Chess, Ply, Rules, cell, plies, square};
use crate::notation::{is_dash, listed};
use crate::rules::Game;
use crate::{Lettered, Position};

const LETTERS: [char; 6] = ['P', 'N', 'B', 'R', 'Q', 'K'];

/// The length in bytes of the ply at the start of a text, in any language. Zeros without a dash are not castling,
/// because they can be a time of day.
pub(super) fn length(text: &str) -> Option<usize> {
    let read = |letters| spelt(text, false, letters).map(|(_, rest)| rest.len());
    let rest = LANGUAGES.iter().filter_map(read).min().or_else(|| old_english(text))?;
    // A final `?` or `!` can belong to the sentence, so do not count it as part of the ply.
    let ply = text.get(..text.len() - rest)?.trim_end_matches(['?', '!']);
    let is_time = ply.starts_with(['0', 'o']) && !ply.contains(is_dash);
    (!is_time).then_some(ply.len())
}

/// The length of the text after a ply such as `P-K4` or `PxP`, which names files by their pieces. It is not played.
fn old_english(text: &str) -> Option<usize> {
    let behind = text.strip_prefix("Kt").or_else(|| text.strip_prefix(['P', 'N', 'B', 'R', 'Q', 'K']))?;
    let target = behind.strip_prefix(|c| is_dash(c) || c == 'x')?;
    let rank = target.trim_start_matches(['K', 'Q', 'R', 'B', 'N', 'P', 't']);
    let rest = rank.trim_start_matches(|c: char| c.is_ascii_digit());
    let is_whole = rank.len() < target.len() && (rest.len() < rank.len() || behind.starts_with('x'));
    is_whole.then_some(rest.len())
}

/// A written ply, the legal plies that it can mean, and the text after it.
struct Spelling<'t> {
    spelt: Spelt,
    fit: Vec<Ply>,
    rest: &'t str,
}

/// Reads the start of `text` in one language.
fn reading<'t>(board: &Board, text: &'t str, letters: &Tongue) -> Option<Spelling<'t>> {
    let all = std::cell::LazyCell::new(|| plies(board));
    let meant = |far| {
        let (spelt, rest) = spelt(text, far, letters)?;
        let fit = all.iter().filter(|(ply, man)| spelt.means(board, ply, man)).map(|(ply, _)| *ply).collect();
        Some(Spelling { spelt, fit, rest })
    };
    let fits = |found: &Spelling<'_>| !found.fit.is_empty();
    meant(false).filter(fits).or_else(|| meant(true).filter(fits)).or_else(|| meant(false))
}

/// What `text` can mean in several languages: each legal ply once, the first reading that fits, and the languages that
/// read it at all.
struct Spellings<'t> {
    first: Spelling<'t>,
    plies: Vec<Ply>,
    languages: Vec<&'static Tongue>,
}

fn readings<'t>(board: &Board, text: &'t str, of: &[&'static Tongue]) -> Option<Spellings<'t>> {
    let found = of.iter().filter_map(|letters| Some((*letters, reading(board, text, letters)?)));
    let found: Vec<_> = found.collect();
    // A language that does not know the Q of `bxa8Q` reads less of it.
    let least = found.iter().map(|(_, reading)| reading.rest.len()).min()?;
    let found = found.into_iter().filter(|(_, reading)| reading.rest.len() == least);
    let (languages, mut found): (Vec<_>, Vec<_>) = found.unzip();
    let mut plies: Vec<Ply> = Vec::new();
    found.iter().flat_map(|reading| &reading.fit).for_each(|ply| {
        if !plies.contains(ply) {
            plies.push(*ply);
        }
    });
    let first = found.iter().position(|reading| !reading.fit.is_empty()).unwrap_or_default();
    (!found.is_empty()).then(|| Spellings { first: found.swap_remove(first), plies, languages })
}

/// The plies of pawns that a text can mean whose first letter is a capital: `BXC3` in capitals alone, and `Cc3`.
fn pawns(board: &Board, text: &str) -> Vec<Ply> {
    let (letter, rest) = text.split_at_checked(1).unwrap_or_default();
    let target = rest.trim_start_matches(['x', 'X']);
    let written = match letter.starts_with(|c: char| matches!(c, 'A'..='H')) {
        true if target.starts_with(|c: char| matches!(c, 'A'..='H')) => text.to_lowercase(),
        true if letter != "B" && rest.starts_with(&letter.to_lowercase()) => rest.to_owned(),
        _ => return Vec::new(),
    };
    let found = LANGUAGES.first().and_then(|english| reading(board, &written, english));
    let is_pawn = |ply: &Ply| ply.from.is_some_and(|from| board.piece_on(square(from)) == Some(Piece::Pawn));
    found.map(|found| found.fit.into_iter().filter(is_pawn).collect()).unwrap_or_default()
}

/// The second ply of `1. e4 e5`, if the first is the last one of the opponent.
fn behind_last_ply<'t>(board: &Board, text: &'t str) -> Option<&'t str> {
    let last = LANGUAGES.iter().find_map(|letters| {
        let Spelling { spelt, fit, rest } = reading(board, text, letters)?;
        let to = spelt.to.filter(|to| board.colors(!board.side_to_move()).has(*to) && fit.is_empty())?;
        (board.piece_on(to) == Some(spelt.man.unwrap_or(Piece::Pawn))).then_some(rest)
    });
    last?.strip_prefix(' ').map(str::trim_start).filter(|_| board.side_to_move() == Color::Black)
}

/// Reads a ply, legal or not. English letters count first, then those of any other language.
pub(super) fn read<'t>(board: &Board, text: &'t str) -> Option<(Ply, &'t str)> {
    let all: Vec<&Tongue> = LANGUAGES.iter().collect();
    let english = all.first().and_then(|english| readings(board, text, &[english]));
    let found = english.filter(|found| !found.plies.is_empty()).or_else(|| readings(board, text, &all));
    let Some(Spellings { first: Spelling { spelt, rest, .. }, plies: fit, .. }) = found else {
        // A first capital that is no piece: `Exd5`.
        let to = text.split_at_checked(1).and_then(|(_, rest)| spelt(rest, false, all.first()?));
        let (spelt, rest) = to.filter(|_| text.starts_with(|c: char| matches!(c, 'A'..='H')))?;
        return Some((Ply::put(cell(spelt.to?)), rest));
    };
    if fit.is_empty()
        && let Some(read) = behind_last_ply(board, text).and_then(|rest| read(board, rest))
    {
        return Some(read);
    }
    // In capitals alone, the B of BXC3 can be a bishop or a file.
    let is_open = text.starts_with('B') && !pawns(board, text).is_empty();
    let ply = match (fit.as_slice(), spelt.from, spelt.to) {
        ([ply], ..) if !is_open => *ply,
        ([first, others @ ..], ..)
            if !is_open && others.iter().all(|ply| (ply.from, ply.to) == (first.from, first.to)) =>
        {
            Ply { more: 0, ..*first }
        }
        (_, (Some(file), Some(rank)), Some(to)) => Ply::go(cell(Square::new(file, rank)), cell(to)),
        (_, _, Some(to)) => Ply { more: spelt.man.unwrap_or(Piece::Pawn) as u64, ..Ply::put(cell(to)) },
        (fit, ..) if spelt.castles == 0 => Ply { from: None, more: Piece::Pawn as u64, ..*fit.first()? },
        _ => {
            let king = board.king(board.side_to_move());
            Ply { more: CASTLING, ..Ply::go(cell(king), cell(king)) }
        }
    };
    Some((ply, rest))
}

/// Reads the ply at the start of `text` for a player who writes the letters of `language`, or of any.
///
/// # Errors
/// The ply can be of several pieces, or another piece than the player's language says. This is the sentence.
pub(super) fn in_letters<'t>(
    position: &str,
    text: &'t str,
    language: &str,
) -> Result<Option<Lettered<'t>>, String> {
    let Ok(game) = Game::<Chess>::read(position) else { return Ok(None) };
    let board = &super::position(game.state());
    if old_english(text).is_some() {
        return Err("This is the old notation, which names files by their pieces. Write the file by its letter: e4 for \
            P-K4, Nf3 for N-KB3."
            .to_owned());
    }
    let all: Vec<&Tongue> = LANGUAGES.iter().collect();
    let Some(any) = readings(board, text, &all) else { return Ok(None) };
    let own: Vec<&Tongue> = any.languages.iter().copied().filter(|own| own.key == language).collect();
    let is_english = any.languages.first().is_some_and(|first| first.key == "en");
    if any.plies.is_empty()
        && let Some(rest) = behind_last_ply(board, text)
    {
        return in_letters(position, rest, language);
    }
    let mut found = readings(board, text, &own).unwrap_or(any);
    // English leaves only the B of BXC3 in doubt.
    if own.is_empty() && !is_english || text.starts_with('B') {
        let others = pawns(board, text).into_iter().filter(|ply| !found.plies.contains(ply));
        let others: Vec<Ply> = others.collect();
        found.plies.extend(others);
    }
    let mover = |ply: &Ply| (ply.from.and_then(|from| board.piece_on(square(from))), ply.more);
    let told = |ply: &Ply| {
        let name =
            mover(ply).0.and_then(|man| Chess::KINDS.get(man as usize)).map_or("piece", |kind| kind.name);
        format!("the {name}'s {}", write(board, *ply).unwrap_or_default())
    };
    // An R is a rook, or the king or the knight of a language that the player has not written so far.
    let is_open = |ply: &Ply| {
        own.is_empty() && text.starts_with('R') && mover(ply).0.is_some_and(|man| man != Piece::Rook)
    };
    match found.plies.as_slice() {
        [ply] if is_open(ply) => {
            let squares = ply.write(&game.state().board);
            Err(format!("Did you mean {}? Write both squares: {squares}.", told(ply)))
        }
        [ply] => {
            let learned = match (is_english, found.languages.as_slice()) {
                (true, [only]) => Some(only.key),
                (true, _) => None,
                (false, languages) => languages.first().map(|first| first.key),
            };
            let ply = write(board, *ply).unwrap_or_default();
            Ok(Some(Lettered { ply, rest: found.first.rest, language: learned }))
        }
        [first, others @ ..]
            if others
                .iter()
                .any(|other| mover(other).0 != mover(first).0 || found.first.spelt.becomes.is_some()) =>
        {
            let all: Vec<String> = found.plies.iter().map(told).collect();
            let squares: Vec<String> = found.plies.iter().map(|ply| ply.write(&game.state().board)).collect();
            let [all, squares] = [all, squares].map(|list| listed(list).replace(" and ", " or "));
            Err(format!("Did you mean {all}? Write both squares: {squares}."))
        }
        _ if read(board, text)
            .is_some_and(|(ply, _)| plies(board).iter().any(|(legal, _)| *legal == ply)) =>
        {
            let Spelt { man, to, .. } = found.first.spelt;
            let ply = to.map(|to| Ply { more: man.unwrap_or(Piece::Pawn) as u64, ..Ply::put(cell(to)) });
            Err(ply.and_then(|ply| broken(board, ply)).unwrap_or_default())
        }
        _ => Ok(None),
    }
}

/// Writes a ply: a legal one, or an illegal one that [`read`] returned without its first square.
pub(super) fn write(board: &Board, ply: Ply) -> Option<String> {
    let all = plies(board);
    let to = ply.to.map(square)?;
    let Some((_, man)) = all.iter().find(|(legal, _)| *legal == ply) else {
        let man = Piece::try_index(ply.more as usize).filter(|_| ply.from.is_none())?;
        return Some(format!("{}{to}", letter(man)));
    };
    let mut text = if ply.more == CASTLING {
        if man.to.file() > man.from.file() { "O-O".to_owned() } else { "O-O-O".to_owned() }
    } else {
        let moves = board.piece_on(man.from)?;
        let is_capture = board.piece_on(to).is_some() || moves == Piece::Pawn && man.from.file() != to.file();
        let sign = if is_capture { "x" } else { "" };
        let becomes = man.promotion.map(|man| format!("={}", letter(man))).unwrap_or_default();
        format!("{}{}{sign}{to}{becomes}", letter(moves), origin(board, &all, *man, is_capture))
    };
    let mut after = board.clone();
    after.play_unchecked(*man);
    if !after.checkers().is_empty() {
        text.push(if plies(&after).is_empty() { '#' } else { '+' });
    }
    Some(text)
}

fn letter(man: Piece) -> String {
    if man == Piece::Pawn { String::new() } else { LETTERS[man as usize].to_string() }
}

/// The part of the first square that distinguishes a move from moves of equal pieces to the same square.
fn origin(board: &Board, all: &[(Ply, Move)], man: Move, is_capture: bool) -> String {
    let (file, rank, moves) = (man.from.file(), man.from.rank(), board.piece_on(man.from));
    if moves == Some(Piece::Pawn) {
        return if is_capture { file.to_string() } else { String::new() };
    }
    let others = || {
        let rivals = all
            .iter()
            .filter(|(ply, other)| ply.more != CASTLING && other.to == man.to && other.from != man.from);
        rivals.map(|(_, other)| other.from).filter(|from| board.piece_on(*from) == moves)
    };
    match (others().any(|from| from.file() == file), others().any(|from| from.rank() == rank)) {
        (true, true) => man.from.to_string(),
        (true, false) => rank.to_string(),
        (false, true) => file.to_string(),
        (false, false) if others().next().is_some() => file.to_string(),
        (false, false) => String::new(),
    }
}

/// Why a ply without a first square is illegal or ambiguous.
pub(super) fn broken(board: &Board, ply: Ply) -> Option<String> {
    let (to, man) = (ply.to.map(square)?, Piece::try_index(ply.more as usize)?);
    let name = Chess::KINDS.get(man as usize)?.name;
    // A capital can be the file of a pawn that captures.
    let is_pawn = |from: Square| from.file() != to.file() && board.piece_on(from) == Some(Piece::Pawn);
    let fit = plies(board).into_iter().filter(|(legal, each)| {
        legal.to == ply.to && (board.piece_on(each.from) == Some(man) || is_pawn(each.from))
    });
    let fit: Vec<String> = fit.filter_map(|(legal, _)| write(board, legal)).collect();
    let side = if board.side_to_move() == Color::White { "White" } else { "Black" };
    Some(match fit.as_slice() {
        [] => format!("No {name} of {side} can go to {to}."),
        [one] => format!("No other {name} of {side} can go to {to} than by {one}."),
        _ => format!("There are several ways to do so: {}.", listed(&fit)),
    })
}

/// Why castling is refused.
pub(super) fn no_castling(board: &Board) -> String {
    let both = plies(board).iter().filter(|(ply, _)| ply.more == CASTLING).count() == 2;
    let why = if both {
        "Castling can go both ways here: write O-O or O-O-O."
    } else {
        "Castling is not possible here."
    };
    why.to_owned()
}
