//! Confirms addresses by a reply from there.
//!
//! A player who signs up or adds an address may name another person's. We ask the address, within the budgets of
//! `[limits]`, with a token in the Reply-To, and send nothing else there before it answers. We do not ask when the
//! letter provably comes from the address, or when the operator gives it.

use std::collections::BTreeMap;

use jiff::Timestamp;
use minijinja::context;

use crate::commands::prelude::*;
use crate::commands::{Line, Reading, Request, seek};
use crate::credentials::limits::{QUESTIONS_OF_AN_ACCOUNT, RateLimit};
use crate::credentials::one_entry::must_bring_no_second_entry;
use crate::credentials::password;
use crate::credentials::token::{self, Token};
use crate::failure::Error;
use crate::ids::Userid;
use crate::language::phrasebook::is_clear_yes;
use crate::language::token::MASK;
use crate::language::token::{plain, words as token_words};
use crate::language::{Claim, GivenPassword, Password, PasswordPurpose, is_a_mail_role};
use crate::mail::Proof;
use crate::mail::incoming::is_robot;
use crate::notices::mail::{Content, Keep, Recipient};
use crate::notices::{Mail, Transcript};
use crate::store::{PlayerAddresses, PlayerId, Store, mailbox_key};

fn say_yes() -> Refusal {
    refusal!(
        "To confirm the address, reply with `yes` alone in the first line, or, to a mail that welcomes you, with `yes \
        NEWPASSWORD` and a password of your choice."
    )
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

/// Registers an address, and asks it if its owner is not proved. Returns the time before which it cannot be asked again.
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
    let held = ask(ctx, &account.userid.key(), address)?;
    if held.is_none() {
        ctx.notify(question(account, &addresses, address));
    }
    Ok(held)
}

/// Refuses an address of this server, and one of an office or a program, unless the letter comes from there.
fn must_be_a_persons(ctx: &Context<'_>, address: &str) -> Result<(), CommandError> {
    if ctx.server.is_some_and(|server| server.is_ours(address)) {
        return refuse!("{address} is an address of this server. Name one that a person reads.");
    }
    let is_vouched_for = ctx.writer.is_operator() || ctx.letter.is_from(address);
    let office = address.split(['@', '+']).next().is_some_and(is_a_mail_role);
    if !is_vouched_for && (office || is_robot(address)) {
        return refuse!(
            "{address} is the address of an office or a program. Name one that a person reads, or write from there."
        );
    }
    Ok(())
}

/// Refuses to write to more new mailboxes than a letter can name, and to mailboxes that no person reads.
pub(crate) fn one_a_letter(ctx: &mut Context<'_>, address: &str) -> Result<(), CommandError> {
    must_be_a_persons(ctx, address)?;
    let mailbox = mailbox_key(address);
    if ctx.writer.is_operator() || ctx.used.asked.contains(&mailbox) {
        return Ok(());
    }
    if !ctx.used.asked.is_empty() {
        return refuse!(
            "A mail has 1 new address asked whose it is, and this one names more: {address} too. Send it in a mail \
            of its own."
        );
    }
    ctx.used.asked.push(mailbox);
    Ok(())
}

/// True when a mailbox may be asked to confirm something for `about`, an account or a board. Counts the question.
///
/// Unproven letters have counts of their own, so that they cannot use up the questions of a proven one.
pub(crate) fn may_ask(ctx: &mut Context<'_>, about: &str, address: &str) -> Result<bool, Error> {
    Ok(ask(ctx, about, address)?.is_none())
}

/// The same; gives until when it may not be asked.
fn ask(ctx: &mut Context<'_>, about: &str, address: &str) -> Result<Option<Timestamp>, Error> {
    if ctx.writer.is_operator() {
        return Ok(None);
    }
    let stop = ctx.store.bounces(address)?.filter(|row| row.stopped_at.is_some() && row.unwanted);
    if stop.is_some() && !ctx.writer.is_proven() {
        return Ok(Some(ctx.now));
    }
    let (mailbox, limits) = (mailbox_key(address), ctx.limits);
    let mut counts = vec![
        (QUESTIONS_OF_AN_ACCOUNT, format!("{about} {mailbox}")),
        (limits.questions_of_a_mailbox(), format!("{}{mailbox}", apart(ctx))),
    ];
    counts.extend(counts_of_sender(ctx));
    ctx.take_all(&counts)
}

/// True when a letter may cause one more mail with a code. Counts it.
pub(crate) fn may_cause_a_question(ctx: &mut Context<'_>) -> Result<bool, Error> {
    let counts = counts_of_sender(ctx);
    Ok(ctx.writer.is_operator() || ctx.take_all(&counts)?.is_none())
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

/// `yes NEWPASSWORD` in reply to our question. Only the reader of the mailbox can write it, so the password is theirs.
#[derive(Debug, Clone)]
pub struct YesWithPassword {
    pub userid: Userid,
    pub password: Password,
}

impl Parameters for YesWithPassword {
    fn line(&self, _: &str) -> String {
        Written::new(None, "yes").and([MASK]).end()
    }

    fn password(&self) -> Option<GivenPassword<'_>> {
        let purpose = PasswordPurpose::Question;
        Some(GivenPassword { userid: Some(&self.userid), password: &self.password, purpose })
    }
}

/// An answer to the question about an address.
enum Yes {
    Plain(Account),
    With(Account, Password),
}

