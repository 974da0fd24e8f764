//! `message`, `broadcast` and `chat`.

use crate::commands::grammar::talk::{Audience, Talk};
use crate::credentials::token;
use crate::failure::{CommandError, Refusal, refusal, refuse};
use crate::ids::{BoardId, Userid};
use crate::language::{Login, OnBoard};
use crate::notices::notification::{Content, Message, MessageKind, Recipient};
use crate::notices::{Event, Notification};
use crate::play::context::no_such_userid;
use crate::play::{Context, at_board};
use crate::store::{AboutBoard, Account, PlayerId, Role, State};
use minijinja::context;

fn gets_no_messages(userid: Userid) -> Refusal {
    refusal!("{userid} has signed off and gets no messages.")
}

fn blocked_between(userid: Userid) -> Refusal {
    refusal!("There is a block between you and {userid}. Nothing was sent.")
}

fn reads_nothing(userid: Userid) -> Refusal {
    refusal!("{userid} is the robot and reads no messages. Nothing was sent.")
}

/// Seconds between two broadcasts of an organiser.
const BROADCAST_PAUSE: i64 = 24 * 60 * 60;

pub(crate) fn talk(ctx: &mut Context<'_>, talk: Talk) -> Result<Event, CommandError> {
    match &talk.to {
        Audience::Players(login, to) => message(ctx, login, to, &talk.text),
        Audience::Everybody(login) => broadcast(ctx, login, &talk.text),
        Audience::Opponent(at) => chat(ctx, at, &talk.text),
    }
}

fn message(ctx: &mut Context<'_>, login: &Login, to: &[Userid], text: &str) -> Result<Event, CommandError> {
    let sender = ctx.prove(login)?;
    send(ctx, &sender, to, text)
}

/// Sends the words of a reply to a message back to its writer.
pub(crate) fn answer(
    ctx: &mut Context<'_>,
    sender: PlayerId,
    to: &Userid,
    text: &str,
) -> Result<Event, CommandError> {
    let sender = ctx.store.player_by_id(sender)?;
    send(ctx, &sender, std::slice::from_ref(to), text)
}

fn send(ctx: &mut Context<'_>, sender: &Account, to: &[Userid], text: &str) -> Result<Event, CommandError> {
    let text = words(text)?;
    take_from_budget(ctx, sender)?;
    ctx.used.recipients = ctx.used.recipients.saturating_add(u32::try_from(to.len()).unwrap_or(u32::MAX));
    if ctx.used.recipients > ctx.limits.recipients_a_letter && !ctx.writer.is_operator() {
        return refuse!(
            "A letter may write to {most} players. Nothing was sent; name fewer.",
            most = ctx.limits.recipients_a_letter
        );
    }
    let mut recipients: Vec<Account> = Vec::new();
    for userid in to {
        let recipient = recipient(ctx, sender, userid)?;
        if recipient.id == sender.id {
            return refuse!("You are among those you write to. Nothing was sent.");
        }
        recipients.push(recipient);
    }
    let names: Vec<String> = recipients.iter().map(|recipient| recipient.userid.to_string()).collect();
    for recipient in &recipients {
        let message = message_of(ctx, MessageKind::Message, sender, recipient, &text)?;
        let message = Message { to: names.clone(), ..message };
        ctx.notify(Notification::new(Recipient::Player(recipient.id), Content::Message(message)));
    }
    Ok(Event::page("sent.txt", context! { to => names }, None))
}

/// Takes a message, chat or nudge from a player's budget.
pub(crate) fn take_from_budget(ctx: &mut Context<'_>, sender: &Account) -> Result<(), CommandError> {
    match ctx.spend(ctx.limits.messages(), &sender.userid.key())? {
        Some(until) => refuse!(
            "You have sent as many messages as a player may in a day. Nothing was sent; write again after {until}.",
            until = ctx.time(until)?
        ),
        None => Ok(()),
    }
}

