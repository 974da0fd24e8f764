//! The pairs of a contest, group by group.

use crate::contest::groups::pairs;
use crate::contest::record::Contest;
use crate::contest::terms::{Competitor, ContestPair};
use crate::store::PlayerId;

impl Contest {
    /// The pairs of each group, all of which have a board once their group is opened.
    pub fn pairs(&self) -> impl Iterator<Item = ContestPair> {
        (0..self.groups.len()).flat_map(|group| self.pairs_of(group))
    }

    pub fn pairs_of(&self, group: usize) -> Vec<ContestPair> {
        let rounds = self.terms.rounds;
        let of = |players: &Vec<Competitor>| {
            let players = players.len() as u32;
            players * players.saturating_sub(1) / 2 * rounds
        };
        let before: u32 = self.groups.iter().take(group).map(of).sum();
        let seats = pairs(self.groups.get(group).map_or(0, Vec::len), rounds as usize);
        (before..).zip(seats).map(|(number, seats)| ContestPair { number, group, seats }).collect()
    }

    /// The group in which a player plays, and the player's place in it.
    pub fn place_of(&self, player: PlayerId) -> Option<(usize, usize)> {
        let within = |group: &Vec<Competitor>| group.iter().position(|one| one.player == player);
        self.groups.iter().enumerate().find_map(|(number, group)| Some((number, within(group)?)))
    }

    /// The players of a pair; the first moves first.
    pub fn players_of(&self, pair: &ContestPair) -> Option<[PlayerId; 2]> {
        let group = self.groups.get(pair.group)?;
        let [first, second] = pair.seats;
        Some([group.get(first)?.player, group.get(second)?.player])
    }

    pub fn competitors(&self) -> impl Iterator<Item = PlayerId> {
        self.groups.iter().flatten().map(|competitor| competitor.player)
    }
}
