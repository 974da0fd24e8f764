//! Chooses the part with the text of a mail and decodes it, including `format=flowed`.

use std::sync::LazyLock;

use super::message::{BodyPart, TooMuch};
use super::unread::{self, Unread};
use super::{banner, charset, html, pgp};
use crate::mail::phrases::{BANNERS, Haystack, Phrases, section};
use crate::mail::{ReplyToken, clean, reply_text, token};

/// The text of a letter and the token that it quotes, or why the text cannot be read. `banners` are those of the host's
/// gateway.
pub(super) fn read(
    parts: &[BodyPart<'_>],
    banners: &[String],
) -> Result<(String, Option<ReplyToken>), Unread> {
    let texts = TextParts::among(parts, banners);
    let mut chosen = texts.choose().map_err(Unread::TooMuch)?;
    chosen.text = pgp::open(chosen.text);
    if let Some(why) = unread::closed(parts, &chosen.text) {
        return Err(why);
    }
    let token = texts.token(&chosen);
    Ok((chosen.text, token))
}

/// The parts of a mail that can contain its text.
struct TextParts<'p, 'a> {
    /// Text and HTML in order; in an alternative the text is first.
    bodies: Vec<&'p BodyPart<'a>>,
    /// Text of another type.
    other: Option<&'p BodyPart<'a>>,
    /// Text with a file name: some programs name every part, even the text of the mail.
    named: Option<&'p BodyPart<'a>>,
    banners: &'p [String],
}

struct LetterText {
    text: String,
    /// The whole page that the text is from, with its quotes marked; `None` for a part of plain text.
    page: Option<String>,
}

impl LetterText {
    fn is_blank(&self) -> bool {
        self.page.as_ref().unwrap_or(&self.text).trim().is_empty()
    }

    /// True if this text contains the beginning of `other`. Those words then belong to an earlier mail.
    fn repeats(&self, other: &str) -> bool {
        const LOOK_AT: usize = 30;
        let words = |text: &str| clean::line(&text.replace('>', " "));
        let begin: String =
            words(other.trim_start().lines().next().unwrap_or_default()).chars().take(LOOK_AT).collect();
        words(&self.text).contains(&begin)
    }
}

impl<'p, 'a> TextParts<'p, 'a> {
    fn among(parts: &'p [BodyPart<'a>], banners: &'p [String]) -> Self {
        let single = parts.len() == 1;
        let is_open = |part: &&BodyPart<'_>| !part.cut && (single || !part.is_attachment());
        let is_body = |part: &BodyPart<'_>| matches!(part.kind.mimetype.as_str(), "text/plain" | "text/html");
        let is_other = |part: &BodyPart<'_>| {
            part.kind.mimetype.starts_with("text/") && part.kind.mimetype != "text/calendar" && !is_body(part)
        };
        let open = || parts.iter().enumerate().filter(|(_, part)| is_open(part));
        let mut bodies: Vec<(usize, &BodyPart<'_>)> = open().filter(|(_, part)| is_body(part)).collect();
        bodies.sort_by_key(|(at, part)| (part.alternative.unwrap_or(*at), part.kind.mimetype == "text/html"));
        TextParts {
            bodies: bodies.into_iter().map(|(_, part)| part).collect(),
            other: open().map(|(_, part)| part).find(|part| is_other(part)),
            named: parts.iter().find(|part| part.kind.mimetype == "text/plain" && part.is_inline()),
            banners,
        }
    }

    /// The first body with new text: no stub, no banner, no quotation alone. Otherwise the first that is not blank, of
    /// any type.
    fn choose(&self) -> Result<LetterText, TooMuch> {
        let mut fallback: Option<LetterText> = None;
        for (number, part) in self.bodies.iter().enumerate() {
            let read = match self.as_letter(part) {
                Err(_) if fallback.is_some() => continue,
                read => read?,
            };
            let is_only = number + 1 == self.bodies.len() && fallback.is_none();
            let is_new = || fallback.as_ref().is_none_or(|first| !first.repeats(&read.text));
            let says = || says_something(&read.text, part.alternative.is_some()) && is_new();
            if !read.is_blank() && (is_only || says()) {
                return Ok(read);
            }
            fallback = fallback.or(Some(read).filter(|read| !read.is_blank()));
        }
        let rest =
            [self.other, self.named].into_iter().flatten().filter_map(|part| self.as_letter(part).ok());
        let nothing = LetterText { text: String::new(), page: None };
        Ok(fallback.into_iter().chain(rest.filter(|read| !read.is_blank())).next().unwrap_or(nothing))
    }

    fn as_letter(&self, part: &BodyPart<'_>) -> Result<LetterText, TooMuch> {
        if part.kind.mimetype != "text/html" {
            return Ok(LetterText { text: tidy(banner::removed(plain(part), self.banners)), page: None });
        }
        let page = tidy(banner::removed(clean::lines(&html::to_text(&decode(part))?), self.banners));
        let quotes = page.lines().any(|line| line.starts_with('>'));
        let text = if quotes { tidy(reply_text::new_text(&page).new) } else { page.clone() };
        Ok(LetterText { text, page: Some(page) })
    }

    /// The token that the mail quotes. Some programs quote only in the text, or only in the HTML.
    fn token(&self, chosen: &LetterText) -> Option<ReplyToken> {
        let in_html = || {
            let html = decode(self.bodies.iter().find(|part| part.kind.mimetype == "text/html")?);
            let page = html.contains("reply").then(|| html::to_text(&html).ok())??;
            token::in_text(&clean::lines(&page))
        };
        match &chosen.page {
            Some(page) => token::in_text(page),
            None => token::in_text(&chosen.text).or_else(in_html),
        }
    }
}

