//! Chess. The crate `cozy-chess` generates and plays the moves. This module adds draws, notation and texts.

mod letters;
mod san;
mod spelling;

use cozy_chess as cozy;
use cozy_chess::{BoardBuilder, CastleRights, Color, File, Piece as Man, Rank, Square};

use crate::formats::{notation, pgn::Pgn};
use crate::rules::{Board, Cell, Kind, Piece, Ply, Rules, State, kind};
use crate::scene::{Figure, Ground, Shape, ToldCaptures};
use crate::{GameKind, GameOption, Outcome, Plies, Seat, Setup, SetupError, Unreadable};

/// The entry of the registry.
pub const KIND: GameKind = GameKind {
    family: "capture",
    captures: ToldCaptures::Shown,
    options: &[GameOption::plain(
        "960",
        "the pieces behind the pawns begin in a random order, the same for both sides (Chess960)",
    )],
    notation: "Nf3 moves a knight to f3, e4 a pawn to e4; g1f3 is read too",
    pitch: "Trap the enemy king: attack it so that it cannot escape.",
    plies: Plies { other: Some(san::length), ..Plies::of_columns('h') },
    letters: Some(san::in_letters),
    notations: &[notation!("pgn", PGN)],
    ..kind::<Chess>("chess", "Chess")
};

/// The text of a position is FEN, followed by keys of earlier boards if they can recur.
const PGN: Pgn = Pgn {
    results: ["1-0", "0-1", "1/2-1/2"],
    variant: "Variant",
    variants: &["standard", "from position", "fischerandom", "fischerrandom", "chess 960", "Chess960"],
    names_variant: false,
    to_fen: |start| start.split(" since ").next().unwrap_or_default().to_owned(),
    from_fen,
    number: |start| start.split(' ').nth(5).and_then(|number| number.parse().ok()).unwrap_or(1),
};

/// FEN with the files of the rooks that can castle in place of `K` and `Q`, which mean the outermost rooks of a side, and
/// with the two numbers at its end, which some leave out.
fn from_fen(fen: &str) -> Option<String> {
    let fields: Vec<&str> = fen.split_whitespace().collect();
    let [men, turn, rights, passing, counts @ ..] = fields.as_slice() else { return None };
    let rows = men.split('/').map(|row| {
        let wide = |c: char| ".".repeat(c.to_digit(10).unwrap_or_default() as usize);
        row.chars().map(|c| if c.is_ascii_digit() { wide(c) } else { c.to_string() }).collect::<String>()
    });
    let rows: Vec<String> = rows.collect();
    let file = |c: char| {
        let (row, of) = if c.is_ascii_uppercase() { (rows.last()?, "RK") } else { (rows.first()?, "rk") };
        let (rook, king) = of.split_at(1);
        let at = match c.to_ascii_lowercase() {
            'k' => row.rfind(rook).filter(|at| Some(*at) > row.find(king)),
            'q' => row.find(rook).filter(|at| Some(*at) < row.find(king)),
            _ => return Some(c),
        };
        let file = char::from(b'a' + u8::try_from(at?).ok()?);
        Some(if c.is_ascii_uppercase() { file.to_ascii_uppercase() } else { file })
    };
    let rights = rights.chars().map(file).collect::<Option<String>>()?;
    let counts = if counts.is_empty() { "0 1".to_owned() } else { counts.join(" ") };
    Some([men, *turn, &rights, passing, &counts].join(" "))
}

/// The rules.
#[derive(Debug, Clone)]
pub struct Chess;

/// The value of `Ply::more` for castling. A promotion has the number of the new piece there, and any other legal ply 0.
const CASTLING: u64 = 8;

// Indices into `State::counts`, in order. Files of rooks that can castle; file of a pawn that can be captured en
// passant; plies since the last capture or pawn move; number of the move.
const RIGHTS: usize = 0;
const PASSING: usize = 1;
const IDLE: usize = 2;
const NUMBER: usize = 3;

const fn figure(name: &'static str, first: char, second: char, figure: Figure) -> Kind {
    Kind { name, signs: [first, second, '?'], shape: Shape::Figure(figure) }
}

fn cell(square: Square) -> Cell {
    Cell::at(square.file() as u8, square.rank() as u8)
}

fn square(cell: Cell) -> Square {
    Square::new(File::index(cell.column().into()), Rank::index(cell.row().into()))
}

fn color(seat: Seat) -> Color {
    *seat.of(&[Color::White, Color::Black])
}

