//! Laws of turns, passes and casts that every game of the registry keeps, over random games. A new game needs no line here.
//! `tests/it/games_law.rs` has more, and applies them to a made-up game.

use std::collections::BTreeSet;

use turnpost_games::{Cast, GameKind, Pass, Seat, Setup, Table, registry};

use crate::dice::{Dice, rounds};

const GAMES_EACH: u64 = 12;
const PLIES_AT_MOST: u64 = 150;
/// The number of legal plies of a position that are tried.
const PLIES_EACH: usize = 10;

pub fn games() -> impl Iterator<Item = &'static GameKind> {
    registry::games().iter().copied()
}

type Options = Vec<(String, Option<String>)>;

/// No options, and each option on its own, as far as they set up a board.
pub fn option_sets(kind: &GameKind) -> Vec<Options> {
    let mut sets: Vec<Options> = kind
        .options
        .iter()
        .map(|option| vec![(option.name.to_owned(), option.trial.first().map(|value| (*value).to_owned()))])
        .collect();
    sets.push(Vec::new());
    sets.retain(|options| (kind.start)(&Setup { options, seed: 7 }).is_ok());
    assert!(sets.contains(&Vec::new()), "{kind:?} starts without options");
    sets
}

/// Plays random games of every kind with changing options, and calls `law` with each
/// position. A plain test takes every fifth position, each before a cast and the last.
fn each_position(mut law: impl FnMut(&GameKind, &dyn Table)) {
    for kind in games() {
        for (seed, options) in (0..GAMES_EACH).zip(option_sets(kind).iter().cycle()) {
            let mut dice = Dice(seed);
            let mut table = (kind.start)(&Setup { options, seed }).unwrap();
            for ply in 0..PLIES_AT_MOST {
                let plies = table.legal_plies();
                if plies.is_empty() || ply % rounds(5, 1) == 0 {
                    law(kind, &*table);
                }
                if let Some(chance) = table.chance() {
                    let casts: Vec<Cast> = chance.casts().collect();
                    table.play_chance(casts[dice.below(casts.len())]).unwrap();
                } else if plies.is_empty() {
                    break;
                } else {
                    table.play_text(&plies[dice.below(plies.len())]).unwrap();
                }
            }
        }
    }
}

/// Some of them, evenly.
fn some(plies: Vec<String>) -> impl Iterator<Item = String> {
    let step = plies.len().div_ceil(PLIES_EACH).max(1);
    plies.into_iter().step_by(step)
}

#[test]
fn a_game_is_over_or_dice_fall_when_no_ply_is_left() {
    each_position(|kind, table| {
        let plies = table.legal_plies();
        let (is_over, falls) = (table.ended().is_some(), table.chance().is_some());
        assert_eq!(plies.is_empty(), is_over || falls, "{kind:?} {}", table.position());
        assert!(!(is_over && falls), "{kind:?} {}", table.position());
        let count = table.chance().map_or(plies.len(), |chance| chance.casts().count());
        assert_eq!(count as u64, table.perft(1), "{kind:?} {}", table.position());
        assert!(table.usual_ply().is_none_or(|usual| plies.contains(&usual)), "{kind:?}");
        if let Some(forced) = table.forced_ply() {
            assert_eq!(plies, std::slice::from_ref(&forced), "{kind:?} {}", table.position());
            let (mut passed, mut played) = (table.copy(), table.copy());
            assert_eq!(passed.play_pass(), Some(Pass { seat: Some(table.turn()), ply: forced.clone() }));
            played.play_text(&forced).unwrap();
            assert_eq!(passed.position(), played.position());
        }
    });
}

#[test]
fn a_turn_ends_with_its_seat_and_a_refused_one_changes_nothing() {
    each_position(|kind, table| {
        let seat = table.turn();
        for ply in some(table.legal_plies()) {
            let mut after = table.copy();
            after.play_text(&ply).unwrap();
            let passes = after.play_passes();
            let is_over = after.ended().is_some() || after.chance().is_some() || after.turn() != seat;
            let text = format!(" {ply} hello");
            let mut turned = table.copy();
            match turned.play_turn(&text) {
                Ok(turn) => {
                    assert!(is_over, "{kind:?}: {text}");
                    assert_eq!((turn.plies, turn.passes, turn.rest), (vec![ply.clone()], passes, "hello"));
                }
                Err(_) => assert!(!is_over, "{kind:?}: {text}"),
            }
            let expected = if is_over { after.as_ref() } else { table };
            assert_eq!(turned.position(), expected.position(), "{kind:?}: {text}");
        }
    });
}

/// Who chooses the seed would choose the dice.
#[test]
fn every_cast_is_legal_and_no_seed_is_chosen_where_dice_fall() {
    let (mut casts, mut with_dice) = (0, BTreeSet::new());
    each_position(|kind, table| {
        let Some(chance) = table.chance() else { return };
        assert!(kind.options.iter().all(|option| option.name != "seed"), "{kind:?}");
        with_dice.insert(kind.key);
        for cast in chance.casts() {
            let (mut after, mut again) = (table.copy(), table.copy());
            let text = after.play_chance(cast).unwrap();
            assert_eq!((text.parse(), again.replay(&text).unwrap()), (Ok(cast), true), "{kind:?} {cast}");
            assert_eq!(again.position(), after.position());
            let read = (kind.read)(&after.position()).unwrap();
            assert_eq!((read.chance(), read.legal_plies()), (after.chance(), after.legal_plies()));
            assert!(after.ended().is_some() || after.perft(1) > 0, "{kind:?} {cast}");
            casts += 1;
        }
    });
    assert!(casts > 100, "{casts}");
    for kind in games() {
        assert_eq!(kind.dice, with_dice.contains(kind.key), "{kind:?}");
        let mut table = (kind.start)(&Setup { options: &[], seed: 7 }).unwrap();
        if kind.dice {
            assert_eq!(
                (table.turn(), table.legal_plies()),
                (Seat::Second, vec!["roll".to_owned()]),
                "{kind:?}"
            );
            table.play_text("roll").unwrap();
            assert!(table.chance().is_some(), "{kind:?}");
        }
    }
}

/// Arithmetic with these rows leaves the range of an `i32`, or the number itself does.
#[test]
fn a_row_of_many_digits_is_refused() {
    for kind in games() {
        let mut table = (kind.start)(&Setup { options: &[], seed: 7 }).unwrap();
        for row in ["65536", "99999999", "222222222", "2147483647", "4294967297", "18446744073709551617"] {
            for text in [format!("a{row}"), format!("A1-b{row}"), format!("c{row} d{row}"), row.to_owned()] {
                assert!(table.play_text(&text).is_err(), "{text} is a ply of {kind:?}");
            }
        }
    }
}
