//! Inviting a person who has no account.
//!
//! ```text
//! game challenge [options] userid address
//! game invite [options] [address] userid password
//! ```
//!
//! One mail goes to the address, without a word of the inviter's. Its `yes` makes an account and begins the game, its `no`
//! keeps invitations away. The inviter gets the same answer for every address. Without an address the inviter gets a
//! link to pass on; a person who opens its page names the address for such a mail.

use jiff::Timestamp;
use minijinja::context;
use turnpost_games::{GameKind, registry};

use crate::commands::challenge::Invite;
use crate::commands::opening::{agreed, challenged};
use crate::commands::prelude::*;
use crate::commands::set_up::{is_rated, set_up};
use crate::commands::{confirm_address, seek, signup};
use crate::credentials::claim::nothing_proves;
use crate::credentials::{Actor, Token, token};
use crate::failure::Error;
use crate::ids::Userid;
use crate::language::options::{board_options_beside_a_password, no_level};
use crate::language::phrasebook::{is_clear_yes, is_no};
use crate::language::{BoardOptions, WriterPlace};
use crate::mail::AnswerBy;
use crate::notices::Mail;
use crate::notices::mail::{Keep, Recipient};
use crate::store::{CodeHash, InvitationRow, PlayerId, ProvenBy, Store, mailbox_key};

pub(crate) const INVITE: Entry = Entry {
    by: Needs::Proven,
    starts: true,
    summary: "invites somebody who has no account to a game",
    details: "One mail goes to the address: who invites, to what, and that no other comes. A reply of `yes` makes an \
              account and begins the game, in which you have the first move; a reply of `no` keeps all invitations away \
              from there. The options are those of a challenge. `GAME challenge ann frieda@example.com` does the same in \
              a letter that proves who wrote it. An address gets one invitation a month, whoever sends it.\n\nWithout an address a \
              mail brings you a link to hand on, good for a week and one game: on its page a friend chooses a userid.",
    example: "GAME invite frieda@example.com ann plover-42",
    writer: WriterPlace::LastWithPassword,
    ..Entry::of_game("invite", "[options] [address] userid password", read)
};

pub(crate) fn read(args: &mut Args) -> Result<Command, ArgumentError> {
    let game = args.game;
    let options = no_level(board_options_beside_a_password(args)?)?;
    let address = match args.next_holds('@') {
        true => Some(args.word("the address")?.address()?),
        false => None,
    };
    args.writer()?;
    Ok(Command::Invite(Invite { game, options, address }))
}

/// Deletes old invitations without an answer, and counts them.
pub(crate) fn end_old(store: &Store, now: Timestamp) -> Result<usize, Error> {
    Ok(store.end_old_invitations(now)?)
}

pub(crate) fn invite(ctx: &mut Context<'_>, by: &Actor, command: Invite) -> Result<Event, CommandError> {
    let Invite { game, options, address } = command;
    let account = inviter(ctx, game, address.as_deref(), by)?;
    // Refuse impossible options now, not when the invitation is accepted.
    set_up(ctx, game, &options)?;
    match &address {
        Some(address) if ctx.store.addresses(account.id)?.row(address).is_some() => {
            let game = game.key;
            return refuse!(
                "This address is your own. Invite somebody else, or find an opponent with `{game} seek`."
            );
        }
        Some(address) => confirm_address::one_a_letter(ctx, address)?,
        None if ctx.pages.is_none() => {
            return refuse!(
                "This server has no pages, so a link would lead nowhere. Name an address to invite."
            );
        }
        None => {}
    }
    let userid = &account.userid;
    for (limit, key) in
        [(ctx.limits.invitations(), userid.key()), (ctx.limits.all_invitations(), String::new())]
    {
        let is_own = !key.is_empty();
        if let Some(until) = ctx.spend(limit, &key)? {
            let (most, until) = (ctx.limits.invitations_a_day, ctx.time(until)?);
            return match is_own {
                true => refuse!("You have sent today's {most} invitations; the next can go after {until}."),
                false => {
                    refuse!("This server sends no more invitations today; the next can go after {until}.")
                }
            };
        }
    }
    let row = InvitationRow {
        id: 0,
        player: account.id,
        game: game.key.to_owned(),
        options: serde_json::to_string(&options).unwrap_or_default(),
        address: address.clone(),
        userid: None,
        link: None,
        made_at: ctx.now,
    };
    match &address {
        None => hand_out(ctx, &row)?,
        Some(address) if may_be_sent(ctx, &row, address)? => send(ctx, &row)?,
        Some(_) => {}
    }
    Ok(Event::page("invite.txt", context! { address }, None))
}

