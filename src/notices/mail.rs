//! A mail to a person, before `compose` renders it.

use minijinja::{Value, context};
use serde::Serialize;

use crate::ids::{BoardId, Seat};
use crate::notices::Thread;
use crate::notices::board_update::BoardUpdate;
use crate::store::{LastMail, PlayerId};

/// The template of a player's message.
pub(crate) const WORDS: &str = "message.md";

/// The template that tells opponents of a vacation or its cancellation.
pub(crate) const AWAY: &str = "away.md";

#[derive(Debug)]
pub struct Mail {
    pub to: Recipient,
    pub content: Content,
    pub purpose: Purpose,
    /// The thread of a board that it belongs to. A mail whose content names the board needs none.
    pub thread: Option<Thread>,
    /// The token of its Reply-To, if it is not the board's.
    pub token: Option<String>,
    /// How to stop mails of this kind.
    pub unsubscribe: Option<UnsubscribeBy>,
    pub keep: Keep,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Recipient {
    /// Every confirmed address of the player.
    Player(PlayerId),
    /// One address of the player.
    PlayerAt(PlayerId, String),
    /// An address without an account.
    Address(String),
}

#[derive(Debug)]
pub enum Content {
    /// A template that begins with a Subject, and its context.
    Page { template: &'static str, data: Value },
    /// What has happened in contests, and the context of what surrounds it.
    ContestNews { events: Vec<ContestEvent>, frame: Value },
    /// The answers to the letter.
    Answer,
    /// The short help for a sender without an account, with a suggested userid.
    StrangersHelp { userid: Option<String> },
    /// The news of a board, told from the reader's side.
    Board(Box<BoardNotice>),
    /// An earlier mail, byte for byte.
    Resent(LastMail),
}

/// An event of a contest: the template that tells of it, and its context.
#[derive(Debug)]
pub struct ContestEvent {
    pub template: String,
    pub data: Value,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// Answers the letter.
    Answer,
    /// The reader asked for it, or must know it now.
    Notice,
    /// Can wait while the reader pauses such mails.
    News,
}

#[derive(Debug, Clone)]
pub enum UnsubscribeBy {
    /// A mail to the server with this Subject, at the address with the mail's token.
    Command(String),
    /// A mail to the server with this token.
    Token(String),
    /// The page that pauses the player's mails, if the server has pages.
    Pause,
}

pub use crate::store::Keep;

#[derive(Debug, Clone)]
pub struct BoardNotice {
    pub update: BoardUpdate,
    pub reader: Reader,
    /// The words that the player wrote with the command.
    pub words: Option<Words>,
}

/// Why a reader hears of a board.
#[derive(Debug, Clone, Serialize)]
#[serde(tag = "why", rename_all = "kebab-case")]
pub enum Reader {
    Player {
        seat: usize,
    },
    Watches {
        address: String,
    },
    /// A player who follows all games that end.
    HearsOfEnds,
}

impl Reader {
    /// The seat of a reader who plays, 0 or 1.
    pub fn seat(&self) -> Option<usize> {
        match self {
            Reader::Player { seat } => Some(*seat),
            Reader::Watches { .. } | Reader::HearsOfEnds => None,
        }
    }
}

/// A player's words, with passwords masked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Words {
    pub by: String,
    pub text: String,
}

/// A board whose deadline has moved.
#[derive(Debug, Clone, Serialize)]
pub struct MovedBoard {
    pub game: String,
    pub board: u32,
    pub players: [String; 2],
    /// The player to move.
    pub turn: String,
    pub deadline: Option<i64>,
}

impl Mail {
    /// A notice from a template. Set what differs with `Mail { keep: .., ..Mail::page(..) }`.
    pub(crate) fn page(to: Recipient, template: &'static str, data: Value) -> Mail {
        Mail::of(to, Purpose::Notice, Content::Page { template, data })
    }

    pub fn answer(to: Recipient) -> Mail {
        Mail::of(to, Purpose::Answer, Content::Answer)
    }

