//! Leaving the server: `signoff` until the next `signup`, `delete` for good.
//!
//! ```text
//! signoff userid password
//! delete userid password
//! ```

use minijinja::context;

use crate::board::{Board, names};
use crate::commands::prelude::*;
use crate::ids::Which;
use crate::notices::board_update::BoardEvent;
use crate::play::at_board::{self, AtBoard};
use crate::store::{AccountState, BoardFilter, EventKind};

#[derive(Debug, Clone)]
pub struct SignOff;

impl Parameters for SignOff {}

#[derive(Debug, Clone)]
pub struct Delete;

impl Parameters for Delete {}

pub(crate) const SIGNOFF: Entry = Entry {
    by: Needs::Guarded,
    summary: "stops new challenges and all mail except about your running games",
    details: "It also signs you out on all pages. `signup` with the same name and password takes you back.",
    example: "signoff ann plover-42",
    ..Entry::of_server("signoff", "userid password", |args| {
        args.writer()?;
        Ok(Command::SignOff(SignOff))
    })
};

pub(crate) const DELETE: Entry = Entry {
    by: Needs::Guarded,
    summary: "deletes your account",
    details: "It resigns your running games and erases your addresses and your password. Finished games stay \
              under your name, and no other player can ever take that name. You cannot undo this.",
    example: "delete ann plover-42",
    ..Entry::of_server("delete", "userid password", |args| {
        args.writer()?;
        Ok(Command::Delete(Delete))
    })
};

pub(crate) fn sign_off(ctx: &mut Context<'_>, account: &Account, _: SignOff) -> Result<Event, CommandError> {
    if account.is_signed_off() {
        return refuse!(
            "You have signed off already. `signup` with the same name and password takes you back."
        );
    }
    ctx.store.set_account_state(account.id, AccountState::SignedOff)?;
    ctx.store.end_offers(account.id)?;
    ctx.store.end_sessions(account.id)?;
    let running = ctx.store.boards(&running(account))?.len();
    Ok(Event::page("signoff.md", context! { userid => account.userid.as_str(), running }, None))
}

pub(crate) fn delete(ctx: &mut Context<'_>, account: &Account, _: Delete) -> Result<Event, CommandError> {
    let mut resigned = Vec::new();
    for row in ctx.store.boards(&running(account))? {
        let id = row.id;
        let Some(board) = Board::load(ctx.store, id)? else { continue };
        let Some(seat) = board.seat_of(account.id) else { continue };
        let names = names(ctx.store, &board.row.players)?;
        let at = AtBoard::new(board, seat, names);
        at_board::act(ctx, at, EventKind::Resignation, BoardEvent::Resigned, "")?;
        resigned.push(id.0);
    }
    resigned.sort_unstable();
    let addresses = ctx.store.addresses(account.id)?.rows.into_iter();
    let last_words = addresses.filter(|row| row.confirmed_at.is_some()).map(|row| row.address).collect();
    ctx.say_goodbye(last_words);
    let secret = ctx.secret();
    ctx.store.end_offers(account.id)?;
    ctx.store.erase_account(account.id, &secret, ctx.now)?;
    Ok(Event::page("delete.md", context! { userid => account.userid.as_str(), resigned }, None))
}

fn running(account: &Account) -> BoardFilter {
    let (player, which) = (Some(account.id), Which::Active);
    BoardFilter { player, which, limit: u32::MAX, ..BoardFilter::default() }
}
