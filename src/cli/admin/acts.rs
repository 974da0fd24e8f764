//! What the host does to boards, contests, accounts, mails and addresses; `admin log` lists each act.

use std::path::PathBuf;

use clap::Args;

use super::listing::WIDTH;
use crate::cli::{DataPath, Instance, print};
use crate::copies::litestreams_own;
use crate::data_dir::DATABASE;
use crate::error::HostError;
use crate::failure::CommandError;
use crate::mail::readable;
use crate::mail::transport::Directory;
use crate::store::{PlayerId, Store};
use crate::timer::host_acts::{self, Act, Announcement, Erased, Order};
use crate::{clock, data_dir, pipeline, private_files};

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

/// Opens the server, carries out the act that `act` makes of its accounts, and prints the result.
pub(super) fn order(
    place: &DataPath,
    reason: &Reason,
    act: impl FnOnce(&Store) -> Result<Act, HostError>,
) -> Result<(), HostError> {
    let mut server = place.open()?;
    let act = act(&server.store)?;
    print(&carry_out(&mut server, act, reason.text())?)
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
    Ok(format!("{mails} mails leave with the next ones. No player gets the same words twice."))
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

/// A sentence about the files that still hold data of an erased player; `None` if there are none.
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
         \"Erased with Litestream\"",
        files.join(", ")
    );
    Ok((!files.is_empty()).then_some(says))
}

/// The user of the operating system; under `sudo`, also the user who called it.
fn os_user() -> String {
    let user = data_dir::name_of(private_files::user());
    match std::env::var("SUDO_USER") {
        Ok(by) if is_a_name(&by) && by != user => format!("{user} by {by}"),
        _ => user,
    }
}

fn is_a_name(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || "._-".contains(c))
}
