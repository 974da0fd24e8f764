//! Standard algebraic notation: `Nbd2`, `exd5`, `e8=Q+`, `O-O`. Squares alone, such as `g1f3`, are read too.

use cozy_chess::{Board, Color, File, Move, Piece, Rank, Square};

use super::{CASTLING, Chess, Ply, Rules, cell, plies, square};
use crate::notation::{is_dash, listed};

const LETTERS: [char; 6] = ['P', 'N', 'B', 'R', 'Q', 'K'];

/// The parts of a written ply. A part that is not written is `None`.
#[derive(Default)]
struct Spelt {
    man: Option<Piece>,
    from: (Option<File>, Option<Rank>),
    to: Option<Square>,
    becomes: Option<Piece>,
    /// The number of `O` in castling; 0 in other plies.
    castles: usize,
}

fn piece(letter: char) -> Option<Piece> {
    LETTERS.iter().position(|known| letter.eq_ignore_ascii_case(known)).and_then(Piece::try_index)
}

impl Spelt {
    fn means(&self, board: &Board, ply: &Ply, man: &Move) -> bool {
        if self.castles > 0 {
            return ply.more == CASTLING && (man.to.file() > man.from.file()) == (self.castles == 2);
        }
        // A king's move to its castled square or to its rook means castling only if the text names the king's own
        // square.
        let is_castling = ply.more == CASTLING && self.from.1.is_some();
        let reaches = ply.to.map(square) == self.to && (ply.more != CASTLING || is_castling)
            || is_castling && Some(man.to) == self.to;
        let moves = board.piece_on(man.from);
        let named = if self.from.1.is_some() && self.from.0.is_some() {
            self.man
        } else {
            self.man.or(Some(Piece::Pawn))
        };
        // A pawn's ply with a first file but no rank, such as `exd5`, is a capture, so the pawn must change its file.
        let is_bare = self.from.0.is_some() && self.from.1.is_none() && moves == Some(Piece::Pawn);
        reaches
            && !(is_bare && man.from.file() == man.to.file())
            && named.is_none_or(|named| moves == Some(named))
            && self.from.0.is_none_or(|file| man.from.file() == file)
            && self.from.1.is_none_or(|rank| man.from.rank() == rank)
            && self.becomes.is_none_or(|becomes| man.promotion == Some(becomes))
    }
}

/// Reads a text that has the form of a ply. With `far`, a blank can separate its squares. Usually a first `b` is a file
/// and a first `B` a bishop. `other_b` exchanges the two, for players who write only small letters or only capitals.
fn spelt(text: &str, far: bool, other_b: bool) -> Option<(Spelt, &str)> {
    let mut spelt = Spelt::default();
    let rounds = text.trim_start_matches(|c| matches!(c, 'O' | 'o' | '0') || is_dash(c));
    let castling = text.get(..text.len() - rounds.len()).unwrap_or_default();
    spelt.castles = castling.chars().filter(|c| !is_dash(*c)).count();
    if spelt.castles > 0 {
        return (2..=3).contains(&spelt.castles).then_some((spelt, marks(rounds)));
    }
    let mut rest = text;
    let mut letters = text.chars().skip(1);
    // A small b is a file. A capital B is a file in B2 and B2-B4, but a bishop in B2c3.
    let mut is_file = || match (letters.next(), letters.find(|c| *c != 'x')) {
        (Some('1'..='8'), next) => !next.is_some_and(|next| matches!(next, 'a'..='h')),
        _ => false,
    };
    if let Some(letter @ ('K' | 'Q' | 'R' | 'N' | 'B' | 'P' | 'k' | 'q' | 'r' | 'n' | 'b')) =
        text.chars().next()
        && (!letter.eq_ignore_ascii_case(&'b') || (letter == 'B' && !is_file()) != other_b)
    {
        (spelt.man, rest) = (piece(letter), rest.get(1..)?);
    }
    let mut names = String::new();
    while let Some(next) = rest.chars().next() {
        let behind = rest.get(next.len_utf8()..)?;
        let follows = |behind: &str| behind.chars().next().is_some_and(|c| c.is_ascii_digit());
        let is_whole = names.len() > 1 && names.ends_with(|c: char| c.is_ascii_digit());
        match next {
            'a'..='h' | 'A'..='H' if !is_whole || follows(behind) => names.push(next.to_ascii_lowercase()),
            '1'..='8' => names.push(next),
            'x' | 'X' => {}
            _ if is_dash(next) => {}
            ' ' if far && names.len() == 2 => {}
            _ => break,
        }
        rest = behind;
    }
    let (start, to) = names.split_at_checked(names.len().checked_sub(2)?)?;
    spelt.to = Some(to.parse().ok()?);
    for c in start.chars() {
        match c {
            '1'..='8' => spelt.from.1 = c.to_string().parse().ok(),
            _ => spelt.from.0 = c.to_string().parse().ok(),
        }
    }
    let sign = rest.trim_start_matches(['=', '(', '/']);
    if let Some(becomes) = sign
        .chars()
        .next()
        .and_then(piece)
        .filter(|_| start.len() < 3 && spelt.man.is_none() || start.len() == 2)
    {
        spelt.becomes = Some(becomes);
        rest = sign.get(1..)?.trim_start_matches(')');
    }
    (start.len() < 3).then_some((spelt, marks(rest)))
}

