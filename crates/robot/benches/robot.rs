//! Speed and strength of the robot's search, in one run on one core.
//!
//! `cargo bench -p turnpost-robot` prints three reports, or those named after `--`:
//!
//! - `speed`: positions made and evaluated in a second on two boards, compared with plain perft;
//! - `depth`: seconds to depth 8, 10 and 12 from a full board;
//! - `solve`: the number of positions that are solved exactly, and the time. The positions are twelve and sixteen plies
//!   before the end of games of 100000 nodes. `games=N` (40), `threads=N` (1); `plies=N` for only one distance; `drawn=1`
//!   starts from full boards drawn at random.

#![allow(clippy::print_stdout, clippy::expect_used, missing_docs)]

use std::hint::black_box;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use turnpost_games::Position;
use turnpost_games::dvonn::Dvonn;
use turnpost_games::dvonn::setup::random;
use turnpost_robot::{Limits, SearchResult, mix};

const BOARDS: [&str; 2] = [
    "w,w,w,w,b,b,w,b,b/b,b,D,w,b,D,b,b,w,D/w,b,w,b,w,w,b,w,w,w,b/b,b,w,b,b,w,b,w,w,w/w,b,b,w,b,b,w,w,b w",
    "w,b,b,b,w,w,b,D,b/b,b,w,w,w,b,b,w,b,b/b,b,b,b,w,D,b,w,w,w,w/w,w,b,w,w,b,b,b,w,w/w,D,w,b,b,w,w,w,b w",
];

static NEVER: AtomicBool = AtomicBool::new(false);

fn boards() -> [Dvonn; 2] {
    BOARDS.map(|text| Dvonn::read(text).expect("a board of the help page"))
}

fn search(position: &Dvonn, limits: &Limits) -> SearchResult<turnpost_games::dvonn::Move> {
    turnpost_robot::search(position, limits, &NEVER).expect("the game goes on")
}

/// Perft that also makes the last ply.
fn made(position: &Dvonn, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let mut count = 1;
    position.each_move(&mut |ply| {
        let mut next = *position;
        next.make(ply);
        // `black_box`, or the compiler would drop the last ply.
        count += made(black_box(&next), depth - 1);
    });
    count
}

fn median(mut figures: Vec<f64>) -> f64 {
    figures.sort_by(f64::total_cmp);
    figures[figures.len() / 2]
}

fn speed() {
    println!("speed: millions of positions a second on one core, medians of 9 turns");
    for (board, position) in boards().iter().enumerate() {
        let (mut plain, mut searched) = (Vec::new(), Vec::new());
        for _ in 0..9 {
            // In turns, so that other load on the machine affects both alike.
            let start = Instant::now();
            let count = made(position, 4);
            plain.push(count as f64 / start.elapsed().as_secs_f64());
            let found = search(position, &Limits { memory: 16 << 20, ..Limits::nodes(2_000_000) });
            searched.push(found.nodes.min(found.evaluations) as f64 / found.elapsed.as_secs_f64());
        }
        let (plain, searched) = (median(plain), median(searched));
        println!(
            "  board {}: perft {:.1}, search {:.2}: {:.3} of it",
            board + 1,
            plain / 1e6,
            searched / 1e6,
            searched / plain
        );
    }
}

fn depth() {
    println!("depth: seconds and positions from a full board, one thread");
    for (board, position) in boards().iter().enumerate() {
        for depth in [8, 10, 12] {
            let found = search(position, &Limits::depth(depth));
            let (seconds, made) = (found.elapsed.as_secs_f64(), found.nodes);
            println!("  board {}: depth {depth} {seconds:.2} s, {made} positions", board + 1);
        }
    }
}

fn game(seed: u64, drawn: bool) -> Vec<Dvonn> {
    let mut position = if drawn { random(mix(seed)) } else { Dvonn::EMPTY };
    let mut positions = vec![position];
    while position.outcome().is_none() {
        let limits = Limits { seed: seed ^ positions.len() as u64, noise: 10, ..Limits::nodes(100_000) };
        position.make(search(&position, &limits).best_move);
        positions.push(position);
    }
    positions
}

fn solve(games: u64, threads: usize, drawn: bool, wanted: u64) {
    let from = if drawn { "full boards drawn at random" } else { "the empty board" };
    println!("solve: {games} games of 100000 nodes from {from}, {threads} thread(s)");
    let games: Vec<Vec<Dvonn>> = (0..games).map(|seed| game(seed, drawn)).collect();
    for (plies, seconds) in [(12, 1), (16, 10)] {
        if wanted > 0 && wanted != plies as u64 {
            continue;
        }
        let (mut solved, mut times) = (0, Vec::new());
        for game in &games {
            let Some(position) = game.len().checked_sub(1 + plies).and_then(|place| game.get(place)) else {
                continue;
            };
            let found = search(
                position,
                &Limits { threads, exact: true, ..Limits::time(Duration::from_secs(seconds)) },
            );
            solved += u32::from(found.exact);
            times.push(found.elapsed.as_secs_f64());
        }
        let (count, slowest) = (times.len(), times.iter().copied().fold(0.0, f64::max));
        let share = 100.0 * f64::from(solved) / count.max(1) as f64;
        println!(
            "  {plies} plies before the end, {seconds} s: {solved} of {count} ({share:.0} %), median {:.3} s, slowest {slowest:.2} s",
            median(times)
        );
    }
}

fn main() {
    let asked: Vec<String> =
        std::env::args().skip(1).filter(|argument| !argument.starts_with("--")).collect();
    let number = |name: &str, otherwise: u64| {
        let given = asked.iter().find_map(|argument| argument.strip_prefix(name)?.strip_prefix('='));
        given.and_then(|number| number.parse().ok()).unwrap_or(otherwise)
    };
    if !std::env::args().any(|argument| argument == "--bench") {
        // `cargo test --benches` only checks that it runs.
        search(&boards()[0], &Limits::depth(3));
        return;
    }
    let wanted = |name: &str| {
        let named = |argument: &&String| !argument.contains('=');
        asked.iter().filter(named).count() == 0 || asked.iter().any(|argument| argument == name)
    };
    if wanted("speed") {
        speed();
    }
    if wanted("depth") {
        depth();
    }
    if wanted("solve") {
        solve(number("games", 40), number("threads", 1) as usize, number("drawn", 0) > 0, number("plies", 0));
    }
}
