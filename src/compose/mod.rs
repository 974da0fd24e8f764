//! Renders news and answers as mail: one [`OutgoingMail`] for each [`Mail`], from the files of `templates`.

pub mod blocks;
mod board;
mod game_page;
pub mod help;
mod help_picture;
pub(crate) mod html;
pub(crate) mod markup;
mod stranger;
mod templates;
pub(crate) mod text;

use jiff::tz::TimeZone;
use jiff::{Timestamp, Zoned};
use minijinja::value::Serde;
use minijinja::{Value, context};
use serde::Serialize;

use crate::commands::reply_words;
use crate::credentials::token::MailKind;
use crate::failure::Error;
use crate::ids::BoardId;
use crate::notices::analysis_view::AnalysisView;
use crate::notices::mail::{Content, Keep};
use crate::notices::{Answer, Answered, Event, Mail, Seated, Thread, Transcript};
use crate::settings::BOARD;
use crate::store::{PlayerId, Store};

use blocks::{Block, BlockKind};
pub use board::{board, context as board_context};
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
        blocks.extend(blocks::split(&templates.render("footer.txt", context! {})?));
        Ok(match thread.cloned() {
            Some(Thread { board, subject, shown, mail }) => {
                OutgoingMail { subject, board: Some(board), shown, kind: mail, blocks }
            }
            None => OutgoingMail { subject, board: None, shown: None, kind: MailKind::Board, blocks },
        })
    }

    /// The last event of its board, if the mail draws the board's current position and no other board's.
    pub fn pictured(&self) -> Option<u32> {
        let mut boards = self.blocks.iter().filter_map(|block| match block.kind {
            BlockKind::Drawing(board) | BlockKind::Sentences(board) => board,
            _ => None,
        });
        let only = boards.next().filter(|shown| Some(shown.board) == self.board)?;
        boards.next().is_none().then_some(only.event)
    }
}

/// The reader's time zone and style of drawing.
#[derive(Debug, Clone)]
pub struct AsRead {
    /// The time in the reader's zone.
    pub now: Zoned,
    /// The style of drawing: the value of the setting [`BOARD`].
    pub board: String,
}

impl AsRead {
    /// The settings of a player, or the defaults if there is no player.
    pub fn by(store: &Store, player: Option<PlayerId>, now: Timestamp) -> Result<AsRead, Error> {
        let Some(player) = player else { return Ok(AsRead::by_default(now)) };
        let zone = crate::zone::find(&store.player_by_id(player)?.zone).unwrap_or(TimeZone::UTC);
        Ok(AsRead { now: now.to_zoned(zone), board: store.setting(player, &BOARD)? })
    }

    pub fn by_default(now: Timestamp) -> AsRead {
        AsRead { now: now.to_zoned(TimeZone::UTC), board: BOARD.default.to_owned() }
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
            let (subject, text) = templates.mail(template, dated(at, data.clone()))?;
            OutgoingMail::new(templates, mail.thread.as_ref(), subject, blocks::split(&text))
        }
        Content::Answer => answer(templates, at, transcript, room(largest(mail))),
        Content::StrangersHelp { userid } => {
            stranger::compose(templates, at, transcript, userid.as_deref(), room(largest(mail)))
        }
        Content::Board(notice) => board::compose(templates, at, notice),
        Content::Resent(_) => OutgoingMail::new(templates, None, String::new(), Vec::new()),
    }
}

#[derive(Serialize)]
struct Entry<'a> {
    echo: &'a str,
    text: String,
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

/// The entries of a transcript that fit into `room`, and whether any is left out.
///
/// Rendering stops at the first entry that does not fit. A letter can ask for a thousand times its own size.
fn entries<'a>(
    templates: &Templates,
    at: &AsRead,
    answers: impl Iterator<Item = &'a Answered>,
    mut room: usize,
) -> Result<(Vec<Entry<'a>>, bool), Error> {
    let mut entries = Vec::new();
    for answered in answers {
        let mut entry = entry(templates, at, answered)?;
        let echo = text::size_in_a_mail(&text::clip(entry.echo));
        let size = echo + text::size_in_a_mail(&entry.text);
        if size > room {
            entry.text = text::cut(&entry.text, room.saturating_sub(echo));
            entries.push(entry);
            return Ok((entries, true));
        }
        room -= size;
        entries.push(entry);
    }
    Ok((entries, false))
}

