//! Pauses the mails to a player, by one-click unsubscribe of a mail program (RFC 8058) or a button of a page.
//!
//! For two weeks these mails wait in the outbox; the clocks stop while vacation days last. The pause ends
//! early if the player presses the button or writes to the server.

use jiff::civil::Date;
use jiff::{SignedDuration, Timestamp};
use minijinja::context;

use crate::commands::vacation;
use crate::failure::{CommandError, Error};
use crate::language::Parameters;
use crate::notices::Event;
use crate::play::{Context, zone_of};
use crate::store::{Account, PlayerId, Store};

const DAYS: usize = 14;
const LENGTH: SignedDuration = SignedDuration::from_hours(24 * DAYS as i64);

/// A request from the page of a player's mails.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ask {
    Pause,
    ComeBack,
}

impl Parameters for Ask {
    fn line(&self, _: &str) -> String {
        let word = match self {
            Ask::Pause => "pause",
            Ask::ComeBack => "back",
        };
        word.to_owned()
    }
}

/// The state of the mails to a player.
pub(crate) struct Pause {
    pub userid: String,
    /// The end of the pause, in the player's zone.
    pub until: Option<Date>,
    /// The last day of the running vacation.
    pub vacation: Option<Date>,
}

pub(crate) fn of(store: &Store, player: PlayerId, now: Timestamp) -> Result<Pause, Error> {
    let account = store.player_by_id(player)?;
    let until = store.addresses(player)?.paused_until.filter(|until| *until > now);
    let zone = zone_of(store, player)?;
    let running = store.next_vacation(&account.userid, now)?.filter(|next| next.starts_at <= now);
    Ok(Pause {
        userid: account.userid.to_string(),
        until: until.map(|until| until.to_zoned(zone).date()),
        vacation: running.map(|vacation| vacation.last),
    })
}

pub(crate) fn pause(ctx: &mut Context<'_>, account: &Account, ask: Ask) -> Result<Event, CommandError> {
    let player = account.id;
    ctx.pausing = true;
    match ask {
        Ask::Pause => {
            let until = ctx.now.checked_add(LENGTH).unwrap_or(Timestamp::MAX);
            ctx.store.pause_mails(player, until)?;
            vacation::from_today(ctx, account, DAYS)?;
        }
        Ask::ComeBack => {
            let until = ctx.store.addresses(player)?.paused_until;
            if let Some(since) = until.and_then(|until| until.checked_sub(LENGTH).ok()) {
                ctx.store.resume_mails(player, ctx.now)?;
                vacation::end_running(ctx, account, since)?;
            }
        }
    }
    let is_paused = ask == Ask::Pause;
    Ok(Event::page("pause.md", context! { is_paused }, None))
}
