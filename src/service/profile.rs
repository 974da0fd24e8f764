//! `who` and `resend`.

use jiff::Timestamp;

use super::context::Context;
use super::note::{Mailing, Note, Parcel, Profile, To};
use super::objection::Objection;
use super::{CommandError, Error, Refusal, standing};
use crate::command::Login;
use crate::ids::{BoardId, Userid};
use crate::store::{Role, Store};
use turnpost_games::registry;

/// A list shows no more players.
const PLAYERS_AT_MOST: usize = 50;

impl Context<'_> {
    pub(super) fn who(&mut self, userid: Option<&Userid>) -> Result<Note, CommandError> {
        let Some(userid) = userid else { return self.players() };
        let Some(account) = self.store.player(userid)? else {
            return Err(Refusal::NoSuchUserid { near: self.nearest(userid)? }.into());
        };
        standing::catch_up(self.store)?;
        let mut games = Vec::new();
        for record in self.store.records(account.id)? {
            let name = registry::find(&record.game).map_or(record.game.as_str(), |game| game.name);
            let mut line = format!(
                "{name}: {} in play, {} won, {} lost, {} tied",
                record.running, record.won, record.lost, record.tied
            );
            if let Some(rating) = self.store.rating(&record.game, account.id)? {
                line = format!("{line}; {}", standing::said(&rating));
            }
            games.push(line);
        }
        Ok(Note::Profile(Profile {
            userid: account.userid.to_string(),
            since: account.created_at.strftime("%Y-%m-%d").to_string(),
            level: account.id.level(),
            state: account.state.to_string(),
            organiser: self.store.role(account.id)? == Role::Organiser,
            games,
            vacation: away(self.store, self.at, account.userid.as_str())?,
        }))
    }

    fn players(&self) -> Result<Note, CommandError> {
        let mut accounts = self.store.players()?;
        accounts.retain(|account| !account.is_deleted());
        let more = accounts.len() > PLAYERS_AT_MOST;
        let newest = accounts.into_iter().rev().take(PLAYERS_AT_MOST);
        let rows = newest.map(|account| {
            let since = account.created_at.strftime("%Y-%m-%d").to_string();
            (account.userid.to_string(), since, account.is_signed_off())
        });
        Ok(Note::Players { rows: rows.collect(), more })
    }

    /// The last mail again, to each address the last one that went there. The mail itself is the answer.
    pub(super) fn resend(&mut self, login: &Login, board: Option<BoardId>) -> Result<Note, CommandError> {
        let account = self.prove(login)?;
        let mut sent = None;
        for row in self.store.addresses(account.id)?.rows {
            if row.confirmed_at.is_none() {
                continue;
            }
            if let Some(last) = self.store.last_mail(account.id, &row.address, board)? {
                sent = Some(last.board.map(|board| board.0));
                self.mail(Mailing {
                    to: To::Address(row.address),
                    thread: None,
                    parcel: Parcel::Again(last),
                });
            }
        }
        let board = sent.ok_or(Objection::NothingToResend)?;
        Ok(Note::Resent { board })
    }
}

/// The vacation a player is on, or the next one, as a sentence.
pub(super) fn away(store: &Store, at: Timestamp, userid: &str) -> Result<Option<String>, Error> {
    let Ok(userid) = userid.parse::<Userid>() else { return Ok(None) };
    let Some(vacation) = store.next_vacation(&userid, at)? else { return Ok(None) };
    Ok(Some(if vacation.starts_at > at {
        format!("{userid} will be on vacation from {} to {}.", vacation.first, vacation.last)
    } else {
        format!("{userid} is on vacation until {}.", vacation.last)
    }))
}
