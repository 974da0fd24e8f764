//! The section `[keep]`: how long mails are kept, and where the database is copied to.

use std::fmt;

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct KeepConfig {
    /// How long the text of a mail is kept. The recipient and the outcome stay.
    pub mails: Age,
    /// The folder of `admin backup --keep`. Empty: /var/backups/turnpost for the machine's server, else unknown.
    pub backups: String,
    pub replica: Replica,
    /// The folder of Litestream's replica, if it is on this machine. Empty: look at what Litestream has read.
    pub replica_folder: String,
}

/// The program that replicates the database.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Replica {
    #[default]
    None,
    Litestream,
}

/// An age as a setting writes it: `30d`, or `forever`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub enum Age {
    Days(u16),
    Forever,
}

impl Age {
    /// The time before which anything is too old at `now`; `None` for `forever`.
    pub fn before(self, now: Timestamp) -> Option<Timestamp> {
        match self {
            Age::Days(days) => now.checked_sub(SignedDuration::from_hours(i64::from(days) * 24)).ok(),
            Age::Forever => None,
        }
    }
}

impl Default for Age {
    fn default() -> Age {
        Age::Days(30)
    }
}

impl fmt::Display for Age {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Age::Days(days) => write!(f, "{days}d"),
            Age::Forever => f.write_str("forever"),
        }
    }
}

impl TryFrom<String> for Age {
    type Error = String;

    fn try_from(text: String) -> Result<Age, String> {
        let days = text.strip_suffix('d').and_then(|days| days.parse().ok()).filter(|days| *days > 0);
        match days {
            _ if text == "forever" => Ok(Age::Forever),
            Some(days) => Ok(Age::Days(days)),
            None => Err(format!("{text:?} is no number of days such as \"30d\", and not \"forever\"")),
        }
    }
}

impl From<Age> for String {
    fn from(age: Age) -> String {
        age.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ages() {
        for age in [Age::Days(1), Age::Days(30), Age::Days(u16::MAX), Age::Forever] {
            assert_eq!(Age::try_from(age.to_string()), Ok(age));
        }
        for wrong in ["", "d", "0d", "-1d", "30", "30 d", "70000d", "1h", "never"] {
            assert!(Age::try_from(wrong.to_owned()).unwrap_err().contains("\"30d\""), "{wrong}");
        }
        let now = Timestamp::UNIX_EPOCH;
        assert_eq!(Age::Days(2).before(now).unwrap().as_second(), -2 * 24 * 60 * 60);
        assert_eq!(Age::Forever.before(now), None);
    }
}
