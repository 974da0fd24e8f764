//! Errors of the server, as the host sees them.

use std::io;
use std::path::Path;

use jiff::Timestamp;

use crate::config::ConfigError;
use crate::failure;
use crate::private_files;
use crate::store::{ServingRow, StoreError};

/// "Try again later" (sysexits.h): the one exit code besides 0 that every mail server understands.
pub const EX_TEMPFAIL: u8 = 75;

#[derive(Debug, thiserror::Error)]
pub enum HostError {
    #[error(transparent)]
    Config(#[from] ConfigError),
    #[error("{}", .0.for_host())]
    Store(#[from] StoreError),
    #[error(transparent)]
    Service(#[from] failure::Error),
    /// A file or pipe.
    #[error("{0}: {1}")]
    Io(String, io::Error),
    /// The data directory and its owner.
    #[error("{0} belongs to {1}: run this as that user, by `sudo -u {1}` before the command")]
    NotTheOwner(String, String),
    /// Database, configuration or mark is missing or belongs to another server. Mail waits until the host repairs that.
    #[error("{0}")]
    NotWhole(String),
    #[error("no randomness: {0}")]
    Randomness(#[from] rand::rngs::SysError),
    /// The machine that serves, and how many seconds ago it was seen.
    #[error(
        "{0} serves this database, and was seen {1} seconds ago, so that this machine neither serves nor sends: what is not seen \
         for two minutes serves no more, and `turnpost serve --take-over` waits for nothing. `machine` of [serve] names each"
    )]
    ServedElsewhere(String, i64),
    /// A request from the command line that cannot be met.
    #[error("{0}")]
    Asked(String),
}

impl HostError {
    /// Turns an error of the system into one that names its file or folder.
    pub fn at(path: &Path) -> impl Fn(io::Error) -> HostError {
        move |why| HostError::Io(path.display().to_string(), why)
    }

    pub fn served_elsewhere(other: ServingRow, now: Timestamp) -> HostError {
        HostError::ServedElsewhere(other.machine, now.as_second() - other.seen.as_second())
    }

    /// 75 if the same command can succeed later, by itself or once the server is whole again. 1 if the host must change
    /// something. `receive` does not use this: it exits only with 0 or 75.
    pub fn exit_code(&self) -> u8 {
        let may_pass = match self {
            HostError::Store(why) | HostError::Service(failure::Error::Store(why)) => {
                why.may_pass() || why.is_damage() || matches!(why, StoreError::NotOurs(_))
            }
            HostError::Config(ConfigError::File(..)) | HostError::NotWhole(_) => true,
            HostError::Io(_, why) => private_files::may_pass(why),
            HostError::Service(_) | HostError::Randomness(_) | HostError::ServedElsewhere(..) => true,
            HostError::Config(_) | HostError::NotTheOwner(..) | HostError::Asked(_) => false,
        };
        if may_pass { EX_TEMPFAIL } else { 1 }
    }
}
