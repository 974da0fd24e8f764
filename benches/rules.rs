//! How fast the rules are, as ratios within one run: DVONN's core against a plain one kept here.
//!
//! The plain core is what one writes first: an array of spaces with a stack on each. Moves are collected in a `Vec`. A
//! board is cloned before a ply. Links are followed with a list of spaces still to visit. A stack is a list of pieces,
//! or, in a second measure that is harder to beat, a small struct that only counts them. All count the same sequences
//! and play the same games; that they agree is asserted before anything is measured.
//!
//! `cargo bench --bench rules` prints the ratios.

#![allow(clippy::print_stdout, clippy::expect_used, clippy::panic, missing_docs)]

use std::hint::black_box;
use std::time::{Duration, Instant};

use turnpost_games::dvonn::setup::{random, symmetrical};
use turnpost_games::dvonn::{Dvonn, Move};
use turnpost_games::{Position, Seat, perft};

/// DVONN the plain way.
mod plain {
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum Piece {
        White,
        Black,
        Dvonn,
    }

    /// What stands on a space, if anything.
    pub trait Stack: Clone + Default {
        fn single(piece: Piece) -> Self;
        fn height(&self) -> usize;
        fn top(&self) -> Option<Piece>;
        fn has_dvonn(&self) -> bool;
        fn add(&mut self, moved: Self);
    }

    /// The pieces from the bottom up.
    pub type Pieces = Vec<Piece>;

    impl Stack for Pieces {
        fn single(piece: Piece) -> Self {
            vec![piece]
        }
        fn height(&self) -> usize {
            self.len()
        }
        fn top(&self) -> Option<Piece> {
            self.last().copied()
        }
        fn has_dvonn(&self) -> bool {
            self.contains(&Piece::Dvonn)
        }
        fn add(&mut self, moved: Self) {
            self.extend(moved);
        }
    }

    /// What the rules ask of a stack and no more.
    #[derive(Clone, Copy, Default)]
    pub struct Count {
        height: u8,
        top: Option<Piece>,
        has_dvonn: bool,
    }

    impl Stack for Count {
        fn single(piece: Piece) -> Self {
            Count { height: 1, top: Some(piece), has_dvonn: piece == Piece::Dvonn }
        }
        fn height(&self) -> usize {
            usize::from(self.height)
        }
        fn top(&self) -> Option<Piece> {
            self.top
        }
        fn has_dvonn(&self) -> bool {
            self.has_dvonn
        }
        fn add(&mut self, moved: Self) {
            self.height += moved.height;
            self.top = moved.top;
            self.has_dvonn |= moved.has_dvonn;
        }
    }

    #[derive(Clone)]
    pub struct Game<S> {
        /// By row and column; `None` off the board.
        pub spaces: [[Option<S>; 11]; 5],
        pub to_move: Piece,
    }

    pub type Place = (usize, usize);

    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum Ply {
        Move(Place, Place),
        Pass,
    }

    const DIRECTIONS: [(isize, isize); 6] = [(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, -1)];

    impl<S: Stack> Game<S> {
        fn at(&self, row: isize, column: isize) -> Option<&S> {
            let row = self.spaces.get(usize::try_from(row).ok()?)?;
            row.get(usize::try_from(column).ok()?)?.as_ref()
        }

        fn occupied(&self, row: isize, column: isize) -> bool {
            self.at(row, column).is_some_and(|stack| stack.height() > 0)
        }

        fn moves_of(&self, side: Piece) -> Vec<Ply> {
            let mut moves = Vec::new();
            for (r, row) in self.spaces.iter().enumerate() {
                for (c, space) in row.iter().enumerate() {
                    let Some(stack) = space else { continue };
                    if stack.top() != Some(side) {
                        continue;
                    }
                    let (r, c) = (r as isize, c as isize);
                    if DIRECTIONS.iter().all(|(dr, dc)| self.occupied(r + dr, c + dc)) {
                        continue;
                    }
                    let height = stack.height() as isize;
                    for (dr, dc) in DIRECTIONS {
                        let (to_r, to_c) = (r + height * dr, c + height * dc);
                        if self.occupied(to_r, to_c) {
                            moves.push(Ply::Move((r as usize, c as usize), (to_r as usize, to_c as usize)));
                        }
                    }
                }
            }
            moves
        }

