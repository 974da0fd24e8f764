//! The turns that decide a game.

use std::sync::atomic::AtomicBool;

use turnpost_games::Position;
use turnpost_games::dvonn::setup::random;
use turnpost_robot::analysis::{Analysis, Review, WrittenScore};
use turnpost_robot::deciding::deciding;
use turnpost_robot::{Limits, find};

use crate::rounds;

/// Plies as `seat before after` in pieces, separated by commas, with `=` for exact values. Gives the three plies that
/// decided, each with its see-saw.
fn decided(plies: &str) -> String {
    let score = |text: &str| {
        let value = text.trim_end_matches('=').parse::<i32>().unwrap() * 100;
        WrittenScore { value, text: String::new(), exact: text.ends_with('=') }
    };
    let plies = (1..).zip(plies.split(", ")).map(|(ply, text)| {
        let [seat, before, after] = text.split(' ').collect::<Vec<_>>().try_into().unwrap();
        let [before, after] = [before, after].map(score);
        let better = if before.value > after.value { vec!["better".to_owned()] } else { Vec::new() };
        Review { ply, seat: seat.parse().unwrap(), played: "played".to_owned(), before, after, better }
    });
    told(&Analysis { nodes: 1, plies: plies.collect(), solved_from: None })
}

fn told(analysis: &Analysis) -> String {
    let turns = deciding(analysis, 3);
    let told = turns.iter().map(|turn| {
        let [first, last] = turn.see_saw;
        let see_saw = if first < last { format!("({first}-{last})") } else { String::new() };
        format!("{}{see_saw}", turn.review.ply)
    });
    told.collect::<Vec<_>>().join(" ")
}

#[test]
fn results_come_before_pieces_and_a_see_saw_counts_once() {
    for (plies, turns) in [
        // Estimates.
        ("0 9 9, 1 -9 -9, 0 9 4, 1 -4 -4", "3"),
        ("0 9 5, 1 0 0, 0 9 6, 1 0 0, 0 9 7, 1 0 0, 0 9 8", "1 3 5"),
        // A certain draw lost by a piece counts before greater losses of estimates.
        ("0 30 20, 1 0 0, 0 30 20, 1 0 0, 0 30 20, 1 0 0, 0 0= -1=", "3 5 7"),
        // A certain win, a lead, pieces: each before greater losses of the next kind.
        ("0 31 2, 1 0 0, 0 9 -9, 1 0 0, 0 1= -1=, 1 1= 1=, 0 -1= -29=, 1 0 0, 0 30 3", "1 3 5"),
        // A win turned into a loss counts before a win turned into a draw by more pieces.
        ("0 9= 0=, 1 0= 0=, 0 9= -1=, 1 1= 1=, 0 5= 0=, 1 0= 0=, 0 5= 0=", "1 3 7"),
        // A win that stays a win.
        ("0 20= 2=, 1 0 0, 0 2= -1=", "1 3"),
        // See-saws.
        ("0 9 -9, 1 9 -9, 0 9 -9, 1 9 9, 0 9 8", "3(1-3) 5"),
        ("0 30 10, 1 -10 -30, 0 30 15, 1 -15 -15, 0 9 7", "2(1-3) 5"),
        ("0 4= -1=, 1 1= -20=, 0 20= 20=", "2(1-2)"),
        // No see-saw: the same player twice, less than half as much, not in the next turn.
        ("0 14= 0=, 1 0= 0=, 0 0= -1=", "1 3"),
        ("0 20 0, 1 0 -2", "1 2"),
        ("0 20 10, 1 0 0, 0 10 10, 1 -10 -20", "1 4"),
        // Two plies a turn.
        ("0 20 20, 0 20 10, 1 -10 -20, 1 -20 -20", "3(2-3)"),
        // Nothing.
        ("0 1 1, 1 -1 -1", ""),
    ] {
        assert_eq!(decided(plies), turns, "{plies}");
    }
}

#[test]
fn a_proven_win_that_was_thrown_away_is_named() {
    let plies = "C5-D5 F5-G5 D5-D3 G5-I5 E5-E4 H5-I5 B4-C4 I5-I1 C4-E4 J5-K5 E4-I4 K5-K3 F4-G4 D4-D3 G4-I4 H4-I4 C3-D3 \
                 K4-J4 D3-I3 J4-J2 E3-F3 A3-B3 F3-H3 B3-B1 G3-H3 K3-H3 J3-I3 A2-B2 D2-E2 C2-B2 E2-G2 J2-G2 F2-G2 A1-B1 \
                 I2-H2 B1-F1 D1-E1 pass E1-G1 pass H1-I1";
    let plies: Vec<String> = plies.split(' ').map(str::to_owned).collect();
    let limits = Limits::nodes(rounds(60_000, 400_000));
    let start = random(7119391153040321546).write();
    let analysis = find("dvonn").unwrap().analyse(&start, &plies, &limits, &AtomicBool::new(false));
    let told = told(&analysis.unwrap().unwrap());
    assert!(told.ends_with(" 39 41"), "{told}");
}
