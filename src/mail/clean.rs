//! Removes control characters and invisible ones from other people's text.
//!
//! A decoded header can contain CR LF (`=?utf-8?Q?x=0D=0ABcc:...?=`). Written back, it would become another header, and
//! lettre panics on it.

/// Zero-width characters, Hangul fillers, bidi controls, byte order marks, tags and the like. They change how a text
/// looks or compares and have no meaning.
pub(super) fn is_invisible(c: char) -> bool {
    matches!(c,
        '\u{AD}' | '\u{61C}' | '\u{115F}' | '\u{1160}' | '\u{180E}' | '\u{200B}'..='\u{200F}'
        | '\u{202A}'..='\u{202E}' | '\u{2060}'..='\u{206F}' | '\u{3164}' | '\u{FEFF}' | '\u{FFA0}'
        | '\u{FFF9}'..='\u{FFFB}' | '\u{E0000}'..='\u{E007F}')
}

/// Makes one line: each run of white space becomes one space; control and invisible characters are removed.
pub fn line(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_whitespace() {
            if !out.is_empty() && !out.ends_with(' ') {
                out.push(' ');
            }
        } else if !c.is_control() && !is_invisible(c) {
            out.push(c);
        }
    }
    out.truncate(out.trim_end().len());
    out
}

/// Makes lines that end with `\n`. Other white space becomes spaces of the same width. Removes control and invisible
/// characters.
pub fn lines(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\r' if chars.peek() == Some(&'\n') => {}
            '\r' | '\n' | '\u{85}' | '\u{2028}' | '\u{2029}' => out.push('\n'),
            c if c.is_whitespace() => out.push(' '),
            c if c.is_control() || is_invisible(c) => {}
            c => out.push(c),
        }
    }
    out
}

/// Normalises an address: its domain in lower case and in ASCII (`xn--…`). A domain has two spellings (RFC 5890 2.3.2).
/// `None` for text that is no address to write to, which includes address literals (`x@[127.0.0.1]`).
pub fn address(text: &str) -> Option<String> {
    let text = text.trim();
    // lettre accepts `-oQ/tmp@x.org`, which a sendmail program can read as an option.
    let odd = text.starts_with('-')
        || text
            .chars()
            .any(|c| c.is_whitespace() || c.is_control() || is_invisible(c) || "<>,;:\"()[]\\".contains(c));
    // RFC 5321 4.5.3.1.3: a path has at most 256 octets with its angle brackets.
    if odd || text.len() > 254 {
        return None;
    }
    text.parse::<lettre::Address>().ok()?;
    let (local, domain) = text.rsplit_once('@')?;
    let domain =
        if domain.is_ascii() { domain.to_ascii_lowercase() } else { idna::domain_to_ascii(domain).ok()? };
    Some(format!("{local}@{domain}"))
}

/// True for an address at a literal, `x@[127.0.0.1]` (RFC 5321 4.1.3).
pub fn is_literal(text: &str) -> bool {
    let Some((local, domain)) = text.rsplit_once('@') else { return false };
    let inside = domain.strip_prefix('[').and_then(|domain| domain.strip_suffix(']')).unwrap_or_default();
    let is_plain = |c: char| c.is_ascii_graphic() && !"<>,;\"()\\".contains(c);
    !local.is_empty() && !inside.is_empty() && text.len() <= 254 && text.chars().all(is_plain)
}

#[cfg(test)]
mod tests {
    use super::address;

    #[test]
    fn one_domain_has_one_spelling() {
        for (text, expected) in [
            ("Ann@Example.ORG", Some("Ann@example.org")),
            ("ann@m\u{fc}nchen.example", Some("ann@xn--mnchen-3ya.example")),
            ("ann@M\u{dc}NCHEN.example", Some("ann@xn--mnchen-3ya.example")),
            ("ann@mu\u{308}nchen.example", Some("ann@xn--mnchen-3ya.example")),
            ("ann@XN--mnchen-3YA.example", Some("ann@xn--mnchen-3ya.example")),
            ("zo\u{eb}@example.org", Some("zo\u{eb}@example.org")),
            ("ann@[127.0.0.1]", None),
            ("ann@[IPv6:::1]", None),
            ("ann@", None),
            ("-oQ/tmp@x.org", None),
        ] {
            assert_eq!(address(text).as_deref(), expected, "{text}");
        }
    }
}
