//! The pairings of Swiss rounds, against those of whole tournaments that bbpPairings made.

use turnpost::contest::dutch::{Float, SwissPlayer, SwissRound, paired};
use turnpost::ids::Seat;

/// What a player did in a round: the opponent, the seat and the half points.
type Played = (Option<usize>, Option<Seat>, u32);

/// The rounds of each player.
fn tournament(text: &str) -> Vec<Vec<Played>> {
    let (players, rounds) = text.split_once(" players\n").unwrap();
    let mut all = vec![Vec::new(); players.parse().unwrap()];
    let number = |text: &str| text.parse::<usize>().unwrap() - 1;
    for word in rounds.lines().flat_map(str::split_whitespace) {
        let Some(at) = word.find(['+', '-', '=']) else {
            all[number(word)].push((None, None, 2));
            continue;
        };
        let (first, second) = (number(&word[..at]), number(&word[at + 1..]));
        let halves = match &word[at..=at] {
            "+" => [2, 0],
            "-" => [0, 2],
            _ => [1, 1],
        };
        all[first].push((Some(second), Some(Seat::First), halves[0]));
        all[second].push((Some(first), Some(Seat::Second), halves[1]));
    }
    all
}

/// The players before a round, counted from 0.
fn before(tournament: &[Vec<Played>], round: usize) -> Vec<SwissPlayer> {
    let points = |player: usize, round: usize| -> u32 {
        tournament[player][..round].iter().map(|(_, _, halves)| halves).sum()
    };
    let float = |player: usize, round: usize| match tournament[player][round].0 {
        None => Some(Float::Down),
        Some(other) if points(other, round) < points(player, round) => Some(Float::Down),
        Some(other) if points(other, round) > points(player, round) => Some(Float::Up),
        Some(_) => None,
    };
    let player = |at: usize| {
        let played = &tournament[at][..round];
        SwissPlayer {
            points: points(at, round),
            met: played.iter().filter_map(|(other, ..)| *other).collect(),
            seats: played.iter().filter_map(|(_, seat, _)| *seat).collect(),
            had_bye: played.iter().any(|(other, ..)| other.is_none()),
            floats: [1, 2].map(|ago| round.checked_sub(ago).and_then(|round| float(at, round))),
        }
    };
    (0..tournament.len()).map(player).collect()
}

/// The round of a tournament, in the order of the first seats.
fn round_of(tournament: &[Vec<Played>], round: usize) -> SwissRound {
    let mut made = SwissRound::default();
    for (at, player) in tournament.iter().enumerate() {
        match player[round] {
            (Some(other), Some(Seat::First), _) => made.pairs.push([at, other]),
            (None, ..) => made.bye = Some(at),
            _ => {}
        }
    }
    made
}

fn check(text: &str) -> Vec<String> {
    let tournament = tournament(text);
    let rounds = tournament[0].len();
    let mut wrong = Vec::new();
    for round in 0..rounds {
        let mut made = paired(&before(&tournament, round), round + 1 == rounds).expect("a round");
        made.pairs.sort_unstable();
        let expected = round_of(&tournament, round);
        if made != expected {
            let differ: Vec<_> = made.pairs.iter().filter(|pair| !expected.pairs.contains(pair)).collect();
            let wanted: Vec<_> = expected.pairs.iter().filter(|pair| !made.pairs.contains(pair)).collect();
            wrong.push(format!(
                "round {}: {differ:?}, expected {wanted:?}; {:?} {:?}",
                round + 1,
                made.bye,
                expected.bye
            ));
        }
    }
    wrong
}

#[test]
fn rounds_are_those_of_the_dutch_system() {
    let (_, tournaments) = include_str!("../../data/swiss-rounds.txt").split_once("\n\n").unwrap();
    for text in tournaments.split("\n\n") {
        assert_eq!(check(text), Vec::<String>::new(), "{text}");
    }
}
