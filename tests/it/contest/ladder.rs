use std::collections::BTreeSet;

use proptest::prelude::*;
use turnpost::contest::ladder::{
    GAMES_IN, GAMES_OUT, LadderGame, LadderGames, LadderPlayer, LadderResult, mondays_games, reach, settle,
};

#[test]
fn a_challenge_reaches_ten_places_or_two_fifths() {
    // Places count from 0: the 26th player has 25 above.
    for (place, places) in [
        (0, 0..0),
        (1, 0..1),
        (10, 0..10),
        (11, 1..11),
        (25, 15..25),
        (27, 17..27),
        (28, 17..28),
        (100, 60..100),
        (999, 600..999),
    ] {
        assert_eq!(reach(place), places, "place {place}");
    }
}

/// The ladder `abcdef` after a game.
fn after(challenger: char, other: char, result: LadderResult) -> String {
    let mut ladder: Vec<char> = "abcdef".chars().collect();
    settle(&mut ladder, &challenger, &other, result);
    ladder.into_iter().collect()
}

#[test]
fn results_move_players() {
    use LadderResult::*;
    assert_eq!(after('e', 'b', Won), "aebcdf");
    assert_eq!(after('e', 'b', Draw), "abecdf");
    assert_eq!(after('e', 'b', WonOnTime), "acbdef", "the loser goes one down, the winner stays");
    assert_eq!(after('c', 'b', WonOnTime), "acbdef");
    assert_eq!(after('e', 'b', Lost), "abcdef");
    assert_eq!(after('c', 'b', LostOnTime), "abdefc");
    // Other games have moved the challenger above meanwhile.
    for result in [Won, Draw, Lost] {
        assert_eq!(after('b', 'e', result), "abcdef");
        assert_eq!(after('x', 'b', result), "abcdef", "a stranger");
        assert_eq!(after('b', 'x', result), "abcdef", "a stranger");
    }
    assert_eq!(after('c', 'b', Draw), "abcdef", "stands directly below already");
    assert_eq!(after('b', 'f', WonOnTime), "abcdef", "nobody stands below");
    assert_eq!(after('x', 'b', WonOnTime), "acbdef", "the winner has left");
    assert_eq!(after('b', 'x', LostOnTime), "acdefb", "the winner has left");
}

fn player(player: usize, asked: usize, given: usize) -> LadderPlayer<usize> {
    LadderPlayer { player, games: LadderGames { asked, given }, is_paired: true }
}

fn monday(ladder: &[LadderPlayer<usize>]) -> Vec<(usize, usize)> {
    let games = mondays_games(ladder, |_, _| false);
    games.iter().map(|game| (game.challenger, game.other)).collect()
}

#[test]
fn who_waits_meets_who_waits() {
    let waiting: Vec<LadderPlayer<usize>> = (0..6).map(|number| player(number, 0, 0)).collect();
    assert_eq!(monday(&waiting), [(5, 2), (4, 1), (3, 0)]);
    assert_eq!(monday(&waiting[..1]), []);
    // 2 has had nobody left above or below who waits, and 0 has fewer games than 1.
    assert_eq!(monday(&[player(0, 0, 1), player(1, 1, 1), player(2, 0, 0)]), [(2, 0)]);
    assert_eq!(monday(&[player(0, 0, 3), player(1, 1, 2), player(2, 0, 0)]), [(2, 1)]);
    assert_eq!(
        monday(&[player(0, 0, 0), player(1, 3, 0), player(2, 2, 1)]),
        [(2, 0)],
        "1 has asked for three"
    );
    let mut away = waiting.clone();
    away[2].is_paired = false;
    assert_eq!(monday(&away), [(5, 1), (4, 3), (1, 0)], "nobody waits for 0 any more");
}

#[derive(Debug, Clone)]
struct Club {
    ladder: Vec<LadderPlayer<usize>>,
    met: BTreeSet<(usize, usize)>,
}

fn club() -> impl Strategy<Value = Club> {
    let one = (0..=GAMES_OUT, 0..=GAMES_IN, prop::bool::weighted(0.5), prop::bool::weighted(0.8));
    prop::collection::vec(one, 0..60).prop_flat_map(|all| {
        let count = all.len().max(1);
        let of = |(player, (asked, given, idle, is_paired)): (usize, (usize, usize, bool, bool))| {
            let games = if idle { LadderGames::default() } else { LadderGames { asked, given } };
            LadderPlayer { player, games, is_paired }
        };
        let ladder: Vec<_> = all.into_iter().enumerate().map(of).collect();
        let met = prop::collection::btree_set((0..count, 0..count), 0..2 * count);
        (Just(ladder), met).prop_map(|(ladder, met)| Club { ladder, met })
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn mondays_law(Club { ladder, met } in club()) {
        let have_met = |one: usize, other: usize| met.contains(&(one, other)) || met.contains(&(other, one));
        let mut now = ladder.clone();
        let mut pairs = BTreeSet::new();
        for LadderGame { challenger, other } in mondays_games(&ladder, have_met) {
            prop_assert!(reach(challenger).contains(&other));
            prop_assert!(!have_met(challenger, other) && pairs.insert((challenger, other)));
            prop_assert!([challenger, other].iter().any(|one| now[*one].games.count() == 0), "nobody is paired without need");
            prop_assert!(ladder[challenger].is_paired && ladder[other].is_paired);
            now[challenger].games.asked += 1;
            now[other].games.given += 1;
        }
        prop_assert!(now.iter().all(|player| player.games.asked <= GAMES_OUT && player.games.given <= GAMES_IN));
        // Who is without a game has nobody whom they may play.
        for (place, one) in now.iter().enumerate().filter(|(_, one)| one.is_paired && one.games.count() == 0) {
            for other in now.iter().filter(|other| other.is_paired && other.player != one.player) {
                let (low, high) = (&now[place.max(other.player)], &now[place.min(other.player)]);
                let room = low.games.can_ask() && high.games.can_be_asked();
                prop_assert!(!room || have_met(place, other.player) || !reach(low.player).contains(&high.player));
            }
        }
    }
}
