//! What a mail about a board heeds of people: what its players have set, who watches it, who hears of its end.
//!
//! For letters and for the timer alike: a board that ends by time has the same watchers.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use jiff::Timestamp;

use super::Failure;
use super::card::away;
use super::note::{Mailing, Onlooker, Parcel, To};
use super::transcript::Notice;
use super::view::{BoardView, News, thread};
use crate::ids::BoardId;
use crate::store::{Glance, PlayerId, State, Store};

/// What was seen of boards, each looked at once.
#[derive(Debug, Default)]
pub struct Glances(HashMap<u32, Vec<Glance>>);

impl Glances {
    fn at(&mut self, store: &Store, board: u32, at: Timestamp) -> Result<&[Glance], Failure> {
        Ok(match self.0.entry(board) {
            Entry::Occupied(seen) => seen.into_mut(),
            Entry::Vacant(place) => place.insert(store.glance(BoardId(board), at)?),
        })
    }

    /// Whether somebody who plays on a board is on vacation, or will be.
    pub(super) fn anybody_away(
        &mut self,
        store: &Store,
        board: BoardId,
        at: Timestamp,
    ) -> Result<bool, Failure> {
        Ok(self.at(store, board.0, at)?.iter().any(|glance| glance.away))
    }

    /// Whether a player wants one "your move" mail at a time.
    pub(super) fn wants_digest(&self, store: &Store, player: PlayerId) -> Result<bool, Failure> {
        match self.0.values().flatten().find(|glance| glance.player == player) {
            Some(glance) => Ok(glance.digest),
            None => Ok(store.settings(player)?.digest),
        }
    }

    /// The mails to those who watch the boards of these notices, and, of boards that are over, to players who asked
    /// to hear of every end.
    pub(super) fn onlookers(
        &mut self,
        store: &Store,
        at: Timestamp,
        notices: &[Notice],
    ) -> Result<Vec<Mailing>, Failure> {
        // Both players are told of most events, and onlookers once.
        let mut each: Vec<&News> = Vec::new();
        for Notice { news, .. } in notices {
            let is_told =
                |other: &&News| (other.view.board, other.view.events) == (news.view.board, news.view.events);
            if !each.iter().any(is_told) {
                each.push(news);
            }
        }
        let mut mailings = Vec::new();
        for news in each {
            let id = BoardId(news.view.board);
            // Most boards run and nobody watches them: that costs a plain move one look.
            let glances = self.at(store, id.0, at)?;
            if news.view.result.is_none() && !glances.iter().any(|glance| glance.watched) {
                continue;
            }
            let Some(row) = store.board(id)? else { continue };
            for address in store.tell_watchers(id, news.view.events)? {
                let why = Onlooker::Watches { address: address.clone() };
                mailings.push(onlooker(store, To::Address(address), news, why)?);
            }
            if news.view.result.is_none() {
                continue;
            }
            store.end_watching(id)?;
            if row.state == State::Finished {
                for player in store.told_of_ends(&row.game)? {
                    if !row.players.contains(&player) {
                        let userid = store.player_by_id(player)?.userid.to_string();
                        let why = Onlooker::HearsOfEnds { userid };
                        mailings.push(onlooker(store, To::Player(player), news, why)?);
                    }
                }
            }
        }
        Ok(mailings)
    }

    /// Vacations stand below every board, addresses of those who are open below the boards of their opponents.
    pub(super) fn complete(
        &mut self,
        store: &Store,
        at: Timestamp,
        view: &mut BoardView,
        reader: Option<usize>,
    ) -> Result<(), Failure> {
        if view.board == 0 || view.past {
            return Ok(());
        }
        for (seat, glance) in self.at(store, view.board, at)?.iter().enumerate() {
            if glance.away && view.result.is_none() {
                view.about_players.extend(away(store, at, &glance.userid)?);
            }
            if glance.open
                && reader.is_some_and(|reader| reader != seat)
                && let Some(address) = store.open_address(&glance.userid)?
            {
                view.about_players.push(format!("{} can be written to at {address}.", glance.userid));
            }
        }
        Ok(())
    }
}

/// The same news without what is for the players alone.
fn onlooker(store: &Store, to: To, news: &News, why: Onlooker) -> Result<Mailing, Failure> {
    let mut news = news.clone();
    news.notes.clear();
    news.view.queue.clear();
    news.view.draft = None;
    let thread = thread(store, BoardId(news.view.board))?;
    Ok(Mailing { to, thread, parcel: Parcel::News(Box::new(news), why) })
}
