//! The mails that members and mail servers write.

use super::AUTHSERV_ID;
use super::agenda::Member;
use crate::mail::incoming::{Envelope, EnvelopeSender};

/// A mail on its way in.
pub(super) struct Mail {
    pub bytes: Vec<u8>,
    pub envelope: Envelope,
}

pub(super) fn userid(member: Member) -> String {
    format!("member-{member}")
}

fn address(member: Member) -> String {
    format!("{}@example.org", userid(member))
}

/// A mail of a member, with the proof of the mail server in front.
pub(super) fn of_member(member: Member, number: u32, to: &str, subject: &str, text: &str) -> Mail {
    let from = address(member);
    let bytes = format!(
        "Authentication-Results: {AUTHSERV_ID}; dmarc=pass header.from=example.org\r\n\
         Received: from mx.example.org (mx.example.org [192.0.2.7])\r\n\tby {AUTHSERV_ID} with ESMTPS id {number:08X}\r\n\
         From: {from}\r\nTo: <{to}>\r\nMessage-ID: <simulated.{number}@example.org>\r\nSubject: {subject}\r\n\
         MIME-Version: 1.0\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n{text}\r\n"
    );
    let envelope = Envelope { sender: Some(EnvelopeSender::Address(from)), recipient: Some(to.to_owned()) };
    Mail { bytes: bytes.into_bytes(), envelope }
}

/// The report of a mail server that could not deliver one of our mails for now.
pub(super) fn report(number: u32, return_path: &str, recipient: &str) -> Mail {
    let bytes = format!(
        "Return-Path: <>\r\nFrom: Mail Delivery System <MAILER-DAEMON@mx.example.org>\r\nTo: {return_path}\r\n\
         Message-ID: <simulated.{number}@mx.example.org>\r\nSubject: Undelivered Mail Returned to Sender\r\n\
         Auto-Submitted: auto-replied\r\nMIME-Version: 1.0\r\n\
         Content-Type: multipart/report; report-type=delivery-status; boundary=\"b1\"\r\n\r\n\
         --b1\r\n\r\nYour mail could not be delivered.\r\n\
         --b1\r\nContent-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; mx.example.org\r\n\r\n\
         Final-Recipient: rfc822; {recipient}\r\nAction: failed\r\nStatus: 5.2.2\r\n\
         Diagnostic-Code: smtp; 552 5.2.2 mailbox full\r\n\r\n--b1--\r\n"
    );
    let envelope = Envelope { sender: Some(EnvelopeSender::Null), recipient: Some(return_path.to_owned()) };
    Mail { bytes: bytes.into_bytes(), envelope }
}
