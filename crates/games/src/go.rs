//! Go with area scoring: the side that surrounds more wins.
//!
//! `State::counts` holds the number of passes in a row, White's komi in half points, what two passes lead to, and how
//! far the marking of dead stones is (see `marking`).

mod marking;

use crate::formats::{notation, sgf::Sgf};
use crate::notation::{ends_a_ply, keyword, listed, unreadable};
use crate::rules::{Board, Cell, Cells, Kind, Piece, Ply, Rules, State, captured, kind, size};
use crate::scene::{Ground, Shape, ToldCaptures};
use crate::{GameKind, GameOption, Outcome, Plies, Seat, Setup, SetupError, Unreadable};

/// The entry of the registry.
pub const KIND: GameKind = GameKind {
    options: &[
        size("a board of N by N lines, 9, 13 or 19", &["13", "19"]),
        GameOption::number(
            "komi",
            &["6.5", "7.5"],
            "the points that White gets beforehand, 7 if nothing is said; 6.5 and 7.5 leave no ties",
        ),
        GameOption::number(
            "handicap",
            &["2", "9"],
            "Black has 2 to 9 stones on the board, White moves first and gets half a point",
        ),
        GameOption {
            between_people: true,
            ..GameOption::plain(
                "marking",
                "after two passes the players say which stones are dead, as in every game between people",
            )
        },
    ],
    notation: "D4 puts a stone on D4, pass passes",
    notations: &[notation!("sgf", SGF)],
    pitch: "Put a stone on any empty point; stones without an empty point beside them are captured; hold more of the board.",
    family: "territory",
    captures: ToldCaptures::Counted("prisoner"),
    has_draws: false,
    plies: Plies { words: WORDS, ..Plies::of_columns('t') },
    renamed: Some(renamed),
    ..kind::<Go>("go", "Go")
};

/// Words of the marking, the pass, the middle, and points by their distances from two sides. Replies read `accept` and
/// `resume` as words of the server.
const WORDS: &[&str] = &[
    "dead none",
    "dead",
    "alive",
    "clear",
    "count",
    "pass",
    "tengen",
    "center",
    "centre",
    "天元",
    "3-3",
    "3-4",
    "3-5",
    "4-3",
    "4-4",
    "4-5",
    "5-3",
    "5-4",
    "5-5",
];

/// Columns were named A to S once, in small letters.
fn renamed(point: &str) -> Option<String> {
    let column = point.chars().next()?.to_ascii_uppercase();
    let row = point.get(1..).filter(|row| !row.is_empty() && row.bytes().all(|b| b.is_ascii_digit()))?;
    let column = if column < 'I' { column } else { char::from_u32(column as u32 + 1)? };
    ('A'..='T').contains(&column).then(|| format!("{column}{row}"))
}

/// The score of White does not have the half point of an uneven komi.
const SGF: Sgf = Sgf {
    game: Some(1),
    size: "19",
    has_letters: true,
    margin: |outcome| {
        let [black, white] = outcome.score.unwrap_or_default().map(|points| 2 * i32::from(points));
        let margin = (black - white - i32::from(outcome.how.is_some())).unsigned_abs();
        halves_written(u16::try_from(margin).unwrap_or_default())
    },
};

/// The rules.
#[derive(Debug, Clone)]
pub struct Go;

/// The three lines (from 0) whose crossings are star points: near, middle and far.
fn star_lines(board: &Board) -> [u8; 3] {
    let near = if board.rows < 13 { 2 } else { 3 };
    [near, board.rows / 2, board.rows - 1 - near]
}

/// The points of the handicap stones.
fn handicap(board: &Board, stones: usize) -> impl Iterator<Item = Cell> + use<> {
    let [near, middle, far] = star_lines(board);
    let pairs = [(far, far), (near, near), (far, near), (near, far)];
    let sides = [(near, middle), (far, middle), (middle, near), (middle, far)];
    let centre = (stones > 4 && stones % 2 == 1).then_some((middle, middle));
    let points = centre.into_iter().chain(pairs).chain(sides).take(stones);
    points.map(|(column, row)| Cell::at(column, row))
}

