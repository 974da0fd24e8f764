//! Help pages as HTML. Browsers rewrap the paragraphs for small screens; drawings and lists keep their lines.

use minijinja::{Value, context};
use schemars::JsonSchema;
use serde::Serialize;
use turnpost_games::scene::{Choice, Theme};
use turnpost_games::{GameKind, registry};

use super::Site;
use super::address::Format;
use super::answer::Answer;
use crate::commands;
use crate::compose::{HelpPicture, blocks::plain, help};
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
    let marked = help::marked(&site.templates, &word)?;
    let blocks = || Ok(context! { blocks => self::page(&marked, registry::find(&word)) });
    let pictures = marked.lines().filter_map(HelpPicture::read).collect();
    let text = plain(&marked);
    let page = HelpPage { subject, text: text.trim_end(), pictures };
    site.shown_with("help", &page, format, blocks).map(Some)
}

/// The parts of a help page with block marks. Consecutive pictures form one part.
pub(super) fn page(marked: &str, game: Option<&GameKind>) -> Vec<Value> {
    let lines: Vec<(&str, Option<HelpPicture>)> =
        marked.lines().map(|line| (line, HelpPicture::read(line))).collect();
    let mut parts = Vec::new();
    for (number, run) in lines.chunk_by(|(_, one), (_, next)| one.is_some() == next.is_some()).enumerate() {
        let pictures = run.iter().filter_map(|(_, picture)| picture.as_ref());
        let figures =
            (0..).zip(pictures).filter_map(|(place, picture)| figure(picture, game?, [number, place]));
        let figures: Vec<Value> = figures.collect();
        if figures.is_empty() {
            let text: Vec<&str> = run.iter().map(|(line, _)| *line).collect();
            parts.extend(blocks(&plain(&text.join("\n"))));
        } else {
            parts.push(context! { pieces => Vec::<String>::new(), drawn => "", figures });
        }
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

/// The parts of a text: paragraphs, and drawings that keep their lines.
fn blocks(text: &str) -> Vec<Value> {
    let lines: Vec<&str> = text.lines().collect();
    lines.split(|line| line.trim().is_empty()).flat_map(parts).collect()
}

/// The parts between two empty lines: a paragraph, a drawing, or a paragraph with a list below it.
fn parts(lines: &[&str]) -> Vec<Value> {
    let indent = if is_numbered(lines) { "   " } else { "" };
    let flows = |(place, line): &(usize, &&str)| {
        let line = if *place == 0 { line } else { line.strip_prefix(indent).unwrap_or(line) };
        !line.starts_with(' ') && !line.contains("  ")
    };
    let prose = lines.iter().enumerate().take_while(flows).count();
    let (prose, rest) = lines.split_at_checked(prose).unwrap_or((&[], lines));
    let mut parts = Vec::new();
    if !prose.is_empty() {
        let lines: Vec<&str> = prose.iter().map(|line| line.trim()).collect();
        parts.push(context! { pieces => pieces(&lines.join(" ")), drawn => "", figures => () });
    }
    if !rest.is_empty() {
        parts.push(context! { pieces => Vec::<String>::new(), drawn => rest.join("\n"), figures => () });
    }
    parts
}

/// True for a paragraph with a number and indented further lines.
fn is_numbered(lines: &[&str]) -> bool {
    let number = lines.first().and_then(|line| line.split_once(". "));
    let mut rest = lines.iter().skip(1);
    number.is_some_and(|(number, _)| number.len() == 1 && number.bytes().all(|octet| octet.is_ascii_digit()))
        && rest.all(|line| line.starts_with("   "))
}

/// Splits a paragraph at backquotes: every second piece is quoted.
fn pieces(text: &str) -> Vec<String> {
    text.split('`').map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Vec<String> {
        let shown = |block: Value| {
            let [pieces, drawn] = ["pieces", "drawn"].map(|name| block.get_attr(name).unwrap().to_string());
            if pieces == "[]" { drawn } else { pieces }
        };
        blocks(text).into_iter().map(shown).collect()
    }

    #[test]
    fn prose_flows_and_a_drawing_stands() {
        assert_eq!(
            read("One `line`\nand another.\n\n    word\n  more\n\n\nEnd.\n"),
            ["['One ', 'line', ' and another.']", "    word\n  more", "['End.']"]
        );
    }

    #[test]
    fn a_list_stands_below_its_paragraph_and_numbers_stay() {
        assert_eq!(
            read("OPTIONS:\n    -a   first\n\n1. ONE. A\n   b.\n\n a / b\n\na  b\nc"),
            ["['OPTIONS:']", "    -a   first", "['1. ONE. A b.']", " a / b", "a  b\nc"]
        );
    }
}
