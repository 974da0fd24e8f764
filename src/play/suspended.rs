//! Letters of players whom the host has suspended.

use crate::credentials::{Token, claim};
use crate::failure::{Error, Refusal};
use crate::play::Context;

impl Context<'_> {
    /// The refusal for a letter whose token or sender address belongs only to suspended players. The operator
    /// can still act for them.
    pub(crate) fn suspended_writer(&mut self) -> Result<Option<Refusal>, Error> {
        let writers = match (self.token.as_ref().and_then(Token::seat), &self.letter.sender) {
            (Some(seat), _) => vec![self.store.player_by_id(seat.player)?],
            (None, Some(sender)) => self.store.players_at(sender)?,
            (None, None) => return Ok(None),
        };
        let Some(writer) = writers.first().filter(|_| !self.writer.is_operator()) else { return Ok(None) };
        let Some(why) = writer.suspended.as_deref() else { return Ok(None) };
        if writers.iter().any(|writer| writer.suspended.is_none()) {
            return Ok(None);
        }
        self.answer_to(writer.id);
        Ok(Some(claim::suspended(&writer.userid, why)))
    }
}
