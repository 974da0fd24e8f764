//! Copies of the database, by `admin backup` and by Litestream: their folders, and the time of the last one.

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

/// The name pattern of a copy.
pub(crate) const COPY_NAME: &str = "turnpost-%Y%m%dT%H%M%SZ.db";

/// The folder to which the package's unit copies the database.
const BACKUPS: &str = "/var/backups/turnpost";

/// A time more than this many seconds in the future is from a wrong clock.
const AHEAD: i64 = 5 * 60;

pub(crate) fn time_of_copy(name: &str) -> Option<Timestamp> {
    let at = DateTime::strptime(COPY_NAME, name).ok()?.to_zoned(TimeZone::UTC).ok()?.timestamp();
    // `strptime` accepts other spellings of a time.
    (at.strftime(COPY_NAME).to_string() == name).then_some(at)
}

/// The folder of `admin backup --keep`, if it is known.
pub(crate) fn backups(data: &Path, config: &Config) -> Option<PathBuf> {
    match config.keep.backups.as_str() {
        "" => (data == Path::new(DATA)).then(|| PathBuf::from(BACKUPS)),
        named => Some(PathBuf::from(named)),
    }
}

/// A copy of the database. Copies sort by the time they were made.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct SavedCopy {
    /// From the file system. `admin backup` corrects it if the clock was wrong.
    pub made: SystemTime,
    /// From its name; `None` if the host chose the name.
    pub named: Option<Timestamp>,
    pub path: PathBuf,
}

/// The copies in a folder, oldest first. Skips empty files, which a full disk leaves.
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

/// The newest copy in a folder.
pub(crate) struct NewestBackup {
    pub made: Option<Timestamp>,
    /// The last copy with a time in the future, from a wrong clock.
    pub ahead: Option<SavedCopy>,
}

pub(crate) fn newest_backup(folder: &Path, now: Timestamp) -> io::Result<NewestBackup> {
    let at = |copy: &SavedCopy| copy.named.or_else(|| copy.made.try_into().ok());
    let copies = saved_copies(folder)?.into_iter();
    let (mut ahead, made): (Vec<_>, Vec<_>) =
        copies.partition(|copy| at(copy).is_some_and(|at| is_ahead(at, now)));
    Ok(NewestBackup { made: made.iter().filter_map(at).max(), ahead: ahead.pop() })
}

fn is_ahead(at: Timestamp, now: Timestamp) -> bool {
    at.as_second() > now.as_second() + AHEAD
}

/// The folder that shows how far Litestream is: the replica, or else [`litestreams_own`]. `None` if Litestream does not
/// follow the database.
pub(crate) fn followed(data: &Path, config: &Config) -> Option<PathBuf> {
    let own = litestreams_own(data);
    match (config.keep.replica, config.keep.replica_folder.as_str()) {
        (Replica::None, _) => own.is_dir().then_some(own),
        (Replica::Litestream, "") => Some(own),
        (Replica::Litestream, named) => Some(PathBuf::from(named)),
    }
}

/// The time at which the replica last got a change of the database that this machine serves.
pub(crate) fn last_copied(data: &Path, followed: &Path, now: Timestamp) -> Option<Timestamp> {
    // The replica may belong to another machine's database.
    Some(last_written(followed, now)?.min(last_written(&litestreams_own(data), now)?))
}

/// Which of two machines this is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Machine {
    /// It serves, or is the only one.
    First,
    /// It holds a replica of the first one's database and has never served.
    Second,
}

pub(crate) fn machine(data: &Path, config: &Config) -> Machine {
    let path = data.join(DATABASE);
    let ticked = || Store::open_read_only(&path).and_then(|store| store.last_tick());
    let has_served = path.exists() && !matches!(ticked(), Ok(None));
    let has_replica = config.keep.replica == Replica::Litestream && !config.keep.replica_folder.is_empty();
    if has_replica && !has_served { Machine::Second } else { Machine::First }
}

/// Litestream's own folder next to the database, with all changes that it has read.
pub(crate) fn litestreams_own(data: &Path) -> PathBuf {
    data.join(format!(".{DATABASE}-litestream"))
}

/// The time of the last write below the folder. Skips times in the future, from a wrong clock.
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
