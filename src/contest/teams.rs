//! Teams: their players, their games and their table.

use std::cmp::{Ordering, Reverse};

use crate::contest::pairing::Pairing;
use crate::contest::record::Contest;
use crate::contest::standing::GroupStanding;
use crate::contest::table::{GameResult, RunningGames};
use crate::contest::terms::Competitor;
use crate::failure::Error;
use crate::store::{PlayerId, Store};

/// A team of an event. The player who named it first is on its first board.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Team {
    pub name: String,
    pub players: Vec<PlayerId>,
}

/// A line of the table of teams.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TeamPlace {
    /// From 1. Equal teams share a place.
    pub place: usize,
    pub team: Team,
    /// A match won is 2, a drawn one 1.
    pub match_points: u32,
    /// Counted in half points.
    pub board_points: u32,
    /// The half points of the match against each team, and whether all its games are over; `None` against itself.
    pub matches: Vec<Option<(u32, bool)>>,
}

/// Board 1 of each team plays board 1 of every other, and so on, in the order of their numbers. On neighboring boards the
/// teams move first by turns. Places are of a list in which each team has its players in the order of the boards.
pub fn pairs(teams: usize, boards: usize) -> Vec<[usize; 2]> {
    let matches = (0..teams).flat_map(|high| (0..high).map(move |low| (low, high)));
    let game = move |(low, high, board): (usize, usize, usize)| {
        let pair = [low * boards + board, high * boards + board];
        if (low + high + board) % 2 == 1 { pair } else { [pair[1], pair[0]] }
    };
    matches.flat_map(|(low, high)| (0..boards).map(move |board| (low, high, board))).map(game).collect()
}

impl Contest {
    /// The players of each team.
    pub fn boards_a_team(&self) -> usize {
        self.terms.boards.unwrap_or(1) as usize
    }

    /// The teams: those that play, and before the begin all, the first that was named in front.
    pub fn teams(&self) -> Vec<Team> {
        let mut teams: Vec<Team> = Vec::new();
        let seated: Vec<PlayerId> = self.competitors().collect();
        for player in if seated.is_empty() { &self.joined } else { &seated } {
            let Some(name) = self.team_of.get(player) else { continue };
            match teams.iter_mut().find(|team| team.name.eq_ignore_ascii_case(name)) {
                Some(team) => team.players.push(*player),
                None => teams.push(Team { name: name.clone(), players: vec![*player] }),
            }
        }
        teams
    }

    pub fn team(&self, name: &str) -> Option<Team> {
        self.teams().into_iter().find(|team| team.name.eq_ignore_ascii_case(name))
    }

    /// The team of a player, or of a substitute.
    pub fn own_team(&self, player: PlayerId) -> Option<Team> {
        self.team(self.team_of.get(&player)?)
    }

    /// The team whose captain the player is, who is on its first board.
    pub fn led_team(&self, player: PlayerId) -> Option<Team> {
        self.own_team(player).filter(|team| team.players.first() == Some(&player))
    }

    /// False for a player whose team has all its players.
    pub fn has_room_for(&self, player: PlayerId) -> bool {
        self.own_team(player).is_none_or(|team| team.players.len() < self.boards_a_team())
    }

    /// Fewest players.
    pub fn least(&self) -> usize {
        self.terms.pairing.least() * self.boards_a_team()
    }

    /// Who plays if the event begins now, in the order of their seats: the strongest first, or team by team. A team that is
    /// not complete does not play.
    pub fn lineup(&self, store: &Store) -> Result<Vec<Competitor>, Error> {
        let players = self.who_can_play(store)?;
        if self.terms.pairing != Pairing::Teams {
            return Ok(players);
        }
        let find = |player: &PlayerId| players.iter().find(|one| one.player == *player).copied();
        let teams = self.teams();
        let of_team = teams.iter().map(|team| team.players.iter().filter_map(find).collect::<Vec<_>>());
        Ok(of_team.filter(|team| team.len() == self.boards_a_team()).flatten().collect())
    }

    /// The table of the teams: by match points, then by board points.
    pub fn team_table(&self, group: &GroupStanding) -> Vec<TeamPlace> {
        let teams = self.teams();
        let team_of = |player| teams.iter().position(|team| team.players.contains(&player));
        // The half points of each match, and its games that are not over.
        let mut matches = vec![vec![(0, self.boards_a_team()); teams.len()]; teams.len()];
        for game in group.games.iter().filter(|game| game.result != GameResult::Running) {
            let [Some(one), Some(other)] = game.players.map(team_of) else { continue };
            let won = game.result.halves(RunningGames::Wait).unwrap_or_default();
            for (own, other, won) in [(one, other, won[0]), (other, one, won[1])] {
                let (halves, left) = &mut matches[own][other];
                *halves += won;
                *left = left.saturating_sub(1);
            }
        }
        let match_points = |own: usize| -> u32 {
            let over = (0..teams.len()).filter(|other| matches[own][*other].1 == 0);
            let points = over.map(|other| match matches[own][other].0.cmp(&matches[other][own].0) {
                Ordering::Greater => 2,
                Ordering::Equal => 1,
                Ordering::Less => 0,
            });
            points.sum()
        };
        let key = |own: usize| (match_points(own), matches[own].iter().map(|(halves, _)| halves).sum());
        let keys: Vec<(u32, u32)> = (0..teams.len()).map(key).collect();
        let mut order: Vec<usize> = (0..teams.len()).collect();
        order.sort_by_key(|own| Reverse(keys[*own]));
        let line = |own: &usize| TeamPlace {
            place: 1 + keys.iter().filter(|key| **key > keys[*own]).count(),
            team: teams[*own].clone(),
            match_points: keys[*own].0,
            board_points: keys[*own].1,
            matches: {
                let played = |other: &usize| matches[*own][*other];
                let over = |(halves, left): (u32, usize)| (halves, left == 0);
                order.iter().map(|other| (other != own).then(|| over(played(other)))).collect()
            },
        };
        order.iter().map(line).collect()
    }
}
