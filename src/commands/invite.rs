//! Invites a person without an account to a game.
//!
//! ```text
//! game challenge [options] userid address
//! game invite [options] [address] userid password
//! ```
//!
//! The address gets one mail, without any text of the inviter. The inviter gets the same answer for every
//! address. Without an address, the inviter gets a link to pass on; a person who opens its page enters the
//! address for that mail.

use jiff::Timestamp;
use minijinja::context;
use turnpost_games::{GameKind, registry};

use crate::commands::asking::{has_stopped, one_a_letter};
use crate::commands::challenge::Invite;
use crate::commands::opening::challenged;
use crate::commands::prelude::*;
use crate::commands::set_up::{is_rated, set_up};
use crate::commands::signup::proposed;
use crate::credentials::claim::nothing_proves;
use crate::credentials::{Actor, token};
use crate::failure::Error;
use crate::language::BoardOptions;
use crate::language::options::{board_options_beside_a_password, no_level};
use crate::mail::AnswerBy;
use crate::notices::Mail;
use crate::notices::mail::{Keep, Recipient};
use crate::store::{CodeHash, InvitationRow, ProvenBy, Store, mailbox_key};

pub(crate) const INVITE: Entry = Entry {
    by: Needs::Proven,
    starts: true,
    summary: "invites a friend without an account to a game",
    details: "One mail goes to the address. It says who invites your friend, to which game, and that no other \
              mail comes. A reply of `yes` makes an account and begins the game, and you have the first move. A \
              reply of `no` stops all invitations to that address. The options are those of a challenge. `GAME \
              challenge ann frieda@example.com` does the same in a letter that proves who wrote it. An address \
              gets one invitation a month, from any player.\n\nWithout an address you get a link for a friend. \
              It is good for a week and one game. Your friend chooses a name on its page.",
    example: "GAME invite frieda@example.com ann plover-42",
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

/// Deletes old unanswered invitations and returns their number.
pub(crate) fn end_old(store: &Store, now: Timestamp) -> Result<usize, Error> {
    Ok(store.end_old_invitations(now)?)
}

pub(crate) fn invite(ctx: &mut Context<'_>, by: &Actor, command: Invite) -> Result<Event, CommandError> {
    let account = inviter(ctx, &command, by)?;
    let Invite { game, options, address } = command;
    // Refuse impossible options now, not when the invitation is accepted.
    set_up(ctx, game, &options)?;
    match &address {
        Some(address) if ctx.store.addresses(account.id)?.row(address).is_some() => {
            let game = game.key;
            return refuse!(
                "This address is your own. Invite another player, or find an opponent with `{game} seek`."
            );
        }
        Some(address) => one_a_letter(ctx, address)?,
        None if ctx.pages.is_none() => {
            return refuse!(
                "This server has no pages, so a link would lead nowhere. Name an address to invite."
            );
        }
        None => {}
    }
    if let Some(until) = ctx.spend(ctx.limits.invitations(), &account.userid.key())? {
        let (most, until) = (ctx.limits.invitations_a_day, ctx.time(until)?);
        return refuse!("You have sent today's {most} invitations; the next can go after {until}.");
    }
    if let Some(until) = ctx.spend(ctx.limits.all_invitations(), "")? {
        let until = ctx.time(until)?;
        return refuse!("This server sends no more invitations today; the next can go after {until}.");
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
    let mut link = None;
    match &address {
        None => link = hand_out(ctx, &row)?,
        Some(address) if may_be_sent(ctx, &row, address)? => send(ctx, &row)?,
        Some(_) => {}
    }
    Ok(Event::page("invite.md", context! { address, link }, None))
}

/// The inviting player. Unproven letters cause no mail.
fn inviter(ctx: &Context<'_>, command: &Invite, by: &Actor) -> Result<Account, CommandError> {
    match by {
        Actor::Player(account, by) if *by != ProvenBy::Nothing => return challenged(ctx, &account.userid),
        Actor::Player(..) | Actor::Claimed(_) => {}
        Actor::Nobody => return Err(nothing_proves().into()),
    }
    refuse!(
        "An invitation goes to a person who has not asked for mail, so a letter must prove who sends it. Reply \
         to this mail with:\n\n    {game} invite {address}",
        game = command.game.key,
        address = command.address.as_deref().unwrap_or("ADDRESS"),
    )
}

/// True if an invitation can go to this address. The answer to the inviter never says why not. The holder of
/// a link asks for the mail, so the next one can follow sooner.
pub(crate) fn may_be_sent(ctx: &Context<'_>, row: &InvitationRow, address: &str) -> Result<bool, Error> {
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
    let (is_wanted, is_asked_for) = (is_wanted && !has_stopped(ctx, address)?, row.link.is_some());
    Ok(is_wanted && ctx.store.may_invite(&mailbox_key(address), ctx.now, is_asked_for)?)
}

/// Stores an invitation and returns its token.
fn keep(ctx: &mut Context<'_>, row: &InvitationRow) -> Result<String, Error> {
    let code = ctx.code();
    Ok(token::that_invites(ctx.store.add_invitation(row, CodeHash::of(&code))?, &code))
}

fn page_of(ctx: &Context<'_>, token: &str) -> Option<String> {
    ctx.pages.map(|pages| format!("{pages}/invite/{token}"))
}

/// Makes a link to pass on. A page gets it, as its answer goes to the player's browser alone; else it is mailed.
fn hand_out(ctx: &mut Context<'_>, row: &InvitationRow) -> Result<Option<String>, CommandError> {
    let token = keep(ctx, row)?;
    let (game, link, until) = (game_of(row)?.name, page_of(ctx, &token), row.ends_at());
    if ctx.letter.answer == AnswerBy::Page {
        return Ok(link);
    }
    let data = context! { m => context! { game, link, until } };
    let mail = Mail::page(Recipient::Player(row.player), "invite-link.md", data);
    ctx.notify(Mail { keep: Keep::Recipient, ..mail });
    Ok(None)
}

/// The terms that a `yes` accepts, in sentences.
pub(crate) fn terms_of(row: &InvitationRow, by: &str) -> String {
    let mut options = options_of(row);
    let first = match options.lots {
        true => "Lots are drawn for the first move.".to_owned(),
        false => format!("{by} has the first move."),
    };
    let is_rated = registry::find(&row.game).is_some_and(|game| is_rated(game, &options));
    let rated = if is_rated { "rated" } else { "unrated" };
    (options.lots, options.unrated) = (false, false);
    // Leave the seed out: the inviter chooses it, and could hide a message in it.
    options.game.retain(|(name, _)| name != "seed");
    let others = options.written().join(" ");
    let others = if others.is_empty() { others } else { format!(" Its options are {others}.") };
    format!("{first} The game is {rated}.{others}")
}

/// Mails an invitation to its address.
pub(crate) fn send(ctx: &mut Context<'_>, row: &InvitationRow) -> Result<(), CommandError> {
    let Some(address) = &row.address else { return Ok(()) };
    let owner = ctx.store.players_at(address)?.into_iter().min_by_key(|owner| !owner.is_active());
    let has_account = owner.is_some();
    let userid = match (owner, &row.userid) {
        (Some(owner), _) => owner.userid.to_string(),
        (None, Some(chosen)) => chosen.clone(),
        (None, None) => proposed(ctx, address)?.to_string(),
    };
    // The name that the mail says is the one that a bare `yes` takes.
    let named = if has_account { row.userid.clone() } else { Some(userid.clone()) };
    let row = &InvitationRow { userid: named, ..row.clone() };
    let token = keep(ctx, row)?;
    let link = page_of(ctx, &token);
    if row.player.is_robot() {
        let game = registry::find(&row.game).map(|game| game.name);
        let data = context! { m => context! { userid, has_account, game, link, until => row.ends_at() } };
        let mail = Mail::page(Recipient::Address(address.clone()), "begin.md", data);
        ctx.notify(Mail { token: Some(token), keep: Keep::Recipient, ..mail });
        return Ok(());
    }
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
        link,
        until => row.ends_at(),
    } };
    let mail = Mail::page(Recipient::Address(address.clone()), "invitation.md", data);
    ctx.notify(Mail { token: Some(token), keep: Keep::Recipient, ..mail });
    Ok(())
}

/// Refusal for an answer to an invitation that has ended.
pub(crate) const OVER: &str = "This invitation has been answered, or is older than a week.";

/// [`OVER`] in a mail, with a way to start without an invitation.
pub(crate) fn over() -> Refusal {
    refusal!("{OVER} `help` says how to begin without one.")
}

pub(crate) fn game_of(row: &InvitationRow) -> Result<&'static GameKind, Refusal> {
    registry::find(&row.game).ok_or_else(|| refusal!("This server has the game no longer."))
}

pub(crate) fn options_of(row: &InvitationRow) -> BoardOptions {
    serde_json::from_str(&row.options).unwrap_or_default()
}
