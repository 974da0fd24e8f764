//! Shows a board after some moves without playing them.
//!
//! ```text
//! game preview board move ...
//! game preview new [options] move ...
//! ```

use jiff::tz::TimeZone;
use turnpost_games::GameKind;

use crate::board::{Board, Terms, names};
use crate::commands::prelude::*;
use crate::commands::set_up;
use crate::ids::BoardId;
use crate::language::options::{board_options, no_level};
use crate::language::{BoardOptions, InReply, Offered, OnBoard};
use crate::notices::ply_view::PlyView;
use crate::notices::view::view_of;
use crate::play::at_board;
use crate::play::plies::{ends_before, list, passes, play_ply};
use crate::store::TimeControl;

#[derive(Debug, Clone)]
pub struct Preview {
    pub game: &'static GameKind,
    pub from: PreviewFrom,
    /// The moves, separated by spaces.
    pub plies: String,
}

#[derive(Debug, Clone)]
pub enum PreviewFrom {
    /// The board's current position.
    Board(BoardId),
    New(BoardOptions),
}

impl Parameters for Preview {
    fn line(&self, word: &str) -> String {
        let line = Written::new(self.game, word);
        let line = match &self.from {
            PreviewFrom::Board(board) => line.and([board]),
            PreviewFrom::New(options) => line.and(["new"]).and(options.words()),
        };
        line.and(self.plies.split_whitespace()).end()
    }

    fn board(&self) -> Option<BoardId> {
        match self.from {
            PreviewFrom::Board(board) => Some(board),
            PreviewFrom::New(_) => None,
        }
    }
}

pub(crate) const PREVIEW: Entry = Entry {
    summary: "shows a board after some moves and plays nothing",
    details: "It begins with the board as it is now, or with a new one and the options of a challenge.",
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

/// Reads a preview in a reply, from the board of that reply.
fn read_behind(at: OnBoard, args: &mut Args) -> Result<Command, ArgumentError> {
    let from = PreviewFrom::Board(at.board);
    Ok(Command::Preview(Preview { game: at.game, from, plies: args.rest_as_text() }))
}

pub(crate) fn preview(ctx: &mut Context<'_>, command: Preview) -> Result<Event, CommandError> {
    let Preview { game, from, plies } = &command;
    let (mut board, names) = match from {
        PreviewFrom::Board(number) => {
            let board = at_board::board(ctx, game, *number)?;
            let names = names(ctx.store, &board.row.players)?;
            (board, names)
        }
        PreviewFrom::New(options) => (new_board(ctx, game, options)?, game.seats.map(str::to_owned)),
    };
    let mut events = Vec::new();
    let mut remarks = Vec::new();
    let mut rest = plies.trim();
    while !rest.is_empty() {
        if board.row.to_move.is_none() {
            return Err(ends_before(list(&events)).into());
        }
        let (mover, before) = (board.table.turn(), events.len());
        let played = play_ply(&mut board, rest, (None, ctx.now, &NO_ZONES), &mut events)?;
        rest = played.rest;
        remarks.extend(played.remarks);
        remarks.extend(passes(events.get(before..).unwrap_or_default(), mover, board.kind));
    }
    board.row.deadline_at = None;
    let mut view = view_of(&board, names, events.iter().filter_map(PlyView::of).collect());
    view.past = true;
    view.remarks = remarks;
    Ok(Event::of_view("preview.md", &view))
}

/// A new board for display, which is never stored.
fn new_board(
    ctx: &mut Context<'_>,
    game: &'static GameKind,
    options: &BoardOptions,
) -> Result<Board, CommandError> {
    let terms = set_up::set_up(ctx, game, options)?;
    let terms = Terms { rated: false, lots: false, may_swap: false, days: TimeControl::default(), ..terms };
    Ok(Board::start(BoardId(0), &terms.event(ctx.now, None, None)?)?)
}

/// A preview has no deadlines, so zones do not matter.
const NO_ZONES: [TimeZone; 2] = [TimeZone::UTC, TimeZone::UTC];
