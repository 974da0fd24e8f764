//! The data directory: whose it is, who can read it, and how much room there is.

use std::os::unix::fs::MetadataExt;
use std::path::Path;

use super::findings::Findings;
use crate::data_dir::{self, DATABASE};
use crate::private_files;

const ABOUT: &str = "data directory";

/// The server stops taking letters below this, in bytes.
const FULL: u64 = 1024 * 1024;

/// A host should know below this.
const SCARCE: u64 = 200 * FULL;

/// False when nothing can be said of the rest.
pub(super) fn check(findings: &mut Findings, data: &Path) -> bool {
    let shown = data.display();
    match std::fs::metadata(data) {
        Ok(found) if found.is_dir() => {}
        Ok(_) => {
            findings.error(ABOUT, format!("{shown} is no folder"), "Name the right one by --data.");
            return false;
        }
        Err(why) => {
            let advice = "Name the right one by --data, or make one by `turnpost init`.";
            findings.error(ABOUT, format!("{shown}: {why}"), advice);
            return false;
        }
    }
    if let Err(why) = data_dir::refuse_others(data) {
        findings.error(ABOUT, why.to_string(), "");
        return false;
    }
    let mut is_private = true;
    if let Some(warning) = data_dir::open_to_others(data) {
        is_private = false;
        findings.warning(ABOUT, warning, "");
    }
    for file in private_files::of_database(&data.join(DATABASE)) {
        let Ok(found) = std::fs::symlink_metadata(&file) else { continue };
        let shown = file.display();
        if found.uid() != private_files::user() {
            is_private = false;
            findings.error(
                ABOUT,
                format!("{shown} belongs to another user"),
                "Give it to the owner of its folder, by `chown`.",
            );
        } else if found.mode() & 0o077 != 0 {
            is_private = false;
            let says = format!("other users may be able to read {shown}");
            findings.warning(
                ABOUT,
                says,
                format!("`chmod 600 {shown}`; the next command that opens it does so too."),
            );
        }
    }
    if is_private {
        findings.ok(ABOUT, format!("{shown} belongs to this user, and nobody else can read it"));
    }
    room(findings, data);
    true
}

fn room(findings: &mut Findings, data: &Path) {
    const ABOUT: &str = "disk";
    if let Err(why) = private_files::has_room(data, FULL) {
        findings.error(ABOUT, why, "No letter can be taken in: make room, or mount it for writing.");
        return;
    }
    match private_files::room(data) {
        None => findings.ok(ABOUT, "it does not count its room"),
        Some(bytes) if bytes < SCARCE => {
            findings.warning(ABOUT, format!("{} are free", mebibytes(bytes)), "Make room before it is full.");
        }
        Some(bytes) => findings.ok(ABOUT, format!("{} are free", mebibytes(bytes))),
    }
}

fn mebibytes(bytes: u64) -> String {
    let mebibytes = bytes / (1024 * 1024);
    if mebibytes < 10 * 1024 { format!("{mebibytes} MiB") } else { format!("{} GiB", mebibytes / 1024) }
}
