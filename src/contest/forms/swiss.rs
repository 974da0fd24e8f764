//! Swiss events: a few rounds, in which players with about equal points meet, and none twice.

use std::cmp::Reverse;
use std::collections::HashMap;

use super::{Due, FormKind, NextStep, Stay, all_play_all, played};
use crate::contest::dutch::{Float, SwissPlayer, paired};
use crate::contest::events::Opened;
use crate::contest::record::Contest;
use crate::contest::table::{GameResult, RunningGames};
use crate::failure::{CommandError, Error};
use crate::ids::Seat;
use crate::store::{ContestBoardRow, ContestState, PlayerId, Store};

pub const FORM: FormKind = FormKind { enter, next, ..all_play_all::FORM };

/// Players can enter until this round begins, with half a point for each round before.
const LAST_ENTRY: u32 = 3;

fn enter(store: &Store, event: &Contest, player: PlayerId, stay: Stay) -> Result<(), CommandError> {
    let next = event.round() + 1;
    let has_more = next <= LAST_ENTRY.min(event.terms.rounds);
    let is_in = event.place_of(player).is_some();
    // The boards of an event that runs tell its name to all.
    let is_open = !event.terms.entry.by_request && !event.terms.entry.private;
    if event.runs_as_swiss() && has_more && !is_in && !event.is_full() && is_open {
        return event.must_admit(store, player);
    }
    all_play_all::enter(store, event, player, stay)
}

fn next(store: &Store, event: &Contest, due: &Due) -> Result<NextStep, Error> {
    if event.row.state != ContestState::Running {
        return all_play_all::begin(store, event, due);
    }
    played::next_of_rounds(store, event, due, |boards| next_round(event, boards))
}

/// The next round; `None` after the last, and if not all players can have new opponents.
fn next_round(event: &Contest, boards: &[ContestBoardRow]) -> Option<Opened> {
    let round = event.round() + 1;
    let group = event.groups.first().into_iter().flatten().enumerate();
    let mut group: Vec<_> = group.filter(|(_, one)| !event.withdrawn.contains(&one.player)).collect();
    // The strongest first: players who entered late come last in the group.
    group.sort_by_key(|(_, one)| Reverse(one.rating));
    let places: Vec<(usize, PlayerId)> = group.into_iter().map(|(place, one)| (place, one.player)).collect();
    if round > event.terms.rounds || places.len() < 2 {
        return None;
    }
    let players: Vec<PlayerId> = places.iter().map(|(_, player)| *player).collect();
    let made = paired(&before(event, &players, boards), round == event.terms.rounds)?;
    let place = |at: &usize| places.get(*at).map_or(0, |(place, _)| *place);
    let pairs = made.pairs.iter().map(|[one, other]| [place(one), place(other)]).collect();
    let byes = made.bye.iter().map(place).collect();
    Some(Opened { group: 0, round, pairs, without: Vec::new(), byes })
}

/// What these players did in the rounds so far. A running game counts half a point for each.
fn before(event: &Contest, players: &[PlayerId], boards: &[ContestBoardRow]) -> Vec<SwissPlayer> {
    let boards: HashMap<u32, &ContestBoardRow> = boards.iter().map(|board| (board.pair, board)).collect();
    // Also players who have left count as opponents: their points decide who floated.
    let mut all: HashMap<PlayerId, SwissPlayer> = HashMap::new();
    let places: HashMap<PlayerId, usize> = players.iter().copied().zip(0..).collect();
    for round in 1..=event.round() {
        let points =
            |all: &HashMap<PlayerId, SwissPlayer>, player| all.get(&player).map_or(0, |one| one.points);
        let before = all.clone();
        for one in all.values_mut() {
            one.floats = [None, one.floats[0]];
        }
        for (number, pair) in event.pairs.iter().filter(|(_, pair)| pair.round == round) {
            let result = boards.get(number).map_or(GameResult::Running, |board| pair.result(board));
            let halves = result.halves(RunningGames::CountHalf).unwrap_or_default();
            for seat in Seat::BOTH {
                let (own, other) = (*seat.of(&pair.players), *seat.other().of(&pair.players));
                let (had, has) = (points(&before, own), points(&before, other));
                let player = all.entry(own).or_default();
                player.points += *seat.of(&halves);
                player.met.extend(places.get(&other));
                player.seats.push(seat);
                player.floats[0] = match had.cmp(&has) {
                    std::cmp::Ordering::Greater => Some(Float::Down),
                    std::cmp::Ordering::Less => Some(Float::Up),
                    std::cmp::Ordering::Equal => None,
                };
            }
        }
        for (player, _) in event.late.iter().filter(|(_, missed)| round <= *missed) {
            let player = all.entry(*player).or_default();
            (player.points, player.floats[0]) = (player.points + 1, Some(Float::Down));
        }
        for (_, player) in event.byes.iter().filter(|(of, _)| *of == round) {
            let player = all.entry(*player).or_default();
            (player.points, player.had_bye, player.floats[0]) = (player.points + 2, true, Some(Float::Down));
        }
    }
    players.iter().map(|player| all.remove(player).unwrap_or_default()).collect()
}
