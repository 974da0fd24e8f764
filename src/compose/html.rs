//! The HTML part of a mail, for programs that draw text in a proportional font.
//!
//! It is made from the blocks of the text, so that both say the same. Drawings go into `<pre>`, and so does what keeps
//! its blanks, such as a table. In other paragraphs we join the lines that we had folded.
//!
//! No style sheet, no script, nothing to fetch.

use super::blocks::{Block, BlockKind};
use super::text::WIDTH;
use crate::commands::LANGUAGE;
use crate::mail::outgoing::{HIDDEN, percent_encoded};

/// Without a font a mail program shows what it likes, often one with serifs.
const HEAD: &str = "<!DOCTYPE html>\n<html>\n\
    <body style=\"font-family:'Segoe UI',system-ui,Roboto,Arial,sans-serif\">\n";
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

/// `picture` is the line that stands for one above the board as it stands now.
///
/// With a picture the drawing goes to the end, turned as the picture is: what to do stands where the eye is, below the one board and above the other.
///
/// `address` is the one that commands go to.
pub fn page(blocks: &[Block], address: &str, reply: Option<Reply<'_>>, picture: Option<&str>) -> String {
    let mut page = String::from(HEAD);
    let link = blocks.iter().find_map(|block| match &block.kind {
        BlockKind::Page(link) => Some(link),
        _ => None,
    });
    let mut at_the_end = String::new();
    for block in blocks {
        let lines: Vec<&str> = block.text.lines().collect();
        match (&block.kind, reply) {
            (BlockKind::Drawing(board) | BlockKind::Sentences(board), _) => {
                let picture = picture.filter(|_| board.is_some());
                let in_words = matches!(block.kind, BlockKind::Sentences(_));
                if let Some(picture) = picture {
                    page.push_str(&if in_words { hidden(picture) } else { picture.to_owned() });
                    link.iter().for_each(|link| move_on_page(link, &mut page));
                }
                match picture {
                    _ if in_words => flowing(&lines, PROSE, |above, _| !above.ends_with('.'), &mut page),
                    // Its words are those of the picture.
                    Some(_) => drawing(&lines, HIDDEN, &mut at_the_end),
                    None => drawing(&lines, "", &mut page),
                }
            }
            (BlockKind::Level, _) if at_the_end.is_empty() => {}
            (BlockKind::Level, _) => {
                at_the_end.clear();
                drawing(&lines, HIDDEN, &mut at_the_end);
            }
            (BlockKind::Key, _) => {
                let of_drawing = if at_the_end.is_empty() { &mut page } else { &mut at_the_end };
                flowing(&lines, PROSE, is_folded, of_drawing);
            }
            (BlockKind::Page(_), _) if picture.is_some() => {}
            (BlockKind::Page(link), _) => move_on_page(link, &mut page),
            (BlockKind::Signature, _) => {
                page.push_str(&std::mem::take(&mut at_the_end));
                page.push_str("<hr>\n");
                flowing(lines.get(1..).unwrap_or_default(), PROSE, |_, _| false, &mut page);
            }
            (BlockKind::Subject, _) => {
                lines.iter().for_each(|line| subject_link(line.trim(), address, &mut page));
            }
            (BlockKind::Reply, Some(reply)) => linked(&lines.join(" "), reply, &mut page),
            _ if lines.iter().any(|line| keeps_blanks(line)) => preformatted(&lines, SIZE, "", &mut page),
            (BlockKind::List, _) => flowing(&lines, LIST, is_folded, &mut page),
            (BlockKind::Words, _) => said(&lines, &mut page),
            (BlockKind::Prose | BlockKind::Reply, _) => flowing(&lines, PROSE, is_folded, &mut page),
        }
    }
    page + &at_the_end + FOOT
}

/// A command that leaves with two taps.
fn subject_link(command: &str, address: &str, page: &mut String) {
    let (to, subject) = (percent_encoded(address, b"@+"), percent_encoded(command, b""));
    page.push_str(&format!("<p>\n<a href=\"mailto:{to}?subject={subject}\">"));
    escape(command, page);
    page.push_str("</a>\n</p>\n");
}

/// What a screen reader leaves out.
fn hidden(html: &str) -> String {
    format!("<div{HIDDEN}>\n{html}</div>\n")
}

