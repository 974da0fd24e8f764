//! Chooses the part with the text of a mail and decodes it, also from `format=flowed`.

use super::message::{BodyPart, TooMuch};
use super::unread::{self, Unread};
use super::{charset, html, pgp};
use crate::mail::{ReplyToken, clean, reply_text, token};

/// The text of a letter and the token that it quotes, or why the text is closed to us.
pub(super) fn read(parts: &[BodyPart<'_>]) -> Result<(String, Option<ReplyToken>), Unread> {
    let texts = TextParts::among(parts);
    let mut chosen = texts.choose().map_err(Unread::TooMuch)?;
    chosen.text = pgp::open(chosen.text);
    if let Some(why) = unread::closed(parts, &chosen.text) {
        return Err(why);
    }
    let token = texts.token(&chosen);
    Ok((chosen.text, token))
}

/// The parts of a mail that may hold its text.
struct TextParts<'p, 'a> {
    plain: Option<&'p BodyPart<'a>>,
    html: Option<&'p BodyPart<'a>>,
    /// Text of another kind.
    other: Option<&'p BodyPart<'a>>,
    /// Text with the name of a file: some programs name every part, also the text of the mail.
    named: Option<&'p BodyPart<'a>>,
}

struct LetterText {
    text: String,
    /// The whole page that it is of, its quotes marked: what marks them in HTML is known here alone.
    page: Option<String>,
}

impl<'p, 'a> TextParts<'p, 'a> {
    /// The first of each kind that is no attachment.
    fn among(parts: &'p [BodyPart<'a>]) -> Self {
        let single = parts.len() == 1;
        let first = |is_wanted: &dyn Fn(&str) -> bool| {
            parts
                .iter()
                .find(|part| is_wanted(&part.kind.mimetype) && !part.cut && (single || !part.is_attachment()))
        };
        let is_other = |kind: &str| {
            kind.starts_with("text/") && !matches!(kind, "text/calendar" | "text/html" | "text/plain")
        };
        TextParts {
            plain: first(&|kind| kind == "text/plain"),
            html: first(&|kind| kind == "text/html"),
            other: first(&is_other),
            named: parts.iter().find(|part| part.kind.mimetype == "text/plain" && part.is_inline()),
        }
    }

    /// The first kind of text that is not blank: text/plain, then text/html, then any other.
    fn choose(&self) -> Result<LetterText, TooMuch> {
        let as_text = |part: Option<&BodyPart<'_>>| {
            let text = tidy(part.map(plain).unwrap_or_default());
            (!text.trim().is_empty()).then_some(LetterText { text, page: None })
        };
        if let Some(chosen) = as_text(self.plain) {
            return Ok(chosen);
        }
        if let Some(part) = self.html {
            let page = tidy(clean::lines(&html::to_text(&decode(part))?));
            let quotes = page.lines().any(|line| line.starts_with('>'));
            let text = if quotes { tidy(reply_text::new_text(&page).new) } else { page.clone() };
            if !page.trim().is_empty() {
                return Ok(LetterText { text, page: Some(page) });
            }
        }
        let nothing = || LetterText { text: String::new(), page: None };
        Ok(as_text(self.other).or_else(|| as_text(self.named)).unwrap_or_else(nothing))
    }

    /// The token that the mail quotes. Some programs quote in one of the two forms alone.
    fn token(&self, chosen: &LetterText) -> Option<ReplyToken> {
        let in_html = || {
            let html = decode(self.html?);
            let page = html.contains("reply").then(|| html::to_text(&html).ok())??;
            token::in_text(&clean::lines(&page))
        };
        match &chosen.page {
            Some(page) => token::in_text(page),
            None => token::in_text(&chosen.text).or_else(in_html),
        }
    }
}

/// Every line ends with `\n`; there are no empty lines at the end.
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
    // Before other blanks become U+0020: no other blank continues a line.
    clean::lines(&unfold(&text, parameter("delsp").as_deref() == Some("yes")))
}

fn decode(part: &BodyPart<'_>) -> String {
    charset::decode(&part.octets(), part.kind.params.get("charset").map(String::as_str))
}

/// Joins the lines of each paragraph. Quoted lines keep one `>` for each level.
pub(super) fn unfold(text: &str, delsp: bool) -> String {
    let mut out = String::with_capacity(text.len());
    // The quote depth of the open paragraph.
    let mut open: Option<usize> = None;
    for line in text.lines() {
        let content = line.trim_start_matches('>');
        let depth = line.len() - content.len();
        // 4.4: one leading blank is stuffing.
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
