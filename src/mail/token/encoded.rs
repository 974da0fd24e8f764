//! Finds what base64 hides: a copied source has whole parts and headers in it.

use std::ops::Range;

use data_encoding::{Encoding, Specification};

use super::MASK;

/// Less holds no token.
const LEAST: usize = 24;

/// `text` without the stretches of base64 in which `holds_token` finds one.
pub(super) fn mask(text: &str, mut holds_token: impl FnMut(&str) -> bool) -> String {
    let mut masked = String::with_capacity(text.len());
    let mut written = 0;
    for stretch in stretches(text) {
        let inside = text.get(stretch.clone()).and_then(decoded);
        if inside.is_some_and(|inside| holds_token(&inside)) {
            masked.push_str(text.get(written..stretch.start).unwrap_or_default());
            masked.push_str(MASK);
            written = stretch.end;
        }
    }
    masked.push_str(text.get(written..).unwrap_or_default());
    masked
}

/// Words that may be base64, with those of the next lines where a line holds nothing else.
fn stretches(text: &str) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    let mut at = 0;
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        let length = rest.find(|c| !is_base64(c)).unwrap_or(rest.len());
        if length < LEAST {
            // The last line of a stretch may be short.
            let ends = |last: &&mut Range<usize>| length > 0 && is_line_end(text, last.end, at);
            if let Some(last) = found.last_mut().filter(ends) {
                last.end = at + length;
            }
        } else if let Some(last) = found.last_mut().filter(|last| is_line_end(text, last.end, at)) {
            last.end = at + length;
        } else {
            found.push(at..at + length);
        }
        at += length + text.get(at + length..).and_then(|rest| rest.chars().next()).map_or(0, char::len_utf8);
    }
    found
}

/// True where one line end stands between two words, with the marks of a quote.
fn is_line_end(text: &str, from: usize, to: usize) -> bool {
    let between = text.get(from..to).unwrap_or_default();
    between.matches('\n').count() == 1 && between.chars().all(|c| matches!(c, '\r' | '\n' | '>' | ' '))
}

fn is_base64(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '+' | '/' | '-' | '_' | '=')
}

/// The text in a stretch of base64, of either alphabet (RFC 4648 4, 5).
fn decoded(stretch: &str) -> Option<String> {
    let mut code: Vec<u8> = stretch
        .bytes()
        .filter(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'-' | b'_'))
        .map(|byte| match byte {
            b'-' => b'+',
            b'_' => b'/',
            byte => byte,
        })
        .collect();
    if code.len() % 4 == 1 {
        code.pop();
    }
    let octets = lenient()?.decode(&code).ok()?;
    Some(octets.iter().map(|octet| if octet.is_ascii() { char::from(*octet) } else { ' ' }).collect())
}

fn lenient() -> Option<Encoding> {
    let mut alphabet = Specification::new();
    alphabet.symbols.push_str("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/");
    alphabet.check_trailing_bits = false;
    alphabet.encoding().ok()
}
