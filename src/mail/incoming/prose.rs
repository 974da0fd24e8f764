//! Reads reports in sentences, as servers wrote them before RFC 3464: an address at the beginning of a line,
//! and the other server's words near it.

use crate::mail::bounce::Status;
use crate::mail::clean;

/// Reports are shorter than this, without the returned mail.
const MAX_LINES: usize = 200;

/// Lines with these words introduce the returned mail.
const RETURNED: [&str; 10] = [
    "original message",
    "copy of the message",
    "copy of your message",
    "message follows",
    "returned message",
    "below this line",
    "original message headers",
    "message header",
    "undelivered message",
    "original mail",
];

/// Words for a permanent failure, in reports without a code.
const PERMANENT: [&str; 10] = [
    "permanent",
    "unknown",
    "does not exist",
    "not found",
    "no such",
    "invalid",
    "undeliverable",
    "rejected",
    "not recognized",
    "over quota",
];

/// Words for a mail that is still being tried.
const TEMPORARY: [&str; 5] = ["delayed", "deferred", "will be retried", "will retry", "still trying"];

/// The addresses with their status. `delayed` is true when the Subject says that delivery goes on.
pub(super) fn recipients(text: &str, delayed: bool) -> Vec<(String, Status)> {
    let mut found: Vec<(String, Option<Status>)> = Vec::new();
    let mut words = String::new();
    for line in text.lines().take(MAX_LINES) {
        let plain = line.trim().to_lowercase();
        if RETURNED.iter().any(|mark| plain.contains(mark)) && plain.len() < 100 && !found.is_empty() {
            break;
        }
        let said = class(line);
        match address(line) {
            Some(address) => match found.iter_mut().find(|(known, _)| *known == address) {
                Some((_, status)) => *status = status.or(said),
                None => found.push((address, said)),
            },
            None if said.is_some() => {
                if let Some((_, status)) = found.iter_mut().rev().find(|(_, status)| status.is_none()) {
                    *status = said;
                }
            }
            None => {}
        }
        words.push_str(&plain);
        words.push('\n');
    }
    let says = |list: &[&str]| list.iter().any(|word| words.contains(word));
    let overall = if says(&TEMPORARY) {
        Some(Status::Temporary)
    } else {
        says(&PERMANENT).then_some(Status::Permanent)
    };
    let settled = found.into_iter().filter_map(|(address, status)| Some((address, status.or(overall)?)));
    settled.map(|(address, status)| (address, if delayed { Status::Temporary } else { status })).collect()
}

/// The address at the beginning of a line, or the one in brackets that a code is about: `554 <ann@x.org>...
/// unknown`.
fn address(line: &str) -> Option<String> {
    let first = line.split_whitespace().next()?;
    let first = first.split_once("<mailto:").map_or(first, |(address, _)| address);
    let bare = first.trim_matches(|c: char| "<>[]()\"':;,.*".contains(c));
    let inner = || {
        let (_, rest) = line.split_once('<')?;
        let (address, _) = rest.split_once('>')?;
        class(line).and_then(|_| clean::address(address))
    };
    clean::address(bare).or_else(inner)
}

/// The class of the first status code (RFC 3463 2: `5.1.1`) or reply code (RFC 5321 4.2.1: `550`).
pub(super) fn class(text: &str) -> Option<Status> {
    let parts = text.split(|c: char| !(c.is_ascii_digit() || c == '.'));
    parts.map(|part| part.trim_matches('.')).find_map(|word| {
        let mut figures = word.split('.');
        let (first, second, third) = (figures.next()?, figures.next(), figures.next());
        let small = |figure: &str| !figure.is_empty() && figure.len() <= 3;
        let code = match (second, third) {
            (Some(second), Some(third)) => {
                first.len() == 1 && small(second) && small(third) && figures.next().is_none()
            }
            (None, None) => first.len() == 3,
            _ => false,
        };
        match first.chars().next().filter(|_| code)? {
            '2' => Some(Status::Delivered),
            '4' => Some(Status::Temporary),
            '5' => Some(Status::Permanent),
            _ => None,
        }
    })
}

#[cfg(test)]
mod tests {
    use super::{Status, class};

    #[test]
    fn codes() {
        for (text, expected) in [
            ("5.1.1", Some(Status::Permanent)),
            ("smtp; 450 4.2.2 <a@b>... full", Some(Status::Temporary)),
            ("(#5.1.1) no mailbox", Some(Status::Permanent)),
            ("host 192.0.2.5 and 5.1.2.3 and 1.2.3", None),
            ("in 2026, port 25, 55 5.5", None),
            ("550-5.7.1", Some(Status::Permanent)),
            ("2.1.5", Some(Status::Delivered)),
            ("", None),
        ] {
            assert_eq!(class(text), expected, "{text}");
        }
    }
}
