//! A board's row, its events, and the words they are stored in.

use jiff::Timestamp;

use super::PlayerId;
use super::sql::stored_enum;
use crate::ids::{BoardId, Ply, Seat, Which};

stored_enum! {
    /// Where a board stands.
    State {
        /// Somebody is to move.
        Running = "running",
        /// It has a result.
        Finished = "finished",
        /// It went away before it began.
        Declined = "declined",
    }
}

stored_enum! {
    /// How a finished board came to its end.
    Ending {
        /// By the rules of the game.
        Normal = "normal",
        /// A player gave up.
        Resigned = "resigned",
        /// A player let the deadline pass.
        TimedOut = "timed-out",
        /// Both agreed on a draw.
        Agreed = "agreed",
        /// It was given up without a result.
        Abandoned = "abandoned",
    }
}

stored_enum! {
    /// What one player offers the other.
    Proposal {
        /// To call the game a draw.
        Draw = "draw",
        /// To take back the proposer's last ply and all after it.
        Undo = "undo",
    }
}

stored_enum! {
    /// What happened on a board.
    EventKind {
        /// It was set up; the text is its terms.
        Start = "start",
        /// A ply, a forced pass among them; the text is its notation.
        Ply = "ply",
        /// The seat resigned.
        Resignation = "resignation",
        /// The seats changed players; no ply was played.
        Swap = "swap",
        /// The seat proposed what the text says, `draw` or `undo`.
        Proposal = "proposal",
        /// The seat turned a proposal down.
        Rejection = "rejection",
        /// The seat agreed to a draw.
        Agreement = "agreement",
        /// The seat agreed to take back; `ply` is the last that stands.
        Undo = "undo",
        /// The seat declined the game; without a player: it was not taken up before its deadline.
        Decline = "decline",
        /// The seat let its deadline pass.
        TimedOut = "timed-out",
        /// The deadline moved; the text says why, in JSON.
        Deadline = "deadline",
    }
}

/// A board as it stands. All of it follows from the board's events.
#[derive(Debug, Clone, PartialEq)]
pub struct BoardRow {
    /// Its number.
    pub id: BoardId,
    /// The key of its game.
    pub game: String,
    /// Who sits on the first and the second seat.
    pub players: [PlayerId; 2],
    /// Whether it counts for ratings.
    pub rated: bool,
    /// Running, finished or declined.
    pub state: State,
    /// The position's text.
    pub position: String,
    /// How many plies were played.
    pub plies: Ply,
    /// How many events there were.
    pub events: u32,
    /// Whose turn it is; `None` once it is over.
    pub to_move: Option<Seat>,
    /// The result of a finished board.
    pub result: Option<ResultRow>,
    /// What is proposed and not answered yet, and by whom.
    pub proposal: Option<(Proposal, Seat)>,
    /// Whether the second seat may answer ply 1 by changing seats.
    pub may_swap: bool,
    /// Whether the players have changed seats.
    pub swapped: bool,
    /// Its days.
    pub days: Days,
    /// When it was started.
    pub started_at: Timestamp,
    /// When the last event happened.
    pub changed_at: Timestamp,
    /// When the seat to move forfeits; `None`: never.
    pub deadline_at: Option<Timestamp>,
}

/// The result of a board.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResultRow {
    /// How it came about.
    pub ending: Ending,
    /// Who won; `None`: nobody.
    pub winner: Option<Seat>,
    /// Points of both seats, where the game counts them and was played to its end.
    pub score: Option<[u16; 2]>,
    /// What decided it, where a game can end in several ways.
    pub how: Option<String>,
}

/// The time options of a board, in days; 0 is never.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Days {
    /// Until a reminder.
    pub nag: u32,
    /// Until the player to move loses.
    pub forfeit: u32,
    /// For all moves of a player together.
    pub total: u32,
}

/// One event of a board's record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EventRow {
    /// Its number on the board, from 1.
    pub number: u32,
    /// What happened.
    pub kind: EventKind,
    /// When.
    pub at: Timestamp,
    /// Whose event it is.
    pub seat: Option<Seat>,
    /// Who did it; `None`: the server.
    pub player: Option<PlayerId>,
    /// Of a ply, its number.
    pub ply: Option<Ply>,
    /// Notation or terms.
    pub text: String,
    /// The deadline that holds after it.
    pub deadline_at: Option<Timestamp>,
}

/// A ply as lists show it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlyRow {
    /// Its number.
    pub ply: Ply,
    /// Who played.
    pub seat: Seat,
    /// Who played it; `None`: the server, because it had to be.
    pub player: Option<PlayerId>,
    /// Its notation.
    pub text: String,
    /// When.
    pub at: Timestamp,
}

impl Proposal {
    /// What it proposes, in words.
    pub fn what(self) -> &'static str {
        match self {
            Proposal::Draw => "a draw",
            Proposal::Undo => "to take back a ply",
        }
    }
}

/// What a list of boards is narrowed to.
#[derive(Debug, Clone, Default)]
pub struct BoardFilter {
    /// One game's, by key.
    pub game: Option<String>,
    /// One player's.
    pub player: Option<PlayerId>,
    /// In play or not.
    pub which: Which,
    /// No more rows than this, the newest.
    pub limit: u32,
    /// Only those with a smaller number.
    pub before: Option<BoardId>,
}
