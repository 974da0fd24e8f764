//! Renders news and answers as mail: one [`OutgoingMail`] for each [`Mail`], from the files of `templates`.

mod board;
mod cut;
pub mod document;
mod drawing;
mod game_page;
pub mod help;
mod help_picture;
mod holes;
pub mod html;
mod markdown;
pub mod plain;
mod stranger;
mod templates;
#[cfg(test)]
mod tests;
pub(crate) mod text;

use jiff::tz::TimeZone;
use jiff::{Timestamp, Zoned};
use minijinja::value::Serde;
use minijinja::{Value, context};

use crate::commands::reply_words;
use crate::credentials::token::MailKind;
use crate::failure::Error;
use crate::ids::BoardId;
use crate::notices::analysis_view::AnalysisView;
use crate::notices::mail::{Content, ContestEvent, Keep};
use crate::notices::{Answer, Answered, Event, Mail, Seated, Thread, Transcript};
use crate::settings::BOARD;
use crate::store::{PlayerId, Store};

pub use board::{board, context as board_context};
use document::{Block, Inline, LinkTarget, MailDocument};
pub use game_page::game_context;
pub use help_picture::HelpPicture;
pub use templates::Templates;

/// A rendered mail. Recipient and thread decide the rest.
#[derive(Debug, Clone)]
pub struct OutgoingMail {
    /// The same for all mails about a board, so that mail programs keep one thread.
    pub subject: String,
    /// The board of its thread.
    pub board: Option<BoardId>,
    /// The last event of the board that it shows.
    pub shown: Option<u32>,
    pub kind: MailKind,
    pub blocks: Vec<Block>,
}

impl OutgoingMail {
    /// A mail in the thread of a board, or with its own Subject. Adds the footer.
    fn new(
        templates: &Templates,
        thread: Option<&Thread>,
        subject: String,
        mut blocks: Vec<Block>,
    ) -> Result<OutgoingMail, Error> {
        blocks.extend(templates.document("footer.md", context! {})?.blocks);
        Ok(match thread.cloned() {
            Some(Thread { board, subject: of_board, shown, mail }) => {
                let subject = if subject.is_empty() { of_board } else { subject };
                OutgoingMail { subject, board: Some(board), shown, kind: mail, blocks }
            }
            None => OutgoingMail { subject, board: None, shown: None, kind: MailKind::Board, blocks },
        })
    }

    /// The last event of its board, if the mail draws the board's current position and no other board's.
    pub fn pictured(&self) -> Option<u32> {
        document::pictured(&self.blocks)
            .filter(|shown| Some(shown.board) == self.board)
            .map(|shown| shown.event)
    }
}

/// The reader, their time zone and style of drawing.
#[derive(Debug, Clone)]
pub struct AsRead {
    /// The time in the reader's zone.
    pub now: Zoned,
    /// The style of drawing: the value of the setting [`BOARD`].
    pub board: String,
    /// `None` for a reader without an account.
    pub reader: Option<String>,
}

impl AsRead {
    /// The settings of a player, or the defaults if there is no player.
    pub fn by(store: &Store, player: Option<PlayerId>, now: Timestamp) -> Result<AsRead, Error> {
        let Some(player) = player else { return Ok(AsRead::by_default(now)) };
        let account = store.player_by_id(player)?;
        let zone = crate::zone::find(&account.zone).unwrap_or(TimeZone::UTC);
        let reader = Some(account.userid.to_string());
        Ok(AsRead { now: now.to_zoned(zone), board: store.setting(player, &BOARD)?, reader })
    }

    pub fn by_default(now: Timestamp) -> AsRead {
        AsRead { now: now.to_zoned(TimeZone::UTC), board: BOARD.default.to_owned(), reader: None }
    }
}

/// Renders a mail for its reader. An answer renders `transcript`.
pub fn compose(
    templates: &Templates,
    at: &AsRead,
    transcript: &Transcript,
    mail: &Mail,
) -> Result<OutgoingMail, Error> {
    match &mail.content {
        Content::Page { template, data } => {
            let page = templates.document(template, dated(at, data.clone()))?;
            OutgoingMail::new(templates, mail.thread.as_ref(), page.subject, page.blocks)
        }
        Content::ContestNews { events, frame } => contest_news(templates, at, events, frame),
        Content::Answer => answer(templates, at, transcript, room(largest(mail))),
        Content::StrangersHelp { userid } => {
            stranger::compose(templates, at, transcript, userid.as_deref(), room(largest(mail)))
        }
        Content::Board(notice) => board::compose(templates, at, notice),
        Content::Resent(_) => OutgoingMail::new(templates, None, String::new(), Vec::new()),
    }
}

