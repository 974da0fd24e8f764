//! The doors: each builds a [`Letter`] and hands it to the service; nothing behind knows which.

pub mod admin;
pub mod import;
pub mod receive;
pub mod robot;
pub mod submit;

use std::path::{Path, PathBuf};
use std::time::Duration;

use jiff::Timestamp;

use crate::clock;
use crate::config::{Config, ConfigError};
use crate::mail::Letter;
use crate::mail::deliver::{Delivered, deliver};
use crate::service::clock::Ticked;
use crate::service::{self, Failure, Handled, House};
use crate::store::{Store, StoreError};

/// The name of the database in the data directory.
pub const DATABASE: &str = "turnpost.db";

/// Our side's trouble, as a door tells it.
#[derive(Debug, thiserror::Error)]
pub enum DoorError {
    /// The configuration.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// The database.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Acting on a letter.
    #[error(transparent)]
    Failure(#[from] Failure),
    /// Files and pipes.
    #[error("{0}: {1}")]
    Io(String, std::io::Error),
    /// The system has no randomness to give.
    #[error("no randomness: {0}")]
    Chance(#[from] rand::rngs::SysError),
    /// Something the person in front of the terminal asked for and cannot have.
    #[error("{0}")]
    Asked(String),
}

/// An open server: settings, texts and the database.
pub struct Server {
    /// Where it keeps everything.
    pub data: PathBuf,
    /// Its settings.
    pub config: Config,
    /// Its texts.
    pub house: House,
    /// Its database.
    pub store: Store,
}

impl Server {
    /// Opens the server of a data directory, which is made if it is not there.
    ///
    /// # Errors
    /// When settings or database cannot be used.
    pub fn open(data: &Path, config: Config) -> Result<Server, DoorError> {
        make_private(data).map_err(|why| DoorError::Io(data.display().to_string(), why))?;
        let store = Store::open(&data.join(DATABASE))?;
        store.set_patience(Duration::from_secs(config.busy_seconds.into()))?;
        Ok(Server { data: data.to_owned(), house: config.house(), config, store })
    }

    /// Acts on a letter.
    ///
    /// # Errors
    /// Ours only; nothing of the letter is then kept.
    pub fn handle(&mut self, letter: &Letter, at: Timestamp) -> Result<Handled, DoorError> {
        let mut chance = clock::chance()?;
        Ok(service::handle(&mut self.store, &self.house, letter, at, &mut chance)?)
    }

    /// Does what time has made due: reminders, forfeits, deadlines that move.
    ///
    /// # Errors
    /// Ours only; the next tick does what was left.
    pub fn tick(&mut self, at: Timestamp) -> Result<Ticked, DoorError> {
        Ok(service::clock::tick(&mut self.store, &self.house, at)?)
    }

    /// Sends what is due.
    ///
    /// # Errors
    /// When the transport cannot be set up or the database fails.
    pub fn deliver(&mut self) -> Result<Delivered, DoorError> {
        let transport = self.config.transport(&self.data)?;
        Ok(deliver(&mut self.store, transport.as_ref(), &self.house.site, clock::now)?)
    }
}

/// Makes the data directory for its owner alone: it holds mail and the hashes of passwords.
fn make_private(data: &Path) -> std::io::Result<()> {
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(data)
}
