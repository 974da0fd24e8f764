//! The configuration, the variables and the templates.

use std::os::unix::fs::MetadataExt;
use std::path::Path;

use super::findings::Findings;
use crate::cli::{DataPath, defaults, unknown_variables};
use crate::config::{Config, FILE};

const ABOUT: &str = "configuration";

/// The settings; `None` when they cannot be used.
pub(super) fn check(findings: &mut Findings, place: &DataPath) -> Option<Config> {
    for unknown in unknown_variables() {
        match unknown.nearest {
            // Somebody who misspelt a setting believes that it is in force.
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
        // RFC 2606 keeps these names for documents and tests.
        let kept = ["localhost", "example", "invalid", "test", "example.org", "example.com", "example.net"];
        if kept.iter().any(|name| domain == *name || domain.ends_with(&format!(".{name}"))) {
            let says = format!("`{key}` is {address}, to which nobody can write");
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
        findings.error(ABOUT, fault, "Mend or remove the file, and start the server again.");
    }
}
