//! Games of a league between its seasons: newcomers meet each other, and members who want more games. They count for
//! ratings, and in no table.

use std::collections::{HashMap, HashSet};

use jiff::Timestamp;

use crate::contest::league::{ANNOUNCED, LEAST, season_name, who_can_play};
use crate::contest::record::Contest;
use crate::failure::Error;
use crate::ids::Seat;
use crate::store::{BoardState, PlayerId, Store};

/// A newcomer has so many, and a member who wants more so many at once.
const GAMES: usize = 2;

/// Who has which games, and who waits for some.
#[derive(Default)]
pub struct Between {
    games: HashMap<PlayerId, OwnGames>,
    /// Pairs that have met since the last season began, or still play, both ways.
    met: HashSet<[PlayerId; 2]>,
    /// Newcomers who play in no group, in the order in which they joined.
    newcomers: Vec<PlayerId>,
    more: Vec<PlayerId>,
}

#[derive(Clone, Copy, Default)]
struct OwnGames {
    /// With people, since the last season began.
    with_people: usize,
    with_robot: usize,
    /// With people, in play.
    running: usize,
    /// How much more often first than second the player began.
    surplus: i32,
}

impl Between {
    /// `None` in the week before a season, unless it was put off and members are still too few.
    pub fn load(store: &Store, league: &Contest, now: Timestamp) -> Result<Option<Between>, Error> {
        let announced_at = now.checked_add(ANNOUNCED).unwrap_or(now).as_second();
        if let Some(next) = league.league.next.filter(|next| next.starts_at < announced_at) {
            let starts_at = Timestamp::from_second(next.starts_at).unwrap_or(now);
            if !next.put_off || who_can_play(store, league, starts_at)?.len() >= LEAST {
                return Ok(None);
            }
        }
        let mut between = Between { more: league.league.more.clone(), ..Between::default() };
        for board in store.contest_boards(league.row.id)? {
            let is_new = board.pair >= league.league.asked_before;
            between.add(board.players, is_new, board.state == BoardState::Running);
        }
        // Who left a season and came back has its games.
        let season = store.contest_named(&season_name(&league.row.game, league.league.seasons))?;
        for &player in &league.league.newcomers {
            let group = season.as_ref().map(|season| store.group_with(season.id, player)).transpose()?;
            if group.flatten().is_none() {
                between.newcomers.push(player);
            }
        }
        Ok(Some(between))
    }

    /// Adds a game, who moves first in front.
    pub fn add(&mut self, players: [PlayerId; 2], is_new: bool, runs: bool) {
        let [first, second] = players;
        if is_new || runs {
            self.met.extend([[first, second], [second, first]]);
        }
        let with_robot = players.iter().any(|player| player.is_robot());
        for (player, by) in [(first, 1), (second, -1)] {
            let games = self.games.entry(player).or_default();
            games.surplus += by;
            games.with_people += usize::from(is_new && !with_robot);
            games.with_robot += usize::from(is_new && with_robot);
            games.running += usize::from(runs && !with_robot);
        }
    }

    fn of(&self, player: PlayerId) -> OwnGames {
        self.games.get(&player).copied().unwrap_or_default()
    }

    /// How many games with people a newcomer waits for.
    pub fn awaited(&self, player: PlayerId) -> usize {
        let missing = GAMES.saturating_sub(self.of(player).with_people);
        if self.newcomers.contains(&player) { missing } else { 0 }
    }

    /// The same of one who may want more.
    pub fn room(&self, player: PlayerId) -> usize {
        let missing = GAMES.saturating_sub(self.of(player).running);
        self.awaited(player).max(if self.more.contains(&player) { missing } else { 0 })
    }

    /// How many games the robot should play with a newcomer.
    pub fn for_robot(&self, player: PlayerId) -> usize {
        self.awaited(player).saturating_sub(self.of(player).with_robot)
    }

    /// Whom a player may meet: those who wait, the longest first, and for a newcomer those who want more, the idlest first.
    pub fn opponents(&self, player: PlayerId) -> Vec<PlayerId> {
        let mut others: Vec<PlayerId> =
            self.newcomers.iter().copied().filter(|other| self.awaited(*other) > 0).collect();
        if self.newcomers.contains(&player) {
            let mut more = self.more.clone();
            more.retain(|other| self.room(*other) > 0 && !others.contains(other));
            more.sort_by_key(|other| self.of(*other).running);
            others.extend(more);
        }
        others.retain(|other| *other != player && !self.met.contains(&[player, *other]));
        others
    }

    /// On which seat a player begins against another: who began less often before moves first.
    pub fn seat(&self, player: PlayerId, other: PlayerId) -> Seat {
        let of_other = if other.is_robot() { 0 } else { self.of(other).surplus };
        if self.of(player).surplus <= of_other { Seat::First } else { Seat::Second }
    }
}
