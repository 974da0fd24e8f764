//! Inviting somebody who has no account.
//!
//! ```text
//! game challenge [options] userid address
//! game invite [options] address userid password
//! ```
//!
//! One mail goes to the address, without a word of the inviter's. Its `yes` makes an account and begins the game, its `no`
//! keeps invitations away. What the inviter hears is the same whoever has the address.

use jiff::Timestamp;
use minijinja::context;
use turnpost_games::{GameKind, registry};

use crate::commands::challenge::{Invite, agreed, challenged};
use crate::commands::set_up::set_up;
use crate::commands::{Command, Entry, confirm_address, seek, signup};
use crate::credentials::limits::mailbox_key;
use crate::credentials::token;
use crate::failure::{CommandError, Error, Refusal, refusal, refuse};
use crate::ids::Userid;
use crate::language::args::{Args, ArgumentError};
use crate::language::options::{board_options_beside_a_password, no_level};
use crate::language::phrasebook::{is_clear_yes, is_no};
use crate::language::{BoardOptions, Login, WriterPlace};
use crate::notices::mail::{Keep, Recipient};
use crate::notices::{Event, Mail};
use crate::play::{Context, context};
use crate::store::{Account, CodeHash, InvitationRow, PlayerId, Store};

pub(crate) const INVITE: Entry = Entry {
    summary: "invites somebody who has no account to a game",
    details: "One mail goes to the address: who invites, to what, and that no other comes. A reply of `yes` makes an \
              account and begins the game, in which you have the first move; a reply of `no` keeps all invitations away \
              from there. The options are those of a challenge. `GAME challenge ann frieda@example.com` does the same in \
              a letter that proves who wrote it. An address gets one invitation a month, whoever sends it.",
    example: "GAME invite frieda@example.com ann plover-42",
    writer: WriterPlace::LastWithPassword,
    ..Entry::of_game("invite", "[options] address userid password", read)
};

fn read(args: &mut Args) -> Result<Command, ArgumentError> {
    let game = args.game;
    let options = no_level(board_options_beside_a_password(args)?)?;
    let address = args.word("the address")?.address()?;
    Ok(Command::Invite(Invite { game, options, address, login: args.login()? }))
}

/// Forgets invitations that nobody has answered, and counts them.
pub(crate) fn end_old(store: &Store, now: Timestamp) -> Result<usize, Error> {
    Ok(store.end_old_invitations(now)?)
}

pub(crate) fn invite(ctx: &mut Context<'_>, command: Invite) -> Result<Event, CommandError> {
    let Invite { game, options, address, login } = command;
    let account = inviter(ctx, game, &address, &login)?;
    if ctx.store.addresses(account.id)?.row(&address).is_some() {
        return refuse!(
            "This address is your own. To play, invite somebody else, or `{game} seek` an opponent.",
            game = game.key
        );
    }
    // Refuse impossible options now rather than when somebody says yes.
    set_up(ctx, game, &options)?;
    confirm_address::one_a_letter(ctx, &address)?;
    let userid = &account.userid;
    for (limit, key) in
        [(ctx.limits.invitations(), userid.key()), (ctx.limits.all_invitations(), String::new())]
    {
        if let Some(until) = ctx.spend(limit, &key)? {
            let until = ctx.time(until)?;
            return refuse!(
                "As many invitations as may leave in a day have left. {userid} can send the next after {until}."
            );
        }
    }
    if may_be_sent(ctx, game, &account, &address)? {
        let (options, made_at) = (serde_json::to_string(&options).unwrap_or_default(), ctx.now);
        let (player, game, address) = (account.id, game.key.to_owned(), Some(address.clone()));
        send(
            ctx,
            InvitationRow { id: 0, player, game, options, address, userid: None, link: None, made_at },
        )?;
    }
    Ok(Event::page("invite.txt", context! { address }, None))
}

/// Who invites: a letter that proves nothing has us write to nobody.
fn inviter(
    ctx: &mut Context<'_>,
    game: &GameKind,
    address: &str,
    login: &Login,
) -> Result<Account, CommandError> {
    let named = ctx.store.player(&login.userid)?.filter(|account| ctx.writer.proves(account.id));
    let account = match named.filter(|_| login.password.is_left_out()) {
        Some(account) => account,
        None if login.password.is_left_out() && !ctx.writer.proves_a_player() => {
            return refuse!(
                "An invitation goes to somebody who has not asked for mail, so a letter must prove who sends it. Send \
                 it with your password:\n\n    {game} invite {address} {userid} PASSWORD",
                game = game.key,
                userid = login.userid
            );
        }
        None => ctx.prove(login)?,
    };
    context::must_be_a_person(&account)?;
    ctx.answer_to(account.id);
    challenged(ctx, &account.userid, "inviter's")
}

