//! Counts mails of ours that came back.
//!
//! A report counts against an address when it proves to be about our mail. It proves that by arriving at an envelope
//! sender that only this server can make. At the bare address, where the mail server has no extensions, it must name
//! both the Message-ID of our mail, which nobody can guess, and the recipient.
//!
//! Temporary failures do not count. One complaint of a reader is enough to stop; it needs only the Message-ID,
//! because complaints leave the recipient out.

use std::fmt;

use jiff::Timestamp;

use crate::mail::ServerIdentity;
use crate::mail::bounce::{Report, Status, read_verp};
use crate::service::notification::{Content, Notification, Recipient};
use crate::service::{Error, Occasion, Outbox};
use crate::store::{Entrance, Store, Tally};

/// What a report changed, for the log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Counted {
    /// It names no mail of ours, or does not prove it.
    NotOurs,
    Again,
    Temporary,
    Permanent,
    /// A mail came back for good, and the server stops writing to that address.
    Stopped,
    /// The reader does not want our mail, and the server stops writing to them.
    Unwanted,
}

impl fmt::Display for Counted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Counted::NotOurs => "not shown to be about a mail of ours",
            Counted::Again => "counted before",
            Counted::Temporary => "nothing came back for good",
            Counted::Permanent => "a mail came back for good",
            Counted::Unwanted => "a reader does not want mail of ours, and no more is sent there",
            Counted::Stopped => "mail to an address came back for good, and no more is sent there",
        })
    }
}

/// Counts a report, inside a transaction.
pub fn count(
    store: &Store,
    host: Host<'_>,
    outbox: &impl Outbox,
    report: &Report,
    now: Timestamp,
) -> Result<Counted, Error> {
    let Some(mail) = about(store, host.server, report)? else { return Ok(Counted::NotOurs) };
    let Some(id) = store.add_letter(&report.identity, now, Entrance::Report, None)? else {
        return Ok(Counted::Again);
    };
    store.close_letter(id, None, Tally::default(), &format!("about mail {}", mail.number))?;
    let (stops, counted) = match mail.what {
        Status::Unwanted => (store.take_complaint(mail.number, now)?, Counted::Unwanted),
        Status::Permanent => (store.count_bounce(mail.number, now)?, Counted::Stopped),
        Status::Temporary | Status::Delivered => return Ok(Counted::Temporary),
    };
    if !stops {
        return Ok(Counted::Permanent);
    }
    tell_operator(store, host.operator, outbox, now)?;
    Ok(counted)
}

/// The server and operator a report concerns.
#[derive(Clone, Copy)]
pub struct Host<'a> {
    pub server: &'a ServerIdentity,
    pub operator: &'a str,
}

/// The mail that a report is about.
struct About {
    number: i64,
    what: Status,
}

fn about(store: &Store, server: &ServerIdentity, report: &Report) -> Result<Option<About>, Error> {
    if let Some(address) = &report.verp {
        let number = read_verp(server, address, &store.bounce_key()?);
        let Some(number) = number.and_then(|number| i64::try_from(number).ok()) else { return Ok(None) };
        let Some(recipient) = store.recipient_of(number)? else { return Ok(None) };
        if report.unwanted {
            return Ok(Some(About { number, what: Status::Unwanted }));
        }
        // A forwarding server may name another address, but our mail had one recipient.
        let named =
            status_of(report, &recipient).or_else(|| report.recipients.first().map(|(_, status)| *status));
        return Ok(named.map(|what| About { number, what }));
    }
    let Some(id) = &report.message_id else { return Ok(None) };
    let Some((number, recipient)) = store.mail_to_player(id)? else { return Ok(None) };
    let named = if report.unwanted { Some(Status::Unwanted) } else { status_of(report, &recipient) };
    Ok(named.map(|what| About { number, what }))
}

fn status_of(report: &Report, recipient: &str) -> Option<Status> {
    let same = |address: &str| address.to_lowercase() == recipient.to_lowercase();
    report.recipients.iter().find(|(address, _)| same(address)).map(|(_, status)| *status)
}

/// Tells the operator to which addresses the server has stopped writing since the last time.
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
        let notification = Notification::new(to, Content::AddressStopped { stop, userids });
        mails += outbox.put(store, &occasion, vec![notification], now)?;
    }
    Ok(mails)
}
