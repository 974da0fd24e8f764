//! Handles the answer to an invitation: `yes` makes an account and starts the game, `no` blocks invitations.

use minijinja::context;

use crate::commands::answer::QuestionAnswer;
use crate::commands::asking::one_a_letter;
use crate::commands::invite::{game_of, may_be_sent, options_of, over, send};
use crate::commands::opening::{agreed, challenged};
use crate::commands::prelude::*;
use crate::commands::signup::{is_free, must_be_free, proposed};
use crate::commands::{begin, seek, session};
use crate::ids::Userid;
use crate::mail::AnswerBy;
use crate::store::{CodeHash, InvitationRow, PlayerId, mailbox_key};

pub(crate) fn answered(
    ctx: &mut Context<'_>,
    row: &InvitationRow,
    answer: Option<QuestionAnswer>,
) -> Result<Event, CommandError> {
    // Check inside the transaction: an earlier letter might have answered the invitation.
    if !ctx.store.is_open_invitation(row.id, ctx.now)? {
        return Err(over().into());
    }
    let Some(answer) = answer else {
        return refuse!(
            "To play, reply to the invitation with `yes` alone in the first line, or with `yes as NAME` and the \
            name that you want. `no` stops all invitations. If you do not want to play, there is nothing to do."
        );
    };
    let (chosen, address, browser) = match (answer, row.address.as_deref()) {
        (QuestionAnswer::FromLink { userid, address }, None) => return by_link(ctx, row, userid, address),
        (QuestionAnswer::No, Some(address)) => {
            ctx.store.refuse_invitations(&mailbox_key(address), ctx.now)?;
            ctx.store.expire_invitation(row.id)?;
            return Ok(Event::page("uninvited.md", context! {}, None));
        }
        (QuestionAnswer::Yes, Some(address)) => (None, address, None),
        (QuestionAnswer::YesAs(userid), Some(address)) => (Some(userid), address, None),
        (QuestionAnswer::Accept { userid, browser }, Some(address)) => (userid, address, Some(browser)),
        _ => return Err(over().into()),
    };
    let is_sign_up = row.player.is_robot();
    // Active accounts come first: a player who has signed off would have to return before playing.
    let owner = ctx.store.players_at(address)?.into_iter().min_by_key(|owner| !owner.is_active());
    if owner.as_ref().is_some_and(|owner| owner.id == row.player) {
        return refuse!("This invitation is your own, for others to accept.");
    }
    let mut of_row: Option<Userid> = row.userid.as_ref().and_then(|userid| userid.parse().ok());
    if let Some(userid) = &of_row
        && row.link.is_none()
        && !is_sign_up
        && !is_free(ctx, userid)?
    {
        // The server proposed the name, so it proposes another.
        of_row = None;
    }
    let wanted = chosen.or(of_row);
    let (player, is_new, unused) = match owner {
        Some(owner) => (owner.id, false, wanted.filter(|name| name.key() != owner.userid.key())),
        None => (admit(ctx, wanted, address)?, true, None),
    };
    ctx.store.end_invitation(row.link.unwrap_or(row.id))?;
    ctx.answer_to(player);
    let userid = ctx.store.player_by_id(player)?.userid.to_string();
    if let Some(browser) = browser
        && let Some(token) = &ctx.letter.token
        && let Some((_, code)) = token.0.split_once('.')
    {
        // For an account that is in use, the link is as good as one that was asked for to sign in.
        let mailed_at = if is_new { ctx.now } else { row.made_at };
        ctx.store.add_sign_in(player, CodeHash::of(code), None, mailed_at)?;
        if ctx.store.mailed_link(player, CodeHash::of(code), ctx.now)?.is_some() {
            session::open(ctx, player, code, &browser)?;
        }
    }
    let begun = ctx.attempt(|ctx| match is_sign_up {
        true => begin::open_first(ctx, player, row),
        false => agreed(ctx, game_of(row)?, [row.player, player], &options_of(row)),
    });
    match begun {
        Ok(mut event) => {
            if let Event::Board(update, _) = &mut event {
                update.notes.extend(unused.map(|name| {
                    format!("You play as {userid}, whose address this is, and the name {name} was not taken.")
                }));
                update.notes.extend(is_new.then(|| format!(
                    "Welcome: your name here is {userid}. Replies to our mails play without a password; to set \
                    one, send `forgot {userid}` as the Subject of a mail."
                )));
            }
            Ok(event)
        }
        // The account stays, although the game could not start.
        Err(CommandError::Refused(why)) if is_new || is_sign_up => {
            ctx.remarks.push(format!("The game did not begin. {why}"));
            if !is_new {
                return Ok(Event::page("signed-in.md", context! {}, None));
            }
            let (mailbox, password) = (address.to_owned(), "none");
            let seeks = seek::for_newcomer(ctx, player)?;
            Ok(Event::Confirmed { userid, mailbox, is_new, password, seeks, robot: ctx.robot.rules.enabled })
        }
        Err(why) => Err(why),
    }
}

/// Mails an invitation to the address that a person enters on the page of a link.
fn by_link(
    ctx: &mut Context<'_>,
    row: &InvitationRow,
    userid: Userid,
    address: String,
) -> Result<Event, CommandError> {
    must_be_free(ctx, &userid, "Choose another.")?;
    challenged(ctx, &ctx.store.player_by_id(row.player)?.userid)?;
    one_a_letter(ctx, &address)?;
    let counts = [
        // All links of the inviter count together.
        (ctx.limits.questions_of_a_sender(), format!("invited by player {}", row.player.0)),
        (ctx.limits.questions(), String::new()),
        (ctx.limits.all_invitations(), String::new()),
    ];
    if ctx.take_all(&counts)?.is_some() {
        return refuse!(
            "As many mails as may leave for now have left. Look for one in your mailbox, or come back tomorrow."
        );
    }
    let (userid, link) = (Some(userid.to_string()), Some(row.id));
    let row = InvitationRow { address: Some(address.clone()), userid, link, ..row.clone() };
    if may_be_sent(ctx, &row, &address)? {
        send(ctx, &row)?;
    }
    Ok(Event::page("invite.md", context! { address }, None))
}

/// Creates the account of a person who accepted from their address.
fn admit(ctx: &mut Context<'_>, chosen: Option<Userid>, address: &str) -> Result<PlayerId, CommandError> {
    let userid = match chosen {
        Some(userid) => {
            let how = match ctx.letter.answer {
                AnswerBy::Page => "Write another name next to the button.",
                _ => "Reply `yes as NAME` with another name.",
            };
            must_be_free(ctx, &userid, how)?;
            userid
        }
        None => proposed(ctx, address)?,
    };
    let secret = ctx.secret();
    let player = ctx.store.add_player(&userid, None, &secret, ctx.now)?;
    ctx.store.add_address(player, address, ctx.now, Some(ctx.now))?;
    Ok(player)
}
