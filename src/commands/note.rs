//! The notebook of a player: private notes on the positions of a board.
//!
//! ```text
//! game note board userid password
//! ```
//!
//! The text is written as with `chat`. `@12` at its start names a move by the number that the list of moves has, and `@#23`,
//! in the forms of pages, a ply. Without them the note is on the position now.

use minijinja::context;

use crate::board::{Board, names};
use crate::commands::prelude::*;
use crate::ids::{BoardId, Ply};
use crate::language::{InReply, OnBoard, Seen, WriterPlace};
use crate::notices::Thread;
use crate::notices::ply_view::PlyView;
use crate::play::at_board;

/// The most characters of a note.
const LONGEST: usize = 2000;

#[derive(Debug, Clone)]
pub struct Note {
    pub at: OnBoard,
    /// The text as written. If it is empty, the answer shows the notebook.
    pub text: String,
}

impl Parameters for Note {
    fn line(&self, word: &str) -> String {
        Written::new(self.at.game, word).and([self.at.board]).end()
    }

    fn board(&self) -> Option<BoardId> {
        Some(self.at.board)
    }

    fn text(&mut self) -> Option<&mut String> {
        Some(&mut self.text)
    }
}

pub(crate) const NOTE: Entry = Entry {
    by: Needs::Proven,
    summary: "writes a private note on a board, or shows those you have",
    details: "Only you read your notes: on your page of the board and in the answer to `note` alone. A note is on \
              the position of the moment, one for each position; `note @12 TEXT` is on the one after the moves \
              that the list of moves numbers 12, `note @12. TEXT` after the first of them alone, and without a text \
              it deletes that note. Once the game is over, `note share` shows your notes to \
              all readers of the board, and `note hide` ends that. Write the text as with `chat`.",
    example: "GAME note 1 ann plover-42\nThe left side is weak.\nend",
    in_reply: InReply::Keeps(|at, text| Command::Note(Note { at, text })),
    needs: Seen::Nothing,
    done: Some("Your notebook is changed."),
    writer: WriterPlace::Fixed,
    ..Entry::of_game("note", "board userid password", |args| {
        Ok(Command::Note(Note { at: args.on_board()?, text: String::new() }))
    })
};

pub(crate) fn note(ctx: &mut Context<'_>, by: &Account, note: Note) -> Result<Event, CommandError> {
    let board = at_board::board(ctx, note.at.game, note.at.board)?;
    at_board::seat_at(ctx, &board, by)?;
    let plies = ctx.store.plies(board.row.id, Ply(1), board.row.plies)?;
    let plies = PlyView::all(ctx.store, &board.row, plies)?;
    let text = note.text.trim();
    match text {
        "" => {}
        "share" | "hide" => share(ctx, &board, by, text == "share")?,
        text => {
            let (ply, text) = named_ply(&board, &plies, text)?;
            if text.chars().count() > LONGEST {
                return refuse!(
                    "This note has more than {LONGEST} characters. Nothing was kept; shorten it."
                );
            }
            ctx.store.note(board.row.id, by.id, ply, text, ctx.now)?;
        }
    }
    let notes = ctx.store.notes(board.row.id, by.id)?;
    let shown = notes.iter().any(|note| note.shown);
    let notes: Vec<_> = notes
        .iter()
        .map(|note| context! { ply => note.ply.0, after => PlyView::after(&plies, note.ply), text => &note.text })
        .collect();
    let thread = Thread::of(&board.row, &names(ctx.store, &board.row.players)?);
    let on = context! { game => board.kind.name, board => board.row.id.0 };
    Ok(Event::page("note.md", context! { on, notes, shown }, Some(thread)))
}

fn share(ctx: &Context<'_>, board: &Board, by: &Account, shown: bool) -> Result<(), CommandError> {
    if board.row.to_move.is_some() {
        return refuse!("Notes are yours alone while board {} is in play.", board.row.id);
    }
    Ok(ctx.store.show_notes(board.row.id, by.id, shown)?)
}

/// The ply that `@12` names, and the text that follows.
fn named_ply<'t>(board: &Board, plies: &[PlyView], text: &'t str) -> Result<(Ply, &'t str), CommandError> {
    let Some(named) = text.strip_prefix('@') else { return Ok((board.row.plies, text)) };
    let (number, text) = named.split_once(char::is_whitespace).unwrap_or((named, ""));
    let ply = match number.strip_prefix('#') {
        Some(ply) => ply.parse().map(Ply).ok().filter(|ply| *ply <= board.row.plies),
        None => PlyView::numbered(plies, number),
    };
    match ply {
        Some(ply) => Ok((ply, text.trim())),
        None => refuse!(
            "Board {board} has moves 0 to {last}, and `@{number}` is none of them. Nothing was kept.",
            board = board.row.id,
            last = plies.last().map_or(0, |last| last.row)
        ),
    }
}
