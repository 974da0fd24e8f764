//! A board after some moves, of which none is played.
//!
//! ```text
//! game preview board move ...
//! game preview new [options] move ...
//! ```

use crate::commands::{Command, Entry};
use crate::ids::BoardId;
use crate::language::args::{Args, ArgumentError};
use crate::language::options::{board_options, no_level};
use crate::language::{BoardOptions, InReply, Offered, OnBoard, Parameters};
use turnpost_games::GameKind;

#[derive(Debug, Clone)]
pub struct Preview {
    pub game: &'static GameKind,
    pub from: PreviewFrom,
    /// Parted by blanks.
    pub plies: String,
}

#[derive(Debug, Clone)]
pub enum PreviewFrom {
    /// As it stands.
    Board(BoardId),
    New(BoardOptions),
}

impl Parameters for Preview {
    fn board(&self) -> Option<BoardId> {
        match self.from {
            PreviewFrom::Board(board) => Some(board),
            PreviewFrom::New(_) => None,
        }
    }
}

pub(crate) const PREVIEW: Entry = Entry {
    summary: "shows a board after some moves and plays nothing",
    details: "From a board as it stands, or from a new one with the options of a challenge.",
    example: "GAME preview 1 F3",
    in_reply: InReply::Begins(read_behind),
    offered: Offered::InPlay,
    ..Entry::of_game("preview", "board move ... | new [options] move ...", read)
};

fn read(args: &mut Args) -> Result<Command, ArgumentError> {
    let game = args.game;
    let word = args.word("a board's number or `new`")?;
    let from = if word.text.eq_ignore_ascii_case("new") {
        PreviewFrom::New(no_level(board_options(args)?)?)
    } else {
        let board = word.text.parse();
        PreviewFrom::Board(board.map_err(|_| word.error("a board's number or `new` is expected here"))?)
    };
    Ok(Command::Preview(Preview { game, from, plies: args.rest_as_text() }))
}

/// From the board of a reply.
fn read_behind(at: OnBoard, args: &mut Args) -> Result<Command, ArgumentError> {
    let from = PreviewFrom::Board(at.board);
    Ok(Command::Preview(Preview { game: at.game, from, plies: args.rest_as_text() }))
}
