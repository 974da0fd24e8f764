//! The last mail again.
//!
//! ```text
//! resend userid password [board]
//! ```

use super::entry::{Entry, Scope};
use super::{Command, Login, Parameters};
use crate::ids::BoardId;

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

pub(super) const RESEND: Entry = Entry {
    word: "resend",
    aliases: &[],
    scope: Scope::Server,
    arguments: "userid password [board]",
    summary: "sends the last mail you got again",
    details: "With a board's number: the last mail about that board.",
    example: "resend ann plover-42 1",
    read: |args| {
        let login = args.login()?;
        let about = if args.is_empty() { None } else { Some(args.board()?) };
        Ok(Command::Resend(Resend { login, about }))
    },
};