/// The link to the page where a move is chosen.
fn move_on_page(link: &str, page: &mut String) {
    page.push_str("<p>\nOn a page: <a href=\"");
    escape(link, page);
    page.push_str("\">choose a move on the board</a>\n</p>\n");
}

fn drawing(lines: &[&str], attributes: &str, page: &mut String) {
    let is_wide = lines.iter().any(|line| line.chars().count() > COLUMNS);
    preformatted(lines, if is_wide { SMALL } else { SIZE }, attributes, page);
}

/// A drawing or table. Some programs show `<pre>` in the proportional font of the mail, so the font is named.
fn preformatted(lines: &[&str], size: usize, attributes: &str, page: &mut String) {
    page.push_str(&format!(
        "<pre{attributes} style=\"font-family:Consolas,'Courier New',monospace;font-size:{size}px\">\n"
    ));
    for line in lines {
        escape(line, page);
        page.push('\n');
    }
    page.push_str("</pre>\n");
}

/// True when the blanks of a line carry meaning.
fn keeps_blanks(line: &str) -> bool {
    line.starts_with(' ') || line.contains("  ")
}

/// What stands before lines that flow, between them, and behind them.
const PROSE: [&str; 3] = ["<p>\n", "<br>\n", "</p>\n"];
const LIST: [&str; 3] = ["<ul>\n<li>", "<li>", "</ul>\n"];

/// Lines apart from each other, but for those that are `folded`, with the line above.
fn flowing(lines: &[&str], tags: [&str; 3], folded: fn(&str, &str) -> bool, page: &mut String) {
    let [before, between, behind] = tags;
    page.push_str(before);
    let mut above: Option<&str> = None;
    let mut code = Code::of(lines);
    for line in lines {
        page.push_str(if above.is_some_and(|above| !folded(above, line)) { between } else { "" });
        code.put(line, page);
        page.push('\n');
        above = Some(line);
    }
    page.push_str(behind);
}

/// A person's words: each line stays apart, and nothing in them means anything.
fn said(lines: &[&str], page: &mut String) {
    for (n, line) in lines.iter().enumerate() {
        page.push_str(if n > 0 { "<br>\n" } else { "<p>\n" });
        escape(line, page);
        page.push('\n');
    }
    page.push_str("</p>\n");
}

/// What stands between backticks, also over the end of a line.
struct Code {
    is_open: bool,
    /// Each backtick has another.
    is_paired: bool,
}

impl Code {
    fn of(lines: &[&str]) -> Code {
        let ticks: usize = lines.iter().map(|line| line.matches('`').count()).sum();
        Code { is_open: false, is_paired: ticks.is_multiple_of(2) }
    }

    fn put(&mut self, line: &str, page: &mut String) {
        for (n, piece) in line.split('`').enumerate() {
            if n > 0 {
                page.push_str(match (self.is_paired, self.is_open) {
                    (false, _) => "`",
                    (true, false) => "<code>",
                    (true, true) => "</code>",
                });
                self.is_open = !self.is_open;
            }
            escape(piece, page);
        }
    }
}

/// What a reply can do. Its words, which stand between backticks or in a list behind a colon, are links that begin it.
fn linked(text: &str, reply: Reply<'_>, page: &mut String) {
    page.push_str("<p>\n");
    let text = text.trim();
    let listed = text.split_once(": ").filter(|(before, _)| !before.contains('`'));
    for (n, piece) in listed.map_or(text, |(before, _)| before).split('`').enumerate() {
        // Every second piece stands between backticks.
        if piece == text {
            link(piece, reply, page);
        } else if n % 2 == 0 {
            escape(piece, page);
        } else {
            page.push_str("<code>");
            link(piece, reply, page);
            page.push_str("</code>");
        }
    }
    for (n, piece) in listed.into_iter().flat_map(|(_, words)| words.split(", ")).enumerate() {
        page.push_str(if n > 0 { ", " } else { ": " });
        let word = piece.trim_end_matches('.');
        link(word, reply, page);
        page.push_str(piece.get(word.len()..).unwrap_or_default());
    }
    page.push_str("\n</p>\n");
}

