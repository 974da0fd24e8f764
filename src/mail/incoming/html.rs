//! The text of a mail that has HTML alone.

use std::collections::HashSet;
use std::panic::{AssertUnwindSafe, catch_unwind};

use html2text::config;
// The variants of the crate's `NodeData`, which itself it does not give out.
use html2text::{Comment, Element, Handle, RcDom};

use super::message::TooMuch;

/// Elements deeper than this are no mail program's; the renderer's memory grows with depth.
const MAX_DEPTH: usize = 200;
/// More tags than this are no letter. The parser's work grows with the square of the elements that are open, and
/// 39,000 of the worst kind took six seconds.
const MAX_TAGS: usize = 10_000;
/// No line of a command is wrapped at this width.
const WIDTH: usize = 1000;

/// The text that a reader would see, quotes of earlier mails left out.
pub(super) fn to_text(html: &str) -> Result<String, TooMuch> {
    if html.bytes().filter(|b| *b == b'<').count() > MAX_TAGS {
        return Err(TooMuch::Parts);
    }
    // A library for the web at large is not let near the process: a panic there is a mail without text.
    catch_unwind(AssertUnwindSafe(|| render(html))).unwrap_or_else(|_| Ok(String::new()))
}

fn render(html: &str) -> Result<String, TooMuch> {
    let config = config::plain_no_decorate().no_table_borders().allow_width_overflow().no_link_wrapping();
    let Ok(dom) = config.parse_html(html.as_bytes()) else { return Ok(String::new()) };
    prune(&dom)?;
    let rendered = config.dom_to_render_tree(&dom).and_then(|tree| config.render_to_string(tree, WIDTH));
    Ok(rendered.unwrap_or_default().lines().map(|line| format!("{}\n", line.trim_end())).collect())
}

/// Takes the quotes out, and measures the depth.
fn prune(dom: &RcDom) -> Result<(), TooMuch> {
    let mut todo: Vec<(Handle, usize)> = vec![(dom.document.clone(), 0)];
    while let Some((node, depth)) = todo.pop() {
        if depth > MAX_DEPTH {
            return Err(TooMuch::Depth);
        }
        let mut children = node.children.borrow_mut();
        // Outlook writes the earlier mail below this mark, as its sisters.
        if let Some(mark) =
            children.iter().position(|child| has(child, "id", &["divrplyfwdmsg", "appendonsend"]))
        {
            children.truncate(mark);
        }
        children.retain(|child| !is_quote(child) && !matches!(&child.data, Comment { .. }));
        todo.extend(children.iter().map(|child| (child.clone(), depth + 1)));
    }
    Ok(())
}

fn is_quote(node: &Handle) -> bool {
    let dropped = ["blockquote", "script", "style", "head", "img", "hr"];
    matches!(&node.data, Element { name, .. } if dropped.contains(&&*name.local))
        || has(node, "class", &["gmail_quote", "gmail_quote_container", "moz-cite-prefix", "yahoo_quoted"])
}

/// Whether an attribute holds one of the words (given in lower case).
fn has(node: &Handle, attribute: &str, words: &[&str]) -> bool {
    let Element { attrs, .. } = &node.data else { return false };
    attrs.borrow().iter().any(|found| {
        let set: HashSet<String> = found.value.split_whitespace().map(str::to_lowercase).collect();
        &*found.name.local == attribute && words.iter().any(|word| set.contains(*word))
    })
}
