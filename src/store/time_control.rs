//! Time controls, and how they are written.

use std::fmt;

use super::columns::stored_row;

stored_row! {
    /// The time limits of each player on a board, in days; 0 means never. A total is a bank that
    /// no move refills and no weekend stops.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
    pub struct TimeControl {
        /// Days until the reminder.
        pub nag: u32,
        /// Days until the player to move forfeits.
        pub forfeit: u32,
        /// Days for all moves of a player together.
        pub total: u32,
        /// A bank of time that replaces the other limits.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub bank: Option<Bank>,
    }
}

stored_row! {
    /// The bank of time that each player has, in place of the other limits.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
    pub struct Bank {
        /// The hours at the start, which are also the maximum.
        pub hours: u32,
        /// The hours that each move of the player adds.
        pub refill: u32,
    }
}

impl TimeControl {
    /// Reads `nag 7, forfeit 21, total 0`, which contains no bank.
    pub(crate) fn read(text: &str) -> Option<TimeControl> {
        let days: Option<Vec<u32>> =
            text.split(", ").map(|days| days.split_once(' ')?.1.parse().ok()).collect();
        let [nag, forfeit, total] = days?.try_into().ok()?;
        Some(TimeControl { nag, forfeit, total, bank: None })
    }

    /// The time of each player for all moves together, and the time that each move gives back, in seconds. A total is
    /// a bank that no move refills.
    pub(crate) fn for_all_moves(&self) -> Option<(i64, i64)> {
        match self.bank {
            Some(bank) => Some((i64::from(bank.hours) * 3_600, i64::from(bank.refill) * 3_600)),
            None => (self.total > 0).then(|| (i64::from(self.total) * 86_400, 0)),
        }
    }

    /// True if a player can lose on time.
    pub(crate) fn limit(&self) -> bool {
        self.forfeit > 0 || self.for_all_moves().is_some()
    }
}

/// Writes `nag 7, forfeit 21, total 0`, the form in records and on the host's pages. Leaves out the bank.
impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "nag {}, forfeit {}, total {}", self.nag, self.forfeit, self.total)
    }
}

/// The most hours of a bank.
const BANK_AT_MOST: u32 = 365 * 24;

impl Bank {
    /// Reads `20d+36h`; `None` if the text is not a valid bank.
    pub fn read(text: &str) -> Option<Bank> {
        let hours = |text: &str| {
            let (number, unit) = text.split_at_checked(text.len().checked_sub(1)?)?;
            let number = number.bytes().all(|b| b.is_ascii_digit()).then(|| number.parse::<u32>().ok())??;
            match unit {
                "d" | "D" => number.checked_mul(24),
                "h" | "H" => Some(number),
                _ => None,
            }
        };
        let (whole, refill) =
            text.split_once('+').map_or((text, None), |(whole, refill)| (whole, Some(refill)));
        let bank = Bank { hours: hours(whole)?, refill: refill.map_or(Some(0), hours)? };
        ((1..=BANK_AT_MOST).contains(&bank.hours) && bank.refill <= bank.hours).then_some(bank)
    }
}

/// `20d+36h`, as players write it.
impl fmt::Display for Bank {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.hours {
            hours if hours % 24 == 0 => write!(f, "{}d", hours / 24)?,
            hours => write!(f, "{hours}h")?,
        }
        match self.refill {
            0 => Ok(()),
            refill => write!(f, "+{refill}h"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_is_read_as_it_is_written() {
        for text in ["20d+36h", "1h", "365d", "25h+25h", "3d"] {
            assert_eq!(Bank::read(text).unwrap().to_string(), text);
        }
        assert_eq!(Bank::read("20D+3d"), Some(Bank { hours: 480, refill: 72 }));
        assert_eq!(Bank::read("24h+0h").unwrap().to_string(), "1d");
        for text in [
            "",
            "d",
            "20",
            "0d",
            "366d",
            "20d+",
            "+36h",
            "20d+21d",
            "-1d",
            "20d+36",
            "1.5d",
            "99999999999d",
            "5000000000h",
            "20d+1h+1h",
            "é",
        ] {
            assert_eq!(Bank::read(text), None, "{text}");
        }
    }
}
