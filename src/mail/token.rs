//! Where reply tokens travel.
//!
//! The best place is the extension of Reply-To. A server without extensions uses References, which a reply
//! copies (RFC 5322 3.6.4), and the text, which a reply quotes. This module finds tokens; the service
//! verifies them.

use super::{ReplyToken, ServerIdentity, ids, reply_text};

/// The base32 of a token's 128 bits.
const CODE: usize = 26;

/// Replaces a token in masked text.
const MASK: &str = "***";

/// Introduces the token in a mail's text.
const MARK: &str = "[reply ";

impl ReplyToken {
    /// Reads `b42.TOKEN` of a board or `c7.TOKEN` of an account. Not verified.
    pub fn parse(text: &str) -> Option<ReplyToken> {
        let (number, code) = text.strip_prefix(['b', 'c'])?.split_once('.')?;
        let digits = !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit());
        let base32 = !code.is_empty() && code.bytes().all(|b| matches!(b, b'a'..=b'z' | b'2'..=b'7'));
        // An address has at most 64 octets before the @ (RFC 5321 4.5.3.1.1).
        (digits && base32 && text.len() <= 64).then(|| ReplyToken(text.to_owned()))
    }
}

/// The token as an id for References. No mail has this id.
pub fn as_id(token: &str, server: &ServerIdentity) -> String {
    format!("<{token}@{}>", server.host)
}

/// The token as a line of text.
pub fn as_line(token: &str) -> String {
    format!("{MARK}{token}]")
}

/// The newest token in a thread.
pub(super) fn in_ids(fields: impl Iterator<Item = String>, server: &ServerIdentity) -> Option<ReplyToken> {
    let ids: Vec<String> = fields.flat_map(|field| ids::scan(&field)).collect();
    ids.iter().rev().find_map(|id| {
        let (left, host) = id.trim_matches(['<', '>']).rsplit_once('@')?;
        let token = || ReplyToken::parse(&left.to_ascii_lowercase());
        host.eq_ignore_ascii_case(&server.host).then(token)?
    })
}

/// The token in the quoted text: the least deeply quoted, since deeper ones belong to older mails. New text
/// never counts as a reply.
pub(super) fn in_text(text: &str) -> Option<ReplyToken> {
    if !text.contains(MARK.trim_end()) {
        return None;
    }
    let old = reply_text::old_lines(text);
    let found = old.iter().enumerate().filter_map(|(number, line)| {
        let (before, after) = line.split_once(MARK.trim_end())?;
        let token = bracketed(after, old.get(number + 1..).unwrap_or_default())?;
        Some((before.chars().filter(|c| *c == '>').count(), token))
    });
    found.min_by_key(|(depth, _)| *depth).map(|(_, token)| token)
}

/// The token between our mark and its bracket. Programs fold the line, quote what they folded, and make links of
/// what looks like a host.
fn bracketed(after: &str, below: &[&str]) -> Option<ReplyToken> {
    const FOLDED: usize = 2;
    let mut code = String::new();
    for (number, line) in std::iter::once(&after).chain(below.iter().take(FOLDED)).enumerate() {
        let line = if number == 0 { line } else { line.trim_start_matches(['>', ' ', '\t']) };
        let (inside, closed) = line.split_once(']').map_or((line, false), |(inside, _)| (inside, true));
        let inside = inside.split(['<', '(']).next().unwrap_or(inside);
        code.extend(inside.chars().filter(|c| !c.is_whitespace() && *c != '*').take(CODE * 3));
        if closed {
            return ReplyToken::parse(&code.to_ascii_lowercase());
        }
    }
    None
}

/// Masks everything that looks like a token: whoever reads one could play with it.
pub fn mask(text: &str) -> String {
    let mut masked = String::with_capacity(text.len());
    for word in text.split_inclusive(|c: char| !(c.is_ascii_alphanumeric() || c == '.')) {
        let bare = word.trim_end_matches(|c: char| !c.is_ascii_alphanumeric());
        if is_token(bare) {
            masked.push_str(MASK);
            masked.push_str(word.get(bare.len()..).unwrap_or_default());
        } else {
            masked.push_str(word);
        }
    }
    masked
}

fn is_token(word: &str) -> bool {
    let word = word.to_ascii_lowercase();
    word.split_once('.').is_some_and(|(_, code)| code.len() == CODE) && ReplyToken::parse(&word).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    const ONE: &str = "b42.k7q2m5xw3n4abcdefghijklmno";
    const TWO: &str = "b42.aaaaaaaaaaaaaaaaaaaaaaaaa2";

    #[test]
    fn the_newest_token_of_a_text_is_the_least_quoted_one() {
        let token = |text: &str| in_text(text).map(|token| token.0);
        let line = as_line(ONE);
        let older = as_line(TWO);
        assert_eq!(token(&format!("> {line}\n")).as_deref(), Some(ONE));
        assert_eq!(token(&format!("see this:\n{line}\n")), None, "written now");
        assert_eq!(token(&format!("F3\n\n> Your move\n> {line}\n>> {older}\n")).as_deref(), Some(ONE));
        assert_eq!(token(&format!("> > {older}\n>{line}\n\nF3\n")).as_deref(), Some(ONE));
        let folded = "> [reply b42.k7q2m5xw3n4\n> abcdefghijklmno]\n";
        assert_eq!(token(folded).as_deref(), Some(ONE));
        assert_eq!(token(&format!("> *[reply\n> {}]*\n", ONE.to_uppercase())).as_deref(), Some(ONE));
        assert_eq!(token(&format!("> [reply {ONE}<http://{ONE}>]\n")).as_deref(), Some(ONE));
        assert_eq!(token(&format!("> [reply b42.k7q\n\nF3\n> {ONE}]\n")), None);
        assert_eq!(token("[reply b42.] [reply 42.aa] [reply b42.aa1] reply b42.aa [reply b42.aa"), None);
        assert_eq!(token(""), None);
    }

    #[test]
    fn every_token_is_masked_and_nothing_else() {
        for (text, expected) in [
            (format!("see {ONE}."), "see ***."),
            (format!("<play+{ONE}@x.org>, {}", ONE.to_uppercase()), "<play+***@x.org>, ***"),
            (as_line(TWO), "[reply ***]"),
            (format!("{ONE}\n{TWO}"), "***\n***"),
            (
                "b42.short, c1.x b1.k7q2m5xw3n4abcdefghijklmn1".to_owned(),
                "b42.short, c1.x b1.k7q2m5xw3n4abcdefghijklmn1",
            ),
        ] {
            assert_eq!(mask(&text), expected, "{text}");
        }
    }
}
