//! The doors: each builds a [`Letter`] and hands it to the service; nothing behind knows which.

pub mod admin;
pub mod admin_args;
pub mod analyse;
mod engine_process;
pub mod import;
pub mod receive;
pub mod robot;
pub mod submit;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use jiff::Timestamp;

use crate::app::App;
use crate::clock;
use crate::config::Config;
use crate::data_dir;
use crate::delivery::{Delivered, deliver};
use crate::error::HostError;
use crate::mail::Letter;
use crate::mail::bounce::Report;
use crate::pipeline::{self, Handled};
use crate::service::bounce::Counted;
use crate::service::clock::Ticked;
use crate::service::robot::{Analysed, Made, Turn, Turned};
use crate::store::Store;

/// An open server: settings, texts and the database.
pub struct Instance {
    /// Where it keeps everything.
    pub data: PathBuf,
    /// Its settings.
    pub config: Config,
    /// Its texts.
    pub app: App,
    /// Its database.
    pub store: Store,
}

impl Instance {
    /// Opens the server of a data directory, which is made if it is not there.
    ///
    /// # Errors
    /// When settings or database cannot be used.
    pub fn open(data: &Path, config: Config) -> Result<Instance, HostError> {
        data_dir::create(data)?;
        let store = data_dir::open_store(data, &config)?;
        Ok(Instance { data: data.to_owned(), app: config.signing_app()?, config, store })
    }

    /// Acts on a letter.
    ///
    /// # Errors
    /// Ours only; nothing of the letter is then kept.
    pub fn handle(&mut self, letter: &Letter, at: Timestamp) -> Result<Handled, HostError> {
        let mut rng = clock::rng()?;
        Ok(pipeline::handle(&mut self.store, &self.app, letter, at, &mut rng)?)
    }

    /// Does what time has made due: reminders, forfeits, deadlines that move.
    ///
    /// # Errors
    /// Ours only; the next tick does what was left.
    pub fn tick(&mut self, at: Timestamp) -> Result<Ticked, HostError> {
        Ok(pipeline::tick(&mut self.store, &self.app, at)?)
    }

    /// Lets the robot do what waits for it, turn after turn, for no longer than `at_most` and the thought in hand.
    ///
    /// # Errors
    /// When the store fails; the next run does what was left.
    pub fn think(&mut self, at_most: Duration) -> Result<RobotTasks, HostError> {
        let begun = std::time::Instant::now();
        let mut thoughts = RobotTasks::default();
        let cancel = AtomicBool::new(false);
        while begun.elapsed() < at_most {
            // Players wait for moves; analyses wait for a quiet moment.
            if let Some(turn) = pipeline::play_robot_turn(&mut self.store, &self.app, clock::now, &cancel)? {
                thoughts.add(turn);
            } else if let Some(done) =
                pipeline::analyse_next(&mut self.store, &self.app, clock::now, &cancel)?
            {
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
    pub fn deliver(&mut self) -> Result<Delivered, HostError> {
        let transport = self.config.transport(&self.data)?;
        let delivered = deliver(&mut self.store, transport.as_ref(), &self.app.server, clock::now)?;
        if delivered.failed > 0 {
            pipeline::tell_operator(&mut self.store, &self.app, clock::now())?;
        }
        Ok(delivered)
    }

    /// Counts what a delivery report says.
    ///
    /// # Errors
    /// Ours only; it can be tried again.
    pub fn take_report(&mut self, report: &Report, at: Timestamp) -> Result<Counted, HostError> {
        Ok(pipeline::take_report(&mut self.store, &self.app, report, at)?)
    }
}

/// What the robot did.
#[derive(Debug, Default)]
pub struct RobotTasks {
    /// Turns it played.
    pub played: usize,
    /// Games it analysed.
    pub analysed: usize,
    /// Mails that put into the outbox.
    pub mails: usize,
    /// Boards on which it could not play, each with why.
    pub lost: Vec<String>,
}

impl RobotTasks {
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

/// A line on standard output. A reader that has gone away, as `head` does, is no failure of ours.
///
/// # Errors
/// When it cannot be written.
pub fn print(line: &str) -> Result<(), HostError> {
    match writeln!(std::io::stdout(), "{line}") {
        Err(why) if why.kind() == std::io::ErrorKind::BrokenPipe => std::process::exit(0),
        done => done.map_err(|why| HostError::Io("standard output".into(), why)),
    }
}
