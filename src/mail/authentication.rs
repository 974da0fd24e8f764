//! `Authentication-Results` (RFC 8601): the host's mail server reports whether the sender is genuine.
//!
//! Any sender can write such a field. The genuine one is the topmost, if it has the configured authserv-id
//! and is where only the host's server writes: above the first `Received`, or directly below it if that one
//! is the host's server's (milters such as OpenDKIM insert theirs there). Nothing from the next `Received`
//! down counts, even with the right id.
//!
//! The mail server must delete arriving fields with its own id (RFC 8601 5). If it does not, a forged one is below the
//! genuine one. So no lower field counts, not even for a method that the topmost one leaves out.
//!
//! A server that does not quote its sender's words lets the sender write results: `smtp.mailfrom=a;dkim=pass
//! header.d=…`. So a domain counts only as a bare name, and only if a sender's words cannot begin before it and end
//! after it.

use crate::ids::domain_key;

/// True if the header proves its From: `dmarc=pass` or `dkim=pass` for the domain of `from` itself.
///
/// A signature of a parent domain proves nothing: only a list of all registries tells who owns what below `co.uk` or
/// `example.org`. DMARC uses such a list, so it proves those senders. SPF never counts, because it checks the envelope.
pub fn proves<N, V>(headers: impl IntoIterator<Item = (N, V)>, authserv_id: &str, from: &str) -> bool
where
    N: AsRef<str>,
    V: AsRef<str>,
{
    let Some((_, domain)) = from.rsplit_once('@') else { return false };
    let domain = domain_key(domain);
    let Some(field) = own_field(headers, authserv_id) else { return false };
    let mut dmarc = field.findings.iter().filter(|found| found.method == "dmarc").peekable();
    if dmarc.peek().is_some() {
        // There is one DMARC result for a From. If it is not a pass, DKIM cannot outvote it.
        return dmarc.all(|found| field.shows(found, "header.from", |checked| checked == domain));
    }
    // Mailing lists add signatures, so one right signature is enough.
    let mut dkim = field.findings.iter().filter(|found| found.method == "dkim");
    dkim.any(|found| field.shows(found, "header.d", |signer| signer == domain))
}

/// The field written by the host's mail server.
fn own_field<N, V>(headers: impl IntoIterator<Item = (N, V)>, authserv_id: &str) -> Option<Field>
where
    N: AsRef<str>,
    V: AsRef<str>,
{
    let mut passed_own = false;
    for (name, value) in headers {
        let name = name.as_ref().trim();
        if name.eq_ignore_ascii_case("received") {
            // Only the first `Received` can be from the host's server: a sender can write all others.
            if passed_own || !is_by(value.as_ref(), authserv_id) {
                return None;
            }
            passed_own = true;
        } else if name.eq_ignore_ascii_case("authentication-results") {
            let field = FieldReader::new(value.as_ref()).field()?;
            let is_ours = !authserv_id.is_empty() && field.id.eq_ignore_ascii_case(authserv_id);
            return is_ours.then_some(field);
        }
    }
    None
}

/// True if this `Received` was written by the server with this id or by a host in its domain.
fn is_by(received: &str, authserv_id: &str) -> bool {
    let id = authserv_id.to_ascii_lowercase();
    let mut reader = FieldReader::new(received);
    let mut by = false;
    while reader.blank().is_some() && !reader.rest.is_empty() {
        let end = reader.rest.find(|c: char| c.is_whitespace() || matches!(c, '(' | ';'));
        // A `;` counts as a word.
        let end = end.unwrap_or(reader.rest.len()).max(1);
        let (word, rest) = reader.rest.split_at_checked(end).unwrap_or((reader.rest, ""));
        if by {
            let host = word.trim_end_matches('.').to_ascii_lowercase();
            return host == id || host.strip_suffix(&id).is_some_and(|rest| rest.ends_with('.'));
        }
        by = word.eq_ignore_ascii_case("by");
        reader.rest = rest;
    }
    false
}

struct Field {
    id: String,
    findings: Vec<AuthResult>,
}

impl Field {
    /// True if the result is `pass` and has a property of this name. Each such property must be a bare domain that
    /// `right` accepts, and none can be in a place for a sender's words.
    fn shows(&self, found: &AuthResult, property: &str, right: impl Fn(&str) -> bool) -> bool {
        let mut wanted = found.properties.iter().filter(|one| one.name == property).peekable();
        let all = || self.findings.iter().flat_map(|found| &found.properties);
        let is_genuine = |one: &AuthProperty| {
            let may_begin = all().any(|other| other.number < one.number && other.is_the_senders());
            let may_end = all().any(|other| other.number > one.number && other.value.is_address());
            !(may_begin && may_end)
        };
        found.result == "pass"
            && wanted.peek().is_some()
            && wanted.all(|one| is_genuine(one) && one.value.domain().is_some_and(|domain| right(&domain)))
    }
}

/// One result: `dkim=pass reason="…" header.d=example.org`.
struct AuthResult {
    method: String,
    result: String,
    properties: Vec<AuthProperty>,
}

struct AuthProperty {
    /// Its position in the field.
    number: usize,
    name: String,
    value: AuthValue,
}

impl AuthProperty {
    /// True for unquoted text that the sender may have chosen: the sender's words can continue after it.
    fn is_the_senders(&self) -> bool {
        let is_plain = matches!(&*self.name, "header.d" | "header.s" | "header.b" | "header.a");
        !self.value.quoted
            && !is_plain
            && !self.name.starts_with("policy.")
            && !self.value.text.starts_with('@')
    }
}

