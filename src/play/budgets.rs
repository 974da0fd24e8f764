//! The budgets that a letter uses.

use jiff::Timestamp;
use jiff::tz::TimeZone;

use crate::credentials::limits::RateLimit;
use crate::failure::Error;
use crate::play::Context;
use crate::store::{PlayerId, mailbox_key};

impl Context<'_> {
    /// The key of the letter's budget: the player who wrote it, or else the sender's mailbox.
    pub(crate) fn budget(&self) -> String {
        match self.writer.player() {
            Some(PlayerId(number)) => format!("player {number}"),
            None => mailbox_key(self.sender().unwrap_or_default()),
        }
    }

    /// Charges a budget once. If it is used up, returns the time when it is renewed.
    pub(crate) fn spend(&mut self, limit: RateLimit, key: &str) -> Result<Option<Timestamp>, Error> {
        if self.writer.is_operator() {
            return Ok(None);
        }
        self.take_all(&[(limit, key.to_owned())])
    }

    /// Charges each budget once. If one is used up, charges none and returns the time when that one is renewed.
    pub(crate) fn take_all(&mut self, counts: &[(RateLimit, String)]) -> Result<Option<Timestamp>, Error> {
        for (limit, key) in counts {
            if !limit.has_room(self.store, key, self.now, 0)? {
                self.hits(*limit, key);
                return Ok(Some(limit.ends(self.store, key, self.now)?));
            }
        }
        for (limit, key) in counts {
            limit.count(self.store, key, self.now)?;
        }
        Ok(None)
    }

    /// Counts a mail from `by` to `reader`, except mails about moves. If none is allowed, returns the reason
    /// as a sentence.
    pub(crate) fn take_mail(&mut self, by: PlayerId, reader: PlayerId) -> Result<Option<String>, Error> {
        let userid = self.store.player_by_id(reader)?.userid;
        if !self.writer.is_operator() && self.store.is_block_between(by, reader)? {
            return Ok(Some(format!("There is a block between you and {userid}.")));
        }
        let Some(until) = self.take_mail_to(by, &reader.0.to_string())? else { return Ok(None) };
        let until = self.time(until)?;
        Ok(Some(match self.writer.player() {
            Some(_) => format!(
                "{userid} has had as many mails from you as one player gets for now; more can follow after \
                {until}."
            ),
            None => format!(
                "{userid} has had as many mails for now as letters without proof of their writer cause together; more \
                 can follow after {until}, or at once with your password."
            ),
        }))
    }

    /// Counts a mail to a reader, by the key of the reader's count. If none is allowed, returns the time when
    /// the budget is renewed.
    pub(crate) fn take_mail_to(&mut self, by: PlayerId, reader: &str) -> Result<Option<Timestamp>, Error> {
        if self.writer.is_operator() {
            return Ok(None);
        }
        // A proven player has a separate count. All unproven letters share one, even if they invent names and
        // addresses.
        let by = if self.writer.proves(by) { Some(by) } else { self.writer.player() };
        let by = by.map_or_else(|| "unproven".to_owned(), |PlayerId(number)| format!("player {number}"));
        let limits = [self.limits.mails_to_one_today(), self.limits.mails_to_one()];
        self.take_all(&limits.map(|limit| (limit, format!("{by} {reader}"))))
    }

    /// Notes a limit that stopped a command.
    pub(crate) fn hits(&mut self, limit: RateLimit, key: &str) {
        self.hits.push((limit.what, key.to_owned()));
    }

    /// Stores the limits that the letter hit. Runs after the savepoints of its commands, which might have
    /// rolled back.
    pub(crate) fn record_hits(&mut self, player: Option<PlayerId>) -> Result<(), Error> {
        for (what, key) in std::mem::take(&mut self.hits) {
            self.store.hit_limit(what, &key, player, self.now)?;
        }
        Ok(())
    }

    /// Formats a time for a refusal, in the zone of the player for whom the letter acts.
    pub(crate) fn time(&self, at: Timestamp) -> Result<String, Error> {
        let zone = self.player()?.map(|player| self.zone(player)).transpose()?.unwrap_or(TimeZone::UTC);
        Ok(crate::zone::instant(at, zone))
    }
}
