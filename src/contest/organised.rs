//! What the host or an organiser does to a contest as a whole, or to a player of it.

use jiff::Timestamp;

use crate::board::ratings::unrated;
use crate::contest::events::{Entered, GroupSeat};
use crate::contest::record::Contest;
use crate::failure::{CommandError, Error, refuse};
use crate::ids::BoardId;
use crate::store::{
    AccountRole, BoardState, ContestEventKind, ContestNewsKind, ContestState, PlayerId, Store, StoreError,
};

/// Maximum boards that one transaction ends. All letters wait for the transaction.
pub const ENDED_AT_ONCE: usize = 500;

impl Contest {
    /// Takes a player out of a contest that has not ended. The timer then ends the player's running games. False if the
    /// player does not play in it.
    pub fn take_out(
        &mut self,
        store: &Store,
        player: PlayerId,
        why: &str,
        now: Timestamp,
    ) -> Result<bool, Error> {
        let is_running = self.row.state == ContestState::Running;
        let is_in = match is_running {
            true => self.place_of(player).is_some() && !self.withdrawn.contains(&player),
            false => self.joined.contains(&player) || self.waiting.contains(&player),
        };
        match (is_in, is_running) {
            (false, _) => {}
            (true, true) => self.withdraw(store, player, why, now)?,
            (true, false) => {
                self.note(store, ContestEventKind::Left, Some(player), why, now)?;
                self.fill(store, now)?;
            }
        }
        Ok(is_in)
    }

    /// Puts one player in the place of another, as if the other had never entered.
    pub(super) fn replaces(&mut self, old: PlayerId, new: PlayerId) {
        let swap = |player: &mut PlayerId| {
            if *player == old {
                *player = new;
            }
        };
        self.waiting.retain(|player| *player != new);
        self.joined.iter_mut().for_each(swap);
        self.groups.iter_mut().flatten().for_each(|one| swap(&mut one.player));
        self.pairs.values_mut().flat_map(|pair| &mut pair.players).for_each(swap);
        self.byes.iter_mut().for_each(|(_, player)| swap(player));
        self.late.iter_mut().for_each(|(player, _)| swap(player));
        if let Some(team) = self.team_of.remove(&old) {
            self.team_of.insert(new, team);
        }
    }

    /// True for the player who made the event, and for those whom the host made organisers.
    pub fn is_organised_by(&self, store: &Store, player: PlayerId) -> Result<bool, StoreError> {
        Ok(self.maker == Some(player) || store.role(player)? == AccountRole::Organiser)
    }

    pub fn running_boards(&self, store: &Store) -> Result<Vec<BoardId>, Error> {
        let boards = store.contest_boards(self.row.id)?.into_iter();
        Ok(boards.filter(|row| row.state == BoardState::Running).map(|row| row.board).collect())
    }

    /// Closes a contest that has no running boards.
    pub fn end(&mut self, store: &Store, why: &str, now: Timestamp) -> Result<(), Error> {
        self.note(store, ContestEventKind::Closed, None, why, now)?;
        store.set_contest_due(self.row.id, Some(now))?;
        for player in self.competitors() {
            store.add_contest_news(player, self.row.id, ContestNewsKind::Closed, now)?;
        }
        Ok(())
    }

    /// Refuses a player whom the terms or the organiser of an event keep out.
    pub fn must_admit(&self, store: &Store, player: PlayerId) -> Result<(), CommandError> {
        let (name, entry) = (&self.row.name, &self.terms.entry);
        if self.removed.contains(&player) {
            return refuse!("The organiser of {name} does not let you join.");
        }
        if self.maker == Some(player) {
            return Ok(());
        }
        if !entry.is_for(player) {
            return refuse!("{name} is for players whom its organiser has named, and you are none of them.");
        }
        if let Some(range) = entry.rating {
            let row = store.rating(&self.row.game, player)?;
            let rating = row.unwrap_or_else(|| unrated(&self.row.game, player)).rating / 100;
            if !range.contains(rating) {
                return refuse!(
                    "{name} is for ratings from {} to {}, and yours is {rating}.",
                    range.least,
                    range.most
                );
            }
        }
        Ok(())
    }

    /// Enters a player into a Swiss event that runs.
    pub fn enter_late(&mut self, store: &Store, player: PlayerId, now: Timestamp) -> Result<(), Error> {
        let row = store.rating(&self.row.game, player)?;
        let row = row.unwrap_or_else(|| unrated(&self.row.game, player));
        let seat = GroupSeat { group: 0, rating: row.rating, deviation: row.deviation, sent: 0 };
        self.take_in(store, player, &Entered { once: false, seat: Some(seat) }, now)
    }

    /// True if an event has no place left.
    pub fn is_full(&self) -> bool {
        self.row.entrants >= self.terms.size
    }

    /// Gives free places of an event to the players who wait for one.
    pub fn fill(&mut self, store: &Store, now: Timestamp) -> Result<(), Error> {
        while self.row.state == ContestState::Open
            && !self.terms.entry.by_request
            && !self.is_full()
            && let Some(first) = self.waiting.iter().copied().find(|player| self.has_room_for(*player))
        {
            match store.player_by_id(first)?.is_active() {
                true => self.admit(store, first, now)?,
                false => self.note(store, ContestEventKind::Left, Some(first), "signed off", now)?,
            }
        }
        Ok(())
    }

    /// Enters a player who has waited.
    pub fn admit(&mut self, store: &Store, player: PlayerId, now: Timestamp) -> Result<(), Error> {
        self.take_in(store, player, &Entered::default(), now)?;
        store.set_contest_due(self.row.id, Some(now))?;
        Ok(store.add_contest_news(player, self.row.id, ContestNewsKind::Entered, now)?)
    }
}
