//! A player's card, or the players who came last.
//!
//! ```text
//! who [userid]
//! ```

use super::entry::{Entry, Scope};
use super::{Command, Parameters};
use crate::ids::Userid;

#[derive(Debug, Clone)]
pub struct Who {
    pub userid: Option<Userid>,
}

impl Parameters for Who {}

pub(super) const WHO: Entry = Entry {
    word: "who",
    aliases: &[],
    scope: Scope::Server,
    arguments: "[userid]",
    summary: "shows a player's card",
    details: "Since when, games in play and finished, and vacations. Without a userid it lists the players who \
                  came last.",
    example: "who ann",
    read: |args| {
        let userid = if args.is_empty() { None } else { Some(args.userid("a userid")?) };
        Ok(Command::Who(Who { userid }))
    },
};
