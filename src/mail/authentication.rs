//! `Authentication-Results` (RFC 8601): what the host's own mail server found out about who sent a mail.
//!
//! Anybody can write such a field into a mail, so only one place counts: the topmost run of these fields, all with
//! the configured authserv-id, above everything that another server wrote. The server must delete the ones in
//! arriving mail that claim its id (RFC 8601 5); where it forgets to, a forged one can only stand below its own,
//! and for each method the upper one counts.
//!
//! A field that cannot be read proves nothing, and neither does the whole run then: in doubt a sender is unproven,
//! and is asked for a password or a token.

/// Whether the fields of a mail's header (in order, as they stand in it) prove that its From is true: `dmarc=pass`
/// for the domain of `from`, or `dkim=pass` by that domain or one above it.
///
/// "Aligned" is read narrowly. For DMARC the domain checked must be the one of From. For DKIM a signature of
/// `example.org` is good for `ann@mail.example.org`, since the upper domain decides who has the lower one; one of
/// `mail.example.org` is none for `ann@example.org`, for that `org` could as well be a `co.uk`. SPF alone never
/// counts: it speaks of the envelope.
pub fn proves<N, V>(headers: impl IntoIterator<Item = (N, V)>, authserv_id: &str, from: &str) -> bool
where
    N: AsRef<str>,
    V: AsRef<str>,
{
    let Some((_, domain)) = from.rsplit_once('@') else { return false };
    let domain = domain.trim_end_matches('.').to_lowercase();
    let (mut dmarc, mut dkim) = (None, None);
    let mut run = false;
    for (name, value) in headers {
        let name = name.as_ref().trim();
        if !name.eq_ignore_ascii_case("authentication-results") {
            // Below a mark of another server a field may be anybody's.
            if run || name.eq_ignore_ascii_case("received") && !is_by(value.as_ref(), authserv_id) {
                break;
            }
            continue;
        }
        run = true;
        let Some(field) = Reader::new(value.as_ref()).field() else { return false };
        if authserv_id.is_empty() || !field.id.eq_ignore_ascii_case(authserv_id) {
            break;
        }
        let of = |method: &str| -> Option<Vec<Finding>> {
            let found: Vec<Finding> =
                field.findings.iter().filter(|found| found.method == method).cloned().collect();
            (!found.is_empty()).then_some(found)
        };
        dmarc = dmarc.or_else(|| of("dmarc"));
        dkim = dkim.or_else(|| of("dkim"));
    }
    match dmarc {
        // One DMARC result there is for a From; several, or one that is no pass, and DKIM cannot outvote it.
        Some(results) => {
            results.iter().all(|found| found.passes("header.from", |checked| checked == domain))
                && !results.is_empty()
        }
        // A mail may have several signatures, of lists on its way among them: one that is right is enough.
        None => dkim
            .unwrap_or_default()
            .iter()
            .any(|found| found.passes("header.d", |signer| signer == domain || is_above(signer, &domain))),
    }
}

/// Whether a `Received` was written by the server that has this id, or by a host in the domain of that name.
fn is_by(received: &str, authserv_id: &str) -> bool {
    let id = authserv_id.to_lowercase();
    let mut reader = Reader::new(received);
    let mut by = false;
    while reader.blank().is_some() && !reader.rest.is_empty() {
        let end = reader.rest.find(|c: char| c.is_whitespace() || matches!(c, '(' | ';'));
        // A `;` is a word of its own.
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

/// Whether `upper` is a domain above `lower`, and not a top-level one.
fn is_above(upper: &str, lower: &str) -> bool {
    upper.contains('.') && lower.strip_suffix(upper).is_some_and(|rest| rest.len() > 1 && rest.ends_with('.'))
}

/// One field, read.
struct Field {
    id: String,
    findings: Vec<Finding>,
}

/// One result: `dkim=pass reason="…" header.d=example.org`.
#[derive(Clone)]
struct Finding {
    method: String,
    result: String,
    /// Names and values in lower case.
    properties: Vec<(String, String)>,
}

impl Finding {
    /// Whether it is a pass for a domain that is right: there is one of that name at least, and none is wrong.
    fn passes(&self, property: &str, right: impl Fn(&str) -> bool) -> bool {
        let mut values = self.properties.iter().filter(|(name, _)| name == property).peekable();
        let domain = |value: &str| -> String {
            let domain = value.rsplit_once('@').map_or(value, |(_, domain)| domain);
            domain.trim_end_matches('.').to_owned()
        };
        self.result == "pass" && values.peek().is_some() && values.all(|(_, value)| right(&domain(value)))
    }
}

/// Longer fields are no mail server's.
const MAX_LENGTH: usize = 8 * 1024;

/// Reads a field from its beginning (RFC 8601 2.2). Each step gives `None` where the grammar is left.
struct Reader<'a> {
    rest: &'a str,
}

impl<'a> Reader<'a> {
    fn new(value: &'a str) -> Self {
        Reader { rest: value }
    }

    fn field(mut self) -> Option<Field> {
        if self.rest.len() > MAX_LENGTH {
            return None;
        }
        self.blank()?;
        let id = self.value()?;
        self.blank()?;
        if !self.rest.is_empty() && !self.rest.starts_with(';') {
            // A version; there is no other than the first.
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

    /// A result with its properties, up to the next `;`. `Some(None)` for `none` alone, and for a version of a
    /// method that is not known.
    fn finding(&mut self) -> Option<Option<Finding>> {
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
            // Only white space or a comment parts a value from the next name.
            if self.rest.len() == before {
                return None;
            }
            let name = self.word()?;
            properties.push((name, self.equals()?.to_lowercase()));
        }
        Some((version == "1").then_some(Finding { method, result, properties }))
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

    /// A value: quoted strings (RFC 5322 3.2.4) and anything else up to white space, `;` or a comment; servers
    /// write `header.b=a/b=` and the like without the quotes that RFC 2045 asks for.
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

    /// White space and comments, which may hold comments (RFC 5322 3.2.2). `None` for one that does not end.
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
