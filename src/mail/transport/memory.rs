//! Keeps mails in memory, for tests.

use std::sync::{Mutex, PoisonError};

use super::{OutEnvelope, SendError, Transport};

#[derive(Debug, Default)]
pub struct Memory {
    has_viewers: bool,
    sent: Mutex<Vec<Sent>>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sent {
    pub envelope: OutEnvelope,
    pub mail: Vec<u8>,
}

impl Memory {
    /// Takes mails with their pictures.
    pub fn with_viewers() -> Memory {
        Memory { has_viewers: true, ..Memory::default() }
    }

    /// Takes all mails sent so far, oldest first.
    pub fn take(&self) -> Vec<Sent> {
        std::mem::take(&mut *self.sent.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Transport for Memory {
    fn send(&self, envelope: &OutEnvelope, mail: &[u8]) -> Result<(), SendError> {
        let sent = Sent { envelope: envelope.clone(), mail: mail.to_vec() };
        self.sent.lock().unwrap_or_else(PoisonError::into_inner).push(sent);
        Ok(())
    }

    fn has_viewers(&self) -> bool {
        self.has_viewers
    }
}
