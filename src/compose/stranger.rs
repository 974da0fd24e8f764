//! The answer to a sender without an account: an introduction to this server and first steps, or help pages.
//!
//! If the letter also has other commands, the answer explains mistakes and gives no results.

use minijinja::context;

use super::{AsRead, OutgoingMail, Templates, entries, game_page, headline, plain};
use crate::failure::Error;
use crate::notices::{Answer, Answered, Event, Transcript};
use turnpost_games::registry;

/// The most lines of the first page: people do not read more.
const LINES_AT_MOST: usize = 40;

/// Mistakes explained on the first page.
const MISTAKES_AT_MOST: usize = 3;

pub(super) fn compose(
    templates: &Templates,
    at: &AsRead,
    transcript: &Transcript,
    userid: Option<&str>,
    room: usize,
) -> Result<OutgoingMail, Error> {
    if transcript.answers.iter().any(is_help) {
        return help_pages(templates, at, transcript, userid, room);
    }
    // The board is left out if the page with it and the mistakes is too long.
    let board = game_page::sample(registry::first()).map(|drawing| drawing.board);
    let page = first_page(templates, at, transcript, userid, room, board)?;
    match plain::write(&page.blocks).lines().count() > LINES_AT_MOST {
        true => first_page(templates, at, transcript, userid, room, None),
        false => Ok(page),
    }
}

fn help_pages(
    templates: &Templates,
    at: &AsRead,
    transcript: &Transcript,
    userid: Option<&str>,
    room: usize,
) -> Result<OutgoingMail, Error> {
    let told = transcript.answers.iter().filter(|answered| is_help(answered) || is_mistake(answered));
    let mut blocks = entries(templates, at, &told.collect::<Vec<_>>(), room)?.blocks;
    let page = templates.document("stranger-help.md", context! { userid, ..headline(transcript) })?;
    blocks.extend(page.blocks);
    OutgoingMail::new(templates, None, page.subject, blocks)
}

fn first_page(
    templates: &Templates,
    at: &AsRead,
    transcript: &Transcript,
    userid: Option<&str>,
    room: usize,
    drawing: Option<String>,
) -> Result<OutgoingMail, Error> {
    let mistakes = transcript.answers.iter().filter(|answered| is_mistake(answered)).take(MISTAKES_AT_MOST);
    let refused = entries(templates, at, &mistakes.collect::<Vec<_>>(), room)?.blocks;
    let games: Vec<&str> = registry::games().iter().map(|game| game.name).collect();
    let context = context! { refused => !refused.is_empty(), drawing, games, userid };
    let mut page = templates.document("stranger.md", context)?;
    let below = page.blocks.len().min(2);
    page.blocks.splice(below..below, refused);
    OutgoingMail::new(templates, None, page.subject, page.blocks)
}

fn is_help(answered: &Answered) -> bool {
    matches!(answered.answer, Answer::Done(Event::Help(_)))
}

/// True for a command that failed. An unknown line is prose, unless it is nearly a command that a sender without an
/// account can begin with.
fn is_mistake(answered: &Answered) -> bool {
    match &answered.answer {
        Answer::Done(_) => false,
        Answer::Refused(_) | Answer::Malformed(_) => true,
        Answer::Unknown { suggestion } => suggestion.as_deref().is_some_and(|meant| {
            let first = meant.split(' ').next().unwrap_or_default();
            matches!(first, "signup" | "help") || registry::find(first).is_some()
        }),
    }
}
