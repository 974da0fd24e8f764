//! The answers to a letter.

use crate::command::ParseError;
use crate::ids::BoardId;
use crate::service::refusal::Refusal;
use crate::service::results::{AnalysisView, BoardList, Note, Ranking};
use crate::service::view::{BoardUpdate, BoardView, GameRow, Thread};
use crate::store::{PlayerId, Tally};

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
    /// The player the letter acted for, else the owner of its sender address.
    pub player: Option<PlayerId>,
}

#[derive(Debug)]
pub struct Answered {
    /// The command, passwords masked.
    pub echo: String,
    pub answer: Answer,
    /// The thread of its board.
    pub thread: Option<Thread>,
    /// The board as it stands, when the player seems to have seen another position.
    pub now: Option<Box<BoardView>>,
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
    },
    /// What happened on a board, and the seat that asked, 0 or 1, if it sits there.
    Board(Box<BoardUpdate>, Option<usize>),
    /// Boards to look at.
    Shown(Vec<BoardView>),
    /// A board as it would be.
    Previewed(Box<BoardView>),
    /// A queue as it stands, whether it has just played, and the seat of its owner, 0 or 1.
    Queue {
        view: Box<BoardView>,
        /// The queue played at once.
        played: bool,
        /// The seat of its owner, 0 or 1.
        seat: usize,
    },
    /// A board as it would be after a move that waits to be confirmed.
    Drafted(Box<BoardView>),
    /// Something about accounts, talk or watching; and the thread it belongs to.
    Note(Note, Option<Thread>),
    /// A list of something else than boards.
    Lines {
        /// What is listed.
        title: String,
        /// A line each.
        lines: Vec<String>,
    },
    /// A list of boards.
    Listed {
        /// What is listed, for the heading: `DVONN games of ann`.
        title: String,
        /// The rows, newest first.
        rows: Vec<GameRow>,
        /// The command that shows more, when there are more.
        more: Option<String>,
    },
    /// Lists of boards.
    Lists(Vec<BoardList>),
    /// Players by rating.
    Ranked(Ranking),
    /// A player was reminded of a game.
    Nudged {
        /// The thread of its board.
        thread: Thread,
        opponent: String,
    },
    /// An analysis, or that it is asked for.
    Analysed {
        thread: Thread,
        /// The analysis; `None`: it comes by mail when it is made.
        view: Option<Box<AnalysisView>>,
    },
    Record {
        thread: Thread,
        text: String,
    },
}

impl Event {
    /// The thread it belongs to, when it is about one board.
    pub fn thread(&self) -> Option<Thread> {
        let (view, shown) = match self {
            Event::Board(update, _) => (&update.view, Some(update.view.events)),
            Event::Queue { view, .. } => (view.as_ref(), Some(view.events)),
            // What it shows has not happened.
            Event::Previewed(view) | Event::Drafted(view) => (view.as_ref(), None),
            Event::Shown(views) => match views.as_slice() {
                [view] => (view, Some(view.events)),
                _ => return None,
            },
            Event::Record { thread, .. } | Event::Nudged { thread, .. } | Event::Analysed { thread, .. } => {
                return Some(thread.clone());
            }
            Event::Note(_, thread) => return thread.clone(),
            Event::Help(_) | Event::SignedUp { .. } | Event::Lines { .. } | Event::Listed { .. } => {
                return None;
            }
            Event::Lists(_) | Event::Ranked(_) => return None,
        };
        (view.board > 0).then(|| Thread { board: BoardId(view.board), subject: view.subject(), shown })
    }
}

impl Transcript {
    /// How many commands came to which end.
    pub fn tally(&self) -> Tally {
        let mut tally = Tally::default();
        for answered in &self.answers {
            match answered.answer {
                Answer::Done(_) => tally.done += 1,
                Answer::Refused(_) => tally.refused += 1,
                Answer::Malformed(_) | Answer::Unknown { .. } => tally.unreadable += 1,
            }
        }
        tally
    }

    /// The commands as they may be shown, a line each.
    pub fn echoes(&self) -> String {
        let echoes: Vec<&str> = self.answers.iter().map(|answered| answered.echo.as_str()).collect();
        echoes.join("\n")
    }

    /// Whether its one command had a mail sent again.
    pub fn is_resent(&self) -> bool {
        matches!(
            self.answers.as_slice(),
            [Answered { answer: Answer::Done(Event::Note(Note::Resent { .. }, _)), .. }]
        )
    }

    /// Whether something happened on a board: mails that say so are never held back.
    pub fn moves_a_board(&self) -> bool {
        let happened = |event: &Event| match event {
            Event::Board(..) => true,
            Event::Queue { played, .. } => *played,
            _ => false,
        };
        self.answers.iter().any(|answered| matches!(&answered.answer, Answer::Done(event) if happened(event)))
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
