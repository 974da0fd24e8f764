//! The data directory and the database in it.

use std::fs::{File, Metadata};
use std::io::{self, ErrorKind, Read, Seek, SeekFrom};
use std::os::unix::fs::{MetadataExt, fchown};
use std::path::Path;
use std::time::Duration;

use crate::config::{Config, ConfigError, FILE};
use crate::error::HostError;
use crate::private_files;
use crate::store::{DICE_KEY, IdentityRow, NO_ADDRESS, Store};

pub const DATABASE: &str = "turnpost.db";

/// The data directory of the machine's server.
pub(crate) const DATA: &str = "/var/lib/turnpost";

/// The file with the server's id, next to the database. If the database is lost, it still identifies the server.
pub(crate) const MARK: &str = "turnpost.id";

/// The log of `receive`, which must not print.
const LOG: &str = "turnpost.log";

/// The mode bits by which other users can list a directory or write to it.
const LISTED_BY_OTHERS: u32 = 0o066;

/// How much of the log's end is searched for a sentence, in bytes.
const LOG_END: u64 = 64 * 1024;

/// Makes the data directory if it is missing.
pub(crate) fn create(data: &Path) -> Result<(), HostError> {
    refuse_others(data)?;
    private_files::create_folder(data).map_err(HostError::at(data))
}

/// Makes files of an earlier version private.
pub(crate) fn narrow(data: &Path, config: &Config) {
    for name in [LOG, MARK, DICE_KEY] {
        private_files::narrow(&data.join(name));
    }
    // The host decides about a folder elsewhere.
    let mails = config.mail_folder(data);
    if mails.starts_with(data) && mails != data {
        private_files::narrow_folder(&mails);
    }
}

/// Refuses a read-only directory: a server there would leave every letter with the mail server.
pub(crate) fn refuse_read_only(data: &Path) -> Result<(), HostError> {
    let read_only =
        |what: String, why: String| HostError::Io(what, io::Error::new(ErrorKind::ReadOnlyFilesystem, why));
    let refused = |why| read_only(data.display().to_string(), format!("{why}; mount it for writing"));
    if data.exists() {
        private_files::has_room(data, 0).map_err(refused)?;
    }
    let path = data.join(DATABASE);
    if !path.exists() {
        return Ok(());
    }
    match Store::try_writing_to(&path) {
        Err(why) if why.is_read_only() => {
            Err(read_only(format!("{} cannot be written", path.display()), why.to_string()))
        }
        // Opening the database for work reports any other fault.
        _ => Ok(()),
    }
}

/// Opens the database of this server. A database of an early version, without a server id, adopts the first
/// configuration that opens it.
pub(crate) fn open_store(data: &Path, config: &Config) -> Result<Store, HostError> {
    must_hold_a_database(data)?;
    let path = data.join(DATABASE);
    if mark(data)?.is_none() {
        // Compare first: opening for work migrates the database, and a refusal must change nothing.
        compare(&Store::open_any_version(&path)?, data, config, Use::Work)?;
    }
    let mut store = Store::open(&path)?;
    store.set_patience(Duration::from_secs(config.busy_seconds.into()))?;
    if let Some(row) = compare(&store, data, config, Use::Work)? {
        store.set_identity(&row)?;
        set_mark(data, &row.id)?;
    }
    if let Some(taken) = config.robot.engines.seat(&store)? {
        let why = format!("a player is called {taken}, so an engine of [robot.engines] needs another name");
        return Err(ConfigError::Value(why).into());
    }
    Ok(store.on_machine(config.serve.machine_name()))
}

