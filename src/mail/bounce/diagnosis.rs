//! Reads a mail server's words about a failure: whether it is permanent, and whether the address is the cause.

use std::sync::LazyLock;

use super::{Cause, Status};
use crate::mail::phrases::{BOUNCES, Phrases, section};

static IN_TIME: Phrases = LazyLock::new(|| section(BOUNCES, "in time"));
static TRIED_FOR: Phrases = LazyLock::new(|| section(BOUNCES, "tried for"));
static GIVEN_UP: Phrases = LazyLock::new(|| section(BOUNCES, "given up"));
static PASSING: Phrases = LazyLock::new(|| section(BOUNCES, "passing"));
static UNREACHED: Phrases = LazyLock::new(|| section(BOUNCES, "unreached"));
static FULL: Phrases = LazyLock::new(|| section(BOUNCES, "full"));
static REFUSED: Phrases = LazyLock::new(|| section(BOUNCES, "refused"));
static OURS: Phrases = LazyLock::new(|| section(BOUNCES, "ours"));
static NO_SUCH_USER: Phrases = LazyLock::new(|| section(BOUNCES, "no such user"));
static PERHAPS_NO_SUCH_USER: Phrases = LazyLock::new(|| section(BOUNCES, "perhaps no such user"));
static FAILED: Phrases = LazyLock::new(|| section(BOUNCES, "failed"));
static FAILED_SAYS_A_PROGRAM: Phrases = LazyLock::new(|| section(BOUNCES, "failed, says a program"));
static ABSENT: Phrases = LazyLock::new(|| section(BOUNCES, "absent"));

/// The most characters that are read. Servers state the failure at the beginning.
const LOOK_AT: usize = 16 * 1024;

/// The finding about one mail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Diagnosis {
    pub status: Status,
    pub cause: Cause,
}

/// The possible writers of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Voice {
    /// A mail server, by its address, Subject or format.
    Program,
    /// Perhaps a person, whose letter can contain numbers or an absence note.
    Unknown,
}

impl Diagnosis {
    /// The diagnosis of a text; `None` if it reports neither a failure nor a delivery.
    pub fn of(text: &str, voice: Voice) -> Option<Diagnosis> {
        let text = plain(text);
        let says = |list: &[&str]| list.iter().any(|phrase| text.contains(phrase));
        let no_such_user = says(&NO_SUCH_USER) || says(&PERHAPS_NO_SUCH_USER);
        if voice == Voice::Unknown && (says(&ABSENT) || !(says(&FAILED) || no_such_user)) {
            return None;
        }
        // Codes first, in any place, then words about time, then words about an address: a failure with another cause
        // must not count against the address.
        let codes = Codes::of(&text);
        let passing = || codes.status() != Some(Status::Permanent) && says(&PASSING);
        if codes.passes {
            return Some(TEMPORARY);
        }
        let given_up = codes.status() != Some(Status::Temporary) && says(&GIVEN_UP);
        if !given_up && (says(&IN_TIME) || was_tried_for_long(&text) || codes.is_expired() || passing()) {
            return Some(TEMPORARY);
        }
        let bad_address = codes.blames_the_address() || says(&NO_SUCH_USER);
        if says(&UNREACHED) && !bad_address && !given_up {
            return Some(TEMPORARY);
        }
        let by_words = || {
            let failed =
                given_up || bad_address || no_such_user || says(&OURS) || says(&FAILED) || says(&FULL);
            (failed || voice == Voice::Program && says(&FAILED_SAYS_A_PROGRAM)).then_some(Status::Permanent)
        };
        match codes.status().or_else(by_words)? {
            Status::Permanent => Some(Diagnosis { status: Status::Permanent, cause: cause(&text, codes) }),
            status => Some(Diagnosis { status, ..TEMPORARY }),
        }
    }
}

const TEMPORARY: Diagnosis = Diagnosis { status: Status::Temporary, cause: Cause::Address };

