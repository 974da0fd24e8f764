//! The doors: each builds a [`Letter`] and hands it to the service; nothing behind knows which.

pub mod admin;
pub mod admin_task;
pub mod analyse;
mod guest;
pub mod import;
pub mod receive;
pub mod robot;
pub mod serve;
pub mod submit;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use jiff::Timestamp;

use crate::clock;
use crate::config::{Config, ConfigError};
use crate::mail::Letter;
use crate::mail::bounce::Report;
use crate::mail::deliver::{Delivered, deliver};
use crate::service::bounce::Counted;
use crate::service::clock::Ticked;
use crate::service::robot::{Analysed, Made, Turn, Turned, analyse_one, think_one};
use crate::service::{self, Failure, Handled, House};
use crate::store::{Store, StoreError};

/// The name of the database in the data directory.
pub const DATABASE: &str = "turnpost.db";

/// "Try again later" (sysexits.h): the one exit code besides 0 that every mail server understands.
pub const EX_TEMPFAIL: u8 = 75;

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
        let mut store = Store::open(&data.join(DATABASE))?;
        store.set_patience(Duration::from_secs(config.busy_seconds.into()))?;
        Ok(Server { data: data.to_owned(), house: config.signing_house()?, config, store })
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

    /// Lets the robot do what waits for it, turn after turn, for no longer than `at_most` and the thought in hand.
    ///
    /// # Errors
    /// When the store fails; the next run does what was left.
    pub fn think(&mut self, at_most: Duration) -> Result<Thoughts, DoorError> {
        let begun = std::time::Instant::now();
        let mut thoughts = Thoughts::default();
        let cancel = AtomicBool::new(false);
        while begun.elapsed() < at_most {
            // Players wait for moves; analyses wait for a quiet moment.
            if let Some(turn) = think_one(&mut self.store, &self.house, clock::now, &cancel)? {
                thoughts.add(turn);
            } else if let Some(done) = analyse_one(&mut self.store, &self.house, clock::now, &cancel)? {
                thoughts.add_analysis(done);
            } else {
                break;
            }
        }
        Ok(thoughts)
    }

    /// Sends what is due.
    ///
    /// # Errors
    /// When the transport cannot be set up or the database fails.
    pub fn deliver(&mut self) -> Result<Delivered, DoorError> {
        let transport = self.config.transport(&self.data)?;
        let delivered = deliver(&mut self.store, transport.as_ref(), &self.house.site, clock::now)?;
        if delivered.failed > 0 {
            let house = &self.house;
            self.store.write(|store| service::bounce::tell_operator(store, house, clock::now()))?;
        }
        Ok(delivered)
    }

    /// Counts what a delivery report says.
    ///
    /// # Errors
    /// Ours only; it can be tried again.
    pub fn take_report(&mut self, report: &Report, at: Timestamp) -> Result<Counted, DoorError> {
        Ok(service::bounce::take_report(&mut self.store, &self.house, report, at)?)
    }
}

/// What the robot did.
#[derive(Debug, Default)]
pub struct Thoughts {
    /// Turns it played.
    pub played: usize,
    /// Games it analysed.
    pub analysed: usize,
    /// Mails that put into the outbox.
    pub mails: usize,
    /// Boards on which it could not play, each with why.
    pub lost: Vec<String>,
}

impl Thoughts {
    fn add(&mut self, turn: Turn) {
        match turn.turned {
            Turned::Played { mails } => {
                self.played += 1;
                self.mails += mails;
            }
            Turned::Dropped | Turned::Stopped => {}
            Turned::Lost(why) => self.lost.push(format!("board {}: {why}", turn.board)),
        }
    }

    fn add_analysis(&mut self, done: Analysed) {
        match done.made {
            Made::Kept { mails } => {
                self.analysed += 1;
                self.mails += mails;
            }
            Made::Stopped => {}
            Made::Lost(why) => self.lost.push(format!("analysis of board {}: {why}", done.board)),
        }
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

/// A line on standard output. A reader that has gone away, as `head` does, is no failure of ours.
///
/// # Errors
/// When it cannot be written.
pub fn print(line: &str) -> Result<(), DoorError> {
    match writeln!(std::io::stdout(), "{line}") {
        Err(why) if why.kind() == std::io::ErrorKind::BrokenPipe => std::process::exit(0),
        done => done.map_err(|why| DoorError::Io("standard output".into(), why)),
    }
}
