//! The places of a mail in which reply tokens are found.
//!
//! The best place is the extension of Reply-To. A server without extensions uses References, which a reply copies (RFC
//! 5322 3.6.4), and the text, which a reply quotes. This module finds tokens; `credentials` verifies them.

mod mask;

use mailparse::MailHeaderMap;

use super::{ReplyToken, ServerIdentity, ids, reply_text};
use mask::CODE;
pub use mask::{leaves_part, mask};

/// Introduces the token in a mail's text.
const MARK: &str = "[reply ";

impl ReplyToken {
    /// Reads `b42.TOKEN` of a board, `c7.TOKEN` of an account, `u7.TOKEN` that unsubscribes it, `e7.TOKEN` of a contest
    /// that it heard of, `r7.TOKEN` and `a7.TOKEN` of a mail to it, `m5.TOKEN` of a message between people,
    /// `i3.TOKEN` of an invitation or `w42.TOKEN` of a question about watching. Not verified.
    pub fn parse(text: &str) -> Option<ReplyToken> {
        let (number, code) =
            text.strip_prefix(['a', 'b', 'c', 'e', 'i', 'm', 'r', 'u', 'w'])?.split_once('.')?;
        let digits = !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit());
        let base32 = !code.is_empty() && code.bytes().all(|b| matches!(b, b'a'..=b'z' | b'2'..=b'7'));
        // An address has at most 64 octets before the @ (RFC 5321 4.5.3.1.1).
        // A number has one spelling, so that a token has one.
        let digits = digits && !number.starts_with('0');
        (digits && base32 && text.len() <= 64).then(|| ReplyToken(text.to_owned()))
    }

    /// True for the form of a token that only unsubscribes.
    pub fn unsubscribes(&self) -> bool {
        self.0.starts_with('u')
    }
}

/// The token as an id for References. No mail has this id.
pub fn as_id(token: &str, server: &ServerIdentity) -> String {
    format!("<{token}@{}>", server.host)
}

pub fn as_line(token: &str) -> String {
    format!("{MARK}{token}]")
}

/// The Subject that unsubscribes, if the address cannot carry the token.
pub fn as_subject(token: &str) -> String {
    format!("unsubscribe {token}")
}