/// Refuses a directory without a database. It is the wrong one, or the disk that holds the database is missing.
pub(crate) fn must_hold_a_database(data: &Path) -> Result<(), HostError> {
    let is = match std::fs::metadata(data.join(DATABASE)) {
        Err(why) if matches!(why.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => "is missing",
        Ok(found) if found.is_dir() => "is a folder",
        Ok(found) if found.len() == 0 => "is empty",
        // Opening the database reports any other reason.
        _ => return Ok(()),
    };
    let path = std::path::absolute(data).unwrap_or_else(|_| data.to_owned());
    let way = match has_never_had_one(data) {
        true => "`turnpost admin restore` puts a copy there, and `turnpost init` makes a new one".to_owned(),
        false => format!(
            "`turnpost admin restore` brings back the one that was there; `turnpost init` makes a new one when \
             neither {DATABASE} nor {MARK} is there"
        ),
    };
    Err(HostError::NotWhole(format!(
        "there is no Turnpost database in {}, {DATABASE} {is}: name the right folder by --data or TURNPOST_DATA; {way}",
        path.display()
    )))
}

/// True if no server was ever set up in this folder.
pub(crate) fn has_never_had_one(data: &Path) -> bool {
    [DATABASE, MARK].iter().all(|name| !data.join(name).try_exists().unwrap_or(true))
}

/// Makes the database of a new server, or records a new address or transport. Returns a sentence for each change.
pub(crate) fn set_up(data: &Path, config: &Config) -> Result<Vec<String>, HostError> {
    let path = data.join(DATABASE);
    let mut said = Vec::new();
    let is_new = has_never_had_one(data);
    if is_new {
        // A directory that is to belong to another user has already been made by `init`.
        if !data.exists() {
            create(data)?;
        }
        said.push(format!("made {}", path.display()));
    } else {
        must_hold_a_database(data)?;
    }
    let mut store = Store::make(&path)?;
    let Some(known) = store.identity()? else { return Ok(said) };
    let row = identity_by(config, &known);
    let had_address = !known.address.is_empty() && known.address != NO_ADDRESS;
    if had_address && row.address == NO_ADDRESS {
        return Err(HostError::Asked(format!(
            "this is the server of {}, and its configuration names no address: bring the right one back",
            known.address
        )));
    }
    for (what, was, is) in
        [("address", &known.address, &row.address), ("transport", &known.transport, &row.transport)]
    {
        if !is_new && !was.is_empty() && was != is {
            said.push(format!("the {what} was {was}, and is {is} from now on"));
        }
    }
    let waits = store.waiting_mails()?;
    let (was, is) = (&known.transport, &row.transport);
    // A change between `smtp` and `sendmail` loses no mail: both reach players.
    if !was.is_empty() && was != is && [was, is].iter().any(|kind| *kind == "directory") && waits > 0 {
        return Err(HostError::Asked(format!(
            "{waits} mails wait to be sent by {was}, and {is} does not send them: set `transport` back until they have \
             left, or give them up by `turnpost admin mail N --cancel`"
        )));
    }
    store.set_identity(&row)?;
    set_mark(data, &row.id)?;
    Ok(said)
}

fn identity_by(config: &Config, known: &IdentityRow) -> IdentityRow {
    IdentityRow {
        id: known.id.clone(),
        address: config.address.clone(),
        transport: format!("{:?}", config.mail.transport).to_lowercase(),
        settings: config.file.as_ref().map_or_else(String::new, |file| file.display().to_string()),
    }
}

/// The purpose of opening a database.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Use {
    /// Reading only: nothing is stored or sent, so any copy can be opened.
    Look,
    Work,
}

/// Compares a database with the configuration and with the mark in its folder. Returns the identity to store, if it
/// changed. A trial, which has no address yet, accepts any configuration.
pub(crate) fn compare(
    store: &Store,
    data: &Path,
    config: &Config,
    purpose: Use,
) -> Result<Option<IdentityRow>, HostError> {
    let known = store.identity()?.unwrap_or_default();
    let (row, mark) = (identity_by(config, &known), mark(data)?);
    let [database, beside, file] = [DATABASE, MARK, FILE].map(|name| data.join(name).display().to_string());
    let is_new = known.address.is_empty();
    let is_trial = is_new || known.address == NO_ADDRESS;
    let may_send = is_new || is_trial && store.waiting_mails()? == 0;
    let noted = "bring the right one back; if this is the right one, `turnpost init` notes it";
    let by = if row.settings.is_empty() { "the environment" } else { &row.settings };
    let works = purpose == Use::Work;
    Err(HostError::NotWhole(if works && is_new && row.address == NO_ADDRESS {
        let is = if row.settings.is_empty() { "is missing" } else { "names no address" };
        let file = if row.settings.is_empty() { &file } else { &row.settings };
        format!(
            "{file} {is}, and {database} does not say whose it is: name the configuration by --config; for a trial \
             `turnpost init` notes that there is none"
        )
    } else if !is_new && mark.as_ref().is_some_and(|mark| *mark != known.id) {
        format!("{database} is of another server than {beside}: {noted}")
    } else if row.settings.is_empty() && !known.settings.is_empty() {
        let is = if Path::new(&known.settings).exists() { "is not read" } else { "is missing" };
        let settings = &known.settings;
        format!("{settings}, the configuration of {database}, {is}: bring it back, or name it by --config")
    } else if known.address != row.address && !is_trial {
        format!("the address is {} by {by}, and {} by {database}: {noted}", row.address, known.address)
    } else if works && known.transport != row.transport && !may_send {
        format!("mail leaves by {} by {by}, and by {} by {database}: {noted}", row.transport, known.transport)
    } else {
        return Ok((row != known || mark.is_none()).then_some(row));
    }))
}

