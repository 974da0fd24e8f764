//! How the groups of a contest stand: what their boards say, as its record seats the players.

use std::collections::HashMap;

use crate::contest::record::{Competitor, Contest};
use crate::contest::result::result;
use crate::contest::table::{ContestGame, Entrant, GameResult, Place, RunningGames, cross_table, is_decided};
use crate::ids::BoardId;
use crate::store::{ContestBoardRow, PlayerId};

/// A group with its games so far.
pub struct GroupStanding {
    pub entrants: Vec<Entrant<PlayerId>>,
    pub games: Vec<ContestGame<PlayerId>>,
    /// The board of each game, unless its pair has none.
    pub boards: Vec<Option<BoardId>>,
}

impl GroupStanding {
    pub fn places(&self) -> Vec<Place<PlayerId>> {
        self.places_with(RunningGames::Wait)
    }

    /// The same where running games may count half.
    pub fn places_with(&self, running: RunningGames) -> Vec<Place<PlayerId>> {
        cross_table(&self.entrants, &self.games, running)
    }

    /// Whether nobody's place can change any more.
    pub fn is_decided(&self) -> bool {
        is_decided(&self.entrants, &self.games)
    }
}

/// The groups of a contest whose boards are these.
pub fn groups(contest: &Contest, boards: &[ContestBoardRow]) -> Vec<GroupStanding> {
    let by_pair: HashMap<u32, &ContestBoardRow> = boards.iter().map(|board| (board.pair, board)).collect();
    let joined: HashMap<PlayerId, i64> = contest.joined.iter().copied().zip(0..).collect();
    let entrants = |group: &Vec<Competitor>| {
        let entrant = |competitor: &Competitor| Entrant {
            player: competitor.player,
            rating: competitor.rating,
            joined: joined.get(&competitor.player).copied().unwrap_or(i64::MAX),
            withdrawn: contest.withdrawn.contains(&competitor.player),
        };
        group.iter().map(entrant).collect()
    };
    let mut groups: Vec<GroupStanding> = contest
        .groups
        .iter()
        .map(|group| GroupStanding { entrants: entrants(group), games: Vec::new(), boards: Vec::new() })
        .collect();
    for pair in contest.pairs() {
        let (Some(group), Some(players)) = (groups.get_mut(pair.group), contest.players_of(&pair)) else {
            continue;
        };
        let board = by_pair.get(&pair.number).copied();
        let result = match board {
            Some(board) => result(players, board),
            None if contest.without_board.contains(&pair.number) => GameResult::Draw,
            None => GameResult::Running,
        };
        group.games.push(ContestGame { players, result });
        group.boards.push(board.map(|board| board.board));
    }
    groups
}
