use std::collections::BTreeSet;

use proptest::prelude::*;
use proptest::sample::select;
use turnpost::contest::groups::pairs;
use turnpost::contest::pairing::Pairing;
use turnpost::contest::table::{ContestGame, Entrant, GameResult, Place, RunningGames, table_of};
use turnpost::ids::Seat;

const FIRST: GameResult = GameResult::Won(Seat::First);
const SECOND: GameResult = GameResult::Won(Seat::Second);

fn entrant(player: char, rating: i64) -> Entrant<char> {
    Entrant { player, rating, withdrawn: false, byes: 0, missed: 0, matches: 0 }
}

/// The games of lines such as `a-b 1`, `a-b 0`, `a-b =`, `a-b *` (running) and `a-b -` (void).
fn games(text: &str) -> Vec<ContestGame<char>> {
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let game = |line: &str| {
        let [first, _, second, _, result] = <[char; 5]>::try_from(line.chars().collect::<Vec<_>>()).unwrap();
        let result = match result {
            '1' => FIRST,
            '0' => SECOND,
            '=' => GameResult::Draw,
            '*' => GameResult::Running,
            _ => GameResult::Void,
        };
        ContestGame { players: [first, second], result }
    };
    lines.map(game).collect()
}

/// `a 2.5 SB 3.25, 2 won, 1 drawn, 0 lost, 0 running`
fn line(place: &Place<char>) -> String {
    let Place { player, won, drawn, lost, running, .. } = place;
    let (points, berger) = (f64::from(place.points) / 2.0, f64::from(place.sonneborn_berger) / 4.0);
    format!(
        "{} {player} {points} SB {berger}, {won} won, {drawn} drawn, {lost} lost, {running} running",
        place.place
    )
}

fn lines(entrants: &[Entrant<char>], games: &[ContestGame<char>], running: RunningGames) -> Vec<String> {
    table_of(Pairing::AllPlayAll, entrants, games, running).iter().map(line).collect()
}

/// The players from the first on, those of a shared place together: `a bc d`.
fn order(places: &[Place<char>]) -> String {
    let of_place = |all: &[Place<char>]| all.iter().map(|place| place.player).collect::<String>();
    let chunks: Vec<String> = places.chunk_by(|one, two| one.place == two.place).map(of_place).collect();
    chunks.join(" ")
}

/// Worked out by hand: a beat c and d and drew with b, so that 2.5 points and 1.0 + 0.5 + 1.5 / 2 stand beside a.
#[test]
fn a_table_by_hand() {
    let four = [entrant('a', 1500), entrant('b', 1600), entrant('c', 1700), entrant('d', 1400)];
    let played = games("a-b =\n c-a 0\n a-d 1\n b-c =\n d-b =\n c-d =");
    let table = lines(&four, &played, RunningGames::Wait);
    assert_eq!(
        table,
        [
            "1 a 2.5 SB 2.75, 2 won, 1 drawn, 0 lost, 0 running",
            "2 b 1.5 SB 2.25, 0 won, 3 drawn, 0 lost, 0 running",
            "3 c 1 SB 1.25, 0 won, 2 drawn, 1 lost, 0 running",
            "3 d 1 SB 1.25, 0 won, 2 drawn, 1 lost, 0 running",
        ]
    );
}

