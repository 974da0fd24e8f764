//! What the host does to boards, contests, accounts, mails and addresses; each act stands in `admin log`.

use std::path::PathBuf;

use clap::Args;
use jiff::Timestamp;

use super::listing::WIDTH;
use super::tables::Whom;
use crate::cli::{DataPath, Instance, print};
use crate::copies::litestreams_own;
use crate::data_dir::DATABASE;
use crate::error::HostError;
use crate::failure::CommandError;
use crate::ids::{BoardId, Ply, Seat, Userid};
use crate::mail::readable;
use crate::mail::transport::Directory;
use crate::store::PlayerId;
use crate::timer::host_acts::{
    self, Act, AddressAct, Announcement, BoardAct, ContestAct, Erased, GameEnd, MailAct, Order, UserAct,
};
use crate::{clock, data_dir, pipeline};

#[derive(Args)]
#[group(id = "board_act", multiple = false)]
pub(crate) struct BoardActArgs {
    /// Take back this ply and all after it, also after the end of the game
    #[arg(long, value_name = "PLY", requires = "reason")]
    undo: Option<Ply>,
    /// End the game, or correct its result: the userid of the winner, `draw`, or `none`, which rates nothing
    #[arg(long, value_name = "RESULT", requires = "reason", value_parser = game_end)]
    end: Option<GameEnd>,
    /// Stop the clocks until somebody moves, or until --resume
    #[arg(long, requires = "reason")]
    adjourn: bool,
    /// Let an adjourned game go on, or one that ended otherwise than by its rules; whoever is to move has a whole turn
    #[arg(long, requires = "reason")]
    resume: bool,
    /// Give the seat, 1 or 2, to another player, who plays on
    #[arg(long, value_name = "SEAT=USERID", requires = "reason", value_parser = seat)]
    reseat: Option<(Seat, Userid)>,
}

#[derive(Args)]
pub(crate) struct Reason {
    /// Why: the players are told
    #[arg(long, value_name = "TEXT")]
    reason: Option<String>,
}

impl Reason {
    pub(super) fn text(&self) -> &str {
        self.reason.as_deref().unwrap_or_default()
    }
}

impl BoardActArgs {
    pub(super) fn act(&self, board: BoardId) -> Option<Act> {
        let act = match self {
            BoardActArgs { undo: Some(ply), .. } => BoardAct::Undo(*ply),
            BoardActArgs { end: Some(end), .. } => BoardAct::End(end.clone()),
            BoardActArgs { adjourn: true, .. } => BoardAct::Adjourn,
            BoardActArgs { resume: true, .. } => BoardAct::Resume,
            BoardActArgs { reseat: Some((seat, userid)), .. } => BoardAct::Reseat(*seat, userid.clone()),
            _ => return None,
        };
        Some(Act::OnBoard(board, act))
    }
}

#[derive(Args)]
#[group(id = "contest_act", multiple = false)]
pub(crate) struct ContestActArgs {
    /// Take a player out: the running games are lost
    #[arg(long, value_name = "USERID", requires = "reason")]
    withdraw: Option<Userid>,
    /// Begin an event that has players enough
    #[arg(long, requires = "reason")]
    start: bool,
    /// Call it off, or end it: boards in play have no result
    #[arg(long, requires = "reason")]
    end: bool,
}

impl ContestActArgs {
    pub(super) fn act(&self, name: &str) -> Option<Act> {
        let act = match self {
            ContestActArgs { withdraw: Some(userid), .. } => ContestAct::Withdraw(userid.clone()),
            ContestActArgs { start: true, .. } => ContestAct::Start,
            ContestActArgs { end: true, .. } => ContestAct::End,
            _ => return None,
        };
        Some(Act::OnContest(name.to_owned(), act))
    }
}

#[derive(Args)]
#[group(id = "user_act", multiple = false)]
pub(crate) struct UserActArgs {
    /// Mail the player a token to set a new password
    #[arg(long)]
    reset_password: bool,
    /// Send the player's mail to this address too, as though it had been confirmed
    #[arg(long, value_name = "ADDRESS")]
    add_address: Option<String>,
    /// Answer the player's letters with this reason and nothing else; boards and clocks run on
    #[arg(long, value_name = "REASON")]
    suspend: Option<String>,
    /// Let a suspended player play again
    #[arg(long)]
    resume: bool,
}

impl UserActArgs {
    /// The act, and its reason where the option holds one.
    pub(super) fn act(&self) -> Option<(UserAct, Option<&str>)> {
        Some(match self {
            UserActArgs { reset_password: true, .. } => (UserAct::ResetPassword, None),
            UserActArgs { add_address: Some(address), .. } => (UserAct::AddAddress(address.clone()), None),
            UserActArgs { suspend: Some(why), .. } => (UserAct::Suspend, Some(why.as_str())),
            UserActArgs { resume: true, .. } => (UserAct::Resume, None),
            _ => return None,
        })
    }
}

#[derive(Args)]
#[group(id = "mail_act", multiple = false)]
pub(crate) struct MailActArgs {
    /// Send it again, or at once if it waits
    #[arg(long)]
    retry: bool,
    /// Do not send it
    #[arg(long)]
    cancel: bool,
}

impl MailActArgs {
    pub(super) fn act(&self, mail: Option<i64>, since: Option<Timestamp>) -> Option<Act> {
        match (self.retry, self.cancel, mail, since) {
            (true, _, Some(mail), _) => Some(Act::OnMail(mail, MailAct::Retry)),
            (_, true, Some(mail), _) => Some(Act::OnMail(mail, MailAct::Cancel)),
            (true, _, None, Some(since)) => Some(Act::RetryMails(since)),
            _ => None,
        }
    }
}