/// The news of contests in one mail. If all of it is about one contest, the mail has the Subject of the last.
fn contest_news(
    templates: &Templates,
    at: &AsRead,
    events: &[ContestEvent],
    frame: &Value,
) -> Result<OutgoingMail, Error> {
    let (mut last, mut blocks) = (String::new(), Vec::new());
    for event in events {
        let told = templates.document(&event.template, dated(at, event.data.clone()))?;
        last = told.subject;
        blocks.extend(told.blocks);
    }
    let frame = templates.document("contest/news.md", frame.clone())?;
    blocks.extend(frame.blocks);
    let subject = if frame.subject.is_empty() { last } else { frame.subject };
    OutgoingMail::new(templates, None, subject, blocks)
}

/// The largest answer to a letter that proves its writer, in bytes.
const ANSWER: usize = 256 * 1024;

/// The largest answer to any other letter, in bytes.
const UNPROVEN_ANSWER: usize = 64 * 1024;

/// The size limit of a mail in bytes. With `Keep::Mail`, an answer belongs to a letter that proves its writer.
pub fn largest(mail: &Mail) -> usize {
    let is_claimed = match mail.content {
        Content::Answer => mail.keep != Keep::Mail,
        Content::StrangersHelp { .. } => true,
        _ => false,
    };
    if is_claimed { UNPROVEN_ANSWER } else { ANSWER }
}

/// Reserved for the header and footer of an answer.
const FRAME: usize = 4 * 1024;

/// The bytes of text for which a mail of this size has room.
fn room(largest: usize) -> usize {
    largest.saturating_sub(FRAME)
}

/// The answers to commands that fit into `room`. If there are several, each begins with its command. A single answer
/// keeps its Subject.
///
/// Rendering stops at the first answer that does not fit. A letter can ask for a thousand times its own size.
fn entries(
    templates: &Templates,
    at: &AsRead,
    answers: &[&Answered],
    mut room: usize,
) -> Result<MailDocument, Error> {
    let mut all = MailDocument::default();
    for answered in answers {
        let MailDocument { subject, mut blocks } = entry(templates, at, answered)?;
        if answers.len() > 1 {
            blocks.insert(0, Block::Echo(text::clip(&holes::clean(&answered.echo))));
        } else {
            all.subject = subject;
        }
        let size = cut::size(&blocks);
        if size > room {
            all.blocks.extend(cut::cut(blocks, room));
            all.blocks.push(document::paragraph(LEFT_OUT));
            return Ok(all);
        }
        room -= size;
        all.blocks.extend(blocks);
    }
    Ok(all)
}

/// The answer to a letter, without a footer.
fn answers(
    templates: &Templates,
    at: &AsRead,
    transcript: &Transcript,
    room: usize,
) -> Result<MailDocument, Error> {
    if let Some(userid) = &transcript.small_talk {
        return Ok(templates.document("small-talk.md", context! { userid })?);
    }
    let seated = transcript.seated.as_ref();
    let still = seated.filter(|seated| seated.waits).map(|seated| [seated.view.deadline]);
    let v = seated.map(|seated| Value::from(Serde(seated.view.as_ref())));
    let context = context! { still, v, reader => seated.map(|seated| seated.seat), ..headline(transcript) };
    let mut answer = templates.document("answer.md", dated(at, context))?;
    let answers: Vec<&Answered> = transcript.answers.iter().collect();
    let MailDocument { subject, blocks } = entries(templates, at, &answers, room)?;
    if !subject.is_empty() {
        answer.subject = subject;
    }
    answer.blocks.extend(blocks);
    if let Some(remark) = &transcript.remark {
        // Above the board and what a reply can do.
        let is_below = |block: &Block| {
            matches!(
                block,
                Block::Reply(_) | Block::Button { .. } | Block::BoardPicture | Block::Board { .. }
            )
        };
        let at = answer.blocks.iter().position(is_below).unwrap_or(answer.blocks.len());
        answer.blocks.splice(at..at, document::paragraphs(&holes::clean(remark)));
    }
    Ok(answer)
}

/// Ends an answer that would have been too large.
const LEFT_OUT: &str = "The rest was left out: ask for less at a time.";

fn answer(
    templates: &Templates,
    at: &AsRead,
    transcript: &Transcript,
    room: usize,
) -> Result<OutgoingMail, Error> {
    let MailDocument { subject, mut blocks } = answers(templates, at, transcript, room)?;
    let thread = transcript.thread();
    if let Some(Seated { view, seat, .. }) = transcript.seated.as_ref().filter(|_| !transcript.asks_again()) {
        // The reply words are last.
        let asks = thread.is_some_and(|thread| thread.mail == MailKind::Question);
        let reply_words = reply_words::reply_words(view, *seat);
        let context = context! { v => Value::from(Serde(view.as_ref())), reader => *seat, reply_words, asks };
        blocks.extend(templates.document("reply-words.md", context)?.blocks);
    }
    if let Some(link) = &transcript.confirmed_at {
        blocks.push(document::paragraph(
            "Or open this link within 15 minutes and press the button of its page:",
        ));
        let label = vec![Inline::Text("Yes, I mean it".to_owned())];
        blocks.push(Block::Button { to: LinkTarget::Address(Some(link.clone())), label });
    }
    OutgoingMail::new(templates, thread, subject, blocks)
}

