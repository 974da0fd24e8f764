//! Time zones by their IANA names.

use std::path::Path;

use jiff::tz::{TimeZone, TimeZoneDatabase};

/// The system's time zone files.
const SYSTEM: &str = "/usr/share/zoneinfo";

/// Finds a zone by name; `None` when there is none.
///
/// The system's file comes before the built-in list, since hosts keep it up to date. It is opened by name:
/// jiff's own search reads every directory of zone files, which takes longer than the rest of a move.
pub fn find(name: &str) -> Option<TimeZone> {
    if name.eq_ignore_ascii_case("UTC") {
        return Some(TimeZone::UTC);
    }
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '/' | '_' | '-' | '+');
    if name.is_empty() || name.starts_with('/') || !name.chars().all(plain) {
        return None;
    }
    let system = std::fs::read(Path::new(SYSTEM).join(name)).ok();
    let system = system.and_then(|bytes| TimeZone::tzif(name, &bytes).ok());
    system.or_else(|| TimeZoneDatabase::bundled().get(name).ok())
}

#[cfg(test)]
mod tests {
    use super::find;

    #[test]
    fn zones_are_found_by_name_and_nothing_else_is_opened() {
        for name in ["Europe/Paris", "America/Argentina/Buenos_Aires", "UTC", "Etc/GMT+5"] {
            assert_eq!(find(name).unwrap().iana_name(), Some(name), "{name}");
        }
        for name in
            ["", "Nowhere/Atlantis", "../../../etc/passwd", "/etc/passwd", "Europe/../../passwd", "Europe"]
        {
            assert!(find(name).is_none(), "{name}");
        }
    }
}