/// The same with a game that runs, one that counts for nobody, and one of a stranger.
#[test]
fn running_games_wait_or_count_half() {
    let four = [entrant('a', 1500), entrant('b', 1600), entrant('c', 1700), entrant('d', 1400)];
    let played = games("a-b *\n c-a 0\n a-d -\n b-c 1\n d-b =\n c-d 1\n a-x 0");
    assert_eq!(
        lines(&four, &played, RunningGames::Wait),
        [
            "1 b 1.5 SB 1.25, 1 won, 1 drawn, 0 lost, 1 running",
            "2 a 1 SB 1, 1 won, 0 drawn, 0 lost, 1 running",
            "3 c 1 SB 0.5, 1 won, 0 drawn, 2 lost, 0 running",
            "4 d 0.5 SB 0.75, 0 won, 1 drawn, 1 lost, 0 running",
        ]
    );
    assert_eq!(
        lines(&four, &played, RunningGames::CountHalf),
        [
            "1 b 2 SB 2, 1 won, 1 drawn, 0 lost, 1 running",
            "2 a 1.5 SB 2, 1 won, 0 drawn, 0 lost, 1 running",
            "3 c 1 SB 0.5, 1 won, 0 drawn, 2 lost, 0 running",
            "4 d 0.5 SB 1, 0 won, 1 drawn, 1 lost, 0 running",
        ]
    );
}

/// Each rule decides where all before it leave two equal, and then the place is shared. The rating at the start only
/// orders the lines of a shared place, the seat those of one rating.
#[test]
fn ties_are_broken_in_the_order_of_the_rules_and_then_shared() {
    let table = |entrants: &[Entrant<char>], text| {
        order(&table_of(Pairing::AllPlayAll, entrants, &games(text), RunningGames::Wait))
    };
    let four = [entrant('a', 1500), entrant('b', 1600), entrant('c', 1500), entrant('d', 1500)];
    // a and b have two points and the same SB; a won the game between them, and b has the better rating.
    assert_eq!(table(&four, "a-b 1\n b-c 1\n b-d 1\n c-a =\n d-a ="), "a b cd");
    assert_eq!(table(&four, "a-b 1\n b-a 1"), "ba cd", "one each");
    assert_eq!(table(&four, "a-b 1\n b-c 1\n c-a 1"), "bac d", "a circle");
    assert_eq!(table(&four, "a-b 1\n b-c 1\n c-a 1\n a-d 1\n b-d 1"), "a b c d", "the game between two");
    assert_eq!(table(&four, "a-b 1\n b-c 1\n c-a 1\n a-d =\n b-d =\n c-d ="), "bacd");
    assert_eq!(table(&four, ""), "bacd");
    let places = table_of(Pairing::AllPlayAll, &four, &games("a-b =\n a-c 1\n b-c 1"), RunningGames::Wait);
    assert_eq!(places.iter().map(|place| place.place).collect::<Vec<_>>(), [1, 1, 3, 3]);
}

/// A group in which some games run.
fn group() -> impl Strategy<Value = (Vec<Entrant<char>>, Vec<ContestGame<char>>)> {
    let result =
        select(vec![FIRST, FIRST, SECOND, SECOND, GameResult::Draw, GameResult::Running, GameResult::Void]);
    let sized = move |seats: usize| {
        let ratings = prop::collection::vec(1_i64..4, seats);
        let withdrawn = prop::collection::vec(prop::bool::weighted(0.1), seats);
        (ratings, withdrawn, prop::collection::vec(result.clone(), seats * (seats - 1)), 1..=2_usize)
    };
    (2..=7_usize).prop_flat_map(sized).prop_map(|(ratings, withdrawn, results, rounds)| {
        let names = ('a'..).take(ratings.len());
        let of = |(at, player): (usize, char)| Entrant {
            player,
            rating: ratings[at],
            withdrawn: withdrawn[at],
            byes: 0,
            missed: 0,
            matches: 0,
        };
        let entrants: Vec<Entrant<char>> = names.enumerate().map(of).collect();
        let games = pairs(entrants.len(), rounds)
            .into_iter()
            .zip(results)
            .map(|(seats, result)| ContestGame { players: seats.map(|seat| entrants[seat].player), result });
        let games = games.collect();
        (entrants, games)
    })
}

