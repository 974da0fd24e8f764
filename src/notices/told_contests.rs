//! The contests that mails of one run of the timer, or of one letter, tell of.

use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, HashMap};

use jiff::Timestamp;

use crate::contest::ladder_games::Ladder;
use crate::contest::record::Contest;
use crate::failure::Error;
use crate::store::{
    ContestForm, ContestId, ContestNewsKind, ContestNewsRow, ContestRow, ContestState, PlayerId, Store,
    StoreError,
};

/// Contests that several mails tell of, each loaded once.
#[derive(Default)]
pub(crate) struct ToldContests {
    contests: HashMap<ContestId, Contest>,
    ladders: HashMap<ContestId, Ladder>,
    /// Damaged contests, which mails leave out, each with the reason.
    pub damaged: BTreeMap<ContestId, String>,
}

impl ToldContests {
    /// Loads what the mails about a player's news read: a long record takes longer than a letter should wait for a
    /// transaction. A failure is met again there.
    pub(crate) fn read_ahead(&mut self, store: &Store, player: PlayerId) -> Result<(), StoreError> {
        for news in store.contest_news(player)? {
            let Some(row) = store.contest(news.contest)?.filter(|row| row.form != ContestForm::Ladder) else {
                continue;
            };
            let league = store.contest_named(row.league_name())?;
            for row in league.iter().chain([&row]) {
                let _ = self.contest(store, row);
            }
        }
        Ok(())
    }

    /// False if the record of the contest does not say yet, or no longer, what the news says.
    pub(crate) fn is_noted(&mut self, store: &Store, news: &ContestNewsRow) -> Result<bool, Error> {
        let Some(row) = store.contest(news.contest)? else { return Ok(true) };
        Ok(match (news.kind, row.form) {
            (ContestNewsKind::Season, _) => self.contest(store, &row)?.league.announced,
            (ContestNewsKind::Off, ContestForm::League) => {
                self.contest(store, &row)?.league.next.is_some_and(|next| next.put_off)
            }
            (ContestNewsKind::Asked, _) => !self.contest(store, &row)?.waiting.is_empty(),
            (ContestNewsKind::Off | ContestNewsKind::Closed, _) => row.state == ContestState::Closed,
            _ => true,
        })
    }

    pub(super) fn contest(&mut self, store: &Store, row: &ContestRow) -> Result<&Contest, Error> {
        Ok(match self.contests.entry(row.id) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(place) => place.insert(Contest::load(store, row)?),
        })
    }

    pub(super) fn ladder(
        &mut self,
        store: &Store,
        row: &ContestRow,
        now: Timestamp,
    ) -> Result<&Ladder, Error> {
        Ok(match self.ladders.entry(row.id) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(place) => place.insert(Ladder::follow(store, Contest::load(store, row)?, now)?),
        })
    }

    /// Returns `made`, unless the contest is damaged: then notes it and returns `None`, so that the mail goes out
    /// without it.
    pub(crate) fn if_whole<T>(&mut self, id: ContestId, made: Result<T, Error>) -> Result<Option<T>, Error> {
        match made {
            Err(why) if why.is_damage() => {
                self.damaged.insert(id, why.to_string());
                Ok(None)
            }
            made => made.map(Some),
        }
    }
}
