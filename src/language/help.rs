//! Help pages.
//!
//! ```text
//! help [subject ...]
//! game help
//! ```

use super::entry::{Entry, Scope};
use super::{Command, Parameters};

#[derive(Debug, Clone)]
pub struct Help {
    /// None: the first page.
    pub subjects: Vec<String>,
}

impl Parameters for Help {}

pub(super) const HELP: Entry = Entry {
    word: "help",
    aliases: &[],
    scope: Scope::Server,
    arguments: "[subject ...]",
    summary: "explains a subject: commands, tutorial, a command or a game",
    details: "Without a subject it prints the first page. `help commands` lists every command, `help tutorial` \
                  leads through a first game, and the name of a command or a game explains that one.",
    example: "help commands",
    read: |args| {
        let subjects = args.rest().into_iter().map(|subject| subject.text).collect();
        Ok(Command::Help(Help { subjects }))
    },
};

pub(super) const GAME_HELP: Entry = Entry {
    word: "help",
    aliases: &["rules"],
    scope: Scope::Game,
    arguments: "",
    summary: "the game's rules, notation and options",
    details: "The same page as `help` with the name of the game.",
    example: "GAME help",
    read: |args| {
        let page = args.named_game().map_or("rules", |game| game.key);
        Ok(Command::Help(Help { subjects: vec![page.to_owned()] }))
    },
};
