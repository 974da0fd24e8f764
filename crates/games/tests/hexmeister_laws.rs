//! Laws of Hexmeister over many games: a second, naive implementation of the rules agrees at every ply, the
//! listed plies are the accepted ones, texts read back, and no stone is lost.
//!
//! The games are random, with a preference for drops and bonuses, because captures are too rare otherwise.

use std::collections::BTreeSet;

use proptest::prelude::*;
use turnpost_games::hexmeister::cells::{CENTRE, Cell};
use turnpost_games::hexmeister::{Hexmeister, Move, Rules};
use turnpost_games::{Position, Seat};

use crate::dice::{Dice, rounds};
use crate::hexmeister_naive as naive;

fn rules(number: u64) -> Rules {
    Rules { straight: number & 1 == 1, bonusdrop: number & 2 == 2 }
}

/// Plays game `seed` to its end, or for at most `plies` plies, and shows each position with the ply that
/// leaves it.
fn play(seed: u64, plies: usize, visit: &mut impl FnMut(&Hexmeister, Move, &Hexmeister)) -> Hexmeister {
    let mut dice = Dice(seed);
    let mut position = Hexmeister::start(rules(seed));
    for _ in 0..plies {
        let moves = position.legal_moves();
        if moves.is_empty() {
            break;
        }
        let ply = pick(&position, &moves, &mut dice);
        let before = position.clone();
        position.make(ply);
        visit(&before, ply, &position);
    }
    position
}

fn pick(position: &Hexmeister, moves: &[Move], dice: &mut Dice) -> Move {
    let drops = moves.iter().take_while(|ply| matches!(ply, Move::Drop(_))).count();
    match dice.below(8) {
        0..3 if drops > 0 => moves[dice.below(drops)],
        3..6 => {
            // One that earns a bonus, if a few tries find one.
            let earns = |ply: &Move| {
                let mut after = position.clone();
                after.make(*ply);
                after.bonus()
            };
            let tries: Vec<Move> = (0..30).map(|_| moves[dice.below(moves.len())]).collect();
            tries.into_iter().find(earns).unwrap_or_else(|| moves[dice.below(moves.len())])
        }
        _ => moves[dice.below(moves.len())],
    }
}

/// True when the naive implementation has the same position.
fn same(position: &Hexmeister, game: &naive::Game) -> bool {
    let stones = |seat: Seat| -> BTreeSet<naive::Place> {
        let own = Cell::all().filter(|cell| position.board().owner(*cell) == Some(seat));
        own.map(|cell| (cell.place(), cell.row() - 1)).collect()
    };
    let made = naive::Game {
        stones: Seat::BOTH.map(stones),
        reserves: Seat::BOTH.map(|seat| position.reserve(seat)),
        to_move: position.to_move(),
        bonus: position.bonus(),
        rules: position.rules(),
    };
    made == *game
}

#[test]
fn the_naive_implementation_plays_the_same_games() {
    let (mut plies, mut captures, mut bonuses) = (0, 0, 0);
    let games = rounds(3, 20);
    for seed in 0..games {
        let mut game = naive::Game::start(rules(seed));
        // Boards at the starts of turns, and the turns without a drop or a capture.
        let mut starts = vec![game.clone()];
        let (mut quiet, mut turn_is_quiet) = (0, true);
        play(seed, 700, &mut |before, ply, after| {
            let listed: Vec<String> = before.legal_moves().into_iter().map(|ply| ply.to_string()).collect();
            let set: BTreeSet<String> = listed.iter().cloned().collect();
            assert_eq!(set.len(), listed.len(), "each once in {}", before.write());
            assert_eq!(set, game.plies(), "{}", before.write());
            let stones: usize = game.stones.iter().map(BTreeSet::len).sum();
            game.play(&ply.to_string());
            assert!(same(after, &game), "{ply} in {}", before.write());
            let left: usize = game.stones.iter().map(BTreeSet::len).sum();
            let captured = left < stones + usize::from(matches!(ply, Move::Drop(_)));
            turn_is_quiet &= !captured && !matches!(ply, Move::Drop(_));
            (plies, captures, bonuses) =
                (plies + 1, captures + u64::from(captured), bonuses + u64::from(game.bonus));
            if !game.bonus {
                quiet = if turn_is_quiet { quiet + 1 } else { 0 };
                turn_is_quiet = true;
                starts.push(game.clone());
            }
            let few = Seat::BOTH
                .iter()
                .all(|seat| seat.of(&game.stones).len() + usize::from(*seat.of(&game.reserves)) < 5);
            assert_eq!(after.quiet_turns(), if turn_is_quiet { quiet } else { 0 });
            let repeated = starts.iter().filter(|start| **start == game).count() >= 3;
            let winner = Seat::BOTH.into_iter().find(|seat| game.won(*seat));
            let drawn = few
                || !game.bonus
                    && (repeated || quiet >= 100 || Seat::BOTH.iter().all(|seat| game.stuck(*seat)));
            let outcome = after.outcome();
            assert_eq!(outcome.is_some(), winner.is_some() || drawn, "{}", after.write());
            assert_eq!(outcome.and_then(|outcome| outcome.winner), winner);
        });
    }
    println!("{plies} plies, {captures} captures, {bonuses} bonuses");
    assert!(
        captures > 5 * games && bonuses > 25 * games,
        "{captures} captures and {bonuses} bonuses in {plies} plies"
    );
}