/// Reads the first line of a reply; `None` if it is no yes. A userid and a password can follow the word `yes`.
/// The account is that of the question, or another that waits for this address: the token proves the mailbox, and the
/// reader says which is theirs.
fn read_yes(store: &Store, player: PlayerId, address: &str, text: &str) -> Result<Option<Yes>, Error> {
    let first = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
    let Ok(words) = token_words(&plain(first)) else { return Ok(None) };
    let mut words = words.into_iter().map(|word| word.text).filter(|word| !bare(word).is_empty());
    let may_have_more = words.next().is_some_and(|word| bare(&word) == "yes");
    let (next, last, more) = (words.next(), words.next(), words.next());
    let named = match &next {
        Some(word) if may_have_more => waiting_as(store, player, &bare(word), address)?,
        _ => None,
    };
    let own = || store.player_by_id(player);
    Ok(match (named, next, last, more) {
        (Some(account), _, None, _) => Some(Yes::Plain(account)),
        (Some(account), _, Some(password), None) => Some(Yes::With(account, Password(password))),
        _ if is_clear_yes(first) => Some(Yes::Plain(own()?)),
        (None, Some(password), None, _) if may_have_more => Some(Yes::With(own()?, Password(password))),
        _ => None,
    })
}

/// Takes a `yes` with a password for the command that it is, before passwords are hashed.
pub fn settle(store: &Store, token: Option<&Token>, lines: &mut [Line]) -> Result<(), Error> {
    let Some(Token::Confirm(player, address)) = token else { return Ok(()) };
    for line in lines {
        if let Reading::Reply(text) = &line.reading
            && let Some(Yes::With(account, password)) = read_yes(store, *player, address, text)?
        {
            line.echo = "yes ***".to_owned();
            line.strict_echo = line.echo.clone();
            let command = YesWithPassword { userid: account.userid, password };
            let command = Command::YesWithPassword(command);
            line.reading = Reading::Command(Request { by: Claim::Nobody, command });
        }
    }
    Ok(())
}

/// Acts on the first line of a reply to our question.
pub(crate) fn confirm_address(
    ctx: &mut Context<'_>,
    player: PlayerId,
    address: String,
    text: &str,
) -> Result<Event, CommandError> {
    match read_yes(ctx.store, player, &address, text)? {
        Some(Yes::Plain(account)) => confirm(ctx, account, address, None),
        _ => Err(say_yes().into()),
    }
}

/// The same, with a password.
pub(crate) fn with_password(ctx: &mut Context<'_>, command: YesWithPassword) -> Result<Event, CommandError> {
    let Some(Token::Confirm(_, address)) = ctx.token.clone() else { return Err(say_yes().into()) };
    let account = ctx.store.player(&command.userid)?.ok_or_else(say_yes)?;
    let addresses = ctx.store.addresses(account.id)?;
    let is_own = addresses.row(&address).is_some_and(|row| row.confirmed_at.is_some());
    if is_own && account.password_hash.is_some() {
        return refuse!(
            "{userid} has a password already, and this mail sets no other. To get another, send this as the Subject of a \
            mail:\n\n    forgot {userid}",
            userid = account.userid
        );
    }
    // The `yes` of an additional address accepts mail and nothing else.
    if account.password_hash.is_some() || !(is_own || ctx.store.is_unclaimed(&account)?) {
        return Err(say_yes().into());
    }
    password::check(&account.userid, &command.password)?;
    let hash = ctx.proofs.fresh_hash(&command.userid, &command.password).ok_or_else(say_yes)?;
    confirm(ctx, account, address, Some(hash))
}

fn confirm(
    ctx: &mut Context<'_>,
    account: Account,
    address: String,
    password_hash: Option<&str>,
) -> Result<Event, CommandError> {
    let is_new = ctx.store.addresses(account.id)?.confirmed().next().is_none();
    must_bring_no_second_entry(ctx.store, account.id, &address)?;
    ctx.store.confirm_address(account.id, &address, ctx.now)?;
    if let Some(hash) = password_hash {
        ctx.store.set_password(account.id, hash)?;
    }
    ctx.answer_to(account.id);
    drop_leaving(ctx, &account)?;
    let seeks = if is_new { seek::for_newcomer(ctx, account.id)? } else { Vec::new() };
    let password = match (password_hash, &account.password_hash) {
        (Some(_), _) => "set",
        (None, Some(_)) => "kept",
        (None, None) => "none",
    };
    let userid = account.userid.to_string();
    Ok(Event::Confirmed { userid, mailbox: address, is_new, password, seeks, robot: ctx.robot.rules.enabled })
}

fn bare(word: &str) -> String {
    word.trim_matches(|c: char| !c.is_alphanumeric() && !matches!(c, '_' | '-')).to_lowercase()
}

/// The account of this userid that waits for the address to confirm, or that the question is about.
fn waiting_as(store: &Store, asked: PlayerId, userid: &str, address: &str) -> Result<Option<Account>, Error> {
    for player in std::iter::once(asked).chain(store.waiting_at(address)?) {
        let account = store.player_by_id(player)?;
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
        if row.stopped_at.is_some() {
            continue;
        }
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

/// True for the question whether an address of a player works again.
pub(crate) fn asks_back(mail: &Mail) -> bool {
    matches!(&mail.content, Content::Page { template: QUESTION, data }
        if data.get_attr("m").and_then(|m| m.get_attr("came_back")).is_ok_and(|came_back| came_back.is_true()))
}

/// The address that a mail asks so.
pub(crate) fn asks(mail: &Mail) -> Option<&str> {
    match (&mail.to, &mail.content) {
        (Recipient::Address(address), Content::Page { template: QUESTION, .. }) => Some(address),
        _ => None,
    }
}
