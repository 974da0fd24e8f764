//! The header of a message or part, looked at with tolerance and decoded with suspicion.

use mailparse::{MailAddr, MailHeader};

use crate::mail::clean;

/// A header longer than this is no person's.
pub(super) const MAX_BYTES: usize = 64 * 1024;

/// mailparse looks for the ends of encoded words in quadratic time; a field that is longer is cut before it is
/// decoded.
const MAX_FIELD: usize = 8 * 1024;

/// The fields of one header.
pub(super) struct Headers<'a>(Vec<MailHeader<'a>>);

impl<'a> Headers<'a> {
    /// Reads the fields of a header, given without its closing empty line.
    pub fn parse(bytes: &'a [u8]) -> Self {
        // A first line that begins with white space is an error to mailparse.
        let start = bytes.iter().position(|b| !b.is_ascii_whitespace()).unwrap_or(bytes.len());
        let bytes = bytes.get(start..).unwrap_or_default();
        Headers(mailparse::parse_headers(bytes).map(|(fields, _)| fields).unwrap_or_default())
    }

    /// The names of all fields, in lower case, without the blanks and controls around them.
    pub fn names(&self) -> impl Iterator<Item = String> {
        self.0.iter().map(name)
    }

    /// Every field of that name (given in lower case), in order, `Subject : x` included.
    fn fields(&self, wanted: &str) -> impl Iterator<Item = &MailHeader<'a>> {
        self.0.iter().filter(move |field| name(field) == wanted)
    }

    /// Every value of that name, decoded, each in one line, without control characters.
    pub fn all(&self, wanted: &str) -> impl Iterator<Item = String> {
        self.fields(wanted).map(|field| clean::line(&decode(field)))
    }

    /// The topmost value of that name.
    pub fn first(&self, wanted: &str) -> Option<String> {
        self.all(wanted).next()
    }

    /// Every value of that name with no encoded word decoded: what is syntax and not words.
    pub fn raw(&self, wanted: &str) -> impl Iterator<Item = String> {
        self.fields(wanted).map(|field| clean::line(&String::from_utf8_lossy(field.get_value_raw())))
    }

    /// Every field in order: its name in lower case, and its value as it stands, folds included.
    pub fn pairs(&self) -> impl Iterator<Item = (String, String)> {
        self.0.iter().map(|field| (name(field), String::from_utf8_lossy(field.get_value_raw()).into_owned()))
    }

    /// The one address of the one From field; RFC 5322 3.6 lets there be one field only, and a robot can
    /// answer one person only.
    pub fn from(&self) -> Result<String, Senders> {
        let mut fields = self.fields("from");
        let field = fields.next().ok_or(Senders::None)?;
        if fields.next().is_some() {
            return Err(Senders::Several);
        }
        if field.get_value_raw().len() > MAX_FIELD {
            return Err(Senders::None);
        }
        // Decoding first and parsing then would read the display name `=?utf-8?Q?=22ann=40x=22_=3Cann...?=`
        // as an address.
        let addresses = mailparse::addrparse_header(field).map_err(|_| Senders::None)?;
        let [only] = addresses.as_slice() else {
            return Err(if addresses.is_empty() { Senders::None } else { Senders::Several });
        };
        let MailAddr::Single(mailbox) = only else { return Err(Senders::Several) };
        // An address stands in the field as it is: RFC 2047 5 (3) lets no encoded word be part of one.
        let written = String::from_utf8_lossy(field.get_value_raw()).contains(&mailbox.addr);
        clean::address(&mailbox.addr).filter(|_| written).ok_or(Senders::None)
    }

    /// All addresses of every field of that name that mailparse can read.
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

/// Why there is nobody to take a mail's word for.
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
    if raw.len() <= MAX_FIELD {
        return field.get_value();
    }
    let mut short = b"x:".to_vec();
    short.extend(raw.iter().take(MAX_FIELD));
    mailparse::parse_header(&short).map(|(field, _)| field.get_value()).unwrap_or_default()
}

/// The text of a structured field without its comments (RFC 5322 3.2.2), in lower case, trimmed.
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
