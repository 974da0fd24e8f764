//! What players offer each other beside moves, and what they decide beforehand.

mod read;

use super::plan::Plan;
use super::{BoardOptions, Login, Seated};
use crate::ids::{BoardId, Ply, Userid, Which};
use turnpost_games::GameKind;

pub(super) use read::{ENTRIES, board_and_ply};

/// Something offered, decided beforehand, or sought.
#[derive(Debug, Clone)]
pub enum Offer {
    /// A word about a running game.
    Word(Seated, Word),
    /// Conditional moves: set, dropped with an empty plan, or shown with none.
    Queue(Seated, Option<Plan>),
    /// A move to look at before it counts.
    Submit(Seated, String),
    /// Lets the submitted move count.
    Confirm(Seated),
    /// The same players and options, sides changed.
    Rematch(Seated),
    /// A new board from an old position.
    Replay {
        /// The game.
        game: &'static GameKind,
        /// The old board.
        board: BoardId,
        /// The ply after which it begins; `None`: the latest.
        ply: Option<Ply>,
        /// Who plays.
        players: [Userid; 2],
        /// Days.
        options: BoardOptions,
    },
    /// An open challenge.
    Seek {
        /// The game.
        game: &'static GameKind,
        /// Who seeks.
        login: Login,
        /// The options of the board.
        options: BoardOptions,
        /// The rating an opponent has at least and at most.
        rating: Option<(u16, u16)>,
    },
    /// Takes one's own seeks back.
    SeekOff(&'static GameKind, Login),
    /// Accepts a seek.
    AcceptSeek(&'static GameKind, u32, Login),
    /// Lists the open seeks.
    Seeks(&'static GameKind),
    /// One's boards with what nobody else may see.
    ShowAs {
        /// The game.
        game: &'static GameKind,
        /// Whose.
        login: Login,
        /// Which boards; none: by `which`.
        boards: Vec<BoardId>,
        /// Which of the player's boards.
        which: Which,
    },
    /// Every game's boards of a player.
    AllShow(Userid, Which),
}

/// A word about a running game, in place of a move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Word {
    /// Proposes a draw.
    Propose,
    /// Proposes to take back.
    Undo,
    /// Agrees.
    Accept,
    /// Does not agree.
    Reject,
    /// Changes seats after ply 1.
    Swap,
    /// Declines the game.
    Decline,
}

impl Word {
    /// The word that stands in place of a move.
    pub(super) fn in_place_of_a_move(word: &str) -> Option<Word> {
        Some(match word.to_ascii_lowercase().as_str() {
            "propose" => Word::Propose,
            "undo" => Word::Undo,
            "accept" => Word::Accept,
            "reject" => Word::Reject,
            "swap" => Word::Swap,
            "decline" => Word::Decline,
            _ => return None,
        })
    }
}

impl Offer {
    /// The userid and password it acts with.
    pub fn login(&self) -> Option<&Login> {
        match self {
            Offer::Word(at, _)
            | Offer::Queue(at, _)
            | Offer::Submit(at, _)
            | Offer::Confirm(at)
            | Offer::Rematch(at) => Some(&at.login),
            Offer::Seek { login, .. }
            | Offer::SeekOff(_, login)
            | Offer::AcceptSeek(_, _, login)
            | Offer::ShowAs { login, .. } => Some(login),
            Offer::Replay { .. } | Offer::Seeks(_) | Offer::AllShow(..) => None,
        }
    }

    /// The board it names.
    pub fn board(&self) -> Option<BoardId> {
        match self {
            Offer::Word(at, _)
            | Offer::Queue(at, _)
            | Offer::Submit(at, _)
            | Offer::Confirm(at)
            | Offer::Rematch(at) => Some(at.board),
            _ => None,
        }
    }
}
