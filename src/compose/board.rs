//! Mails about a board, told from the reader's side, and boards as text.

use jiff::Timestamp;
use minijinja::value::Serde;
use minijinja::{Value, context};
use turnpost_games::registry;

use super::document::MailDocument;
use super::{AsRead, OutgoingMail, Templates, dated};
use crate::commands::reply_words::reply_words;
use crate::failure::Error;
use crate::notices::board_update::{BoardEvent, BoardUpdate};
use crate::notices::mail::{BoardNotice, Words};
use crate::notices::view::BoardView;

pub(super) fn compose(
    templates: &Templates,
    at: &AsRead,
    notice: &BoardNotice,
) -> Result<OutgoingMail, Error> {
    let BoardNotice { update, reader, words } = notice;
    let view = &update.view;
    let MailDocument { subject, mut blocks } =
        self::update(templates, at, update, reader.seat(), words.as_ref())?;
    if reader.seat().is_none() {
        let over = view.result.is_some();
        let context =
            context! { o => Value::from(Serde(reader)), game => view.game, board => view.board, over };
        blocks.extend(templates.document("onlooker.md", context)?.blocks);
    }
    let thread = view.thread(Some(view.events));
    OutgoingMail::new(templates, thread.as_ref(), subject, blocks)
}

/// The news of a board, without a footer.
pub(super) fn update(
    templates: &Templates,
    at: &AsRead,
    update: &BoardUpdate,
    reader: Option<usize>,
    words: Option<&Words>,
) -> Result<MailDocument, Error> {
    let context = self::context(at, update, reader, words);
    Ok(templates.document(update.last.event.template(), context)?)
}

/// The context of the templates in `board`.
pub fn context(at: &AsRead, update: &BoardUpdate, reader: Option<usize>, words: Option<&Words>) -> Value {
    let words = words.map(|words| context! { by => &words.by, text => &words.text });
    let view = &update.view;
    let by_reader = reader == Some(update.last.by);
    let actor = if by_reader { Some("you") } else { view.players.get(update.last.by).map(String::as_str) };
    let v = Value::from(Serde(view));
    let update_value = Value::from(Serde(update));
    let earlier = update.before(reader);
    let own: Vec<String> = update.last.own().into_iter().map(str::to_owned).collect();
    let followed = update.last.followed(&view.players, view.turn, reader);
    // The lesson is for the player to move.
    let lesson = view.lesson.as_ref().filter(|_| reader.is_some() && reader == view.turn);
    let names = registry::find(view.game).and_then(|game| game.map).filter(|_| reader.is_some());
    let map = names.filter(|_| update.last.event == BoardEvent::Started).map(|map| map());
    let reply_words = reader.map(|reader| reply_words(view, reader)).unwrap_or_default();
    let context = context! { update => update_value, earlier, own, followed, v, actor, reader, words, lesson, map, reply_words };
    dated(at, context)
}

/// A board as text, for the command line.
pub fn board(templates: &Templates, view: &BoardView, now: Timestamp) -> Result<String, Error> {
    let context = dated(&AsRead::by_default(now), context! { views => Value::from(Serde([view])) });
    Ok(templates.text("show.md", context)?)
}
