//! The command line: a file a subcommand.

mod admin;
mod config;
mod deliver;
mod engine_process;
mod instance;
mod perft;
mod progress;
mod receive;
mod robot;
mod serve;
pub mod submit;
mod tick;

use std::io::{IsTerminal, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::error::ErrorKind;
use clap::{Args, Parser, Subcommand};

use crate::config::Config;
use crate::error::{EX_TEMPFAIL, HostError};
use crate::{data_dir, private_files};

pub use instance::Instance;

/// A play-by-email turn server for board games.
#[derive(Parser)]
#[command(name = "turnpost", version, about, max_term_width = 100)]
pub struct Cli {
    #[command(flatten)]
    place: Place,
    #[command(subcommand)]
    task: Task,
}

/// Where the server is.
#[derive(Args)]
struct Place {
    /// The directory that holds database and mail
    #[arg(long, global = true, env = "TURNPOST_DATA", default_value = "turnpost-data", value_name = "DIR")]
    data: PathBuf,
    /// The configuration file; without it, turnpost.toml in the data directory, if it is there
    #[arg(long, global = true, env = "TURNPOST_CONFIG", value_name = "FILE")]
    config: Option<PathBuf>,
}

impl Place {
    fn settings(&self) -> Result<Config, HostError> {
        Ok(Config::load(&self.data, self.config.as_deref(), |name| std::env::var(name).ok())?)
    }

    fn open(&self) -> Result<Instance, HostError> {
        // Before the settings, which another user may not be able to read.
        data_dir::refuse_others(&self.data)?;
        let instance = Instance::open(&self.data, self.settings()?)?;
        if let Some(warning) = data_dir::open_to_others(&self.data) {
            complain(&warning);
        }
        Ok(instance)
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
    /// Remind, end what has run out of time, and rate; to be run every few minutes
    Tick,
    /// Take mail over LMTP, send what waits and run the clocks, until SIGTERM; see [serve] of the configuration
    Serve,
    /// Look at what is stored, check it, copy it
    Admin {
        #[command(subcommand)]
        task: admin::AdminTask,
    },
    /// Count the sequences of legal plies from a position, depth by depth
    Perft(perft::PerftArgs),
    /// Ask the robot for a ply, let it play another program, let its levels play each other
    Robot {
        #[command(subcommand)]
        task: robot::RobotTask,
    },
    /// Print the settings in force
    Config,
}

/// Runs the program; gives its exit code.
pub fn main() -> ExitCode {
    private_files::set_umask();
    // A plain `receive` is read by a small parser of its own. Everything else, help and mistakes too, by the whole.
    if let Some((place, args)) = receive::read_alone() {
        return receive::run(&place, &args);
    }
    let Cli { place, task } = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => return usage(&error),
    };
    let done = match &task {
        Task::Receive(args) => Ok(receive::run(&place, args)),
        Task::Submit(args) => submit::run(&place, args),
        Task::Deliver => deliver::run(&place),
        Task::Tick => tick::run(&place),
        Task::Serve => serve::run(&place),
        Task::Admin { task } => admin::run(&place, task),
        Task::Perft(args) => perft::run(args),
        Task::Robot { task } => robot::run(task).map(|()| ExitCode::SUCCESS),
        Task::Config => config::run(&place),
    };
    done.unwrap_or_else(|error| {
        complain(&error.to_string());
        ExitCode::from(EX_TEMPFAIL)
    })
}

/// Answers a command line that cannot be read. Behind a mail server even that is "try again later": the host's
/// mistake in a configuration must not send players' mail back.
fn usage(error: &clap::Error) -> ExitCode {
    let asks_for_help = matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion);
    if receive::is_asked() && !asks_for_help && !std::io::stdin().is_terminal() {
        let _ = std::io::copy(&mut std::io::stdin(), &mut std::io::sink());
        return ExitCode::from(EX_TEMPFAIL);
    }
    let _ = error.print();
    if asks_for_help { ExitCode::SUCCESS } else { ExitCode::from(2) }
}

/// Writes a line to standard output. A reader that has gone away, as `head` does, is no failure of ours.
fn print(line: &str) -> Result<(), HostError> {
    match writeln!(std::io::stdout(), "{line}") {
        Err(why) if why.kind() == std::io::ErrorKind::BrokenPipe => std::process::exit(0),
        done => done.map_err(|why| HostError::Io("standard output".into(), why)),
    }
}

/// Writes a line to standard error.
fn complain(line: &str) {
    let _ = writeln!(std::io::stderr(), "turnpost: {line}");
}
