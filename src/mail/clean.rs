//! Taking out of people's words what no line of ours may carry: control characters, and the invisible ones.
//!
//! A decoded header value may hold CR LF (`=?utf-8?Q?x=0D=0ABcc:...?=`): written back into a header it would
//! be a header of its own, and lettre panics on it.

/// Zero-width characters, bidi controls, the byte order mark and the like: they change what a line looks like
/// or how it compares, and never what it says.
fn is_invisible(c: char) -> bool {
    matches!(c,
        '\u{AD}' | '\u{61C}' | '\u{180E}' | '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}'
        | '\u{2060}'..='\u{206F}' | '\u{FEFF}' | '\u{FFF9}'..='\u{FFFB}' | '\u{E0000}'..='\u{E007F}')
}

/// One line: white space of any kind and length becomes one blank, control and invisible characters go,
/// nothing is left at the ends.
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

/// Lines ended by `\n`: every line end becomes one, every other white space a blank of the same width, control
/// and invisible characters go. Blanks at the ends of lines stay.
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

/// An address fit to be written to and compared: its domain in lower case, and in the letters of the DNS (`xn--…`),
/// since one domain may come in either spelling (RFC 5890 2.3.2). `None` where it is none.
pub fn address(text: &str) -> Option<String> {
    let text = text.trim();
    // lettre takes `-oQ/tmp@x.org`, which a sendmail program may take for an option.
    let odd = text.starts_with('-')
        || text
            .chars()
            .any(|c| c.is_whitespace() || c.is_control() || is_invisible(c) || "<>,;:\"()".contains(c));
    // RFC 5321 4.5.3.1.3: a path has at most 256 octets, its angle brackets counted.
    if odd || text.len() > 254 {
        return None;
    }
    text.parse::<lettre::Address>().ok()?;
    let (local, domain) = text.rsplit_once('@')?;
    let domain =
        if domain.is_ascii() { domain.to_ascii_lowercase() } else { idna::domain_to_ascii(domain).ok()? };
    Some(format!("{local}@{domain}"))
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
            ("ann@", None),
            ("-oQ/tmp@x.org", None),
        ] {
            assert_eq!(address(text).as_deref(), expected, "{text}");
        }
    }
}
