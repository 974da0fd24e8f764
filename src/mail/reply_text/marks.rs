//! The marks of old text, of signatures, and of what mail programs add.

use super::{Line, words};

/// A quoted line: `>` or a name and `>` at its beginning (`Ann> …`), in whatever white space.
pub(super) fn is_quoted(line: &Line<'_>) -> bool {
    let plain = line.plain.as_str();
    if plain.starts_with(['>', '\u{FF1E}', '\u{203A}']) || plain.starts_with("&gt;") {
        return true;
    }
    let Some((name, rest)) = plain.split_once('>') else { return false };
    let letters = !name.is_empty() && name.len() <= 12 && name.chars().all(char::is_alphabetic);
    letters && (rest.is_empty() || rest.starts_with(' '))
}

/// Whether an earlier mail begins at the first line, behind no attribution.
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

/// The header of an earlier mail, as Outlook writes it into the text: who it is from, and then at least two of
/// when, to whom and about what, on lines of their own that may be folded.
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
            // Some programs put an empty line between each two.
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

/// Which field of a header a line is: `From: …`, `*Von:* …`.
fn header(line: &Line<'_>) -> Option<words::Header> {
    let plain = line.plain.trim_start_matches(['*', '_', '|', ' ']);
    let (name, _) = plain.split_once([':', '\u{FF1A}'])?;
    let name = name.trim_end_matches(['*', '_', ' ']);
    words::HEADERS.iter().find(|(_, names)| names.contains(&name)).map(|(kind, _)| *kind)
}

/// The line that begins a signature (RFC 3676 4.3, without its blank too), a list's footer or a disclaimer: all
/// below it goes.
pub(super) fn is_signature(line: &Line<'_>) -> bool {
    let plain = line.plain.as_str();
    let underscores = plain.len() >= 5 && plain.bytes().all(|b| b == b'_');
    let dashes = matches!(plain, "--" | "\u{2014}" | "\u{2013}" | "\u{2014}\u{2014}" | "\u{2013}\u{2013}");
    dashes || underscores || words::DISCLAIMERS.iter().any(|start| plain.starts_with(start))
}

/// A rule that somebody drew: nothing but its characters. U+1427 is one that a tracking program leaves.
pub(super) fn is_rule(line: &Line<'_>) -> bool {
    line.plain.chars().all(|c| "-_=+~#* \u{2014}\u{2013}\u{2500}\u{1427}".contains(c))
}

/// What telephones and mail programs put below a text: `Sent from my iPhone`.
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
