//! The command line: one file for each subcommand.

mod admin;
mod defaults;
mod dice;
mod doctor;
mod init;
mod instance;
mod position;
mod progress;
mod receive;
mod robot;
pub mod submit;
mod tick;
mod upgrade;

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, LazyLock};

use clap::error::ErrorKind;
use clap::{Args, Parser, Subcommand};
use signal_hook::consts::SIGBUS;
use tracing::Level;

use crate::config::{Config, FILE, UnknownVariable, unknown_variables as unknown_among};
use crate::data_dir::DATABASE;
use crate::delivery::Delivered;
use crate::error::{EX_TEMPFAIL, HostError};
use crate::server::journal;
use crate::store::{LATEST, Store, StoreError, Takeover};
use crate::{clock, data_dir, private_files};

pub use instance::Instance;
pub use tick::ROBOT_SECONDS;

/// The versions of the program and of its databases, and the commit if `build.rs` knew it.
static VERSIONS: LazyLock<String> = LazyLock::new(|| {
    let commit =
        option_env!("TURNPOST_COMMIT").map(|commit| format!("\ncommit {commit}")).unwrap_or_default();
    format!("{}\ndatabase {LATEST}{commit}", env!("CARGO_PKG_VERSION"))
});

/// A play-by-email turn server for board games.
#[derive(Parser)]
#[command(name = "turnpost", version, long_version = VERSIONS.as_str(), about, max_term_width = 100)]
pub struct Cli {
    #[command(flatten)]
    place: DataPath,
    #[command(subcommand)]
    task: Task,
}

/// The places of data and configuration.
#[derive(Args)]
struct DataPath {
    /// The directory of database and mail (default: /var/lib/turnpost if it exists and the program is installed, else
    /// turnpost-data)
    #[arg(long, global = true, env = "TURNPOST_DATA", default_value_os_t = defaults::data(), hide_default_value = true, value_name = "DIR")]
    data: PathBuf,
    /// The configuration file (default: turnpost.toml in the data directory; an installed program with its data in
    /// /var/lib/turnpost reads /etc/turnpost/turnpost.toml)
    #[arg(long, global = true, env = "TURNPOST_CONFIG", value_name = "FILE")]
    config: Option<PathBuf>,
}

impl DataPath {
    fn settings(&self) -> Result<Config, HostError> {
        Ok(Config::load(&self.data, self.settings_file().as_deref(), &self.variables())?)
    }

    /// The variables of the environment that are settings.
    fn variables(&self) -> BTreeMap<String, String> {
        let of_text =
            |(name, value): (OsString, OsString)| Some((name.into_string().ok()?, value.into_string().ok()?));
        let is_setting = |(name, _): &(String, String)| {
            name.starts_with("TURNPOST_") && name != "TURNPOST_DATA" && name != "TURNPOST_CONFIG"
        };
        std::env::vars_os().filter_map(of_text).filter(is_setting).collect()
    }

    /// The configuration file outside the data directory, if there is one.
    fn settings_file(&self) -> Option<PathBuf> {
        let of_the_machine = || defaults::settings(&self.data).filter(|file| file.exists());
        self.config.clone().or_else(of_the_machine)
    }

    fn open(&self) -> Result<Instance, HostError> {
        // Before the settings, which another user may not be able to read.
        data_dir::refuse_others(&self.data)?;
        data_dir::must_hold_a_database(&self.data)?;
        let instance = Instance::open(&self.data, self.settings()?)?;
        self.warn();
        Ok(instance)
    }

    /// Opens the server, or makes one in a folder that never had one. If the configuration is elsewhere, it makes none:
    /// then the folder is the wrong one, or its disk is missing.
    fn open_or_make(&self) -> Result<Instance, HostError> {
        data_dir::refuse_others(&self.data)?;
        let config = self.settings()?;
        let own = std::path::absolute(self.data.join(FILE)).ok();
        let is_apart = config.file.is_some() && config.file != own;
        if data_dir::has_never_had_one(&self.data) && !is_apart {
            data_dir::set_up(&self.data, &config)?;
        }
        self.open()
    }

    /// Opens the server for reading only.
    fn look(&self) -> Result<Instance, HostError> {
        self.look_by(Store::open_read_only)
    }

    /// Opens the server for reading only, by `open`.
    fn look_by(&self, open: fn(&Path) -> Result<Store, StoreError>) -> Result<Instance, HostError> {
        data_dir::refuse_others(&self.data)?;
        data_dir::must_hold_a_database(&self.data)?;
        let instance = Instance::look(&self.data, self.settings()?, open)?;
        self.warn();
        Ok(instance)
    }

    fn warn(&self) {
        if let Some(warning) = data_dir::open_to_others(&self.data) {
            complain(&warning);
        }
    }
}

#[derive(Subcommand)]
enum Task {
    /// Take in one mail from standard input (for a mail server's pipe; exits 0 or 75)
    Receive(receive::ReceiveArgs),
    /// Carry out commands and print the answers; exits 1 when the last was not carried out
    Submit(submit::SubmitArgs),
    /// Send the mails that wait
    Deliver,
    /// Send reminders, end games whose time is up, and rate; run it every few minutes
    Tick,
    /// Take mail over LMTP, send what waits and run the clocks, until SIGTERM; SIGHUP reads the settings again; see
    /// [serve] of the configuration
    Serve {
        /// Start even if another machine ran `serve` within the last two minutes
        #[arg(long)]
        take_over: bool,
    },
    /// Look at stored data, check, mend and copy them
    Admin {
        #[command(subcommand)]
        task: admin::AdminTask,
    },
    /// Copy a database of an earlier version, and bring it to that of this program
    Upgrade(upgrade::UpgradeArgs),
    /// Draw a position, as text or as a picture
    Draw(position::DrawArgs),
    /// Count the sequences of legal plies from a position, depth by depth
    Perft(position::PerftArgs),
    /// Compute the rolls of a record again, from the secret of their dice
    Dice(dice::DiceArgs),
    /// Ask the robot for a ply
    Robot {
        #[command(subcommand)]
        task: robot::RobotTask,
    },
    /// Print the settings in force
    Config,
    /// Make the data directory and the configuration of a new server, or note another address or transport of one that
    /// is there, and print the lines for its mail server
    Init(init::InitArgs),
    /// Check everything that a host sets up, and say what to do; changes nothing and exits 1 when something is wrong
    Doctor(doctor::DoctorArgs),
}

