//! A server opened for one task.

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use jiff::Timestamp;

use crate::app::App;
use crate::commands::{Analysed, Made};
use crate::config::Config;
use crate::data_dir::Use;
use crate::delivery::{Delivered, deliver};
use crate::error::HostError;
use crate::mail::Letter;
use crate::pipeline::{self, Handled};
use crate::store::{Store, StoreError};
use crate::timer::tick::Ticked;
use crate::timer::{TakenTurn, Turned};
use crate::{clock, data_dir, private_files};

pub struct Instance {
    pub data: PathBuf,
    pub config: Config,
    pub app: App,
    pub store: Store,
}

impl Instance {
    pub fn open(data: &Path, config: Config) -> Result<Instance, HostError> {
        data_dir::narrow(data, &config);
        let store = data_dir::open_store(data, &config)?;
        Ok(Instance { data: data.to_owned(), app: config.signing_app()?, config, store })
    }

    pub(super) fn look(
        data: &Path,
        config: Config,
        open: fn(&Path) -> Result<Store, StoreError>,
    ) -> Result<Instance, HostError> {
        // An earlier version left files readable by others.
        data_dir::narrow(data, &config);
        let database = data.join(data_dir::DATABASE);
        for file in private_files::of_database(&database) {
            private_files::narrow(&file);
        }
        let store = open(&database)?;
        data_dir::compare(&store, data, &config, Use::Look)?;
        Ok(Instance { data: data.to_owned(), app: config.app(), config, store })
    }

    pub fn handle(&mut self, letter: &Letter, at: Timestamp) -> Result<Handled, HostError> {
        let mut rng = clock::rng()?;
        Ok(pipeline::handle(&mut self.store, &self.app, letter, at, &mut rng)?)
    }

    /// Runs the clocks: reminders, forfeits, moved deadlines.
    pub fn tick(&mut self, at: Timestamp) -> Result<Ticked, HostError> {
        Ok(pipeline::tick(&mut self.store, &self.app, at)?)
    }

    /// Deletes the text of old mails; returns of how many.
    pub(super) fn forget_mails(&mut self, now: Timestamp) -> Result<usize, HostError> {
        match self.config.keep.mails.before(now) {
            Some(before) => Ok(pipeline::forget_mails(&mut self.store, before, now, || true)?),
            None => Ok(0),
        }
    }

    /// Lets the robot work for `seconds`; a search in progress is finished.
    pub fn think(&mut self, seconds: i64, now: impl Fn() -> Timestamp) -> Result<RobotTasks, HostError> {
        let begun = now();
        let mut tasks = RobotTasks::default();
        let cancel = AtomicBool::new(false);
        // A clock that is set back ends the loop too.
        while (0..seconds).contains(&now().duration_since(begun).as_secs()) {
            // Players wait for moves, so moves come before analyses.
            if let Some(turn) = pipeline::play_robot_turn(&mut self.store, &self.app, &now, &cancel)? {
                tasks.add(turn);
            } else if let Some(done) = pipeline::analyse_next(&mut self.store, &self.app, &now, &cancel)? {
                tasks.add_analysis(done);
            } else {
                break;
            }
        }
        Ok(tasks)
    }

    /// Sends the mails that are due.
    pub fn deliver(&mut self) -> Result<Delivered, HostError> {
        let transport = self.config.transport(&self.data)?;
        let delivered = deliver(&mut self.store, transport.as_ref(), &self.app, clock::now)?;
        if delivered.failed > 0 {
            pipeline::tell_operator(&mut self.store, &self.app, clock::now())?;
        }
        Ok(delivered)
    }
}

/// What the robot did in one call of [`Instance::think`].
#[derive(Debug, Default)]
pub struct RobotTasks {
    pub played: usize,
    pub analysed: usize,
    /// Mails put into the outbox.
    pub mails: usize,
    /// Boards on which it failed, with the reason.
    pub lost: Vec<String>,
}

impl RobotTasks {
    fn add(&mut self, turn: TakenTurn) {
        match turn.turned {
            Turned::Played { mails } => {
                self.played += 1;
                self.mails += mails;
            }
            Turned::Dropped | Turned::Stopped | Turned::Adjourned => {}
            Turned::Failed { engine, why } => {
                self.lost.push(format!("board {}: {engine} does not play: {why}", turn.board));
            }
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
