//! The cross-table of a group: places by points.

use std::cmp::Reverse;

use crate::ids::Seat;

/// A player of a group.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Entrant<P> {
    pub player: P,
    /// The rating at the start.
    pub rating: i64,
    /// True if the player has withdrawn: their running games count as lost.
    pub withdrawn: bool,
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
    /// It counts half a point for each player. Used only to make the groups of the next season.
    CountHalf,
}

/// A line of the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place<P> {
    /// From 1. Equal players share a place.
    pub place: usize,
    pub player: P,
    /// In half points: a win is 2, a draw 1.
    pub points: u32,
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

impl Meeting {
    /// The half points of both players; `None` if the game does not count.
    fn halves(&self, running: RunningGames) -> Option<[u32; 2]> {
        match self.result {
            GameResult::Won(Seat::First) => Some([2, 0]),
            GameResult::Won(Seat::Second) => Some([0, 2]),
            GameResult::Draw => Some([1, 1]),
            GameResult::Running if running == RunningGames::CountHalf => Some([1, 1]),
            GameResult::Running | GameResult::Void => None,
        }
    }
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

/// The places of a group in order of points. Ties are broken by Sonneborn-Berger, then the games between two tied
/// players; players who are still equal share their place. Their lines are in order of the rating at the start, then
/// of `entrants`.
pub fn cross_table<P: Copy + Eq>(
    entrants: &[Entrant<P>],
    games: &[ContestGame<P>],
    running: RunningGames,
) -> Vec<Place<P>> {
    ordered(entrants, &meetings(entrants, games), running)
}

fn ordered<P: Copy>(entrants: &[Entrant<P>], games: &[Meeting], running: RunningGames) -> Vec<Place<P>> {
    let line = |entrant: &Entrant<P>| Place {
        place: 0,
        player: entrant.player,
        points: 0,
        sonneborn_berger: 0,
        won: 0,
        drawn: 0,
        lost: 0,
        running: 0,
    };
    let mut lines: Vec<Place<P>> = entrants.iter().map(line).collect();
    let mut scored = Vec::new();
    for game in games {
        let halves = game.halves(running);
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
    let tied = |one: usize, other: usize| {
        let by = |at: usize| (lines[at].points, lines[at].sonneborn_berger);
        one != other && by(one) == by(other)
    };
    // The games between three tied players can form a circle. So games between tied players count only if exactly two are
    // tied.
    let between = |entrant: usize| {
        let mut others = (0..lines.len()).filter(|other| tied(entrant, *other));
        let (Some(other), None) = (others.next(), others.next()) else { return 0 };
        let met = scored.iter().filter(|(one, two, _)| (*one, *two) == (entrant, other));
        met.map(|(_, _, halves)| *halves).sum::<u32>()
    };
    let mut order: Vec<usize> = (0..lines.len()).collect();
    let key = |at: usize| (lines[at].points, lines[at].sonneborn_berger, between(at));
    let keys: Vec<_> = (0..lines.len()).map(key).collect();
    order.sort_by_key(|at| Reverse((keys[*at], entrants[*at].rating)));
    let better = |at: usize| keys.iter().filter(|key| **key > keys[at]).count();
    order.into_iter().map(|at| Place { place: better(at) + 1, ..lines[at] }).collect()
}