    pub(crate) fn strangers_help(to: Recipient, userid: Option<String>) -> Mail {
        Mail::of(to, Purpose::Answer, Content::StrangersHelp { userid })
    }

    pub(crate) fn resent(to: Recipient, mail: LastMail) -> Mail {
        Mail::of(to, Purpose::Notice, Content::Resent(mail))
    }

    /// Tells the player at `seat` about a board.
    pub fn of_board(to: PlayerId, seat: Seat, update: BoardUpdate, words: Option<Words>) -> Mail {
        let unsubscribe = update.view.turn.map(|_| UnsubscribeBy::Pause);
        let reader = Reader::Player { seat: seat.index() };
        Mail { unsubscribe, ..Mail::board_news(Recipient::Player(to), reader, update, words) }
    }

    /// Tells a watching address about a board.
    pub(crate) fn of_watched(address: String, update: BoardUpdate) -> Mail {
        let command = format!("{} unsubscribe {} {address}", update.view.game, update.view.board);
        let reader = Reader::Watches { address: address.clone() };
        let mail = Mail::board_news(Recipient::Address(address), reader, update, None);
        Mail { unsubscribe: Some(UnsubscribeBy::Command(command)), ..mail }
    }

    /// Tells a player that a game has ended.
    pub(crate) fn of_end(player: PlayerId, update: BoardUpdate) -> Mail {
        let command = format!("{} notify off", update.view.game);
        let mail = Mail::board_news(Recipient::Player(player), Reader::HearsOfEnds, update, None);
        Mail { unsubscribe: Some(UnsubscribeBy::Command(command)), ..mail }
    }

    /// The words of a message or chat; `None` for other mails.
    pub(crate) fn words(&self) -> Option<Words> {
        let Content::Page { template: WORDS, data } = &self.content else { return None };
        let text = |name| Some(data.get_attr("m").ok()?.get_attr(name).ok()?.as_str()?.to_owned());
        Some(Words { by: text("by")?, text: text("text")? })
    }

    /// What two mails must share for the later to replace the earlier: reader, board and sender, and for messages
    /// also their kind and addressees.
    fn kind(&self) -> Option<(&Recipient, Option<BoardId>, [Value; 3])> {
        let Content::Page { template, data } = &self.content else { return None };
        let of = |data: &Value, name| data.get_attr(name).unwrap_or_default();
        let said = match *template {
            WORDS => {
                let m = of(data, "m");
                [of(&m, "by"), of(&m, "to"), of(&of(&m, "kind"), "kind")]
            }
            AWAY => [of(data, "userid"), Value::UNDEFINED, Value::UNDEFINED],
            _ => return None,
        };
        Some((&self.to, self.thread.as_ref().map(|thread| thread.board), said))
    }

    /// True if this mail replaces the earlier one: it takes over its words, or cancels its vacation.
    pub(crate) fn gather(&mut self, before: &Mail) -> bool {
        let is_one_kind = self.kind().is_some_and(|kind| before.kind() == Some(kind));
        let (earlier, later) = (before.words(), self.words());
        let Content::Page { data, .. } = &mut self.content else { return false };
        match (earlier, later) {
            _ if !is_one_kind => false,
            (Some(earlier), Some(later)) => {
                let text = format!("{}\n\n{}", earlier.text, later.text);
                *data = context! { m => context! { text, ..data.get_attr("m").unwrap_or_default() } };
                true
            }
            _ => !data.get_attr("days").is_ok_and(|days| days.is_true()),
        }
    }

    fn board_news(to: Recipient, reader: Reader, update: BoardUpdate, words: Option<Words>) -> Mail {
        let notice = BoardNotice { update, reader, words };
        Mail::of(to, Purpose::News, Content::Board(Box::new(notice)))
    }

    pub(crate) fn of(to: Recipient, purpose: Purpose, content: Content) -> Mail {
        Mail { to, content, purpose, thread: None, token: None, unsubscribe: None, keep: Keep::Mail }
    }
}
