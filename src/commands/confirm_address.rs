//! Confirms addresses by a reply from there.
//!
//! A player who signs up or adds an address might name another person's address. So the server first sends
//! one question, with a token in the Reply-To, and no other mail until the address answers. It does not ask
//! if the letter provably comes from the address, or if the operator gives it.

use std::collections::BTreeMap;

use jiff::Timestamp;
use minijinja::context;

use crate::commands::answer::{QuestionAnswer, waiting_as};
use crate::commands::asking::{held_until, must_be_a_persons, one_a_letter};
use crate::commands::prelude::*;
use crate::commands::seek;
use crate::credentials::one_entry::must_bring_no_second_entry;
use crate::credentials::{password, token};
use crate::failure::Error;
use crate::language::Password;
use crate::mail::Proof;
use crate::notices::mail::{Content, Keep, Recipient};
use crate::notices::{Mail, Transcript};
use crate::store::{PlayerAddresses, PlayerId};

fn say_yes() -> Refusal {
    refusal!(
        "To confirm the address, reply with `yes` alone in the first line, or, to a mail that welcomes you, with `yes \
        NEWPASSWORD` and a password of your choice."
    )
}

/// Remark below the answer to another command.
pub(crate) const NOT_CONFIRMED: &str =
    "The address is not confirmed yet. Reply to the mail that asked with `yes` alone in the first line.";

/// An account's addresses, as its player sees them.
#[derive(Debug, Clone, Default)]
pub(crate) struct AddressStates {
    pub confirmed: Vec<String>,
    /// The server asked the address, and no answer has come yet.
    pub waiting: Vec<String>,
}

impl AddressStates {
    pub(crate) fn of(addresses: &PlayerAddresses) -> AddressStates {
        let stays = |confirmed: bool| {
            let rows = addresses.rows.iter().filter(|row| !row.leaves);
            rows.filter(|row| row.confirmed_at.is_some() == confirmed)
                .map(|row| row.address.clone())
                .collect()
        };
        AddressStates { confirmed: stays(true), waiting: stays(false) }
    }
}

/// Registers an address, and asks it unless its owner is proved. If the budget forbids the question, returns
/// when it is allowed.
pub(crate) fn register(
    ctx: &mut Context<'_>,
    account: &Account,
    address: &str,
) -> Result<Option<Timestamp>, CommandError> {
    must_be_a_persons(ctx, address)?;
    let shown = match ctx.letter.proof {
        Proof::Operator(_) => true,
        Proof::Sender => ctx.letter.is_from(address),
        Proof::None => false,
    };
    if shown {
        must_bring_no_second_entry(ctx.store, account.id, address)?;
    }
    ctx.store.add_address(account.id, address, ctx.now, shown.then_some(ctx.now))?;
    let addresses = ctx.store.addresses(account.id)?;
    if addresses.row(address).is_none_or(|row| row.confirmed_at.is_some()) {
        return Ok(None);
    }
    one_a_letter(ctx, address)?;
    let held = held_until(ctx, &account.userid.key(), address)?;
    if held.is_none() {
        ctx.notify(question(account, &addresses, address));
    }
    Ok(held)
}

pub(crate) fn answered(
    ctx: &mut Context<'_>,
    asked: PlayerId,
    address: String,
    answer: Option<QuestionAnswer>,
) -> Result<Event, CommandError> {
    let (userid, password) = match answer {
        Some(QuestionAnswer::Yes) => (ctx.store.player_by_id(asked)?.userid, None),
        Some(QuestionAnswer::YesAs(userid)) => (userid, None),
        Some(QuestionAnswer::WithPassword(userid, password)) => (userid, Some(password)),
        _ => return Err(say_yes().into()),
    };
    let account = waiting_as(ctx.store, asked, &userid.key(), &address)?.ok_or_else(say_yes)?;
    let hash = password.map(|password| first_password(ctx, &account, &address, &password)).transpose()?;
    let is_new = ctx.store.addresses(account.id)?.confirmed().next().is_none();
    must_bring_no_second_entry(ctx.store, account.id, &address)?;
    ctx.store.confirm_address(account.id, &address, ctx.now)?;
    if let Some(hash) = hash {
        ctx.store.set_password(account.id, hash)?;
    }
    ctx.answer_to(account.id);
    drop_leaving(ctx, &account)?;
    let seeks = if is_new { seek::for_newcomer(ctx, account.id)? } else { Vec::new() };
    let password = match (hash, &account.password_hash) {
        (Some(_), _) => "set",
        (None, Some(_)) => "kept",
        (None, None) => "none",
    };
    let userid = account.userid.to_string();
    Ok(Event::Confirmed { userid, mailbox: address, is_new, password, seeks, robot: ctx.robot.rules.enabled })
}

