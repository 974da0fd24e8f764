//! Time zones by their IANA names.

use std::path::Path;

use jiff::Timestamp;
use jiff::civil::Date;
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

/// A day as mails write it: `Thu 17 Dec`, with its year if that is not the year of `now`.
pub fn day(day: Date, now: Timestamp) -> String {
    let is_of_this_year = day.year() == now.to_zoned(TimeZone::UTC).year();
    day.strftime(if is_of_this_year { "%a %-d %b" } else { "%a %-d %b %Y" }).to_string()
}

/// A date and time as mails write it: `Fri 11 Dec 18:00 Europe/Paris`.
pub fn instant(at: Timestamp, zone: TimeZone) -> String {
    let name = zone.iana_name().unwrap_or("UTC").to_owned();
    format!("{} {name}", at.to_zoned(zone).strftime("%a %-d %b %H:%M"))
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
