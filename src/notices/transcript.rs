//! The answers to one letter.

use minijinja::value::Serde;
use minijinja::{Value, context};
use schemars::JsonSchema;
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
    /// The addresses of a deleted account, which still get the answer.
    pub last_words: Vec<String>,
    /// The address that the letter's token was sent to.
    pub asked: Option<String>,
    /// The token of a mail whose answer had no effect. The explanation can be answered with the same token.
    pub answered_in_vain: Option<String>,
    /// The link to a page with a button that confirms the line.
    pub confirmed_at: Option<String>,
    /// True if the letter answers a mail that cannot be answered any more.
    pub is_spent: bool,
    /// The player for whom the letter acted, or the owner of its sender address.
    pub player: Option<PlayerId>,
    /// The board that all answers are about, if none of them ends with the reply words.
    pub seated: Option<Seated>,
    /// The player whose letter has words but no command.
    pub small_talk: Option<String>,
    /// Words of commands that could be passwords.
    pub(crate) suspects: Secrets,
}

/// The current board, and the seat of the letter's player, 0 or 1.
#[derive(Debug)]
pub struct Seated {
    pub view: Box<BoardView>,
    pub seat: usize,
    /// True if the player is to move, and the letter is a reply or was refused.
    pub waits: bool,
}

#[derive(Debug)]
pub struct Answered {
    /// The command with passwords masked.
    pub echo: String,
    /// The command as it is stored for good.
    pub kept: String,
    pub answer: Answer,
    /// True for a command with which a sender without an account can start, even if it is misspelt.
    pub begins: bool,
    pub thread: Option<Thread>,
    /// The current board, if the player seems to have seen another position.
    pub now: Option<Box<BoardView>>,
}

impl Answered {
    /// Refuses the whole letter, not one line.
    pub(crate) fn refused(why: Refusal) -> Answered {
        let (echo, kept) = (String::new(), String::new());
        Answered { echo, kept, answer: Answer::Refused(why), begins: false, thread: None, now: None }
    }
}

/// The outcome of a line that is, or looks like, a command.
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
    /// Help pages by name.
    Help(Vec<String>),
    SignedUp {
        userid: String,
        addresses: Vec<String>,
        /// Addresses that have not been confirmed yet.
        waiting: Vec<String>,
        /// Seeks that the player can accept.
        seeks: Vec<OpenSeek>,
        robot: bool,
    },
    /// The player confirmed an address.
    Confirmed {
        userid: String,
        mailbox: String,
        /// True for the player's first address: the account begins here.
        is_new: bool,
        /// `set` by this answer, `kept`, or `none`.
        password: &'static str,
        /// Seeks that the player can accept.
        seeks: Vec<OpenSeek>,
        robot: bool,
    },
    /// News of a board, and the seat that asked, 0 or 1, if a player did.
    Board(Box<BoardUpdate>, Option<usize>),
    Shown(Vec<BoardView>),
    Queue {
        view: Box<BoardView>,
        /// The seat of the queue's owner, 0 or 1.
        seat: usize,
    },
    /// An earlier mail was sent again and is the answer.
    Resent {
        board: Option<BoardId>,
    },
    /// Any other answer, rendered by the command's own template.
    Page(Page),
}

/// A seek that can be accepted now.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct OpenSeek {
    pub number: i64,
    pub game: &'static str,
    pub by: String,
    /// What the seek asks for, each part after a comma.
    pub terms: String,
}

/// A template with its context.
#[derive(Debug)]
pub struct Page {
    pub template: &'static str,
    pub data: Value,
    /// The thread of the board that the page is about.
    pub thread: Option<Thread>,
}

pub(crate) fn data(value: &impl Serialize) -> Value {
    Value::from(Serde(value))
}

impl Event {
    pub(crate) fn page(template: &'static str, data: Value, thread: Option<Thread>) -> Event {
        Event::Page(Page { template, data, thread })
    }

    /// A page about a hypothetical position: nothing that it shows has happened.
    pub(crate) fn of_view(template: &'static str, view: &BoardView) -> Event {
        Event::page(template, context! { v => data(view) }, view.thread(None))
    }

    /// The thread of the event, if it is about one board.
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
    /// True if no line is, or nearly is, a command.
    pub(crate) fn holds_no_command(&self) -> bool {
        self.answers.iter().all(|answered| matches!(answered.answer, Answer::Unknown { suggestion: None }))
    }

    /// True if no line of the letter is a command, so that it can be read as a request in plain words.
    pub(crate) fn is_prose(&self) -> bool {
        self.answers.iter().all(|answered| matches!(answered.answer, Answer::Unknown { .. }))
    }

    /// The number of commands by outcome.
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

    /// The commands as they are stored, a line each.
    pub fn kept(&self) -> String {
        let kept: Vec<&str> = self.answers.iter().map(|answered| answered.kept.as_str()).collect();
        kept.join("\n")
    }

    /// The outcome of each command, a line each; empty if all were carried out.
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

    /// True if an answer asks for a guarded command once more.
    pub fn asks_again(&self) -> bool {
        let asks = |answered: &Answered| matches!(&answered.answer, Answer::Refused(why) if why.asks_again);
        self.answers.iter().any(asks)
    }

    /// True if the letter's only command sent a mail again.
    pub fn is_resent(&self) -> bool {
        matches!(self.answers.as_slice(), [Answered { answer: Answer::Done(Event::Resent { .. }), .. }])
    }

    /// True if the letter changed a board. Mails about that are never held back.
    pub fn moves_a_board(&self) -> bool {
        self.answers.iter().any(|answered| matches!(&answered.answer, Answer::Done(Event::Board(..))))
    }

    /// True if a sender without an account sent `help`, or a `signup` that failed or was misspelt.
    pub fn asks_to_begin(&self) -> bool {
        let has_begun = |answer: &Answer| matches!(answer, Answer::Done(Event::SignedUp { .. }));
        self.answers.iter().any(|answered| answered.begins && !has_begun(&answered.answer))
    }

    /// True if an answer tells a move of another player, that the player is to move again, or the begin or end of a game or
    /// an account. It is mailed, even if a page shows it.
    pub fn tells_more_than_an_act(&self) -> bool {
        self.answers.iter().any(|answered| match &answered.answer {
            Answer::Done(Event::Board(update, by)) => {
                update.begins_or_ends() || *by != Some(update.last.by) || update.leaves_to_move()
            }
            Answer::Done(Event::SignedUp { .. } | Event::Confirmed { .. }) => true,
            _ => false,
        })
    }

    /// The number of help pages, if the letter asks for nothing else.
    pub fn only_help(&self) -> Option<usize> {
        let pages = self.answers.iter().map(|answered| match &answered.answer {
            Answer::Done(Event::Help(pages)) => Some(pages.len()),
            _ => None,
        });
        pages.sum::<Option<usize>>().filter(|pages| *pages > 0)
    }

    /// Adds a paragraph below all answers.
    pub fn add_remark(&mut self, remark: &str) {
        let before = self.remark.take().map(|before| before + "\n\n").unwrap_or_default();
        self.remark = Some(before + remark);
    }

    /// True if the last command was carried out; false without commands.
    pub fn ends_well(&self) -> bool {
        self.answers.last().is_some_and(|answered| matches!(answered.answer, Answer::Done(_)))
    }

    /// The thread of all answers, if they share one.
    pub fn thread(&self) -> Option<&Thread> {
        let mut threads = self.answers.iter().rev().map(|answered| answered.thread.as_ref());
        let last = threads.next()??;
        threads.all(|thread| thread.is_some_and(|thread| thread.board == last.board)).then_some(last)
    }
}
