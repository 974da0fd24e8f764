//! A mail to a person before `reply` renders it. An answer is the mail to the letter's writer.

use jiff::Timestamp;
use serde::Serialize;

use crate::ids::Seat;
use crate::notices::Thread;
use crate::notices::afterword::AfterwordView;
use crate::notices::analysis_view::AnalysisView;
use crate::notices::board_update::BoardUpdate;
use crate::notices::transcript::OpenSeek;
use crate::notices::view::GameRow;
use crate::store::{BounceRow, LastMail, PlayerId};

#[derive(Debug)]
pub struct Mail {
    pub to: Recipient,
    /// The thread of a board it belongs to, unless its content names the board.
    pub thread: Option<Thread>,
    pub content: Content,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Recipient {
    /// Every confirmed address of a player.
    Player(PlayerId),
    /// One address of a player.
    PlayerAt(PlayerId, String),
    /// An address that belongs to no player yet.
    Address(String),
}

#[derive(Debug)]
pub enum Content {
    Answer,
    /// The answer to a letter that deleted its account. The outbox keeps neither bytes nor recipient.
    Farewell,
    /// The short help for a sender without an account.
    StrangersHelp,
    /// The letter is too large to read.
    TooMuch {
        why: String,
    },
    /// The sender gets no more answers for a while.
    NoMoreAnswers {
        until: Timestamp,
    },
    Board(Box<BoardNotice>),
    Message(Message),
    ResetToken {
        userid: String,
        token: String,
    },
    ConfirmAddress(ConfirmAddress),
    /// Tells the old address that the account's mail goes elsewhere.
    AddressLeft {
        userid: String,
    },
    WatchQuestion(WatchQuestion),
    WatchEnded {
        board: u32,
        players: [String; 2],
    },
    DeadlinesMoved {
        reader: String,
        from: Timestamp,
        to: Timestamp,
        boards: Vec<MovedBoard>,
    },
    /// The opponent will be away, or no longer; `days` are the first and the last.
    OpponentAway {
        reader: String,
        userid: String,
        days: Option<(String, String)>,
        boards: Vec<MovedBoard>,
    },
    Analysis(Box<AnalysisView>),
    /// The turns that decided a game, which nobody asked for.
    Afterword(Box<AfterwordView>),
    /// The weekly mail of open seeks and finished games.
    Announcement(Box<Announcement>),
    /// Tells the operator that the server stopped writing to an address of these players.
    AddressStopped {
        stop: BounceRow,
        userids: Vec<String>,
    },
    /// Asks a player about a report on our mail that proves nothing.
    ReportQuestion {
        userid: String,
        address: String,
        /// The report is a complaint, not a failure.
        unwanted: bool,
    },
    HostActed(HostActed),
    /// The bytes of an earlier mail.
    Resent(LastMail),
}

/// A board event for one reader.
#[derive(Debug, Clone)]
pub struct BoardNotice {
    pub update: BoardUpdate,
    pub reader: Reader,
    /// The words the player wrote beside the command.
    pub words: Option<Words>,
    /// The answer says it too, if it goes to this reader.
    pub in_answer: bool,
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
    /// The recipients the player named.
    pub to: Vec<String>,
    pub kind: MessageKind,
    pub reader: String,
    pub text: String,
    /// The token in the Reply-To.
    #[serde(skip)]
    pub token: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case", tag = "kind")]
pub enum MessageKind {
    Message,
    Broadcast,
    Chat {
        game: &'static str,
        board: u32,
        /// The last event of the board.
        event: u32,
        running: bool,
    },
}

/// What the host did to an account, or to a seat its player has no longer.
#[derive(Debug, Clone, Serialize)]
pub struct HostActed {
    pub what: HostActOnAccount,
    pub reason: String,
}

#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "kebab-case", tag = "kind")]
pub enum HostActOnAccount {
    Renamed { old: String, new: String },
    Merged { from: String, into: String },
    Unseated { game: &'static str, board: u32, players: [String; 2] },
}

/// Asks an address whether it is its player's.
#[derive(Debug, Clone, Serialize)]
pub struct ConfirmAddress {
    pub userid: String,
    pub address: String,
    /// The player has just signed up.
    pub is_new: bool,
    /// Mail to the address came back.
    pub came_back: bool,
    /// The token in the Reply-To.
    pub token: String,
}

/// Asks an address whether it wants to watch a board.
#[derive(Debug, Clone, Serialize)]
pub struct WatchQuestion {
    pub game: &'static str,
    pub board: u32,
    pub players: [String; 2],
    pub address: String,
    pub code: String,
}

/// The news of a week.
#[derive(Debug, Clone, Serialize)]
pub struct Announcement {
    pub userid: String,
    /// When the week began, in seconds since 1970.
    pub since: i64,
    pub seeks: Vec<OpenSeek>,
    /// There are more.
    pub more_seeks: bool,
    /// The games that ended, each with its kind.
    pub finished: Vec<(&'static str, GameRow)>,
    pub more_games: bool,
    /// The token in the List-Unsubscribe.
    pub token: String,
}

#[derive(Debug, Clone, Serialize)]
pub struct MovedBoard {
    pub game: String,
    pub board: u32,
    pub players: [String; 2],
    /// The player to move.
    pub turn: String,
    pub deadline: Option<i64>,
}

impl Content {
    /// False for what the reader asked for or must know now.
    pub fn can_wait(&self) -> bool {
        matches!(
            self,
            Content::Board(_)
                | Content::Message(_)
                | Content::DeadlinesMoved { .. }
                | Content::OpponentAway { .. }
                | Content::Analysis(_)
                | Content::Afterword(_)
                | Content::Announcement(_)
        )
    }
}

impl Mail {
    pub fn new(to: Recipient, content: Content) -> Mail {
        Mail { to, thread: None, content }
    }

    /// Tells the player at `seat` about a board.
    pub fn of_board(to: PlayerId, seat: Seat, update: BoardUpdate) -> Mail {
        let reader = Reader::Player { seat: seat.index() };
        let notice = BoardNotice { update, reader, words: None, in_answer: false };
        Mail::new(Recipient::Player(to), Content::Board(Box::new(notice)))
    }

    /// Tells a watching address about a board.
    pub(crate) fn of_watched(address: String, update: BoardUpdate) -> Mail {
        let reader = Reader::Watches { address: address.clone() };
        let notice = BoardNotice { update, reader, words: None, in_answer: false };
        Mail::new(Recipient::Address(address), Content::Board(Box::new(notice)))
    }

    /// Tells a player that a game has ended.
    pub(crate) fn of_end(player: PlayerId, userid: String, update: BoardUpdate) -> Mail {
        let reader = Reader::HearsOfEnds { userid };
        let notice = BoardNotice { update, reader, words: None, in_answer: false };
        Mail::new(Recipient::Player(player), Content::Board(Box::new(notice)))
    }

    pub fn board(&self) -> Option<&BoardNotice> {
        match &self.content {
            Content::Board(notice) => Some(notice),
            _ => None,
        }
    }

    pub(crate) fn board_mut(&mut self) -> Option<&mut BoardNotice> {
        match &mut self.content {
            Content::Board(notice) => Some(notice),
            _ => None,
        }
    }

    /// The player and the event, when it tells a player about their own board.
    pub(crate) fn player_at_board(&self) -> Option<(PlayerId, &BoardNotice)> {
        match (&self.to, self.board()) {
            (Recipient::Player(player), Some(notice)) if notice.reader.seat().is_some() => {
                Some((*player, notice))
            }
            _ => None,
        }
    }
}
