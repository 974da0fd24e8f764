//! Where the database is copied to, and when it last was: by `admin backup`, and by Litestream.

use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;

use crate::config::Config;
use crate::config::keep::Replica;
use crate::data_dir::{DATA, DATABASE};
use crate::store::Store;

/// The name of a copy.
pub(crate) const COPY_NAME: &str = "turnpost-%Y%m%dT%H%M%SZ.db";

/// Where the unit of the package copies the database to.
const BACKUPS: &str = "/var/backups/turnpost";

/// A time that is further ahead, in seconds, was written by a wrong clock.
const AHEAD: i64 = 5 * 60;

/// When a copy of this name was made.
pub(crate) fn time_of_copy(name: &str) -> Option<Timestamp> {
    let at = DateTime::strptime(COPY_NAME, name).ok()?.to_zoned(TimeZone::UTC).ok()?.timestamp();
    // Each time has one name.
    (at.strftime(COPY_NAME).to_string() == name).then_some(at)
}

/// The folder of `admin backup --keep`, as far as it is known.
pub(crate) fn backups(data: &Path, config: &Config) -> Option<PathBuf> {
    match config.keep.backups.as_str() {
        "" => (data == Path::new(DATA)).then(|| PathBuf::from(BACKUPS)),
        named => Some(PathBuf::from(named)),
    }
}

/// A copy of the database. Copies are ordered by when they were made.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct SavedCopy {
    /// By the file system. `admin backup` keeps this order right when the clock is wrong.
    pub made: SystemTime,
    /// By its name; `None` for a name that the host chose.
    pub named: Option<Timestamp>,
    pub path: PathBuf,
}

/// The copies in a folder, oldest first. Empty files, which a full disk leaves, do not count.
pub(crate) fn saved_copies(folder: &Path) -> io::Result<Vec<SavedCopy>> {
    let mut copies = Vec::new();
    for file in std::fs::read_dir(folder)?.flatten() {
        let (name, Ok(found)) = (file.file_name().to_string_lossy().into_owned(), file.metadata()) else {
            continue;
        };
        if found.is_file() && found.len() > 0 && name.ends_with(".db") {
            copies.push(SavedCopy { made: found.modified()?, named: time_of_copy(&name), path: file.path() });
        }
    }
    copies.sort();
    Ok(copies)
}

/// When the newest copy in a folder was made; and the last copy that a wrong clock gave a name in the future.
pub(crate) fn newest_backup(
    folder: &Path,
    now: Timestamp,
) -> io::Result<(Option<Timestamp>, Option<SavedCopy>)> {
    let at = |copy: &SavedCopy| copy.named.or_else(|| copy.made.try_into().ok());
    let copies = saved_copies(folder)?.into_iter();
    let (mut ahead, made): (Vec<_>, Vec<_>) =
        copies.partition(|copy| at(copy).is_some_and(|at| is_ahead(at, now)));
    Ok((made.iter().filter_map(at).max(), ahead.pop()))
}

fn is_ahead(at: Timestamp, now: Timestamp) -> bool {
    at.as_second() > now.as_second() + AHEAD
}

/// The folder that shows how far Litestream is; `None` if it does not follow the database. It is the replica, or else
/// [`litestreams_own`], which holds what Litestream has read whether or not the replica has it.
pub(crate) fn followed(data: &Path, config: &Config) -> Option<PathBuf> {
    let own = litestreams_own(data);
    match (config.keep.replica, config.keep.replica_folder.as_str()) {
        (Replica::None, _) => own.is_dir().then_some(own),
        (Replica::Litestream, "") => Some(own),
        (Replica::Litestream, named) => Some(PathBuf::from(named)),
    }
}

/// When a transaction of the database that this machine serves was last copied.
pub(crate) fn last_copied(data: &Path, followed: &Path, now: Timestamp) -> Option<Timestamp> {
    // A replica can be another machine's.
    Some(last_written(followed, now)?.min(last_written(&litestreams_own(data), now)?))
}

/// Whether this is a second machine, which holds a replica of another's database and has never served.
pub(crate) fn is_standby(data: &Path, config: &Config) -> bool {
    let path = data.join(DATABASE);
    let ticked = || Store::open_read_only(&path).and_then(|store| store.last_tick());
    let has_served = path.exists() && !matches!(ticked(), Ok(None));
    config.keep.replica == Replica::Litestream && !config.keep.replica_folder.is_empty() && !has_served
}

/// The folder beside the database in which Litestream keeps what it has read.
pub(crate) fn litestreams_own(data: &Path) -> PathBuf {
    data.join(format!(".{DATABASE}-litestream"))
}

/// When Litestream last wrote below the folder. Times in the future are of a wrong clock, and do not count.
pub(crate) fn last_written(folder: &Path, now: Timestamp) -> Option<Timestamp> {
    let mut newest = None;
    let mut folders: Vec<PathBuf> = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            match entry.metadata() {
                Ok(found) if found.is_dir() => folders.push(entry.path()),
                found => {
                    let at = found.ok().and_then(|found| found.modified().ok()?.try_into().ok());
                    newest = newest.max(at.filter(|at| !is_ahead(*at, now)));
                }
            }
        }
    }
    newest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_copies_have_a_time() {
        assert_eq!(time_of_copy("turnpost-20261123T033000Z.db"), "2026-11-23T03:30:00Z".parse().ok());
        for other in [
            "turnpost.db",
            "turnpost-20261123T033000Z.db-wal",
            "turnpost-2026-11-23.db",
            "turnpost-20261123T03300Z.db",
            "turnpost-before-the-move.db",
            "turnpost-20261123T03300aZ.db",
        ] {
            assert_eq!(time_of_copy(other), None, "{other}");
        }
    }
}
