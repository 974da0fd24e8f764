//! The blocks of a mail. Its text and its HTML are both made from them.
//!
//! A filter in a template, such as `{{ v | drawing }}`, marks each of its lines with a control character that
//! tells its kind. Lines without a mark are prose or a table. People's texts contain no control characters
//! (`mail::clean`).

use minijinja::{Error, Value};

use super::document;
use super::drawing::Drawing;
use super::text;
use crate::ids::BoardId;
use crate::store::Pictured;

/// Adjacent lines of one kind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Block {
    pub kind: BlockKind,
    /// Each line ends with `\n`.
    pub text: String,
    /// True if no blank line separates it from the block above.
    pub attached: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BlockKind {
    /// A paragraph or a table.
    Prose,
    /// A board, with the event that its picture shows. An earlier position or a map has no picture.
    Drawing(Option<Pictured>),
    /// The drawing above with level rows, as in the picture. The text part leaves it out.
    Level,
    /// A board in sentences.
    Sentences(Option<Pictured>),
    /// The key to the signs of a drawing.
    Key,
    List,
    Words,
    /// Lines that the reader can send as Subjects.
    Subject,
    /// The words for a reply.
    Reply,
    Signature,
}

const DRAWING: char = '\u{1}';
const SENTENCES: char = '\u{6}';
const LEVEL: char = '\u{e}';
pub const KEY: char = '\u{7}';
pub const SUBJECT: char = '\u{8}';
pub const LIST: char = '\u{2}';
pub const WORDS: char = '\u{3}';
pub const REPLY: char = '\u{4}';
/// Begins a line that names a picture for a page. Mails leave it out.
pub const PICTURE: char = '\u{5}';

/// Begins the signature, with its trailing space (RFC 3676 4.3). Mail programs do not quote what is below it.
const SIGNATURE: &str = "-- ";

pub fn marked(mark: char, text: &str) -> String {
    let line = |line: &str| if line.trim().is_empty() { line.to_owned() } else { format!("{mark}{line}") };
    text.split_inclusive('\n').map(line).collect()
}

/// Marks the drawing of a board view, in the reader's `style` if the view has it. If `shown` is a text, such as a map,
/// marks its lines.
pub fn drawing(shown: &Value, style: Option<&str>) -> Result<String, Error> {
    let other = match style {
        Some(style) => Some(shown.get_attr(style)?).filter(|other| !other.is_undefined()),
        None => None,
    };
    let in_words = other.is_some() && style == Some("words");
    let lines = match other {
        Some(other) => other,
        None if shown.as_str().is_some() => shown.clone(),
        None => shown.get_attr("drawing")?,
    };
    let mut lines = lines.to_string();
    if in_words {
        // A quote puts a mark before each line. If a mail program then breaks the line, the rest could look like a
        // move.
        const QUOTABLE: usize = 60;
        lines = text::fill_between_items(&lines, QUOTABLE);
    }
    let mut mark = String::from(if in_words { SENTENCES } else { DRAWING });
    if !shown.get_attr("past")?.is_true() {
        // Subtracting a space turns digits and spaces into control characters.
        let now = format!("{} {}", shown.get_attr("board")?, shown.get_attr("events")?);
        mark.extend(now.bytes().map(|octet| char::from(octet.saturating_sub(b' '))));
    }
    let mut marked: String = lines.trim_matches('\n').lines().map(|line| format!("{mark}{line}\n")).collect();
    if !in_words && shown.get_attr("slanted")?.is_true() {
        marked.push_str(&self::marked(LEVEL, &shown.get_attr("compact")?.to_string()));
    }
    Ok(marked)
}

/// The kind of a line, and the line without its mark.
fn read(line: &str) -> (BlockKind, &str) {
    let bare = line.trim_start_matches(char::is_control);
    match line.chars().next() {
        Some(first @ (DRAWING | SENTENCES)) => {
            let mark = line.bytes().take(line.len() - bare.len()).skip(1);
            let now: String = mark.map(|octet| char::from(octet.saturating_add(b' '))).collect();
            let mut numbers = now.split(' ').map_while(|number| number.parse().ok());
            let now = numbers.next().zip(numbers.next());
            let now = now.map(|(board, event)| Pictured { board: BoardId(board), event });
            (if first == DRAWING { BlockKind::Drawing(now) } else { BlockKind::Sentences(now) }, bare)
        }
        Some(LEVEL) => (BlockKind::Level, bare),
        Some(SUBJECT) => (BlockKind::Subject, bare),
        Some(KEY) => (BlockKind::Key, bare),
        Some(LIST) => (BlockKind::List, bare),
        Some(WORDS) => (BlockKind::Words, bare),
        Some(REPLY) => (BlockKind::Reply, bare),
        _ if line == SIGNATURE => (BlockKind::Signature, line),
        _ => (BlockKind::Prose, line),
    }
}

/// The blocks of a marked text. Drops spaces at line ends, and blank lines between blocks.
pub fn split(marked: &str) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    let mut attached = false;
    for line in marked.lines().filter(|line| !line.starts_with(PICTURE)) {
        let (kind, line) = read(if line == SIGNATURE { line } else { line.trim_end() });
        if kind == BlockKind::Prose && line.is_empty() {
            attached = false;
            continue;
        }
        let belongs = |above: &BlockKind| {
            *above == kind || (*above == BlockKind::Signature && kind == BlockKind::Prose)
        };
        match blocks.last_mut().filter(|above| attached && belongs(&above.kind)) {
            Some(above) => above.text.extend([line, "\n"]),
            None => blocks.push(Block { kind, text: format!("{line}\n"), attached }),
        }
        attached = true;
    }
    blocks
}

/// The blocks of a marked text, as those of a document.
pub fn document(marked: &str) -> Vec<document::Block> {
    use document::Block as New;
    let mut blocks: Vec<New> = Vec::new();
    for line in marked.lines().filter_map(|line| line.strip_prefix(PICTURE)) {
        blocks.extend(super::HelpPicture::read(&line.replace('|', "\n")).map(New::Picture));
    }
    for block in split(marked) {
        let lines = || block.text.trim_end_matches('\n').to_owned();
        match (&block.kind, blocks.last_mut()) {
            (BlockKind::Drawing(pictured), _) => {
                let drawing = Drawing { lines: lines(), pictured: *pictured, ..Drawing::default() };
                blocks.push(New::Board { title: String::new(), drawing, key: Vec::new() });
            }
            (BlockKind::Sentences(pictured), _) => {
                let drawing = Drawing { lines: lines(), pictured: *pictured, in_words: true, level: None };
                blocks.push(New::Board { title: String::new(), drawing, key: Vec::new() });
            }
            (BlockKind::Level, Some(New::Board { drawing, .. })) => drawing.level = Some(lines()),
            (BlockKind::Key, Some(New::Board { key, .. })) => {
                key.push(document::inlines(&lines().replace('\n', " ")));
            }
            (BlockKind::Signature, _) => {
                blocks.push(New::Signature);
                let text = block.text.split_once('\n').map_or("", |(_, rest)| rest).to_owned();
                blocks.push(New::Old(Block { kind: BlockKind::Prose, text, attached: true }));
            }
            (BlockKind::Reply, _) => {
                let label = vec![document::Inline::Text("Play on the board".to_owned())];
                blocks.push(New::Button { to: document::Target::BoardPage, label });
                blocks.push(New::Old(block));
            }
            _ => blocks.push(New::Old(block)),
        }
    }
    blocks
}