/// The hash of a stone. It has 40 bits, to keep the text of a position short. A collision wrongly refuses one point in
/// 180 000 games of 250 stones.
fn stone_key(stone: Cell, seat: Seat) -> u64 {
    let number = (2 * stone.index() + seat.index() + 1) as u64;
    let mixed = number.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let mixed = (mixed ^ mixed >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB) >> 24
}

/// The hash of the stones of a side.
fn key(stones: Cells, seat: Seat) -> u64 {
    stones.iter().fold(0, |key, stone| key ^ stone_key(stone, seat))
}

/// The hash of a board. The side to move does not change it.
fn board_key(state: &State) -> u64 {
    key(state.of(Seat::First), Seat::First) ^ key(state.of(Seat::Second), Seat::Second)
}

fn liberties(state: &State, chain: Cells) -> Cells {
    state.board.around(chain, state.board.ways()) & state.empties()
}

/// The liberties of a position, to test many points quickly.
struct Air {
    /// The other side's chains with one liberty. Each pair is that liberty and the stones of the chain.
    last_breaths: Vec<(Cell, Cells)>,
    /// The empty points, and the chains of the side to move that have two liberties or more. A stone next to any of
    /// these points is no suicide.
    open: Cells,
    key: u64,
}

impl Air {
    fn of(state: &State) -> Air {
        let mut air = Air { last_breaths: Vec::new(), open: state.empties(), key: board_key(state) };
        for chain in state.board.groups(state.of(state.to_move.other())) {
            let mut liberties = liberties(state, chain).iter();
            air.last_breaths
                .extend(liberties.next().filter(|_| liberties.next().is_none()).map(|at| (at, chain)));
        }
        for chain in state.board.groups(state.of(state.to_move)) {
            if liberties(state, chain).count() > 1 {
                air.open = air.open | chain;
            }
        }
        air
    }

    /// The rule that forbids a stone on the empty point `to`, if there is one.
    fn forbids(&self, state: &State, to: Cell) -> Option<&'static str> {
        let dying = self.last_breaths.iter().filter(|(at, _)| *at == to);
        let captured = dying.fold(Cells::NONE, |captured, (_, chain)| captured | *chain);
        if captured.is_empty() && !state.board.beside(to).any(|cell| self.open.has(cell)) {
            return Some(
                "A stone must have an empty point beside it or beside its chain when captures are done.",
            );
        }
        let key = self.key ^ stone_key(to, state.to_move) ^ key(captured, state.to_move.other());
        state.seen.contains(&key).then_some("A stone may not bring back a board that has been there before.")
    }
}

/// The living stones of a side, and the points without living stones that only this side surrounds.
fn area(state: &State, seat: Seat) -> Cells {
    let dead = state.of_kind(marking::DEAD);
    let (own, empties) = (state.of(seat) - dead, state.empties() | dead);
    let surrounded = state.board.groups(empties).filter(|region| {
        let rim = state.board.around(*region, state.board.ways()) - empties;
        !rim.is_empty() && (rim - own).is_empty()
    });
    surrounded.fold(own, |area, region| area | region)
}

/// The result of a count as the board lies.
fn counted(state: &State) -> Outcome {
    let [black, white] = Seat::BOTH.map(|seat| area(state, seat).count() as u16);
    let halves = state.counts[1];
    Outcome {
        score: Some([black, white + halves / 2]),
        how: (halves % 2 == 1).then_some("and White has half a point more"),
        ..Outcome::counted([2 * black, 2 * white + halves])
    }
}

