//! The HTML part of a mail, for programs that draw text in a proportional font.
//!
//! It is made from the blocks of the text, so that both parts say the same. Drawings and anything that needs its
//! spaces, such as a table, go into `<pre>`. In other paragraphs the folded lines are joined again.
//!
//! It has no style sheet, no script and no remote content.

use super::blocks::{Block, BlockKind};
use super::markup::{
    LIST, PROSE, Reply, SIZE, drawing, flowing, hidden, is_folded, keeps_blanks, linked, move_on_page,
    preformatted, said, subject_link,
};
use crate::mail::outgoing::HIDDEN;

/// Without a font, mail programs choose their own, often one with serifs.
const HEAD: &str = "<!DOCTYPE html>\n<html>\n\
    <body style=\"font-family:'Segoe UI',system-ui,Roboto,Arial,sans-serif\">\n";
const FOOT: &str = "</body></html>\n";

/// `picture` is the HTML of the picture, shown above the current position.
///
/// If there is a picture, the drawing moves to the end and has level rows like the picture. So the instructions are
/// directly below the picture.
///
/// `address` receives the commands.
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
                    // Screen readers skip it: they read the text of the picture.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compose::blocks::{self, REPLY, WORDS, marked, split};
    use crate::compose::text::WIDTH;
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
    fn with_a_picture_the_link_to_the_page_is_above_the_drawing() {
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
    fn only_folded_lines_of_prose_are_joined() {
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
        // Neither a player's words nor other sentences become links.
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
    fn text_between_backticks_is_code_except_in_words_of_people() {
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
    fn bullets_of_a_template_become_a_list() {
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
    fn drawings_and_tables_keep_their_spaces() {
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
    fn no_text_of_a_person_is_markup() {
        let page = page("| <script>alert(\"x\")</script> & 'y'\n\n  </pre><img src=x>\n", None, None);
        assert!(page.contains("| &lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt; &amp; &#39;y&#39;"));
        assert!(page.contains("  &lt;/pre&gt;&lt;img src=x&gt;"));
        assert_eq!(super::page(&[], "", None, None), format!("{HEAD}{FOOT}"));
    }
}