        pub fn moves(&self) -> Vec<Ply> {
            let mut moves = self.moves_of(self.to_move);
            if moves.is_empty() && !self.moves_of(other(self.to_move)).is_empty() {
                moves.push(Ply::Pass);
            }
            moves
        }

        pub fn make(&mut self, ply: Ply) {
            if let Ply::Move((from_r, from_c), (to_r, to_c)) = ply {
                let moved = self.spaces[from_r][from_c].as_mut().map(std::mem::take).unwrap_or_default();
                if let Some(stack) = &mut self.spaces[to_r][to_c] {
                    stack.add(moved);
                }
                self.remove_unlinked();
            }
            self.to_move = other(self.to_move);
        }

        fn remove_unlinked(&mut self) {
            let mut linked = [[false; 11]; 5];
            let mut to_visit = Vec::new();
            for (r, row) in self.spaces.iter().enumerate() {
                for (c, space) in row.iter().enumerate() {
                    if space.as_ref().is_some_and(S::has_dvonn) {
                        linked[r][c] = true;
                        to_visit.push((r, c));
                    }
                }
            }
            while let Some((r, c)) = to_visit.pop() {
                for (dr, dc) in DIRECTIONS {
                    let (r, c) = (r as isize + dr, c as isize + dc);
                    if self.occupied(r, c) && !linked[r as usize][c as usize] {
                        linked[r as usize][c as usize] = true;
                        to_visit.push((r as usize, c as usize));
                    }
                }
            }
            for (r, row) in self.spaces.iter_mut().enumerate() {
                for (c, space) in row.iter_mut().enumerate() {
                    if let Some(stack) = space
                        && !linked[r][c]
                    {
                        *stack = S::default();
                    }
                }
            }
        }

        pub fn score(&self) -> [u16; 2] {
            [Piece::White, Piece::Black].map(|side| {
                let stacks = self.spaces.iter().flatten().flatten();
                stacks.filter(|stack| stack.top() == Some(side)).map(|stack| stack.height() as u16).sum()
            })
        }
    }

    fn other(side: Piece) -> Piece {
        if side == Piece::White { Piece::Black } else { Piece::White }
    }

    pub fn perft<S: Stack>(game: &Game<S>, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        let mut count = 0;
        for ply in game.moves() {
            let mut next = game.clone();
            next.make(ply);
            count += perft(std::hint::black_box(&next), depth - 1);
        }
        count
    }

    /// Plays one game to its end; `choose` picks the index of a move, given their number.
    pub fn playout<S: Stack>(game: &Game<S>, mut choose: impl FnMut(usize) -> usize) -> [u16; 2] {
        let mut game = game.clone();
        loop {
            let moves = game.moves();
            if moves.is_empty() {
                return game.score();
            }
            game.make(moves[choose(moves.len())]);
        }
    }
}

/// The plain game at the same position, which holds single pieces only.
fn plainly<S: plain::Stack>(position: &Dvonn) -> plain::Game<S> {
    use turnpost_games::dvonn::space::Space;
    let board = position.board();
    let stack = |space: Space| match board.owner(space) {
        Some(Seat::First) => plain::Piece::White,
        Some(Seat::Second) => plain::Piece::Black,
        None => plain::Piece::Dvonn,
    };
    let space = |row, column| Space::at(column as i32, row as i32 + 1).map(|space| S::single(stack(space)));
    let spaces = std::array::from_fn(|row| std::array::from_fn(|column| space(row, column)));
    plain::Game { spaces, to_move: plain::Piece::White }
}

/// Every ply made, the last one too.
fn made(position: &Dvonn, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let mut count = 0;
    position.each_move(&mut |ply| {
        let mut next = *position;
        next.make(ply);
        // Looked at from outside, or the compiler would leave the last ply out.
        count += made(black_box(&next), depth - 1);
    });
    count
}

/// Plays one game to its end; `choose` picks the index of a move, given their number.
fn playout(position: &Dvonn, moves: &mut Vec<Move>, mut choose: impl FnMut(usize) -> usize) -> [u16; 2] {
    let mut position = *position;
    loop {
        moves.clear();
        position.each_move(&mut |ply| moves.push(ply));
        if moves.is_empty() {
            return position.score();
        }
        position.make(moves[choose(moves.len())]);
    }
}

