//! Conditional moves; [`Plan`] has their grammar.
//!
//! ```text
//! game queue board userid password [move ... | if move then move ... | off]
//! ```

use super::args::{Args, ArgumentError};
use super::entry::{Entry, Scope};
use super::plan::Plan;
use super::{Command, Login, OnBoard, Parameters};
use crate::ids::BoardId;

#[derive(Debug, Clone)]
pub struct Queue {
    pub at: OnBoard,
    /// An empty plan drops the queue; none shows it.
    pub plan: Option<Plan>,
}

impl Parameters for Queue {
    fn login(&self) -> Option<&Login> {
        Some(&self.at.login)
    }

    fn board(&self) -> Option<BoardId> {
        Some(self.at.board)
    }
}

pub(super) const QUEUE: Entry = Entry {
    word: "queue",
    aliases: &[],
    scope: Scope::Game,
    arguments: "board userid password [move ... | if move then move ... | off]",
    summary: "conditional moves: answers that are played for you",
    details: "`A3-B4, B4-C4` are your next turns; `if K5-K4 then A3-B4` answers that move only; several `if` stand \
                  one after the other, and ( ) nest them: `if K5-K4 then (A3-B4, if J4-J3 then B4-C4)`. The first answer \
                  that fits is played when it is your turn, if it is legal; else the queue is dropped, and you are told. \
                  A move made by hand drops it too. Nobody else sees it. Without a move the queue is shown, with `off` \
                  it is dropped.",
    example: "GAME queue 1 bob dunlin-7 if F3 then F4",
    read,
};

fn read(args: &mut Args) -> Result<Command, ArgumentError> {
    let at = args.on_board()?;
    let text = args.rest_as_text();
    let plan = match text.trim() {
        "" => None,
        off if off.eq_ignore_ascii_case("off") => Some(Plan::default()),
        text => Some(Plan::parse(text).map_err(ArgumentError::at_end)?),
    };
    Ok(Command::Queue(Queue { at, plan }))
}
