//! Decides which addresses the server sends a question to, within the budgets of `[limits]`.

use jiff::Timestamp;

use crate::commands::prelude::*;
use crate::credentials::limits::{QUESTIONS_OF_AN_ACCOUNT, RateLimit};
use crate::failure::Error;
use crate::language::is_a_mail_role;
use crate::mail::incoming::is_robot;
use crate::store::mailbox_key;

/// Refuses this server's own addresses, and role or robot addresses unless the letter comes from that
/// address.
pub(crate) fn must_be_a_persons(ctx: &Context<'_>, address: &str) -> Result<(), CommandError> {
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

/// True if no mail goes to the address: its mails have come back, or the host has banned it.
pub(crate) fn has_stopped(ctx: &Context<'_>, address: &str) -> Result<bool, Error> {
    let has_bounced = ctx.store.bounces(address)?.is_some_and(|row| row.stopped_at.is_some());
    Ok(has_bounced || ctx.store.is_banned([address])?)
}

/// Allows one new mailbox per letter, and only a mailbox that a person reads.
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

/// Counts a question to a mailbox about `about` (an account or a board). If the budget is used up, counts
/// nothing and returns the time of the next question.
///
/// Unproven letters have separate counts, so they cannot use up the budget of proven ones.
pub(crate) fn held_until(
    ctx: &mut Context<'_>,
    about: &str,
    address: &str,
) -> Result<Option<Timestamp>, Error> {
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

/// True if the letter is allowed to cause one more mail with a code. Counts that mail.
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
