//! Counts bounces and complaints about the mails of this server.
//!
//! A report counts against an address only if it proves that it is about a mail of this server. Either it arrives at an
//! envelope sender that only this server can make, or it is a complaint that names one. Other reports never stop a
//! player's mail.
//!
//! If the mail server does not support address extensions, mails have no such envelope sender. Then a report that names
//! the Message-ID of a mail to a player makes the server ask that player, at most once in 30 days. If the player does
//! not answer, nothing changes.
//!
//! Temporary failures do not count. A full mailbox, a filter or a block counts as a third of a bounce. One complaint
//! stops all mail to the address.

use std::fmt;

use jiff::Timestamp;
use minijinja::context;

use crate::failure::Error;
use crate::ids::same_address;
use crate::mail::bounce::{Cause, Report, Status, is_verp_of, verp_number};
use crate::mail::{ServerIdentity, token};
use crate::notices::mail::Recipient;
use crate::notices::{Mail, Occasion, Outbox};
use crate::store::{BounceRow, CameBack, ClosedLetter, Entrance, MailToPlayer, NewLetter, Store};

/// What a report changed, for the log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BounceOutcome {
    /// The report names no mail of this server, or does not prove that it is about one.
    NotOurs,
    Again,
    Temporary,
    Permanent,
    /// A mail came back, but the address exists.
    Refused,
    /// The report proves nothing, so the server asks the player.
    Asked,
    /// The report proves nothing. The player is not asked, because the address is unconfirmed or was asked recently.
    AskedBefore,
    /// A mail bounced permanently, and the server stops writing to that address.
    Stopped,
    /// The reader complained, and the server stops writing to that address.
    Unwanted,
}

impl fmt::Display for BounceOutcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            BounceOutcome::NotOurs => "not shown to be about a mail of ours",
            BounceOutcome::Again => "counted before",
            BounceOutcome::Temporary => "nothing came back for good",
            BounceOutcome::Permanent => "a mail came back for good",
            BounceOutcome::Refused => {
                "a mail came back for good, refused though the address exists, which counts a third"
            }
            BounceOutcome::Asked => {
                "not shown to be about a mail of ours: its player is asked, and nothing stops"
            }
            BounceOutcome::AskedBefore => {
                "not shown to be about a mail of ours, and its player was asked before"
            }
            BounceOutcome::Unwanted => "a reader does not want mail of ours, and no more is sent there",
            BounceOutcome::Stopped => "mail to an address came back for good, and no more is sent there",
        })
    }
}

/// Counts a report. Runs inside a transaction.
pub fn count(
    store: &Store,
    host: BounceContext<'_>,
    outbox: &impl Outbox,
    report: &Report,
    now: Timestamp,
) -> Result<BounceOutcome, Error> {
    let Some(mail) = about(store, host.server, report)? else { return Ok(BounceOutcome::NotOurs) };
    let new =
        NewLetter { identity: report.identity, entrance: Entrance::Report, sender: None, message_id: None };
    let Some(id) = store.add_letter(&new, now)? else {
        return Ok(BounceOutcome::Again);
    };
    store.close_letter(id, &ClosedLetter::of(format!("about mail {}", mail.number)))?;
    let (what, counted) = match (mail.status, report.cause) {
        (Status::Unwanted, _) => (CameBack::Unwanted, BounceOutcome::Unwanted),
        (Status::Permanent, Cause::Address) => (CameBack::ForGood, BounceOutcome::Stopped),
        (Status::Permanent, Cause::Full | Cause::Refused | Cause::Ours) => {
            (CameBack::Refused, BounceOutcome::Stopped)
        }
        (Status::Temporary | Status::Delivered, _) => return Ok(BounceOutcome::Temporary),
    };
    if let Proven::ByNothing(mail) = mail.proven {
        return ask(store, outbox, &mail, what, now);
    }
    let stops = store.came_back(mail.number, what, now)?;
    if let Some(said) = said(report) {
        store.keep_bounce_words(mail.number, &said)?;
    }
    if !stops {
        return Ok(if what == CameBack::Refused { BounceOutcome::Refused } else { BounceOutcome::Permanent });
    }
    tell_operator(store, host.operator, outbox, now)?;
    Ok(counted)
}

