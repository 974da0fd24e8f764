//! What goes wrong on our side, as the host is told.

use crate::config::ConfigError;
use crate::service;
use crate::store::StoreError;

/// "Try again later" (sysexits.h): the one exit code besides 0 that every mail server understands.
pub const EX_TEMPFAIL: u8 = 75;

/// An error of ours, for the terminal or the log.
#[derive(Debug, thiserror::Error)]
pub enum HostError {
    /// The configuration.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// The database.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Acting on a letter.
    #[error(transparent)]
    Service(#[from] service::Error),
    /// Files and pipes.
    #[error("{0}: {1}")]
    Io(String, std::io::Error),
    /// The system has no randomness to give.
    #[error("no randomness: {0}")]
    Randomness(#[from] rand::rngs::SysError),
    /// Something the person in front of the terminal asked for and cannot have.
    #[error("{0}")]
    Asked(String),
}
