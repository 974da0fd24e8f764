//! The header of a message or part.

use std::borrow::Cow;

use mailparse::{MailAddr, MailHeader};

use super::words;
use crate::mail::{clean, ids};

/// Longer headers are cut.
pub(super) const MAX_BYTES: usize = 64 * 1024;

/// Longer fields are cut before decoding: mailparse needs quadratic time to find the ends of encoded words.
const MAX_FIELD: usize = 8 * 1024;

/// The fields, each with its name in lower case and trimmed: `Subject : x` is read too.
pub(super) struct Headers<'a>(Vec<(String, MailHeader<'a>)>);

impl<'a> Headers<'a> {
    /// Parses fields, each with its folded lines, and skips those that mailparse refuses.
    pub fn parse(fields: impl Iterator<Item = &'a [u8]>) -> Self {
        let parsed = fields.filter_map(|field| mailparse::parse_header(field.trim_ascii_start()).ok());
        Headers(parsed.map(|(field, _)| (name(&field), field)).collect())
    }

    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|(name, _)| name.as_str())
    }

    pub fn has(&self, wanted: &str) -> bool {
        self.fields(wanted).next().is_some()
    }

    fn fields(&self, wanted: &str) -> impl Iterator<Item = &MailHeader<'a>> {
        self.0.iter().filter(move |(name, _)| name == wanted).map(|(_, field)| field)
    }

    /// The decoded values of a field, each as one clean line.
    pub fn all(&self, wanted: &str) -> impl Iterator<Item = String> {
        self.fields(wanted).map(|field| clean::line(&decode(field)))
    }

    /// The topmost value of a field.
    pub fn first(&self, wanted: &str) -> Option<String> {
        self.all(wanted).next()
    }

    /// The values of a field without decoding encoded words, for structured fields.
    pub fn raw(&self, wanted: &str) -> impl Iterator<Item = String> {
        self.fields(wanted).map(|field| clean::line(&String::from_utf8_lossy(field.get_value_raw())))
    }

    pub fn first_id(&self, wanted: &str) -> Option<String> {
        self.ids(wanted).next()
    }

    /// The thread, oldest first (RFC 5322 3.6.4).
    pub fn thread(&self) -> Vec<String> {
        ids::shorten(self.ids("references").collect())
    }

    /// The id in In-Reply-To, if it names only one mail.
    pub fn parent(&self) -> Option<String> {
        let mut parents = self.ids("in-reply-to");
        parents.next().filter(|_| parents.next().is_none())
    }

    fn ids(&self, wanted: &str) -> impl Iterator<Item = String> {
        self.raw(wanted).flat_map(|value| ids::scan(&value))
    }

    /// All fields in order: name in lower case, and raw value with folds.
    pub fn pairs(&self) -> impl Iterator<Item = (&str, Cow<'_, str>)> {
        self.0.iter().map(|(name, field)| (name.as_str(), String::from_utf8_lossy(field.get_value_raw())))
    }

    /// The only address in the only From field. RFC 5322 3.6 allows one field, and the server answers one person.
    pub fn from(&self) -> Result<String, Senders> {
        let mut fields = self.fields("from");
        let field = fields.next().ok_or(Senders::None)?;
        if fields.next().is_some() {
            return Err(Senders::Several);
        }
        if field.get_value_raw().len() > MAX_FIELD {
            return Err(Senders::None);
        }
        // Parse the field before decoding it: otherwise the display name `=?utf-8?Q?=22ann=40x=22_=3Cann...?=` would
        // pass for an address.
        let Ok(addresses) = mailparse::addrparse_header(field) else {
            return only_in_brackets(field.get_value_raw()).ok_or(Senders::None);
        };
        let [only] = addresses.as_slice() else {
            return Err(if addresses.is_empty() { Senders::None } else { Senders::Several });
        };
        let MailAddr::Single(mailbox) = only else { return Err(Senders::Several) };
        // RFC 2047 5 (3): no encoded word is part of an address, so it appears literally in the field.
        let written = String::from_utf8_lossy(field.get_value_raw()).contains(&mailbox.addr);
        let named = clean::address(mailbox.addr.trim_matches(char::is_control)).filter(|_| written);
        named.or_else(|| only_in_brackets(field.get_value_raw())).ok_or(Senders::None)
    }

    /// The addresses in every field of this name that mailparse can read.
    pub fn addresses(&self, wanted: &str) -> Vec<String> {
        let short = self.fields(wanted).filter(|field| field.get_value_raw().len() <= MAX_FIELD);
        short
            .filter_map(|field| mailparse::addrparse_header(field).ok())
            .flat_map(|list| list.into_inner())
            .flat_map(|address| match address {
                MailAddr::Single(mailbox) => vec![mailbox],
                MailAddr::Group(group) => group.addrs,
            })
            .filter_map(|mailbox| clean::address(&mailbox.addr))
            .collect()
    }
}

/// The address of a field that breaks the grammar and still names one: `Doe, Ann <ann@example.org>`, `Ann
/// <mailto:ann@example.org>`. The field has one `@`, inside its only brackets.
fn only_in_brackets(raw: &[u8]) -> Option<String> {
    let text = std::str::from_utf8(raw).ok().filter(|text| text.matches('@').count() == 1)?;
    let (_, inside) = text.split_once('<')?;
    let inside = inside.trim_start_matches('<').split('>').next()?.trim();
    let scheme = inside.get(..inside.find(':').map_or(0, |colon| colon + 1)).unwrap_or_default();
    let is_scheme = ["mailto:", "smtp:"].iter().any(|known| scheme.eq_ignore_ascii_case(known));
    clean::address(if is_scheme { inside.get(scheme.len()..)? } else { inside })
}

/// Why a mail has no single sender.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Senders {
    None,
    Several,
}

fn name(field: &MailHeader<'_>) -> String {
    let mut name = field.get_key();
    name.retain(|c| !c.is_whitespace() && !c.is_control());
    name.make_ascii_lowercase();
    name
}

fn decode(field: &MailHeader<'_>) -> String {
    let raw = field.get_value_raw();
    let repaired = words::repaired(raw.get(..MAX_FIELD).unwrap_or(raw));
    if raw.len() <= MAX_FIELD && matches!(repaired, Cow::Borrowed(_)) {
        return field.get_value();
    }
    let mut short = b"x:".to_vec();
    short.extend_from_slice(&repaired);
    mailparse::parse_header(&short).map(|(field, _)| field.get_value()).unwrap_or_default()
}

/// A structured field without comments (RFC 5322 3.2.2), in lower case and trimmed.
pub(super) fn without_comments(value: &str) -> String {
    let mut out = String::with_capacity(value.len());
    let (mut depth, mut escaped) = (0_usize, false);
    for c in value.chars() {
        match c {
            _ if escaped => escaped = false,
            '\\' if depth > 0 => escaped = true,
            '(' => depth += 1,
            ')' if depth > 0 => depth -= 1,
            c if depth == 0 => out.push(c),
            _ => {}
        }
    }
    out.trim().to_lowercase()
}
