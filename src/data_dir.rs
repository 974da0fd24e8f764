//! The data directory and the database in it.

use std::fs::{File, Metadata};
use std::io::{self, ErrorKind, Read, Seek, SeekFrom};
use std::os::unix::fs::{MetadataExt, fchown};
use std::path::Path;
use std::time::Duration;

use crate::config::Config;
use crate::error::HostError;
use crate::private_files;
use crate::store::Store;

pub const DATABASE: &str = "turnpost.db";

/// The data directory of the machine's server.
pub(crate) const DATA: &str = "/var/lib/turnpost";

/// The log of `receive`, which may not print.
const LOG: &str = "turnpost.log";

/// Who may list a directory, or put files into it, besides its owner.
const LISTED_BY_OTHERS: u32 = 0o066;

/// As much of the log is searched for a sentence that is to stand there once.
const LOG_END: u64 = 64 * 1024;

/// Makes the data directory if it is missing, and takes the rights of others from what an earlier version wrote.
pub(crate) fn create(data: &Path, config: &Config) -> Result<(), HostError> {
    refuse_others(data)?;
    private_files::create_folder(data).map_err(|why| HostError::Io(data.display().to_string(), why))?;
    private_files::narrow(&data.join(LOG));
    // A folder elsewhere is for the host to open or close.
    let mails = config.mail_folder(data);
    if mails.starts_with(data) && mails != data {
        private_files::narrow_folder(&mails);
    }
    Ok(())
}

/// Refuses a place where nothing can be written. A server that starts there would leave every letter with the mail server.
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
        // Opening the database for work says what else is wrong with it.
        _ => Ok(()),
    }
}

pub(crate) fn open_store(data: &Path, config: &Config) -> Result<Store, HostError> {
    let mut store = Store::open(&data.join(DATABASE))?;
    store.set_patience(Duration::from_secs(config.busy_seconds.into()))?;
    Ok(store.on_machine(config.serve.machine_name()))
}

/// Refuses a directory without a database: a command that asks what is stored has named the wrong one.
pub(crate) fn must_hold_a_database(data: &Path) -> Result<(), HostError> {
    match std::fs::metadata(data.join(DATABASE)) {
        Err(why) if matches!(why.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
            let path = std::path::absolute(data).unwrap_or_else(|_| data.to_owned());
            Err(HostError::NoDatabase(path.display().to_string()))
        }
        // Opening it reports any other reason.
        _ => Ok(()),
    }
}

/// Refuses every user but the owner: files of another, of the superuser too, would lock the owner out.
pub(crate) fn refuse_others(data: &Path) -> Result<(), HostError> {
    match std::fs::metadata(data) {
        Ok(found) if found.uid() != private_files::user() => {
            let users = std::fs::read_to_string("/etc/passwd").unwrap_or_default();
            Err(HostError::NotTheOwner(data.display().to_string(), owner(&users, found.uid())))
        }
        // Opening it reports what cannot be looked at.
        _ => Ok(()),
    }
}

/// The name of the user who runs this.
pub(crate) fn user_name() -> String {
    owner(&std::fs::read_to_string("/etc/passwd").unwrap_or_default(), private_files::user())
}

/// The name of a user, as `sudo -u` takes it.
fn owner(users: &str, uid: u32) -> String {
    let name = |line: &str| {
        let mut fields = line.split(':');
        let name = fields.next()?;
        (fields.nth(1)? == uid.to_string()).then(|| name.to_owned())
    };
    users.lines().find_map(name).unwrap_or_else(|| format!("'#{uid}'"))
}

/// The sentence for a directory that others can read: its name alone tells them nothing, but what was copied into it
/// may.
pub(crate) fn open_to_others(data: &Path) -> Option<String> {
    let found = std::fs::metadata(data).ok()?;
    if found.mode() & LISTED_BY_OTHERS == 0 {
        return None;
    }
    let path = private_files::quoted(data);
    Some(format!("other users of this machine can read the data directory; `chmod 700 {path}` mends it"))
}

/// Opens the log to append to it. Where the superuser begins it, it belongs to the owner of the directory.
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

/// True when a sentence stands at the end of the log.
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
    fn the_owner_has_a_name_or_a_number() {
        let users =
            "root:x:0:0:root:/root:/bin/sh\nbroken\n_turnpost:x:105:112::/var/lib/turnpost:/bin/false\n";
        assert_eq!(owner(users, 105), "_turnpost");
        assert_eq!(owner(users, 0), "root");
        assert_eq!(owner(users, 10), "'#10'");
    }
}
