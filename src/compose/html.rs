//! The HTML part of a mail, for programs that draw text in a proportional font.
//!
//! It is made from the text, so that both say the same. A paragraph with leading or repeated blanks is a drawing or
//! table and goes into `<pre>`. In other paragraphs we join the lines that we had folded.
//!
//! No style sheet, no script, nothing to fetch.

use super::text::{PAGE, WIDTH};
use crate::commands::LANGUAGE;

const HEAD: &str = "<!DOCTYPE html>\n<html><body>\n";
const FOOT: &str = "</body></html>\n";

/// The font size of drawings and tables in pixels. Every board fits a phone of 360 pixels then.
const SIZE: usize = 13;

/// The columns of text that fit such a phone at [`SIZE`].
const COLUMNS: usize = 44;

/// The size of a wider drawing, the map of names: it fits the phone too.
const SMALL: usize = 10;

/// Where the links of reply words lead.
#[derive(Debug, Clone, Copy)]
pub struct Reply<'a> {
    pub address: &'a str,
    pub subject: &'a str,
    /// The line that carries the token, where the address does not.
    pub token_line: Option<&'a str>,
}

/// `picture` is the line that stands for one above the only board; with several boards it would be unclear which it shows.
pub fn page(text: &str, reply: Option<Reply<'_>>, picture: Option<&str>) -> String {
    let picture = picture.filter(|_| text.split("\n\n").filter(|paragraph| is_board(paragraph)).count() == 1);
    let mut page = String::with_capacity(text.len() * 2);
    page.push_str(HEAD);
    let mut lines = text.lines().peekable();
    let link = text.lines().find_map(|line| line.strip_prefix(PAGE));
    let mut below_board = false;
    while lines.peek().is_some() {
        let mut paragraph = Vec::new();
        while let Some(line) = lines.next_if(|line| !line.is_empty()) {
            paragraph.push(line);
        }
        let is_board = paragraph.iter().any(|line| is_board(line));
        match paragraph.as_slice() {
            [] => {}
            ["-- ", rest @ ..] => {
                page.push_str("<hr>\n");
                footer(rest, &mut page);
            }
            drawing if drawing.iter().any(|line| is_drawn(line)) => {
                if let Some(picture) = picture.filter(|_| is_board) {
                    page.push_str(picture);
                    // What to do stands where the eye is, above the drawing and all that is said of it.
                    link.iter().for_each(|link| move_on_page(link, &mut page));
                }
                preformatted(drawing, &mut page);
            }
            [line] if line.starts_with(PAGE) && picture.is_some() => {}
            [line] if let Some(link) = line.strip_prefix(PAGE) => move_on_page(link, &mut page),
            words if below_board => list(words, &mut page),
            words => match reply.and_then(|reply| linked(words, reply)) {
                Some(linked) => page.push_str(&linked),
                None => prose(words, &mut page),
            },
        }
        below_board = is_board;
        lines.next();
    }
    page.push_str(FOOT);
    page
}

/// The link to the page where a move is chosen.
fn move_on_page(link: &str, page: &mut String) {
    page.push_str("<p>\nOn a page: <a href=\"");
    escape(link, page);
    page.push_str("\">choose a move on the board</a>\n</p>\n");
}

/// A drawing or table. Some programs show `<pre>` in the proportional font of the mail, so the font is named.
fn preformatted(lines: &[&str], page: &mut String) {
    let is_wide = lines.iter().any(|line| line.chars().count() > COLUMNS);
    let is_drawing = lines.iter().any(|line| line.contains("\\__"));
    let size = if is_wide && is_drawing { SMALL } else { SIZE };
    page.push_str(&format!(
        "<pre style=\"font-family:Consolas,'Courier New',monospace;font-size:{size}px\">\n"
    ));
    for line in lines {
        escape(line, page);
        page.push('\n');
    }
    page.push_str("</pre>\n");
}

/// True for a part of a board's drawing.
fn is_board(text: &str) -> bool {
    text.contains("\\__/")
}

/// True when the blanks of a line carry meaning.
fn is_drawn(line: &str) -> bool {
    line.starts_with(' ') || line.as_bytes().windows(2).any(|two| two == b"  " || two == b"__")
}

/// What stands below a board: key, tall stacks, counts and what the ply did.
fn list(lines: &[&str], page: &mut String) {
    page.push_str("<ul>\n");
    let mut above: Option<&str> = None;
    for line in lines {
        let goes_on = above.is_some_and(|above| is_folded(above, line));
        page.push_str(if goes_on { "" } else { "<li>" });
        escape(line, page);
        page.push('\n');
        above = Some(line);
    }
    page.push_str("</ul>\n");
}

