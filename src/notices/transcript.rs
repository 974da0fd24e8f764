//! The answers to a letter.

use minijinja::value::Serde;
use minijinja::{Value, context};
use serde::Serialize;

use crate::credentials::Proofs;
use crate::failure::Refusal;
use crate::ids::BoardId;
use crate::language::{ParseError, Secrets};
use crate::mail::{clean, token};
use crate::notices::Thread;
use crate::notices::board_update::BoardUpdate;
use crate::notices::view::BoardView;
use crate::store::{CommandCounts, PlayerId};

#[derive(Debug, Default)]
pub struct Transcript {
    /// One for each command, in order.
    pub answers: Vec<Answered>,
    /// A sentence below all answers.
    pub remark: Option<String>,
    /// Addresses of a deleted account, which still get the answer.
    pub last_words: Vec<String>,
    /// The address that the letter's token was sent to.
    pub asked: Option<String>,
    /// The token of a mail whose answer did nothing: what explains it can be answered as that mail can.
    pub answered_in_vain: Option<String>,
    /// The letter answers a mail of ours that nobody can answer any more.
    pub is_spent: bool,
    /// The player the letter acted for, else the owner of its sender address.
    pub player: Option<PlayerId>,
    /// The board that all answers are about, where none of them ends in what a reply can do.
    pub seated: Option<Seated>,
    /// The player whose letter holds words and no command.
    pub small_talk: Option<String>,
    /// Words of commands that may be passwords, for all that is known.
    pub(crate) suspects: Secrets,
}

/// A board as it stands, and the seat of the letter's player there, 0 or 1.
#[derive(Debug)]
pub struct Seated {
    pub view: Box<BoardView>,
    pub seat: usize,
}

#[derive(Debug)]
pub struct Answered {
    /// The command, passwords masked.
    pub echo: String,
    /// The same as it is kept for good.
    pub kept: String,
    pub answer: Answer,
    /// The line was what a stranger begins with.
    pub begins: bool,
    /// The thread of its board.
    pub thread: Option<Thread>,
    /// The board as it stands, when the player seems to have seen another position.
    pub now: Option<Box<BoardView>>,
}

impl Answered {
    /// Why nothing of a letter was done, whatever line said it.
    pub(crate) fn refused(why: Refusal) -> Answered {
        let (echo, kept) = (String::new(), String::new());
        Answered { echo, kept, answer: Answer::Refused(why), begins: false, thread: None, now: None }
    }
}

/// What became of a line that is, or looks like, a command.
#[derive(Debug)]
pub enum Answer {
    Done(Event),
    Refused(Refusal),
    Malformed(ParseError),
    Unknown {
        /// The nearest command.
        suggestion: Option<String>,
    },
}

/// What a command did or found.
#[derive(Debug)]
pub enum Event {
    /// Help pages to print, by name.
    Help(Vec<String>),
    SignedUp {
        userid: String,
        addresses: Vec<String>,
        /// The addresses that have not confirmed yet.
        waiting: Vec<String>,
        /// The seeks the player could accept.
        seeks: Vec<OpenSeek>,
        /// The robot plays here.
        robot: bool,
    },
    /// An address of the player's answered that it is theirs.
    Confirmed {
        userid: String,
        mailbox: String,
        /// It is the first: the player begins here.
        is_new: bool,
        /// `set` by this answer, `kept` as it was, or `none`.
        password: &'static str,
        /// The seeks the player could accept.
        seeks: Vec<OpenSeek>,
        /// The robot plays here.
        robot: bool,
    },
    /// What happened on a board, and the seat that asked, 0 or 1, if it sits there.
    Board(Box<BoardUpdate>, Option<usize>),
    /// Boards to look at.
    Shown(Vec<BoardView>),
    /// A queue as it stands, and the seat of its owner, 0 or 1.
    Queue {
        view: Box<BoardView>,
        /// The seat of its owner, 0 or 1.
        seat: usize,
    },
    /// A mail was sent again; it is the answer.
    Resent { board: Option<BoardId> },
    /// Anything else, in the words of the command's own template.
    Page(Page),
}

/// A seek that can be accepted now.
#[derive(Debug, Clone, Serialize)]
pub struct OpenSeek {
    pub number: i64,
    pub game: &'static str,
    pub by: String,
    /// What the seek asks for, each part behind a comma.
    pub terms: String,
}

/// What a template is given.
#[derive(Debug)]
pub struct Page {
    pub template: &'static str,
    pub data: Value,
    /// The thread of the board it is about.
    pub thread: Option<Thread>,
}

/// A value for a template.
pub(crate) fn data(value: &impl Serialize) -> Value {
    Value::from(Serde(value))
}

