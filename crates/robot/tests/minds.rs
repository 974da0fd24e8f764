//! Both kinds of minds, and that the robot of every game plays legal moves.

use std::sync::atomic::AtomicBool;

use turnpost_games::hex::Hex;
use turnpost_games::rules::Game;
use turnpost_games::{Position, Setup, registry};
use turnpost_robot::limits::Level;
use turnpost_robot::{Limits, ROBOTS, find};

use crate::rounds;

static NEVER: AtomicBool = AtomicBool::new(false);

#[test]
fn every_robot_answers_with_a_legal_ply_at_every_level() {
    for robot in ROBOTS {
        let kind = registry::find(robot.game).unwrap();
        let start = (kind.start)(&Setup { options: &[], seed: 3 }).unwrap().position();
        for level in robot.levels {
            let limits = Level { nodes: level.nodes.min(rounds(30, 500)), ..*level }.limits(1.0, 1);
            let choice = robot.choose_move(&start, &limits, &NEVER).unwrap().unwrap();
            // `analyse` refuses an illegal ply.
            let analysis = robot.analyse(&start, &[choice.best_move], &limits, &NEVER).unwrap().unwrap();
            assert_eq!(analysis.plies.len(), 1, "{}", robot.game);
        }
    }
}

#[test]
fn the_naming_of_dead_stones_is_no_matter_of_good_moves() {
    let go = find("go").unwrap();
    let options = [("marking".to_owned(), None)];
    let start = registry::find("go")
        .map(|kind| (kind.start)(&Setup { options: &options, seed: 0 }).unwrap().position());
    let plies = ["E5", "pass", "pass", "dead-E5", "count", "accept"].map(str::to_owned);
    let analysis = go.analyse(&start.unwrap(), &plies, &Limits::nodes(30), &NEVER).unwrap().unwrap();
    assert_eq!(analysis.plies.len(), 2);
}

#[test]
fn playouts_find_a_win_in_one_and_blame_only_what_loses_much() {
    let options = [("size".to_owned(), Some("5".to_owned()))];
    let mut position = Game::<Hex>::start(&Setup { options: &options, seed: 1 }).unwrap();
    for text in "c1 a1 c2 a2 c3 a3 c4 a4".split(' ') {
        let (ply, _) = position.read_move(text).unwrap();
        position.play(ply).unwrap();
    }
    let hex = find("hex").unwrap();
    let choice = hex.choose_move(&position.write(), &Limits::nodes(20_000), &NEVER).unwrap().unwrap();
    assert!(["b5", "c5"].contains(&choice.best_move.as_str()), "{choice:?}");
    assert_eq!(choice.value_text, "100 % won");

    let played = ["e1", "a5", "c5"].map(str::to_owned);
    let analysis = hex.analyse(&position.write(), &played, &Limits::nodes(20_000), &NEVER);
    let plies = analysis.unwrap().unwrap().plies;
    // Neither a winning ply nor one in a lost position is blamed.
    assert!(plies.iter().all(|review| review.better.is_empty()), "{plies:?}");
    assert!(plies[2].after.text == "100 % won" && plies[2].after.exact, "{plies:?}");
}

#[test]
fn a_stone_in_a_bridge_is_answered_in_its_other_cell() {
    // White has a chain of bridges from side to side, and Black is in one of them.
    for (game, position, best) in [
        (
            "hex",
            "........b../........w../........b../.......w.../..........b/......w..../b........../.....w...../\
             .........../....w....../b.......... w",
            "h3",
        ),
        (
            "hex",
            "........b../........w../.........../.......w.../.......b..b/......w..../.........../.....w...../\
             .........../....w....../b.........b w",
            "g5",
        ),
        ("y", ".....b./.w..../.bw../..w./.../b./. w", "c2"),
    ] {
        let limits = Limits { seed: 1, ..Limits::nodes(30_000) };
        let choice = find(game).unwrap().choose_move(position, &limits, &NEVER).unwrap().unwrap();
        assert_eq!(choice.best_move, best, "{game}: {choice:?}");
    }
}

#[test]
fn alpha_beta_finds_a_forced_win_in_three() {
    // White is two steps from the far row, and no black piece can come near.
    let text =
        "........\n........\n.w......\n........\n......b.\n.......b\n........\n........ w".replace('\n', "/");
    let robot = find("breakthrough").unwrap();
    let choice = robot.choose_move(&text, &Limits::nodes(5_000), &NEVER).unwrap().unwrap();
    assert!(choice.exact && choice.value_text == "won" && choice.depth <= 4, "{choice:?}");
    assert!(choice.best_move.starts_with("b6-"), "{choice:?}");
}