/// The line of reply words, each a link that begins the reply; `None` for any other paragraph.
fn linked(lines: &[&str], reply: Reply<'_>) -> Option<String> {
    let line = lines.join(" ");
    let rest = line.strip_prefix("Reply")?;
    let mut page = String::from("<p>\nReply");
    if let Some((before, words)) = rest.split_once(": ").filter(|(before, _)| !before.contains('`')) {
        escape(before, &mut page);
        page.push_str(": ");
        for (n, word) in words.trim_end_matches('.').split(", ").enumerate() {
            page.push_str(if n > 0 { ", " } else { "" });
            link(word, reply, &mut page)?;
        }
        page.push('.');
    } else {
        // Every second piece stands between backticks.
        for (n, piece) in rest.split('`').enumerate() {
            match n % 2 {
                0 => escape(piece, &mut page),
                _ => {
                    page.push('`');
                    link(piece, reply, &mut page)?;
                    page.push('`');
                }
            }
        }
    }
    page.push_str("\n</p>\n");
    Some(page)
}

/// One link; `None` where it is no word of a command.
fn link(word: &str, reply: Reply<'_>, page: &mut String) -> Option<()> {
    if word.is_empty() || !word.bytes().all(|b| b.is_ascii_lowercase()) {
        return None;
    }
    let goes_on = LANGUAGE.of_reply(word).is_some_and(|entry| entry.in_reply.goes_on());
    let blank = if goes_on { " " } else { "" };
    page.push_str("<a href=\"mailto:");
    percent(reply.address, b"@+", page);
    page.push_str("?subject=Re%3A%20");
    percent(reply.subject, b"", page);
    page.push_str("&amp;body=");
    page.push_str(word);
    percent(blank, b"", page);
    if let Some(line) = reply.token_line {
        page.push_str("%0D%0A%0D%0A%3E%20");
        percent(line, b"", page);
    }
    page.push_str("\">");
    page.push_str(word);
    page.push_str("</a>");
    Some(())
}

/// Writes a part of a `mailto:` link (RFC 6068).
fn percent(text: &str, plain: &[u8], page: &mut String) {
    for byte in text.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => {
                page.push(char::from(byte))
            }
            byte if plain.contains(&byte) => page.push(char::from(byte)),
            byte => {
                page.push('%');
                push_hex(byte, page);
            }
        }
    }
}

/// A byte as two hexadecimal digits; `format!` takes ten times as long.
fn push_hex(byte: u8, page: &mut String) {
    for digit in [byte >> 4, byte & 0xF] {
        page.extend(char::from_digit(u32::from(digit), 16).map(|digit| digit.to_ascii_uppercase()));
    }
}

/// The lines below the signature's mark, each by itself.
fn footer(lines: &[&str], page: &mut String) {
    page.push_str("<p>\n");
    for (n, line) in lines.iter().enumerate() {
        page.push_str(if n > 0 { "<br>\n" } else { "" });
        escape(line, page);
        page.push('\n');
    }
    page.push_str("</p>\n");
}

fn prose(lines: &[&str], page: &mut String) {
    page.push_str("<p>\n");
    let mut above: Option<&str> = None;
    for line in lines {
        if above.is_some_and(|above| !is_folded(above, line)) {
            page.push_str("<br>\n");
        }
        escape(line, page);
        page.push('\n');
        above = Some(line);
    }
    page.push_str("</p>\n");
}

/// True when we folded `above` because the next word had no room. Lines behind a bar are a player's words and stay
/// apart. So do those that end a sentence: the key of a board and whose turn it is are as wide as a folded line.
fn is_folded(above: &str, line: &str) -> bool {
    let next = line.split(' ').next().unwrap_or_default();
    let room = above.chars().count() + 1 + next.chars().count() <= WIDTH;
    !room && !line.starts_with('|') && !above.ends_with('.')
}

