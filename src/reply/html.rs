//! The HTML part of a mail, for programs that draw text in a proportional font.
//!
//! It is made from the text, so that both say the same. A paragraph with leading or repeated blanks is a drawing or
//! table and goes into `<pre>`. In other paragraphs we join the lines that we had folded.
//!
//! No style sheet, no script, nothing to fetch.

use super::text::WIDTH;

const HEAD: &str = "<!DOCTYPE html>\n<html><body>\n";
const FOOT: &str = "</body></html>\n";

/// Some programs show `<pre>` in the proportional font of the mail.
const PRE: &str = "<pre style=\"font-family:Consolas,'Courier New',monospace\">\n";

pub fn page(text: &str) -> String {
    let mut page = String::with_capacity(text.len() * 2);
    page.push_str(HEAD);
    let mut lines = text.lines().peekable();
    while lines.peek().is_some() {
        let mut paragraph = Vec::new();
        while let Some(line) = lines.next_if(|line| !line.is_empty()) {
            paragraph.push(line);
        }
        match paragraph.as_slice() {
            [] => {}
            ["-- ", rest @ ..] => {
                page.push_str("<hr>\n");
                prose(rest, &mut page);
            }
            drawing if drawing.iter().any(|line| is_drawn(line)) => {
                page.push_str(PRE);
                for line in drawing {
                    escape(line, &mut page);
                    page.push('\n');
                }
                page.push_str("</pre>\n");
            }
            words => prose(words, &mut page),
        }
        lines.next();
    }
    page.push_str(FOOT);
    page
}

/// True when the blanks of a line carry meaning.
fn is_drawn(line: &str) -> bool {
    line.starts_with(' ') || line.as_bytes().windows(2).any(|two| two == b"  " || two == b"__")
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
/// apart.
fn is_folded(above: &str, line: &str) -> bool {
    let next = line.split(' ').next().unwrap_or_default();
    let room = above.chars().count() + 1 + next.chars().count() <= WIDTH;
    !room && !line.starts_with('|')
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
        let page = page(text);
        page.strip_prefix(HEAD).unwrap().strip_suffix(FOOT).unwrap().to_owned()
    }

    #[test]
    fn prose_is_joined_where_it_was_folded_and_nowhere_else() {
        let long = format!("{} word\nnext line.\nshort.\nshort too.\n", "x".repeat(WIDTH - 6));
        let x = "x".repeat(WIDTH - 6);
        assert_eq!(body(&long), format!("<p>\n{x} word\nnext line.\n<br>\nshort.\n<br>\nshort too.\n</p>\n"));
        assert_eq!(body("| bob\n| says\n"), "<p>\n| bob\n<br>\n| says\n</p>\n");
    }

    #[test]
    fn drawings_and_tables_keep_their_blanks() {
        assert_eq!(
            body("Move.\n\n\n   5\n 4 \\ __\nw white\n"),
            format!("<p>\nMove.\n</p>\n{PRE}   5\n 4 \\ __\nw white\n</pre>\n")
        );
        assert_eq!(
            body("a\n\n-- \nTurnpost\nOperator\n"),
            "<p>\na\n</p>\n<hr>\n<p>\nTurnpost\n<br>\nOperator\n</p>\n"
        );
    }

    #[test]
    fn nothing_that_anybody_writes_is_markup() {
        let page = page("| <script>alert(\"x\")</script> & 'y'\n\n  </pre><img src=x>\n");
        assert!(page.contains("| &lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt; &amp; &#39;y&#39;"));
        assert!(page.contains("  &lt;/pre&gt;&lt;img src=x&gt;"));
        assert_eq!(super::page(""), format!("{HEAD}{FOOT}"));
    }
}