/// The cause of a permanent failure. Without a clue it is the address, as in most cases.
fn cause(text: &str, codes: Codes) -> Cause {
    let says = |list: &[&str]| list.iter().any(|phrase| text.contains(phrase));
    let is_ours = says(&OURS) || matches!(codes.enhanced, Some((5, 1, 7 | 8)));
    if says(&GIVEN_UP) {
        Cause::Refused
    } else if codes.blames_the_address() && says(&NO_SUCH_USER) && !is_ours && codes.of_the_mail.is_none() {
        // `5.1.1 user unknown`, even if the text also mentions full mailboxes.
        Cause::Address
    } else if says(&FULL) || codes.is_full() {
        Cause::Full
    } else if is_ours {
        Cause::Ours
    } else if codes.of_the_mail == Some(Precision::Vague) && says(&NO_SUCH_USER) && !says(&REFUSED) {
        Cause::Address
    } else if codes.of_the_mail.is_some() {
        Cause::Refused
    } else if says(&NO_SUCH_USER) || matches!(codes.enhanced, Some((5, 4, 1))) {
        Cause::Address
    } else if says(&REFUSED) || codes.takes_no_mail() {
        Cause::Refused
    } else {
        Cause::Address
    }
}

/// True for "could not be delivered for 4 days" and the like.
fn was_tried_for_long(text: &str) -> bool {
    let long = |rest: &str| {
        let counted = ["more than ", "over ", "at least ", "the last ", "the past ", "past ", "last "];
        let rest = rest.trim_start();
        let rest = counted.iter().find_map(|words| rest.strip_prefix(words)).unwrap_or(rest);
        rest.starts_with(|c: char| c.is_ascii_digit())
    };
    TRIED_FOR.iter().any(|phrase| {
        text.match_indices(phrase).any(|(at, _)| text.get(at + phrase.len()..).is_some_and(long))
    })
}

/// The text in lower case with single spaces: servers fold their lines anywhere.
fn plain(text: &str) -> String {
    let end = text.char_indices().nth(LOOK_AT).map_or(text.len(), |(end, _)| end);
    let text = text.get(..end).unwrap_or(text);
    let mut plain = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        plain.push_str(&word.replace('’', "'").to_lowercase());
        plain.push(' ');
    }
    plain
}

/// The codes of a text: enhanced (RFC 3463 2: `5.1.1`), and replies (RFC 5321 4.2.1: `550`).
#[derive(Debug, Clone, Copy, Default)]
struct Codes {
    enhanced: Option<(u8, u16, u16)>,
    reply: Option<u16>,
    /// The last reply code.
    last: Option<u16>,
    /// True if an enhanced status code (4.x.x) marks the failure as temporary.
    passes: bool,
    /// Set if a code blames the mail or the sending server.
    of_the_mail: Option<Precision>,
}

/// How exactly a code names the cause.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Precision {
    /// A detail of 0 ("other"), or 5.7.1, which servers use for any reason. The words then say more.
    Vague,
    Exact,
}

impl Codes {
    fn of(text: &str) -> Codes {
        let mut codes = Codes::default();
        let mut before = ' ';
        for part in text.split_inclusive(|c: char| !(c.is_ascii_digit() || c == '.')) {
            let end = part.chars().next_back().filter(|c| !(c.is_ascii_digit() || *c == '.'));
            let word = part.trim_end_matches(|c: char| Some(c) == end).trim_matches('.');
            // Digits inside a word, a date, a path or an address are not a code.
            let alone = !before.is_alphanumeric() && !"-_/=@+%".contains(before);
            if alone && !end.is_some_and(|c| c.is_alphabetic() || "_/=@%".contains(c)) {
                codes.add(word);
            } else if before == '-' && codes.reply.is_some() && codes.enhanced.is_none() {
                // `550-5.7.1`.
                codes.note(enhanced(word));
            }
            if !(part.is_empty() || (word.is_empty() && end.is_none())) {
                before = end.unwrap_or(' ');
            }
        }
        codes
    }

    fn add(&mut self, word: &str) {
        self.note(enhanced(word));
        self.last = reply(word).or(self.last);
        self.reply = self.reply.or(self.last);
    }

    /// Notes the first enhanced code, and any that follows a reply of its class. Other figures are versions and dates.
    /// A later code replaces `5.0.0`.
    fn note(&mut self, code: Option<(u8, u16, u16)>) {
        let Some((class, subject, detail)) = code else { return };
        let is_said = self.last.is_some_and(|reply| reply / 100 == u16::from(class));
        if self.enhanced.is_none() || is_said {
            self.passes |= class == 4 && (subject, detail) != (0, 0);
            // Codes that blame the mail: its size, form, protocol, or a rule against it (RFC 3463 3.4 to 3.8).
            if class == 5 && (matches!(subject, 3 | 5..=7) || (subject, detail) == (2, 3)) {
                let is_vague = detail == 0 || (subject, detail) == (7, 1);
                let precision = if is_vague { Precision::Vague } else { Precision::Exact };
                self.of_the_mail = self.of_the_mail.max(Some(precision));
            }
            self.enhanced =
                self.enhanced.filter(|(_, subject, detail)| (*subject, *detail) != (0, 0)).or(code);
        }
    }

