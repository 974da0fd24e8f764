//! Reports about mails in a scene: `failure`, `words` or `complaint`, each about the last mail to bob.
//!
//! What differs is named: `status=5.2.2`, `about=ADDRESS`, `id=MESSAGE-ID`, `to=ADDRESS` in place of the return path of
//! that mail, `kind=virus` of a complaint, `path=ADDRESS` that a complaint says the mail came from, `by=ADDRESS` in place
//! of the null sender, and last `saying WORDS`.

use super::scene::{Scene, address};
use crate::support::reports::Report;
use turnpost::mail::incoming::{Envelope, EnvelopeSender};

/// The report and its envelope; `number` makes it another than those before.
pub fn report(scene: &Scene, kind: &str, words: &str, number: usize) -> Option<(Envelope, Vec<u8>)> {
    let bob = address("bob");
    let mail = scene.stage.left.iter().rev().find(|mail| mail.to == bob)?;
    let path = scene.stage.envelopes.iter().rev().find(|envelope| envelope.to == bob)?.from.as_deref()?;
    let (words, said) = words.split_once(" saying ").unwrap_or((words, ""));
    let named = |name: &str| words.split(' ').find_map(|word| word.strip_prefix(name)?.strip_prefix('='));
    let report = Report {
        to: named("to").unwrap_or(path),
        about: named("about").unwrap_or(&bob),
        id: named("id").unwrap_or(&mail.id),
        status: named("status").unwrap_or_default(),
        said,
        kind: named("kind").unwrap_or_default(),
        path: named("path").unwrap_or_default(),
        number,
    };
    let sender = named("by").map_or(EnvelopeSender::Null, |by| EnvelopeSender::Address(by.to_owned()));
    let envelope = Envelope { sender: Some(sender), recipient: Some(report.to.to_owned()) };
    let mail = match kind {
        "failure" => report.failure(),
        "words" => report.words(),
        "complaint" => report.complaint(),
        _ => return None,
    };
    Some((envelope, mail))
}
