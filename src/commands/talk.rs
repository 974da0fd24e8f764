//! Messages between players.
//!
//! ```text
//! message userid password to ...
//! broadcast userid password
//! game chat board userid password
//! ```
//!
//! The message is the text of the mail if the command is in the Subject. If the text contains commands, one
//! per line, the message is the lines after this command up to a line `end`.

use minijinja::{Value, context};

use crate::commands::prelude::*;
use crate::credentials::claim::no_such_userid;
use crate::credentials::token;
use crate::ids::{BoardId, Userid};
use crate::language::{InReply, Offered, OnBoard, Seen, WriterPlace};
use crate::notices::Mail;
use crate::notices::mail::{Purpose, Recipient, UnsubscribeBy, WORDS};
use crate::play::at_board;
use crate::settings;
use crate::store::{AboutBoard, AccountRole, BoardRow, BoardState, PlayerId};

/// Maximum number of recipients of all messages in a letter.
const RECIPIENTS_A_LETTER: u32 = 20;

/// Maximum number of recipients of a message. Organisers can broadcast.
const RECIPIENTS_AT_MOST: usize = 10;

#[derive(Debug, Clone)]
pub struct Talk {
    pub to: Audience,
    /// The message text as written.
    pub text: String,
}

#[derive(Debug, Clone)]
pub enum Audience {
    /// `message`
    Players(Vec<Userid>),
    /// `broadcast`: all players who have not opted out.
    Everybody,
    /// `chat`
    Opponent(OnBoard),
}

impl Parameters for Talk {
    fn line(&self, _: &str) -> String {
        match &self.to {
            Audience::Players(to) => Written::new(None, MESSAGE.word).and(to).end(),
            Audience::Everybody => BROADCAST.word.to_owned(),
            Audience::Opponent(OnBoard { game, board }) => Written::new(*game, CHAT.word).and([board]).end(),
        }
    }

    fn board(&self) -> Option<BoardId> {
        match &self.to {
            Audience::Opponent(at) => Some(at.board),
            Audience::Players(_) | Audience::Everybody => None,
        }
    }

    fn text(&mut self) -> Option<&mut String> {
        Some(&mut self.text)
    }
}

pub(crate) const MESSAGE: Entry = Entry {
    by: Needs::Proven,
    summary: "sends a message to other players",
    details: "The message is the text of the mail that has the command as its Subject. If commands are one a \
              line, as with \"multiple\" or `turnpost submit`, it is the lines below the command up to a line \
              `end`. It has at most 4,000 characters and goes to at most ten players. Quoted lines and \
              signatures are left out.",
    example: "message ann plover-42 bob\nShall we play on Friday?\nend",
    writer: WriterPlace::Fixed,
    ..Entry::of_server("message", "userid password to ...", read_message)
};

pub(crate) const BROADCAST: Entry = Entry {
    by: Needs::Proven,
    summary: "sends a message to all players; for organisers, once a day",
    details: "Players who have set `broadcast off`, or have signed off, do not get it. Write the message as with \
              `message`.",
    example: "broadcast ann plover-42\nThe autumn tournament begins on Monday.\nend",
    writer: WriterPlace::Fixed,
    ..Entry::of_server("broadcast", "userid password", |args| {
        args.writer()?;
        Ok(without_text(Audience::Everybody))
    })
};

pub(crate) const CHAT: Entry = Entry {
    by: Needs::Proven,
    summary: "sends a message to your opponent on a board",
    details: "Watchers do not see it. Write the message as with `message`. If a mail has a move in its Subject, \
              its text reaches the opponent together with the move.",
    example: "GAME chat 1 ann plover-42\nA fine game so far.\nend",
    in_reply: InReply::BeginsWords(|at, text| Command::Talk(Talk { to: Audience::Opponent(at), text })),
    needs: Seen::Nothing,
    offered: Offered::ToPerson,
    done: Some("Your words are on their way."),
    writer: WriterPlace::Fixed,
    ..Entry::of_game("chat", "board userid password", |args| {
        Ok(without_text(Audience::Opponent(args.on_board()?)))
    })
};

