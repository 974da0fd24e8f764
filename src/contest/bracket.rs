//! The matches of a knock-out, round by round, as its record and its boards give them.

use std::cmp::Ordering;
use std::collections::HashMap;

use crate::contest::events::Opened;
use crate::contest::record::Contest;
use crate::contest::table::{GameResult, RunningGames};
use crate::contest::terms::ContestPair;
use crate::store::{ContestBoardRow, PlayerId};

/// How far a knock-out has come.
pub struct Matches {
    /// How many matches the player at each place of the group has won. A round without an opponent counts.
    pub won: Vec<u32>,
    /// Games that can begin now: of the next round, or third games of this one.
    pub next: Option<Opened>,
}

enum Match {
    NotBegun,
    Running,
    /// Its two games are drawn, or one each.
    Drawn,
    /// The place of the winner; `None` if both players have withdrawn.
    Won(Option<usize>),
}

impl Matches {
    /// The two strongest players can meet only in the last round. If the number of players is no power of two, the
    /// strongest have no opponent in the first round.
    pub fn of(event: &Contest, boards: &[ContestBoardRow]) -> Matches {
        let boards: HashMap<u32, &ContestBoardRow> = boards.iter().map(|board| (board.pair, board)).collect();
        let result = |(number, pair): (&u32, &ContestPair)| {
            let board = boards.get(number);
            (pair.players, board.map_or(GameResult::Running, |board| pair.result(board)))
        };
        let games: Vec<_> = event.pairs.iter().map(result).collect();
        let players = event.groups.first().map_or(0, Vec::len);
        let mut won = vec![0; players];
        // The first plays the last in each round.
        let mut left: Vec<Option<usize>> =
            (0..players.next_power_of_two()).map(|place| (place < players).then_some(place)).collect();
        let mut round = 0;
        while left.len() > 1 {
            round += 1;
            let (strong, weak) = left.split_at(left.len() / 2);
            let (mut pairs, mut byes, mut winners) = (Vec::new(), Vec::new(), Vec::new());
            for players in strong.iter().copied().zip(weak.iter().rev().copied()) {
                let (Some(one), Some(other)) = players else {
                    let alone = players.0.or(players.1);
                    byes.extend(alone);
                    winners.push(alone);
                    continue;
                };
                match decided(event, &games, [one, other]) {
                    Match::NotBegun => pairs.extend([[one, other], [other, one]]),
                    Match::Drawn => pairs.push([other, one]),
                    Match::Running => {}
                    Match::Won(winner) => winners.push(winner),
                }
            }
            for winner in winners.iter().flatten() {
                if let Some(won) = won.get_mut(*winner) {
                    *won += 1;
                }
            }
            if winners.len() < strong.len() {
                if event.round() >= round {
                    byes.clear();
                }
                let opened = Opened { group: 0, round, pairs, without: Vec::new(), byes };
                return Matches { won, next: Some(opened).filter(|opened| !opened.pairs.is_empty()) };
            }
            left = winners;
        }
        Matches { won, next: None }
    }
}

/// The match of the players at these two places of the group.
fn decided(event: &Contest, games: &[([PlayerId; 2], GameResult)], places: [usize; 2]) -> Match {
    let Ok(&[one, other]) = event.at_places(0, &places).as_deref() else { return Match::Won(None) };
    let (mut halves, mut played, mut runs, mut second) = ([0, 0], 0, false, 0);
    for (players, result) in games {
        let Some(first) = [[one, other], [other, one]].iter().position(|both| both == players) else {
            continue;
        };
        let [of_first, of_second] = result.halves(RunningGames::Wait).unwrap_or_default();
        halves[first] += of_first;
        halves[1 - first] += of_second;
        runs |= *result == GameResult::Running;
        (played, second) = (played + 1, 1 - first);
    }
    match halves[0].cmp(&halves[1]) {
        Ordering::Greater if !runs => return Match::Won(Some(places[0])),
        Ordering::Less if !runs => return Match::Won(Some(places[1])),
        _ if played > 2 && !runs => return Match::Won(Some(places[second])),
        _ => {}
    }
    // A player who withdraws loses a match that is not decided.
    match [one, other].map(|player| event.withdrawn.contains(&player)) {
        [true, true] => Match::Won(None),
        [true, false] => Match::Won(Some(places[1])),
        [false, true] => Match::Won(Some(places[0])),
        [false, false] if runs => Match::Running,
        [false, false] if played == 0 => Match::NotBegun,
        [false, false] => Match::Drawn,
    }
}
