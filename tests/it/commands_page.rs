//! `docs/commands.md` says what the help pages say: it is made of their files and of the table of commands.

use std::collections::HashSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use minijinja::syntax::SyntaxConfig;
use minijinja::value::Value;
use minijinja::{Environment, context};
use turnpost::commands::LANGUAGE;
use turnpost_games::{GameKind, registry};

use crate::zz;

/// The widest line of a paragraph.
const WIDTH: usize = 100;

/// Pages that are a chapter of their own, with its heading.
const CHAPTERS: &[(&str, &str)] = &[
    ("reply", "Replies"),
    ("time", "Time"),
    ("vacation", "Vacations"),
    ("draw", "Draws"),
    ("rating", "Ratings"),
    ("robot", "The robot"),
    ("multiple", "Several commands in one mail"),
];

#[test]
fn the_page_for_players_is_what_the_help_pages_say() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/commands.md");
    let page = page();
    if std::env::var_os("TURNPOST_BLESS").is_some() {
        std::fs::write(&file, &page).unwrap();
    }
    assert!(std::fs::read_to_string(file).unwrap() == page, "TURNPOST_BLESS=1 writes it anew");
}

fn page() -> String {
    let help = Help::new();
    let mut page = String::from("# Playing\n\n");
    for name in ["start", "want"] {
        page.push_str(&help.page(name));
    }
    let every = help.page("every-game");
    write!(page, "## How to write a move\n\nThese words work in each game:\n\n{every}").unwrap();
    for game in registry::games().iter().filter(|game| game.key != zz::KIND.key) {
        let whole = help.game(game.key);
        let (_, below) = whole.split_once("## How to write a move\n").unwrap();
        let part = below.split("\n## ").next().unwrap().replace(every.trim(), "");
        write!(page, "### {}\n\n{}\n\n", game.name, part.trim()).unwrap();
    }
    for (name, heading) in CHAPTERS {
        write!(page, "## {heading}\n\n{}", help.page(name)).unwrap();
    }
    write!(page, "## All commands\n\n{}{}", help.page("commands"), commands()).unwrap();
    page.push_str(
        "## This page\n\nThe server's own help pages and its table of commands make this page, so `help` says the same. \
         Developers write it anew by `TURNPOST_BLESS=1 cargo test --test it commands_page`. `tests/conversations` has \
         whole games by mail.\n",
    );
    for_readers(&page)
}

/// The reference, from the table that the reader of mails uses.
fn commands() -> String {
    let mut text = String::new();
    let mut told = HashSet::new();
    for word in LANGUAGE.entries().map(|entry| entry.word).filter(|word| told.insert(*word)) {
        write!(text, "### `{word}`\n\n").unwrap();
        for entry in LANGUAGE.entries().filter(|entry| entry.word == word) {
            let [details, example] = [entry.details, entry.example].map(|of| of.replace("GAME", "dvonn"));
            let mut summary = entry.summary.to_owned();
            summary[..1].make_ascii_uppercase();
            write!(text, "`{}`\n\n{summary}. {details}\n\n", entry.grammar("game")).unwrap();
            if !entry.aliases.is_empty() {
                write!(text, "Also: `{}`.\n\n", entry.aliases.join("`, `")).unwrap();
            }
            match example.contains('\n') {
                true => write!(text, "```lines\n{example}\n```\n\n").unwrap(),
                false => write!(text, "Example: `{example}`\n\n").unwrap(),
            }
        }
    }
    text
}

