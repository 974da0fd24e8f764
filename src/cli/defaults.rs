//! Where a program that is installed on its machine finds its data and its settings.
//!
//! The program of a package, or one in `/usr/local/bin`, serves the machine; one in a folder of a developer's does not,
//! whatever else is installed.

use std::path::{Path, PathBuf};

pub(super) use crate::data_dir::DATA;

/// Its settings.
pub(super) const SETTINGS: &str = "/etc/turnpost/turnpost.toml";

/// The data directory of a program that is not installed.
pub(super) const HERE: &str = "turnpost-data";

/// True when this program stands where a machine's programs do.
pub(super) fn is_installed() -> bool {
    std::env::current_exe().is_ok_and(|program| is_a_machines(&program))
}

fn is_a_machines(program: &Path) -> bool {
    program.starts_with("/usr") || program.starts_with("/opt")
}

/// The data directory where neither an option nor a variable names one.
pub(super) fn data() -> PathBuf {
    let is_there = || Path::new(DATA).is_dir();
    PathBuf::from(if is_installed() && is_there() { DATA } else { HERE })
}

/// The file of settings that belongs to a data directory and is not in it.
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