pub(super) fn in_subject(subject: &str) -> Option<ReplyToken> {
    let (word, token) = subject.trim().split_once(char::is_whitespace)?;
    let token = ReplyToken::parse(&token.trim().to_ascii_lowercase())?;
    (word.eq_ignore_ascii_case("unsubscribe") && token.unsubscribes()).then_some(token)
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

/// The token in the References of a mail of this server.
pub fn of_mail(mail: &[u8]) -> Option<ReplyToken> {
    let (headers, _) = mailparse::parse_headers(mail).ok()?;
    let thread = ids::scan(&headers.get_first_value("References")?);
    thread.iter().rev().find_map(|id| ReplyToken::parse(id.trim_matches(['<', '>']).rsplit_once('@')?.0))
}

/// The token in the quoted text: the least deeply quoted one, because deeper ones belong to older mails. A token in
/// new text does not count.
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

/// The token between the mark and its bracket. Programs fold the line, quote the folded lines, and make links of what
/// looks like a host.
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

#[cfg(test)]
mod tests {
    use super::mask::MASK;
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
        assert_eq!(token("[reply b42.] [reply 42.aa] [reply b42.aa1] reply b42.aa [reply b42.aa"), None);
        let folded = "> [reply b42.k7q2m5xw3n4\n> abcdefghijklmno]\n";
        assert_eq!(token(folded).as_deref(), Some(ONE));
        assert_eq!(token(&format!("> *[reply\n> {}]*\n", ONE.to_uppercase())).as_deref(), Some(ONE));
        assert_eq!(token(&format!("> [reply {ONE}<http://{ONE}>]\n")).as_deref(), Some(ONE));
        assert_eq!(token(&format!("> [reply b42.k7q\n\nF3\n> {ONE}]\n")), None);
        assert_eq!(token(""), None);
    }

    fn masked(text: &str) -> String {
        mask(text, |code| ONE.ends_with(code))
    }

    #[test]
    fn every_token_is_masked_and_nothing_else() {
        for (text, expected) in [
            (format!("see {ONE}."), "see ***."),
            (format!("<play+{ONE}@x.org>, {}", ONE.to_uppercase()), "<play+***@x.org>, ***"),
            (as_line(TWO), "[reply ***]"),
            (format!("{ONE}\n{TWO}"), "***\n***"),
            (format!("glued{ONE}on both sides"), "glued***on both sides"),
            (format!("?token={ONE}&x=1"), "?token=***&x=1"),
            ("bounce-42.abcdefghijklmn23@x".to_owned(), "***@x"),
        ] {
            assert_eq!(masked(&text), expected, "{text}");
        }
        for text in [
            "b42.short, c1.x b1.k7q2m5xw3n4abcdefghijklmn1",
            "I played b1. That was a very good move you made there, 2 of 3.",
            "I played b1.\nThat was a very good move you made there.",
            "electroencephalographically abcdefghijklmnopqrstuvwxyz",
            "milk\n2 eggs\nrye\ntea\n3 figs\noil\nsalt\nham\nan axe\n",
            "b1\nc2\nd3\ne4\nf5\ng6\nh7\na2\nb3\nc4\nd5\ne6\nf7\ng2\n",
            "100% certain = b1.\n>> x &amp; y &#46; \\.",
        ] {
            assert_eq!(masked(text), text);
        }
    }

    #[test]
    fn a_token_is_known_through_one_layer() {
        let (number, code) = TWO.split_once('.').unwrap();
        let (left, right) = code.split_at(11);
        for text in [
            format!("mailto:play%2B{TWO}@x.org"),
            format!("play%2B{number}%2e{code}"),
            format!("{number}.{left}%E2%80%8B{right}"),
            format!("=2B{number}=2E{left}=\n{right}@"),
            format!("{number}&#46;{code} {number}&#x2e;{code} {number}&period;{code}"),
            format!("&plus;{number}.{left}&shy;{right} {number}.{left}\u{ad}{right}"),
            format!("{number}.{left}\n{right}"),
            format!("> {number}.{left}\n> {right}\n"),
            format!(">> {number}.{left} \n>>   {right} and"),
            format!("{number}.\n{code}"),
            format!("{number}\n.{code}"),
            TWO.chars().map(|c| format!("%{:02x}", c as u32)).collect(),
            TWO.chars().map(|c| format!("={:02X}", c as u32)).collect(),
            TWO.chars().map(|c| format!("&#{};", c as u32)).collect(),
            TWO.chars().map(|c| format!("{c}\u{200b}\u{3164}\u{e0061}")).collect(),
            dressed(TWO, 'ａ', '０'),
            dressed(TWO, '𝐚', '𝟎'),
            dressed(TWO, '🅐', '0'),
            TWO.chars().map(|c| format!("{c}\u{301}")).collect(),
            TWO.replace('a', "а"),
        ] {
            let shown = mask(&text, |_| false);
            let letters = |text: &str| text.chars().filter(|c| "aaaa".contains(*c)).count();
            assert!(shown.contains(MASK) && letters(&shown) < 8 && shown.len() < 40, "{text} as {shown}");
        }
        // Bare, it is known by what it is alone.
        let code: Vec<char> = code_of(ONE).chars().collect();
        let a_line =
            |letters| code.chunks(letters).map(|some| format!("> {}\n", String::from_iter(some))).collect();
        let spaced = |sign: &str| ONE.chars().map(|c| format!("{c}{sign}")).collect::<String>();
        for text in [
            spaced(" "),
            spaced("-"),
            a_line(1),
            a_line(2),
            dressed(&spaced(" . "), 'ａ', '０'),
            dressed(code_of(ONE), '𝓪', '𝟎'),
            code_of(ONE).to_owned(),
            code_of(ONE).to_uppercase(),
            format!("x{}yz", code_of(ONE)),
            format!("it is {}.", code_of(ONE).split_at(9).0.to_owned() + "\n> " + code_of(ONE).split_at(9).1),
        ] {
            assert!(masked(&text).contains(MASK), "{text}");
            assert_eq!(mask(&text, |_| false), text);
        }
    }

    #[test]
    fn the_rest_of_a_code_is_noticed() {
        let code = code_of(ONE);
        let leaves = |text: &str| leaves_part(text, |part| code.starts_with(part) || code.ends_with(part));
        let (left, right) = code.split_at(13);
        for text in [
            code[..12].to_owned(),
            code[14..].to_uppercase(),
            format!("b42.{left}<wbr>{right}"),
            format!("{left} and {right}"),
            format!("it is {} {}", &code[..7], &code[7..14]),
            code.chars().map(|c| format!("={:02X}", u32::from(c))).collect(),
        ] {
            assert!(leaves(&text), "{text}");
        }
        for text in ["", "***", &code[..11], "K7, q2m5xw and 3n4", "electroencephalographically"] {
            assert!(!leaves(text), "{text}");
        }
    }

    /// The letters and digits of a token from others that follow `a` and `zero`.
    fn dressed(token: &str, a: char, zero: char) -> String {
        let moved = |c: char, from: char, to: char| {
            char::from_u32(u32::from(c) - u32::from(from) + u32::from(to)).unwrap()
        };
        let dress = |c: char| match c {
            'a'..='z' => moved(c, 'a', a),
            '0'..='9' => moved(c, '0', zero),
            _ => c,
        };
        token.chars().map(dress).collect()
    }

    fn code_of(token: &str) -> &str {
        token.split_once('.').unwrap().1
    }
}
