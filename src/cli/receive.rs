//! `turnpost receive`: one message on standard input, from a mail server's pipe.
//!
//! Only two exit codes mean the same to every mail server: 0, taken care of, and 75, try again later; any other
//! sends the player's mail back. So a player's mistake is 0, since the answer explains it, and whatever is wrong on
//! our side is 75. Nothing is printed, for what is printed is sent to the player.

use std::io::Read;
use std::path::Path;

use super::Instance;
use crate::clock;
use crate::config::Config;
use crate::error::HostError;
use crate::mail::incoming::{Envelope, MAX_MESSAGE};
use crate::pipeline::{self, Handled};

/// What became of a message, for the log.
#[derive(Debug)]
pub enum Received {
    /// It was acted on.
    Acted,
    /// It had been taken in before.
    Again,
    /// It was set aside, and why.
    Ignored(String),
}

/// Takes a message in.
///
/// # Errors
/// Ours only; the message must then stay with the mail server.
pub fn receive(
    data: &Path,
    config: Config,
    envelope: &Envelope,
    mut input: impl Read,
) -> Result<Received, HostError> {
    let bytes = read_all(&mut input).map_err(|why| HostError::Io("standard input".into(), why))?;
    let mut instance = Instance::open(data, config)?;
    let Instance { store, app, .. } = &mut instance;
    let received = pipeline::receive(store, app, &bytes, envelope, clock::now(), &mut clock::rng()?)?;
    let handled = match received {
        pipeline::Received::Ignored(why, None) => return Ok(Received::Ignored(why.to_string())),
        pipeline::Received::Ignored(why, Some(counted)) => {
            return Ok(Received::Ignored(format!("{why} ({counted})")));
        }
        pipeline::Received::Handled(handled) => handled,
    };
    if instance.config.mail.after_receive {
        // The letter is committed: whatever is wrong with sending is for the next try, not for the mail server.
        let _ = instance.deliver();
    }
    Ok(match handled {
        Handled::Acted { .. } => Received::Acted,
        Handled::Again | Handled::Counted(_) => Received::Again,
    })
}

/// Reads to the end, even of what is too long to keep: a mail server may take a closed pipe for a failure.
fn read_all(input: &mut impl Read) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    input.take(MAX_MESSAGE as u64 + 1).read_to_end(&mut bytes)?;
    std::io::copy(input, &mut std::io::sink())?;
    Ok(bytes)
}
