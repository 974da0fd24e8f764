//! Gomoku: the robot sees threes, fours and fives. The positions were made for these tests.

use std::sync::atomic::AtomicBool;

use turnpost_games::gomoku::Gomoku;
use turnpost_games::rules::{AROUND, Cells, Game, Ply};
use turnpost_games::{Position, Seat, Setup};
use turnpost_robot::find;
use turnpost_robot::limits::Level;

use crate::rounds;

fn play(game: &mut Game<Gomoku>, text: &str) {
    let (ply, _) = game.read_move(text).unwrap();
    game.play(ply).unwrap();
}

/// A position `OWN STONES | OTHER STONES`, and the position after the answer of the highest level.
fn answered(text: &str) -> [Game<Gomoku>; 2] {
    let (own, other) = text.split_once(" | ").unwrap();
    let [own, other] = [own, other].map(|side| side.split(' ').collect::<Vec<_>>());
    // Black moves if both sides have as many stones.
    let [black, white] = if own.len() == other.len() { [own, other] } else { [other, own] };
    let mut before = Game::start(&Setup { options: &[], seed: 1 }).unwrap();
    for at in 0..black.len() {
        [&black, &white].iter().filter_map(|side| side.get(at)).for_each(|name| play(&mut before, name));
    }
    let robot = find("gomoku").unwrap();
    let level = robot.levels.last().unwrap();
    let limits = Level { nodes: level.nodes.min(rounds(2_000, u64::MAX)), ..*level }.limits(1.0, 1);
    let choice = robot.choose_move(&before.write(), &limits, &AtomicBool::new(false)).unwrap().unwrap();
    let mut after = before.clone();
    play(&mut after, &choice.best_move);
    [before, after]
}

/// The points on which a stone of the side makes five, if it also had the stones of `more`.
fn fives(game: &Game<Gomoku>, seat: Seat, more: Cells) -> Cells {
    let (state, own) = (game.state(), game.state().of(seat) | more);
    let run = |cell, way| state.board.ray(cell, way).take_while(|next| own.has(*next)).count();
    let is_five = |cell| AROUND.into_iter().take(4).any(|way| run(cell, way) + run(cell, way.back()) >= 4);
    (state.empties() - more).iter().filter(|cell| is_five(*cell)).collect()
}

/// True if a stone of the side makes two points for a five.
fn has_open_four(game: &Game<Gomoku>, seat: Seat) -> bool {
    let with = |cell| fives(game, seat, Cells::from_iter([cell]));
    game.state().empties().iter().any(|cell| with(cell).count() > 1)
}

#[test]
fn an_open_three_is_answered() {
    let is_answered = |text: &&str| {
        let [before, after] = answered(text);
        let (own, other) = (before.to_move(), after.to_move());
        assert!(has_open_four(&before, other), "{text}");
        after.outcome().is_some()
            || !fives(&after, own, Cells::NONE).is_empty()
            || !has_open_four(&after, other)
    };
    let lines = include_str!("data/open_threes.txt").lines().filter(|line| !line.starts_with('#'));
    let (answered, missed): (Vec<&str>, Vec<&str>) = lines.partition(is_answered);
    assert!(answered.len() == 20 && missed.is_empty(), "{missed:?}");
}

#[test]
fn fives_and_fours_are_played_and_stopped() {
    // A five of its own comes before the other side's.
    for text in ["e5 f6 g7 h8 | e6 f7 g8 h9", "o1 o2 o4 o5 | a1 a2 a3 a4", "c9 d9 f9 g9 k4 | b3 b4 b5 b6 l2"]
    {
        assert!(answered(text)[1].outcome().is_some(), "{text}");
    }
    for text in ["d8 h9 j7 | e8 f8 g8 h8", "a1 c4 h2 | o15 n14 m13 k11", "g7 g8 g9 d3 | c3 c4 c5 c7"] {
        let [_, after] = answered(text);
        assert!(fives(&after, after.to_move(), Cells::NONE).is_empty(), "{text}");
    }
    // A stone makes an open four, a double four, two fours in one line, or a four and then one of these.
    for text in [
        "g8 h8 i8 | g7 h9 e6",
        "e8 f8 g8 h5 h6 h7 | d8 h4 c3 m12 k2 b9",
        "c8 e8 g8 i8 | d3 k11 f2 m6",
        "h5 h6 h7 f9 g9 | h4 d12 k2 m7 b3",
    ] {
        let [before, mut after] = answered(text);
        let own = before.to_move();
        let wins = fives(&after, own, Cells::NONE);
        if wins.count() == 1 {
            after.play(Ply { to: wins.iter().next(), ..Ply::PASS }).unwrap();
            assert!(has_open_four(&after, own), "{text}");
        }
        assert!(!wins.is_empty() && fives(&after, own.other(), Cells::NONE).is_empty(), "{text}");
    }
}