/// The Subject of the answer to a letter, and its blocks without a footer.
fn answers(
    templates: &Templates,
    at: &AsRead,
    transcript: &Transcript,
    room: usize,
) -> Result<(String, Vec<Block>), Error> {
    if let Some(userid) = &transcript.small_talk {
        let (subject, text) = templates.mail("small-talk.txt", context! { userid })?;
        return Ok((subject, blocks::split(&text)));
    }
    let (entries, left_out) = entries(templates, at, transcript.answers.iter(), room)?;
    let many = entries.len() > 1;
    let still = transcript.seated.as_ref().filter(|seated| seated.waits).map(|seated| [seated.view.deadline]);
    let context = context! { entries => Value::from(Serde(&entries)), many, still, ..headline(transcript) };
    let (subject, text) = templates.mail("answer.txt", dated(at, context))?;
    let mut blocks = blocks::split(&text);
    if left_out {
        blocks.extend(blocks::split(LEFT_OUT));
    }
    if let Some(remark) = &transcript.remark {
        blocks::add_remark(&mut blocks, &text::wrap(remark));
    }
    Ok((subject, blocks))
}

/// Ends an answer that would have been too large.
const LEFT_OUT: &str = "The rest was left out: ask for less at a time.";

fn answer(
    templates: &Templates,
    at: &AsRead,
    transcript: &Transcript,
    room: usize,
) -> Result<OutgoingMail, Error> {
    let (subject, mut blocks) = answers(templates, at, transcript, room)?;
    let thread = transcript.thread();
    if let Some(Seated { view, seat, .. }) = &transcript.seated {
        // The reply words are last.
        let asks = thread.is_some_and(|thread| thread.mail == MailKind::Question);
        let reply_words = reply_words::reply_words(view, *seat);
        let context = context! { v => Value::from(Serde(view.as_ref())), reader => *seat, reply_words, asks };
        blocks.extend(blocks::split(&templates.render("reply-words.txt", context)?));
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
    let (_, blocks) = answers(templates, &at, transcript, usize::MAX)?;
    Ok(blocks::text(&blocks))
}

pub fn analysis_text(templates: &Templates, view: &AnalysisView) -> Result<String, Error> {
    Ok(blocks::plain(&templates.render("analyse.txt", context! { a => Value::from(Serde(view)) })?))
}

fn entry<'a>(templates: &Templates, at: &AsRead, answered: &'a Answered) -> Result<Entry<'a>, Error> {
    let text = match &answered.answer {
        Answer::Done(event) => done(templates, at, event)?,
        Answer::Refused(why) => templates.render("refused.txt", context! { why => why.to_string() })?,
        Answer::Malformed(error) => templates.render(
            "malformed.txt",
            context! { why => &error.why, grammar => &error.grammar, pointer => &error.pointer, meant => &error.meant, echo => &answered.echo },
        )?,
        Answer::Unknown { suggestion } => templates.render("unknown.txt", context! { suggestion })?,
    };
    let mut text = text.trim_end().to_owned();
    if let Some(stands) = &answered.now {
        text.push_str("\n\n");
        let context = dated(at, context! { views => Value::from(Serde([stands])) });
        text.push_str(templates.render("show.txt", context)?.trim_end());
    }
    Ok(Entry { echo: &answered.echo, text })
}

fn done(templates: &Templates, at: &AsRead, event: &Event) -> Result<String, Error> {
    Ok(match event {
        Event::Help(pages) => {
            let pages =
                pages.iter().map(|page| help::marked(templates, page)).collect::<Result<Vec<_>, _>>()?;
            pages.join("\n\n")
        }
        Event::SignedUp { userid, addresses, waiting, seeks, robot } => {
            let seeks = Value::from(Serde(seeks));
            templates.render("signup.txt", context! { userid, addresses, waiting, seeks, robot })?
        }
        Event::Confirmed { userid, mailbox, is_new, password, seeks, robot } => {
            let seeks = Value::from(Serde(seeks));
            templates.render(
                "confirmed.txt",
                context! { userid, mailbox, is_new, password => *password, seeks, robot },
            )?
        }
        Event::Board(update, reader) => board::update(templates, at, update, *reader, None)?,
        Event::Resent { board } => {
            templates.render("resend.txt", context! { board => board.map(|board| board.0) })?
        }
        Event::Page(page) => templates.render(page.template, dated(at, page.data.clone()))?,
        Event::Shown(views) => {
            templates.render("show.txt", dated(at, context! { views => Value::from(Serde(views)) }))?
        }
        Event::Queue { view, seat } => templates
            .render("queue.txt", dated(at, context! { v => Value::from(Serde(view)), reader => seat }))?,
    })
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

/// Adds the time, the reader's zone and style of drawing to the context of a template.
fn dated(at: &AsRead, data: Value) -> Value {
    let zone = at.now.time_zone().iana_name().unwrap_or("UTC");
    context! { zone, now => at.now.timestamp().as_second(), drawn_as => &at.board, ..data }
}
