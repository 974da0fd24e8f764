//! Help pages, made from the same tables that the parser reads by.

use minijinja::value::Serde;
use minijinja::{Value, context};
use serde::Serialize;

use crate::command::table::{Entry, Scope, entries};
use crate::service::{App, Error};
use turnpost_games::registry::{self, GAMES};
use turnpost_games::{GameKind, Setup};

/// What `help` alone prints.
pub const FIRST_PAGE: &str = "index";

/// Pages that are about no single command or game.
const GENERAL: &[&str] = &["commands", "tutorial", "multiple", "pass"];

/// The name of the page about `subject`, in any case, when there is one.
pub fn page(subject: &str) -> Option<String> {
    let subject = subject.to_lowercase();
    if subject == FIRST_PAGE || GENERAL.contains(&subject.as_str()) {
        return Some(subject);
    }
    if let Some(game) = registry::find(&subject) {
        return Some(game.key.to_owned());
    }
    named(&subject).first().map(|entry| entry.word.to_owned())
}

/// The names of all pages.
pub fn pages() -> Vec<&'static str> {
    let mut pages: Vec<&str> = GENERAL.to_vec();
    pages.extend(GAMES.iter().map(|game| game.key));
    for entry in entries() {
        if !pages.contains(&entry.word) {
            pages.push(entry.word);
        }
    }
    pages
}

/// The text of a page that [`page`] found.
///
/// # Errors
/// When a template fails.
pub fn render(app: &App, page: &str) -> Result<String, Error> {
    let text = match page {
        FIRST_PAGE => app.templates.render("help/index.txt", context! { pages => pages() })?,
        "commands" => {
            let games: Vec<&str> = GAMES.iter().map(|game| game.key).collect();
            let commands: Vec<Shown> = entries().map(|entry| shown(entry, "game")).collect();
            app.templates
                .render("help/commands.txt", context! { games, commands => Value::from(Serde(&commands)) })?
        }
        "tutorial" => app.templates.render("help/tutorial.txt", context! { first_move => "D1-D2" })?,
        general if GENERAL.contains(&general) => {
            let game = GAMES.first().map_or("game", |game| game.key);
            app.templates.render(&format!("help/{general}.txt"), context! { game })?
        }
        word => match registry::find(word) {
            Some(game) => game_page(app, game)?,
            None => {
                let game = GAMES.first().map_or("game", |game| game.key);
                let commands: Vec<Shown> = named(word).into_iter().map(|entry| shown(entry, game)).collect();
                app.templates
                    .render("help/command.txt", context! { commands => Value::from(Serde(&commands)) })?
            }
        },
    };
    Ok(text.trim_end().to_owned())
}

fn named(word: &str) -> Vec<&'static Entry> {
    entries()
        .filter(|entry| entry.word == word || entry.aliases.contains(&word))
        // `help` of a game is the game's page; here `help` is the server's.
        .filter(|entry| entry.word != "help" || entry.scope == Scope::Server)
        .collect()
}

/// A command as a page shows it.
#[derive(Serialize)]
struct Shown {
    grammar: String,
    summary: &'static str,
    details: String,
    example: String,
    aliases: &'static [&'static str],
}

fn shown(entry: &Entry, game: &str) -> Shown {
    Shown {
        grammar: entry.grammar(game),
        summary: entry.summary,
        details: entry.details.replace("GAME", game),
        example: entry.example.replace("GAME", game),
        aliases: entry.aliases,
    }
}

fn game_page(app: &App, game: &'static GameKind) -> Result<String, Error> {
    #[derive(Serialize)]
    struct Option {
        written: String,
        help: &'static str,
    }
    let options: Vec<Option> =
        game.options.iter().map(|option| Option { written: option.written(), help: option.help }).collect();
    // With the first option that needs no value the board may be fuller than without: it shows more of the signs.
    let plain = game.options.iter().find(|option| option.value.is_none());
    let sample: Vec<_> = plain.into_iter().map(|option| (option.name.to_owned(), None)).collect();
    let board = (game.start)(&Setup { options: &sample, seed: 7 }).map(|table| table.drawing());
    let drawing = board.as_ref().map(|drawing| drawing.board.as_str()).unwrap_or_default();
    let key = board.as_ref().map(|drawing| drawing.key.as_str()).unwrap_or_default();
    let standing = board.as_ref().map(|drawing| drawing.standing.as_str()).unwrap_or_default();
    let context = context! {
        game => context! { name => game.name, notation => game.notation, options => Value::from(Serde(&options)), drawing, key, standing },
    };
    Ok(app.templates.render(&format!("help/{}.txt", game.key), context)?)
}
