//! The games and the groups of a contest.

use jiff::Timestamp;

use crate::contest::events::{Noted, Opened, json};
use crate::contest::forms::OpenedGames;
use crate::contest::groups::pairs;
use crate::contest::record::Contest;
use crate::contest::terms::{Competitor, ContestPair};
use crate::failure::Error;
use crate::ids::Seat;
use crate::store::{ContestEventKind, OfContest, PlayerId, Store};

impl Contest {
    /// The games of a group in which all play all, in the order of their numbers.
    pub fn all_play_all(&self, group: usize) -> Opened {
        let seats = self.groups.get(group).map_or(0, Vec::len);
        Opened { group, pairs: pairs(seats, self.terms.rounds as usize), without: Vec::new() }
    }

    /// Number of groups whose games have begun.
    pub fn opened_groups(&self) -> usize {
        self.pairs.last_key_value().map_or(0, |(_, last)| last.group + 1)
    }

    /// Turns pairs of places in a group into pairs of players.
    pub fn players_of(&self, group: usize, pairs: &[[usize; 2]]) -> Result<Vec<[PlayerId; 2]>, &'static str> {
        let group = self.groups.get(group).ok_or("opens a group that is not there")?;
        let player = |place: usize| group.get(place).map(|one| one.player).ok_or("pairs a missing player");
        pairs.iter().map(|[first, second]| Ok([player(*first)?, player(*second)?])).collect()
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
