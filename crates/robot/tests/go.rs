//! Go: small positions with one right move. White has a komi of seven points, except where the komi decides.

use std::sync::atomic::AtomicBool;

use turnpost_robot::limits::Level;
use turnpost_robot::{Choice, Limits, find};

use crate::rounds;

fn choice(game: &str, position: &str, limits: &Limits) -> Choice {
    find(game).unwrap().choose_move(position, limits, &AtomicBool::new(false)).unwrap().unwrap()
}

const SURROUNDED: &str = "\
    ........./........./......B../..WWW..../.WBBB..../..WWW..../......B../........./.........";
const LADDER: &str = "\
    ........./........./........./...W...../...WBW.../....W..../..B....../......B../.........";
/// If the chain in the corner lives, Black wins by one point.
const THREE: &str =
    ".BBBBBBB./BBBBBBBBB/BBBBBBBBB/BBBBBBBBB/WWWWWWWWW/WWWWWWWW./WWWWWWWWW/BBBBWWWWW/...BWWWW.";
/// The point F5 belongs to neither side.
const OPEN: &str = "\
    ....BW.../....BW.../....BW.../....BW.../....B.W../....BW.../....BW.../....BW.../....BW...";
const FULL: &str = "\
    .BBBBWWW./BBBBBWWWW/BBBBBWWWW/BBBBBWWWW/BBBBBWWWW/BBBBBWWWW/BBBBBWWWW/BBBBBWWWW/.BBBBWWW.";

#[test]
fn the_right_move_is_played() {
    for (what, board, rest, best) in [
        ("saves three stones", SURROUNDED, "b 0,14,0,0", "F5"),
        ("takes three stones", SURROUNDED, "w 0,14,0,0", "F5"),
        ("lives", THREE, "b 0,12,0,0", "B1"),
        ("kills", THREE, "w 0,12,0,0", "B1"),
        ("takes the last point, which decides", OPEN, "b 0,20,0,0", "F5"),
        ("takes the last point after a pass", OPEN, "b 1,20,0,0", "F5"),
        ("passes to win", OPEN, "b 1,14,0,0", "pass"),
        ("fills none of its eyes", FULL, "b 0,14,0,0", "pass"),
        ("fills none of its eyes", FULL, "w 0,14,0,0", "pass"),
    ] {
        let position = format!("{} {rest}", board.to_lowercase());
        let found = choice("go", &position, &Limits { seed: 1, ..Limits::nodes(rounds(20_000, 400_000)) });
        assert_eq!(found.best_move, best, "{what}: {found:?}");
    }
}

/// A run is also a threat, so that some searches play it. Without the reading of ladders all do.
#[test]
fn a_stone_in_a_ladder_does_not_run() {
    let position = format!("{} b 0,14,0,0", LADDER.to_lowercase());
    let runs = |seed: &u64| {
        choice("go", &position, &Limits { seed: *seed, ..Limits::nodes(10_000) }).best_move == "E6"
    };
    assert!((0..12).filter(runs).count() < 6);
}

/// A ladder is read by recursion, and the threads of servers have small stacks.
#[test]
fn the_longest_ladder_needs_little_of_the_stack() {
    let start = [".W".to_owned(), ".WBW".to_owned(), "..W".to_owned(), String::new()];
    let rows = (0..15).map(|_| String::new()).chain(start).map(|row| format!("{row:.<19}"));
    let position = format!("{} b 0,14,0,0", rows.collect::<Vec<_>>().join("/").to_lowercase());
    let search = move || choice("go", &position, &Limits::nodes(4_000)).nodes;
    let thread = std::thread::Builder::new().stack_size(1 << 20).spawn(search).unwrap();
    assert!(thread.join().unwrap() >= 4_000);
}

#[test]
fn no_level_passes_while_a_point_is_open_or_fills_an_eye() {
    for level in find("go").unwrap().levels {
        for seed in 0..3 {
            let limits = Level { nodes: level.nodes.min(20_000), ..*level }.limits(1.0, seed);
            let is_pass = |board: &str| {
                choice("go", &format!("{} w 0,14,0,0", board.to_lowercase()), &limits).best_move == "pass"
            };
            assert!(!is_pass(OPEN) && is_pass(FULL), "{level:?}");
        }
    }
}

/// Komi decides the game. Before half of the points are taken, the robot plays on.
#[test]
fn a_lost_game_is_resigned_after_half_of_it() {
    let early = LADDER.to_lowercase();
    let late = THREE.to_lowercase();
    for (board, halves, resigns) in [(&late, 12, false), (&late, 100, true), (&early, 100, false)] {
        let found = choice("go", &format!("{board} b 0,{halves},0,0"), &Limits::nodes(20_000));
        assert_eq!(found.resigns, resigns, "{halves}: {found:?}");
    }
}

#[test]
fn an_empty_board_is_even() {
    let rows = [".".repeat(9).as_str(); 9].join("/");
    let found = choice("go", &format!("{rows} b 0,14,0,0"), &Limits::nodes(rounds(50_000, 400_000)));
    assert!(found.value.abs() < 1_000, "{found:?}");
}