fn read_message(args: &mut Args) -> Result<Command, ArgumentError> {
    args.writer()?;
    let mut to: Vec<Userid> = Vec::new();
    while to.is_empty() || !args.is_empty() {
        let userid = args.userid("the name of the player who gets it")?;
        if to.len() == RECIPIENTS_AT_MOST {
            return Err(ArgumentError::at_end(format!(
                "a message goes to at most {RECIPIENTS_AT_MOST} players"
            )));
        }
        if !to.contains(&userid) {
            to.push(userid);
        }
    }
    Ok(without_text(Audience::Players(to)))
}

/// The text is added later, from another part of the letter.
fn without_text(to: Audience) -> Command {
    Command::Talk(Talk { to, text: String::new() })
}

fn gets_no_messages(userid: Userid) -> Refusal {
    refusal!("{userid} has signed off and gets no messages.")
}

/// Refuses messages about a declined game, and between players of whom one blocks the other.
fn may_talk_about(
    ctx: &Context<'_>,
    board: &BoardRow,
    sender: &Account,
    opponent: &Account,
) -> Result<(), CommandError> {
    if board.state == BoardState::Declined {
        return refuse!(
            "Board {board} was declined, and nothing is said about it any more.",
            board = board.id
        );
    }
    match ctx.store.is_block_between(sender.id, opponent.id)? {
        true => refuse!("There is a block between you and {}. Nothing was sent.", opponent.userid),
        false => Ok(()),
    }
}

/// Counts a mail from one player to another, or refuses it.
pub(crate) fn take_mail(ctx: &mut Context<'_>, sender: &Account, to: PlayerId) -> Result<(), CommandError> {
    match ctx.take_mail(sender.id, to)? {
        Some(why) => refuse!("{why} Nothing was sent."),
        None => Ok(()),
    }
}

fn reads_nothing(userid: Userid) -> Refusal {
    refusal!("{userid} is a program and reads no messages. Nothing was sent.")
}

/// Seconds between two broadcasts of an organiser.
const BROADCAST_PAUSE: i64 = 24 * 60 * 60;

pub(crate) fn talk(ctx: &mut Context<'_>, by: &Account, talk: Talk) -> Result<Event, CommandError> {
    match &talk.to {
        Audience::Players(to) => send(ctx, by, to, &talk.text),
        Audience::Everybody => broadcast(ctx, by, &talk.text),
        Audience::Opponent(at) => chat(ctx, by, *at, &talk.text),
    }
}

fn send(ctx: &mut Context<'_>, sender: &Account, to: &[Userid], text: &str) -> Result<Event, CommandError> {
    let text = words(text)?;
    take_from_budget(ctx, sender)?;
    ctx.used.recipients = ctx.used.recipients.saturating_add(u32::try_from(to.len()).unwrap_or(u32::MAX));
    if ctx.used.recipients > RECIPIENTS_A_LETTER && !ctx.writer.is_operator() {
        return refuse!("A letter may write to {RECIPIENTS_A_LETTER} players. Nothing was sent; name fewer.");
    }
    let mut recipients: Vec<Account> = Vec::new();
    for userid in to {
        let recipient = recipient(ctx, userid)?;
        if recipient.id == sender.id {
            return refuse!("You are among those you write to. Nothing was sent.");
        }
        take_mail(ctx, sender, recipient.id)?;
        recipients.push(recipient);
    }
    let names: Vec<String> = recipients.iter().map(|recipient| recipient.userid.to_string()).collect();
    let message = context! { kind => context! { kind => "message" }, to => &names, text };
    for recipient in &recipients {
        ctx.notify(mail_of(ctx, sender, recipient, None, message.clone())?);
    }
    Ok(Event::page("sent.md", context! { to => names }, None))
}

/// Charges a message or chat to the sender's budget.
fn take_from_budget(ctx: &mut Context<'_>, sender: &Account) -> Result<(), CommandError> {
    match ctx.spend(ctx.limits.messages(), &sender.userid.key())? {
        Some(until) => refuse!(
            "You have sent as many messages as a player may in a day. Nothing was sent; write again after {until}.",
            until = ctx.time(until)?
        ),
        None => Ok(()),
    }
}

/// An account that can get messages.
fn recipient(ctx: &Context<'_>, userid: &Userid) -> Result<Account, CommandError> {
    let recipient = ctx.store.player(userid)?.filter(|account| !account.is_deleted());
    let Some(recipient) = recipient else {
        return Err(no_such_userid(ctx.nearest(userid)?).into());
    };
    if recipient.id.is_robot() {
        return Err(reads_nothing(recipient.userid).into());
    }
    if !recipient.is_active() {
        return Err(gets_no_messages(recipient.userid).into());
    }
    Ok(recipient)
}

