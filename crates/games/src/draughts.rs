//! International draughts on 100 squares: men and kings; the largest capture is compulsory.

use crate::formats::{notation, pgn::Pgn};
use crate::rules::{Board, Cell, Cells, DIAGONAL, Kind, Piece, Ply, Rules, State, kind, map};
use crate::scene::{Ground, Shape};
use crate::{GameKind, Outcome, Plies, Seat, Setup, SetupError, Spaces};

/// The entry of the registry.
pub const KIND: GameKind = GameKind {
    notation: "32-28 moves the piece on 32 to 28, 28x19 captures and lands on 19",
    pitch: "Men step forward diagonally and jump to capture, in every direction; capture as many as you can.",
    family: "capture",
    map: Some(map::<Draughts>),
    notations: &[notation!("pdn", PDN)],
    plies: Plies { spaces: Spaces::Numbered(50), ..Plies::of_columns('a') },
    ..kind::<Draughts>("draughts", "Draughts")
};

const PDN: Pgn = Pgn {
    results: ["2-0", "0-2", "1-1"],
    variant: "GameType",
    variants: &["20"],
    names_variant: true,
    to_fen,
    from_fen,
    number: |_| 1,
};

/// The text of a position as `W:W31,K32:B1,2`.
fn to_fen(start: &str) -> String {
    let (rows, rest) = start.split_once(' ').unwrap_or((start, ""));
    let squares = |man: char| {
        let signs = rows.chars().filter(|c| *c != '/').zip(1..);
        let own = signs.filter(|(c, _)| c.eq_ignore_ascii_case(&man));
        let own = own.map(|(c, square)| format!("{}{square}", if c == man { "" } else { "K" }));
        own.collect::<Vec<String>>().join(",")
    };
    let turn = if rest.starts_with('b') { 'B' } else { 'W' };
    format!("{turn}:W{}:B{}", squares('w'), squares('b'))
}

/// Reads squares and their ranges: `B:W31-50:BK1`. Parts with counts of moves are ignored.
fn from_fen(fen: &str) -> Option<String> {
    let mut parts = fen.trim().trim_end_matches('.').split(':').map(str::trim);
    let turn = parts.next()?.to_ascii_lowercase();
    let mut signs = ['.'; 50];
    for part in parts {
        let (man, squares) = match part.split_at_checked(1)? {
            ("W" | "w", squares) => ('w', squares),
            ("B" | "b", squares) => ('b', squares),
            _ => continue,
        };
        for square in squares.split(',').map(str::trim).filter(|square| !square.is_empty()) {
            let king = square.strip_prefix(['K', 'k']);
            let sign = if king.is_some() { man.to_ascii_uppercase() } else { man };
            let range = king.unwrap_or(square);
            let (from, to) = range.split_once('-').unwrap_or((range, range));
            let range = from.parse::<usize>().ok()?.checked_sub(1)?..to.parse().ok()?;
            signs.get_mut(range)?.fill(sign);
        }
    }
    let rows: Vec<String> = signs.chunks(5).map(|row| row.iter().collect()).collect();
    Some(format!("{} {turn}", rows.join("/")))
}

/// The rules.
#[derive(Debug, Clone)]
pub struct Draughts;

const KING: u8 = 1;

/// The number of a square, from 0.
fn number(cell: Cell) -> u8 {
    5 * (9 - cell.row()) + cell.column() / 2
}

/// Every way to play every legal ply, ordered by the numbers of the squares. A way lists the squares on which the piece
/// stops, without the square that it leaves.
fn ways(state: &State) -> Vec<(Ply, Vec<Cell>)> {
    let own = state.of(state.to_move);
    let mut found = Vec::new();
    for from in own.iter() {
        let mut free = state.empties();
        free.add(from);
        let is_king = state.of_kind(KING).has(from);
        jump(state, free, is_king, &mut vec![from], Cells::NONE, &mut found);
    }
    let most = found.iter().map(|(_, taken)| taken.count()).max();
    found.retain(|(_, taken)| Some(taken.count()) == most);
    let mut ways: Vec<(Ply, Vec<Cell>)> = found
        .into_iter()
        .filter_map(|(mut stops, taken)| {
            let from = stops.remove(0);
            let more = taken.iter().map(|cell| 1 << number(cell)).sum();
            Some((Ply { more, ..Ply::go(from, *stops.last()?) }, stops))
        })
        .collect();
    if ways.is_empty() {
        ways.extend(own.iter().flat_map(|from| steps(state, from)).map(|ply| (ply, Vec::from_iter(ply.to))));
    }
    ways.sort_by_key(|(ply, stops)| Vec::from_iter(ply.from.iter().chain(stops).map(|cell| number(*cell))));
    ways
}

