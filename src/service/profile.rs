//! `who` and `resend`.

use crate::service::context::IdentityRefusal;
use crate::service::refusal::{Refuse, refuses};
use jiff::Timestamp;

use super::context::Context;
use super::note::{Note, Profile};
use super::notification::{Content, Notification, Recipient};
use super::{CommandError, Error, standing};
use crate::command::Login;
use crate::ids::{BoardId, Userid};
use crate::store::{Role, Store};
use turnpost_games::registry;

/// Why it is refused.
#[derive(Debug, thiserror::Error)]
pub(in crate::service) enum ProfileRefusal {
    #[error("There is no mail to you that could be sent again.")]
    NothingToResend,
}

impl Refuse for ProfileRefusal {}

refuses!(ProfileRefusal);

/// A list shows no more players.
const PLAYERS_AT_MOST: usize = 50;

pub(super) fn who(ctx: &mut Context<'_>, userid: Option<&Userid>) -> Result<Note, CommandError> {
    let Some(userid) = userid else { return players(ctx) };
    let Some(account) = ctx.store.player(userid)? else {
        return Err(IdentityRefusal::NoSuchUserid { near: ctx.nearest(userid)? }.into());
    };
    standing::catch_up(ctx.store)?;
    let mut games = Vec::new();
    for record in ctx.store.records(account.id)? {
        let name = registry::find(&record.game).map_or(record.game.as_str(), |game| game.name);
        let mut line = format!(
            "{name}: {} in play, {} won, {} lost, {} tied",
            record.running, record.won, record.lost, record.tied
        );
        if let Some(rating) = ctx.store.rating(&record.game, account.id)? {
            line = format!("{line}; {}", standing::said(&rating));
        }
        games.push(line);
    }
    Ok(Note::Profile(Profile {
        userid: account.userid.to_string(),
        since: account.created_at.strftime("%Y-%m-%d").to_string(),
        level: account.id.level(),
        state: account.state,
        organiser: ctx.store.role(account.id)? == Role::Organiser,
        games,
        vacation: away(ctx.store, ctx.now, account.userid.as_str())?,
    }))
}

fn players(ctx: &Context<'_>) -> Result<Note, CommandError> {
    let mut accounts = ctx.store.players()?;
    accounts.retain(|account| account.state != "deleted");
    let more = accounts.len() > PLAYERS_AT_MOST;
    let newest = accounts.into_iter().rev().take(PLAYERS_AT_MOST);
    let rows = newest.map(|account| {
        let since = account.created_at.strftime("%Y-%m-%d").to_string();
        (account.userid.to_string(), since, account.state == "signed-off")
    });
    Ok(Note::Players { rows: rows.collect(), more })
}

/// The last mail again, to each address the last one that went there. The mail itself is the answer.
pub(super) fn resend(
    ctx: &mut Context<'_>,
    login: &Login,
    board: Option<BoardId>,
) -> Result<Note, CommandError> {
    let account = ctx.prove(login)?;
    let mut sent = None;
    for row in ctx.store.addresses(account.id)? {
        if row.confirmed_at.is_none() {
            continue;
        }
        if let Some(last) = ctx.store.last_mail(account.id, &row.address, board)? {
            sent = Some(last.board.map(|board| board.0));
            let to = Recipient::PlayerAt(account.id, row.address);
            ctx.notify(Notification::new(to, Content::Resent(last)));
        }
    }
    let board = sent.ok_or(ProfileRefusal::NothingToResend)?;
    Ok(Note::Resent { board })
}

/// The vacation a player is on, or the next one, as a sentence.
pub(super) fn away(store: &Store, at: Timestamp, userid: &str) -> Result<Option<String>, Error> {
    let Ok(userid) = userid.parse::<Userid>() else { return Ok(None) };
    let Some(vacation) = store.next_vacation(&userid, at)? else { return Ok(None) };
    Ok(Some(if vacation.starts_at > at {
        format!("{userid} will be on vacation from {} to {}.", vacation.first, vacation.last)
    } else {
        format!("{userid} is on vacation until {}.", vacation.last)
    }))
}
