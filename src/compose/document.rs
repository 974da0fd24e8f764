//! A mail as blocks. The writers of text and of HTML print the same blocks.

use super::HelpPicture;
use crate::mail::outgoing::AttachedFile;
use crate::store::Pictured;

/// A template with its values.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct MailDocument {
    /// Empty if the mail belongs to the thread of a board.
    pub subject: String,
    pub blocks: Vec<Block>,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Block {
    Paragraph(Vec<Inline>),
    /// A paragraph that is one link and nothing else.
    Button {
        to: LinkTarget,
        label: Vec<Inline>,
    },
    Heading(Vec<Inline>),
    /// `first` is the number of the first item, if they have numbers.
    List {
        first: Option<u64>,
        items: Vec<Vec<Block>>,
    },
    Board {
        title: String,
        drawing: DrawnBoard,
        /// What explains the signs of the drawing.
        key: Vec<Vec<Inline>>,
    },
    /// The place of the board's picture: `![The board](picture:)`. Without it the picture stands at the board.
    BoardPicture,
    /// A person's words.
    Words(String),
    /// Lines that keep their ends, such as commands to copy.
    Lines(String),
    /// A line of the letter that the mail answers.
    Echo(String),
    /// Rows of cells.
    Table {
        has_head: bool,
        rows: Vec<Vec<Vec<Inline>>>,
    },
    /// What to reply. In HTML its code becomes links that write the reply.
    Reply(Vec<Block>),
    /// A picture of a help page. Mails leave it out.
    Picture(HelpPicture),
    /// The blocks below it are the signature.
    Signature,
    /// A text that a mail shows and attaches.
    File(AttachedFile),
}

/// A board in the reader's style of drawing.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct DrawnBoard {
    pub lines: String,
    /// The drawing with level rows, as in the picture. The HTML shows it in place of slanted rows.
    pub level: Option<String>,
    /// The event that its picture shows. An earlier position or a map has no picture.
    pub pictured: Option<Pictured>,
    /// It is a board in sentences, one a line.
    pub in_words: bool,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Inline {
    /// Words of the server: they fold.
    Text(String),
    /// A value: it stays on one line.
    Value(String),
    Code {
        text: String,
        from: Source,
    },
    Link {
        to: LinkTarget,
        label: Vec<Inline>,
    },
    Strong(Vec<Inline>),
    /// The end of a line that is kept.
    Break,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LinkTarget {
    /// A page or a mail. `None` for any other target: then only the label is printed.
    Address(Option<String>),
    /// The page on which the reader plays the board of the mail: `[Play](page:)`.
    BoardPage,
}

/// Who wrote code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source {
    /// The template holds all of it.
    Template,
    /// The template holds a value in it.
    Value,
    /// A sentence of the server, which can quote a person. It is never a link that writes a reply.
    Sentence,
}

/// A paragraph of the server's words. Text between backticks is code.
pub fn paragraph(sentences: &str) -> Block {
    Block::Paragraph(inlines(sentences))
}

/// The blocks of a text of the server: paragraphs, and lines that begin with four blanks.
pub fn paragraphs(sentences: &str) -> Vec<Block> {
    let parts = sentences.split("\n\n").map(|part| part.trim_matches('\n')).filter(|part| !part.is_empty());
    let block = |part: &str| match part.lines().all(|line| line.starts_with("    ")) {
        true => Block::Lines(part.lines().map(|line| line.trim().to_owned() + "\n").collect()),
        false => paragraph(part),
    };
    parts.map(block).collect()
}

/// The server's words. Text between backticks is code, if each backtick has its other.
pub fn inlines(sentences: &str) -> Vec<Inline> {
    let is_paired = sentences.matches('`').count().is_multiple_of(2);
    if !is_paired {
        return vec![Inline::Text(sentences.to_owned())];
    }
    let piece = |(n, piece): (usize, &str)| match n % 2 {
        0 => Inline::Text(piece.to_owned()),
        // A line end in code would begin a line of the mail.
        _ => Inline::Code { text: piece.replace('\n', " "), from: Source::Sentence },
    };
    sentences.split('`').enumerate().filter(|(_, piece)| !piece.is_empty()).map(piece).collect()
}

/// Adds a line as a paragraph above the signature.
pub fn add_above_signature(blocks: &mut Vec<Block>, line: &str) {
    let at = blocks.iter().rposition(|block| *block == Block::Signature).unwrap_or(blocks.len());
    blocks.insert(at, Block::Paragraph(vec![Inline::Text(line.to_owned())]));
}

/// The files that a mail of these blocks attaches.
pub fn files(blocks: &[Block]) -> impl Iterator<Item = &AttachedFile> {
    blocks.iter().filter_map(|block| match block {
        Block::File(file) => Some(file),
        _ => None,
    })
}

/// The only board of the blocks with a picture.
pub fn pictured(blocks: &[Block]) -> Option<Pictured> {
    let mut boards = blocks.iter().filter_map(|block| match block {
        Block::Board { drawing, .. } => drawing.pictured,
        _ => None,
    });
    boards.next().filter(|_| boards.next().is_none())
}