/// A generator of three shifts (xorshift64): choosing must not cost more than playing.
fn chooser(seed: u64) -> impl FnMut(usize) -> usize {
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    move |bound| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (((state >> 32) * bound as u64) >> 32) as usize
    }
}

/// Both cores see the same positions and count the same.
fn agree<S: plain::Stack>() {
    for seed in 0..20 {
        for position in [random(seed), symmetrical(seed)] {
            let game = plainly::<S>(&position);
            assert_eq!(made(&position, 3), plain::perft(&game, 3));
            assert_eq!(made(&position, 3), perft(&position, 3));
            // Along a game too. The cores list the same moves in another order, so ours chooses for both.
            let (mut fast, mut slow, mut choose) = (position, game, chooser(seed));
            loop {
                let moves = fast.legal_moves();
                assert_eq!(moves.len(), slow.moves().len());
                if moves.is_empty() {
                    break;
                }
                let ply = moves[choose(moves.len())];
                slow.make(match ply {
                    Move::Stack(from, to) => {
                        let [from, to] = [from, to].map(|s| (s.row() as usize - 1, s.column() as usize));
                        let ply = plain::Ply::Move(from, to);
                        assert!(slow.moves().contains(&ply));
                        ply
                    }
                    _ => plain::Ply::Pass,
                });
                fast.make(ply);
                assert_eq!(fast.score(), slow.score());
            }
        }
    }
}

/// The median time of a call of `work` over several runs, each long enough to measure.
fn median(mut work: impl FnMut()) -> Duration {
    let started = Instant::now();
    work();
    let calls =
        (Duration::from_millis(150).as_nanos() / started.elapsed().as_nanos().max(1)).clamp(1, 10_000) as u32;
    let mut runs: Vec<Duration> = (0..9)
        .map(|_| {
            let started = Instant::now();
            (0..calls).for_each(|_| work());
            started.elapsed() / calls
        })
        .collect();
    runs.sort();
    runs[runs.len() / 2]
}

fn ratio(what: &str, unit: &str, units: u64, plain: Duration, ours: Duration) {
    let nanoseconds = |time: Duration| time.as_nanos() as f64 / units as f64;
    println!(
        "{what:<38} plain {:>9.1} ns/{unit}, ours {:>8.1} ns/{unit}: {:>6.1} times as fast",
        nanoseconds(plain),
        nanoseconds(ours),
        plain.as_secs_f64() / ours.as_secs_f64(),
    );
}

/// Plays [`GAMES`] games from `position`.
fn our_games(position: &Dvonn) {
    let mut moves = Vec::new();
    for seed in 0..GAMES {
        black_box(playout(position, &mut moves, chooser(seed)));
    }
}

/// The same with a plain core.
fn plain_games<S: plain::Stack>(game: &plain::Game<S>) {
    for seed in 0..GAMES {
        black_box(plain::playout(game, chooser(seed)));
    }
}

/// Games of one measure of playouts.
const GAMES: u64 = 100;

fn main() {
    agree::<plain::Pieces>();
    agree::<plain::Count>();
    let position = random(7);
    let lists = plainly::<plain::Pieces>(&position);
    let counts = plainly::<plain::Count>(&position);
    let nodes = made(&position, 3);

    // As `cargo bench --bench rules`; run by `cargo test` it only shows that both cores agree.
    if !std::env::args().any(|argument| argument == "--bench") {
        return;
    }
    println!("medians of 9 runs; perft 3 of `-random -seed=7` has {nodes} sequences");
    let time = |work: &dyn Fn() -> u64| {
        median(|| {
            black_box(work());
        })
    };
    let every = time(&|| made(black_box(&position), 3));
    let counted = time(&|| perft(black_box(&position), 3));
    let games = median(|| our_games(&position));
    let plain = [
        ("stacks as lists", time(&|| plain::perft(&lists, 3)), median(|| plain_games(&lists))),
        ("stacks as structs", time(&|| plain::perft(&counts, 3)), median(|| plain_games(&counts))),
    ];
    for (what, plain_perft, plain_games) in plain {
        println!("against the plain core with {what}:");
        ratio("  perft, every ply made", "ply", nodes, plain_perft, every);
        ratio("  perft, our last ply counted", "ply", nodes, plain_perft, counted);
        ratio("  random playouts from a full board", "game", GAMES, plain_games, games);
    }
}
