//! Who wrote a letter, and the proof of it.

use super::Proofs;
use super::token::{MailQuestion, Token};
use crate::failure::Error;
use crate::mail::{AnswerBy, Letter, Operator, Proof};
use crate::store::{PlayerId, ProvenBy, Store};

/// Who wrote a letter. It is decided once, before anything of the letter is carried out.
#[derive(Debug, Clone)]
pub struct Writer {
    pub by: ProvenBy,
    /// The proven players. More than one if a letter has several passwords, or if a mailbox has several accounts.
    players: Vec<PlayerId>,
}

impl Writer {
    /// Takes the strongest proof, in this order: the operator's word, a password, a token, the sender's mail server.
    pub fn of(
        store: &Store,
        letter: &Letter,
        proofs: &Proofs,
        token: Option<&Token>,
    ) -> Result<Writer, Error> {
        let by_password = proofs.proven();
        let from = |by, players| Ok(Writer { by, players });
        if letter.answer == AnswerBy::Terminal || matches!(letter.proof, Proof::Operator(_)) {
            let Proof::Operator(Operator::As(userid)) = &letter.proof else {
                return from(ProvenBy::Operator, by_password);
            };
            let speaker = store.player(userid)?.filter(|account| !account.is_deleted());
            return from(ProvenBy::Operator, speaker.map(|account| account.id).into_iter().collect());
        }
        if !by_password.is_empty() {
            return from(ProvenBy::Password, by_password);
        }
        let sender = letter.sender.as_deref().unwrap_or_default();
        let owners = store.players_at(sender)?;
        // Another player who answers a forwarded mail speaks for themselves.
        let is_anothers = |token: &Token| matches!(token, Token::Reader(player, _) if !owners.is_empty() && owners.iter().all(|owner| owner.id != *player));
        let proves = |token: &&Token| token.player().is_some() || token.asked().is_some();
        if let Some(token) = token.filter(proves).filter(|token| !is_anothers(token)) {
            // A reply to the question about a new address proves the mailbox, not the player.
            let player =
                token.player().filter(|_| !matches!(token, Token::Question(MailQuestion::Address(..))));
            return from(ProvenBy::Token, player.into_iter().collect());
        }
        if letter.proof == Proof::Sender {
            return from(ProvenBy::Sender, owners.into_iter().map(|account| account.id).collect());
        }
        from(ProvenBy::Nothing, Vec::new())
    }

    /// The server itself: its letters have no limits and speak for no player.
    pub fn server() -> Writer {
        Writer { by: ProvenBy::Operator, players: Vec::new() }
    }

    /// True if the letter has any proof of its writer.
    pub fn is_proven(&self) -> bool {
        self.by != ProvenBy::Nothing
    }

    /// True for the operator's terminal, which has no limits.
    pub fn is_operator(&self) -> bool {
        self.by == ProvenBy::Operator
    }

    /// True if the proof covers this player. The operator can speak for any player.
    pub fn proves(&self, player: PlayerId) -> bool {
        self.is_operator() || self.players.contains(&player)
    }

    /// True if the letter proves a player, not only a mailbox.
    pub fn proves_a_player(&self) -> bool {
        self.is_operator() || !self.players.is_empty()
    }

    /// All players whom the letter proves.
    pub fn players(&self) -> &[PlayerId] {
        &self.players
    }

    /// The player who wrote the letter. With several passwords, the owner of the first. `None` if only the sender's
    /// mail server proves the letter and the address has several accounts.
    pub fn player(&self) -> Option<PlayerId> {
        match (self.by, self.players.as_slice()) {
            (ProvenBy::Sender, [player]) => Some(*player),
            (ProvenBy::Sender, _) => None,
            (_, players) => players.first().copied(),
        }
    }
}