/// The player who invites. A letter that proves nothing causes no mail.
fn inviter(
    ctx: &Context<'_>,
    game: &GameKind,
    address: Option<&str>,
    by: &Actor,
) -> Result<Account, CommandError> {
    let userid = match by {
        Actor::Player(account, by) if *by != ProvenBy::Nothing => return challenged(ctx, &account.userid),
        Actor::Player(account, _) => &account.userid,
        Actor::Claimed(userid) => userid,
        Actor::Nobody => return Err(nothing_proves().into()),
    };
    refuse!(
        "An invitation goes to somebody who has not asked for mail, so a letter must prove who sends it. Send \
                 it with your password:\n\n    {game} invite {address} {userid} PASSWORD",
        game = game.key,
        address = address.unwrap_or("ADDRESS"),
    )
}

/// True if an invitation to this address can be sent. No answer says why not. The holder of a link asks for the mail
/// themselves, so the next one can follow sooner.
fn may_be_sent(ctx: &Context<'_>, row: &InvitationRow, address: &str) -> Result<bool, Error> {
    let is_wanted = match ctx.store.players_of_mailbox(address)?.as_slice() {
        [] => true,
        [owner] => {
            owner.is_active()
                && owner.suspended.is_none()
                && !ctx.store.is_block_between(row.player, owner.id)?
                && !ctx.store.game_settings(owner.id, &row.game)?.rejects
        }
        _ => false,
    };
    let has_stopped = ctx.store.bounces(address)?.is_some_and(|row| row.stopped_at.is_some())
        || ctx.store.is_banned([address])?;
    let is_asked_for = row.link.is_some();
    Ok(is_wanted && !has_stopped && ctx.store.may_invite(&mailbox_key(address), ctx.now, is_asked_for)?)
}

/// Stores an invitation; gives its token.
fn keep(ctx: &mut Context<'_>, row: &InvitationRow) -> Result<String, Error> {
    let code = ctx.code();
    Ok(token::that_invites(ctx.store.add_invitation(row, CodeHash::of(&code))?, &code))
}

fn page_of(ctx: &Context<'_>, token: &str) -> Option<String> {
    ctx.pages.map(|pages| format!("{pages}/invite/{token}"))
}

/// Mails an inviter a link to hand on.
fn hand_out(ctx: &mut Context<'_>, row: &InvitationRow) -> Result<(), CommandError> {
    let token = keep(ctx, row)?;
    let (game, link, until) = (game_of(row)?.name, page_of(ctx, &token), row.ends_at());
    let data = context! { m => context! { game, link, until } };
    let mail = Mail::page(Recipient::Player(row.player), "invite-link.txt", data);
    ctx.notify(Mail { keep: Keep::Recipient, ..mail });
    Ok(())
}

/// What a `yes` agrees to, in sentences.
pub(crate) fn terms_of(row: &InvitationRow, by: &str) -> String {
    let mut options = options_of(row);
    let first = match options.lots {
        true => "Lots are drawn for the first move.".to_owned(),
        false => format!("{by} has the first move."),
    };
    let is_rated = registry::find(&row.game).is_some_and(|game| is_rated(game, &options));
    let rated = if is_rated { "rated" } else { "unrated" };
    (options.lots, options.unrated) = (false, false);
    // The inviter chooses the seed, and could say something by it.
    options.game.retain(|(name, _)| name != "seed");
    let others = options.written().join(" ");
    let others = if others.is_empty() { others } else { format!(" Its options are {others}.") };
    format!("{first} The game is {rated}.{others}")
}

/// Mails an invitation to its address.
fn send(ctx: &mut Context<'_>, row: &InvitationRow) -> Result<(), CommandError> {
    let Some(address) = &row.address else { return Ok(()) };
    let token = keep(ctx, row)?;
    let owner = ctx.store.players_at(address)?.into_iter().next();
    let has_account = owner.is_some();
    let userid = match (owner, &row.userid) {
        (Some(owner), _) => owner.userid.to_string(),
        (None, Some(chosen)) => chosen.clone(),
        (None, None) => proposed(ctx, address)?.to_string(),
    };
    let game = game_of(row)?;
    let by = ctx.store.player_by_id(row.player)?.userid;
    let data = context! { m => context! {
        by => by.as_str(),
        game => game.name,
        key => game.key,
        terms => terms_of(row, by.as_str()),
        userid,
        has_account,
        is_asked_for => row.link.is_some(),
        link => page_of(ctx, &token),
        until => row.ends_at(),
    } };
    let mail = Mail::page(Recipient::Address(address.clone()), "invitation.txt", data);
    ctx.notify(Mail { token: Some(token), keep: Keep::Recipient, ..mail });
    Ok(())
}

