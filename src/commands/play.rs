//! Plays a move on a board, or resigns.
//!
//! ```text
//! game move board userid password move[#ply] ...
//! game resign board userid password [match]
//! ```

use crate::commands::prelude::*;
use crate::commands::resume::how_to_resume;
use crate::commands::{LANGUAGE, queue};
use crate::ids::BoardId;
use crate::language::move_finder::MoveFinder;
use crate::language::{InReply, Offered, OnBoard, Seen, WriterPlace};
use crate::mail::AnswerBy;
use crate::notices::board_update::BoardEvent;
use crate::play::at_board::{self, AtBoard};
use crate::play::plies::{self, StandardText};
use crate::play::{answers, marked, plans};
use crate::store::EventKind;

#[derive(Debug, Clone)]
pub struct Move {
    pub at: OnBoard,
    /// The plies of the move, separated by spaces.
    pub plies: String,
    /// The conditional moves after it: `if K5-K4 then B4-C4; else ask`. Empty if there are none.
    pub conditions: String,
}

impl Parameters for Move {
    fn line(&self, word: &str) -> String {
        let behind =
            if self.conditions.is_empty() { String::new() } else { format!("; {}", self.conditions) };
        format!("{} {word} {} {}{behind}", self.at.game.key, self.at.board, self.plies)
    }

    fn board(&self) -> Option<BoardId> {
        Some(self.at.board)
    }
}

pub(crate) const MOVE: Entry = Entry {
    by: Needs::Proven,
    aliases: &["mvoe", "board"],
    summary: "plays a move, or several if you have several in a row",
    details: "The help page of the game says how to write a move. `#` and a number after a move mean: only if \
              this is the move of that number. The moves of one command are played together or not at all. \
              `resign`, `propose`, `undo`, `accept`, `reject`, `swap` and `decline` work in place of a move. \
              `A3-B4; if K5-K4 then B4-C4; else ask` plays A3-B4 and keeps the answer, as `queue` does.",
    example: "GAME move 1 ann plover-42 F3#1",
    writer: WriterPlace::BehindBoard(is_a_turn),
    needs: Seen::Board,
    ..Entry::of_game("move", "board userid password move[#ply] ...", read_move)
};

#[derive(Debug, Clone)]
pub struct Resign {
    pub at: OnBoard,
    /// The player gives up a whole match, and says so.
    pub is_match: bool,
}

impl Parameters for Resign {
    fn line(&self, word: &str) -> String {
        Written::new(self.at.game, word)
            .and([self.at.board.to_string()])
            .and(self.is_match.then_some(MATCH))
            .end()
    }

    fn board(&self) -> Option<BoardId> {
        Some(self.at.board)
    }
}

const MATCH: &str = "match";

pub(crate) const RESIGN: Entry = Entry {
    by: Needs::Proven,
    summary: "gives the game up",
    details: "The opponent wins at once. A game that has ended cannot be resigned. On a board that is a match of \
              several games, `resign` asks what you mean: `resign match` gives up all of it.",
    example: "GAME resign 1 ann plover-42",
    keywords: &[MATCH],
    in_reply: InReply::Decides(|at| Command::Resign(Resign { at, is_match: false })),
    second: Some((MATCH, |at| Command::Resign(Resign { at, is_match: true }))),
    offered: Offered::InPlay,
    done: Some("You have resigned."),
    ..Entry::of_game("resign", "board userid password [match]", |args| {
        Ok(Command::Resign(Resign { at: args.on_board()?, is_match: args.take(MATCH) }))
    })
};

fn read_move(args: &mut Args) -> Result<Command, ArgumentError> {
    let at = args.on_board()?;
    if args.is_empty() {
        return Err(args.no_move_behind());
    }
    let text = args.rest_as_text();
    if let Some(word) = LANGUAGE.for_move(&text) {
        return Ok(word(at));
    }
    let (plies, conditions) = text.split_once(';').unwrap_or((&text, ""));
    let (plies, conditions) = (plies.trim().to_owned(), conditions.trim().to_owned());
    Ok(Command::Move(Move { at, plies, conditions }))
}

/// True if the line contains only moves, or one word that is accepted in place of a move.
fn is_a_turn(words: &[&str]) -> bool {
    match words {
        [] => false,
        words => {
            let text = words.join(" ");
            LANGUAGE.for_move(&text).is_some() || MoveFinder::of_any_game().is_moves_only(&text)
        }
    }
}

/// Plays a move that has one meaning, or that its writer has confirmed.
pub(crate) fn play(ctx: &mut Context<'_>, by: &Account, command: Move) -> Result<Event, CommandError> {
    let Move { at, plies: text, conditions } = &command;
    let mut at = at_board::load_for_player(ctx, by, *at)?;
    let (player, seat) = (at.player(), at.seat);
    if at.board.kind.asks() && marked::behind_ask(text) == Some("") {
        let asks = plies::ask(ctx, &mut at, seat);
        at_board::record(ctx, &mut at.board, &[asks])?;
        return Ok(at_board::tell(ctx, at)?);
    }
    let dropped = ctx.store.queue(at.board.row.id, player)?.is_some();
    if dropped {
        ctx.store.set_queue(at.board.row.id, player, None)?;
    }
    let StandardText { text, letters } = &plies::in_standard_letters(ctx, &at, text)?;
    plies::play_plies(ctx, &mut at, seat, BoardEvent::Played, text)?;
    if let Some(letters) = letters {
        ctx.store.set(player, *letters, ctx.now)?;
    }
    let begin = match ctx.letter.answer == AnswerBy::Terminal {
        false => String::new(),
        true => format!("{} move {} {} PASSWORD ", at.board.kind.key, at.board.row.id, seat.of(&at.names)),
    };
    let conditions = queue::behind_a_move(&at, text, conditions, &begin)?;
    if !conditions.is_empty() {
        plans::keep_queue(ctx, &at.board, player, &conditions)?;
    } else if dropped {
        at.note(seat, "You moved by hand, so your queue on this board was dropped.".to_owned());
    }
    let mut event = answers::let_others_answer(ctx, at)?;
    if let Event::Board(update, _) = &mut event
        && update.earlier.is_empty()
    {
        update.view.queue = conditions.lines();
    }
    Ok(event)
}

pub(crate) fn resign(ctx: &mut Context<'_>, by: &Account, command: Resign) -> Result<Event, CommandError> {
    let mut at = at_board::load_for_player(ctx, by, command.at)?;
    match (at.board.table.match_length(), command.is_match) {
        (1, true) => return refuse!("Board {} is no match: `resign` alone gives it up.", at.board.row.id),
        (2.., false) => return Err(asked_what_to_resign(&at).into()),
        _ => {}
    }
    if let Some([loser, winner]) = how_to_resume(&at) {
        at.note(at.seat, loser);
        at.note(at.seat.other(), winner);
    }
    at_board::act(ctx, at, EventKind::Resignation, BoardEvent::Resigned, "")
}

/// Tells a player of a match what `resign` can mean.
fn asked_what_to_resign(at: &AtBoard) -> Refusal {
    let (board, length) = (at.board.row.id, at.board.table.match_length());
    let one = at.board.table.give_up_ply().filter(|_| at.board.row.to_move == Some(at.seat));
    let one = match one {
        Some(ply) => format!("To give up only the game that is played now, reply `{ply}`."),
        None => "You can give up a single game of it when you are to move.".to_owned(),
    };
    refusal!(
        "Board {board} is a match to {length} points, and nothing was given up. {one} To give up the whole match, reply \
        `resign match`."
    )
}
