//! The database is sound, writable and of this version; mail leaves; the clocks run.

use std::path::Path;

use jiff::Timestamp;

use super::findings::{Findings, length};
use crate::board::verify::verify_sound;
use crate::config::Config;
use crate::contest::faults::faults as contest_faults;
use crate::copies::Machine;
use crate::data_dir::{self, DATABASE, Use};
use crate::error::HostError;
use crate::store::{DICE_KEY, LATEST, Result, Store, StoreError, TooOld};

const ABOUT: &str = "database";

const HELD: &str = "Another program holds it: find it by `fuser`.";

/// If a mail has been due this long, in seconds, nothing sends mail.
const OVERDUE: i64 = 60 * 60;

/// A mail that has waited this long, in seconds, gets a warning.
const OLD: i64 = 24 * OVERDUE;

/// If the last run of the clocks is this long ago, in seconds, nothing runs them.
const CLOCKS_STAND: i64 = OVERDUE;

/// If a contest has been due this long, in seconds, it is stuck.
const STALLED: i64 = 7 * OLD;

/// The most findings that are listed: one damaged page can cause a thousand.
const FINDINGS_AT_MOST: usize = 5;

/// How much of the database is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SchemaReading {
    /// Every page, for damage.
    Whole,
    Quick,
}

/// True if the database exists and is usable.
pub(super) fn check(
    findings: &mut Findings,
    data: &Path,
    config: &Config,
    reading: SchemaReading,
    machine: Machine,
    now: Timestamp,
) -> bool {
    let path = data.join(DATABASE);
    if machine == Machine::Second && !path.exists() {
        findings.ok(ABOUT, "none yet: this is a second machine, with a replica of the first one's");
        return false;
    }
    if let Err(why) = data_dir::must_hold_a_database(data) {
        findings.error(ABOUT, why.to_string(), "");
        return false;
    }
    // Read only: opening for work would migrate the database.
    let looked = Store::open_any_version(&path).and_then(|store| {
        if let Err(why @ HostError::NotWhole(_)) = data_dir::compare(&store, data, config, Use::Work) {
            findings.error("server", why.to_string(), "No letter is taken in, and no mail sent, until then.");
        }
        look(findings, &path, &store, reading, now)
    });
    match looked {
        Ok(is_well) => is_well,
        Err(why) => {
            let is = if why.is_damage() { " is damaged" } else { "" };
            let says = why.to_string();
            let advice = match &why {
                why if why.is_damage() => {
                    "Restore the last backup: docs/operations.md, \"A damaged database\"."
                }
                StoreError::TooNew(_) => {
                    "Nothing is wrong with it: install the version that wrote it, or a later one."
                }
                StoreError::NotOurs(_) => "Name the right folder by --data, or move that file away.",
                why if why.is_busy() => HELD,
                why if why.may_pass() => "Make room on its disk, or mount it for writing.",
                _ => "See whether this user can read and write the file, and the folder that it is in.",
            };
            findings.error(ABOUT, format!("{}{is}: {says}", path.display()), advice);
            false
        }
    }
}

