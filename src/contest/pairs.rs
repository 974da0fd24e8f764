//! The games and the groups of a contest.

use jiff::Timestamp;

use crate::contest::events::{Noted, Opened, json};
use crate::contest::forms::OpenedGames;
use crate::contest::groups::pairs;
use crate::contest::pairing::Pairing;
use crate::contest::record::Contest;
use crate::contest::teams;
use crate::contest::terms::{Competitor, ContestPair};
use crate::failure::Error;
use crate::ids::Seat;
use crate::store::{ContestEventKind, OfContest, PlayerId, Store};

impl Contest {
    /// The games of a group that begin together, in the order of their numbers.
    pub fn games_at_once(&self, group: usize) -> Opened {
        let seats = self.groups.get(group).map_or(0, Vec::len);
        let pairs = match self.terms.pairing {
            Pairing::Teams => teams::pairs(seats / self.boards_a_team(), self.boards_a_team()),
            _ => pairs(seats, self.terms.rounds as usize),
        };
        Opened { group, round: 0, pairs, without: Vec::new(), byes: Vec::new() }
    }

    /// Number of groups whose games have begun.
    pub fn opened_groups(&self) -> usize {
        self.pairs.last_key_value().map_or(0, |(_, last)| last.group + 1)
    }

    /// Turns pairs of places in a group into pairs of players.
    pub fn players_of(&self, group: usize, pairs: &[[usize; 2]]) -> Result<Vec<[PlayerId; 2]>, &'static str> {
        let players = self.at_places(group, pairs.as_flattened())?;
        Ok(players.as_chunks().0.to_vec())
    }

    /// The players at places in a group.
    pub(super) fn at_places(&self, group: usize, places: &[usize]) -> Result<Vec<PlayerId>, &'static str> {
        let group = self.groups.get(group).ok_or("opens a group that is not there")?;
        let player = |place: &usize| group.get(*place).map(|one| one.player).ok_or("pairs a missing player");
        places.iter().map(player).collect()
    }

    /// The round that began last, from 1; 0 before the first, and in a contest without rounds.
    pub fn round(&self) -> u32 {
        let games = self.pairs.values().map(|pair| pair.round);
        games.chain(self.byes.iter().map(|(round, _)| *round)).max().unwrap_or(0)
    }

    /// The rounds that a player missed who entered while the event ran.
    pub fn missed(&self, player: PlayerId) -> u32 {
        self.late.iter().find(|(late, _)| *late == player).map_or(0, |(_, missed)| *missed)
    }

    /// Whether the player has no opponent in the round that began last, and whether a third game decides the match.
    pub fn in_round(&self, player: PlayerId) -> (bool, bool) {
        let round = self.round();
        let games = self.pairs.values().filter(|pair| pair.round == round && pair.players.contains(&player));
        (self.byes.contains(&(round, player)), self.terms.pairing == Pairing::KnockOut && games.count() > 2)
    }

    /// The group in which a player plays, and the player's place in it.
    pub fn place_of(&self, player: PlayerId) -> Option<(usize, usize)> {
        let within = |group: &Vec<Competitor>| group.iter().position(|one| one.player == player);
        self.groups.iter().enumerate().find_map(|(number, group)| Some((number, within(group)?)))
    }

    pub fn competitors(&self) -> impl Iterator<Item = PlayerId> {
        self.groups.iter().flatten().map(|competitor| competitor.player)
    }

    /// The link from a board to the game with this number in this contest.
    pub fn game(&self, pair: u32) -> OfContest {
        OfContest { contest: self.row.id, pair, name: self.row.name.clone() }
    }

    /// Notes that games begin. The caller makes their boards in the same transaction.
    pub fn open(&mut self, store: &Store, games: &OpenedGames, now: Timestamp) -> Result<(), Error> {
        let noted = match games {
            OpenedGames::OfGroup(opened) => Noted::of(ContestEventKind::Opened, json(opened)),
            OpenedGames::Asked(pair) => pair.noted(),
        };
        self.keep(store, noted, now)
    }
}

impl ContestPair {
    pub(super) fn noted(&self) -> Noted {
        let [first, second] = self.players.map(Some);
        let text = if self.asking_seat() == Seat::First { "first" } else { "second" };
        Noted { player: first, other: second, ..Noted::of(ContestEventKind::Opened, text) }
    }
}
