//! Shows the board after a move, and plays the move once the player confirms it.
//!
//! ```text
//! game submit board userid password move ...
//! game confirm board userid password
//! ```

use minijinja::context;

use crate::board::names;
use crate::commands::play::{self, Move};
use crate::commands::prelude::*;
use crate::commands::{LANGUAGE, carry_out};
use crate::credentials::Actor;
use crate::credentials::token::MailKind;
use crate::ids::BoardId;
use crate::language::move_finder::MoveFinder;
use crate::language::{InReply, ON_BOARD, OnBoard, WriterPlace};
use crate::notices::Thread;
use crate::notices::transcript::data;
use crate::notices::view::board_view;
use crate::play::at_board;
use crate::play::plies;
use crate::play::renamed::{self, Renamed};
use crate::store::{ProvenBy, Unconfirmed};

#[derive(Debug, Clone)]
pub struct Submit {
    pub at: OnBoard,
    /// Moves separated by spaces, or a word that is accepted in place of a move.
    pub plies: String,
    /// Why the server asks for confirmation, if the player did not use `submit`.
    pub because: String,
    /// What the opponent reads once the move is played.
    pub words: String,
}

impl Parameters for Submit {
    fn line(&self, word: &str) -> String {
        format!("{} {word} {} {}", self.at.game.key, self.at.board, self.plies)
    }

    fn board(&self) -> Option<BoardId> {
        Some(self.at.board)
    }
}

pub(crate) const SUBMIT: Entry = Entry {
    by: Needs::Proven,
    summary: "shows the board after a move, which counts once you confirm it",
    details: "If anything happens on the board before you confirm, you must submit it again.",
    example: "GAME submit 1 ann plover-42 F3",
    writer: WriterPlace::BehindBoard(|words| MoveFinder::of_any_game().is_moves_only(&words.join(" "))),
    in_reply: InReply::Begins(read_behind),
    ..Entry::of_game("submit", "board userid password move ...", read)
};

pub(crate) const CONFIRM: Entry = Entry {
    by: Needs::Proven,
    summary: "lets the move you submitted count",
    details: "It is played as if you had sent it with `move`.",
    example: "GAME confirm 1 ann plover-42",
    in_reply: InReply::AsYes,
    ..Entry::of_game("confirm", ON_BOARD, |args| Ok(Command::Confirm(args.on_board()?)))
};

fn read(args: &mut Args) -> Result<Command, ArgumentError> {
    let at = args.on_board()?;
    read_behind(at, args)
}

fn read_behind(at: OnBoard, args: &mut Args) -> Result<Command, ArgumentError> {
    let plies = args.rest_as_text();
    if plies.is_empty() {
        return Err(args.no_move_behind());
    }
    Ok(Command::Submit(Submit { at, plies, because: String::new(), words: String::new() }))
}

/// Plays a move, or asks about it if the board's spaces have other names in an earlier mail.
pub(crate) fn play_or_ask(ctx: &mut Context<'_>, by: &Account, command: Move) -> Result<Event, CommandError> {
    let Move { at, plies, conditions } = &command;
    if !conditions.is_empty() {
        renamed::refuse(ctx, *at, &format!("{plies}; {conditions}"))?;
    }
    if renamed::question(ctx, *at, plies)?.is_none() {
        return play::play(ctx, by, command);
    }
    let (plies, words) = (plies.clone(), ctx.words.take().unwrap_or_default());
    submit(ctx, by, Submit { at: *at, plies, because: String::new(), words })
}