/// True where an invitation to this address may leave. The inviter does not hear why not.
fn may_be_sent(ctx: &Context<'_>, game: &GameKind, by: &Account, address: &str) -> Result<bool, Error> {
    let is_wanted = match ctx.store.players_at(address)?.as_slice() {
        [] => true,
        [owner] => {
            owner.is_active()
                && owner.suspended.is_none()
                && !ctx.store.is_block_between(by.id, owner.id)?
                && !ctx.store.game_settings(owner.id, game.key)?.rejects
        }
        _ => false,
    };
    let has_stopped = ctx.store.bounces(address)?.is_some_and(|row| row.stopped_at.is_some());
    Ok(is_wanted && !has_stopped && ctx.store.may_invite(&mailbox_key(address), ctx.now)?)
}

/// Mails an invitation to its address.
fn send(ctx: &mut Context<'_>, row: InvitationRow) -> Result<(), CommandError> {
    let Some(address) = &row.address else { return Ok(()) };
    let code = ctx.code();
    let number = ctx.store.add_invitation(&row, CodeHash::of(&code))?;
    let owner = ctx.store.players_at(address)?.into_iter().next();
    let has_account = owner.is_some();
    let userid = match owner {
        Some(owner) => owner.userid,
        None => proposed(ctx, address)?,
    };
    let game = game_of(&row)?;
    let data = context! { m => context! {
        by => ctx.store.player_by_id(row.player)?.userid.as_str(),
        game => game.name,
        key => game.key,
        options => options_of(&row).written().join(" "),
        userid => userid.as_str(),
        has_account,
        until => row.ends_at(),
    } };
    let mail = Mail::page(Recipient::Address(address.clone()), "invitation.txt", data);
    let token = Some(token::that_invites(number, &code));
    ctx.notify(Mail { token, keep: Keep::Recipient, ..mail });
    Ok(())
}

/// Acts on the first line of a reply to an invitation.
pub(crate) fn answer(ctx: &mut Context<'_>, row: &InvitationRow, text: &str) -> Result<Event, CommandError> {
    let first = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
    let address = row.address.as_deref().unwrap_or_default();
    if is_no(first) {
        ctx.store.refuse_invitations(&mailbox_key(address), ctx.now)?;
        ctx.store.end_invitation(row.id)?;
        return Ok(Event::page("uninvited.txt", context! {}, None));
    }
    let chosen = chosen(first);
    if !is_clear_yes(first) && chosen.is_none() {
        return refuse!(
            "To play, reply to the invitation with `yes` alone in the first line, or with `yes as NAME` and the userid \
             that you want. `no` keeps invitations away. If you do not want to play, there is nothing to do."
        );
    }
    if ctx.now.as_second() >= row.ends_at() {
        return refuse!(
            "This invitation is older than a week and has ended. `help` says how to begin without one."
        );
    }
    let owner = ctx.store.players_at(address)?.into_iter().find(Account::is_active);
    let (player, is_new) = match owner {
        Some(owner) => (owner.id, false),
        None => (begin(ctx, chosen, address)?, true),
    };
    ctx.store.end_invitation(row.link.unwrap_or(row.id))?;
    ctx.answer_to(player);
    let userid = ctx.store.player_by_id(player)?.userid.to_string();
    match agreed(ctx, game_of(row)?, [row.player, player], &options_of(row)) {
        Ok(mut event) => {
            if let Event::Board(update, _) = &mut event
                && is_new
            {
                update.notes.push(format!(
                    "Welcome: your userid here is {userid}. Replies to our mails play without a password; to set one, \
                     send `forgot {userid}` as the Subject of a mail."
                ));
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

/// Makes the account of somebody who has said yes from their address.
fn begin(ctx: &mut Context<'_>, chosen: Option<Userid>, address: &str) -> Result<PlayerId, CommandError> {
    let userid = match chosen {
        Some(userid) if !is_free(ctx, &userid)? => {
            return refuse!("The userid {userid} is taken, or a word of the server's. Reply with another.");
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

/// A userid that nobody has, from the first name in an address.
fn proposed(ctx: &Context<'_>, address: &str) -> Result<Userid, CommandError> {
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
