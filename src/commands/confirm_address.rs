//! Confirms addresses by a reply from there.
//!
//! A player who signs up or adds an address may name another person's. We ask the address, within the budgets of
//! `[limits]`, with a token in the Reply-To, and send nothing else there before it answers. We do not ask when the
//! letter provably comes from the address, or when the operator gives it.

use std::collections::BTreeMap;

use minijinja::context;

use crate::commands::seek;
use crate::credentials::limits::{QUESTIONS_OF_AN_ACCOUNT, RateLimit, mailbox_key};
use crate::credentials::token;
use crate::failure::{CommandError, Error, Refusal, refusal};
use crate::mail::Proof;
use crate::notices::mail::{Content, Keep, Recipient};
use crate::notices::{Event, Mail, Transcript};
use crate::play::Context;
use crate::store::{Account, PlayerAddresses, PlayerId};

fn say_yes() -> Refusal {
    refusal!("To confirm the address, reply with `yes` alone in the first line.")
}

/// What the answer to another command says below it.
pub(crate) const NOT_CONFIRMED: &str =
    "The address is not confirmed yet. Reply to the mail that asked with `yes` alone in the first line.";

/// An account's addresses, as its player sees them.
#[derive(Debug, Clone, Default)]
pub(crate) struct AddressStates {
    pub confirmed: Vec<String>,
    /// We asked, and the address has not answered.
    pub waiting: Vec<String>,
}

impl AddressStates {
    pub(crate) fn of(addresses: &PlayerAddresses) -> AddressStates {
        let stays = |confirmed: bool| {
            let rows = addresses
                .rows
                .iter()
                .filter(move |row| !row.leaves && row.confirmed_at.is_some() == confirmed);
            rows.map(|row| row.address.clone()).collect()
        };
        AddressStates { confirmed: stays(true), waiting: stays(false) }
    }
}

/// Registers an address, and asks it when nothing yet proves whose it is.
pub(crate) fn register(
    ctx: &mut Context<'_>,
    account: &Account,
    address: &str,
    is_new: bool,
) -> Result<(), CommandError> {
    let shown = match ctx.letter.proof {
        Proof::Operator(_) => true,
        Proof::Sender => ctx.letter.is_from(address),
        Proof::None => false,
    };
    ctx.store.add_address(account.id, address, ctx.now, shown.then_some(ctx.now))?;
    let addresses = ctx.store.addresses(account.id)?;
    if addresses.row(address).is_some_and(|row| row.confirmed_at.is_none())
        && may_ask(ctx, &account.userid.key(), address)?
    {
        ctx.notify(question(account, &addresses, address, is_new));
    }
    Ok(())
}

/// True when a mailbox may be asked to confirm something for `about`, an account or a board. Counts the question.
///
/// What unproven letters ask is counted apart: they cannot use up the questions of a proven one.
pub(crate) fn may_ask(ctx: &mut Context<'_>, about: &str, address: &str) -> Result<bool, Error> {
    if ctx.writer.is_operator() {
        return Ok(true);
    }
    let (mailbox, limits) = (mailbox_key(address), ctx.limits);
    let mut counts = vec![
        (QUESTIONS_OF_AN_ACCOUNT, format!("{about} {mailbox}")),
        (limits.questions_of_a_mailbox(), format!("{}{mailbox}", apart(ctx))),
    ];
    counts.extend(counts_of_sender(ctx));
    take_all(ctx, &counts)
}

/// True when a letter may cause one more mail with a code. Counts it.
pub(crate) fn may_cause_a_question(ctx: &mut Context<'_>) -> Result<bool, Error> {
    let counts = counts_of_sender(ctx);
    Ok(ctx.writer.is_operator() || take_all(ctx, &counts)?)
}