/// The files of `templates/help`, with their values filled in and nothing else done to them.
struct Help(Environment<'static>);

impl Help {
    fn new() -> Help {
        let mut environment = Environment::new();
        let mut syntax = SyntaxConfig::builder();
        syntax.trim_blocks(true).lstrip_blocks(true).keep_trailing_newline(true);
        environment.set_syntax(syntax.build().unwrap());
        let folder: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR")).join("templates");
        environment.set_loader(move |name| Ok(std::fs::read_to_string(folder.join(name)).ok()));
        environment.add_filter("ours", |value: Value| value);
        environment.add_filter("listed", |words: Vec<String>, word: String| {
            let (last, others) = words.split_last().unwrap();
            format!("{} {word} {last}", others.join(", "))
        });
        for (name, value) in [
            ("name", "Turnpost"),
            ("address", "turnpost@example.org"),
            ("game", registry::first().key),
            ("first_game", registry::first().key),
            ("robot_game", registry::first().key),
        ] {
            environment.add_global(name, value);
        }
        let levels =
            registry::games().iter().filter_map(|game| Some((game, turnpost_robot::find(game.key)?)));
        let levels =
            levels.map(|(game, robot)| format!("{} at levels 1 to {}", game.name, robot.levels.len()));
        environment.add_global("levels", levels.collect::<Vec<_>>());
        let is_rated = |game: &&&GameKind| turnpost_robot::limits::rating_of_level(game.key, 1).is_some();
        let rated = registry::games().iter().filter(is_rated).map(|game| game.name);
        environment.add_global("rated", rated.collect::<Vec<_>>());
        let games = registry::games().iter().filter(|game| game.key != zz::KIND.key).map(|game| game.key);
        environment.add_global("games", games.collect::<Vec<_>>());
        // The commands follow with all that is known of them.
        environment.add_global("commands", Vec::<String>::new());
        environment.add_filter("drawing", |drawing: String| drawing);
        Help(environment)
    }

    fn page(&self, name: &str) -> String {
        let template = self.0.get_template(&format!("help/{name}.md")).unwrap();
        format!("{}\n\n", template.render(context! {}).unwrap().trim())
    }

    fn game(&self, key: &str) -> String {
        let game = registry::find(key).unwrap();
        let options = game.options.iter();
        let options = options.map(|option| context! { written => option.written(), help => option.help });
        let game = context! { name => game.name, notation => game.notation, options => options.collect::<Vec<_>>(),
        drawing => "", key => "", standing => "", map => "" };
        let template = self.0.get_template(&format!("help/{key}.md")).unwrap();
        template.render(context! { game }).unwrap()
    }
}

/// Folds paragraphs, and turns the fences of mails into what readers of Markdown show.
fn for_readers(page: &str) -> String {
    let mut text = String::new();
    let mut fence = None;
    for line in page.lines() {
        match (fence, line.strip_prefix("```")) {
            (None, Some("table")) => fence = Some("table"),
            (None, Some(_)) => {
                fence = Some("text");
                text.push_str("```text\n");
            }
            (Some(name), Some(_)) => {
                text.push_str(if name == "text" { "```\n" } else { "" });
                fence = None;
            }
            (Some("table"), None) => row(&mut text, line),
            (Some(_), None) => writeln!(text, "{line}").unwrap(),
            (None, None) => writeln!(text, "{}", fold(line)).unwrap(),
        }
    }
    let mut lines: Vec<&str> = text.lines().collect();
    lines.dedup_by(|line, above| line.is_empty() && above.is_empty());
    format!("{}\n", lines.join("\n").trim())
}

/// A row of a table. A table without a head gets an empty one, since Markdown has no other.
fn row(text: &mut String, line: &str) {
    let cells: Vec<&str> = line.split(" | ").map(str::trim).collect();
    let begins = text.ends_with("\n\n");
    if line == "---" {
        return;
    }
    let is_head = begins && !line.contains('`');
    if begins && !is_head {
        text.push_str("| | |\n|---|---|\n");
    }
    writeln!(text, "| {} |", cells.join(" | ")).unwrap();
    if is_head {
        text.push_str("|---|---|\n");
    }
}

/// Folds between words, and not inside code.
fn fold(line: &str) -> String {
    const GLUE: &str = "\u{a0}";
    let pieces = line.split('`').enumerate();
    let glued = pieces.map(|(n, piece)| if n % 2 == 1 { piece.replace(' ', GLUE) } else { piece.to_owned() });
    let text = line.trim_start_matches(|c: char| c == '-' || c == '.' || c == ' ' || c.is_ascii_digit());
    let below = " ".repeat(line.len() - text.len());
    let options = textwrap::Options::new(WIDTH).subsequent_indent(&below).break_words(false);
    let options = options.word_splitter(textwrap::WordSplitter::NoHyphenation);
    let options = options.word_separator(textwrap::WordSeparator::AsciiSpace);
    textwrap::fill(&glued.collect::<Vec<_>>().join("`"), options).replace(GLUE, " ")
}
