//! Mails kept in memory: for tests and for rehearsals.

use std::sync::{Mutex, PoisonError};

use super::{OutEnvelope, SendError, Transport};

/// Keeps every mail.
#[derive(Debug, Default)]
pub struct Memory(Mutex<Vec<Sent>>);

/// A mail that was sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sent {
    /// To whom.
    pub envelope: OutEnvelope,
    /// What.
    pub mail: Vec<u8>,
}

impl Memory {
    /// All mails sent so far, the oldest first; they are kept no longer.
    pub fn take(&self) -> Vec<Sent> {
        std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Transport for Memory {
    fn send(&self, envelope: &OutEnvelope, mail: &[u8]) -> Result<(), SendError> {
        let sent = Sent { envelope: envelope.clone(), mail: mail.to_vec() };
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(sent);
        Ok(())
    }
}