/// An account that the sender may write to.
fn recipient(ctx: &Context<'_>, sender: &Account, userid: &Userid) -> Result<Account, CommandError> {
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
    if ctx.store.is_block_between(sender.id, recipient.id)? {
        return Err(blocked_between(recipient.userid).into());
    }
    Ok(recipient)
}

fn broadcast(ctx: &mut Context<'_>, login: &Login, text: &str) -> Result<Event, CommandError> {
    let sender = ctx.prove(login)?;
    if ctx.store.role(sender.id)? != Role::Organiser {
        return refuse!("Only organisers write to all players; the operator of the server makes them.");
    }
    let text = words(text)?;
    if !ctx.store.may_broadcast(sender.id, ctx.now, BROADCAST_PAUSE)? {
        return refuse!("You have written to all players less than a day ago. Nothing was sent.");
    }
    let mut count = 0;
    for recipient in ctx.store.players()? {
        if recipient.id == sender.id
            || !recipient.is_active()
            || !ctx.store.settings(recipient.id)?.broadcast
            || ctx.store.is_block_between(sender.id, recipient.id)?
        {
            continue;
        }
        let message = message_of(ctx, MessageKind::Broadcast, &sender, &recipient, &text)?;
        ctx.notify(Notification::new(Recipient::Player(recipient.id), Content::Message(message)));
        count += 1;
    }
    Ok(Event::page("broadcast.txt", context! { count }, None))
}

/// Players may also chat about a game that has ended.
fn chat(ctx: &mut Context<'_>, at: &OnBoard, text: &str) -> Result<Event, CommandError> {
    let sender = ctx.prove(&at.login)?;
    let board = at_board::board(ctx, at.game, at.board)?;
    let seat = at_board::seat_at(ctx, &board, &sender)?;
    let text = words(text)?;
    take_from_budget(ctx, &sender)?;
    let opponent = ctx.store.player_by_id(*seat.other().of(&board.row.players))?;
    if opponent.id.is_robot() {
        return Err(reads_nothing(opponent.userid).into());
    }
    // A player who signed off gets mail about running games only.
    if opponent.is_deleted() || (!opponent.is_active() && board.row.state != State::Running) {
        return Err(gets_no_messages(opponent.userid).into());
    }
    if ctx.store.is_block_between(sender.id, opponent.id)? {
        return Err(blocked_between(opponent.userid).into());
    }
    // A `yes` to these words must not play a move that was shown before.
    ctx.store.set_draft(at.board, opponent.id, None)?;
    let thread = ctx.thread(Some(at.board))?;
    let to = opponent.userid.to_string();
    let kind = MessageKind::Chat {
        game: at.game.key,
        board: at.board.0,
        event: board.row.events,
        running: board.row.state == State::Running,
    };
    let content = Content::Message(message_of(ctx, kind, &sender, &opponent, &text)?);
    ctx.notify(Notification { to: Recipient::Player(opponent.id), thread: thread.clone(), content });
    Ok(Event::page("sent.txt", context! { to => vec![to] }, thread))
}

/// A player's words; refuses empty ones.
fn words(text: &str) -> Result<String, CommandError> {
    if text.is_empty() {
        refuse!(
            "There is nothing to send. The message is the text of the mail; among several commands, the lines behind this \
        one up to a line `end`."
        )
    } else {
        Ok(text.to_owned())
    }
}

/// The mail with a player's words, and the way back to them.
fn message_of(
    ctx: &Context<'_>,
    kind: MessageKind,
    by: &Account,
    reader: &Account,
    text: &str,
) -> Result<Message, CommandError> {
    let about = match kind {
        MessageKind::Chat { board, event, .. } => {
            Some(AboutBoard { board: BoardId(board), event, words: text })
        }
        MessageKind::Message | MessageKind::Broadcast => None,
    };
    let row = ctx.store.add_message(by.id, reader.id, about, ctx.now)?;
    Ok(Message {
        by: by.userid.to_string(),
        to: Vec::new(),
        kind,
        reader: reader.userid.to_string(),
        text: text.to_owned(),
        token: token::of_message(ctx.store, &row)?,
    })
}