pub(crate) fn submit(ctx: &mut Context<'_>, by: &Account, command: Submit) -> Result<Event, CommandError> {
    let Submit { at: on, plies, because, words } = &match renamed::question(ctx, command.at, &command.plies)?
    {
        Some(Renamed { plies, because }) => {
            let because = format!("{} {because}", command.because).trim_start().to_owned();
            Submit { plies, because, ..command }
        }
        None => command,
    };
    let word = in_place_of_a_move(plies, *on);
    let is_offer = word.is_some() && LANGUAGE.for_move(plies).is_none();
    if let Some(word) = &word {
        try_word(ctx, by, word.clone())?;
    }
    let mut at = at_board::load_for_player(ctx, by, *on)?;
    let (id, events, seat) = (at.board.row.id, at.board.row.events, at.seat);
    let mut remarks = Vec::new();
    if word.is_none() {
        // Plays on the board in memory, for the drawing; stores nothing.
        let plies = plies::in_standard_letters(ctx, &at, plies)?.text;
        let (played, found) = plies::try_plies(ctx, &mut at, seat, &plies)?;
        remarks = found;
        remarks.extend(plies::passes(&played, at.seat, at.board.kind));
    }
    let draft = Unconfirmed { events, plies: plies.clone(), words: words.clone() };
    ctx.store.set_draft(id, at.player(), Some(&draft))?;
    let names = names(ctx.store, &at.board.row.players)?;
    at.board.row.deadline_at = None;
    let mut view = crate::notices::view::view_of(&at.board, names, Vec::new());
    view.past = word.is_none();
    view.remarks = remarks;
    // A reply to this mail answers its question.
    let thread = Event::of_view("submit.md", &view).thread();
    let thread = thread.map(|thread| Thread { mail: MailKind::Question, ..thread });
    if is_offer {
        return Ok(Event::page("offer.md", context! { question => because }, thread));
    }
    Ok(Event::page(
        "submit.md",
        context! { v => data(&view), move => plies, word => word.is_some(), because, words, userid => at.seat.of(&at.names) },
        thread,
    ))
}

/// The command that a draft holds if it is no move: a reply word, or a line that an answer offered.
fn in_place_of_a_move(plies: &str, at: OnBoard) -> Option<Command> {
    let is_offered = |command: &Command| matches!(command, Command::Vacation(_) | Command::Challenge(_));
    let offered = || LANGUAGE.canonical(plies).filter(is_offered);
    LANGUAGE.for_move(plies).map(|word| word(at)).or_else(offered)
}

/// Carries out a word and rolls it back, so that a word that would fail is refused now.
fn try_word(ctx: &mut Context<'_>, by: &Account, command: Command) -> Result<(), CommandError> {
    let mut works = false;
    let tried: Result<(), CommandError> = ctx.attempt(|ctx| {
        carry_out(ctx, &Actor::Player(by.clone(), ProvenBy::Token), command)?;
        works = true;
        refuse!("It was tried and is taken back.")
    });
    if works { Ok(()) } else { tried }
}

/// Drops the submitted move.
pub(crate) fn drop_draft(
    ctx: &mut Context<'_>,
    by: &Account,
    at: OnBoard,
    plies: &str,
) -> Result<Event, CommandError> {
    let seat = at_board::load_for_player(ctx, by, at)?;
    ctx.store.end_draft(seat.board.row.id, seat.player())?;
    let view = board_view(ctx.store, &seat.board)?;
    let thread = Event::of_view("dropped.md", &view).thread();
    let userid = seat.seat.of(&seat.names);
    Ok(Event::page(
        "dropped.md",
        context! { v => data(&view), move => plies, word => in_place_of_a_move(plies, at).is_some(), userid },
        thread,
    ))
}

/// Plays the submitted move.
pub(crate) fn confirm(ctx: &mut Context<'_>, by: &Account, at: OnBoard) -> Result<Event, CommandError> {
    let seat = at_board::load_for_player(ctx, by, at)?;
    let id = seat.board.row.id;
    match ctx.store.draft(id, seat.player())? {
        Some(Unconfirmed { events, plies, words }) if events >= ctx.store.last_events(id)?[1] => {
            ctx.store.end_draft(id, seat.player())?;
            ctx.drafted_words = words;
            if let Some(word) = in_place_of_a_move(&plies, at) {
                return carry_out(ctx, &Actor::Player(by.clone(), ProvenBy::Token), word);
            }
            play::play(ctx, by, Move { at, plies, conditions: String::new() })
        }
        _ => refuse!(
            "There is nothing to confirm on board {id}: submit a move first. A submitted move lapses when anything \
            happens on the board."
        ),
    }
}