impl Rules for Go {
    const SIZES: &'static [u8] = &[9, 13, 19];
    const KINDS: &'static [Kind] = &[
        Kind { signs: ['b', 'w', '?'], ..Kind::disc("stone") },
        Kind { name: "dead stone", signs: ['x', 'o', '?'], shape: Shape::Dead },
        Kind { signs: ['B', 'W', '?'], ..Kind::disc("live stone") },
    ];
    const COLOURS: [&'static str; 2] = ["black", "white"];

    const ASKS: [&'static str; 3] = ["Choose a point for your stone.", "", ""];

    fn board(size: u8) -> Board {
        Board::points(size).without_i()
    }

    fn start(state: &mut State, setup: &Setup<'_>) -> Result<(), SetupError> {
        let stones = setup.number("handicap")?;
        if let Some(stones) = stones {
            if !(2..=9).contains(&stones) {
                return Err(SetupError::Option("-handicap is 2 to 9, as in -handicap=2".to_owned()));
            }
            let points = handicap(&state.board, stones as usize);
            state.fill(points, Piece::of(Seat::First));
            state.to_move = Seat::Second;
        }
        state.counts[2] = u16::from(setup.has("marking"));
        let halves =
            |komi: &str| Some(komi.parse::<f64>().ok()? * 2.0).filter(|halves| halves.fract() == 0.0);
        state.counts[1] = match setup.value("komi") {
            None if stones.is_some() => 1,
            None => 14,
            Some(komi) => halves(komi).filter(|halves| (0.0..=100.0).contains(halves)).ok_or_else(|| {
                SetupError::Option("-komi is 0 to 50 points, in halves, as in -komi=7.5".to_owned())
            })? as u16,
        };
        Ok(())
    }

    fn each_move(state: &State, visit: &mut impl FnMut(Ply)) {
        if marking::is_on(state) {
            return marking::each_ply(state, visit);
        }
        let air = Air::of(state);
        let points = state.empties().iter().filter(|point| air.forbids(state, *point).is_none());
        points.map(Ply::put).chain([Ply::PASS]).for_each(visit);
    }

    /// Keeps the passes and the stage of the marking. The komi and the rule of the marks are terms of a game.
    fn forget_history(state: &mut State) {
        [state.counts[1], state.counts[2]] = [0, 0];
    }

    fn make(state: &mut State, ply: Ply) {
        if marking::is_on(state) {
            return marking::make(state, ply);
        }
        let Some(to) = ply.to else {
            state.counts[0] += 1;
            marking::begin(state);
            return state.go(ply);
        };
        marking::put_off(state);
        state.seen.push(board_key(state));
        state.go(ply);
        let (board, other) = (state.board, state.of(state.to_move));
        for beside in board.beside(to).filter(|cell| other.has(*cell)) {
            let chain = board.group(beside, other, board.ways());
            if liberties(state, chain).is_empty() {
                chain.iter().for_each(|stone| state.set(stone, None));
            }
        }
    }

    fn outcome(state: &State, _: Option<Cell>) -> Option<Outcome> {
        (state.counts[0] >= 2 && !marking::is_on(state)).then(|| counted(state))
    }

    fn read_ply<'t>(state: &State, text: &'t str) -> Result<Option<(Ply, &'t str)>, Unreadable> {
        if let Some(read) = marking::read_ply(state, text)? {
            return Ok(Some(read));
        }
        let mut words = WORDS
            .iter()
            .skip_while(|word| **word != "tengen")
            .filter_map(|word| Some((*word, keyword(text, word)?)));
        let Some((word, rest)) = words.find(|(_, rest)| rest.chars().next().is_none_or(ends_a_ply)) else {
            return Ok(None);
        };
        let board = &state.board;
        let middle = board.rows / 2 + 1;
        let (one, other) = word.split_once('-').unwrap_or_default();
        let lines = [one, other].map(|line| line.parse().unwrap_or(middle));
        let is_named = |cell: &Cell| {
            let [one, other] = [cell.column(), cell.row()].map(|line| (line + 1).min(board.rows - line));
            lines == [one, other] || lines == [other, one]
        };
        let points: Vec<Cell> = board.reading().filter(is_named).collect();
        match points[..] {
            [point] => Ok(Some((Ply::put(point), rest))),
            _ => {
                let points = listed(points.into_iter().map(|point| board.name(point)));
                Err(unreadable(word, format!("Which of {points} do you mean?")))
            }
        }
    }

    fn named(state: &State, spaces: &[Cell]) -> Option<Ply> {
        marking::named(state, spaces).or_else(|| Ply::named(spaces))
    }

    fn write(state: &State, ply: Ply) -> String {
        marking::write(state, ply).unwrap_or_else(|| ply.write(&state.board))
    }

    fn explain(state: &State, ply: Ply) -> Option<String> {
        let pass = || match state.counts {
            [1, _, marking::MARKS, _] => {
                "now stops play: both mark the dead stones, and the board is counted"
            }
            [1, ..] => "now ends the game, and the board is counted",
            _ => {
                "leaves the move to the other side; a second one in a row stops play, and the board is counted"
            }
        };
        marking::explain(state, ply).or_else(|| (ply == Ply::PASS).then(|| pass().to_owned()))
    }

    fn remarks(before: &State, after: &State) -> Vec<String> {
        if marking::is_on(before) { marking::remarks(before, after) } else { captured::<Go>(before, after) }
    }

    fn closing(state: &State) -> Option<Ply> {
        marking::is_on(state).then_some(marking::COUNT)
    }

    fn broken(state: &State, ply: Ply) -> Option<String> {
        if marking::is_on(state) {
            return Some(marking::broken(state, ply));
        }
        let point = ply.to.filter(|to| ply.from.is_none() && state.is_empty(*to))?;
        Air::of(state).forbids(state, point).map(str::to_owned)
    }

    fn ground(board: &Board, cell: Cell) -> Ground {
        let lines = star_lines(board);
        let is_on = |line: u8| lines.contains(&line);
        let is_middle = |line: u8| line == board.rows / 2;
        // Only the board of 19 by 19 lines has star points in the middle of its sides.
        let (column, row) = (cell.column(), cell.row());
        let is_shown = board.rows == 19 || is_middle(column) == is_middle(row);
        if is_on(column) && is_on(row) && is_shown { Ground::Gate } else { Ground::Plain }
    }

    fn held(state: &State, seat: Seat) -> Cells {
        if state.counts[0] < 2 { Cells::NONE } else { area(state, seat) - state.taken() }
    }

    fn standing(state: &State) -> String {
        marking::how(state)
            .unwrap_or_else(|| format!("White gets {} points.", halves_written(state.counts[1])))
    }

    fn holds(state: &State, seat: Seat) -> String {
        match seat {
            Seat::First => String::new(),
            Seat::Second => format!("komi {}", halves_written(state.counts[1])),
        }
    }

    fn note(state: &State) -> String {
        if marking::is_on(state) {
            return marking::tally(state);
        }
        let passed = match state.counts {
            [1, _, marking::MARKS, _] => {
                "The last move was a pass; after another the dead stones are marked."
            }
            [1, ..] => "The last move was a pass; another ends the game.",
            _ => "",
        };
        passed.to_owned()
    }

    fn lawful(state: &State) -> Result<(), String> {
        let breathes = |chain| !liberties(state, chain).is_empty();
        if !Seat::BOTH.into_iter().all(|seat| state.board.groups(state.of(seat)).all(breathes)) {
            return Err("every chain has an empty point beside it".to_owned());
        }
        let [passes, halves, ..] = state.counts;
        if passes > 2 || halves > 100 || !marking::is_lawful(state) {
            let why =
                "there are 2 passes at most, 100 half points for White, and marks only after two passes";
            return Err(why.to_owned());
        }
        Ok(())
    }
}

/// Half points as points: `7`, `6.5`.
fn halves_written(halves: u16) -> String {
    format!("{}{}", halves / 2, ["", ".5"][usize::from(halves % 2)])
}
