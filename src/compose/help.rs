//! Help pages, made from the tables that the parser uses.

use minijinja::{Value, context};

use super::document::Block;
use super::game_page::game_context;
use super::text::listed;
use super::{Templates, plain};
use crate::commands::help::{FIRST_PAGE, GENERAL, commands_of, pages};
use crate::commands::{Entry, LANGUAGE};
use crate::failure::Error;
use turnpost_games::GameKind;
use turnpost_games::registry;

/// The text of a page that [`crate::commands::help::page`] found.
pub fn render(templates: &Templates, page: &str) -> Result<String, Error> {
    Ok(plain::write(&blocks(templates, page)?).trim_end().to_owned())
}

/// The blocks of a help page, with its pictures. `chess castle` is the lines of the page of chess about that word, or all
/// of them if none is.
pub fn blocks(templates: &Templates, page: &str) -> Result<Vec<Block>, Error> {
    if let Some((page, subject)) = page.split_once(' ') {
        let blocks = blocks(templates, page)?;
        let about = lines_about(&blocks, subject);
        return Ok(if about.is_empty() { blocks } else { about });
    }
    let keys = || registry::games().iter().map(|game| game.key).collect::<Vec<_>>();
    let game = registry::first().key;
    let page = match page {
        FIRST_PAGE => {
            let is_command = |page: &&str| !GENERAL.contains(page) && !keys().contains(page);
            let commands: Vec<&str> = pages().into_iter().filter(is_command).collect();
            let general = GENERAL.to_vec();
            templates.document("help/index.md", context! { general, commands })
        }
        "commands" => {
            let commands: Vec<Value> = LANGUAGE.entries().map(|entry| shown(entry, "game")).collect();
            templates.document("help/commands.md", context! { games => keys(), commands })
        }
        "tutorial" => {
            let games = registry::games().iter().filter(|game| game.tutorial.is_some());
            let games = games.map(|game| context! { name => game.name, key => game.key });
            templates.document("help/tutorial.md", context! { games => games.collect::<Vec<_>>() })
        }
        "robot" => {
            templates.document("help/robot.md", context! { levels => levels(), rated => rated_games() })
        }
        general if GENERAL.contains(&general) => {
            templates.document(&format!("help/{general}.md"), context! { game })
        }
        word => match registry::find(word) {
            Some(game) => return game_page(templates, game),
            None => {
                let commands: Vec<Value> =
                    commands_of(word).into_iter().map(|entry| shown(entry, game)).collect();
                templates.document("help/command.md", context! { commands })
            }
        },
    };
    Ok(page?.blocks)
}

/// The most words of a line in which its subject is named: `To castle, write ...`, `Castling: ...`
const LEAD: usize = 4;

/// The items and paragraphs that begin with a word of the subject.
fn lines_about(blocks: &[Block], subject: &str) -> Vec<Block> {
    let is_about = |line: &[Block]| {
        let text = plain::write(line).to_lowercase();
        let lead = text.split([',', ':', ';', '.']).next().unwrap_or_default();
        let words = lead.split(|c: char| !c.is_alphabetic()).filter(|word| !word.is_empty()).take(LEAD);
        words.into_iter().any(|word| subject.split(' ').any(|about| is_a_form_of(word, about)))
    };
    let about = |block: &Block| match block {
        Block::List { items, .. } => {
            let items: Vec<_> = items.iter().filter(|item| is_about(item)).cloned().collect();
            (!items.is_empty()).then_some(Block::List { first: None, items })
        }
        Block::Paragraph(_) => is_about(std::slice::from_ref(block)).then(|| block.clone()),
        _ => None,
    };
    blocks.iter().filter_map(about).collect()
}

/// True for two forms of an English word: `castle` and `castling`, `swap` and `swapping`.
fn is_a_form_of(one: &str, other: &str) -> bool {
    const ENDS: &[&str] = &["", "e", "s", "es", "ed", "ing", "ion", "ping", "ped"];
    let same = one.bytes().zip(other.bytes()).take_while(|(a, b)| a == b).count();
    let is_end = |word: &str| word.get(same..).is_some_and(|end| ENDS.contains(&end));
    same > 3 && is_end(one) && is_end(other)
}

/// The games at which the levels of the robot have ratings.
fn rated_games() -> Vec<&'static str> {
    let is_rated = |key| turnpost_robot::limits::rating_of_level(key, 1).is_some();
    registry::games().iter().filter(|game| is_rated(game.key)).map(|game| game.name).collect()
}

/// The games that the robot plays, with its levels: `DVONN at levels 1 to 9`.
fn levels() -> Vec<String> {
    let mut levels: Vec<(usize, Vec<&str>)> = Vec::new();
    for game in registry::games() {
        let Some(robot) = turnpost_robot::find(game.key) else { continue };
        match levels.iter_mut().find(|(count, _)| *count == robot.levels.len()) {
            Some((_, games)) => games.push(game.name),
            None => levels.push((robot.levels.len(), vec![game.name])),
        }
    }
    let said =
        |(count, games): &(usize, Vec<&str>)| format!("{} at levels 1 to {count}", listed(games, "and"));
    levels.iter().map(said).collect()
}

fn shown(entry: &Entry, game: &str) -> Value {
    context! {
        grammar => entry.grammar(game),
        summary => entry.summary,
        details => entry.details.replace("GAME", game),
        example => entry.example.replace("GAME", game),
        aliases => entry.aliases.to_vec(),
    }
}

fn game_page(templates: &Templates, game: &'static GameKind) -> Result<Vec<Block>, Error> {
    let own = format!("help/{}.md", game.key);
    let page = if Templates::has(&own) { own.as_str() } else { "help/game.md" };
    let mut page = templates.document(page, game_context(game))?.blocks;
    let formats: Vec<&str> = game.notations.iter().map(|notation| notation.name).collect();
    if !formats.is_empty() {
        let formats = context! { key => game.key, formats };
        page.extend(templates.document("help/formats.md", formats)?.blocks);
    }
    Ok(page)
}
