//! Lets people watch the games of others.
//!
//! ```text
//! game subscribe board address
//! game unsubscribe board address
//! game notify userid password on|off
//! ```

use minijinja::context;
use turnpost_games::GameKind;

use crate::board::{Board, names};
use crate::commands::answer::QuestionAnswer;
use crate::commands::asking::{held_until, one_a_letter};
use crate::commands::prelude::*;
use crate::credentials::token;
use crate::ids::{BoardId, Seat, mailbox};
use crate::mail::Proof;
use crate::notices::Mail;
use crate::notices::board_update::{BoardEvent, BoardUpdate};
use crate::notices::mail::{Keep, Recipient};
use crate::notices::view::board_view;
use crate::play::at_board;
use crate::store::{BoardState, CodeHash, GameSettings};

#[derive(Debug, Clone)]
pub struct Watching {
    pub game: &'static GameKind,
    pub board: BoardId,
    pub address: String,
}

impl Parameters for Watching {
    fn line(&self, word: &str) -> String {
        Written::new(self.game, word).and([self.board]).and([&self.address]).end()
    }

    fn board(&self) -> Option<BoardId> {
        Some(self.board)
    }
}

/// Turns the mails about all finished games of a kind on or off.
#[derive(Debug, Clone)]
pub struct Notify {
    pub game: &'static GameKind,
    pub on: bool,
}

impl Parameters for Notify {
    fn line(&self, word: &str) -> String {
        Written::new(self.game, word).and([if self.on { "on" } else { "off" }]).end()
    }
}

pub(crate) const SUBSCRIBE: Entry = Entry {
    summary: "sends every move of a board to an address",
    details: "A mail goes to the address first, and a reply of `yes` begins. Watching needs no account, but \
              write from the address that wants to watch. It ends with the game.",
    example: "GAME subscribe 1 carol@example.com",
    operands: 2,
    ..Entry::of_game("subscribe", "board address", read_subscribe)
};

pub(crate) const UNSUBSCRIBE: Entry = Entry {
    summary: "ends `subscribe`",
    details: "Write from the address that gets the mails.",
    example: "GAME unsubscribe 1 carol@example.com",
    ..Entry::of_game("unsubscribe", "board address", |args| Ok(Command::Unsubscribe(read_watching(args)?)))
};

pub(crate) const NOTIFY: Entry = Entry {
    by: Needs::Proven,
    summary: "tells you when any game ends",
    details: "It is off until you turn it on. You always hear of your own games.",
    example: "GAME notify ann plover-42 on",
    ..Entry::of_game("notify", "userid password on|off", read_notify)
};

fn read_subscribe(args: &mut Args) -> Result<Command, ArgumentError> {
    let watching = read_watching(args)?;
    if !args.is_empty() {
        let why = "no code is needed; reply `yes` to the mail that asked the address";
        return Err(ArgumentError::at(args.place(), why));
    }
    Ok(Command::Subscribe(watching))
}

fn read_watching(args: &mut Args) -> Result<Watching, ArgumentError> {
    Ok(Watching { game: args.game, board: args.board()?, address: args.word("the address")?.address()? })
}

fn read_notify(args: &mut Args) -> Result<Command, ArgumentError> {
    args.writer()?;
    Ok(Command::Notify(Notify { game: args.game, on: args.on_or_off()? }))
}

fn bad_code() -> Refusal {
    refusal!(
        "This `yes` answers a mail that is older than a week, or not the last one that asked this address about this \
        board."
    )
}

/// Seconds for which a code is valid.
const CODE_SECONDS: i64 = 7 * 24 * 60 * 60;

pub(crate) fn notify(
    ctx: &mut Context<'_>,
    account: &Account,
    command: Notify,
) -> Result<Event, CommandError> {
    let Notify { game, on } = command;
    let settings = GameSettings { tells_ends: on, ..ctx.store.game_settings(account.id, game.key)? };
    ctx.store.set_game_settings(account.id, game.key, &settings)?;
    Ok(Event::page("notify.md", context! { game => game.name, on }, None))
}