#[test]
fn stones_are_never_lost_and_nothing_secured_is_left_standing() {
    let mut ends = std::collections::BTreeMap::new();
    for seed in 0..rounds(60, 1_000) {
        let last = play(seed, 5_000, &mut |before, _, after| {
            let mover = before.to_move();
            let board = after.board();
            assert_eq!(board.stones(mover.other()) & board.secured(mover), 0, "{}", after.write());
            // Only the centre can become secured by the side that is not moving.
            assert_eq!(board.stones(mover) & board.secured(mover.other()) & !CENTRE, 0, "{}", after.write());
            for seat in Seat::BOTH {
                let all =
                    board.stones(seat).count_ones() + u32::from(after.reserve(seat)) + after.captured(seat);
                assert_eq!(all, 18);
                assert!(after.captured(seat) >= before.captured(seat));
                assert!(after.reserve(seat) <= before.reserve(seat));
            }
            assert_eq!(board.stones(Seat::First) & board.stones(Seat::Second), 0);
            let lost = after.captured(mover.other()) - before.captured(mover.other());
            let goes_on = after.bonus() && after.outcome().is_none() && after.forced().is_none();
            assert_eq!(before.remarks(after).len(), usize::from(lost > 0) + usize::from(goes_on));
            // The turn stays with the side that has a bonus, and passes otherwise.
            assert_eq!(after.to_move() == mover, after.bonus());
            assert!(after.quiet_turns() <= 100);
        });
        *ends.entry(last.outcome().unwrap().how.unwrap()).or_insert(0) += 1;
    }
    println!("{ends:?}");
    assert!(ends.len() as u64 > rounds(2, 3), "{ends:?}");
}

#[test]
fn what_is_written_reads_back() {
    for seed in 0..rounds(20, 300) {
        let mut plies = Vec::new();
        let last = play(seed, 400, &mut |before, ply, after| {
            let text = after.write();
            assert_eq!(Hexmeister::read(&text).as_ref(), Ok(after), "{text}");
            let written = before.write_move(ply);
            assert_eq!(before.read_move(&written), Ok((ply, "")));
            plies.push(written);
        });
        let mut replayed = Hexmeister::start(rules(seed));
        for ply in &plies {
            let (ply, _) = replayed.read_move(ply).unwrap();
            replayed.play(ply).unwrap();
        }
        assert_eq!(replayed, last);
        // From the text of any position the game continues in the same way.
        let mut half = Hexmeister::start(rules(seed));
        for (index, ply) in plies.iter().enumerate() {
            if index == plies.len() / 2 {
                half = Hexmeister::read(&half.write()).unwrap();
            }
            half.make(half.read_move(ply).unwrap().0);
        }
        assert_eq!(half, last);
    }
}

/// Every ply that the type can hold.
fn conceivable() -> impl Iterator<Item = Move> {
    let moves = Cell::all().flat_map(|from| Cell::all().map(move |to| Move::Go(from, to)));
    Cell::all().map(Move::Drop).chain(moves).chain([Move::Done, Move::Pass])
}

#[test]
fn accepted_is_listed_and_listed_is_accepted() {
    let (mut number, mut positions) = (0, 0);
    let games = rounds(1, 40);
    for seed in 0..games {
        let last = play(seed, 300, &mut |position, _, _| {
            number += 1;
            if number % 97 == 0 {
                positions += 1;
                compare(position);
            }
        });
        if seed % 8 == 0 {
            compare(&last);
        }
    }
    assert!(positions > 2 * games);
}

fn compare(position: &Hexmeister) {
    let listed = position.legal_moves();
    // Each position is compared with a part of them, because a refusal lists many names.
    for ply in conceivable().step_by(11) {
        let told = position.check(ply);
        assert_eq!(told.is_ok(), listed.contains(&ply), "{ply} in {}: {told:?}", position.write());
        if let Err(refusal) = told {
            let why = &refusal.why;
            assert!(why.is_ascii() && why.ends_with('.') && why.len() < 300, "{why}");
            assert!(!why.contains("  "), "{why}");
        }
    }
    assert_eq!(position.legal_count(), listed.len() as u64);
    assert_eq!(position.outcome().is_some(), listed.is_empty());
    let only = [Move::Pass, Move::Done].into_iter().find(|ply| listed == [*ply]);
    assert_eq!(position.forced(), only);
}

#[test]
fn a_refusal_changes_nothing() {
    for seed in 0..rounds(3, 30) {
        play(seed, 200, &mut |position, _, after| {
            // What was legal a ply ago mostly is no longer.
            for ply in position.legal_moves().into_iter().step_by(29) {
                let mut tried = after.clone();
                if tried.play(ply).is_err() {
                    assert_eq!(tried, *after);
                }
            }
        });
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(rounds(100, 400) as u32) })]

    #[test]
    fn reading_never_panics(text in "\\PC{0,40}|[+a-lA-L0-9xX:# ,\u{2013}-]{0,12}", words in "[a-m0-9.wb/>, ]{0,60}", bonus: bool) {
        let base = "....../......./......../........./........../.....w...../........../........./......../......./......";
        let position = Hexmeister::read(&format!("{base} w {}", if bonus { "bonus" } else { "" })).unwrap();
        if let Ok((ply, rest)) = position.read_move(&text) {
            prop_assert!(text.ends_with(rest));
            prop_assert_eq!(position.read_move(&position.write_move(ply)).map(|(ply, _)| ply), Ok(ply));
        }
        let _ = Hexmeister::read(&text);
        let _ = Hexmeister::read(&words);
        let _ = Hexmeister::read(&format!("{base} w since {words}"));
    }
}