/// Points and Sonneborn-Berger of a player, in one and in quarters, from the games alone.
fn naive(entrants: &[Entrant<char>], games: &[ContestGame<char>], player: char, half: bool) -> (u32, u32) {
    let withdrawn =
        |player: char| entrants.iter().any(|entrant| entrant.player == player && entrant.withdrawn);
    let score = |game: &ContestGame<char>, side: usize| {
        let [own, other] = [game.players[side], game.players[1 - side]].map(withdrawn);
        match game.result {
            GameResult::Won(seat) => Some(if seat.index() == side { 2 } else { 0 }),
            GameResult::Draw => Some(1),
            GameResult::Void => None,
            GameResult::Running if own && other => None,
            GameResult::Running if own || other => Some(if own { 0 } else { 2 }),
            GameResult::Running => half.then_some(1),
        }
    };
    let points = |player: char| {
        let of = |game: &ContestGame<char>| {
            let side = game.players.iter().position(|one| *one == player)?;
            score(game, side)
        };
        games.iter().filter_map(of).sum::<u32>()
    };
    let beaten = |game: &ContestGame<char>| {
        let side = game.players.iter().position(|one| *one == player)?;
        Some(score(game, side)? * points(game.players[1 - side]))
    };
    (points(player), games.iter().filter_map(beaten).sum())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(400) })]

    #[test]
    fn the_table_is_what_the_games_say((entrants, games) in group(), half in any::<bool>(), turn in 0..7_usize) {
        let running = if half { RunningGames::CountHalf } else { RunningGames::Wait };
        let table = table_of(Pairing::AllPlayAll, &entrants, &games, running);
        prop_assert_eq!(table.iter().map(|place| place.player).collect::<BTreeSet<_>>().len(), entrants.len());
        for (at, place) in table.iter().enumerate() {
            prop_assert!(place.place == at + 1 || at > 0 && place.place == table[at - 1].place);
        }
        let of = |player: char| *entrants.iter().find(|entrant| entrant.player == player).unwrap();
        for place in &table {
            prop_assert_eq!((place.points, place.sonneborn_berger), naive(&entrants, &games, place.player, half));
            let all = games.iter().filter(|game| game.players.contains(&place.player));
            let both_gone = |game: &&ContestGame<char>| game.players.iter().all(|player| of(*player).withdrawn);
            let counted = all.filter(|game| match game.result {
                GameResult::Running => !both_gone(game),
                result => result != GameResult::Void,
            });
            prop_assert_eq!((place.won + place.drawn + place.lost + place.running) as usize, counted.count());
        }
        for next in table.windows(2) {
            let key = |place: &Place<char>| (place.points, place.sonneborn_berger);
            prop_assert!(key(&next[0]) >= key(&next[1]));
            let tied = table.iter().filter(|place| key(place) == key(&next[0])).count();
            let is_shared = next[0].place == next[1].place;
            if key(&next[0]) != key(&next[1]) {
                prop_assert!(!is_shared);
                continue;
            }
            let pair: Vec<ContestGame<char>> = games
                .iter()
                .filter(|game| next.iter().all(|place| game.players.contains(&place.player)))
                .copied()
                .collect();
            let [one, two] = [&next[0], &next[1]].map(|place| naive(&entrants, &pair, place.player, half).0);
            let seat = |place: &Place<char>| entrants.iter().position(|one| one.player == place.player);
            let line = |place: &Place<char>| (of(place.player).rating, std::cmp::Reverse(seat(place)));
            let between = if tied == 2 { one.cmp(&two) } else { std::cmp::Ordering::Equal };
            prop_assert_eq!(is_shared, between.is_eq(), "{:?}", table);
            prop_assert!(between.then(line(&next[0]).cmp(&line(&next[1]))).is_gt(), "{:?}", table);
        }
        // The order in which entrants and games are listed changes no place.
        let (mut turned, mut later) = (entrants.clone(), games.clone());
        turned.rotate_left(turn % entrants.len());
        later.reverse();
        let by_player = |mut table: Vec<Place<char>>| {
            table.sort_by_key(|place| place.player);
            table
        };
        prop_assert_eq!(by_player(table), by_player(table_of(Pairing::AllPlayAll, &turned, &later, running)));
    }
}
