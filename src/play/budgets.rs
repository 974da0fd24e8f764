//! What a letter may use of its budgets.

use jiff::Timestamp;
use jiff::tz::TimeZone;

use crate::credentials::limits::{RateLimit, mailbox_key};
use crate::failure::Error;
use crate::play::Context;
use crate::store::PlayerId;

impl Context<'_> {
    /// Whose budget a letter uses: the player who wrote it, else the mailbox it says it comes from.
    pub(crate) fn budget(&self) -> String {
        match self.writer.player() {
            Some(PlayerId(number)) => format!("player {number}"),
            None => mailbox_key(self.letter.sender.as_deref().unwrap_or_default()),
        }
    }

    /// Takes one from a budget. Beyond it, gives the time when the budget begins anew.
    pub(crate) fn spend(&mut self, limit: RateLimit, key: &str) -> Result<Option<Timestamp>, Error> {
        if self.writer.is_operator() {
            return Ok(None);
        }
        if limit.has_room(self.store, key, self.now, 0)? {
            limit.count(self.store, key, self.now)?;
            return Ok(None);
        }
        self.hits(limit, key);
        Ok(Some(limit.ends(self.store, key, self.now)?))
    }

    /// Notes that a limit stopped a command.
    pub(crate) fn hits(&mut self, limit: RateLimit, key: &str) {
        self.hits.push((limit.what, key.to_owned()));
    }

    /// Records which limits the letter hit, after the savepoints of its commands.
    pub(crate) fn record_hits(&mut self, player: Option<PlayerId>) -> Result<(), Error> {
        for (what, key) in std::mem::take(&mut self.hits) {
            self.store.hit_limit(what, &key, player, self.now)?;
        }
        Ok(())
    }

    /// A time as a refusal names it, in the zone of the player the letter acts for.
    pub(crate) fn time(&self, at: Timestamp) -> Result<String, Error> {
        let zone = self.player()?.map(|player| self.zone(player)).transpose()?.unwrap_or(TimeZone::UTC);
        let name = zone.iana_name().unwrap_or("UTC").to_owned();
        Ok(format!("{} {name}", at.to_zoned(zone).strftime("%Y-%m-%d %H:%M")))
    }
}