/// Turns a state into a `cozy-chess` board. If `cozy-chess` refuses the state, this is the usual start position.
fn position(state: &State) -> cozy::Board {
    let mut builder = BoardBuilder::empty();
    for cell in state.taken().iter() {
        let man =
            state.at(cell).and_then(|piece| Some((Man::try_index(piece.kind.into())?, color(piece.side?))));
        *builder.square_mut(square(cell)) = man;
    }
    let file = |number: u16| usize::from(number).checked_sub(1).and_then(File::try_index);
    let right = |place: u32| file(state.counts[RIGHTS] / 9_u16.pow(place) % 9);
    for (color, place) in [(Color::White, 0), (Color::Black, 2)] {
        *builder.castle_rights_mut(color) = CastleRights { short: right(place), long: right(place + 1) };
    }
    builder.side_to_move = color(state.to_move);
    let rank = Rank::Third.relative_to(!builder.side_to_move);
    builder.en_passant = file(state.counts[PASSING]).map(|file| Square::new(file, rank));
    builder.halfmove_clock = state.counts[IDLE].min(100) as u8;
    builder.fullmove_number = state.counts[NUMBER].max(1);
    builder.build().unwrap_or_default()
}

fn state(position: &cozy::Board) -> State {
    let mut state = State::empty(Chess::board(8));
    for square in position.occupied() {
        let side = Seat::BOTH.into_iter().find(|seat| position.colors(color(*seat)).has(square));
        let kind = position.piece_on(square).map_or(0, |man| man as u8);
        state.set(cell(square), Some(Piece { side, kind }));
    }
    if position.side_to_move() == Color::Black {
        state.to_move = Seat::Second;
    }
    let number = |file: Option<File>| file.map_or(0, |file| file as u16 + 1);
    let rights = [Color::White, Color::Black].map(|color| *position.castle_rights(color));
    let rights = rights.into_iter().rev().flat_map(|CastleRights { short, long }| [long, short]);
    state.counts[RIGHTS] = rights.fold(0, |sum, file| 9 * sum + number(file));
    // Keep the file only if a pawn can really be captured en passant. Otherwise equal positions would differ.
    let is_passing = |man: &cozy::Move| {
        position.piece_on(man.from) == Some(Man::Pawn)
            && man.from.file() != man.to.file()
            && position.piece_on(man.to).is_none()
    };
    let passing = position.en_passant().filter(|_| moves(position).iter().any(is_passing));
    state.counts[PASSING] = number(passing);
    state.counts[IDLE] = position.halfmove_clock().into();
    state.counts[NUMBER] = position.fullmove_number();
    state
}

fn moves(position: &cozy::Board) -> Vec<cozy::Move> {
    let mut all = Vec::new();
    position.generate_moves(|moves| {
        all.extend(moves);
        false
    });
    all
}

/// Turns a `cozy-chess` move into a ply. In `cozy-chess`, the king castles by capturing its own rook. In a ply, the
/// king moves to the c or g file, or to the square of the rook if that file is less than two squares away.
fn ply(position: &cozy::Board, man: cozy::Move) -> Ply {
    let cozy::Move { from, to, promotion } = man;
    if !position.colors(position.side_to_move()).has(to) {
        let more = promotion.map_or(0, |man| man as u64);
        return Ply { more, ..Ply::go(cell(from), cell(to)) };
    }
    let file = if to.file() > from.file() { File::G } else { File::C };
    let is_far = (file as i8 - from.file() as i8).abs() > 1;
    let reached = if is_far { Square::new(file, from.rank()) } else { to };
    Ply { more: CASTLING, ..Ply::go(cell(from), cell(reached)) }
}

fn plies(position: &cozy::Board) -> Vec<(Ply, cozy::Move)> {
    moves(position).into_iter().map(|man| (ply(position, man), man)).collect()
}

/// True if neither side can be mated any more. Apart from the kings, there is at most one minor piece, or there are
/// only bishops on squares of one colour.
fn is_dead(position: &cozy::Board) -> bool {
    let [knights, bishops, kings] = [Man::Knight, Man::Bishop, Man::King].map(|man| position.pieces(man));
    let minor = knights | bishops;
    let is_alone = position.occupied() == minor | kings;
    let light = bishops & cozy::BitBoard::LIGHT_SQUARES;
    is_alone && (minor.len() <= 1 || knights.is_empty() && (light.is_empty() || light == bishops))
}