fn broadcast(ctx: &mut Context<'_>, sender: &Account, text: &str) -> Result<Event, CommandError> {
    if ctx.store.role(sender.id)? != AccountRole::Organiser {
        return refuse!("Only organisers write to all players; the operator of the server makes them.");
    }
    let text = words(text)?;
    if !ctx.store.may_broadcast(sender.id, ctx.now, BROADCAST_PAUSE)? {
        return refuse!("You have written to all players less than a day ago. Nothing was sent.");
    }
    let message = context! { kind => context! { kind => "broadcast" }, to => NOBODY, text };
    let mut count = 0;
    for recipient in ctx.store.players()? {
        if recipient.id == sender.id
            || !recipient.is_active()
            || !ctx.store.is_on(recipient.id, &settings::BROADCAST)?
            || ctx.store.is_block_between(sender.id, recipient.id)?
        {
            continue;
        }
        let mail = mail_of(ctx, sender, &recipient, None, message.clone())?;
        let unsubscribe = UnsubscribeBy::Command("set broadcast off".to_owned());
        ctx.notify(Mail { unsubscribe: Some(unsubscribe), ..mail });
        count += 1;
    }
    Ok(Event::page("broadcast.md", context! { count }, None))
}

/// Sends a message to the opponent on a board, also after the game.
fn chat(ctx: &mut Context<'_>, sender: &Account, at: OnBoard, text: &str) -> Result<Event, CommandError> {
    let board = at_board::board(ctx, at.game, at.board)?;
    let seat = at_board::seat_at(ctx, &board, sender)?;
    let text = words(text)?;
    take_from_budget(ctx, sender)?;
    let opponent = ctx.store.player_by_id(*seat.other().of(&board.row.players))?;
    if opponent.id.is_robot() {
        return Err(reads_nothing(opponent.userid).into());
    }
    // Players who have signed off get mail about running games only.
    if opponent.is_deleted() || (!opponent.is_active() && board.row.state != BoardState::Running) {
        return Err(gets_no_messages(opponent.userid).into());
    }
    may_talk_about(ctx, &board.row, sender, &opponent)?;
    take_mail(ctx, sender, opponent.id)?;
    // Drop the opponent's draft: a `yes` in reply to this message must not play a move shown earlier.
    ctx.store.end_draft(at.board, opponent.id)?;
    let thread = ctx.thread(Some(at.board))?;
    let to = opponent.userid.to_string();
    let running = board.row.state == BoardState::Running;
    let kind = context! { kind => "chat", game => at.game.key, board => at.board.0, running };
    let about = AboutBoard { board: at.board, event: board.row.events, words: &text };
    let message = context! { kind, to => NOBODY, text => &text };
    let mail = mail_of(ctx, sender, &opponent, Some(about), message)?;
    ctx.notify(Mail { thread: thread.clone(), ..mail });
    Ok(Event::page("sent.md", context! { to => vec![to] }, thread))
}

/// Checks that the message is not empty.
fn words(text: &str) -> Result<String, CommandError> {
    if text.is_empty() {
        refuse!(
            "There is nothing to send. The message is the text of the mail; among several commands, the lines \
            below this one up to a line `end`."
        )
    } else {
        Ok(text.to_owned())
    }
}

/// Only `message` names its recipients.
const NOBODY: [&str; 0] = [];

/// The mail that carries a message, with a token for the reply.
fn mail_of(
    ctx: &Context<'_>,
    by: &Account,
    reader: &Account,
    about: Option<AboutBoard<'_>>,
    message: Value,
) -> Result<Mail, CommandError> {
    let row = ctx.store.add_message(by.id, reader.id, about, ctx.now)?;
    let token = Some(token::of_message(ctx.store, &row)?);
    let (by, reader_name) = (by.userid.to_string(), reader.userid.to_string());
    let data = context! { m => context! { by, reader => reader_name, ..message } };
    let mail = Mail::page(Recipient::Player(reader.id), WORDS, data);
    Ok(Mail { purpose: Purpose::News, token, ..mail })
}