/// Runs the program; gives its exit code.
pub fn main() -> ExitCode {
    private_files::set_umask();
    // SQLite maps files into memory. A full disk under such a file raises this signal, and mail servers know no exit
    // code for it. If the handler cannot be set, the signal ends the process as before.
    let _ = signal_hook::flag::register_conditional_shutdown(
        SIGBUS,
        EX_TEMPFAIL.into(),
        Arc::new(AtomicBool::new(true)),
    );
    let Cli { place, task } = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => return usage(&error),
    };
    let done = match task {
        Task::Receive(args) => Ok(receive::run(&place, &args)),
        Task::Submit(args) => submit::run(&place, &args),
        Task::Deliver => deliver(&place),
        Task::Tick => tick::run(&place),
        Task::Serve { take_over: true } => serve(&place, Takeover::ByHost),
        Task::Serve { take_over: false } => serve(&place, Takeover::Never),
        Task::Admin { task } => admin::run(&place, task),
        Task::Upgrade(args) => upgrade::run(&place, &args),
        Task::Draw(args) => position::draw(&args),
        Task::Perft(args) => position::perft(&args),
        Task::Dice(args) => dice::run(&args),
        Task::Robot { task } => robot::run(&task).map(|()| ExitCode::SUCCESS),
        Task::Config => print_settings(&place),
        Task::Init(args) => init::run(&place, &args),
        Task::Doctor(args) => doctor::run(&place, &args),
    };
    done.unwrap_or_else(|error| {
        tell(Level::ERROR, &error.to_string());
        ExitCode::from(error.exit_code())
    })
}

/// Sends the mails that wait.
fn deliver(place: &DataPath) -> Result<ExitCode, HostError> {
    let mut instance = place.open()?;
    let now = clock::now();
    if let Some(other) = instance.store.served_elsewhere(now)? {
        return Err(HostError::served_elsewhere(other, now));
    }
    let Delivered { sent, later, failed } = instance.deliver()?;
    print(&format!("{sent} sent, {later} to be tried again, {failed} refused for good"))?;
    Ok(ExitCode::SUCCESS)
}

fn serve(place: &DataPath, takeover: Takeover) -> Result<ExitCode, HostError> {
    // Before the settings, which another user may not be able to read.
    data_dir::refuse_others(&place.data)?;
    crate::server::serve(&place.data, || place.settings(), &unknown_variables(), takeover)?;
    Ok(ExitCode::SUCCESS)
}

fn print_settings(place: &DataPath) -> Result<ExitCode, HostError> {
    let config = place.settings()?;
    for ignored in unknown_variables().iter().map(ToString::to_string).chain(config.struck.clone()) {
        complain(&ignored);
    }
    let file = place.settings_file().unwrap_or_else(|| place.data.join(FILE));
    let is_there = if file.exists() { "" } else { " (not there)" };
    print(&format!("# configuration: {}{is_there}", file.display()))?;
    print(&format!("# database: {}", place.data.join(DATABASE).display()))?;
    print(&format!("# mail of the directory transport: {}", config.mail_folder(&place.data).display()))?;
    print(config.print().trim_end())?;
    Ok(ExitCode::SUCCESS)
}

/// Answers a command line that cannot be read. In a mail server's pipe the exit code is "try again later", so that the
/// host's mistake does not send players' mail back.
fn usage(error: &clap::Error) -> ExitCode {
    let asks_for_help = matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion);
    if receive::is_asked() && !asks_for_help && !std::io::stdin().is_terminal() {
        let _ = std::io::copy(&mut std::io::stdin(), &mut std::io::sink());
        return ExitCode::from(EX_TEMPFAIL);
    }
    let _ = error.print();
    if asks_for_help { ExitCode::SUCCESS } else { ExitCode::from(2) }
}

/// The variables of this process that look like settings but are not.
fn unknown_variables() -> Vec<UnknownVariable> {
    unknown_among(std::env::vars_os().filter_map(|(name, _)| name.into_string().ok()))
}

/// Writes a line to standard output.
fn print(line: &str) -> Result<(), HostError> {
    print_piece(&format!("{line}\n"))
}

/// Writes to standard output. A reader that has gone away, as `head` does, is no failure.
fn print_piece(piece: &str) -> Result<(), HostError> {
    match std::io::stdout().write_all(piece.as_bytes()) {
        Err(why) if why.kind() == std::io::ErrorKind::BrokenPipe => std::process::exit(0),
        done => done.map_err(|why| HostError::Io("standard output".into(), why)),
    }
}

fn complain(line: &str) {
    tell(Level::WARN, line);
}

/// Writes a line to standard error.
fn tell(level: Level, line: &str) {
    let _ = std::io::stderr().write_all(journal::text(level, &format!("turnpost: {line}")).as_bytes());
}
