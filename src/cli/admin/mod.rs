//! `turnpost admin`: looks at what is stored, checks it, copies it.

mod accounts;
mod analyse;
mod backup;
mod boards;
mod import;
mod mails;
mod restore;
mod simulate;
mod tables;

use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Args, Subcommand};

use self::analyse::{AnalyseArgs, analyse};
use self::backup::{BackupArgs, backup};
use self::import::Import;
use self::restore::{RestoreArgs, restore};
use self::simulate::{SimulateArgs, simulate};
use self::tables::{Format, Listing};
use super::progress::Progress;
use super::{Instance, Place, print};
use crate::clock;
use crate::error::HostError;
use crate::ids::{BoardId, Ply, Userid, Which};
use crate::service::verify::verify_telling;
use crate::store::Role;

#[derive(Subcommand)]
pub(crate) enum AdminTask {
    /// List boards, the newest first
    Boards {
        /// Only those of this player
        #[arg(long, value_name = "USERID")]
        user: Option<Userid>,
        /// Only those in play
        #[arg(long, conflicts_with = "finished")]
        running: bool,
        /// Only those that are over
        #[arg(long)]
        finished: bool,
        #[command(flatten)]
        output: Output,
    },
    /// Show one board with its record
    Board {
        /// Its number
        board: BoardId,
        /// As it stood after this ply
        #[arg(long)]
        ply: Option<Ply>,
        #[command(flatten)]
        output: Output,
    },
    /// List accounts
    Users {
        #[command(flatten)]
        output: Output,
    },
    /// Show one account with its boards
    User {
        /// Its userid
        userid: Userid,
        #[command(flatten)]
        output: Output,
    },
    /// Make a player an organiser, who may challenge for others and write to all players; or no longer
    Role {
        /// The userid
        userid: Userid,
        /// What they are to be
        role: RoleName,
    },
    /// List the latest letters and what became of them
    Letters {
        #[command(flatten)]
        output: Output,
    },
    /// List the latest mails and whether they left
    Outbox {
        #[command(flatten)]
        output: Output,
    },
    /// Replay every board and compare all that is stored; exits 1 when something is wrong
    Verify {
        /// Tell on standard error how far it is, even where that is no terminal
        #[arg(long)]
        progress: bool,
    },
    /// Make a new, unrated board of a game record
    Import(ImportArgs),
    /// Print the robot's view of each ply of a game that is over
    Analyse(AnalyseArgs),
    /// Copy the database to a new file while it is in use
    Backup(BackupArgs),
    /// Put a copy of the database in its place, and the old one aside
    Restore(RestoreArgs),
    /// Fill an empty data directory with made-up games, to measure with
    Simulate(SimulateArgs),
}

#[derive(Clone, Copy, clap::ValueEnum)]
pub(crate) enum RoleName {
    /// An organiser.
    Organiser,
    /// No longer one.
    Player,
}

#[derive(Args)]
pub(crate) struct ImportArgs {
    /// The file; `-` is standard input
    file: PathBuf,
    /// Who played it, the first seat first, instead of whom the record names
    #[arg(long, value_name = "ANN,BOB", value_parser = pair)]
    players: Option<[Userid; 2]>,
    /// The format of another server, such as littlegolem or codecup
    #[arg(long, value_name = "NAME")]
    format: Option<String>,
    /// The game, where several have that format
    #[arg(long, value_name = "GAME")]
    game: Option<String>,
}

#[derive(Args)]
pub(crate) struct Output {
    /// As JSON, for programs
    #[arg(long)]
    json: bool,
}

impl Output {
    fn format(&self) -> Format {
        if self.json { Format::Json } else { Format::Table }
    }
}

pub(super) fn run(place: &Place, task: &AdminTask) -> Result<ExitCode, HostError> {
    // Before the database is opened, which may be too damaged for that.
    if let AdminTask::Restore(args) = task {
        return restore(place, args);
    }
    // It makes a server of its own.
    if let AdminTask::Simulate(args) = task {
        print(&simulate(place, args)?)?;
        return Ok(ExitCode::SUCCESS);
    }
    let server = &mut place.open()?;
    match task {
        AdminTask::Boards { user, running, finished, output } => {
            let which = match (running, finished) {
                (true, _) => Which::Active,
                (_, true) => Which::Inactive,
                _ => Which::All,
            };
            show(server, &Listing::Boards { player: user.clone(), which }, output)?;
        }
        AdminTask::Board { board, ply, output } => show(server, &Listing::Board(*board, *ply), output)?,
        AdminTask::Users { output } => show(server, &Listing::Users, output)?,
        AdminTask::User { userid, output } => show(server, &Listing::User(userid.clone()), output)?,
        AdminTask::Letters { output } => show(server, &Listing::Letters, output)?,
        AdminTask::Outbox { output } => show(server, &Listing::Outbox, output)?,
        AdminTask::Role { userid, role } => {
            let role = match role {
                RoleName::Organiser => Role::Organiser,
                RoleName::Player => Role::Player,
            };
            print(&tables::set_role(server, userid, role)?)?;
        }
        AdminTask::Verify { progress: true } => return run_verify(server, Progress::everywhere()),
        AdminTask::Verify { progress: false } => return run_verify(server, Progress::on_a_terminal()),
        AdminTask::Import(args) => run_import(server, args)?,
        AdminTask::Analyse(args) => print(analyse(server, args)?.trim_end())?,
        AdminTask::Backup(args) => print(&backup(server, args)?)?,
        // Done above.
        AdminTask::Restore(_) | AdminTask::Simulate(_) => {}
    }
    Ok(ExitCode::SUCCESS)
}

fn show(server: &Instance, listing: &Listing, output: &Output) -> Result<(), HostError> {
    print(tables::list(server, listing, output.format())?.trim_end())
}

fn run_verify(server: &Instance, progress: Progress) -> Result<ExitCode, HostError> {
    let findings = verify_telling(&server.store, |boards| progress.show(|| format!("{boards} boards")))?;
    drop(progress);
    for wrong in &findings.wrong {
        print(wrong)?;
    }
    let (boards, events) = (findings.boards, findings.events);
    print(&format!("{boards} boards, {events} events, {} findings", findings.wrong.len()))?;
    Ok(if findings.wrong.is_empty() { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

/// Two userids with a comma between them.
fn pair(text: &str) -> Result<[Userid; 2], String> {
    let (first, second) = text.split_once(',').ok_or("two userids with a comma between them are expected")?;
    let userid = |text: &str| text.trim().parse::<Userid>().map_err(|why| why.to_string());
    Ok([userid(first)?, userid(second)?])
}

fn run_import(server: &mut Instance, args: &ImportArgs) -> Result<(), HostError> {
    let io = |why| HostError::Io(args.file.display().to_string(), why);
    let mut bytes = Vec::new();
    if args.file == Path::new("-") {
        std::io::stdin().lock().take(1 << 20).read_to_end(&mut bytes).map_err(io)?;
    } else {
        std::fs::File::open(&args.file).map_err(io)?.take(1 << 20).read_to_end(&mut bytes).map_err(io)?;
    }
    let how = Import { players: args.players.clone(), format: args.format.clone(), game: args.game.clone() };
    let text = String::from_utf8_lossy(&bytes);
    let board = import::import(server, &text, &how, clock::now())?;
    print(&format!("board {board}, which does not count for the ratings"))
}