/// The id that the mark holds; `None` if it is missing or empty.
fn mark(data: &Path) -> Result<Option<String>, HostError> {
    let path = data.join(MARK);
    match std::fs::read_to_string(&path) {
        Ok(text) => Ok(Some(text.trim().to_owned()).filter(|id| !id.is_empty())),
        Err(why) if why.kind() == ErrorKind::NotFound => Ok(None),
        Err(why) => Err(HostError::NotWhole(format!("{}: {why}", path.display()))),
    }
}

pub(crate) fn set_mark(data: &Path, id: &str) -> Result<(), HostError> {
    let path = data.join(MARK);
    private_files::replace(&path, format!("{id}\n").as_bytes()).map_err(HostError::at(&path))
}

/// Refuses every user except the owner. Files made by another user, even by the superuser, would lock the owner out.
pub(crate) fn refuse_others(data: &Path) -> Result<(), HostError> {
    match std::fs::metadata(data) {
        Ok(found) if found.uid() != private_files::user() => {
            Err(HostError::NotTheOwner(data.display().to_string(), name_of(found.uid())))
        }
        // Opening the database reports a directory that cannot be read.
        _ => Ok(()),
    }
}

/// A user of this machine.
pub(crate) struct User {
    pub name: String,
    pub uid: u32,
    pub gid: u32,
}

impl User {
    /// The users of `/etc/passwd`.
    pub fn all() -> Vec<User> {
        let users = std::fs::read_to_string("/etc/passwd").unwrap_or_default();
        users.lines().filter_map(User::read).collect()
    }

    fn read(line: &str) -> Option<User> {
        let mut fields = line.split(':');
        let name = fields.next()?.to_owned();
        Some(User { name, uid: fields.nth(1)?.parse().ok()?, gid: fields.next()?.parse().ok()? })
    }
}

/// The name or number of a user, as `sudo -u` takes it.
pub(crate) fn name_of(uid: u32) -> String {
    let found = User::all().into_iter().find(|user| user.uid == uid);
    found.map_or_else(|| format!("'#{uid}'"), |user| user.name)
}

/// A warning if others can read the directory: files that were copied into it may be readable.
pub(crate) fn open_to_others(data: &Path) -> Option<String> {
    let found = std::fs::metadata(data).ok()?;
    if found.mode() & LISTED_BY_OTHERS == 0 {
        return None;
    }
    let path = private_files::quoted(data);
    Some(format!("other users of this machine can read the data directory; `chmod 700 {path}` mends it"))
}

/// Opens the log to append to it. If the superuser creates the log, it belongs to the owner of the directory.
pub(crate) fn log(data: &Path) -> io::Result<File> {
    let (path, folder) = (data.join(LOG), std::fs::metadata(data)?);
    let begins = match std::fs::symlink_metadata(&path) {
        Err(why) if why.kind() == ErrorKind::NotFound => true,
        found => found.map(|_| false)?,
    };
    if begins && !may_begin(&folder) {
        return Err(ErrorKind::PermissionDenied.into());
    }
    let file = private_files::append(&path)?;
    if begins && folder.uid() != private_files::user() {
        fchown(&file, Some(folder.uid()), Some(folder.gid()))?;
    }
    Ok(file)
}

fn may_begin(folder: &Metadata) -> bool {
    [0, folder.uid()].contains(&private_files::user())
}

/// Rewrites the log if `change` returns another text.
pub(crate) fn change_log(data: &Path, change: impl Fn(&str) -> Option<String>) -> io::Result<()> {
    let path = data.join(LOG);
    match std::fs::read(&path) {
        Err(why) if why.kind() == ErrorKind::NotFound => Ok(()),
        log => match change(&String::from_utf8_lossy(&log?)) {
            Some(changed) => private_files::replace(&path, changed.as_bytes()),
            None => Ok(()),
        },
    }
}

/// True if the end of the log has this sentence.
pub(crate) fn is_logged(data: &Path, sentence: &str) -> bool {
    let end = || -> io::Result<Vec<u8>> {
        let mut file = File::open(data.join(LOG))?;
        let length = file.metadata()?.len();
        file.seek(SeekFrom::Start(length.saturating_sub(LOG_END)))?;
        let mut end = Vec::new();
        file.take(LOG_END).read_to_end(&mut end)?;
        Ok(end)
    };
    end().is_ok_and(|end| String::from_utf8_lossy(&end).contains(sentence))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_users_is_read() {
        let user = User::read("_turnpost:x:105:112::/var/lib/turnpost:/bin/false").unwrap();
        assert_eq!((user.name.as_str(), user.uid, user.gid), ("_turnpost", 105, 112));
        assert!(User::read("broken").is_none());
        assert_eq!(name_of(4_000_000_001), "'#4000000001'");
    }
}
