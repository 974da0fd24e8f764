//! The players with whom a contest begins, and their seats.

use std::cmp::Reverse;

use jiff::Timestamp;

use crate::board::ratings::unrated;
use crate::contest::events::{Entered, GroupSeat, Ruling};
use crate::contest::record::Contest;
use crate::contest::terms::Competitor;
use crate::failure::Error;
use crate::store::{ContestNewsKind, Store};

impl Contest {
    /// Players who joined and can still play, the strongest first.
    pub fn who_can_play(&self, store: &Store) -> Result<Vec<Competitor>, Error> {
        let (mut group, second) = (Vec::new(), self.second_entries(store)?);
        for &player in &self.joined {
            let account = store.player_by_id(player)?;
            if account.is_active() && account.suspended.is_none() && !second.contains(&player) {
                let row = store.rating(&self.row.game, player)?;
                let row = row.unwrap_or_else(|| unrated(&self.row.game, player));
                group.push(Competitor { player, rating: row.rating, deviation: row.deviation, sent: 0 });
            }
        }
        group.sort_by_key(|competitor| Reverse(competitor.rating));
        Ok(group)
    }

    /// Begins the contest with these groups, players in the order of their seats.
    pub fn start(&mut self, store: &Store, groups: &[Vec<Competitor>], now: Timestamp) -> Result<(), Error> {
        self.drop_second_entries(store, now)?;
        for player in &self.waiting {
            store.add_contest_news(*player, self.row.id, ContestNewsKind::Refused, now)?;
        }
        groups.iter().try_for_each(|group| self.seat(store, group, now))?;
        self.starts(store, now)
    }

    /// Seats the players of the next group. The contest has not begun before it [starts](Self::starts).
    pub fn seat(&mut self, store: &Store, group: &[Competitor], now: Timestamp) -> Result<(), Error> {
        let number = self.groups.len();
        for Competitor { player, rating, deviation, sent } in group.iter().copied() {
            let seat = Some(GroupSeat { group: number, rating, deviation, sent });
            self.take_in(store, player, &Entered { once: false, seat }, now)?;
        }
        Ok(())
    }

    /// Begins the contest, whose players are seated.
    pub fn starts(&mut self, store: &Store, now: Timestamp) -> Result<(), Error> {
        self.rule(store, None, &Ruling::Started, now)?;
        Ok(store.set_contest_due(self.row.id, Some(now))?)
    }
}
