//! Help pages as HTML. Browsers rewrap the paragraphs for small screens; drawings and lists keep their lines.

use minijinja::{Value, context};
use schemars::JsonSchema;
use serde::Serialize;
use turnpost_games::scene::{Choice, Theme};
use turnpost_games::{GameKind, Setup, registry};

use super::Site;
use super::address::Format;
use super::answer::{Answer, AnswerKind};
use crate::commands;
use crate::commands::help::FIRST_PAGE;
use crate::compose::document::Block;
use crate::compose::{HelpPicture, help, html, plain};
use crate::failure::Error;

#[derive(Serialize, JsonSchema)]
pub(super) struct HelpPage<'a> {
    subject: &'a str,
    text: &'a str,
    pictures: Vec<HelpPicture>,
}

/// A page of the help; `None` if there is no page of this name.
pub(super) fn help(site: &Site, subject: &str, format: Format) -> Result<Option<Answer>, Error> {
    let Some(word) = commands::help::page(subject).filter(|page| page == subject) else { return Ok(None) };
    let blocks = help::blocks(&site.templates, &word)?;
    let parts = || Ok(context! { parts => self::parts(&blocks, registry::find(&word)) });
    let pictures = blocks.iter().filter_map(picture).cloned().collect();
    let text = plain::write(&blocks);
    let page = HelpPage { subject, text: text.trim_end(), pictures };
    // People at pages get a page of their own, which leads to those about mail.
    let template = if word == FIRST_PAGE { "people" } else { "help" };
    site.shown_with(template, &page, format, parts).map(Some)
}

/// The first picture on the rules page of a game; its start if there is none.
pub(super) fn game_picture(site: &Site, game: &'static GameKind, theme: Theme) -> Result<Answer, Error> {
    let blocks = help::blocks(&site.templates, game.key)?;
    let scene = blocks.iter().filter_map(picture).find_map(|picture| picture.scene(game));
    let start = || Some((game.start)(&Setup { options: &game.easy_options(), seed: 7 }).ok()?.look());
    Ok(match scene.or_else(start) {
        Some(scene) => {
            let svg = scene.svg(theme, &scene.sentence(game.seats), |_| Choice::default());
            Answer { lasting: true, ..Answer::of(AnswerKind::Svg, svg) }
        }
        None => Answer::broken(),
    })
}

fn picture(block: &Block) -> Option<&HelpPicture> {
    match block {
        Block::Picture(picture) => Some(picture),
        _ => None,
    }
}

/// The parts of a help page. Consecutive pictures form one part.
pub(super) fn parts(blocks: &[Block], game: Option<&GameKind>) -> Vec<Value> {
    let mut parts = Vec::new();
    for (number, run) in
        blocks.chunk_by(|one, next| picture(one).is_some() == picture(next).is_some()).enumerate()
    {
        let pictures = (0..).zip(run.iter().filter_map(picture));
        let figures: Vec<Value> =
            pictures.filter_map(|(place, picture)| figure(picture, game?, [number, place])).collect();
        parts.push(context! { html => Value::from_safe_string(html::fragment(run)), figures });
    }
    parts
}

fn figure(picture: &HelpPicture, game: &GameKind, [run, place]: [usize; 2]) -> Option<Value> {
    let scene = picture.scene(game)?;
    let svg = scene.svg(Theme::Page, &scene.sentence(game.seats), |_| Choice::default());
    // A prefix makes the ids unique in the page.
    let own = format!("p{run}.{place}.");
    let svg = svg.replace(" id=\"", &format!(" id=\"{own}")).replace("href=\"#", &format!("href=\"#{own}"));
    Some(context! { svg => Value::from_safe_string(svg), caption => &picture.caption })
}