/// Continues a chain of captures, and adds each complete chain to `found`. Captured pieces stay on the board until the
/// chain ends.
fn jump(
    state: &State,
    free: Cells,
    is_king: bool,
    stops: &mut Vec<Cell>,
    taken: Cells,
    found: &mut Vec<(Vec<Cell>, Cells)>,
) {
    let (board, other) = (&state.board, state.of(state.to_move.other()));
    let Some(at) = stops.last().copied() else { return };
    let mut is_end = true;
    for way in DIAGONAL {
        let mut line = board.ray(at, way);
        let met = if is_king { line.find(|cell| !free.has(*cell)) } else { line.next() };
        let Some(over) = met.filter(|over| other.has(*over) && !taken.has(*over)) else { continue };
        let mut taken = taken;
        taken.add(over);
        let behind = board.ray(over, way).take_while(|cell| free.has(*cell));
        for to in behind.take(if is_king { usize::MAX } else { 1 }) {
            is_end = false;
            stops.push(to);
            jump(state, free, is_king, stops, taken, found);
            stops.pop();
        }
    }
    if is_end && !taken.is_empty() {
        found.push((stops.clone(), taken));
    }
}

/// The plies of a piece that capture nothing.
fn steps(state: &State, from: Cell) -> impl Iterator<Item = Ply> {
    let is_king = state.of_kind(KING).has(from);
    let [right, left, back_left, back_right] = DIAGONAL;
    let ways = match (is_king, state.to_move) {
        (true, _) => DIAGONAL.to_vec(),
        (_, Seat::First) => vec![right, left],
        (_, Seat::Second) => vec![back_left, back_right],
    };
    let far = if is_king { usize::MAX } else { 1 };
    let open = move |way| state.board.ray(from, way).take(far).take_while(|cell| state.is_empty(*cell));
    ways.into_iter().flat_map(open).map(move |to| Ply::go(from, to))
}

/// In `counts[0]`: the plies in a row by kings that captured nothing.
const IDLE: usize = 0;
/// In `counts[1]`: the plies since the pieces are those of a short ending.
const SHORT: usize = 1;

/// The number of idle plies that makes the game a draw.
const PATIENCE: u16 = 50;

/// The number of plies, by any piece, after which an ending of a king against few pieces is a draw; `None` for other
/// positions. Source: FMJD, official rules, articles 6.3 and 6.4.
fn short_ending(state: &State) -> Option<u16> {
    let pieces = Seat::BOTH.map(|seat| state.of(seat).count());
    let kings = Seat::BOTH.map(|seat| (state.of(seat) & state.of_kind(KING)).count());
    let is_lone = (0..2).any(|side| [pieces[side], kings[side]] == [1, 1]) && !kings.contains(&0);
    match pieces.iter().max() {
        Some(1 | 2) if is_lone => Some(10),
        Some(3) if is_lone => Some(32),
        _ => None,
    }
}

impl Rules for Draughts {
    const SIZES: &'static [u8] = &[10];
    const KINDS: &'static [Kind] =
        &[Kind::disc("man"), Kind { name: "king", signs: ['W', 'B', '?'], shape: Shape::King }];

