//! Conditional moves; [`Plan`] has their grammar.
//!
//! ```text
//! game queue board userid password [move ... | if move then move ... | off]
//! ```

use crate::commands::{Command, Entry};
use crate::language::args::{Args, ArgumentError};
use crate::language::dress::{holds_moves_only, undressed};
use crate::language::plan::Plan;
use crate::language::{InReply, Offered, OnBoard, Parameters, Seen, WriterPlace};

#[derive(Debug, Clone)]
pub struct Queue {
    pub at: OnBoard,
    /// An empty plan drops the queue; none shows it.
    pub plan: Option<Plan>,
}

impl Parameters for Queue {
    fn at(&self) -> Option<&OnBoard> {
        Some(&self.at)
    }
}

pub(crate) const QUEUE: Entry = Entry {
    summary: "conditional moves: answers that are played for you",
    details: "`A3-B4, B4-C4` are your next turns; `if K5-K4 then A3-B4` answers that move only; several `if` stand \
                  one after the other, and ( ) nest them: `if K5-K4 then (A3-B4, if J4-J3 then B4-C4)`. The first answer \
                  that fits is played when it is your turn, if it is legal; else the queue is dropped, and you are told. \
                  A move made by hand drops it too. Nobody else sees it. Without a move the queue is shown, with `off` \
                  it is dropped.",
    example: "GAME queue 1 bob dunlin-7 if F3 then F4",
    writer: WriterPlace::BehindBoard(is_a_queue),
    in_reply: InReply::MayBegin(read_behind),
    needs: Seen::PositionOrNamed,
    offered: Offered::InPlay,
    done: Some("Your conditional moves are kept. Nobody else sees them."),
    ..Entry::of_game("queue", "board userid password [move ... | if move then move ... | off]", read)
};

fn read(args: &mut Args) -> Result<Command, ArgumentError> {
    let at = args.on_board()?;
    read_behind(at, args)
}

fn read_behind(at: OnBoard, args: &mut Args) -> Result<Command, ArgumentError> {
    let text = args.rest_as_text();
    let plan = match text.trim() {
        "" => None,
        off if off.eq_ignore_ascii_case("off") => Some(Plan::default()),
        text => Some(Plan::parse(text).map_err(ArgumentError::at_end)?),
    };
    Ok(Command::Queue(Queue { at, plan }))
}

/// True for what a queue is made of and nothing else.
fn is_a_queue(words: &[&str]) -> bool {
    words.iter().all(|word| {
        let bare = word.trim_matches(|c: char| matches!(c, '(' | ')' | ','));
        let is_word = ["if", "then", "off", ""].iter().any(|own| bare.eq_ignore_ascii_case(own));
        is_word || holds_moves_only(&undressed(bare))
    })
}