static STUBS: Phrases = LazyLock::new(|| section(BANNERS, "stubs"));

/// True if a text has new words and is not the stub of an HTML part. Its head is enough in most cases. A stub is
/// skipped only if there is an alternative.
fn says_something(text: &str, has_alternative: bool) -> bool {
    const HEAD: usize = 20;
    let head: usize = text.split_inclusive('\n').take(HEAD).map(str::len).sum();
    let says = |text: &str| {
        let new = reply_text::new_text(text).new;
        new.contains(char::is_alphanumeric) && !is_stub(&new, has_alternative)
    };
    text.get(..head).is_some_and(says) || head < text.len() && says(text)
}

/// True if each paragraph says that the text is elsewhere.
fn is_stub(text: &str, has_alternative: bool) -> bool {
    const LONGEST: usize = 600;
    let lower = if text.len() <= LONGEST { text.to_lowercase() } else { return false };
    let mut paragraphs = lower.split("\n\n").filter(|text| text.contains(char::is_alphanumeric));
    paragraphs.all(|paragraph| {
        let joined = clean::line(paragraph);
        let names_html = has_alternative && joined.contains("html");
        let said = Haystack::new(&joined);
        names_html || STUBS.iter().any(|stub| said.contains(stub)) || joined.starts_with("http")
    })
}

/// Removes empty lines at the end, and ends the last line with `\n`.
fn tidy(mut text: String) -> String {
    text.truncate(text.trim_end_matches('\n').len());
    if !text.is_empty() {
        text.push('\n');
    }
    text
}

fn plain(part: &BodyPart<'_>) -> String {
    let text = decode(part);
    let parameter = |name: &str| part.kind.params.get(name).map(|value| value.trim().to_ascii_lowercase());
    if parameter("format").as_deref() != Some("flowed") {
        return clean::lines(&text);
    }
    // Before other white space becomes U+0020, because only U+0020 continues a line.
    clean::lines(&unfold(&text, parameter("delsp").as_deref() == Some("yes")))
}

/// Decodes a part by its label or, for HTML without one, by the label in its `<meta>`.
pub(super) fn decode(part: &BodyPart<'_>) -> String {
    let octets = part.octets();
    let label = part.kind.params.get("charset").map(String::as_str);
    let is_open = part.kind.mimetype == "text/html" && label.is_none_or(charset::is_ascii);
    let in_meta = is_open.then(|| charset::in_meta(&octets)).flatten();
    charset::decode(&octets, in_meta.as_deref().or(label))
}

/// Joins the lines of each paragraph (RFC 3676 4). Quoted lines keep one `>` for each level.
pub(super) fn unfold(text: &str, delsp: bool) -> String {
    let mut out = String::with_capacity(text.len());
    // The quote depth of the open paragraph.
    let mut open: Option<usize> = None;
    for line in text.lines() {
        let content = line.trim_start_matches('>');
        let depth = line.len() - content.len();
        // 4.4: one leading space is stuffing.
        let content = content.strip_prefix(' ').unwrap_or(content);
        // 4.3: the signature line is fixed and ends a paragraph.
        let signature = content == "-- ";
        if open.is_some_and(|quoted| quoted != depth || signature) {
            out.push('\n');
            open = None;
        }
        if open.is_none() && depth > 0 {
            out.extend(std::iter::repeat_n('>', depth));
            out.push(' ');
        }
        let flowed = content.ends_with(' ') && !signature;
        if flowed && delsp {
            out.push_str(content.strip_suffix(' ').unwrap_or(content));
        } else {
            out.push_str(content);
        }
        open = flowed.then_some(depth);
        if !flowed {
            out.push('\n');
        }
    }
    if open.is_some() {
        out.push('\n');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::unfold;

    #[test]
    fn paragraphs() {
        assert_eq!(unfold("one \ntwo\nthree\n", false), "one two\nthree\n");
        assert_eq!(unfold("on \ne\n", true), "one\n");
        assert_eq!(unfold(" > no quote\n From here\n", false), "> no quote\nFrom here\n");
        assert_eq!(unfold("> a \n> b\n>> c \nd\n", false), "> a b\n>> c \nd\n");
        assert_eq!(unfold("last \n-- \nann \n", false), "last \n-- \nann \n");
        assert_eq!(unfold("", false), "");
    }
}