impl Event {
    pub(crate) fn page(template: &'static str, data: Value, thread: Option<Thread>) -> Event {
        Event::Page(Page { template, data, thread })
    }

    /// A board as it would be; nothing of what it shows has happened.
    pub(crate) fn of_view(template: &'static str, view: &BoardView) -> Event {
        Event::page(template, context! { v => data(view) }, view.thread(None))
    }

    /// The thread it belongs to, when it is about one board.
    pub fn thread(&self) -> Option<Thread> {
        let (view, shown) = match self {
            Event::Board(update, _) => (&update.view, Some(update.view.events)),
            Event::Queue { view, .. } => (view.as_ref(), Some(view.events)),
            Event::Shown(views) => match views.as_slice() {
                [view] => (view, Some(view.events)),
                _ => return None,
            },
            Event::Page(page) => return page.thread.clone(),
            Event::Help(_) | Event::SignedUp { .. } | Event::Confirmed { .. } | Event::Resent { .. } => {
                return None;
            }
        };
        view.thread(shown)
    }
}

impl Transcript {
    /// True when no line is a command, or nearly one.
    pub(crate) fn holds_no_command(&self) -> bool {
        self.answers.iter().all(|answered| matches!(answered.answer, Answer::Unknown { suggestion: None }))
    }

    /// How many commands came to which end.
    pub fn tally(&self) -> CommandCounts {
        let mut tally = CommandCounts::default();
        for answered in &self.answers {
            match answered.answer {
                Answer::Done(_) => tally.done += 1,
                Answer::Refused(_) => tally.refused += 1,
                Answer::Malformed(_) | Answer::Unknown { .. } => tally.unreadable += 1,
            }
        }
        tally
    }

    /// The commands as they are kept, a line each.
    pub fn kept(&self) -> String {
        let kept: Vec<&str> = self.answers.iter().map(|answered| answered.kept.as_str()).collect();
        kept.join("\n")
    }

    /// What became of each command, a line each; nothing when all were carried out, as they mostly are.
    pub fn outcomes(&self, proofs: &Proofs) -> String {
        let is_done = |answered: &Answered| matches!(answered.answer, Answer::Done(_));
        if self.answers.iter().all(is_done) {
            return String::new();
        }
        let outcome = |answered: &Answered| match &answered.answer {
            Answer::Done(_) => "done".to_owned(),
            Answer::Refused(refusal) => clean::line(&format!("refused: {refusal}")),
            Answer::Malformed(error) => clean::line(&format!("not understood: {}", error.why)),
            Answer::Unknown { .. } => "not a command".to_owned(),
        };
        let outcomes: Vec<String> = self.answers.iter().map(outcome).collect();
        self.suspects.mask(&token::mask(&proofs.mask(&outcomes.join("\n")), |_| false))
    }

    /// Whether its one command had a mail sent again.
    pub fn is_resent(&self) -> bool {
        matches!(self.answers.as_slice(), [Answered { answer: Answer::Done(Event::Resent { .. }), .. }])
    }

    /// Whether something happened on a board: mails that say so are never held back.
    pub fn moves_a_board(&self) -> bool {
        self.answers.iter().any(|answered| matches!(&answered.answer, Answer::Done(Event::Board(..))))
    }

    /// True when a stranger has tried to begin: a `signup` that failed, also one misspelt, or `help`.
    pub fn asks_to_begin(&self) -> bool {
        let has_begun = |answer: &Answer| matches!(answer, Answer::Done(Event::SignedUp { .. }));
        self.answers.iter().any(|answered| answered.begins && !has_begun(&answered.answer))
    }

    /// How many help pages it prints, where it does nothing else.
    pub fn only_help(&self) -> Option<usize> {
        let pages = self.answers.iter().map(|answered| match &answered.answer {
            Answer::Done(Event::Help(pages)) => Some(pages.len()),
            _ => None,
        });
        pages.sum::<Option<usize>>().filter(|pages| *pages > 0)
    }

    /// Says one more thing below all answers.
    pub fn add_remark(&mut self, remark: &str) {
        let before = self.remark.take().map(|before| before + "\n\n").unwrap_or_default();
        self.remark = Some(before + remark);
    }

    /// Whether the last command was carried out. A letter without any was not.
    pub fn ends_well(&self) -> bool {
        self.answers.last().is_some_and(|answered| matches!(answered.answer, Answer::Done(_)))
    }

    /// The thread all answers belong to, when it is one.
    pub fn thread(&self) -> Option<&Thread> {
        let mut threads = self.answers.iter().rev().map(|answered| answered.thread.as_ref());
        let last = threads.next()??;
        threads.all(|thread| thread.is_some_and(|thread| thread.board == last.board)).then_some(last)
    }
}
