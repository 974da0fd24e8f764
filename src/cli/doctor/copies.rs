//! The copies of the database: how old the newest backup is, and whether Litestream keeps up.

use std::path::Path;

use jiff::Timestamp;

use super::findings::{Findings, length};
use crate::config::Config;
use crate::copies;
use crate::data_dir::DATABASE;
use crate::store::Store;

/// Two nights: a copy a night, of which one may be late.
const OLD: i64 = 48 * 60 * 60;

/// Litestream reads every few seconds; in seconds.
const BEHIND: i64 = 15 * 60;

pub(super) fn check(
    findings: &mut Findings,
    data: &Path,
    config: &Config,
    folder: Option<&Path>,
    now: Timestamp,
) {
    let replica = copies::replica(data, config);
    match folder.map(Path::to_owned).or_else(|| copies::backups(data, config)) {
        None => {
            let says = match replica {
                Some(_) => "not looked for",
                None => "not looked for, and nothing else copies the database",
            };
            let advice = "Name the folder of `admin backup --keep` by `backups` of [keep], or make copies there every night.";
            findings.warning("backup", says, advice);
        }
        Some(folder) => newest_backup(findings, &folder, now),
    }
    match replica {
        None => findings.ok("replication", "none: no Litestream follows the database"),
        Some(folder) => replication(findings, data, &folder, now),
    }
}

fn newest_backup(findings: &mut Findings, folder: &Path, now: Timestamp) {
    const ABOUT: &str = "backup";
    let shown = folder.display();
    let none_yet = "`systemctl enable --now turnpost-backup.timer` makes copies there every night.";
    match copies::newest_backup(folder, now) {
        Err(why) => findings.warning(ABOUT, format!("{shown}: {why}"), none_yet),
        Ok(None) => findings.warning(ABOUT, format!("{shown} holds no copy"), none_yet),
        Ok(Some(at)) => {
            let age = now.as_second() - at.as_second();
            let says = format!("the newest copy in {shown} is of {} ago", length(age));
            let advice = "`systemctl status turnpost-backup.timer turnpost-backup.service` says why.";
            if age > OLD { findings.error(ABOUT, says, advice) } else { findings.ok(ABOUT, says) }
        }
    }
}

fn replication(findings: &mut Findings, data: &Path, folder: &Path, now: Timestamp) {
    const ABOUT: &str = "replication";
    let advice = "See whether it runs: `systemctl status litestream`.";
    let Some(read) = copies::last_replicated(folder) else {
        let says = format!("{} holds nothing: Litestream has replicated nothing yet", folder.display());
        return findings.error(ABOUT, says, advice);
    };
    // The clocks write to the database whenever they run.
    let written = Store::open_read_only(&data.join(DATABASE)).and_then(|store| store.last_tick());
    match written {
        Ok(Some(written)) if written.as_second() - read.as_second() > BEHIND => {
            let behind = length(written.as_second() - read.as_second());
            findings.error(ABOUT, format!("Litestream has not read what was written for {behind}"), advice);
        }
        _ => {
            let age = length((now.as_second() - read.as_second()).max(0));
            findings.ok(ABOUT, format!("Litestream replicated what was written {age} ago"));
        }
    }
}
