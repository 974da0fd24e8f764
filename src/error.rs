//! Errors of the server, as the host sees them.

use crate::config::ConfigError;
use crate::failure;
use crate::store::StoreError;

/// "Try again later" (sysexits.h): the one exit code besides 0 that every mail server understands.
pub const EX_TEMPFAIL: u8 = 75;

#[derive(Debug, thiserror::Error)]
pub enum HostError {
    #[error(transparent)]
    Config(#[from] ConfigError),
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Service(#[from] failure::Error),
    /// A file or pipe.
    #[error("{0}: {1}")]
    Io(String, std::io::Error),
    /// The data directory, and whose it is.
    #[error("{0} belongs to {1}: run this as that user, by `sudo -u {1}` before the command")]
    NotTheOwner(String, String),
    /// The data directory as it was looked for.
    #[error("there is no Turnpost database in {0}: name the data directory by `--data` or TURNPOST_DATA")]
    NoDatabase(String),
    #[error("no randomness: {0}")]
    Randomness(#[from] rand::rngs::SysError),
    /// A request from the command line that cannot be met.
    #[error("{0}")]
    Asked(String),
}
