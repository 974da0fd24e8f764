//! Reports in words, come to an envelope sender of ours: `tests/data/bounces.txt`.

use crate::support::data::{DataFile, decoded};
use crate::support::mails::{reported, site};
use turnpost::mail::bounce::{Cause, Status, verp};
use turnpost::mail::incoming::{Envelope, EnvelopeSender};

/// What a report says, by From, Subject and text.
fn said(from: &str, subject: &str, text: &str) -> Option<(Status, Cause)> {
    let to = verp(&site(), 42, ["ann@example.org", "<1@turnpost.example>"], b"key");
    let envelope = Envelope { sender: Some(EnvelopeSender::Null), recipient: Some(to.clone()) };
    let mail = format!(
        "From: {from}\r\nTo: {to}\r\nSubject: {subject}\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n{text}\r\n"
    );
    let report = reported(mail.as_bytes(), &envelope).unwrap();
    report.overall().map(|status| (status, report.cause))
}

#[test]
fn reports_in_words_say_what_they_mean_and_absence_notes_nothing() {
    let file = DataFile::read("bounces.txt");
    let mut wrong = Vec::new();
    for (section, table) in file.sections() {
        let expected = match section {
            "gone" => Some((Status::Permanent, Cause::Address)),
            "full" => Some((Status::Permanent, Cause::Full)),
            "refused" => Some((Status::Permanent, Cause::Refused)),
            "passes" => Some((Status::Temporary, Cause::Address)),
            "nothing" => None,
            _ => panic!("{section}"),
        };
        for line in table.lines() {
            let columns: Vec<String> = line.split(" | ").map(decoded).collect();
            let [from, subject, text] = columns.as_slice() else { panic!("{line}") };
            let found = said(from, subject, text);
            if found != expected {
                wrong.push(format!("{line}\n    is {found:?} and not {section}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
