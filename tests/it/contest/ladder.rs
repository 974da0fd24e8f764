use std::collections::{BTreeMap, BTreeSet};

use super::movement::correlation;
use proptest::prelude::*;
use proptest::sample::select;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha12Rng;
use turnpost::contest::ladder::{
    GAMES_IN, GAMES_OUT, LadderGame, LadderPlayer, LadderResult, enter, mondays_games, reach, settle,
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

fn player(player: usize, games_out: usize, games_in: usize) -> LadderPlayer<usize> {
    LadderPlayer { player, games_out, games_in, is_paired: true }
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
        let of = |(number, (games_out, games_in, idle, is_paired)): (usize, (usize, usize, bool, bool))| {
            let [games_out, games_in] = if idle { [0, 0] } else { [games_out, games_in] };
            LadderPlayer { player: number, games_out, games_in, is_paired }
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
            prop_assert!([challenger, other].iter().any(|one| has_no_game(&now[*one])), "nobody is paired without need");
            prop_assert!(ladder[challenger].is_paired && ladder[other].is_paired);
            now[challenger].games_out += 1;
            now[other].games_in += 1;
        }
        prop_assert!(now.iter().all(|player| player.games_out <= GAMES_OUT && player.games_in <= GAMES_IN));
        // Who is without a game has nobody whom they may play.
        for (place, one) in now.iter().enumerate().filter(|(_, one)| one.is_paired && has_no_game(one)) {
            for other in now.iter().filter(|other| other.is_paired && other.player != one.player) {
                let (low, high) = (&now[place.max(other.player)], &now[place.min(other.player)]);
                let room = low.games_out < GAMES_OUT && high.games_in < GAMES_IN;
                prop_assert!(!room || have_met(place, other.player) || !reach(low.player).contains(&high.player));
            }
        }
    }

    /// Nobody is lost, a win or draw moves nobody down but those passed, by one.
    #[test]
    fn results_keep_the_order_of_all_others(
        count in 2..40_usize, challenger in 0..40_usize, other in 0..40_usize,
        result in select(vec![LadderResult::Won, LadderResult::WonOnTime, LadderResult::Draw, LadderResult::Lost, LadderResult::LostOnTime]),
    ) {
        let (challenger, other) = (challenger % count, other % count);
        prop_assume!(challenger != other);
        let mut ladder: Vec<usize> = (0..count).collect();
        settle(&mut ladder, &challenger, &other, result);
        let place: BTreeMap<usize, usize> = ladder.iter().copied().zip(0..).collect();
        prop_assert_eq!(place.len(), count);
        let moved = if result == LadderResult::WonOnTime { other } else { challenger };
        ladder.retain(|player| *player != moved);
        prop_assert!(ladder.is_sorted());
        let (from, to) = (moved, place[&moved]);
        match result {
            LadderResult::Won => prop_assert_eq!(to, from.min(other)),
            LadderResult::Draw => prop_assert_eq!(to, from.min(other + 1)),
            LadderResult::WonOnTime => prop_assert_eq!(to, (from + 1).min(count - 1)),
            LadderResult::Lost => prop_assert_eq!(to, from),
            LadderResult::LostOnTime => prop_assert_eq!(to, count - 1),
        }
    }
}

/// Where nobody challenges, Mondays keep a ladder sorted over a year and leave nobody without a game. Then a strong newcomer
/// who challenges as high as the rules allow reaches the top tenth within another.
#[test]
fn a_year_on_a_ladder() {
    const PLAYERS: usize = 300;
    let mut chance = ChaCha12Rng::seed_from_u64(1);
    let mut random = move || f64::from(chance.next_u32()) / f64::from(u32::MAX);
    let mut strengths: Vec<f64> = (0..PLAYERS).map(|_| 1000.0 + 1000.0 * random()).collect();
    strengths.sort_by(|one, other| other.total_cmp(one));
    let mut ladder: Vec<usize> = (0..PLAYERS).collect();
    let (mut running, mut ended) = (Vec::<(usize, LadderGame<usize>)>::new(), BTreeMap::new());
    let mut reached = None;
    for day in 0..730 {
        if day == 365 {
            let sorted = correlation(&ladder, &strengths);
            assert!(sorted > 0.9, "{sorted}");
            enter(&mut ladder, PLAYERS);
            strengths.push(2000.0);
        }
        for (_, LadderGame { challenger, other }) in running.extract_if(.., |(end, _)| *end == day) {
            let wins = 1.0 / (1.0 + 10_f64.powf((strengths[other] - strengths[challenger]) / 400.0));
            let result = if random() < wins { LadderResult::Won } else { LadderResult::Lost };
            settle(&mut ladder, &challenger, &other, result);
            ended.insert([challenger.min(other), challenger.max(other)], day);
        }
        if day % 7 != 0 {
            continue;
        }
        let met = |one: usize, other: usize| {
            ended.get(&[one.min(other), one.max(other)]).is_some_and(|ended| day - ended < 7)
        };
        let players: Vec<LadderPlayer<usize>> = ladder.iter().map(|one| in_play(*one, &running)).collect();
        let mut games = mondays_games(&players, met);
        if let Some(place) = ladder.iter().position(|player| *player == PLAYERS)
            && players[place].games_out + 1 < GAMES_OUT
        {
            let free = players[reach(place)].iter().find(|other| other.games_in + 1 < GAMES_IN);
            games.extend(free.map(|other| LadderGame { challenger: PLAYERS, other: other.player }));
        }
        running.extend(games.into_iter().map(|game| (day + 20 + (random() * 80.0) as usize, game)));
        let idle = ladder.iter().filter(|one| has_no_game(&in_play(**one, &running))).count();
        assert_eq!(idle, 0, "nobody begins the week without a game");
        if reached.is_none() && ladder[..PLAYERS / 10].contains(&PLAYERS) {
            reached = Some(day - 365);
        }
    }
    assert!(reached.is_some_and(|days| days <= 365), "{reached:?}");
}

fn has_no_game(player: &LadderPlayer<usize>) -> bool {
    player.games_out + player.games_in == 0
}

/// The games of a player among these.
fn in_play(number: usize, running: &[(usize, LadderGame<usize>)]) -> LadderPlayer<usize> {
    let games_out = running.iter().filter(|(_, game)| game.challenger == number).count();
    let games_in = running.iter().filter(|(_, game)| game.other == number).count();
    player(number, games_out, games_in)
}
