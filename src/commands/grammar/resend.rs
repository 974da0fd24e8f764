//! The last mail again.
//!
//! ```text
//! resend userid password [board]
//! ```

use crate::commands::{Command, Entry};
use crate::ids::BoardId;
use crate::language::{Login, Parameters};

#[derive(Debug, Clone)]
pub struct Resend {
    pub login: Login,
    /// The board the mail was about; none: any. The answer itself stands in no thread.
    pub about: Option<BoardId>,
}

impl Parameters for Resend {
    fn login(&self) -> Option<&Login> {
        Some(&self.login)
    }
}

pub(crate) const RESEND: Entry = Entry {
    summary: "sends the last mail you got again",
    details: "With a board's number: the last mail about that board.",
    example: "resend ann plover-42 1",
    ..Entry::of_server("resend", "userid password [board]", |args| {
        let login = args.login()?;
        let about = if args.is_empty() { None } else { Some(args.board()?) };
        Ok(Command::Resend(Resend { login, about }))
    })
};