/// The answer to a letter, as the command line prints it.
pub fn printed(
    templates: &Templates,
    store: &Store,
    transcript: &Transcript,
    now: Timestamp,
) -> Result<String, Error> {
    let at = AsRead::by(store, transcript.player, now)?;
    Ok(plain::write(&answers(templates, &at, transcript, usize::MAX)?.blocks))
}

pub fn analysis_text(templates: &Templates, view: &AnalysisView) -> Result<String, Error> {
    Ok(templates.text("analyse.md", context! { a => Value::from(Serde(view)) })?)
}

fn entry(templates: &Templates, at: &AsRead, answered: &Answered) -> Result<MailDocument, Error> {
    let mut entry = match &answered.answer {
        Answer::Done(event) => done(templates, at, event)?,
        Answer::Refused(why) => templates.document("refused.md", context! { why => why.to_string() })?,
        Answer::Malformed(error) => {
            let context = context! {
                why => &error.why, grammar => &error.grammar, pointer => &error.pointer, meant => &error.meant,
                echo => &answered.echo,
            };
            templates.document("malformed.md", context)?
        }
        Answer::Unknown { suggestion } => templates.document("unknown.md", context! { suggestion })?,
    };
    if let Some(now) = &answered.now {
        let context = dated(at, context! { views => Value::from(Serde([now])) });
        entry.blocks.extend(templates.document("show.md", context)?.blocks);
    }
    Ok(entry)
}

fn done(templates: &Templates, at: &AsRead, event: &Event) -> Result<MailDocument, Error> {
    let document = match event {
        Event::Help(pages) => {
            let pages = pages.iter().map(|page| help::blocks(templates, page));
            let blocks = pages.collect::<Result<Vec<_>, _>>()?.concat();
            return Ok(MailDocument { subject: String::new(), blocks });
        }
        Event::SignedUp { userid, addresses, waiting, seeks, robot } => {
            let seeks = Value::from(Serde(seeks));
            templates.document("signup.md", context! { userid, addresses, waiting, seeks, robot })
        }
        Event::Confirmed { userid, mailbox, is_new, password, seeks, robot } => {
            let seeks = Value::from(Serde(seeks));
            let context = context! { userid, mailbox, is_new, password => *password, seeks, robot };
            templates.document("confirmed.md", context)
        }
        Event::Board(update, reader) => {
            return board::update(templates, at, update, *reader, None);
        }
        Event::Resent { board } => {
            templates.document("resend.md", context! { board => board.map(|board| board.0) })
        }
        Event::Page(page) => templates.document(page.template, dated(at, page.data.clone())),
        Event::Shown(views) => {
            templates.document("show.md", dated(at, context! { views => Value::from(Serde(views)) }))
        }
        Event::Queue { view, seat } => {
            let context = context! { v => Value::from(Serde(view)), reader => seat };
            templates.document("queue.md", dated(at, context))
        }
    };
    Ok(document?)
}

/// The Subject of an answer that is not about one board: the only command, if it has its own Subject, or the
/// number of commands.
fn headline(transcript: &Transcript) -> Value {
    let tally = transcript.tally();
    let (count, wrong) = (transcript.answers.len(), tally.refused + tally.unreadable);
    let only = match transcript.answers.as_slice() {
        [Answered { answer: Answer::Done(event), .. }] => match event {
            Event::Help(pages) => Some(vec!["help".to_owned(), pages.join(" ")]),
            Event::SignedUp { userid, .. } => Some(vec!["signup".to_owned(), userid.clone()]),
            Event::Confirmed { userid, is_new: true, .. } => Some(vec!["begin".to_owned(), userid.clone()]),
            Event::Confirmed { .. } => Some(vec!["confirmed".to_owned()]),
            _ => None,
        },
        _ => None,
    };
    context! { count, wrong, only }
}

/// Adds the time, the reader, their zone and style of drawing to the context of a template.
fn dated(at: &AsRead, data: Value) -> Value {
    let zone = at.now.time_zone().iana_name().unwrap_or("UTC");
    context! { zone, now => at.now.timestamp().as_second(), drawn_as => &at.board, drawn_for => &at.reader, ..data }
}
