//! What came of a turn of the robot or of an engine.

use crate::failure::Error;
use crate::ids::{BoardId, Userid};

#[derive(Debug)]
pub struct TakenTurn {
    pub board: BoardId,
    pub turned: Turned,
}

#[derive(Debug)]
pub enum Turned {
    Played {
        mails: usize,
    },
    /// The board changed during the search, or another process played the turn first. Nothing happened.
    Dropped,
    /// The search was cancelled; the turn still waits.
    Stopped,
    /// The host has adjourned the board of an engine. It is looked at again when the lease ends.
    Adjourned,
    /// An engine does not play, for this reason. The board is for the operator: see [`hand_over`](super::hand_over).
    Failed {
        engine: Userid,
        why: String,
    },
    /// The robot failed to play. The turn is tried again when its lease ends, after turns with fewer tries.
    Lost(Error),
}
