//! Recognises quotes, signatures, and lines that mail programs add.

use super::{Line, words};

/// A quoted line: `>` or a name with `>` at its beginning (`Ann> …`).
pub(super) fn is_quoted(line: &Line<'_>) -> bool {
    let plain = line.plain.as_str();
    if plain.starts_with(['>', '\u{FF1E}', '\u{203A}']) || plain.starts_with("&gt;") {
        return true;
    }
    let Some((name, rest)) = plain.split_once('>') else { return false };
    let letters = !name.is_empty() && name.len() <= 12 && name.chars().all(char::is_alphabetic);
    letters && (rest.is_empty() || rest.starts_with(' '))
}

/// True when an earlier mail begins here without an attribution.
pub(super) fn earlier_mail(lines: &[Line<'_>]) -> bool {
    let Some(line) = lines.first() else { return false };
    is_separator(&line.plain) || is_header_block(lines)
}

/// `-----Original Message-----`, `---------- Forwarded message ---------`, `Begin forwarded message:`.
fn is_separator(plain: &str) -> bool {
    let inner = plain.trim_matches(|c: char| "-*_=+~<>[]\u{2014}\u{2013}\u{2500} ".contains(c));
    if inner.len() == plain.len() {
        return inner
            .strip_suffix([':', '\u{FF1A}'])
            .is_some_and(|inner| words::FORWARDS.contains(&inner.trim_end()));
    }
    let ruled = plain.trim_start_matches('*').starts_with(['-', '_', '=', '\u{2014}', '\u{2500}']);
    let inner = inner.trim_end_matches([':', '\u{FF1A}']).trim_end();
    ruled && (words::ORIGINALS.contains(&inner) || words::FORWARDS.contains(&inner))
}

/// The header block that Outlook writes above an earlier mail: From, then at least two of Date, To and
/// Subject, each on a line that may be folded.
fn is_header_block(lines: &[Line<'_>]) -> bool {
    if lines.first().and_then(header) != Some(words::Header::From) {
        return false;
    }
    let (mut others, mut folded) = (Vec::new(), 0);
    for line in lines.iter().skip(1).take(14) {
        match header(line) {
            Some(kind) => {
                folded = 0;
                if kind != words::Header::From && !others.contains(&kind) {
                    others.push(kind);
                }
            }
            // Some programs put empty lines between them.
            None => folded += 1,
        }
        if others.len() >= 2 {
            return true;
        }
        if folded > 3 {
            return false;
        }
    }
    false
}

/// Which header field a line is: `From: …`, `*Von:* …`.
fn header(line: &Line<'_>) -> Option<words::Header> {
    let plain = line.plain.trim_start_matches(['*', '_', '|', ' ']);
    let (name, _) = plain.split_once([':', '\u{FF1A}'])?;
    let name = name.trim_end_matches(['*', '_', ' ']);
    words::HEADERS.iter().find(|(_, names)| names.contains(&name)).map(|(kind, _)| *kind)
}

/// The start of a signature (RFC 3676 4.3, also without its blank), a list footer or a disclaimer.
pub(super) fn is_signature(line: &Line<'_>) -> bool {
    let plain = line.plain.as_str();
    let underscores = plain.len() >= 5 && plain.bytes().all(|b| b == b'_');
    let dashes = matches!(plain, "--" | "\u{2014}" | "\u{2013}" | "\u{2014}\u{2014}" | "\u{2013}\u{2013}");
    dashes || underscores || words::DISCLAIMERS.iter().any(|start| plain.starts_with(start))
}

/// A line drawn with rule characters. U+1427 comes from a tracking program.
pub(super) fn is_rule(line: &Line<'_>) -> bool {
    line.plain.chars().all(|c| "-_=+~#* \u{2014}\u{2013}\u{2500}\u{1427}".contains(c))
}

/// What phones and mail programs add below a text: `Sent from my iPhone`.
pub(super) fn is_device(line: &Line<'_>) -> bool {
    const LONGEST: usize = 200;
    let plain = line.plain.trim_matches(|c: char| "()<>[]*_~-. ".contains(c));
    if plain.is_empty() || line.plain.len() > LONGEST {
        return false;
    }
    if words::DEVICE_STARTS.iter().any(|start| plain.starts_with(start)) {
        return true;
    }
    if words::DEVICE_ENDS.iter().any(|(start, end)| plain.starts_with(start) && plain.ends_with(end)) {
        return true;
    }
    let short = plain.split(' ').count() <= 4;
    short && words::DEVICES.iter().any(|device| plain.ends_with(device))
}
