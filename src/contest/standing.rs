//! The standing of each group of a contest. Players come from the record, results from the boards.

use std::collections::HashMap;
use std::ops::Range;

use jiff::Timestamp;

use crate::contest::bracket::Matches;
use crate::contest::pairing::Pairing;
use crate::contest::record::Contest;
use crate::contest::table::{ContestGame, Entrant, GameResult, Place, RunningGames, table_of};
use crate::contest::terms::{Competitor, ContestPair};
use crate::ids::BoardId;
use crate::store::{BoardState, ContestBoardRow, PlayerId};

/// A group with its games so far.
#[derive(Default)]
pub struct GroupStanding {
    pairing: Pairing,
    pub entrants: Vec<Entrant<PlayerId>>,
    pub games: Vec<ContestGame<PlayerId>>,
    /// The board of each game, unless its pair has none.
    pub boards: Vec<Option<BoardId>>,
    /// The round of each game, from 1; 0 if all play all.
    pub rounds: Vec<u32>,
    /// When each game ended.
    ended_at: Vec<Option<Timestamp>>,
}

impl GroupStanding {
    pub fn places(&self) -> Vec<Place<PlayerId>> {
        self.places_with(RunningGames::Wait)
    }

    /// The places; `running` says how running games count.
    pub fn places_with(&self, running: RunningGames) -> Vec<Place<PlayerId>> {
        table_of(self.pairing, &self.entrants, &self.games, running)
    }

    /// The places of each player over time, if all play all: before the first game ended, then after each game. The players
    /// are in today's order.
    pub fn course(&self) -> Vec<Vec<usize>> {
        let mut games = self.games.clone();
        let mut ends: Vec<(Timestamp, usize)> =
            self.ended_at.iter().zip(0..).filter_map(|(at, game)| at.map(|at| (at, game))).collect();
        ends.sort_unstable();
        for (_, game) in &ends {
            games[*game].result = GameResult::Running;
        }
        // Earlier tables count no player as withdrawn.
        let entrants: Vec<_> = self.entrants.iter().map(|one| Entrant { withdrawn: false, ..*one }).collect();
        let mut tables = vec![table_of(self.pairing, &entrants, &games, RunningGames::Wait)];
        for (_, game) in ends {
            games[game].result = self.games[game].result;
            tables.push(table_of(self.pairing, &entrants, &games, RunningGames::Wait));
        }
        let now = self.places();
        tables.pop();
        tables.push(now.clone());
        let place_in = |player, table: &Vec<Place<PlayerId>>| {
            table.iter().find(|other| other.player == player).map_or(0, |other| other.place)
        };
        now.iter().map(|line| tables.iter().map(|table| place_in(line.player, table)).collect()).collect()
    }

    /// When the last game ended; `None` while one runs.
    pub fn closed_at(&self) -> Option<Timestamp> {
        let is_over = self.games.iter().all(|game| game.result != GameResult::Running);
        self.ended_at.iter().flatten().max().copied().filter(|_| is_over)
    }
}

/// The standings of the groups in `shown`, counted from 0. `boards` are the boards of their games.
pub fn groups(contest: &Contest, shown: Range<usize>, boards: &[ContestBoardRow]) -> Vec<GroupStanding> {
    let mut groups: Vec<GroupStanding> = shown.clone().map(|number| without_games(contest, number)).collect();
    if contest.terms.pairing == Pairing::KnockOut {
        let won = Matches::of(contest, boards).won;
        let entrants = groups.iter_mut().flat_map(|group| &mut group.entrants);
        entrants.zip(won).for_each(|(entrant, won)| entrant.matches = won);
    }
    let boards: HashMap<u32, &ContestBoardRow> = boards.iter().map(|board| (board.pair, board)).collect();
    for (number, pair) in &contest.pairs {
        let at = pair.group.checked_sub(shown.start);
        if let Some(group) = at.and_then(|at| groups.get_mut(at)) {
            group.add(pair, boards.get(number).copied());
        }
    }
    if matches!(contest.terms.pairing, Pairing::Swiss | Pairing::KnockOut) {
        return groups;
    }
    // The remaining groups have not begun: add their future games.
    for number in contest.opened_groups().max(shown.start)..shown.end {
        let opened = contest.games_at_once(number);
        let players = contest.players_of(number, &opened.pairs).unwrap_or_default();
        if let Some(group) = groups.get_mut(number - shown.start) {
            players.into_iter().for_each(|players| group.add(&ContestPair::new(players, number), None));
        }
    }
    groups
}

pub fn all_groups(contest: &Contest, boards: &[ContestBoardRow]) -> Vec<GroupStanding> {
    groups(contest, 0..contest.groups.len(), boards)
}

fn without_games(contest: &Contest, number: usize) -> GroupStanding {
    let entrant = |competitor: &Competitor| Entrant {
        player: competitor.player,
        rating: competitor.rating,
        withdrawn: contest.withdrawn.contains(&competitor.player),
        byes: contest.byes.iter().filter(|(_, player)| *player == competitor.player).count() as u32,
        missed: contest.missed(competitor.player),
        matches: 0,
    };
    GroupStanding {
        pairing: contest.terms.pairing,
        entrants: contest.groups.get(number).into_iter().flatten().map(entrant).collect(),
        ..GroupStanding::default()
    }
}

impl GroupStanding {
    fn add(&mut self, pair: &ContestPair, board: Option<&ContestBoardRow>) {
        let result = match board {
            Some(board) => pair.result(board),
            None if pair.has_board => GameResult::Running,
            None => GameResult::Draw,
        };
        self.games.push(ContestGame { players: pair.players, result });
        self.boards.push(board.map(|board| board.board));
        self.rounds.push(pair.round);
        let ended = board.filter(|board| board.state != BoardState::Running);
        self.ended_at.push(ended.map(|board| board.changed_at));
    }
}
