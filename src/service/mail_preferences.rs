//! What a mail about a board heeds of people: what its players have set, who watches it, who hears of its end.
//!
//! For letters and for the timer alike: a board that ends by time has the same watchers.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use jiff::Timestamp;

use super::Error;
use super::notification::{BoardNotice, Notification};
use super::profile::away;
use super::view::{BoardUpdate, BoardView};
use crate::ids::BoardId;
use crate::store::{PlayerId, PreferencesRow, State, Store};

/// What was seen of boards, each looked at once.
#[derive(Debug, Default)]
pub struct MailPreferences(HashMap<u32, Vec<PreferencesRow>>);

impl MailPreferences {
    fn at(&mut self, store: &Store, board: u32, at: Timestamp) -> Result<&[PreferencesRow], Error> {
        Ok(match self.0.entry(board) {
            Entry::Occupied(seen) => seen.into_mut(),
            Entry::Vacant(place) => place.insert(store.mail_preferences(BoardId(board), at)?),
        })
    }

    /// Whether somebody who plays on a board is on vacation, or will be.
    pub(super) fn anybody_away(
        &mut self,
        store: &Store,
        board: BoardId,
        at: Timestamp,
    ) -> Result<bool, Error> {
        Ok(self.at(store, board.0, at)?.iter().any(|mail_preferences| mail_preferences.away))
    }

    /// Whether a player wants one "your move" mail at a time.
    pub(super) fn wants_digest(&self, store: &Store, player: PlayerId) -> Result<bool, Error> {
        match self.0.values().flatten().find(|mail_preferences| mail_preferences.player == player) {
            Some(mail_preferences) => Ok(mail_preferences.digest),
            None => Ok(store.settings(player)?.digest),
        }
    }

    /// The mails to those who watch the boards of these notices, and, of boards that are over, to players who asked
    /// to hear of every end.
    pub(super) fn onlookers(
        &mut self,
        store: &Store,
        at: Timestamp,
        told: &[Notification],
    ) -> Result<Vec<Notification>, Error> {
        // Both players are told of most events, and onlookers once.
        let mut each: Vec<&BoardUpdate> = Vec::new();
        for (_, BoardNotice { update, .. }) in told.iter().filter_map(Notification::player_at_board) {
            let is_told = |other: &&BoardUpdate| {
                (other.view.board, other.view.events) == (update.view.board, update.view.events)
            };
            if !each.iter().any(is_told) {
                each.push(update);
            }
        }
        let mut onlookers = Vec::new();
        for update in each {
            let id = BoardId(update.view.board);
            // Most boards run and nobody watches them: that costs a plain move one look.
            let preferences = self.at(store, id.0, at)?;
            if update.view.result.is_none()
                && !preferences.iter().any(|mail_preferences| mail_preferences.watched)
            {
                continue;
            }
            let Some(row) = store.board(id)? else { continue };
            for address in store.tell_watchers(id, update.view.events)? {
                onlookers.push(Notification::of_watched(address, public(update)));
            }
            if update.view.result.is_none() {
                continue;
            }
            store.end_watching(id)?;
            if row.state == State::Finished {
                for player in store.told_of_ends(&row.game)? {
                    if !row.players.contains(&player) {
                        let userid = store.player_by_id(player)?.userid.to_string();
                        onlookers.push(Notification::of_end(player, userid, public(update)));
                    }
                }
            }
        }
        Ok(onlookers)
    }

    /// Vacations stand below every board, addresses of those who are open below the boards of their opponents.
    pub(super) fn complete(
        &mut self,
        store: &Store,
        at: Timestamp,
        view: &mut BoardView,
        reader: Option<usize>,
    ) -> Result<(), Error> {
        if view.board == 0 || view.past {
            return Ok(());
        }
        for (seat, mail_preferences) in self.at(store, view.board, at)?.iter().enumerate() {
            if mail_preferences.away && view.result.is_none() {
                view.about_players.extend(away(store, at, &mail_preferences.userid)?);
            }
            if mail_preferences.open
                && reader.is_some_and(|reader| reader != seat)
                && let Some(address) = store.open_address(&mail_preferences.userid)?
            {
                view.about_players
                    .push(format!("{} can be written to at {address}.", mail_preferences.userid));
            }
        }
        Ok(())
    }
}

/// The same without what is for the players alone.
fn public(update: &BoardUpdate) -> BoardUpdate {
    let mut update = update.clone();
    update.notes.clear();
    update.view.queue.clear();
    update.view.draft = None;
    update
}
