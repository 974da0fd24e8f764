//! The default places of data and settings.
//!
//! A program below `/usr` or `/opt` uses those of the machine's server. Any other program, such as a developer's build,
//! uses a folder of its own.

use std::path::{Path, PathBuf};

pub(super) use crate::data_dir::DATA;

/// The settings of the machine's server.
pub(super) const SETTINGS: &str = "/etc/turnpost/turnpost.toml";

/// The data directory of a program that is not installed.
pub(super) const HERE: &str = "turnpost-data";

/// True if this program is installed.
pub(super) fn is_installed() -> bool {
    std::env::current_exe().is_ok_and(|program| is_a_machines(&program))
}

fn is_a_machines(program: &Path) -> bool {
    program.starts_with("/usr") || program.starts_with("/opt")
}

/// The data directory if neither an option nor a variable names one.
pub(super) fn data() -> PathBuf {
    let is_there = || Path::new(DATA).is_dir();
    PathBuf::from(if is_installed() && is_there() { DATA } else { HERE })
}

/// The configuration outside the data directory that belongs to it, if any.
pub(super) fn settings(data: &Path) -> Option<PathBuf> {
    (data == Path::new(DATA) && is_installed()).then(|| PathBuf::from(SETTINGS))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_developers_program_is_not_the_machines() {
        assert!(is_a_machines(Path::new("/usr/bin/turnpost")));
        assert!(is_a_machines(Path::new("/usr/local/bin/turnpost")));
        assert!(!is_a_machines(Path::new("/home/ann/turnpost/target/debug/turnpost")));
        assert_eq!(settings(Path::new(DATA)), None);
    }
}
