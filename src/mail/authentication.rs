//! `Authentication-Results` (RFC 8601): the host's mail server reports whether the sender is genuine.
//!
//! Anybody can write such a field. Ours is the topmost one, if it has the configured authserv-id and stands where
//! only our own server writes: above the first `Received`, or directly below it where that one is our server's (milters
//! such as OpenDKIM insert theirs there). From the next `Received` down nothing is believed, even what names us.
//!
//! The mail server must delete arriving fields with its own id (RFC 8601 5). If it forgets, a forged one stands below
//! the genuine one. So no lower field counts, not even for a method of which the topmost one says nothing.

/// True when the header proves its From: `dmarc=pass` for the domain of `from`, or `dkim=pass` by that domain
/// or one above it.
///
/// For DMARC the checked domain must be the one in From. For DKIM `example.org` may sign for
/// `mail.example.org`, since it controls the subdomain. The reverse does not hold: `org` could as well be
/// `co.uk`. SPF never counts, because it checks the envelope.
pub fn proves<N, V>(headers: impl IntoIterator<Item = (N, V)>, authserv_id: &str, from: &str) -> bool
where
    N: AsRef<str>,
    V: AsRef<str>,
{
    let Some((_, domain)) = from.rsplit_once('@') else { return false };
    let domain = domain.trim_end_matches('.').to_lowercase();
    let Some(field) = own_field(headers, authserv_id) else { return false };
    let mut dmarc = field.findings.iter().filter(|found| found.method == "dmarc").peekable();
    if dmarc.peek().is_some() {
        // There is one DMARC result for a From. DKIM cannot outvote one that is no pass.
        return dmarc.all(|found| found.passes("header.from", |checked| checked == domain));
    }
    // Mailing lists add signatures, so one right signature is enough.
    let mut dkim = field.findings.iter().filter(|found| found.method == "dkim");
    dkim.any(|found| found.passes("header.d", |signer| signer == domain || is_above(signer, &domain)))
}

/// The field that our own mail server wrote.
fn own_field<N, V>(headers: impl IntoIterator<Item = (N, V)>, authserv_id: &str) -> Option<Field>
where
    N: AsRef<str>,
    V: AsRef<str>,
{
    let mut passed_own = false;
    for (name, value) in headers {
        let name = name.as_ref().trim();
        if name.eq_ignore_ascii_case("received") {
            // The first one alone can be our server's: a sender may have written every other.
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

/// True when this `Received` says that the server with this id, or a host in its domain, wrote it.
fn is_by(received: &str, authserv_id: &str) -> bool {
    let id = authserv_id.to_lowercase();
    let mut reader = FieldReader::new(received);
    let mut by = false;
    while reader.blank().is_some() && !reader.rest.is_empty() {
        let end = reader.rest.find(|c: char| c.is_whitespace() || matches!(c, '(' | ';'));
        // A `;` counts as a word.
        let end = end.unwrap_or(reader.rest.len()).max(1);
        let (word, rest) = reader.rest.split_at_checked(end).unwrap_or((reader.rest, ""));
        if by {
            let host = word.trim_end_matches('.').to_lowercase();
            return host == id || host.strip_suffix(&id).is_some_and(|rest| rest.ends_with('.'));
        }
        by = word.eq_ignore_ascii_case("by");
        reader.rest = rest;
    }
    false
}

/// True when `upper` is a domain above `lower` and no top-level one.
fn is_above(upper: &str, lower: &str) -> bool {
    upper.contains('.') && lower.strip_suffix(upper).is_some_and(|rest| rest.len() > 1 && rest.ends_with('.'))
}

struct Field {
    id: String,
    findings: Vec<AuthResult>,
}

/// One result: `dkim=pass reason="…" header.d=example.org`.
struct AuthResult {
    method: String,
    result: String,
    /// In lower case.
    properties: Vec<(String, String)>,
}

impl AuthResult {
    /// True for a pass with at least one property of that name, all of them right.
    fn passes(&self, property: &str, right: impl Fn(&str) -> bool) -> bool {
        let mut values = self.properties.iter().filter(|(name, _)| name == property).peekable();
        let domain = |value: &str| -> String {
            let domain = value.rsplit_once('@').map_or(value, |(_, domain)| domain);
            domain.trim_end_matches('.').to_owned()
        };
        self.result == "pass" && values.peek().is_some() && values.all(|(_, value)| right(&domain(value)))
    }
}

/// No mail server writes longer fields.
const MAX_LENGTH: usize = 8 * 1024;

/// Parses a field (RFC 8601 2.2). Each step gives `None` for a syntax error.
struct FieldReader<'a> {
    rest: &'a str,
}

impl<'a> FieldReader<'a> {
    fn new(value: &'a str) -> Self {
        FieldReader { rest: value }
    }

    fn field(mut self) -> Option<Field> {
        if self.rest.len() > MAX_LENGTH {
            return None;
        }
        self.blank()?;
        let id = self.value()?;
        self.blank()?;
        if !self.rest.is_empty() && !self.rest.starts_with(';') {
            // Only version 1 exists.
            (self.value()? == "1").then_some(())?;
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

    /// A result with its properties, up to the next `;`. `Some(None)` for a lone `none` and for unknown
    /// method versions.
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
        let result = self.equals()?.to_lowercase();
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
            properties.push((name, self.equals()?.to_lowercase()));
        }
        Some((version == "1").then_some(AuthResult { method, result, properties }))
    }

    fn equals(&mut self) -> Option<String> {
        self.blank()?;
        self.rest = self.rest.strip_prefix('=')?;
        self.blank()?;
        self.value()
    }

    /// A name, in lower case.
    fn word(&mut self) -> Option<String> {
        let is_word = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
        let end = self.rest.find(|c| !is_word(c)).unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at_checked(end)?;
        self.rest = rest;
        (!word.is_empty()).then(|| word.to_ascii_lowercase())
    }

    /// A value: quoted strings (RFC 5322 3.2.4), or anything up to white space, `;` or a comment. Servers
    /// write `header.b=a/b=` without the quotes that RFC 2045 requires.
    fn value(&mut self) -> Option<String> {
        let mut value = String::new();
        let start = self.rest.len();
        let mut chars = self.rest.chars();
        let mut quoted = false;
        loop {
            let rest = chars.as_str();
            match chars.next() {
                None if quoted => return None,
                Some('\\') if quoted => value.push(chars.next()?),
                Some('"') => quoted = !quoted,
                Some(c) if quoted => value.push(c),
                Some(c) if !(c.is_whitespace() || matches!(c, ';' | '(' | ')')) => value.push(c),
                _ => {
                    self.rest = rest;
                    return (rest.len() < start).then_some(value);
                }
            }
        }
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