/// Mails an invitation to the address that the page of a link names.
fn by_link(
    ctx: &mut Context<'_>,
    row: &InvitationRow,
    userid: Userid,
    address: String,
) -> Result<Event, CommandError> {
    if !is_free(ctx, &userid)? {
        return refuse!("The userid {userid} is taken, or a word of the server's. Choose another.");
    }
    challenged(ctx, &ctx.store.player_by_id(row.player)?.userid)?;
    confirm_address::one_a_letter(ctx, &address)?;
    for (limit, key) in [
        // Whichever link of theirs it is.
        (ctx.limits.questions_of_a_sender(), format!("invited by player {}", row.player.0)),
        (ctx.limits.questions(), String::new()),
        (ctx.limits.all_invitations(), String::new()),
    ] {
        if ctx.spend(limit, &key)?.is_some() {
            return refuse!(
                "As many mails as may leave for now have left. Look for one in your mailbox, or come back tomorrow."
            );
        }
    }
    let (userid, link) = (Some(userid.to_string()), Some(row.id));
    let row = InvitationRow { address: Some(address.clone()), userid, link, ..row.clone() };
    if may_be_sent(ctx, &row, &address)? {
        send(ctx, &row)?;
    }
    Ok(Event::page("invite.txt", context! { address }, None))
}

/// The refusal of an answer to an invitation that has ended.
pub(crate) const OVER: &str = "This invitation has been answered, or is older than a week.";

/// The same, in a mail.
pub(crate) fn over() -> Refusal {
    refusal!("{OVER} `help` says how to begin without one.")
}

/// What answers an invitation: the first line of a reply to its mail, or a button of its page.
#[derive(Debug, Clone)]
pub enum InvitationAnswer {
    /// `yes`, or `yes as NAME`
    Yes(Option<Userid>),
    No,
    /// The form of a link that was handed on.
    FromLink {
        userid: Userid,
        address: String,
    },
}

impl Parameters for InvitationAnswer {
    fn line(&self, _: &str) -> String {
        match self {
            InvitationAnswer::Yes(None) => "yes".to_owned(),
            InvitationAnswer::Yes(Some(userid)) => format!("yes as {userid}"),
            InvitationAnswer::No => "no".to_owned(),
            InvitationAnswer::FromLink { userid, address } => format!("yes as {userid} {address}"),
        }
    }
}

impl InvitationAnswer {
    /// What the first line of a reply says.
    fn read(line: &str) -> Option<InvitationAnswer> {
        match chosen(line) {
            _ if is_no(line) => Some(InvitationAnswer::No),
            Some(userid) => Some(InvitationAnswer::Yes(Some(userid))),
            None => is_clear_yes(line).then_some(InvitationAnswer::Yes(None)),
        }
    }
}

/// Acts on a reply to the mail of an invitation.
pub(crate) fn reply(ctx: &mut Context<'_>, row: &InvitationRow, text: &str) -> Result<Event, CommandError> {
    let first = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
    must_be_open(ctx, row)?;
    let Some(answer) = InvitationAnswer::read(first) else {
        return refuse!(
            "To play, reply to the invitation with `yes` alone in the first line, or with `yes as NAME` and the userid \
             that you want. `no` keeps invitations away. If you do not want to play, there is nothing to do."
        );
    };
    answer_to(ctx, row, answer)
}

/// Acts on a button of an invitation's page.
pub(crate) fn answer(ctx: &mut Context<'_>, answer: InvitationAnswer) -> Result<Event, CommandError> {
    let Some(Token::Invitation(row)) = ctx.token.clone() else { return Err(nothing_proves().into()) };
    must_be_open(ctx, &row)?;
    answer_to(ctx, &row, answer)
}

/// Asked inside the transaction: a letter before this one may have answered it.
fn must_be_open(ctx: &Context<'_>, row: &InvitationRow) -> Result<(), CommandError> {
    match ctx.store.is_open_invitation(row.id, ctx.now)? {
        true => Ok(()),
        false => Err(over().into()),
    }
}

