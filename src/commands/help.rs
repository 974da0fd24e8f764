//! Help pages.
//!
//! ```text
//! help [subject ...]
//! game help
//! ```

use turnpost_games::registry;

use crate::commands::LANGUAGE;
use crate::commands::prelude::*;
use crate::language::{InReply, Scope};
use crate::settings::KEYS;

#[derive(Debug, Clone)]
pub struct Help {
    /// Empty for the first page.
    pub subjects: Vec<String>,
}

impl Parameters for Help {
    fn line(&self, word: &str) -> String {
        Written::new(None, word).and(&self.subjects).end()
    }

    fn may_be_prose(&self) -> bool {
        !self.subjects.is_empty() && self.subjects.iter().all(|subject| page(subject).is_none())
    }
}

pub(crate) const HELP: Entry = Entry {
    summary: "explains a subject: commands, tutorial, a command or a game",
    details: "Without a subject it prints the first page. `help commands` lists every command, and `help tutorial` \
                  leads you through a first game. The name of a command or a game explains it.",
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
    summary: "the game's rules, moves and options",
    details: "The same page as `help` with the name of the game.",
    example: "GAME help",
    for_strangers: true,
    without_game: &["rules"],
    ..Entry::of_game("help", "", |args| {
        let page = args.named_game().map_or("rules", |game| game.key);
        Ok(Command::Help(Help { subjects: vec![page.to_owned()] }))
    })
};

/// The page that `help` alone prints.
pub const FIRST_PAGE: &str = "index";

/// Pages that describe no single command or game.
pub const GENERAL: &[&str] = &[
    "start",
    "want",
    "commands",
    "tutorial",
    "rules",
    "reply",
    "robot",
    "time",
    "vacation",
    "draw",
    "dice",
    "rating",
    "multiple",
    "pass",
    "organiser",
];

/// Each page's synonyms.
const OTHER_WORDS: &[(&str, &[&str])] = &[
    ("rules", &["rule", "games", "game"]),
    ("reply", &["replies", "replying", "answer", "moves", "word", "words"]),
    ("robot", &["computer", "bot", "ai", "level", "levels", "engine", "robots"]),
    (
        "time",
        &[
            "times",
            "clock",
            "clocks",
            "deadline",
            "deadlines",
            "days",
            "reminder",
            "nagtime",
            "forfeittime",
            "totaltime",
            "bank",
        ],
    ),
    ("vacation", &["vacations", "holiday", "holidays", "absence"]),
    ("draw", &["draws", "tie", "remis"]),
    ("rating", &["elo", "glicko", "rated", "unrated", "rank", "ranking"]),
    ("tutorial", &["begin", "beginner", "newcomer", "how", "intro", "introduction"]),
    ("signup", &["register", "login", "password", "account", "join"]),
    ("set", KEYS),
    ("league", &["leagues", "season", "seasons"]),
    ("ladder", &["ladders"]),
    ("organiser", &["organisers", "organizer", "organise", "organize", "appeal"]),
];

/// Maximum number of subjects in a line.
const PAGES_A_LINE: usize = 5;

/// Number of similar pages offered for an unknown subject.
const NEAREST: usize = 3;

pub(crate) fn help(ctx: &mut Context<'_>, command: Help) -> Result<Event, CommandError> {
    let subjects = command.subjects;
    let subjects = if subjects.is_empty() { vec![FIRST_PAGE.to_owned()] } else { subjects };
    if subjects.len() > PAGES_A_LINE && !ctx.writer.is_operator() {
        return refuse!("A line of `help` may name {PAGES_A_LINE} subjects. Ask for the others in another.");
    }
    let mut found: Vec<String> = Vec::new();
    let mut known = false;
    for page in subjects.iter().filter_map(|subject| page(subject)) {
        known = true;
        if !ctx.used.help_pages.contains(&page) {
            ctx.used.help_pages.push(page.clone());
            found.push(page);
        }
    }
    match (found.is_empty(), known) {
        (false, _) => Ok(Event::Help(found)),
        (true, true) => refuse!("This answer holds that page already."),
        (true, false) => {
            let subject = subjects.first().map(String::as_str).unwrap_or_default();
            let pages: Vec<String> =
                nearest(subject).into_iter().map(|page| format!("    help {page}")).collect();
            refuse!(
                "There is no help page of that name. `help` names all; the nearest are:\n\n{pages}",
                pages = pages.join("\n")
            )
        }
    }
}

/// Finds the page about `subject`, ignoring case; `None` if there is none.
pub fn page(subject: &str) -> Option<String> {
    let subject = subject.to_lowercase();
    if subject == FIRST_PAGE || GENERAL.contains(&subject.as_str()) {
        return Some(subject);
    }
    if let Some(game) = registry::find(&subject) {
        return Some(game.key.to_owned());
    }
    let command = commands_of(&subject).first().map(|entry| entry.word.to_owned());
    command.or_else(|| {
        let meant = OTHER_WORDS.iter().find(|(_, words)| words.contains(&subject.as_str()));
        meant.map(|(page, _)| (*page).to_owned())
    })
}

/// The pages with the names most similar to an unknown subject.
fn nearest(subject: &str) -> Vec<&'static str> {
    let subject: String = subject.to_lowercase().chars().take(30).collect();
    let mut pages = pages();
    // The sort is stable, so the general pages stay first among equals.
    pages.sort_by_key(|page| {
        let related = subject.len() > 2 && (page.contains(subject.as_str()) || subject.contains(page));
        (!related, strsim::damerau_levenshtein(&subject, page))
    });
    pages.truncate(NEAREST);
    pages
}

pub fn pages() -> Vec<&'static str> {
    let mut pages: Vec<&str> = GENERAL.to_vec();
    pages.extend(registry::games().iter().map(|game| game.key));
    for entry in LANGUAGE.entries() {
        if !pages.contains(&entry.word) {
            pages.push(entry.word);
        }
    }
    pages
}

/// The commands that the page `word` describes.
pub fn commands_of(word: &str) -> Vec<&'static Entry> {
    LANGUAGE
        .entries()
        .filter(|entry| entry.word == word || entry.aliases.contains(&word))
        // `help` names two commands: `GAME help` shows the game's own page, so this page describes only the
        // server's.
        .filter(|entry| entry.word != "help" || entry.scope == Scope::Server)
        .collect()
}
