//! The data directory, the configuration, the variables and the templates.

use std::os::unix::fs::MetadataExt;
use std::path::Path;

use super::findings::Findings;
use crate::cli::{DataPath, defaults, unknown_variables};
use crate::config::{Config, FILE};
use crate::data_dir::{self, DATABASE};
use crate::private_files;

const ABOUT: &str = "configuration";

/// The settings; `None` if they are unusable.
pub(super) fn check(findings: &mut Findings, place: &DataPath) -> Option<Config> {
    for unknown in unknown_variables() {
        match unknown.nearest {
            // An error: a host who misspelt a setting believes that it is in force.
            Some(_) => findings.error("environment", unknown.to_string(), "Name it so, or unset it."),
            None => {
                findings.warning("environment", unknown.to_string(), "Unset it if it was meant for turnpost.")
            }
        }
    }
    let config = match place.settings() {
        Ok(config) => config,
        Err(why) => {
            findings.error(ABOUT, why.to_string().trim_end().to_owned(), "`man turnpost.toml` has all keys.");
            return None;
        }
    };
    for struck in &config.struck {
        findings.warning(ABOUT, struck, "Remove it.");
    }
    if let Err(why) = config.signing_app() {
        findings.error(ABOUT, why.to_string(), "No mail can be written until this is mended.");
    }
    let file = place.settings_file().unwrap_or_else(|| place.data.join(FILE));
    let beside = place.data.join(FILE);
    match std::fs::metadata(&file) {
        Err(_) => {
            let says = format!("there is no {}: every setting has its default", file.display());
            findings.warning(ABOUT, says, "`turnpost init` writes one.");
        }
        Ok(found) if found.mode() & 0o004 != 0 && !config.smtp.password.is_empty() => {
            let says = format!("everybody can read {}, which holds a password", file.display());
            findings.warning(ABOUT, says, format!("`chmod o-r {}`", file.display()));
        }
        Ok(_) => findings.ok(ABOUT, format!("{} can be read", file.display())),
    }
    if file == Path::new(defaults::SETTINGS) && beside.exists() {
        let says = format!("{} is there too, and not read", beside.display());
        findings.warning(ABOUT, says, format!("Bring what it says into {}, and remove it.", file.display()));
    }
    addresses(findings, &config);
    templates(findings, &config);
    Some(config)
}

fn addresses(findings: &mut Findings, config: &Config) {
    for (key, address) in [("address", &config.address), ("operator", &config.operator)] {
        let domain = address.rsplit_once('@').map_or("", |(_, domain)| domain);
        // RFC 2606 reserves these names for documents and tests.
        let kept = ["localhost", "example", "invalid", "test", "example.org", "example.com", "example.net"];
        if kept.iter().any(|name| domain == *name || domain.ends_with(&format!(".{name}"))) {
            let says = format!("`{key}` is {address}, which gets no mail");
            findings.warning(ABOUT, says, format!("Set `{key}` in the configuration."));
        }
    }
}

/// Renders each of the host's templates.
fn templates(findings: &mut Findings, config: &Config) {
    const ABOUT: &str = "templates";
    if config.templates.is_empty() {
        findings.ok(ABOUT, "the built-in ones are used");
        return;
    }
    let app = config.app();
    app.templates.check();
    let faults = app.templates.faults();
    if faults.is_empty() {
        findings.ok(ABOUT, format!("those in {} can be used", config.templates));
    }
    for fault in faults {
        findings.error(ABOUT, fault.to_string(), "Mend or remove the file, and start the server again.");
    }
}

/// The server stops taking letters below this, in bytes.
const FULL: u64 = 1024 * 1024;

/// `doctor` warns below this.
const SCARCE: u64 = 200 * FULL;

/// False if the rest cannot be examined.
pub(super) fn check_data(findings: &mut Findings, data: &Path) -> bool {
    const ABOUT: &str = "data directory";
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
        findings.ok(ABOUT, format!("{shown} belongs to this user, and no other user can read it"));
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
