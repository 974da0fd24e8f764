//! `turnpost admin`: looks at what is stored, checks it, copies it, mends it.

mod accounts;
mod acts;
mod analyse;
mod backup;
mod boards;
mod contests;
mod import;
mod letters;
mod listing;
mod mails;
pub(super) mod picture;
mod questions;
mod tables;

use std::process::ExitCode;

use clap::Subcommand;

use self::acts::{
    AddressActArgs, AnnounceArgs, BoardActArgs, ContestActArgs, MailActArgs, Reason, UserActArgs,
};
use self::analyse::{AnalyseArgs, analyse};
pub(super) use self::backup::named_after_now;
use self::backup::{BackupArgs, RestoreArgs, backup, restore};
use self::import::{ImportArgs, run_import};
use self::listing::{ListFilter, Output};
use self::picture::PictureArgs;
use self::tables::Whom;
use super::progress::Progress;
use super::{DataPath, complain, print};
use crate::board::verify::verify_telling;
use crate::contest::record::faults as contest_faults;
use crate::error::HostError;
use crate::ids::{BoardId, Ply, Userid};
use crate::store::{AccountRole, Store};
use crate::timer::host_acts::{Act, BanAct, GamesOfTwo, UserAct, export as export_user};

#[derive(Subcommand)]
pub(crate) enum AdminTask {
    /// List boards, the newest first
    Boards {
        #[command(flatten)]
        chosen: boards::BoardChoice,
        #[command(flatten)]
        output: Output,
    },
    /// Show one board with its record, or mend it
    Board {
        /// Its number
        board: BoardId,
        /// As it stood after this ply
        #[arg(long, conflicts_with = "board_act")]
        ply: Option<Ply>,
        #[command(flatten)]
        picture: PictureArgs,
        #[command(flatten)]
        act: BoardActArgs,
        #[command(flatten)]
        reason: Reason,
        #[command(flatten)]
        output: Output,
    },
    /// List events, leagues and their seasons, the last changed first
    Contests {
        #[command(flatten)]
        output: Output,
    },
    /// Show one of them with its table; or take a player out, begin it, end it
    Contest {
        /// Its name
        name: String,
        #[command(flatten)]
        act: ContestActArgs,
        #[command(flatten)]
        reason: Reason,
        #[command(flatten)]
        output: Output,
    },
    /// List accounts, the newest first
    Users {
        #[command(flatten)]
        chosen: accounts::UserChoice,
        #[command(flatten)]
        output: Output,
    },
    /// Show one account: its addresses and what came back from them, its last mails, its boards; or mend it
    User {
        /// Its userid, or its number in the log
        userid: Whom,
        #[command(flatten)]
        act: UserActArgs,
        #[command(flatten)]
        reason: Reason,
        #[command(flatten)]
        output: Output,
    },
    /// Say what a word names: an address, a userid, a Message-ID, a board, a contest; and which command shows it
    Find {
        /// What you have
        text: String,
        #[command(flatten)]
        output: Output,
    },
    /// Compare two players, of whom somebody thinks that they are one, or that a robot plays for one
    Compare {
        /// Their userids
        #[arg(num_args = 2, required = true, value_name = "USERID")]
        players: Vec<Whom>,
        #[command(flatten)]
        output: Output,
    },
    /// Count week by week: new players, players who wrote, games begun and ended, letters, mails
    Stats {
        #[command(flatten)]
        output: Output,
    },
    /// Mail all players but those who have signed off or `set` broadcast to off, each once however often it is run
    Announce(AnnounceArgs),
    /// Give a player another userid
    Rename {
        /// As it is
        old: Whom,
        /// As it will be
        new: Userid,
        #[command(flatten)]
        reason: Reason,
    },
    /// Make one account of two that belong to one person
    Merge {
        /// The one that goes
        from: Whom,
        /// The one that stays, with its password
        into: Whom,
        /// Where the two have met: their games against each other have no result, and the one that goes leaves the contests
        /// that both are in
        #[arg(long)]
        void_games: bool,
        #[command(flatten)]
        reason: Reason,
    },
    /// Print everything stored about a player, as JSON
    ExportUser {
        /// The userid
        userid: Whom,
    },
    /// Erase a player: only finished games stay, under a number
    Erase {
        /// The userid
        userid: Whom,
        /// It cannot be undone
        #[arg(long, required = true)]
        yes: bool,
    },
    /// Stop mail to an address, or let it go there again
    Address {
        /// The address
        address: String,
        #[command(flatten)]
        act: AddressActArgs,
        #[command(flatten)]
        reason: Reason,
    },
    /// Ban an address, or a domain with all below it: its letters do nothing, and no account has it. Without one, list them
    Ban {
        /// eve@example.org with all its forms, or example.org
        #[arg(value_name = "ADDRESS|DOMAIN")]
        sender: Option<String>,
        /// No longer
        #[arg(long, requires = "sender")]
        lift: bool,
        #[command(flatten)]
        reason: Reason,
        #[command(flatten)]
        output: Output,
    },
    /// List what was done by these commands: when, by whom, to what, and why
    Log {
        #[command(flatten)]
        whose: ListFilter,
        #[command(flatten)]
        output: Output,
    },
    /// Make a player an organiser, who may challenge for others and write to all players; or no longer
    Role {
        /// The userid
        userid: Whom,
        /// What they are to be
        role: AccountRole,
        #[command(flatten)]
        reason: Reason,
    },
    /// List the latest letters and what became of them
    Letters {
        #[command(flatten)]
        whose: ListFilter,
        #[command(flatten)]
        output: Output,
    },
    /// Show one letter: who wrote it, what each of its commands did, which mails it caused
    Letter {
        /// Its number, or its Message-ID
        #[arg(value_name = "NUMBER|MESSAGE-ID")]
        letter: String,
        #[command(flatten)]
        output: Output,
    },
    /// List the latest mails and whether they left
    Outbox {
        #[command(flatten)]
        whose: ListFilter,
        #[command(flatten)]
        output: Output,
    },
    /// Show one mail whole, without the tokens in it; or send it, or all that left since WHEN, again; or give it up
    Mail {
        /// Its number
        #[arg(required_unless_present = "since", conflicts_with = "since")]
        mail: Option<i64>,
        #[command(flatten)]
        act: MailActArgs,
        #[command(flatten)]
        reason: Reason,
        #[command(flatten)]
        output: Output,
    },
    /// List the mails that came back, the latest first
    Bounces {
        #[command(flatten)]
        whose: ListFilter,
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
}

pub(super) fn run(place: &DataPath, task: &AdminTask) -> Result<ExitCode, HostError> {
    match task {
        AdminTask::Boards { chosen, output } => boards::boards(&place.look()?.store, chosen, output)?,
        AdminTask::Board { board, ply, picture, act, reason, output } => match act.act(*board) {
            Some(act) => acts::order(place, act, reason)?,
            None if picture.is_asked() => picture.write(&place.look()?.store, *board, *ply)?,
            None => boards::board(&place.look()?, *board, *ply, output)?,
        },
        AdminTask::Contests { output } => questions::contests(&place.look()?.store, output)?,
        AdminTask::Contest { name, act, reason, output } => match act.act(name) {
            Some(act) => acts::order(place, act, reason)?,
            None => contests::contest(&place.look()?, name, output)?,
        },
        AdminTask::Users { chosen, output } => accounts::users(&place.look()?.store, chosen, output)?,
        AdminTask::User { userid: whom, act, reason, output } => match act.act() {
            Some((act, why)) => {
                let why = why.unwrap_or(reason.text());
                print(&acts::on_user(&mut place.open()?, whom, act, why)?)?;
            }
            None => accounts::user(&place.look()?.store, whom, output)?,
        },
        AdminTask::Find { text, output } => questions::find(&place.look()?.store, text, output)?,
        AdminTask::Compare { players, output } => questions::compare(&place.look()?.store, players, output)?,
        AdminTask::Stats { output } => questions::stats(&place.look()?.store, output)?,
        AdminTask::Announce(args) => print(&acts::announce(&mut place.open()?, args)?)?,
        AdminTask::Rename { old, new, reason } => {
            let mut server = place.open()?;
            let act = Act::Rename { old: old.userid(&server.store)?, new: new.clone() };
            print(&acts::carry_out(&mut server, act, reason.text())?)?;
        }
        AdminTask::Merge { from, into, void_games, reason } => {
            let mut server = place.open()?;
            let games = if *void_games { GamesOfTwo::Void } else { GamesOfTwo::None };
            let (from, into) = (from.userid(&server.store)?, into.userid(&server.store)?);
            let act = Act::Merge { from, into, games };
            print(&acts::carry_out(&mut server, act, reason.text())?)?;
        }
        AdminTask::ExportUser { userid: whom } => {
            let store = place.look()?.store;
            let player = whom.account(&store)?.id;
            print(&tables::pretty(&export_user(&store, player)?))?;
        }
        AdminTask::Erase { userid: whom, yes: _ } => {
            let mut server = place.open()?;
            let act = Act::Erase(whom.userid(&server.store)?);
            print(&acts::carry_out(&mut server, act, "")?)?;
            if let Some(left) = acts::left_of_the_erased(&server)? {
                complain(&left);
                return Ok(ExitCode::from(1));
            }
        }
        AdminTask::Letters { whose, output } => letters::letters(&place.look()?.store, whose, output)?,
        AdminTask::Letter { letter, output } => letters::letter(&place.look()?.store, letter, output)?,
        AdminTask::Outbox { whose, output } => mails::outbox(&place.look()?.store, whose, output)?,
        AdminTask::Mail { mail, act, reason, output } => match (act.act(*mail, output.since()), mail) {
            (Some(act), _) => acts::order(place, act, reason)?,
            (None, Some(mail)) => mails::mail(&place.look()?.store, *mail, output)?,
            (None, None) => return Err(HostError::Asked("--since goes with --retry".to_owned())),
        },
        AdminTask::Address { address, act, reason } => acts::order(place, act.act(address), reason)?,
        AdminTask::Ban { sender: None, output, .. } => questions::bans(&place.look()?.store, output)?,
        AdminTask::Ban { sender: Some(sender), lift, reason, .. } => {
            let act = if *lift { BanAct::Lift } else { BanAct::Ban };
            acts::order(place, Act::OnSender(sender.clone(), act), reason)?;
        }
        AdminTask::Bounces { whose, output } => mails::bounces(&place.look()?.store, whose, output)?,
        AdminTask::Log { whose, output } => questions::log(&place.look()?.store, whose, output)?,
        AdminTask::Verify { progress } => {
            let progress = if *progress { Progress::everywhere() } else { Progress::on_a_terminal() };
            return run_verify(&place.look()?.store, progress);
        }
        AdminTask::Role { userid: whom, role, reason } => {
            let act = UserAct::Role(*role);
            print(&acts::on_user(&mut place.open()?, whom, act, reason.text())?)?;
        }
        AdminTask::Import(args) => print(&run_import(place, args)?)?,
        AdminTask::Analyse(args) => print(analyse(&mut place.open()?, args)?.trim_end())?,
        // Before a new version changes a database, it is copied as it is.
        AdminTask::Backup(args) => print(&backup(&place.look_by(Store::open_any_version)?, args)?)?,
        // The database may be too damaged to be opened.
        AdminTask::Restore(args) => return restore(place, args),
    }
    Ok(ExitCode::SUCCESS)
}

pub(super) fn run_verify(store: &Store, progress: Progress) -> Result<ExitCode, HostError> {
    let mut findings = verify_telling(store, |boards| progress.show(|| format!("{boards} boards")))?;
    findings.wrong.extend(contest_faults(store)?);
    drop(progress);
    for wrong in &findings.wrong {
        print(wrong)?;
    }
    let (boards, events) = (findings.boards, findings.events);
    print(&format!("{boards} boards, {events} events, {} findings", findings.wrong.len()))?;
    Ok(if findings.wrong.is_empty() { ExitCode::SUCCESS } else { ExitCode::from(1) })
}
