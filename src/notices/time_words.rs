//! Durations and time controls in words.

use crate::store::TimeControl;

/// The time control in words: `21 days for each move; a reminder comes after 7`.
pub(crate) fn time_control(days: TimeControl) -> String {
    let count = |days: u32| if days == 1 { "1 day".to_owned() } else { format!("{days} days") };
    let limit = if let Some(bank) = days.bank {
        let whole = in_words(i64::from(bank.hours) * 3_600);
        let back = match bank.refill {
            0 => "no move gives time back".to_owned(),
            refill => format!("each move gives {} back, up to {whole}", in_words(i64::from(refill) * 3_600)),
        };
        format!("{whole} for all your moves, and {back}")
    } else {
        let total = match days.total {
            0 => String::new(),
            total => format!(", and {} for all your moves together", count(total)),
        };
        match days.forfeit {
            0 => format!("no limit for a move{total}"),
            forfeit => format!("{} for each move{total}", count(forfeit)),
        }
    };
    match days.nag {
        0 => format!("{limit}; no reminder"),
        // The limit has named the unit.
        nag if days.bank.is_none() && days.forfeit > 0 => format!("{limit}; a reminder comes after {nag}"),
        nag => format!("{limit}; a reminder comes after {}", count(nag)),
    }
}

/// A duration in days and whole hours: `8 days and 4 hours`, `a day and a half`.
pub(crate) fn in_words(seconds: i64) -> String {
    let count = |number: i64, one: &str, unit: &str| match number {
        1 => one.to_owned(),
        number => format!("{number} {unit}s"),
    };
    let whole_hours = if seconds < 3_600 { 0 } else { (seconds + 1_800) / 3_600 };
    let (days, hours) = (whole_hours / 24, whole_hours % 24);
    let (in_days, in_hours) = (count(days, "a day", "day"), count(hours, "an hour", "hour"));
    match (days, hours) {
        (0, 0) if seconds < 60 => "no time".to_owned(),
        (0, 0) => count(seconds / 60, "a minute", "minute"),
        (1, 12) => "a day and a half".to_owned(),
        (_, 0) => in_days,
        (0, _) => in_hours,
        _ => format!("{in_days} and {in_hours}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_duration_is_told_in_days_and_hours() {
        let told = |hours: i64| in_words(hours * 3_600);
        assert_eq!(
            [480, 196, 36, 25, 24].map(told),
            ["20 days", "8 days and 4 hours", "a day and a half", "a day and an hour", "a day"]
        );
        assert_eq!([5, 1].map(told), ["5 hours", "an hour"]);
        assert_eq!([86_399, 5_400, 5_399].map(in_words), ["a day", "2 hours", "an hour"]);
        assert_eq!([150, 60, 0].map(in_words), ["2 minutes", "a minute", "no time"]);
    }
}