fn answer_to(
    ctx: &mut Context<'_>,
    row: &InvitationRow,
    answer: InvitationAnswer,
) -> Result<Event, CommandError> {
    let (chosen, address) = match (answer, row.address.as_deref()) {
        (InvitationAnswer::FromLink { userid, address }, None) => return by_link(ctx, row, userid, address),
        (InvitationAnswer::No, Some(address)) => {
            ctx.store.refuse_invitations(&mailbox_key(address), ctx.now)?;
            ctx.store.expire_invitation(row.id)?;
            return Ok(Event::page("uninvited.txt", context! {}, None));
        }
        (InvitationAnswer::Yes(chosen), Some(address)) => (chosen, address),
        _ => return Err(over().into()),
    };
    // One who has signed off since has to come back first.
    let mut owners = ctx.store.players_at(address)?;
    owners.sort_by_key(|owner| !owner.is_active());
    let owner = owners.into_iter().next();
    if owner.as_ref().is_some_and(|owner| owner.id == row.player) {
        return refuse!("This invitation is your own, for others to accept.");
    }
    let wanted = chosen.or(row.userid.as_ref().and_then(|userid| userid.parse().ok()));
    let (player, is_new, unused) = match owner {
        Some(owner) => (owner.id, false, wanted.filter(|name| name.key() != owner.userid.key())),
        None => (begin(ctx, wanted, address)?, true, None),
    };
    ctx.store.end_invitation(row.link.unwrap_or(row.id))?;
    ctx.answer_to(player);
    let userid = ctx.store.player_by_id(player)?.userid.to_string();
    match agreed(ctx, game_of(row)?, [row.player, player], &options_of(row)) {
        Ok(mut event) => {
            if let Event::Board(update, _) = &mut event {
                update.notes.extend(unused.map(|name| {
                    format!("You play as {userid}, whose address this is, and the name {name} was not taken.")
                }));
                update.notes.extend(is_new.then(|| format!(
                    "Welcome: your userid here is {userid}. Replies to our mails play without a password; to set one, \
                     send `forgot {userid}` as the Subject of a mail."
                )));
            }
            Ok(event)
        }
        // The account is theirs, though the game is not to be had.
        Err(CommandError::Refused(why)) if is_new => {
            ctx.remark = Some(format!("The game did not begin. {why}"));
            let (mailbox, password) = (address.to_owned(), "none");
            let seeks = seek::for_newcomer(ctx, player)?;
            Ok(Event::Confirmed { userid, mailbox, is_new, password, seeks, robot: ctx.robot.rules.enabled })
        }
        Err(why) => Err(why),
    }
}

/// The userid in `yes as NAME`.
fn chosen(line: &str) -> Option<Userid> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let [yes, r#as, name] = words.as_slice() else { return None };
    let is_plain = is_clear_yes(yes) && r#as.eq_ignore_ascii_case("as");
    name.trim_end_matches(['.', '!']).parse().ok().filter(|_| is_plain)
}

/// Makes the account of a person who has said yes from their address.
fn begin(ctx: &mut Context<'_>, chosen: Option<Userid>, address: &str) -> Result<PlayerId, CommandError> {
    let userid = match chosen {
        Some(userid) if !is_free(ctx, &userid)? => {
            let how = match ctx.letter.answer {
                AnswerBy::Page => "Write another name beside the button.",
                AnswerBy::Mail | AnswerBy::Terminal | AnswerBy::Nothing => {
                    "Reply `yes as NAME` with another name."
                }
            };
            return refuse!("The userid {userid} is taken, or a word of the server's. {how}");
        }
        Some(userid) => userid,
        None => proposed(ctx, address)?,
    };
    let secret = ctx.secret();
    let player = ctx.store.add_player(&userid, None, &secret, ctx.now)?;
    ctx.store.add_address(player, address, ctx.now, Some(ctx.now))?;
    Ok(player)
}

fn is_free(ctx: &Context<'_>, userid: &Userid) -> Result<bool, Error> {
    Ok(signup::may_be_called(ctx, userid) && ctx.store.player(userid)?.is_none())
}

/// A free userid made from the first name in an address.
pub(crate) fn proposed(ctx: &Context<'_>, address: &str) -> Result<Userid, CommandError> {
    const NUMBERS: u32 = 1000;
    let local = address.split('@').next().unwrap_or_default().to_lowercase();
    let mut parts = local.split(|c: char| !c.is_ascii_alphanumeric());
    let is_name = |part: &&str| part.len() > 1 && part.parse::<Userid>().is_ok();
    for name in [parts.find(is_name).unwrap_or("player"), "player"] {
        for number in 1..NUMBERS {
            let number = if number > 1 { number.to_string() } else { String::new() };
            let text = format!("{name}{number}");
            if let Ok(userid) = text.parse()
                && is_free(ctx, &userid)?
            {
                return Ok(userid);
            }
        }
    }
    refuse!("No userid is free that could be proposed here. `signup` makes an account under another.")
}

fn game_of(row: &InvitationRow) -> Result<&'static GameKind, Refusal> {
    registry::find(&row.game).ok_or_else(|| refusal!("This server has the game no longer."))
}

fn options_of(row: &InvitationRow) -> BoardOptions {
    serde_json::from_str(&row.options).unwrap_or_default()
}
