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

use self::acts::{AnnounceArgs, Reason, order};
use self::analyse::{AnalyseArgs, analyse};
pub(super) use self::backup::named_after_now;
use self::backup::{BackupArgs, RestoreArgs, backup, restore};
use self::import::{ImportArgs, run_import};
use self::listing::{Listing, Output};
use self::picture::PictureArgs;
use self::tables::Whom;
use super::progress::Progress;
use super::{DataPath, complain, print};
use crate::board::verify::verify_telling;
use crate::contest::faults::faults as contest_faults;
use crate::error::HostError;
use crate::ids::{BoardId, Ply, Userid};
use crate::store::{AccountRole, Store};
use crate::timer::host_acts::{
    Act, AddressAct, BanAct, BoardAct, ContestAct, GamesOfTwo, MailAct, UserAct, export as export_user,
};

#[derive(Subcommand)]
pub(crate) enum AdminTask {
    /// List boards, the newest first
    Boards(boards::BoardChoice),
    /// Show one board with its record, or mend it
    Board {
        /// The number of the board
        board: BoardId,
        /// The board after this ply
        #[arg(long, conflicts_with = "board_act")]
        ply: Option<Ply>,
        #[command(flatten)]
        picture: PictureArgs,
        #[command(flatten)]
        act: Option<BoardAct>,
        #[command(flatten)]
        reason: Reason,
        #[command(flatten)]
        output: Output,
    },
    /// List events, leagues and their seasons, the last changed first
    Contests(Output),
    /// Show one contest with its table; or take a player out, begin it, end it
    Contest {
        /// The name of the contest
        name: String,
        #[command(flatten)]
        act: Option<ContestAct>,
        #[command(flatten)]
        reason: Reason,
        #[command(flatten)]
        output: Output,
    },
    /// List accounts, the newest first
    Users(accounts::UserChoice),
    /// Show one account: its addresses and their bounces, its last mails, its boards; or mend it
    User {
        /// The userid, or the number in the log
        userid: Whom,
        #[command(flatten)]
        act: Option<UserAct>,
        #[command(flatten)]
        reason: Reason,
        #[command(flatten)]
        output: Output,
    },
    /// Find what a word names: an address, a userid, a Message-ID, a board or a contest; and which command shows it
    Find {
        /// The word
        text: String,
        #[command(flatten)]
        output: Output,
    },
    /// Compare two accounts that may belong to one person, or one that may be played by a program
    Compare {
        /// Their userids
        #[arg(num_args = 2, required = true, value_name = "USERID")]
        players: Vec<Whom>,
        #[command(flatten)]
        output: Output,
    },
    /// Count week by week: new players, players who wrote, games begun and ended, letters, mails
    Stats(Output),
    /// Mail all players except those who have signed off or `set` broadcast to off; a second run sends no player a second mail
    Announce(AnnounceArgs),
    /// Give a player another userid
    Rename {
        /// The userid now
        old: Whom,
        /// The new userid
        new: Userid,
        #[command(flatten)]
        reason: Reason,
    },
    /// Make one account of two that belong to one person
    Merge {
        /// The account that ends
        from: Whom,
        /// The account that stays, with its password
        into: Whom,
        /// If the two have met: void their games against each other, and take FROM out of the contests that both are in
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
        act: AddressAct,
        #[command(flatten)]
        reason: Reason,
    },
    /// Ban an address, or a domain and all below it: its letters do nothing, and no account can have it. Without one,
    /// list bans
    Ban {
        /// eve@example.org with all its forms, or example.org
        #[arg(value_name = "ADDRESS|DOMAIN")]
        sender: Option<String>,
        /// End the ban
        #[arg(long, requires = "sender")]
        lift: bool,
        #[command(flatten)]
        reason: Reason,
        #[command(flatten)]
        output: Output,
    },
    /// List the acts of hosts: when, by whom, on what, and why
    Log(Listing),
    /// List what players reported: when, by whom, on which board, of whom, and why
    Reports(Listing),
    /// Make a player an organiser, who can challenge for others and write to all players; or a player again
    Role {
        /// The userid
        userid: Whom,
        /// `organiser` or `player`
        role: AccountRole,
        #[command(flatten)]
        reason: Reason,
    },
    /// List the latest letters and their outcomes
    Letters(Listing),
    /// Show one letter: its writer, the outcome of each command, the mails it caused
    Letter {
        /// The number, or the Message-ID
        #[arg(value_name = "NUMBER|MESSAGE-ID")]
        letter: String,
        #[command(flatten)]
        output: Output,
    },
    /// List the latest mails and whether they left
    Outbox(Listing),
    /// Show one mail whole, without the tokens in it; or send it, or all that left since WHEN, again; or give it up
    Mail {
        /// The number of the mail
        #[arg(required_unless_present = "since", conflicts_with = "since")]
        mail: Option<i64>,
        #[command(flatten)]
        act: Option<MailAct>,
        #[command(flatten)]
        reason: Reason,
        #[command(flatten)]
        output: Output,
    },
    /// List the mails that came back, the latest first
    Bounces(Listing),
    /// Replay every board and compare all that is stored; exits 1 when something is wrong
    Verify {
        /// Report progress on standard error even if that is no terminal
        #[arg(long)]
        progress: bool,
    },
    /// Empty the archive of positions; the timer fills it again from the records
    Reindex,
    /// Make a new, unrated board of a game record
    Import(ImportArgs),
    /// Print the robot's view of each ply of a game that is over
    Analyse(AnalyseArgs),
    /// Copy the database to a new file while it is in use
    Backup(BackupArgs),
    /// Replace the database by a copy, and keep the old one aside
    Restore(RestoreArgs),
}

