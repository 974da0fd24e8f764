//! The robot's view of a game that is over.
//!
//! ```text
//! game analyse board[#ply]
//! ```

use crate::commands::{Command, Entry};
use crate::ids::{BoardId, Ply};
use crate::language::args::{Args, ArgumentError};
use crate::language::{InReply, Offered, Parameters, Seen};
use turnpost_games::GameKind;

#[derive(Debug, Clone)]
pub struct Analyse {
    pub game: &'static GameKind,
    pub board: BoardId,
    /// None: all.
    pub ply: Option<Ply>,
}

impl Parameters for Analyse {
    fn board(&self) -> Option<BoardId> {
        Some(self.board)
    }
}

pub(crate) const ANALYSE: Entry = Entry {
    aliases: &["analyze"],
    summary: "the robot's view of each ply of a game that is over",
    details: "For each ply what the robot thinks could be reached before it and after it, and what would have been better; \
              near the end the exact result. Games in play are not analysed. An analysis takes a while and comes by mail \
              when it is made; after that the answer shows it at once.",
    example: "GAME analyse 1",
    in_reply: InReply::Alone(|at| Command::Analyse(Analyse { game: at.game, board: at.board, ply: None })),
    needs: Seen::Nothing,
    offered: Offered::Over,
    ..Entry::of_game("analyse", "board[#ply]", read)
};

fn read(args: &mut Args) -> Result<Command, ArgumentError> {
    let game = args.game;
    let asked = args.board_and_ply("the board's number")?;
    let ply = asked.ply.filter(|ply| *ply > Ply::START);
    Ok(Command::Analyse(Analyse { game, board: asked.board, ply }))
}
