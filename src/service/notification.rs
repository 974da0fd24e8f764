//! A mail to somebody: what an answer is to the writer of a letter, a notification is to everybody it concerns.

use jiff::Timestamp;
use serde::Serialize;

use super::robot::AnalysisView;
use super::transcript::Thread;
use super::view::BoardUpdate;
use crate::ids::Seat;
use crate::store::{BounceRow, LastMail, PlayerId};

/// What somebody is to be told.
#[derive(Debug)]
pub struct Notification {
    pub to: Recipient,
    /// The thread of a board that it belongs to; what is about a board knows its own.
    pub thread: Option<Thread>,
    pub content: Content,
}

/// Where a notification goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Recipient {
    /// To every confirmed address of a player.
    Player(PlayerId),
    /// To one address of a player.
    PlayerAt(PlayerId, String),
    /// To an address that is no player's, or not yet.
    Address(String),
}

/// What a notification says.
#[derive(Debug)]
pub enum Content {
    /// The answer to the letter.
    Answer,
    /// The answer to an account that was deleted by the letter; neither bytes nor recipient are kept.
    Farewell,
    /// The short help for somebody who has no account.
    StrangersHelp,
    /// The letter is more than is read.
    TooMuch {
        why: String,
    },
    /// There are no more answers for a while.
    NoMoreAnswers,
    /// Something happened on a board.
    Board(Box<BoardNotice>),
    Message(Message),
    ResetToken {
        userid: String,
        token: String,
    },
    ConfirmAddress(ConfirmAddress),
    /// Mail for the account no longer goes to this address.
    AddressLeft {
        userid: String,
    },
    WatchQuestion(WatchQuestion),
    WatchEnded {
        board: u32,
        players: [String; 2],
    },
    DeadlinesMoved {
        from: Timestamp,
        to: Timestamp,
        boards: Vec<MovedDeadline>,
    },
    Analysis(Box<AnalysisView>),
    /// No more mail goes to an address of these players.
    AddressStopped {
        stop: BounceRow,
        userids: Vec<String>,
    },
    /// The bytes of a mail that was sent before.
    Resent(LastMail),
}

/// Something that happened on a board, for one reader.
#[derive(Debug, Clone)]
pub struct BoardNotice {
    pub update: BoardUpdate,
    pub reader: Reader,
    /// What the player who did it wrote beside the command.
    pub words: Option<Words>,
    /// The answer to the letter says it too, if it goes to this reader.
    pub in_answer: bool,
}

/// Why somebody hears of a board.
#[derive(Debug, Clone, Serialize)]
#[serde(tag = "why", rename_all = "kebab-case")]
pub enum Reader {
    Player {
        seat: usize,
    },
    Watches {
        address: String,
    },
    /// A player who asked to hear when games end.
    HearsOfEnds {
        userid: String,
    },
}

impl Reader {
    /// The reader's seat, 0 or 1.
    pub fn seat(&self) -> Option<usize> {
        match self {
            Reader::Player { seat } => Some(*seat),
            Reader::Watches { .. } | Reader::HearsOfEnds { .. } => None,
        }
    }
}

/// A player's words, passwords masked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Words {
    pub by: String,
    pub text: String,
}

/// `message`, `broadcast` or `chat`.
#[derive(Debug, Clone, Serialize)]
pub struct Message {
    pub by: String,
    /// The recipients, where a player named them.
    pub to: Vec<String>,
    pub kind: MessageKind,
    pub reader: String,
    pub text: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case", tag = "kind")]
pub enum MessageKind {
    Message,
    Broadcast,
    Chat { game: &'static str, board: u32 },
}

/// The question whether an address is its player's.
#[derive(Debug, Clone, Serialize)]
pub struct ConfirmAddress {
    pub userid: String,
    pub address: String,
    /// The account was made just now.
    pub is_new: bool,
    /// Mail to the address came back.
    pub came_back: bool,
    /// The token of the Reply-To.
    pub token: String,
}

/// The question whether an address wants to watch a board.
#[derive(Debug, Clone, Serialize)]
pub struct WatchQuestion {
    pub game: &'static str,
    pub board: u32,
    pub players: [String; 2],
    pub address: String,
    pub code: String,
}

/// A board whose deadline moved.
#[derive(Debug, Clone, Serialize)]
pub struct MovedDeadline {
    pub game: String,
    pub board: u32,
    pub players: [String; 2],
    /// Whose turn it is.
    pub turn: String,
    pub deadline: i64,
}

impl Notification {
    pub fn new(to: Recipient, content: Content) -> Notification {
        Notification { to, thread: None, content }
    }

    /// What a player at `seat` is told of a board.
    pub fn of_board(to: PlayerId, seat: Seat, update: BoardUpdate) -> Notification {
        let reader = Reader::Player { seat: seat.index() };
        let notice = BoardNotice { update, reader, words: None, in_answer: false };
        Notification::new(Recipient::Player(to), Content::Board(Box::new(notice)))
    }

    /// What an address that watches a board is told of it.
    pub fn of_watched(address: String, update: BoardUpdate) -> Notification {
        let reader = Reader::Watches { address: address.clone() };
        let notice = BoardNotice { update, reader, words: None, in_answer: false };
        Notification::new(Recipient::Address(address), Content::Board(Box::new(notice)))
    }

    /// What a player who asked to hear when games end is told of one.
    pub fn of_end(player: PlayerId, userid: String, update: BoardUpdate) -> Notification {
        let reader = Reader::HearsOfEnds { userid };
        let notice = BoardNotice { update, reader, words: None, in_answer: false };
        Notification::new(Recipient::Player(player), Content::Board(Box::new(notice)))
    }

    pub fn board(&self) -> Option<&BoardNotice> {
        match &self.content {
            Content::Board(notice) => Some(notice),
            _ => None,
        }
    }

    pub fn board_mut(&mut self) -> Option<&mut BoardNotice> {
        match &mut self.content {
            Content::Board(notice) => Some(notice),
            _ => None,
        }
    }

    /// The player it goes to, when it tells them of a board of theirs.
    pub fn player_at_board(&self) -> Option<(PlayerId, &BoardNotice)> {
        match (&self.to, self.board()) {
            (Recipient::Player(player), Some(notice)) if notice.reader.seat().is_some() => {
                Some((*player, notice))
            }
            _ => None,
        }
    }
}
