//! Help pages.
//!
//! ```text
//! help [subject ...]
//! game help
//! ```

use crate::commands::{Command, Entry};
use crate::language::{InReply, Parameters};

#[derive(Debug, Clone)]
pub struct Help {
    /// None: the first page.
    pub subjects: Vec<String>,
}

impl Parameters for Help {}

pub(crate) const HELP: Entry = Entry {
    summary: "explains a subject: commands, tutorial, a command or a game",
    details: "Without a subject it prints the first page. `help commands` lists every command, `help tutorial` \
                  leads through a first game, and the name of a command or a game explains that one.",
    example: "help commands",
    for_strangers: true,
    in_reply: InReply::Alone(|_| Command::Help(Help { subjects: Vec::new() })),
    ..Entry::of_server("help", "[subject ...]", |args| {
        let subjects = args.rest().into_iter().map(|subject| subject.text).collect();
        Ok(Command::Help(Help { subjects }))
    })
};

pub(crate) const GAME_HELP: Entry = Entry {
    aliases: &["rules"],
    summary: "the game's rules, notation and options",
    details: "The same page as `help` with the name of the game.",
    example: "GAME help",
    for_strangers: true,
    without_game: &["rules"],
    ..Entry::of_game("help", "", |args| {
        let page = args.named_game().map_or("rules", |game| game.key);
        Ok(Command::Help(Help { subjects: vec![page.to_owned()] }))
    })
};
