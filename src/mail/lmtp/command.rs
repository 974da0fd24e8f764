//! Parses a command line (RFC 5321 4.1.1).

/// A command with its argument, as far as it is readable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Verb {
    /// True if a name follows.
    Lhlo(bool),
    /// HELO or EHLO.
    SmtpHello,
    Mail(Option<(String, EsmtpParameters)>),
    Rcpt(Option<(String, EsmtpParameters)>),
    /// True if nothing follows.
    Data(bool),
    Rset,
    Noop,
    Vrfy,
    Help,
    Quit,
}

/// The parameters after a path (RFC 5321 4.1.2).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct EsmtpParameters {
    /// True if there are none.
    pub none: bool,
    /// True if all are SIZE, BODY or SMTPUTF8 in valid form.
    pub known: bool,
    /// RFC 1870.
    pub size: Option<u64>,
}

/// Reads a line without its CR LF; `None` for an unknown command or invalid octets.
pub(super) fn read(line: &[u8]) -> Option<Verb> {
    // Addresses can be UTF-8 (RFC 6531 3.3). Control characters are not allowed in a command.
    let line = std::str::from_utf8(line).ok().filter(|line| !line.chars().any(char::is_control))?;
    let line = line.trim_end_matches(' ');
    let (verb, argument) = line.split_once(' ').unwrap_or((line, ""));
    let argument = argument.trim_start_matches(' ');
    Some(match verb.to_ascii_uppercase().as_str() {
        "LHLO" => Verb::Lhlo(!argument.is_empty()),
        "HELO" | "EHLO" => Verb::SmtpHello,
        "MAIL" => Verb::Mail(strip(argument, "FROM:").and_then(path)),
        "RCPT" => Verb::Rcpt(strip(argument, "TO:").and_then(path)),
        "DATA" => Verb::Data(argument.is_empty()),
        "RSET" => Verb::Rset,
        "NOOP" => Verb::Noop,
        "VRFY" => Verb::Vrfy,
        "HELP" => Verb::Help,
        "QUIT" => Verb::Quit,
        _ => return None,
    })
}

fn strip<'a>(argument: &'a str, word: &str) -> Option<&'a str> {
    let (found, rest) = argument.split_at_checked(word.len())?;
    found.eq_ignore_ascii_case(word).then(|| rest.trim_start_matches(' '))
}

/// A path in angle brackets, with its parameters.
fn path(text: &str) -> Option<(String, EsmtpParameters)> {
    let rest = text.strip_prefix('<')?;
    let end = closing(rest)?;
    let (address, rest) = rest.split_at_checked(end)?;
    let rest = rest.strip_prefix('>')?;
    if !(rest.is_empty() || rest.starts_with(' ')) || !is_address(address) {
        return None;
    }
    // RFC 5321 4.1.1.3: source routes are ignored.
    let address = match address.strip_prefix('@') {
        Some(route) => route.split_once(':')?.1,
        None => address,
    };
    Some((address.to_owned(), parameters(rest)))
}

/// The end of the path: the first `>` outside a quoted local part (RFC 5321 4.1.2).
fn closing(text: &str) -> Option<usize> {
    let (mut quoted, mut escaped) = (false, false);
    for (at, c) in text.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' if quoted => escaped = true,
            '"' => quoted = !quoted,
            '>' if !quoted => return Some(at),
            _ => {}
        }
    }
    None
}

/// Checks the form only: an address, the null path, or `postmaster` without a domain (RFC 5321 4.5.1). The limit of
/// 4.5.3.1.3 is 256 octets; longer paths are accepted up to MAX.
fn is_address(text: &str) -> bool {
    const MAX: usize = 512;
    let spaced = text.contains(' ') && !text.contains('"');
    text.len() <= MAX && !spaced && !text.contains('<')
}

fn parameters(text: &str) -> EsmtpParameters {
    let mut found = EsmtpParameters { none: true, known: true, size: None };
    for word in text.split(' ').filter(|word| !word.is_empty()) {
        found.none = false;
        let (name, value) = word.split_once('=').map_or((word, None), |(name, value)| (name, Some(value)));
        match (name.to_ascii_uppercase().as_str(), value) {
            ("SIZE", Some(value)) => {
                // RFC 1870 4: SIZE has up to twenty digits, which can exceed 64 bits.
                let digits =
                    !value.is_empty() && value.len() <= 20 && value.bytes().all(|b| b.is_ascii_digit());
                found.known &= digits;
                found.size = Some(value.parse().unwrap_or(u64::MAX));
            }
            ("BODY", Some(value)) => {
                found.known &= ["7BIT", "8BITMIME"].iter().any(|kind| kind.eq_ignore_ascii_case(value));
            }
            ("SMTPUTF8", None) => {}
            _ => found.known = false,
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::{Verb, read};

    #[test]
    fn paths() {
        let path = |line: &str| match read(line.as_bytes()) {
            Some(Verb::Mail(path) | Verb::Rcpt(path)) => path.map(|(address, _)| address),
            other => panic!("{other:?}"),
        };
        for (line, expected) in [
            ("MAIL FROM:<>", Some("")),
            ("mail from: <ann@x.org> ", Some("ann@x.org")),
            ("RCPT TO:<@a.org,@b.org:ann@x.org>", Some("ann@x.org")),
            ("RCPT TO:<\"a > b\"@x.org>", Some("\"a > b\"@x.org")),
            ("RCPT TO:<\"a\\\">b\"@x.org>", Some("\"a\\\">b\"@x.org")),
            ("RCPT TO:<zoë@x.org>", Some("zoë@x.org")),
            ("RCPT TO:<Postmaster>", Some("Postmaster")),
            ("RCPT TO:ann@x.org", None),
            ("RCPT TO:<ann@x.org", None),
            ("RCPT TO:<ann@x.org>x", None),
            ("RCPT TO:<a b@x.org>", None),
            ("RCPT ann@x.org", None),
            ("MAIL", None),
        ] {
            assert_eq!(path(line).as_deref(), expected, "{line}");
        }
    }
}
