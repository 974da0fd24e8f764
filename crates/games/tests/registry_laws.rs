//! Laws of turns and passes that every game of the registry keeps, over random games. A new game needs no line here.
//! `tests/it/games_law.rs` has more, and applies them to a made-up game.

use turnpost_games::{GameKind, Pass, Setup, Table, registry};

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

/// Plays random games of every kind with changing options, and calls `law` with each position. A plain test takes every
/// fifth position and the last.
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
                if plies.is_empty() {
                    break;
                }
                table.play_text(&plies[dice.below(plies.len())]).unwrap();
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
fn a_game_is_over_when_no_ply_is_left() {
    each_position(|kind, table| {
        let plies = table.legal_plies();
        assert_eq!(plies.is_empty(), table.ended().is_some(), "{kind:?} {}", table.position());
        assert_eq!(plies.len() as u64, table.perft(1), "{kind:?} {}", table.position());
        if let Some(forced) = table.forced_ply() {
            assert_eq!(plies, std::slice::from_ref(&forced), "{kind:?} {}", table.position());
            let (mut passed, mut played) = (table.copy(), table.copy());
            assert_eq!(passed.play_pass(), Some(Pass { seat: table.turn(), ply: forced.clone() }));
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
            let is_over = after.ended().is_some() || after.turn() != seat;
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