    const ASKS: [&'static str; 3] =
        ["Choose a piece to move.", "Choose where it lands.", "Choose which pieces it captures."];

    fn board(size: u8) -> Board {
        Board::dark_squares(size)
    }

    fn ground(_: &Board, _: Cell) -> Ground {
        Ground::Dark
    }

    fn start(state: &mut State, _: &Setup<'_>) -> Result<(), SetupError> {
        for (seat, rows) in [(Seat::First, 0..4), (Seat::Second, 6..10)] {
            state.fill(state.board.cells.iter().filter(|cell| rows.contains(&cell.row())), Piece::of(seat));
        }
        Ok(())
    }

    fn each_move(state: &State, visit: &mut impl FnMut(Ply)) {
        let mut plies = Vec::new();
        for (ply, _) in ways(state) {
            // Two ways that capture the same pieces are the same ply.
            if !plies.contains(&ply) {
                plies.push(ply);
                visit(ply);
            }
        }
    }

    fn make(state: &mut State, ply: Ply) {
        let is_king = ply.from.is_some_and(|from| state.of_kind(KING).has(from));
        let is_final = !is_king || ply.more != 0;
        state.remember(is_final);
        state.counts[IDLE] = if is_final { 0 } else { state.counts[IDLE] + 1 };
        let before = short_ending(state);
        for cell in state.board.cells.iter().filter(|cell| ply.more >> number(*cell) & 1 != 0) {
            state.set(cell, None);
        }
        let (side, far) = (Some(state.to_move), *state.to_move.of(&[9, 0]));
        state.go(ply);
        state.fill(ply.to.filter(|to| to.row() == far), Piece { side, kind: KING });
        let is_same = before.is_some() && short_ending(state) == before;
        state.counts[SHORT] = if is_same { state.counts[SHORT] + 1 } else { 0 };
    }

    fn outcome(state: &State, _: Option<Cell>) -> Option<Outcome> {
        if ways(state).is_empty() {
            return Some(Outcome::won(state.to_move.other(), "the other side cannot move"));
        }
        if short_ending(state).is_some_and(|most| state.counts[SHORT] >= most) {
            return Some(Outcome::tie("a king against so few pieces has held for long enough"));
        }
        let is_idle = state.counts[IDLE] >= PATIENCE;
        is_idle.then(|| Outcome::tie("kings alone have moved for too long")).or_else(|| state.recurred())
    }

    fn named(state: &State, spaces: &[Cell]) -> Option<Ply> {
        let (from, stops) = spaces.split_first()?;
        let to = *stops.last()?;
        let mut ways = ways(state);
        ways.retain(|(ply, way)| {
            (ply.from, ply.to) == (Some(*from), Some(to)) && (stops.len() == 1 || way == stops)
        });
        // If the text fits several plies, it is ambiguous, so choose none of them.
        let ply = ways.first().map(|(ply, _)| *ply).filter(|ply| ways.iter().all(|(other, _)| other == ply));
        Some(ply.unwrap_or(Ply::go(*from, to)))
    }

    fn write(state: &State, ply: Ply) -> String {
        if ply.more == 0 {
            return ply.write(&state.board);
        }
        let ways = ways(state);
        let is_clear =
            ways.iter().all(|(other, _)| (other.from, other.to) != (ply.from, ply.to) || *other == ply);
        let way = ways.into_iter().find(|(other, _)| *other == ply).map(|(_, stops)| stops);
        let stops = way.filter(|_| !is_clear).unwrap_or(Vec::from_iter(ply.to));
        let names: Vec<String> = ply.from.iter().chain(&stops).map(|cell| state.board.name(*cell)).collect();
        names.join("x")
    }

    fn forget_history(state: &mut State) {
        state.counts = [0; 4];
    }

    fn broken(state: &State, ply: Ply) -> Option<String> {
        let captures = ways(state).iter().any(|(ply, _)| ply.more != 0);
        let is_own = ply.from.is_some_and(|from| state.owner(from) == Some(state.to_move));
        match (captures, is_own) {
            (true, _) => Some("Who can capture has to, and takes as many pieces as one move can.".to_owned()),
            (_, true) => Some(
                "Pieces move diagonally: men a step forward, kings any distance over empty squares."
                    .to_owned(),
            ),
            _ => None,
        }
    }

    fn note(state: &State) -> String {
        match (short_ending(state), state.counts[IDLE]) {
            (Some(most), _) => {
                format!("This ending is a draw after {most} moves; {} are played.", state.counts[SHORT])
            }
            (_, 0..6) => String::new(),
            (_, idle) => format!("Kings alone have moved for {idle} moves; {PATIENCE} are a draw."),
        }
    }

    fn lawful(state: &State) -> Result<(), String> {
        let men = state.of_kind(0);
        for (seat, far) in [(Seat::First, 9), (Seat::Second, 0)] {
            if state.of(seat).count() > 20 {
                return Err("a side has 20 pieces at most".to_owned());
            }
            if (state.of(seat) & men).iter().any(|cell| cell.row() == far) {
                return Err("a man on the far row is a king".to_owned());
            }
        }
        Ok(())
    }
}