/// The hash of the password in a `yes NEWPASSWORD`, for an account without a password.
fn first_password<'a>(
    ctx: &Context<'a>,
    account: &Account,
    address: &str,
    password: &Password,
) -> Result<&'a str, CommandError> {
    let addresses = ctx.store.addresses(account.id)?;
    let is_own = addresses.row(address).is_some_and(|row| row.confirmed_at.is_some());
    if is_own && account.password_hash.is_some() {
        return refuse!(
            "{userid} has a password already, and this mail sets no other. To get another, send this as the Subject of a \
            mail:\n\n    forgot {userid}",
            userid = account.userid
        );
    }
    // The `yes` of an additional address accepts mail and cannot set a password.
    if account.password_hash.is_some() || !(is_own || ctx.store.is_unclaimed(account)?) {
        return Err(say_yes().into());
    }
    password::check(&account.userid, password)?;
    Ok(ctx.proofs.fresh_hash(&account.userid, password).ok_or_else(say_yes)?)
}

/// Removes addresses that were kept only until the player confirmed a new one.
pub(crate) fn drop_leaving(ctx: &mut Context<'_>, account: &Account) -> Result<(), CommandError> {
    for row in ctx.store.addresses(account.id)?.rows.into_iter().filter(|row| row.leaves) {
        ctx.store.remove_address(account.id, &row.address)?;
        if row.stopped_at.is_some() {
            continue;
        }
        // The reader of the old address should know, in case another person changed it.
        let userid = account.userid.to_string();
        ctx.notify(Mail::page(Recipient::Address(row.address), "address-left.md", context! { userid }));
    }
    Ok(())
}

/// Tells a player, once, below an answer, which of their addresses the server no longer writes to.
pub(crate) fn tell_of_stops(
    ctx: &Context<'_>,
    transcript: &mut Transcript,
    addresses: Option<&PlayerAddresses>,
) -> Result<(), Error> {
    let (Some(player), Some(addresses)) = (transcript.player, addresses) else { return Ok(()) };
    let untold = addresses.rows.iter().filter(|row| row.stopped_at.is_some() && !row.stop_told);
    let untold: Vec<&str> = untold.map(|row| row.address.as_str()).collect();
    if untold.is_empty() || addresses.confirmed().next().is_none() {
        return Ok(());
    }
    let mut such: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for address in untold {
        let what = match ctx.store.bounces(address)? {
            Some(stop) if stop.unwanted => "was reported as unwanted".to_owned(),
            Some(stop) => format!("came back {} times", stop.count),
            None => "came back".to_owned(),
        };
        such.entry(what).or_default().push(address);
    }
    for (what, addresses) in such {
        transcript.add_remark(&format!(
            "Mail to {} {what}, so none is sent there. To begin again, reply `add` and the \
             address, and then to the mail that comes there.",
            addresses.join(" and ")
        ));
    }
    Ok(ctx.store.stops_are_told(player)?)
}

const QUESTION: &str = "confirm-address.md";

/// The mail that asks whether an address belongs to the player.
pub(crate) fn question(account: &Account, addresses: &PlayerAddresses, address: &str) -> Mail {
    let userid = account.userid.to_string();
    let came_back = addresses.row(address).is_some_and(|row| row.stopped_at.is_some());
    let is_new = addresses.rows.iter().all(|row| row.confirmed_at.is_none() && row.stopped_at.is_none());
    let data = context! { m => context! { userid, address, is_new, came_back } };
    Mail {
        token: addresses.row(address).map(|row| token::of_address(&addresses.secret, account.id, row)),
        keep: Keep::Recipient,
        ..Mail::page(Recipient::Address(address.to_owned()), QUESTION, data)
    }
}

/// True for the question whether an address works again after its mail came back.
pub(crate) fn asks_back(mail: &Mail) -> bool {
    matches!(&mail.content, Content::Page { template: QUESTION, data }
        if data.get_attr("m").and_then(|m| m.get_attr("came_back")).is_ok_and(|came_back| came_back.is_true()))
}

/// The address that a confirmation mail asks; `None` for other mails.
pub(crate) fn asks(mail: &Mail) -> Option<&str> {
    match (&mail.to, &mail.content) {
        (Recipient::Address(address), Content::Page { template: QUESTION, .. }) => Some(address),
        _ => None,
    }
}