/// Sends a question to the address, because the request does not prove its owner.
pub(crate) fn subscribe(ctx: &mut Context<'_>, command: Watching) -> Result<Event, CommandError> {
    let Watching { game, board: number, address } = command;
    let players = watched(ctx, &at_board::board(ctx, game, number)?)?;
    if ctx.store.watches(number, &address)? {
        return refuse!("Board {number} is watched from this address already.");
    }
    let sender = ctx.sender().unwrap_or_default();
    if !ctx.writer.proves_a_player() && mailbox(sender) != mailbox(&address) {
        return refuse!(
            "Nothing in this mail proves who wrote it, so it can ask for mail to its own address only. Write from the \
            address that wants to watch."
        );
    }
    one_a_letter(ctx, &address)?;
    if held_until(ctx, &format!("board {number}"), &address)?.is_some() {
        return refuse!(
            "We have asked this address as often as we may today. A `yes` in reply to one of those mails still works; \
            else ask again tomorrow."
        );
    }
    let code = ctx.code();
    ctx.store.ask_watcher(number, &address, CodeHash::of(&code), ctx.now)?;
    let to = Recipient::Address(address.clone());
    let token = Some(token::of_watcher(number, &code));
    let question = context! { game => game.key, board => number.0, players };
    let mail = Mail::page(to, "watch-question.md", context! { m => question });
    ctx.notify(Mail { token, keep: Keep::Recipient, ..mail });
    Ok(Event::page("subscribe.md", context! { address }, None))
}

/// Handles the answer to the question: only a clear `yes` starts watching.
pub(crate) fn answered(
    ctx: &mut Context<'_>,
    number: BoardId,
    address: String,
    code: CodeHash,
    answer: Option<QuestionAnswer>,
) -> Result<Event, CommandError> {
    let Some(QuestionAnswer::Yes) = answer else {
        return refuse!(
            "Board {number} is not watched from {address}. To watch it, reply to the same mail with `yes` alone in the \
            first line; if you do not want to, there is nothing to do."
        );
    };
    let board = Board::load(ctx.store, number)?.ok_or_else(bad_code)?;
    watched(ctx, &board)?;
    if !ctx.store.confirm_watcher(number, &address, code, board.row.events, ctx.now, CODE_SECONDS)? {
        return Err(bad_code().into());
    }
    let mut view = board_view(ctx.store, &board)?;
    ctx.preferences.complete(ctx.store, ctx.now, &mut view, None)?;
    let update = BoardUpdate::new(BoardEvent::Watched, Seat::First, view);
    ctx.notify(Mail::of_watched(address.clone(), update));
    Ok(Event::page("watching.md", context! { address, board => number.0 }, None))
}

/// The names of the players, if the board is running and so can be watched.
fn watched(ctx: &Context<'_>, board: &Board) -> Result<[String; 2], CommandError> {
    let names = names(ctx.store, &board.row.players)?;
    if board.row.state != BoardState::Running {
        return Err(at_board::over(board, &names).into());
    }
    Ok(names)
}

/// The sender's claim is enough: a forger can only stop mails, and the address is told.
pub(crate) fn unsubscribe(ctx: &mut Context<'_>, command: Watching) -> Result<Event, CommandError> {
    let Watching { game, board: number, address } = command;
    let board = at_board::board(ctx, game, number)?;
    if !ctx.letter.is_from(&address) && !matches!(ctx.letter.proof, Proof::Operator(_)) {
        return refuse!("The address that gets the mails ends them. Write from there.");
    }
    if !ctx.store.watches(number, &address)? {
        return refuse!("Board {number} is not watched from this address.");
    }
    ctx.store.remove_watcher(number, &address)?;
    let players = names(ctx.store, &board.row.players)?;
    let thread = ctx.thread(Some(number))?;
    let data = context! { board => number.0, players };
    let mail = Mail::page(Recipient::Address(address.clone()), "watch-ended.md", data);
    ctx.notify(Mail { thread, ..mail });
    Ok(Event::page("unsubscribe.md", context! { address, board => number.0 }, None))
}
