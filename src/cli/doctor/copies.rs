//! The copies of the database: how old the newest backup is, and whether Litestream keeps up.

use std::path::Path;
use std::thread::sleep;
use std::time::{Duration, Instant};

use jiff::Timestamp;

use super::findings::{Findings, length};
use crate::config::Config;
use crate::copies::{self, Machine, NewestBackup};
use crate::data_dir::DATABASE;
use crate::store::Store;

/// Two nights, in seconds: the timer copies every night, and one copy may be late.
const OLD: i64 = 48 * 60 * 60;

/// Litestream is late if it has read nothing for this time, in seconds. `serve` writes twice a minute, and Litestream
/// reads every second.
const BEHIND: i64 = 3 * 60;

/// On the second machine, a pause in the writes is only a warning for this time, in seconds. A server run as `receive`
/// and timers writes only every ten minutes if nothing happens.
const RARE: i64 = 15 * 60;

/// A Litestream that was just started needs this long for its first copy.
const FIRST_COPY: Duration = Duration::from_secs(2);

pub(super) fn check(
    findings: &mut Findings,
    data: &Path,
    config: &Config,
    folder: Option<&Path>,
    machine: Machine,
    now: Timestamp,
) {
    let replica = copies::followed(data, config);
    match folder.map(Path::to_owned).or_else(|| copies::backups(data, config)) {
        _ if machine == Machine::Second => findings.ok("backup", "the first machine makes them"),
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
        Some(folder) => replication(findings, data, &folder, machine, now),
    }
}

fn newest_backup(findings: &mut Findings, folder: &Path, now: Timestamp) {
    const ABOUT: &str = "backup";
    let shown = folder.display();
    let none_yet = "`systemctl enable --now turnpost-backup.timer` makes copies there every night.";
    let NewestBackup { made, ahead } = match copies::newest_backup(folder, now) {
        Err(why) => return findings.warning(ABOUT, format!("{shown}: {why}"), none_yet),
        Ok(found) => found,
    };
    let ahead =
        ahead.map(|copy| format!("; {} is of a time to come", copy.path.display())).unwrap_or_default();
    let Some(at) = made else {
        return findings.warning(ABOUT, format!("{shown} holds no copy{ahead}"), none_yet);
    };
    let age = (now.as_second() - at.as_second()).max(0);
    let says = format!("the newest copy in {shown} is of {} ago{ahead}", length(age));
    let advice = "`systemctl status turnpost-backup.timer turnpost-backup.service` says why.";
    if age > OLD { findings.error(ABOUT, says, advice) } else { findings.ok(ABOUT, says) }
}

fn replication(findings: &mut Findings, data: &Path, folder: &Path, machine: Machine, now: Timestamp) {
    const ABOUT: &str = "replication";
    const NOTHING_SINCE: &str = ", and nothing since";
    let (own, shown) = (copies::litestreams_own(data), folder.display());
    // The clocks write to the database whenever they run.
    let ran = || Store::open_read_only(&data.join(DATABASE)).and_then(|store| store.last_tick());
    let is_second = machine == Machine::Second;
    let until = if is_second { Some(now) } else { ran().ok().flatten() };
    let behind = |last: Timestamp| until.map_or(0, |until| until.as_second() - last.as_second());
    let begun = Instant::now();
    let newest = |folder: &Path| loop {
        let last = copies::last_written(folder, now);
        if last.is_some_and(|last| behind(last) <= BEHIND) || begun.elapsed() > FIRST_COPY {
            return last;
        }
        sleep(Duration::from_millis(100));
    };
    let read = if is_second { None } else { newest(&own) };
    if !is_second && folder != own && read.is_none_or(|read| behind(read) > BEHIND) {
        // After `admin restore` the database is a new file.
        let made = std::fs::metadata(data.join(DATABASE)).and_then(|file| file.created());
        let made = made.ok().and_then(|at| Timestamp::try_from(at).ok());
        let since =
            [read, copies::last_written(folder, now), made].into_iter().flatten().min().unwrap_or(now);
        let age = length(now.as_second() - since.as_second());
        let says = format!(
            "nothing has copied the database for {age}: this machine serves, and what {shown} holds is another's"
        );
        let advice = "`turnpost init --standby --back` prints what lets another machine follow this one; \
                      docs/operations.md, \"The first machine is gone\".";
        return findings.error(ABOUT, says, advice);
    }
    let advice = match machine {
        Machine::Second => {
            "`systemctl status turnpost litestream` says why on the machine that serves; when that is gone: docs/operations.md."
        }
        Machine::First => {
            "`systemctl status litestream` says why. `replica_folder` of [keep] is for a replica on this machine."
        }
    };
    let Some(last) = newest(folder) else {
        let says = format!("{shown} holds nothing: Litestream has replicated nothing yet");
        return findings.error(ABOUT, says, advice);
    };
    let age = length(now.as_second() - last.as_second());
    let (has, besides) = match folder == own {
        true => ("Litestream has read", "; `doctor` at the replica tells whether it is there"),
        false => ("the replica has", ""),
    };
    let says = format!("{has} what was written {age} ago");
    match behind(last) {
        ..=BEHIND => findings.ok(ABOUT, says + besides),
        ..=RARE if is_second => findings.warning(ABOUT, says + NOTHING_SINCE, advice),
        _ => findings.error(ABOUT, says + NOTHING_SINCE, advice),
    }
}
