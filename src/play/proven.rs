//! What a letter proves, and what it may use of its budgets by that.

use jiff::Timestamp;
use jiff::tz::TimeZone;

use crate::credentials::limits::{RateLimit, mailbox_key};
use crate::failure::Error;
use crate::mail::{AnswerBy, Proof};
use crate::play::Context;
use crate::store::{PlayerId, ProvenBy};

impl Context<'_> {
    /// True when the letter proves who wrote it: the operator, a token of ours, a password, or the sender's mail server.
    pub(crate) fn is_proven(&self) -> bool {
        !matches!(self.letter.proof, Proof::None)
            || self.letter.answer == AnswerBy::Terminal
            || self.holder().is_some()
            || self.proven.is_some()
    }

    /// What shows who wrote the letter, for the record. Its commands have been carried out: `asked` tells whether its
    /// token answered a question of ours.
    pub fn proven_by(&self, asked: bool) -> ProvenBy {
        match &self.letter.proof {
            Proof::Operator(_) => ProvenBy::Operator,
            _ if self.token_seat.is_some() || asked => ProvenBy::Token,
            Proof::Sender => ProvenBy::Sender,
            Proof::None if self.proven.is_some() => ProvenBy::Password,
            Proof::None => ProvenBy::Nothing,
        }
    }

    /// The player for whom the letter's token speaks.
    fn holder(&self) -> Option<PlayerId> {
        let seat = self.token_seat.map(|seat| seat.player);
        let reader = || self.answering.map(|message| message.reader);
        seat.or_else(reader).or_else(|| self.confirming.as_ref().map(|(player, _)| *player))
    }

    /// The one player whom the letter proves, if it proves one.
    pub(crate) fn proven_player(&self) -> Result<Option<PlayerId>, Error> {
        if let Some(player) = self.proven.or(self.holder()) {
            return Ok(Some(player));
        }
        let sender = self.letter.sender.as_deref().filter(|_| self.letter.proof == Proof::Sender);
        let players = sender.map(|sender| self.store.players_at(sender)).transpose()?.unwrap_or_default();
        Ok(match players.as_slice() {
            [account] => Some(account.id),
            _ => None,
        })
    }

    /// True when the letter proves some player, not only a mailbox.
    pub(crate) fn is_from_a_player(&self) -> Result<bool, Error> {
        if self.is_operators() || self.proven.is_some() || self.holder().is_some() {
            return Ok(true);
        }
        let sender = self.letter.sender.as_deref().filter(|_| self.letter.proof == Proof::Sender);
        match sender {
            Some(sender) => Ok(!self.store.players_at(sender)?.is_empty()),
            None => Ok(false),
        }
    }

    /// Whose budget a letter uses: the player it proves, else the mailbox it says it comes from.
    pub(crate) fn payer(&self) -> String {
        match self.proven.or(self.holder()) {
            Some(PlayerId(number)) => format!("player {number}"),
            None => mailbox_key(self.letter.sender.as_deref().unwrap_or_default()),
        }
    }

    /// True when the letter proves that this player wrote it.
    pub(crate) fn proves(&self, player: PlayerId) -> Result<bool, Error> {
        if self.is_operators() || self.proven == Some(player) || self.holder() == Some(player) {
            return Ok(true);
        }
        let sender = self.letter.sender.as_deref().filter(|_| self.letter.proof == Proof::Sender);
        let Some(sender) = sender else { return Ok(false) };
        Ok(self.store.addresses(player)?.row(sender).is_some_and(|row| row.confirmed_at.is_some()))
    }

    /// True for the operator's terminal, which has no limits.
    pub(crate) fn is_operators(&self) -> bool {
        self.letter.answer == AnswerBy::Terminal || matches!(self.letter.proof, Proof::Operator(_))
    }

    /// Takes one from a budget. Beyond it, gives the time when the budget begins anew.
    pub(crate) fn spend(&mut self, limit: RateLimit, key: &str) -> Result<Option<Timestamp>, Error> {
        if self.is_operators() {
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
