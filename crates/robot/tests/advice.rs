//! The robot's advice and its reasons.

use std::sync::atomic::AtomicBool;

use turnpost_games::{Setup, registry};
use turnpost_robot::advice::Advice;
use turnpost_robot::{Limits, ROBOTS, find};

use crate::rounds;

fn advice(game: &str, position: &str) -> Advice {
    let limits = Limits { seed: 1, ..Limits::nodes(rounds(1_500, 20_000)) };
    find(game).unwrap().advise(position, &limits, &AtomicBool::new(false)).unwrap().unwrap()
}

#[test]
fn every_game_has_advice_that_can_be_played_and_is_the_same_each_time() {
    for robot in ROBOTS {
        let kind = registry::find(robot.game).unwrap();
        let mut table = (kind.start)(&Setup { options: &[], seed: 3 }).unwrap();
        let first = advice(robot.game, &table.position());
        assert_eq!(first, advice(robot.game, &table.position()), "{}", robot.game);
        let reckons = first.why.starts_with("The robot would play it too");
        let has_no_choice = first.why == "There is no other move.";
        assert!(reckons && first.why.contains(". It ") || has_no_choice, "{}: {first:?}", robot.game);
        table.play_text(&first.best_move).unwrap();
    }
}

/// A game, a position, the move, and the start of the reason.
const PLAIN: &[[&str; 4]] = &[
    ["chess", "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1", "Ra8#", "It wins at once: checkmate."],
    ["chess", "7k/8/8/8/8/8/6q1/K7 w - - 0 1", "Kb1", "There is no other move."],
    [
        "chess",
        "4k3/8/8/3q4/8/1N6/8/3RK3 w - - 0 1",
        "Rxd5",
        "It takes 1 of the robot's pieces, more than most",
    ],
    [
        "breakthrough",
        "......../......../.w....../......../......b./.......b/......../........ w",
        "b6-",
        "It wins, ",
    ],
    [
        "breakthrough",
        "......../w......./......../......../......../......b./.b....../w.w...w. w",
        "a7-",
        "It wins at once",
    ],
    [
        "breakthrough",
        "....bb../......../......../.w....../......../......../.b....../w.w...w. w",
        "",
        "Most other moves let the robot win at once. The robot ",
    ],
];

#[test]
fn plain_reasons_are_given() {
    for [game, position, best_move, why] in PLAIN {
        let found = advice(game, position);
        assert!(
            found.best_move.starts_with(best_move) && found.why.starts_with(why),
            "{position}: {found:?}"
        );
    }
}

#[test]
fn threats_are_threats() {
    let mut threats = 0;
    for game in ["gomoku", "breakthrough"] {
        let kind = registry::find(game).unwrap();
        let mut table = (kind.start)(&Setup { options: &[], seed: 3 }).unwrap();
        while table.ended().is_none() && threats < rounds(2, 1_000) {
            let Advice { best_move, why } = advice(game, &table.position());
            let us = table.turn();
            table.play_text(&best_move).unwrap();
            let is_won = table.ended().is_some_and(|end| end.winner == Some(us));
            assert_eq!(is_won, why.starts_with("It wins at once"), "{game}: {best_move}. {why}");
            let after_all = |count: &dyn Fn(&str) -> bool| {
                let answers = table.legal_plies();
                2 * answers.iter().filter(|answer| count(answer)).count() > answers.len()
            };
            if why.starts_with("After most answers") {
                threats += 1;
                assert!(after_all(&|answer| {
                    let mut next = table.copy();
                    next.play_text(answer).unwrap();
                    next.ended().is_none()
                        && next.legal_plies().iter().any(|ply| {
                            let mut end = next.copy();
                            end.play_text(ply).unwrap();
                            end.ended().is_some_and(|end| end.winner == Some(us))
                        })
                }));
            }
        }
    }
    assert!(threats > 1);
}