#[derive(Args)]
#[group(id = "address_act", required = true, multiple = false)]
pub(crate) struct AddressActArgs {
    /// Send mail there again, after it was stopped
    #[arg(long)]
    resume: bool,
    /// Send no more mail there
    #[arg(long)]
    stop: bool,
}

impl AddressActArgs {
    pub(super) fn act(&self, address: &str) -> Act {
        let act = if self.resume { AddressAct::Resume } else { AddressAct::Stop };
        Act::OnAddress(address.to_owned(), act)
    }
}

/// Carries out an act, and prints the result.
pub(super) fn order(place: &DataPath, act: Act, reason: &Reason) -> Result<(), HostError> {
    print(&carry_out(&mut place.open()?, act, reason.text())?)
}

/// Carries out an act on a player.
pub(super) fn on_user(
    server: &mut Instance,
    whom: &Whom,
    act: UserAct,
    why: &str,
) -> Result<String, HostError> {
    let userid = whom.userid(&server.store)?;
    carry_out(server, Act::OnUser(userid, act), why)
}

/// Carries out an act; gives the text to print.
pub(super) fn carry_out(server: &mut Instance, act: Act, reason: &str) -> Result<String, HostError> {
    let order = Order { act, reason: reason.to_owned(), os_user: os_user() };
    let mut rng = clock::rng()?;
    match pipeline::carry_out(&mut server.store, &server.app, &order, clock::now(), &mut rng) {
        Ok(done) => {
            if let Some(erased) = &done.erased {
                erase_from_files(server, erased)?;
            }
            let mails = match done.mails {
                0 => String::new(),
                1 => "\n1 mail tells of it.".to_owned(),
                mails => format!("\n{mails} mails tell of it."),
            };
            Ok(textwrap::fill(&(done.said + &mails), WIDTH))
        }
        Err(CommandError::Refused(why)) => Err(HostError::Asked(why.to_string())),
        Err(CommandError::Failed(failure)) => Err(HostError::Service(failure)),
    }
}

#[derive(Args)]
pub(crate) struct AnnounceArgs {
    /// Its first line is the Subject
    file: PathBuf,
    /// Say how many players would get it, and send nothing
    #[arg(long)]
    dry_run: bool,
}

/// Mails the words of a file to all players.
pub(super) fn announce(server: &mut Instance, args: &AnnounceArgs) -> Result<String, HostError> {
    let file = args.file.display();
    let words = std::fs::read_to_string(&args.file).map_err(HostError::at(&args.file))?;
    let asked =
        || HostError::Asked(format!("{file}: the first line is the Subject, and the text stands below it"));
    let (subject, text) = words.trim().split_once('\n').ok_or_else(asked)?;
    let subject = subject.trim_start_matches("Subject:").trim().to_owned();
    if args.dry_run {
        let players = server.store.readers_of_announcements(PlayerId(0), u32::MAX)?.len();
        return Ok(format!("Subject: {subject}\n{players} players hear announcements. Nothing was sent."));
    }
    let words = Announcement { subject, text: text.trim().to_owned() };
    let mails = host_acts::announce(&mut server.store, &server.app, &words, &os_user(), clock::now())?;
    Ok(format!("{mails} mails leave with the next ones. Nobody gets the same words twice."))
}

/// Removes an erased person from the folder of mails and from the log of `receive`.
fn erase_from_files(server: &Instance, erased: &Erased) -> Result<(), HostError> {
    let folder = server.config.mail_folder(&server.data);
    let is_theirs = |number: Option<i64>, mail: &[u8]| {
        number.is_some_and(|number| erased.mails.contains(&number))
            || erased.words.without(&readable::about_people(mail)).is_some()
    };
    Directory::new(&folder).remove(is_theirs).map_err(HostError::at(&folder))?;
    data_dir::change_log(&server.data, |log| erased.words.without(log)).map_err(HostError::at(&server.data))
}

/// A sentence about the files in which somebody who was erased still stands.
pub(super) fn left_of_the_erased(server: &Instance) -> Result<Option<String>, HostError> {
    let database = server.data.join(DATABASE).display().to_string();
    let mut files = Vec::new();
    if server.store.held_in_files_since()?.is_some() {
        files.extend([format!("{database}-wal"), database]);
    }
    let replicated = litestreams_own(&server.data);
    if replicated.is_dir() {
        files.extend([replicated.display().to_string(), "the replica that Litestream makes".to_owned()]);
    }
    let says = format!(
        "what was erased still stands in {}, because another program reads the database, or the disk is full; docs/operations.md, \
         \"Erased beside Litestream\"",
        files.join(", ")
    );
    Ok((!files.is_empty()).then_some(says))
}

/// Who is at the keyboard: behind `sudo`, who called it too.
fn os_user() -> String {
    let user = data_dir::user_name();
    match std::env::var("SUDO_USER") {
        Ok(by) if is_a_name(&by) && by != user => format!("{user} by {by}"),
        _ => user,
    }
}

fn is_a_name(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || "._-".contains(c))
}

fn game_end(text: &str) -> Result<GameEnd, String> {
    Ok(match text {
        "draw" => GameEnd::Draw,
        "none" => GameEnd::Void,
        userid => GameEnd::Won(userid.parse().map_err(|_| "a userid, `draw` or `none` is expected")?),
    })
}

fn seat(text: &str) -> Result<(Seat, Userid), String> {
    let (seat, userid) = text.split_once('=').ok_or("the seat and the player are expected, as in 1=carol")?;
    let seat = match seat.trim() {
        "1" => Seat::First,
        "2" => Seat::Second,
        _ => return Err("the seat is 1, which moves first, or 2".to_owned()),
    };
    Ok((seat, userid.trim().parse::<Userid>().map_err(|why| why.to_string())?))
}
