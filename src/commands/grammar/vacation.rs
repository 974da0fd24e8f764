//! Days on which no clock runs.
//!
//! ```text
//! vacation userid password FROM TO
//! vacation userid password off
//! ```

use jiff::civil::Date;

use crate::commands::{Command, Entry};
use crate::language::args::{Args, ArgumentError};
use crate::language::{Login, Parameters};

#[derive(Debug, Clone)]
pub struct Vacation {
    pub login: Login,
    /// None: takes vacations back.
    pub days: Option<Days>,
}

/// Both days are included.
#[derive(Debug, Clone, Copy)]
pub struct Days {
    pub first: Date,
    pub last: Date,
}

impl Parameters for Vacation {
    fn login(&self) -> Option<&Login> {
        Some(&self.login)
    }
}

pub(crate) const VACATION: Entry = Entry {
    summary: "announces a vacation",
    details: "FROM and TO are dates such as 2027-07-01, both included, in your own zone, and not in the past. No \
                  clock of your games runs meanwhile, for either side, and opponents are told. There are 30 days for \
                  each year. `off` ends a vacation and takes back those to come.",
    example: "vacation ann plover-42 2027-07-01 2027-07-14",
    ..Entry::of_server("vacation", "userid password FROM TO | userid password off", read)
};

fn read(args: &mut Args) -> Result<Command, ArgumentError> {
    let login = args.login()?;
    if args.take("off") {
        return Ok(Command::Vacation(Vacation { login, days: None }));
    }
    let first = date(args, "the first day")?;
    let last = date(args, "the last day")?;
    Ok(Command::Vacation(Vacation { login, days: Some(Days { first, last }) }))
}

/// `2027-07-01`, and no other way of writing it: 1/7 is read differently in different places.
fn date(args: &mut Args, what: &str) -> Result<Date, ArgumentError> {
    let word = args.word(what)?;
    let text = &word.text;
    let plain = text.len() == 10 && text.bytes().all(|b| b.is_ascii_digit() || b == b'-');
    let date = if plain { text.parse::<Date>().ok() } else { None };
    date.ok_or_else(|| word.error(format!("{what} is expected here as a date such as 2027-07-01")))
}