/// Skips the signs `+`, `#`, `!`, `?` and `e.p.`, and returns the rest of the text. `#5` is the number of a ply, not
/// mate.
fn marks(text: &str) -> &str {
    let text = text.trim_start_matches(['+', '!', '?']);
    match text.strip_prefix('#') {
        Some(behind) if !behind.starts_with(|c: char| c.is_ascii_digit()) => marks(behind),
        _ => text.strip_prefix(" e.p.").unwrap_or(text),
    }
}

/// The length in bytes of the ply at the start of a text. Zeros without a dash are not castling, because they can be a
/// time of day.
pub(super) fn length(text: &str) -> Option<usize> {
    let (_, rest) = spelt(text, false, false)?;
    // A final `?` or `!` can belong to the sentence, so do not count it as part of the ply.
    let ply = text.get(..text.len() - rest.len())?.trim_end_matches(['?', '!']);
    (ply.starts_with('O') || ply.contains(|c: char| is_dash(c) || c.is_ascii_digit() && c != '0'))
        .then_some(ply.len())
}

/// Reads a ply, legal or not.
pub(super) fn read<'t>(board: &Board, text: &'t str) -> Option<(Ply, &'t str)> {
    let all = plies(board);
    let meant = |(spelt, rest): (Spelt, &'t str)| {
        let fit: Vec<Ply> =
            all.iter().filter(|(ply, man)| spelt.means(board, ply, man)).map(|(ply, _)| *ply).collect();
        (spelt, fit, rest)
    };
    let as_if = |far, other_b| spelt(text, far, other_b).map(meant);
    let near = as_if(false, false);
    let fits = |found: &(_, Vec<_>, _)| !found.1.is_empty();
    let other_b = || as_if(false, true).filter(fits).or_else(|| as_if(true, true).filter(fits));
    let others =
        || as_if(true, false).filter(fits).or_else(|| other_b().filter(|_| text.starts_with(['b', 'B'])));
    // In capitals alone, the B of BXC3 can be a bishop or a file.
    let is_either = text
        .strip_prefix('B')
        .is_some_and(|rest| rest.trim_start_matches(['x', 'X']).starts_with(|c| matches!(c, 'A'..='H')))
        && other_b().is_some();
    let (spelt, fit, rest) = match near {
        Some((spelt, fit, rest)) if is_either && fit.len() == 1 => (spelt, Vec::new(), rest),
        Some(ref found) if fits(found) => near?,
        _ => others().or(near)?,
    };
    let ply = match (fit.as_slice(), spelt.from, spelt.to) {
        ([ply], ..) => *ply,
        ([first, others @ ..], ..)
            if others.iter().all(|ply| (ply.from, ply.to) == (first.from, first.to)) =>
        {
            Ply { more: 0, ..*first }
        }
        (_, (Some(file), Some(rank)), Some(to)) => Ply::go(cell(Square::new(file, rank)), cell(to)),
        (_, _, Some(to)) => Ply { more: spelt.man.unwrap_or(Piece::Pawn) as u64, ..Ply::put(cell(to)) },
        _ => {
            let king = board.king(board.side_to_move());
            Ply { more: CASTLING, ..Ply::go(cell(king), cell(king)) }
        }
    };
    Some((ply, rest))
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
    let is_b = |from: Square| {
        man == Piece::Bishop && from.file() == File::B && board.piece_on(from) == Some(Piece::Pawn)
    };
    let fit = plies(board).into_iter().filter(|(legal, each)| {
        legal.to == ply.to && (board.piece_on(each.from) == Some(man) || is_b(each.from))
    });
    let fit: Vec<String> = fit.filter_map(|(legal, _)| write(board, legal)).collect();
    let side = if board.side_to_move() == Color::White { "White" } else { "Black" };
    Some(match fit.is_empty() {
        true => format!("No {name} of {side} can go to {to}."),
        false => format!("There are several ways to do so: {}.", listed(&fit)),
    })
}