pub(super) fn run(place: &DataPath, task: AdminTask) -> Result<ExitCode, HostError> {
    let store = || Ok::<Store, HostError>(place.look()?.store);
    match task {
        AdminTask::Boards(chosen) => boards::boards(&store()?, &chosen)?,
        AdminTask::Board { board, act: Some(act), reason, .. } => {
            order(place, &reason, |_| Ok(Act::OnBoard(board, act)))?;
        }
        AdminTask::Board { board, ply, picture, .. } if picture.is_asked() => {
            picture.write(&store()?, board, ply)?;
        }
        AdminTask::Board { board, ply, output, .. } => boards::board(&place.look()?, board, ply, &output)?,
        AdminTask::Contests(output) => questions::contests(&store()?, &output)?,
        AdminTask::Contest { name, act: Some(act), reason, .. } => {
            order(place, &reason, |_| Ok(Act::OnContest(name, act)))?;
        }
        AdminTask::Contest { name, output, .. } => contests::contest(&place.look()?, &name, &output)?,
        AdminTask::Users(chosen) => accounts::users(&store()?, &chosen)?,
        AdminTask::User { userid: whom, act: Some(act), reason, .. } => {
            order(place, &reason, |store| Ok(Act::OnUser(whom.userid(store)?, act)))?;
        }
        AdminTask::User { userid: whom, output, .. } => accounts::user(&store()?, &whom, &output)?,
        AdminTask::Find { text, output } => questions::find(&store()?, &text, &output)?,
        AdminTask::Compare { players, output } => questions::compare(&store()?, &players, &output)?,
        AdminTask::Stats(output) => questions::stats(&store()?, &output)?,
        AdminTask::Announce(args) => print(&acts::announce(&mut place.open()?, &args)?)?,
        AdminTask::Rename { old, new, reason } => {
            order(place, &reason, |store| Ok(Act::Rename { old: old.userid(store)?, new }))?;
        }
        AdminTask::Merge { from, into, void_games, reason } => {
            let games = if void_games { GamesOfTwo::Void } else { GamesOfTwo::None };
            order(place, &reason, |store| {
                Ok(Act::Merge { from: from.userid(store)?, into: into.userid(store)?, games })
            })?;
        }
        AdminTask::ExportUser { userid: whom } => {
            let store = store()?;
            print(&tables::pretty(&export_user(&store, whom.account(&store)?.id)?))?;
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
        AdminTask::Letters(listing) => letters::letters(&store()?, &listing)?,
        AdminTask::Letter { letter, output } => letters::letter(&store()?, &letter, &output)?,
        AdminTask::Outbox(listing) => mails::outbox(&store()?, &listing)?,
        AdminTask::Mail { mail, act, reason, output } => match (act, mail, output.since()) {
            (Some(act), Some(mail), _) => order(place, &reason, |_| Ok(Act::OnMail(mail, act)))?,
            (Some(MailAct::Retry), None, Some(since)) => {
                order(place, &reason, |_| Ok(Act::RetryMails(since)))?;
            }
            (None, Some(mail), _) => mails::mail(&store()?, mail, &output)?,
            (_, None, _) => return Err(HostError::Asked("--since goes with --retry".to_owned())),
        },
        AdminTask::Address { address, act, reason } => {
            order(place, &reason, |_| Ok(Act::OnAddress(address, act)))?;
        }
        AdminTask::Ban { sender: None, output, .. } => questions::bans(&store()?, &output)?,
        AdminTask::Ban { sender: Some(sender), lift, reason, .. } => {
            let act = if lift { BanAct::Lift } else { BanAct::Ban };
            order(place, &reason, |_| Ok(Act::OnSender(sender, act)))?;
        }
        AdminTask::Bounces(listing) => mails::bounces(&store()?, &listing)?,
        AdminTask::Log(listing) => questions::log(&store()?, &listing)?,
        AdminTask::Reports(listing) => questions::reports(&store()?, &listing)?,
        AdminTask::Verify { progress } => {
            let progress = if progress { Progress::everywhere() } else { Progress::on_a_terminal() };
            return run_verify(&store()?, progress);
        }
        AdminTask::Role { userid: whom, role, reason } => {
            order(place, &reason, |store| Ok(Act::Role(whom.userid(store)?, role)))?;
        }
        AdminTask::Reindex => {
            let boards = place.open()?.store.write(|store| store.forget_archive())?;
            print(&format!("{boards} boards wait for the timer"))?;
        }
        AdminTask::Import(args) => print(&run_import(place, &args)?)?,
        AdminTask::Analyse(args) => print(analyse(&mut place.open()?, &args)?.trim_end())?,
        // A database of another version is copied as it is, before `upgrade` changes it.
        AdminTask::Backup(args) => print(&backup(&place.look_by(Store::open_any_version)?, &args)?)?,
        // The database may be too damaged to be opened.
        AdminTask::Restore(args) => return restore(place, &args),
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
