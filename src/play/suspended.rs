//! Players whom the host has suspended.

use crate::credentials::{Token, claim};
use crate::failure::{Error, Refusal};
use crate::play::Context;
use crate::store::Account;

impl Context<'_> {
    /// The answer to a suspended player. The host can still speak for them.
    pub(crate) fn suspended(&self, account: &Account) -> Option<Refusal> {
        let why = account.suspended.as_deref().filter(|_| !self.writer.is_operator())?;
        Some(claim::suspended(&account.userid, why))
    }

    /// The answer to a letter whose token or address belongs to a suspended player alone.
    pub(crate) fn suspended_writer(&mut self) -> Result<Option<Refusal>, Error> {
        let writers = match (self.token.as_ref().and_then(Token::seat), &self.letter.sender) {
            (Some(seat), _) => vec![self.store.player_by_id(seat.player)?],
            (None, Some(sender)) => self.store.players_at(sender)?,
            (None, None) => return Ok(None),
        };
        let suspended = writers.first().and_then(|writer| self.suspended(writer));
        if writers.iter().any(|writer| writer.suspended.is_none()) || suspended.is_none() {
            return Ok(None);
        }
        if let Some(writer) = writers.first() {
            self.answer_to(writer.id);
        }
        Ok(suspended)
    }
}