/// The reporting server's words for the operator, with tokens masked.
fn said(report: &Report) -> Option<String> {
    match report.unwanted {
        true => Some("its reader complained of it".to_owned()),
        false => report.said.as_ref().map(|said| token::mask(said, |_| false)),
    }
}

/// Asks a player whether an unproven report about their address is true.
fn ask(
    store: &Store,
    outbox: &impl Outbox,
    mail: &MailToPlayer,
    what: CameBack,
    now: Timestamp,
) -> Result<BounceOutcome, Error> {
    if !store.may_ask_about_report(mail.player, &mail.recipient, now)? {
        return Ok(BounceOutcome::AskedBefore);
    }
    let name = format!("report about {} {}", mail.recipient, now.as_second());
    let Some(occasion) = Occasion::begin(store, Entrance::Report, &name, now)? else {
        return Ok(BounceOutcome::AskedBefore);
    };
    let userid = store.player_by_id(mail.player)?.userid.to_string();
    let unwanted = what == CameBack::Unwanted;
    let data = context! { userid, address => &mail.recipient, unwanted };
    let to = Recipient::PlayerAt(mail.player, mail.recipient.clone());
    outbox.put(store, &occasion, vec![Mail::page(to, "report-question.md", data)], now)?;
    Ok(BounceOutcome::Asked)
}

/// This server, and the operator's address.
#[derive(Clone, Copy)]
pub struct BounceContext<'a> {
    pub server: &'a ServerIdentity,
    pub operator: &'a str,
}

struct ReportedMail {
    number: i64,
    status: Status,
    proven: Proven,
}

/// The proof that a report is about one of our mails.
enum Proven {
    /// An envelope sender that only this server can make.
    ByTag,
    /// Only a Message-ID, which any reader of the mail knows.
    ByNothing(MailToPlayer),
}

fn about(store: &Store, server: &ServerIdentity, report: &Report) -> Result<Option<ReportedMail>, Error> {
    let verp = report.verp.as_ref().and_then(|address| Some((address, verp_number(server, address)?)));
    if let Some((address, number)) = verp.and_then(|(verp, number)| Some((verp, i64::try_from(number).ok()?)))
    {
        let Some((recipient, message_id)) = store.sent_mail(number)? else { return Ok(None) };
        if !is_verp_of(server, address, [&recipient, &message_id], &store.bounce_key()?) {
            return Ok(None);
        }
        // The report of a forwarding server may name another address or none. The mail had only one recipient.
        let status = status_of(report, &recipient).or_else(|| report.overall());
        return Ok(status.map(|status| ReportedMail { number, status, proven: Proven::ByTag }));
    }
    // With address extensions, every real report arrives at such an envelope sender. So a Message-ID is no evidence.
    let Some(id) = report.message_id.as_ref().filter(|_| !server.extensions) else { return Ok(None) };
    let Some(mail) = store.mail_to_player(id)? else { return Ok(None) };
    let status = status_of(report, &mail.recipient);
    Ok(status.map(|status| ReportedMail { number: mail.number, status, proven: Proven::ByNothing(mail) }))
}

fn status_of(report: &Report, recipient: &str) -> Option<Status> {
    if report.unwanted {
        return Some(Status::Unwanted);
    }
    report.recipients.iter().find(|(address, _)| same_address(address, recipient)).map(|(_, status)| *status)
}

/// Mails the operator about each stopped address not reported yet. Returns the number of mails.
pub fn tell_operator(
    store: &Store,
    operator: &str,
    outbox: &impl Outbox,
    now: Timestamp,
) -> Result<usize, Error> {
    let mut mails = 0;
    for (stop, userids) in store.take_unreported_stops()? {
        if stop.address.eq_ignore_ascii_case(operator) {
            continue;
        }
        let name = format!("stopped {} {}", stop.address, now.as_second());
        let Some(occasion) = Occasion::begin(store, Entrance::Report, &name, now)? else { continue };
        let to = Recipient::Address(operator.to_owned());
        let BounceRow { address, count, unwanted, .. } = stop;
        let data = context! { address, count, unwanted, userids };
        mails += outbox.put(store, &occasion, vec![Mail::page(to, "stopped.md", data)], now)?;
    }
    Ok(mails)
}
