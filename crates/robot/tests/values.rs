//! How values are written. Pages and mails parse them.

use std::sync::atomic::AtomicBool;

use turnpost_games::{Setup, registry};
use turnpost_robot::{Limits, ROBOTS};

/// A number, a space and the unit of the game; or a word without a number, such as `won`.
#[test]
fn a_value_is_a_number_of_one_unit_or_a_result() {
    for robot in ROBOTS {
        let Some(game) = registry::find(robot.game) else { continue };
        let mut table = (game.start)(&Setup { options: &game.easy_options(), seed: 7 }).unwrap();
        let start = table.position();
        let (mut plies, mut rolls) = (Vec::new(), 0);
        while plies.len() < 6 && table.ended().is_none() {
            plies.push(table.legal_plies().pop().unwrap());
            table.play_text(plies.last().unwrap()).unwrap();
            let fallen = table.play_until_choice(&mut |chance| chance.casts().nth(1));
            rolls += fallen.iter().filter(|pass| pass.seat.is_none()).count();
            plies.extend(fallen.into_iter().map(|pass| pass.ply));
        }
        let found = robot.analyse(&start, &plies, &Limits::nodes(100), &AtomicBool::new(false));
        let analysis = found.unwrap().unwrap();
        assert_eq!(analysis.plies.len(), plies.len() - rolls, "a roll is no good or bad ply");
        for review in &analysis.plies {
            for score in [&review.before, &review.after] {
                match score.text.split_once(' ') {
                    Some((_, unit)) => {
                        assert!(score.number().is_some() && unit == analysis.unit(), "{score:?}")
                    }
                    None => {
                        assert!(score.text.parse::<f32>().is_err() && !score.text.is_empty(), "{score:?}")
                    }
                }
            }
        }
    }
}
