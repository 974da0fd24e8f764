//! Help pages, from the tables that the parser uses.

use minijinja::value::Serde;
use minijinja::{Value, context};
use serde::Serialize;

use super::Templates;
use crate::commands::help::{FIRST_PAGE, GENERAL, commands_of, pages};
use crate::commands::{Entry, LANGUAGE};
use crate::failure::Error;
use turnpost_games::registry::{self, GAMES};
use turnpost_games::{Drawing, GameKind, Setup};

/// Renders a page that [`crate::commands::help::page`] found.
pub fn render(templates: &Templates, page: &str) -> Result<String, Error> {
    let text = match page {
        FIRST_PAGE => {
            let games: Vec<&str> = GAMES.iter().map(|game| game.key).collect();
            let is_command = |page: &&str| !GENERAL.contains(page) && !games.contains(page);
            let commands: Vec<&str> = pages().into_iter().filter(is_command).collect();
            templates.render("help/index.txt", context! { general => GENERAL.to_vec(), games, commands })?
        }
        "rules" => {
            let games: Vec<Value> =
                GAMES.iter().map(|game| context! { key => game.key, name => game.name }).collect();
            templates.render("help/rules.txt", context! { games })?
        }
        "commands" => {
            let games: Vec<&str> = GAMES.iter().map(|game| game.key).collect();
            let commands: Vec<Shown> = LANGUAGE.entries().map(|entry| shown(entry, "game")).collect();
            templates
                .render("help/commands.txt", context! { games, commands => Value::from(Serde(&commands)) })?
        }
        "tutorial" => {
            let games: Vec<&str> =
                GAMES.iter().filter(|game| game.tutorial.is_some()).map(|game| game.name).collect();
            templates.render("help/tutorial.txt", context! { games })?
        }
        general if GENERAL.contains(&general) => {
            let game = GAMES.first().map_or("game", |game| game.key);
            templates.render(&format!("help/{general}.txt"), context! { game })?
        }
        word => match registry::find(word) {
            Some(game) => game_page(templates, game)?,
            None => {
                let game = GAMES.first().map_or("game", |game| game.key);
                let commands: Vec<Shown> =
                    commands_of(word).into_iter().map(|entry| shown(entry, game)).collect();
                templates
                    .render("help/command.txt", context! { commands => Value::from(Serde(&commands)) })?
            }
        },
    };
    Ok(text.trim_end().to_owned())
}

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

/// A board at the start. With the game's first plain option it can show more signs than without.
pub(super) fn sample(game: &GameKind) -> Option<Drawing> {
    let plain = game.options.iter().find(|option| option.value.is_none());
    let options: Vec<_> = plain.into_iter().map(|option| (option.name.to_owned(), None)).collect();
    (game.start)(&Setup { options: &options, seed: 7 }).ok().map(|table| table.drawing())
}

fn game_page(templates: &Templates, game: &'static GameKind) -> Result<String, Error> {
    #[derive(Serialize)]
    struct Option {
        written: String,
        help: &'static str,
    }
    let options: Vec<Option> =
        game.options.iter().map(|option| Option { written: option.written(), help: option.help }).collect();
    let board = sample(game);
    let drawing = board.as_ref().map(|drawing| drawing.board.as_str()).unwrap_or_default();
    let key = board.as_ref().map(|drawing| drawing.key.as_str()).unwrap_or_default();
    let standing = board.as_ref().map(|drawing| drawing.standing.as_str()).unwrap_or_default();
    let map = game.map.map(|map| map());
    let context = context! {
        game => context! { name => game.name, notation => game.notation, options => Value::from(Serde(&options)), map, drawing, key, standing },
    };
    Ok(templates.render(&format!("help/{}.txt", game.key), context)?)
}