struct AuthValue {
    text: String,
    /// True if the value or its local part is quoted.
    quoted: bool,
}

impl AuthValue {
    /// True for an address whose local part is not quoted.
    fn is_address(&self) -> bool {
        !self.quoted && self.text.split_once('@').is_some_and(|(local, _)| !local.is_empty())
    }

    /// The domain, alone or of an address; `None` if anything is quoted, because a domain needs no quotes.
    fn domain(&self) -> Option<String> {
        let domain = self.text.rsplit_once('@').map_or(&*self.text, |(_, domain)| domain);
        let is_name = |c: char| c.is_alphanumeric() || matches!(c, '-' | '.' | '_');
        (!self.quoted && domain.chars().all(is_name)).then(|| domain_key(domain))
    }
}

/// No mail server writes longer fields.
const MAX_LENGTH: usize = 8 * 1024;

/// Parses a field (RFC 8601 2.2). Each method gives `None` for a syntax error.
struct FieldReader<'a> {
    rest: &'a str,
    /// The number of properties read.
    read: usize,
}

impl<'a> FieldReader<'a> {
    fn new(value: &'a str) -> Self {
        FieldReader { rest: value, read: 0 }
    }

    fn field(mut self) -> Option<Field> {
        if self.rest.len() > MAX_LENGTH {
            return None;
        }
        self.blank()?;
        let id = self.value()?.text;
        self.blank()?;
        if !self.rest.is_empty() && !self.rest.starts_with(';') {
            // Version 1 is the only one.
            (self.value()?.text == "1").then_some(())?;
            self.blank()?;
        }
        let mut findings = Vec::new();
        while !self.rest.is_empty() {
            self.rest = self.rest.strip_prefix(';')?;
            self.blank()?;
            if !self.rest.is_empty() {
                findings.extend(self.finding()?);
            }
        }
        Some(Field { id, findings })
    }

    /// A result with its properties, up to the next `;`. `Some(None)` for a lone `none` and for unknown method
    /// versions.
    fn finding(&mut self) -> Option<Option<AuthResult>> {
        let method = self.word()?;
        self.blank()?;
        if (self.rest.is_empty() || self.rest.starts_with(';')) && method == "none" {
            return Some(None);
        }
        let version = match self.rest.strip_prefix('/') {
            Some(rest) => {
                self.rest = rest;
                self.blank()?;
                self.word()?
            }
            None => "1".to_owned(),
        };
        self.equals()?;
        let result = self.word()?;
        let mut properties = Vec::new();
        loop {
            let before = self.rest.len();
            self.blank()?;
            if self.rest.is_empty() || self.rest.starts_with(';') {
                break;
            }
            // White space or a comment must separate a value from the next name.
            if self.rest.len() == before {
                return None;
            }
            let name = self.word()?;
            self.equals()?;
            let value = self.value()?;
            // An address followed by `;` and directly by more text is a sender's invention.
            let continues = |rest: &str| rest.starts_with(|c: char| !c.is_whitespace());
            if value.is_address() && self.rest.strip_prefix(';').is_some_and(continues) {
                return None;
            }
            self.read += 1;
            properties.push(AuthProperty { number: self.read, name, value });
        }
        Some((version == "1").then_some(AuthResult { method, result, properties }))
    }

    fn equals(&mut self) -> Option<()> {
        self.blank()?;
        self.rest = self.rest.strip_prefix('=')?;
        self.blank()
    }

    /// A name, in lower case.
    fn word(&mut self) -> Option<String> {
        let is_word = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
        let end = self.rest.find(|c| !is_word(c)).unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at_checked(end)?;
        self.rest = rest;
        (!word.is_empty()).then(|| word.to_ascii_lowercase())
    }

    /// A value: a quoted string, optionally with the domain of an address, or everything up to white space, `;`,
    /// a quote or a comment. Servers write `header.b=a/b=` without the quotes that RFC 2045 requires.
    fn value(&mut self) -> Option<AuthValue> {
        let (mut text, mut chars) = (String::new(), self.rest.chars());
        let quoted = self.rest.starts_with('"');
        if quoted {
            chars.next();
            loop {
                match chars.next()? {
                    '\\' => text.push(chars.next()?),
                    '"' => break,
                    c => text.push(c),
                }
            }
        }
        let rest = chars.as_str();
        let ends = |c: char| c.is_whitespace() || matches!(c, ';' | '(' | ')' | '"' | '\\');
        let (bare, after) = rest.split_at_checked(rest.find(ends).unwrap_or(rest.len()))?;
        let is_whole = if quoted { bare.is_empty() || bare.starts_with('@') } else { !bare.is_empty() };
        self.rest = after;
        text.push_str(bare);
        is_whole.then_some(AuthValue { text, quoted })
    }

    /// Skips white space and nested comments (RFC 5322 3.2.2). `None` for an open comment.
    fn blank(&mut self) -> Option<()> {
        let mut depth = 0_usize;
        let mut chars = self.rest.chars();
        loop {
            let rest = chars.as_str();
            match chars.next() {
                None if depth > 0 => return None,
                Some('\\') if depth > 0 => {
                    chars.next()?;
                }
                Some('(') => depth += 1,
                Some(')') if depth > 0 => depth -= 1,
                Some(_) if depth > 0 => {}
                Some(c) if c.is_whitespace() => {}
                _ => {
                    self.rest = rest;
                    return Some(());
                }
            }
        }
    }
}