    /// A temporary enhanced code wins over a permanent reply: a report that gives up closes with 554.
    fn status(self) -> Option<Status> {
        let exact = self.enhanced.filter(|(_, subject, detail)| (*subject, *detail) != (0, 0));
        let class = match (exact, self.reply, self.enhanced) {
            (Some((class, ..)), _, _) => u16::from(class),
            (None, Some(reply), _) => reply / 100,
            (None, None, Some((class, ..))) => u16::from(class),
            (None, None, None) => return None,
        };
        Some(match class {
            2 => Status::Delivered,
            4 => Status::Temporary,
            _ => Status::Permanent,
        })
    }

    /// X.4.7: the time for delivery has run out.
    fn is_expired(self) -> bool {
        matches!(self.enhanced, Some((4 | 5, 4, 7)))
    }

    fn blames_the_address(self) -> bool {
        matches!(self.enhanced, Some((5, 1, 1..=6 | 10)))
    }

    /// True if a server accepts no mail at all (RFC 5321 4.2.3, RFC 7504) and no code says more.
    fn takes_no_mail(self) -> bool {
        let is_exact = self.enhanced.is_some_and(|(_, subject, detail)| (subject, detail) != (0, 0));
        !is_exact && matches!(self.reply, Some(521 | 554 | 571))
    }

    fn is_full(self) -> bool {
        matches!(self.enhanced, Some((5, 2, 2))) || self.enhanced.is_none() && self.reply == Some(552)
    }
}

fn enhanced(word: &str) -> Option<(u8, u16, u16)> {
    let mut figures = word.split('.');
    let (class, subject, detail) = (figures.next()?, figures.next()?, figures.next()?);
    let small = |figure: &str, digits| (1..=digits).contains(&figure.len());
    if figures.next().is_some() || !small(class, 1) || !small(subject, 3) || !small(detail, 3) {
        return None;
    }
    let class: u8 = class.parse().ok().filter(|class| matches!(class, 2 | 4 | 5))?;
    // RFC 3463 3 has eight subjects. A greater number is part of a date or a version.
    let subject: u16 = subject.parse().ok().filter(|subject| *subject <= 7)?;
    Some((class, subject, detail.parse().ok()?))
}

fn reply(word: &str) -> Option<u16> {
    let code: u16 = Some(word).filter(|word| word.len() == 3)?.parse().ok()?;
    matches!(code, 250..=252 | 400..=459 | 470..=479 | 500..=559 | 570..=579).then_some(code)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn diagnoses_of_servers() {
        let lines = include_str!("../../../tests/data/diagnoses.txt").lines();
        for line in lines.filter(|line| !line.is_empty() && !line.starts_with("# ")) {
            let (text, expected) = line.split_once(" | ").unwrap();
            let found = Diagnosis::of(&text.replace("\\n", "\n"), Voice::Program);
            let name = match found.map(|found| (found.status, found.cause)) {
                None => "none",
                Some((Status::Permanent, Cause::Address)) => "gone",
                Some((Status::Permanent, Cause::Full)) => "full",
                Some((Status::Permanent, Cause::Refused)) => "refused",
                Some((Status::Permanent, Cause::Ours)) => "ours",
                Some((Status::Temporary, Cause::Address)) => "later",
                Some((Status::Delivered, Cause::Address)) => "delivered",
                other => panic!("{text}: {other:?}"),
            };
            assert_eq!(name, expected, "{text}");
        }
        assert!(Diagnosis::of("", Voice::Program).is_none());
    }

    #[test]
    fn letters_of_people_are_no_reports() {
        let read = |text| Diagnosis::of(text, Voice::Unknown);
        for text in [
            "I am away. Ask bob@example.org or call 555 1234, room 550.",
            "I am on vacation until 5.1.27; mail that could not be delivered waits.",
            "Ich bin im Urlaub. Ihre Mail wurde nicht zugestellt.",
            "Thank you, 550 times.",
            "See you on 5.1.27.",
        ] {
            assert_eq!(read(text), None, "{text}");
        }
        let told = read("Your message to ann@example.org could not be delivered: 550 5.1.1 user unknown");
        assert_eq!(told.map(|found| found.status), Some(Status::Permanent));
    }
}
