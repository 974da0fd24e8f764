//! Clocks.
//!
//! ```text
//! game nudge board userid password
//! ```

use super::args::{Args, Expected};
use super::table::{Entry, Scope};
use super::{Command, Seated};

/// A command about clocks.
#[derive(Debug, Clone)]
pub enum ClockCommand {
    /// `game nudge board userid password`
    Nudge {
        /// Which board.
        at: Seated,
    },
}

impl ClockCommand {
    /// The board it names, and who speaks.
    pub fn seated(&self) -> &Seated {
        match self {
            ClockCommand::Nudge { at } => at,
        }
    }
}

pub(super) const ENTRIES: &[Entry] = &[Entry {
    word: "nudge",
    aliases: &[],
    scope: Scope::Game,
    arguments: "board userid password",
    summary: "reminds your opponent of the game, once a day",
    details: "Your opponent gets the board once more, with a word from you. It must have been their turn for 24 hours, \
              and nobody is nudged on vacation.",
    example: "GAME nudge 1 bob dunlin-7",
    read: read_nudge,
}];

fn read_nudge(args: &mut Args) -> Result<Command, Expected> {
    Ok(Command::Clock(ClockCommand::Nudge { at: args.seated()? }))
}