fn escape(text: &str, page: &mut String) {
    for piece in text.split_inclusive(['&', '<', '>', '"', '\'']) {
        let mut plain = piece.chars();
        let escaped = match plain.next_back() {
            Some('&') => "&amp;",
            Some('<') => "&lt;",
            Some('>') => "&gt;",
            Some('"') => "&quot;",
            Some('\'') => "&#39;",
            _ => {
                page.push_str(piece);
                continue;
            }
        };
        page.push_str(plain.as_str());
        page.push_str(escaped);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn body(text: &str) -> String {
        let page = page(text, None, None);
        page.strip_prefix(HEAD).unwrap().strip_suffix(FOOT).unwrap().to_owned()
    }

    #[test]
    fn with_a_picture_the_link_to_the_page_stands_above_the_drawing() {
        let text = "ann, your move.\n\n \\__/w\n\nWhite leads.\n\nOn a page: https://p.example/play/p1.abc\n";
        let link = "<p>\nOn a page: <a href=\"https://p.example/play/p1.abc\">choose a move on the board</a>\n</p>\n";
        let shown = page(text, None, Some("<p>PICTURE</p>\n"));
        assert!(shown.contains(&format!("<p>PICTURE</p>\n{link}<pre")), "{shown}");
        assert_eq!(shown.matches("On a page").count(), 1);
        let plain = page(text, None, None);
        assert!(plain.ends_with(&format!("White leads.\n</ul>\n{link}{FOOT}")), "{plain}");
    }

    #[test]
    fn prose_is_joined_where_it_was_folded_and_nowhere_else() {
        let long = format!("{} word\nnext line.\nshort.\nshort too.\n", "x".repeat(WIDTH - 6));
        let x = "x".repeat(WIDTH - 6);
        assert_eq!(body(&long), format!("<p>\n{x} word\nnext line.\n<br>\nshort.\n<br>\nshort too.\n</p>\n"));
        assert_eq!(body("| bob\n| says\n"), "<p>\n| bob\n<br>\n| says\n</p>\n");
    }

    #[test]
    fn reply_words_are_links_that_begin_the_reply() {
        let reply =
            Reply { address: "play+b1.abc@t.example", subject: "dvonn 1, ann v bob", token_line: None };
        let page = super::page("Reply with a move, or: undo, chat.\n", Some(reply), None);
        let to = "mailto:play+b1.abc@t.example?subject=Re%3A%20dvonn%201%2C%20ann%20v%20bob&amp;body=";
        assert!(
            page.contains(&format!("or: <a href=\"{to}undo\">undo</a>, <a href=\"{to}chat%20\">chat</a>.")),
            "{page}"
        );
        let page = super::page("Reply `rematch` for another game.\n", Some(reply), None);
        assert!(
            page.contains(&format!("Reply `<a href=\"{to}rematch\">rematch</a>` for another game.")),
            "{page}"
        );
        let bare = Reply { address: "play@t.example", token_line: Some("[reply b1.abc]"), ..reply };
        let page = super::page("Reply: undo.\n", Some(bare), None);
        assert!(page.contains("&amp;body=undo%0D%0A%0D%0A%3E%20%5Breply%20b1.abc%5D\">undo</a>."), "{page}");
        // A player's words are behind a bar and never links; nor are other sentences.
        for text in ["| Reply: undo.\n", "Reply with: Good Luck, Bob.\n", "Reply to this.\n"] {
            assert!(!super::page(text, Some(reply), None).contains("mailto"), "{text}");
        }
    }

    #[test]
    fn what_stands_below_a_board_is_a_list() {
        let text = "   5\n 4 \\__ /\\__/\n\nw white\nF3 is b12\nWhite controls 3.\n\nIt is.\n";
        let list = "<ul>\n<li>w white\n<li>F3 is b12\n<li>White controls 3.\n</ul>\n<p>\nIt is.\n</p>\n";
        assert!(body(text).ends_with(list), "{}", body(text));
    }

    fn pre(size: usize) -> String {
        format!("<pre style=\"font-family:Consolas,'Courier New',monospace;font-size:{size}px\">\n")
    }

    #[test]
    fn a_drawing_fits_a_phone_and_a_table_can_be_read() {
        for (line, size) in [
            (format!("{} \\__/", " ".repeat(39)), 13),
            (format!("{} \\__/", " ".repeat(40)), 10),
            (format!("{} game 12", " ".repeat(60)), 13),
        ] {
            assert_eq!(body(&line), format!("{}{line}\n</pre>\n", pre(size)));
        }
    }

    #[test]
    fn a_sentence_as_wide_as_a_line_stays_apart() {
        let turn = format!("It is {}'s turn.", "x".repeat(WIDTH - 14));
        assert_eq!(
            body(&format!("{turn}\nTime a move: none.\n")),
            format!("<p>\n{}\n<br>\nTime a move: none.\n</p>\n", turn.replace('\'', "&#39;"))
        );
    }

    #[test]
    fn drawings_and_tables_keep_their_blanks() {
        assert_eq!(
            body("Move.\n\n\n   5\n 4 \\ __\nw white\n"),
            format!("<p>\nMove.\n</p>\n{}   5\n 4 \\ __\nw white\n</pre>\n", pre(13))
        );
        assert_eq!(
            body("a\n\n-- \nTurnpost\nOperator\n"),
            "<p>\na\n</p>\n<hr>\n<p>\nTurnpost\n<br>\nOperator\n</p>\n"
        );
    }

    #[test]
    fn nothing_that_anybody_writes_is_markup() {
        let page = page("| <script>alert(\"x\")</script> & 'y'\n\n  </pre><img src=x>\n", None, None);
        assert!(page.contains("| &lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt; &amp; &#39;y&#39;"));
        assert!(page.contains("  &lt;/pre&gt;&lt;img src=x&gt;"));
        assert_eq!(super::page("", None, None), format!("{HEAD}{FOOT}"));
    }
}
