//! The copies of the database: how old the newest backup is, and whether Litestream keeps up.

use std::path::Path;

use jiff::Timestamp;

use super::findings::{Findings, length};
use crate::config::Config;
use crate::copies::{self, Followed};
use crate::data_dir::DATABASE;
use crate::store::Store;

/// Two nights: a copy a night, of which one may be late.
const OLD: i64 = 48 * 60 * 60;

/// Whatever serves writes to its database twice a minute, and Litestream reads every second. Who has read nothing for so long
/// is behind, in seconds.
const BEHIND: i64 = 3 * 60;

/// A server of `receive` and timers writes every ten minutes where nothing happens; in seconds.
const RARE: i64 = 15 * 60;

pub(super) fn check(
    findings: &mut Findings,
    data: &Path,
    config: &Config,
    folder: Option<&Path>,
    is_standby: bool,
    now: Timestamp,
) {
    let replica = copies::followed(data, config);
    match folder.map(Path::to_owned).or_else(|| copies::backups(data, config)) {
        _ if is_standby => findings.ok("backup", "the first machine makes them"),
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
        Some(followed) => replication(findings, data, &followed, now),
    }
}

fn newest_backup(findings: &mut Findings, folder: &Path, now: Timestamp) {
    const ABOUT: &str = "backup";
    let shown = folder.display();
    let none_yet = "`systemctl enable --now turnpost-backup.timer` makes copies there every night.";
    let (newest, ahead) = match copies::newest_backup(folder, now) {
        Err(why) => return findings.warning(ABOUT, format!("{shown}: {why}"), none_yet),
        Ok(found) => found,
    };
    let ahead =
        ahead.map(|copy| format!("; {} is of a time to come", copy.path.display())).unwrap_or_default();
    let Some(at) = newest else {
        return findings.warning(ABOUT, format!("{shown} holds no copy{ahead}"), none_yet);
    };
    let age = (now.as_second() - at.as_second()).max(0);
    let says = format!("the newest copy in {shown} is of {} ago{ahead}", length(age));
    let advice = "`systemctl status turnpost-backup.timer turnpost-backup.service` says why.";
    if age > OLD { findings.error(ABOUT, says, advice) } else { findings.ok(ABOUT, says) }
}

fn replication(findings: &mut Findings, data: &Path, followed: &Followed, now: Timestamp) {
    const ABOUT: &str = "replication";
    let advice = match followed {
        Followed::Replica(_) => {
            "`systemctl status turnpost litestream` says why on the machine that serves; when that is gone: docs/operations.md."
        }
        Followed::Read(_) => "`systemctl status litestream` says why.",
    };
    let Some(last) = copies::last_written(followed.folder(), now) else {
        let says =
            format!("{} holds nothing: Litestream has replicated nothing yet", followed.folder().display());
        return findings.error(ABOUT, says, advice);
    };
    let age = length((now.as_second() - last.as_second()).max(0));
    let (says, until, besides) = match followed {
        Followed::Replica(_) => (format!("the replica has what was written {age} ago"), now, ""),
        // The clocks write to the database whenever they run.
        Followed::Read(_) => {
            let ran = Store::open_read_only(&data.join(DATABASE)).and_then(|store| store.last_tick());
            let says = format!("Litestream has read what was written {age} ago");
            let besides = "; `doctor` beside the replica tells whether it is there";
            (says, ran.ok().flatten().unwrap_or(last), besides)
        }
    };
    let behind = until.as_second() - last.as_second();
    if behind <= BEHIND {
        findings.ok(ABOUT, says + besides);
    } else if behind <= RARE && matches!(followed, Followed::Replica(_)) {
        findings.warning(ABOUT, format!("{says}, and nothing since"), advice);
    } else {
        findings.error(ABOUT, format!("{says}, and nothing since"), advice);
    }
}
