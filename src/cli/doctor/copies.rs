//! The copies of the database: how old the newest backup is, and whether Litestream keeps up.

use std::path::{Path, PathBuf};

use jiff::Timestamp;

use super::findings::{Findings, length};
use crate::cli::admin::time_of_copy;
use crate::cli::defaults;
use crate::data_dir::{self, DATABASE};
use crate::store::Store;

/// Two nights: a copy a night, of which one may be late.
const OLD: i64 = 48 * 60 * 60;

/// Litestream reads every few seconds; in seconds.
const BEHIND: i64 = 15 * 60;

pub(super) fn check(findings: &mut Findings, data: &Path, folder: Option<&Path>, now: Timestamp) {
    const ABOUT: &str = "backup";
    match folder.map(Path::to_owned).or_else(|| defaults::copies(data)) {
        None => findings.warning(
            ABOUT,
            "not looked for",
            "Name the folder of `admin backup --keep` by --backups, or make copies there every night.",
        ),
        Some(folder) => newest_copy(findings, &folder, now),
    }
    replication(findings, data);
}

fn newest_copy(findings: &mut Findings, folder: &Path, now: Timestamp) {
    const ABOUT: &str = "backup";
    let shown = folder.display();
    let none_yet = "`systemctl enable --now turnpost-backup.timer` makes copies there every night.";
    let files = match std::fs::read_dir(folder) {
        Ok(files) => files,
        Err(why) => return findings.warning(ABOUT, format!("{shown}: {why}"), none_yet),
    };
    // A name that tells no time is the host's own. A clock that was set forward makes no copy new for years.
    let made = files.flatten().filter_map(|file| {
        let (name, found) = (file.file_name(), file.metadata().ok()?);
        let is_copy = found.is_file() && found.len() > 0 && name.to_str()?.ends_with(".db");
        time_of_copy(name.to_str()?).or_else(|| found.modified().ok()?.try_into().ok()).filter(|_| is_copy)
    });
    let newest = made.filter(|at| at.as_second() <= now.as_second() + OLD).max();
    match newest {
        None => findings.warning(ABOUT, format!("{shown} holds no copy"), none_yet),
        Some(at) => {
            let age = now.as_second() - at.as_second();
            let says = format!("the newest copy in {shown} is of {} ago", length(age));
            let advice = "`systemctl status turnpost-backup.timer turnpost-backup.service` says why.";
            if age > OLD { findings.error(ABOUT, says, advice) } else { findings.ok(ABOUT, says) }
        }
    }
}

/// Litestream keeps what it has read in a folder beside the database.
fn replication(findings: &mut Findings, data: &Path) {
    const ABOUT: &str = "replication";
    let folder = data_dir::replication(data);
    if !folder.is_dir() {
        return findings.ok(ABOUT, "none: no Litestream follows the database");
    }
    // The clocks write to the database whenever they run.
    let written = Store::open_read_only(&data.join(DATABASE)).and_then(|store| store.last_tick());
    let read = newest_below(&folder).map_or(0, Timestamp::as_second);
    match written {
        Ok(Some(written)) if written.as_second().saturating_sub(read) > BEHIND => {
            let says = format!(
                "Litestream has not read what was written for {}",
                length(written.as_second() - read)
            );
            findings.error(ABOUT, says, "See whether it runs: `systemctl status litestream`.");
        }
        _ => findings.ok(ABOUT, "Litestream has read what was written"),
    }
}

/// When the newest file below a folder was written.
fn newest_below(folder: &Path) -> Option<Timestamp> {
    let mut newest = None;
    let mut folders: Vec<PathBuf> = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            match entry.metadata() {
                Ok(found) if found.is_dir() => folders.push(entry.path()),
                found => {
                    newest = newest.max(found.ok().and_then(|found| found.modified().ok()?.try_into().ok()))
                }
            }
        }
    }
    newest
}
