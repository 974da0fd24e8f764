//! Rows of boards, events and plies.

use jiff::Timestamp;

use super::columns::stored_row;
use super::words::stored_enum;
use super::{OfContest, PlayerId, TimeControl};
use crate::ids::{BoardId, Ply, Seat};

stored_enum! {
    BoardState {
        /// A player is to move.
        Running = "running",
        Finished = "finished",
        /// Declined before it started.
        Declined = "declined",
    }
}

stored_enum! {
    Ending {
        /// Ended by the rules of the game.
        Normal = "normal",
        Resigned = "resigned",
        TimedOut = "timed-out",
        /// Both players agreed to a draw.
        Agreed = "agreed",
        /// Ended without a result.
        Abandoned = "abandoned",
        /// The host or an organiser decided.
        Ruled = "ruled",
    }
}

stored_enum! {
    Proposal {
        Draw = "draw",
        /// Takes back the proposer's last ply and everything after it.
        Undo = "undo",
    }
}

stored_enum! {
    EventKind {
        /// The text is the terms.
        Start = "start",
        /// The text is the notation. A forced pass is a ply too, and so is a roll of the dice, which has no seat.
        Ply = "ply",
        Resignation = "resignation",
        /// The players changed seats without a ply.
        Swap = "swap",
        /// The text is `draw` or `undo`.
        Proposal = "proposal",
        Rejection = "rejection",
        /// Both agreed to a draw.
        Agreement = "agreement",
        /// A take-back; `ply` is the last valid one. Without a seat: taken back by the host, perhaps after the end.
        Undo = "undo",
        /// The seat declined the game. Without a player: the deadline passed before a move.
        Decline = "decline",
        TimedOut = "timed-out",
        /// The clock was set back, and the deadline with it. Earlier versions wrote one whenever a deadline moved.
        Deadline = "deadline",
        /// The host or an organiser ended the game, or the host gave it another result. The text is a [`Ruling`], the
        /// seat the winner's, the player the organiser.
        Ruling = "ruling",
        /// The host stopped the clocks, until a player moves or the host resumes the game.
        Adjournment = "adjournment",
        /// The host resumed the game, after an adjournment or after an end that its rules did not bring.
        Resumption = "resumption",
        /// The host gave the seat to `player`.
        Reseat = "reseat",
        /// A note on the dice: a hash or a secret of the server, or a word of the seat.
        Dice = "dice",
    }
}

impl EventKind {
    /// True if the event starts a turn of the player to move.
    pub fn begins_turn(self) -> bool {
        match self {
            EventKind::Start | EventKind::Ply | EventKind::Undo | EventKind::Swap => true,
            // No clock runs in an adjournment, so it is a turn without a deadline.
            EventKind::Adjournment | EventKind::Resumption | EventKind::Reseat => true,
            EventKind::Deadline
            | EventKind::Proposal
            | EventKind::Rejection
            | EventKind::Agreement
            | EventKind::Resignation
            | EventKind::TimedOut
            | EventKind::Ruling
            | EventKind::Dice
            | EventKind::Decline => false,
        }
    }

    /// True if the event is a move that ends the player's turn.
    pub fn ends_turn(self) -> bool {
        matches!(self, EventKind::Ply | EventKind::Swap)
    }
}

stored_enum! {
    /// A decision of the host about a game, or of the organiser of its event.
    Ruling {
        Won = "won",
        Draw = "draw",
        OrganiserWon = "organiser won",
        OrganiserDraw = "organiser draw",
        /// Without a winner, and not rated.
        Void = "void",
        OrganiserVoid = "organiser void",
    }
}

stored_row! {
    /// The current state of a board, which follows from the board's events.
    #[derive(Debug, Clone, PartialEq)]
    pub struct BoardRow from "boards b JOIN seats f ON f.board = b.id AND f.seat = 0 JOIN seats s ON s.board = b.id AND s.seat = 1" {
        pub id: BoardId = "b.id",
        /// The key of the game.
        pub game: String = "b.game",
        pub players: [PlayerId; 2] = "f.player, s.player",
        /// True if it counts for ratings.
        pub rated: bool = "b.rated",
        pub state: BoardState = "b.state",
        pub position: String = "b.position",
        pub plies: Ply = "b.plies",
        /// The number of events.
        pub events: u32 = "b.events",
        /// `None` once the board is over.
        pub to_move: Option<Seat> = "b.to_move",
        /// The result of a finished board.
        pub result: Option<ResultRow> = "b.ending, b.winner, b.score_first, b.score_second, b.how",
        /// The open proposal and its seat.
        pub proposal: Option<(Proposal, Seat)> = "b.proposal, b.proposed_by",
        /// True if the second seat can answer ply 1 by swapping seats.
        pub may_swap: bool = "b.may_swap",
        pub swapped: bool = "b.swapped",
        pub days: TimeControl = "b.nag_days, b.forfeit_days, b.total_days, b.bank_hours, b.refill_hours",
        pub contest: Option<OfContest> = "b.contest, b.pair, (SELECT name FROM contests WHERE id = b.contest)",
        pub started_at: Timestamp = "b.started_at",
        pub changed_at: Timestamp = "b.changed_at",
        /// When the seat to move forfeits; `None`: never.
        pub deadline_at: Option<Timestamp> = "b.deadline_at",
    }
}

impl BoardRow {
    /// True if the second seat is to answer ply 1 and can swap seats instead.
    pub fn can_swap(&self) -> bool {
        self.may_swap && self.plies == Ply(1) && self.to_move == Some(Seat::Second)
    }
}

stored_row! {
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct ResultRow {
        pub ending: Ending,
        /// `None`: a tie or no result.
        pub winner: Option<Seat>,
        /// The points of both seats, in games that count points and were played to the end.
        pub score: Option<[u16; 2]>,
        /// What decided the game, in games with several ways to end.
        pub how: Option<String>,
    }
}

stored_row! {
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct EventRow from "record" {
        /// From 1.
        pub number: u32 = "number",
        pub kind: EventKind = "kind",
        pub at: Timestamp = "at",
        pub seat: Option<Seat> = "seat",
        /// `None`: the server.
        pub player: Option<PlayerId> = "player",
        /// The number of a ply.
        pub ply: Option<Ply> = "ply",
        /// The notation, terms or reason.
        pub text: String = "text",
        /// The deadline after the event.
        pub deadline_at: Option<Timestamp> = "deadline_at",
    }
}

stored_row! {
    /// A ply, for lists.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct PlyRow from "record" {
        pub ply: Ply = "ply",
        /// `None`: the dice fell.
        pub seat: Option<Seat> = "seat",
        /// `None`: the server played a forced pass, or the dice fell.
        pub player: Option<PlayerId> = "player",
        /// The notation.
        pub text: String = "text",
        pub at: Timestamp = "at",
    }
}

stored_row! {
    /// What has happened so far on a board, or on all boards of a player.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct LiveState from "boards b" {
        pub events: u32 = "b.events",
        /// The number of the last words of its players.
        pub words: Option<i64> = "(SELECT max(id) FROM messages WHERE board = b.id AND words IS NOT NULL)",
    }
}

impl LiveState {
    /// A text that changes with the news; what the players say counts if its reader reads it.
    pub fn text(&self, with_words: bool) -> String {
        match self.words.filter(|_| with_words) {
            Some(words) => format!("{}.{words}", self.events),
            None => self.events.to_string(),
        }
    }
}

impl Proposal {
    pub fn what(self) -> &'static str {
        match self {
            Proposal::Draw => "a draw",
            Proposal::Undo => "to take a move back",
        }
    }
}