impl Rules for Chess {
    const SIZES: &'static [u8] = &[8];
    // The order is that of `cozy_chess::Piece`.
    const KINDS: &'static [Kind] = &[
        figure("pawn", 'P', 'p', Figure::Pawn),
        figure("knight", 'N', 'n', Figure::Knight),
        figure("bishop", 'B', 'b', Figure::Bishop),
        figure("rook", 'R', 'r', Figure::Rook),
        figure("queen", 'Q', 'q', Figure::Queen),
        figure("king", 'K', 'k', Figure::King),
    ];

    const ASKS: [&'static str; 3] =
        ["Choose a piece to move.", "Choose where it goes.", "Choose what the pawn becomes."];

    fn board(size: u8) -> Board {
        Board::squares(size, size)
    }

    fn start(board: &mut State, setup: &Setup<'_>) -> Result<(), SetupError> {
        // Number 518 in Scharnagl's numbering of the 960 starts is the usual one.
        let number = if setup.has("960") { setup.seed % 960 } else { 518 };
        *board = state(&cozy::Board::chess960_startpos(number as u32));
        Ok(())
    }

    fn each_move(state: &State, visit: &mut impl FnMut(Ply)) {
        plies(&position(state)).into_iter().for_each(|(ply, _)| visit(ply));
    }

    fn make(board: &mut State, ply: Ply) {
        let mut position = position(board);
        if let Some((_, man)) = plies(&position).into_iter().find(|(legal, _)| *legal == ply) {
            position.play_unchecked(man);
        }
        let after = state(&position);
        let is_final = after.counts[IDLE] == 0
            || after.counts[RIGHTS] != board.counts[RIGHTS]
            || board.counts[PASSING] != 0;
        board.remember(is_final);
        let seen = std::mem::take(&mut board.seen);
        *board = after;
        board.seen = seen;
    }

    fn outcome(state: &State, _: Option<Cell>) -> Option<Outcome> {
        let position = position(state);
        if moves(&position).is_empty() {
            let is_mate = !position.checkers().is_empty();
            let winner = state.to_move.other();
            return Some(if is_mate { Outcome::won(winner, "checkmate") } else { Outcome::tie("stalemate") });
        }
        if is_dead(&position) {
            return Some(Outcome::tie("nobody can be mated any more"));
        }
        let is_idle = state.counts[IDLE] >= 100;
        is_idle
            .then(|| Outcome::tie("50 moves without a capture or a pawn's move"))
            .or_else(|| state.recurred())
    }

    fn read_ply<'t>(state: &State, text: &'t str) -> Result<Option<(Ply, &'t str)>, Unreadable> {
        Ok(san::read(&position(state), text))
    }

    fn write(state: &State, ply: Ply) -> String {
        san::write(&position(state), ply).unwrap_or_else(|| ply.write(&state.board))
    }

    fn broken(state: &State, ply: Ply) -> Option<String> {
        let position = position(state);
        let is_own = |from| state.owner(from) == Some(state.to_move);
        match ply.from {
            None => san::broken(&position, ply),
            Some(_) if ply.more == CASTLING => Some(san::no_castling(&position)),
            Some(from) if is_own(from) && !position.checkers().is_empty() => {
                Some("The king is in check, and the move has to end that.".to_owned())
            }
            Some(from) if is_own(from) && position.pinned().has(square(from)) => {
                Some("The piece shields its king.".to_owned())
            }
            _ => None,
        }
    }

    fn write_state(state: &State) -> String {
        let position = position(state);
        let text = position.to_string();
        // FEN with the castling letters K and Q cannot describe every Chess960 position. For the others, write the
        // files of the rooks instead (Shredder-FEN).
        let is_usual = cozy::Board::from_fen(&text, false).is_ok_and(|read| read == position);
        if is_usual { text } else { format!("{position:#}") }
    }

    fn forget_history(state: &mut State) {
        state.counts[IDLE] = 0;
        state.counts[NUMBER] = 0;
    }

    fn read_state(text: &str) -> Result<State, SetupError> {
        match text.parse::<cozy::Board>() {
            Ok(position) => Ok(state(&position)),
            Err(why) => SetupError::unreadable(format!("it is in FEN, of which the server says: {why}")),
        }
    }

    fn ground(_: &Board, cell: Cell) -> Ground {
        Ground::of_chequers(cell.column(), cell.row())
    }

    fn other_end(state: &State, ply: Ply) -> Option<Cell> {
        // The king onto its own rook castles too.
        let of_cozy = || plies(&position(state)).into_iter().find(|(legal, _)| *legal == ply);
        let rook = cell((ply.more == CASTLING).then(of_cozy)??.1.to);
        Some(rook).filter(|rook| ply.to != Some(*rook))
    }

    fn in_check(state: &State) -> Option<Cell> {
        let position = position(state);
        (!position.checkers().is_empty()).then(|| cell(position.king(position.side_to_move())))
    }

    fn holds(_: &State, _: Seat) -> String {
        String::new()
    }

    fn note(state: &State) -> String {
        if Self::in_check(state).is_some() { "The king is in check.".to_owned() } else { String::new() }
    }
}