fn apart(ctx: &Context<'_>) -> &'static str {
    if ctx.writer.is_proven() { "proven " } else { "" }
}

fn counts_of_sender(ctx: &Context<'_>) -> Vec<(RateLimit, String)> {
    let mut counts = vec![(ctx.limits.questions_of_a_sender(), format!("{}{}", apart(ctx), ctx.budget()))];
    if !ctx.writer.is_proven() {
        counts.push((ctx.limits.questions(), String::new()));
    }
    counts
}

/// Takes one from each budget, or nothing where one is used up.
fn take_all(ctx: &mut Context<'_>, counts: &[(RateLimit, String)]) -> Result<bool, Error> {
    for (limit, key) in counts {
        if !limit.has_room(ctx.store, key, ctx.now, 0)? {
            ctx.hits(*limit, key);
            return Ok(false);
        }
    }
    for (limit, key) in counts {
        limit.count(ctx.store, key, ctx.now)?;
    }
    Ok(true)
}

/// Acts on the first line of a reply to our question.
pub(crate) fn confirm_address(
    ctx: &mut Context<'_>,
    player: PlayerId,
    address: String,
    text: &str,
) -> Result<Event, CommandError> {
    let first = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
    let words: Vec<String> = first.split_whitespace().map(bare).filter(|word| !word.is_empty()).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let account = match words.as_slice() {
        ["yes"] => ctx.store.player_by_id(player)?,
        // The token proves the mailbox, whichever account asked: the reader says which is theirs.
        ["yes", userid] => waiting_as(ctx, userid, &address)?.ok_or_else(say_yes)?,
        _ => return Err(say_yes().into()),
    };
    let addresses = ctx.store.addresses(account.id)?;
    let is_new = addresses.confirmed().next().is_none()
        || addresses.row(&address).is_some_and(|row| row.named_at_signup && row.confirmed_at.is_none());
    ctx.store.confirm_address(account.id, &address, ctx.now)?;
    ctx.answer_to(account.id);
    drop_leaving(ctx, &account)?;
    // The addresses that `signup` named beside the sender's own.
    for kept in AddressStates::of(&ctx.store.addresses(account.id)?).waiting {
        register(ctx, &account, &kept, false)?;
    }
    let seeks = if is_new { seek::for_newcomer(ctx, account.id)? } else { Vec::new() };
    let userid = account.userid.to_string();
    Ok(Event::Confirmed { userid, mailbox: address, is_new, seeks, robot: ctx.robot.rules.enabled })
}

fn bare(word: &str) -> String {
    word.trim_matches(|c: char| !c.is_alphanumeric() && !matches!(c, '_' | '-')).to_lowercase()
}

/// The account of this userid that waits for the address to confirm.
fn waiting_as(ctx: &Context<'_>, userid: &str, address: &str) -> Result<Option<Account>, CommandError> {
    for player in ctx.store.waiting_at(address)? {
        let account = ctx.store.player_by_id(player)?;
        if account.userid.key() == userid {
            return Ok(Some(account));
        }
    }
    Ok(None)
}

/// Removes addresses that we kept only until the player confirmed a new one.
pub(crate) fn drop_leaving(ctx: &mut Context<'_>, account: &Account) -> Result<(), CommandError> {
    for row in ctx.store.addresses(account.id)?.rows.into_iter().filter(|row| row.leaves) {
        ctx.store.remove_address(account.id, &row.address)?;
        // The reader of the old address should know, in case another person changed it.
        let userid = account.userid.to_string();
        ctx.notify(Mail::page(Recipient::Address(row.address), "address-left.txt", context! { userid }));
    }
    Ok(())
}

/// Tells a player once, below an answer, to which of their addresses the server stopped writing.
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
            "Mail to {} {what}, so none is sent there. To begin again, send the command `add userid password \
             address` and reply to the mail that comes there.",
            addresses.join(" and ")
        ));
    }
    Ok(ctx.store.stops_are_told(player)?)
}

const QUESTION: &str = "confirm-address.txt";

/// The mail that asks an address whether it is its player's.
pub(crate) fn question(account: &Account, addresses: &PlayerAddresses, address: &str, is_new: bool) -> Mail {
    let userid = account.userid.to_string();
    let came_back = addresses.row(address).is_some_and(|row| row.stopped_at.is_some());
    let data = context! { m => context! { userid, address, is_new, came_back } };
    Mail {
        token: Some(token::of_address(&addresses.secret, account.id, address)),
        keep: Keep::Recipient,
        ..Mail::page(Recipient::Address(address.to_owned()), QUESTION, data)
    }
}

/// The address that a mail asks so.
pub(crate) fn asks(mail: &Mail) -> Option<&str> {
    match (&mail.to, &mail.content) {
        (Recipient::Address(address), Content::Page { template: QUESTION, .. }) => Some(address),
        _ => None,
    }
}
