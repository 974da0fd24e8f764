//! The table of a group: places by points.

use std::cmp::Reverse;

use crate::contest::pairing::Pairing;
use crate::ids::Seat;

/// A player of a group.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Entrant<P> {
    pub player: P,
    /// The rating at the start.
    pub rating: i64,
    /// True if the player has withdrawn: their running games count as lost.
    pub withdrawn: bool,
    /// Rounds without an opponent. In a Swiss event, each counts as a win.
    pub byes: u32,
    /// Rounds before the player entered a Swiss event. Each counts as a draw.
    pub missed: u32,
    /// Matches won in a knock-out.
    pub matches: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GameResult {
    Running,
    Won(Seat),
    /// Half a point each: a tie, or a game of an old record that has no board.
    Draw,
    /// Counts for neither player.
    Void,
}

impl GameResult {
    /// The half points of both players; `None` if the game does not count.
    pub fn halves(self, running: RunningGames) -> Option<[u32; 2]> {
        match self {
            GameResult::Won(Seat::First) => Some([2, 0]),
            GameResult::Won(Seat::Second) => Some([0, 2]),
            GameResult::Draw => Some([1, 1]),
            GameResult::Running if running == RunningGames::CountHalf => Some([1, 1]),
            GameResult::Running | GameResult::Void => None,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ContestGame<P> {
    pub players: [P; 2],
    pub result: GameResult,
}

/// How a running game counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RunningGames {
    /// It does not count yet.
    Wait,
    /// It counts half a point for each player: when the next round or the next season is made.
    CountHalf,
}

/// A line of the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place<P> {
    /// From 1. Equal players share a place.
    pub place: usize,
    pub player: P,
    /// In half points: a win is 2, a draw 1. In a knock-out, a match won is 2.
    pub points: u32,
    /// In half points: the sum of the opponents' points without the least one, and the whole sum. Only a Swiss event has
    /// them.
    pub buchholz: [u32; 2],
    /// In quarter points: the points of each beaten opponent, and half the points of each opponent after a draw.
    pub sonneborn_berger: u32,
    pub won: u32,
    pub drawn: u32,
    pub lost: u32,
    pub running: u32,
}

/// A game between two entrants, by their indices in the list.
#[derive(Clone, Copy)]
struct Meeting {
    entrants: [usize; 2],
    result: GameResult,
}

/// The games among these entrants. A player who has withdrawn loses running games; if both players have withdrawn, the
/// game is void.
fn meetings<P: Copy + Eq>(entrants: &[Entrant<P>], games: &[ContestGame<P>]) -> Vec<Meeting> {
    let find = |player: P| entrants.iter().enumerate().find(|(_, entrant)| entrant.player == player);
    let meeting = |game: &ContestGame<P>| {
        let [(one, first), (two, second)] = [find(game.players[0])?, find(game.players[1])?];
        let result = match (game.result, first.withdrawn, second.withdrawn) {
            (GameResult::Running, true, true) => GameResult::Void,
            (GameResult::Running, true, false) => GameResult::Won(Seat::Second),
            (GameResult::Running, false, true) => GameResult::Won(Seat::First),
            (result, _, _) => result,
        };
        Some(Meeting { entrants: [one, two], result })
    };
    games.iter().filter_map(meeting).collect()
}

/// The places of a group in order of points. Players who are still equal after the tie-breaks share their place. Their
/// lines are in order of the rating at the start, then of `entrants`.
///
/// - All play all: ties are broken by Sonneborn-Berger, then by the games between two tied players.
/// - Swiss: by Buchholz without the least opponent, by Buchholz, by Sonneborn-Berger, then by such games.
/// - Knock-out: players who lost in the same round share a place.
pub fn table_of<P: Copy + Eq>(
    pairing: Pairing,
    entrants: &[Entrant<P>],
    games: &[ContestGame<P>],
    running: RunningGames,
) -> Vec<Place<P>> {
    let line = |entrant: &Entrant<P>| Place {
        place: 0,
        player: entrant.player,
        points: entrant.byes * 2 + entrant.missed,
        buchholz: [0, 0],
        sonneborn_berger: 0,
        won: 0,
        drawn: 0,
        lost: 0,
        running: 0,
    };
    let mut lines: Vec<Place<P>> = entrants.iter().map(line).collect();
    let mut scored = Vec::new();
    for game in meetings(entrants, games) {
        let halves = game.result.halves(running);
        for (side, entrant) in game.entrants.into_iter().enumerate() {
            let line = &mut lines[entrant];
            line.points += halves.map_or(0, |halves| halves[side]);
            match (game.result, halves.map(|halves| halves[side])) {
                (GameResult::Running, _) => line.running += 1,
                (_, Some(2)) => line.won += 1,
                (_, Some(1)) => line.drawn += 1,
                (_, Some(_)) => line.lost += 1,
                (_, None) => {}
            }
            scored.extend(halves.map(|halves| (entrant, game.entrants[1 - side], halves[side])));
        }
    }
    for (entrant, other, halves) in &scored {
        lines[*entrant].sonneborn_berger += halves * lines[*other].points;
    }
    match pairing {
        Pairing::AllPlayAll | Pairing::Teams => {}
        Pairing::Swiss => {
            let met =
                |at: usize| scored.iter().filter(move |(one, ..)| *one == at).map(|(_, other, _)| *other);
            let sums: Vec<[u32; 2]> =
                (0..lines.len()).map(|at| buchholz(entrants, &lines, at, met(at))).collect();
            for (line, (sums, entrant)) in lines.iter_mut().zip(sums.into_iter().zip(entrants)) {
                line.buchholz = sums;
                line.sonneborn_berger += (2 * entrant.byes + entrant.missed) * line.points;
            }
        }
        Pairing::KnockOut => {
            for (line, entrant) in lines.iter_mut().zip(entrants) {
                (line.points, line.sonneborn_berger) = (entrant.matches * 2, 0);
            }
            // Single games break no ties.
            scored.clear();
        }
    }
    let by = |at: usize| (lines[at].points, lines[at].buchholz, lines[at].sonneborn_berger);
    let tied = |one: usize, other: usize| one != other && by(one) == by(other);
    // The games between three tied players can form a circle. So games between tied players count only if exactly two are
    // tied.
    let between = |entrant: usize| {
        let mut others = (0..lines.len()).filter(|other| tied(entrant, *other));
        let (Some(other), None) = (others.next(), others.next()) else { return 0 };
        let met = scored.iter().filter(|(one, two, _)| (*one, *two) == (entrant, other));
        met.map(|(_, _, halves)| *halves).sum::<u32>()
    };
    let mut order: Vec<usize> = (0..lines.len()).collect();
    let key = |at: usize| (by(at), between(at));
    let keys: Vec<_> = (0..lines.len()).map(key).collect();
    order.sort_by_key(|at| Reverse((keys[*at], entrants[*at].rating)));
    let better = |at: usize| keys.iter().filter(|key| **key > keys[at]).count();
    order.into_iter().map(|at| Place { place: better(at) + 1, ..lines[at] }).collect()
}

/// Buchholz of one player, who met these opponents: without the least one, and whole. A round without an opponent counts
/// as one with the player's own points. An opponent who has withdrawn has half a point for each round since.
fn buchholz<P>(
    entrants: &[Entrant<P>],
    lines: &[Place<P>],
    at: usize,
    met: impl Iterator<Item = usize>,
) -> [u32; 2] {
    let alone = |at: usize| entrants[at].byes + entrants[at].missed;
    let rounds = |at: usize| lines[at].won + lines[at].drawn + lines[at].lost + lines[at].running + alone(at);
    let all = (0..lines.len()).map(rounds).max().unwrap_or(0);
    let of = |other: usize| {
        let missed = if entrants[other].withdrawn { all - rounds(other) } else { 0 };
        lines[other].points + missed
    };
    let alone = std::iter::repeat_n(lines[at].points, alone(at) as usize);
    let scores: Vec<u32> = met.map(of).chain(alone).collect();
    let sum: u32 = scores.iter().sum();
    [sum - scores.iter().min().unwrap_or(&0), sum]
}
