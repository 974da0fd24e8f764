use std::collections::BTreeSet;

use proptest::prelude::*;
use turnpost::contest::groups::{pairs, seated, sizes};

use crate::support::data::DataFile;

#[test]
fn groups_have_four_to_ten_players_and_eight_where_they_can() {
    let written: [(usize, &[usize]); 16] = [
        (3, &[]),
        (4, &[4]),
        (5, &[5]),
        (6, &[6]),
        (7, &[7]),
        (8, &[8]),
        (9, &[9]),
        (10, &[10]),
        (11, &[6, 5]),
        (12, &[6, 6]),
        (13, &[7, 6]),
        (16, &[8, 8]),
        (19, &[10, 9]),
        (20, &[7, 7, 6]),
        (25, &[9, 8, 8]),
        (27, &[9, 9, 9]),
    ];
    for (players, groups) in written {
        assert_eq!(sizes(players), groups, "{players} players");
    }
    for players in 4..3_000 {
        let groups = sizes(players);
        let (most, fewest) = (*groups.iter().max().unwrap(), *groups.iter().min().unwrap());
        assert_eq!(groups.iter().sum::<usize>(), players);
        assert!(fewest >= 4 && most <= 10 && most - fewest <= 1, "{players}: {groups:?}");
        assert!(groups.is_sorted_by(|one, next| one >= next), "{players}: {groups:?}");
        // No other number of groups brings the size nearer to eight.
        let off = |groups: usize| (players as f64 / groups as f64 - 8.0).abs();
        let nearest = (1..=players).map(off).fold(f64::MAX, f64::min);
        assert!(off(groups.len()) < nearest + 1e-9, "{players}: {groups:?}");
    }
}

/// The games of one of FIDE's tables, the byes of an odd number left out.
fn berger(table: &str, seats: usize) -> Vec<[usize; 2]> {
    let file = DataFile::read("berger.txt");
    let games = file.lines(table).flat_map(str::split_whitespace);
    let seats_of = |game: &str| {
        <[usize; 2]>::try_from(game.split('-').map(|seat| seat.parse().unwrap()).collect::<Vec<_>>())
    };
    let games = games.map(|game| seats_of(game).unwrap());
    games.filter(|game| game.iter().all(|seat| *seat <= seats)).collect()
}

/// The rule gives FIDE's colours, but to the last seat of an even group.
#[test]
fn pairings_are_those_of_fide() {
    let mut compared = 0;
    for seats in 3..=16_usize {
        let even = seats.next_multiple_of(2);
        let table = berger(&format!("{} or {even}", even - 1), seats);
        let ours: BTreeSet<[usize; 2]> =
            pairs(seats, 1).into_iter().map(|game| game.map(|seat| seat + 1)).collect();
        assert_eq!((table.len(), ours.len()), (seats * (seats - 1) / 2, seats * (seats - 1) / 2));
        for [white, black] in table {
            if seats % 2 == 0 && white.max(black) == seats {
                assert!(ours.contains(&[white, black]) != ours.contains(&[black, white]));
            } else {
                assert!(ours.contains(&[white, black]), "{seats} players: {white}-{black}");
                compared += 1;
            }
        }
    }
    // All but a game of the last seat with each other in the seven even tables.
    assert_eq!(compared, 679 - (3 + 5 + 7 + 9 + 11 + 13 + 15));
}

/// How much more often each seat moves first than second.
fn surplus(seats: usize, rounds: usize) -> Vec<i32> {
    let mut surplus = vec![0; seats];
    for [first, second] in pairs(seats, rounds) {
        surplus[first] += 1;
        surplus[second] -= 1;
    }
    surplus
}

#[test]
fn everybody_moves_first_as_often_as_second_or_once_more_or_less() {
    for seats in 3..=16_usize {
        for seat in 0..seats {
            let one_round = surplus(seats, 1)[seat];
            let expected = if seats % 2 == 1 { 0 } else { [1, -1][seat % 2] };
            assert_eq!(one_round, expected, "seat {} of {seats}", seat + 1);
        }
        let (one, two) = (pairs(seats, 1), pairs(seats, 2));
        assert_eq!(surplus(seats, 2), vec![0; seats]);
        assert_eq!(two.len(), 2 * one.len());
        assert_eq!(two.iter().collect::<BTreeSet<_>>().len(), two.len());
        assert!(one.iter().all(|[first, second]| two.contains(&[*second, *first])));
    }
}

/// Two seasons of these surpluses, in order of strength: where do they sit in the second?
fn seats(surpluses: &[i32]) -> Vec<usize> {
    seated((0..surpluses.len()).collect(), |player| surpluses[*player])
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    /// As many as there are seats for get what they are owed, and nobody is lost.
    #[test]
    fn sides_owed_are_given(before in (2..=5_usize).prop_flat_map(|half| prop::collection::vec(-1..=1_i32, 2 * half))) {
        let order = seats(&before);
        prop_assert_eq!(order.iter().collect::<BTreeSet<_>>().len(), before.len());
        let half = before.len() / 2;
        let sides = surplus(before.len(), 1);
        for side in [1, -1] {
            let owed = before.iter().filter(|before| **before == -side).count();
            let given = order.iter().zip(&sides).filter(|(player, now)| before[**player] == -side && **now == side);
            prop_assert_eq!(given.count(), owed.min(half));
        }
    }

    /// Over many seasons nobody's sum moves off by more than one.
    #[test]
    fn over_years_sides_even_out(half in 2..=5_usize, seasons in 1..12, shuffles in prop::collection::vec(any::<u64>(), 12)) {
        let mut sums = vec![0; 2 * half];
        for season in 0..seasons {
            let mut strongest_first: Vec<usize> = (0..sums.len()).collect();
            strongest_first.sort_by_key(|player| (*player as u64 + 1).wrapping_mul(shuffles[season as usize] | 1));
            let order = seated(strongest_first, |player| sums[*player]);
            for (player, side) in order.iter().zip(surplus(sums.len(), 1)) {
                sums[*player] += side;
            }
            prop_assert!(sums.iter().all(|sum| sum.abs() <= 1), "{:?}", sums);
        }
    }
}