fn look(
    findings: &mut Findings,
    path: &Path,
    store: &Store,
    reading: SchemaReading,
    now: Timestamp,
) -> Result<bool> {
    let shown = path.display();
    let version = store.version(path)?;
    let damages = if reading == SchemaReading::Whole { store.integrity()? } else { Vec::new() };
    for damage in damages.iter().take(FINDINGS_AT_MOST) {
        let advice = "Stop the server, keep a copy of the data directory, and restore the last backup: \
                      docs/operations.md, \"A damaged database\".";
        findings.error(ABOUT, format!("{shown} is damaged: {}", damage.replace('\n', "; ")), advice);
    }
    if !damages.is_empty() {
        return Ok(false);
    }
    if version < LATEST {
        findings.warning(ABOUT, TooOld::of(path, version).to_string(), "");
        return Ok(false);
    }
    // SQLite can find a page whole while its content is wrong. Replaying the boards finds that.
    let wrong = match reading {
        SchemaReading::Whole => {
            let found =
                verify_sound(store).and_then(|found| Ok([found.wrong, contest_faults(store)?].concat()));
            found.unwrap_or_else(|why| vec![why.to_string()])
        }
        SchemaReading::Quick => Vec::new(),
    };
    for wrong in wrong.iter().take(FINDINGS_AT_MOST) {
        let advice = "`turnpost admin verify` lists all such; docs/operations.md, \"A damaged database\".";
        findings.error(ABOUT, format!("{shown} is damaged: {wrong}"), advice);
    }
    if !wrong.is_empty() {
        return Ok(false);
    }
    match Store::try_writing_to(path) {
        Ok(()) => {
            let sound = if reading == SchemaReading::Whole { "is sound" } else { "was not read as a whole" };
            findings.ok(ABOUT, format!("{shown} {sound}, is of version {version} and can be written"));
        }
        Err(why) => {
            let advice = if why.is_busy() { HELD } else { "No letter can be taken in until this is mended." };
            findings.error(ABOUT, format!("{shown} cannot be written: {why}"), advice);
            return Ok(false);
        }
    }
    match store.known_dice_key() {
        Ok(Some(_)) => findings
            .ok("dice", format!("{DICE_KEY} decides them; keep it apart from backups of the database")),
        Ok(None) => {}
        Err(why) => {
            findings.error("dice", why.to_string(), "No dice fall until this file has 32 octets, or is gone.")
        }
    }
    waiting(findings, store, now)?;
    clocks(findings, store, now)?;
    contests(findings, store, now)?;
    erased(findings, store, now)?;
    Ok(true)
}

fn waiting(findings: &mut Findings, store: &Store, now: Timestamp) -> Result<()> {
    const ABOUT: &str = "mail that waits";
    let Some(oldest) = store.oldest_waiting_mail()? else {
        findings.ok(ABOUT, "none");
        return Ok(());
    };
    let age = now.as_second() - oldest.as_second();
    let says = format!("{} in all, the oldest for {}", store.waiting_mails()?, length(age));
    if store.mail_is_overdue(now, OVERDUE)? {
        let advice =
            "Nothing tries to send it: start `turnpost serve`, or run `turnpost deliver` every minute.";
        findings.error(ABOUT, says, advice);
    } else if age > OLD {
        findings.warning(ABOUT, says, "`turnpost admin outbox` says why it has not left.");
    } else {
        findings.ok(ABOUT, says);
    }
    Ok(())
}

fn clocks(findings: &mut Findings, store: &Store, now: Timestamp) -> Result<()> {
    const ABOUT: &str = "clocks";
    let advice =
        "Start `turnpost serve`, or run `turnpost tick` every ten minutes: without it no player is reminded.";
    match store.last_tick()? {
        None => findings.warning(ABOUT, "they have not run yet", advice),
        Some(last) => {
            let age = now.as_second() - last.as_second();
            let says = format!("they ran {} ago", length(age));
            if age > CLOCKS_STAND { findings.error(ABOUT, says, advice) } else { findings.ok(ABOUT, says) }
        }
    }
    Ok(())
}

/// Whether erased data are still in the files, which other readers can delay.
fn erased(findings: &mut Findings, store: &Store, now: Timestamp) -> Result<()> {
    let age = store.held_in_files_since()?.map_or(0, |since| now.as_second() - since.as_second());
    if age > OVERDUE {
        let says = format!("the files still hold what was erased {} ago", length(age));
        let advice = "Another program reads all the time, or the disk is full: docs/operations.md, \"Erased with Litestream\".";
        findings.warning("erased", says, advice);
    }
    Ok(())
}

/// Contests that are stuck although the clocks run.
fn contests(findings: &mut Findings, store: &Store, now: Timestamp) -> Result<()> {
    let since = Timestamp::from_second(now.as_second() - STALLED).unwrap_or(now);
    for name in store.stalled_contests(since)?.iter().take(FINDINGS_AT_MOST) {
        let says = format!("{name} has waited for the clocks for over a week");
        let advice =
            "The log of `turnpost serve` or `turnpost tick` says why; `turnpost admin contest` shows it.";
        findings.warning("contest", says, advice);
    }
    Ok(())
}