/// A link, if this is the word of a command.
fn link(word: &str, reply: Reply<'_>, page: &mut String) {
    if word.is_empty() || !word.bytes().all(|b| b.is_ascii_lowercase()) {
        return escape(word, page);
    }
    let goes_on = LANGUAGE.of_reply(word).is_some_and(|entry| entry.in_reply.goes_on());
    let blank = if goes_on { "%20" } else { "" };
    let (address, subject) = (percent_encoded(reply.address, b"@+"), percent_encoded(reply.subject, b""));
    let token = reply.token_line.map(|line| percent_encoded(&format!("\r\n\r\n> {line}"), b""));
    let token = token.unwrap_or_default();
    page.push_str(&format!(
        "<a href=\"mailto:{address}?subject=Re%3A%20{subject}&amp;body={word}{blank}{token}\">{word}</a>"
    ));
}

/// True when we folded `above` because the next word had no room. Lines that end a sentence stay apart: the key of a
/// board and whose turn it is are as wide as a folded line.
fn is_folded(above: &str, line: &str) -> bool {
    let next = line.split(' ').next().unwrap_or_default();
    let room = above.chars().count() + 1 + next.chars().count() <= WIDTH;
    !room && !above.ends_with('.')
}

fn escape(text: &str, page: &mut String) {
    for c in text.chars() {
        match c {
            '&' => page.push_str("&amp;"),
            '<' => page.push_str("&lt;"),
            '>' => page.push_str("&gt;"),
            '"' => page.push_str("&quot;"),
            '\'' => page.push_str("&#39;"),
            c => page.push(c),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compose::blocks::{self, REPLY, WORDS, marked, split};
    use minijinja::{Value, context};

    fn page(text: &str, reply: Option<Reply<'_>>, picture: Option<&str>) -> String {
        super::page(&split(text), "play@t.example", reply, picture)
    }

    fn body(text: &str) -> String {
        let page = page(text, None, None);
        page.strip_prefix(HEAD).unwrap().strip_suffix(FOOT).unwrap().to_owned()
    }

    fn map(lines: &str) -> String {
        blocks::drawing(&Value::from(lines), None).unwrap()
    }

    #[test]
    fn with_a_picture_the_link_to_the_page_stands_above_the_drawing() {
        let board = blocks::drawing(
            &context! { drawing => " \\__/w\n", board => 1, events => 2, past => false },
            None,
        )
        .unwrap();
        let words = marked(REPLY, "Reply: undo.\n");
        let key = marked(blocks::KEY, "w white.\n");
        let listed = marked(blocks::LIST, "White leads.\n");
        let mut blocks = split(&format!("ann, your move.\n\n{board}\n{key}{listed}\n{words}"));
        blocks::add_page(&mut blocks, "https://p.example/play/p1.abc");
        let link = "<p>\nOn a page: <a href=\"https://p.example/play/p1.abc\">choose a move on the board</a>\n</p>\n";
        let shown = super::page(&blocks, "", None, Some("<p>PICTURE</p>\n"));
        let hidden = pre(13).replace("<pre ", "<pre aria-hidden=\"true\" ");
        let words = "<ul>\n<li>White leads.\n</ul>\n<p>\nReply: undo.\n</p>\n";
        let end = format!("{hidden} \\__/w\n</pre>\n<p>\nw white.\n</p>\n{FOOT}");
        assert!(shown.ends_with(&format!("<p>PICTURE</p>\n{link}{words}{end}")), "{shown}");
        assert_eq!(shown.matches("On a page").count(), 1);
        let plain = super::page(&blocks, "", None, None);
        assert!(plain.contains(&format!("White leads.\n</ul>\n{link}<p>\nReply: undo.\n</p>")), "{plain}");
    }

    #[test]
    fn prose_is_joined_where_it_was_folded_and_nowhere_else() {
        let long = format!("{} word\nnext line.\nshort.\nshort too.\n", "x".repeat(WIDTH - 6));
        let x = "x".repeat(WIDTH - 6);
        assert_eq!(body(&long), format!("<p>\n{x} word\nnext line.\n<br>\nshort.\n<br>\nshort too.\n</p>\n"));
        assert_eq!(body(&marked(WORDS, "| bob\n| says\n")), "<p>\n| bob\n<br>\n| says\n</p>\n");
    }

    #[test]
    fn reply_words_are_links_that_begin_the_reply() {
        let reply =
            Reply { address: "play+b1.abc@t.example", subject: "dvonn 1, ann v bob", token_line: None };
        let shown = page(&marked(REPLY, "Reply with a move, or: undo, chat.\n"), Some(reply), None);
        let to = "mailto:play+b1.abc@t.example?subject=Re%3A%20dvonn%201%2C%20ann%20v%20bob&amp;body=";
        assert!(
            shown.contains(&format!("or: <a href=\"{to}undo\">undo</a>, <a href=\"{to}chat%20\">chat</a>.")),
            "{shown}"
        );
        let again = page(&marked(REPLY, "Reply `rematch` for another game.\n"), Some(reply), None);
        assert!(
            again.contains(&format!(
                "Reply <code><a href=\"{to}rematch\">rematch</a></code> for another game."
            )),
            "{again}"
        );
        let bare = Reply { address: "play@t.example", token_line: Some("[reply b1.abc]"), ..reply };
        let bare = page(&marked(REPLY, "Reply: undo.\n"), Some(bare), None);
        assert!(bare.contains("&amp;body=undo%0D%0A%0D%0A%3E%20%5Breply%20b1.abc%5D\">undo</a>."), "{bare}");
        let lone = page(&marked(REPLY, "    yes\n"), Some(reply), None);
        assert!(lone.contains(&format!("<p>\n<a href=\"{to}yes\">yes</a>\n</p>")), "{lone}");
        let begins = page(&marked(blocks::SUBJECT, "    signup eve\n"), None, None);
        let link = "<a href=\"mailto:play@t.example?subject=signup%20eve\">signup eve</a>";
        assert!(begins.contains(link), "{begins}");
        // A player's words are never links; nor are other sentences.
        let reply_words = |text| marked(REPLY, text);
        for text in [
            marked(WORDS, "| Reply: undo.\n"),
            "Reply: undo.\n".to_owned(),
            reply_words("Reply with: Good Luck, Bob.\n"),
            reply_words("Reply to this.\n"),
        ] {
            assert!(!page(&text, Some(reply), None).contains("mailto"), "{text}");
        }
    }

    #[test]
    fn what_stands_between_backticks_is_code_but_in_the_words_of_people() {
        let folded = format!("{} `dvonn\nchallenge` & `help`.\n", "x".repeat(WIDTH - 7));
        let code = format!(
            "<p>\n{} <code>dvonn\nchallenge</code> &amp; <code>help</code>.\n</p>\n",
            "x".repeat(WIDTH - 7)
        );
        assert_eq!(body(&folded), code);
        assert_eq!(body("A ` alone.\n"), "<p>\nA ` alone.\n</p>\n");
        assert_eq!(body(&marked(WORDS, "| `a`\n")), "<p>\n| `a`\n</p>\n");
    }

    #[test]
    fn what_a_template_lists_is_a_list() {
        let listed = marked(blocks::LIST, "w white\nF3 is b12\nWhite controls 3.\n");
        let text = format!("{}\n{listed}\nIt is.\n", map("   5\n 4 \\__ /\\__/\n"));
        let list = "<ul>\n<li>w white\n<li>F3 is b12\n<li>White controls 3.\n</ul>\n<p>\nIt is.\n</p>\n";
        assert!(body(&text).ends_with(list), "{}", body(&text));
    }

    fn pre(size: usize) -> String {
        format!("<pre style=\"font-family:Consolas,'Courier New',monospace;font-size:{size}px\">\n")
    }

    #[test]
    fn a_drawing_fits_a_phone_and_a_table_can_be_read() {
        let [narrow, wide] = [39, 40].map(|blanks| format!("{} \\__/", " ".repeat(blanks)));
        let table = format!("{} game 12", " ".repeat(60));
        for (text, line, size) in
            [(map(&narrow), &narrow, 13), (map(&wide), &wide, 10), (table.clone(), &table, 13)]
        {
            assert_eq!(body(&text), format!("{}{line}\n</pre>\n", pre(size)));
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
        assert_eq!(super::page(&[], "", None, None), format!("{HEAD}{FOOT}"));
    }
}
