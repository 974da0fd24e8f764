//! Reads the Markdown of a template as blocks, and puts the values into their holes.

use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag};

use super::HelpPicture;
use super::document::{Block, DrawnBoard, Inline, LinkTarget, Source, inlines, paragraphs};
use super::holes::{Hole, Holes, Piece};
use crate::mail::outgoing::AttachedFile;

/// The target of a link to the page on which the reader plays the board of the mail.
const BOARD_PAGE: &str = "page:";

/// The target of an image that is the picture of the board of the mail.
const BOARD_PICTURE: &str = "picture:";

/// Fails if the Markdown has something that a mail cannot have. The error names it.
pub fn read(markdown: &str, holes: &Holes) -> Result<Vec<Block>, String> {
    MarkdownReader::of(markdown, holes).blocks()
}

struct MarkdownReader<'a> {
    events: Vec<Event<'a>>,
    at: usize,
    holes: &'a Holes,
}

impl<'a> MarkdownReader<'a> {
    fn of(markdown: &'a str, holes: &'a Holes) -> MarkdownReader<'a> {
        MarkdownReader { events: Parser::new_ext(markdown, Options::empty()).collect(), at: 0, holes }
    }

    fn peek(&self) -> Option<&Event<'a>> {
        self.events.get(self.at)
    }

    /// Reads up to the end of the surrounding block.
    fn blocks(&mut self) -> Result<Vec<Block>, String> {
        let mut blocks = Vec::new();
        while let Some(event) = self.peek().cloned() {
            match event {
                Event::End(_) => break,
                Event::Rule => {
                    self.at += 1;
                    blocks.push(Block::Signature);
                }
                Event::Start(Tag::Paragraph) => blocks.extend(self.inside(Self::paragraph)),
                Event::Start(Tag::Heading { .. }) => blocks.push(Block::Heading(self.inside(Self::inlines))),
                Event::Start(Tag::List(first)) => {
                    let items = self.inside(Self::items)?;
                    blocks.push(Block::List { first, items });
                }
                Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(info))) => {
                    let lines = self.inside(Self::raw);
                    blocks.push(self.fence(&info, &lines)?);
                }
                Event::Start(Tag::CodeBlock(CodeBlockKind::Indented)) => {
                    return Err(
                        "a line begins with four blanks; put lines that keep their blanks into a fence"
                            .into(),
                    );
                }
                Event::Start(Tag::HtmlBlock) => {
                    let html = self.inside(Self::raw);
                    blocks.push(Block::Paragraph(self.text(html.trim())));
                }
                Event::Start(Tag::BlockQuote(_)) => {
                    return Err("a line begins with `>`; put a person's words into a fence `words`".into());
                }
                // The text of an item in a list without blank lines.
                _ => match self.inlines() {
                    inlines if inlines.is_empty() => self.at += 1,
                    inlines => blocks.push(Block::Paragraph(inlines)),
                },
            }
        }
        Ok(blocks)
    }

    /// Reads from the start of a tag, which is next, to its end.
    fn inside<T>(&mut self, read: fn(&mut Self) -> T) -> T {
        self.at += 1;
        let inner = read(self);
        self.at += 1;
        inner
    }

    fn items(&mut self) -> Result<Vec<Vec<Block>>, String> {
        let mut items = Vec::new();
        while let Some(Event::Start(Tag::Item)) = self.peek() {
            items.push(self.inside(Self::blocks)?);
        }
        Ok(items)
    }

    fn raw(&mut self) -> String {
        let mut raw = String::new();
        while let Some(Event::Text(text) | Event::Html(text)) = self.peek() {
            raw.push_str(text);
            self.at += 1;
        }
        raw
    }

    fn paragraph(&mut self) -> Vec<Block> {
        if let [Event::Text(text), Event::End(_), ..] = self.events.get(self.at..).unwrap_or_default()
            && let [Piece::Hole(Hole::Sentences(sentences))] = self.holes.pieces(text).as_slice()
        {
            let paragraphs = paragraphs(sentences);
            self.at += 1;
            return paragraphs;
        }
        let is_picture = matches!(
            self.peek(), Some(Event::Start(Tag::Image { dest_url, .. })) if &**dest_url == BOARD_PICTURE
        );
        let mut inlines = self.inlines();
        match inlines.pop() {
            _ if is_picture => vec![Block::BoardPicture],
            Some(Inline::Link { to, label }) if inlines.is_empty() => vec![Block::Button { to, label }],
            last => {
                inlines.extend(last);
                vec![Block::Paragraph(inlines)]
            }
        }
    }

    fn inlines(&mut self) -> Vec<Inline> {
        let mut inlines = Vec::new();
        while let Some(event) = self.peek().cloned() {
            match event {
                // HTML in a template is shown as text.
                Event::Text(text) | Event::InlineHtml(text) => inlines.extend(self.text(&text)),
                Event::SoftBreak => inlines.push(Inline::Text(" ".into())),
                Event::HardBreak => inlines.push(Inline::Break),
                Event::Code(code) => {
                    let is_hole = |piece: &Piece<'_>| matches!(piece, Piece::Hole(_));
                    let from = match self.holes.pieces(&code).iter().any(is_hole) {
                        true => Source::Value,
                        false => Source::Template,
                    };
                    inlines.push(Inline::Code { text: self.holes.code(&code), from });
                }
                Event::Start(Tag::Link { dest_url, .. }) => {
                    let to = match &*dest_url {
                        BOARD_PAGE => LinkTarget::BoardPage,
                        to => LinkTarget::Address(self.holes.address(to)),
                    };
                    inlines.push(Inline::Link { to, label: self.inside(Self::inlines) });
                    continue;
                }
                Event::Start(Tag::Strong | Tag::Emphasis | Tag::Image { .. }) => {
                    inlines.push(Inline::Strong(self.inside(Self::inlines)));
                    continue;
                }
                _ => break,
            }
            self.at += 1;
        }
        inlines
    }

    fn text(&self, text: &str) -> Vec<Inline> {
        let mut found = Vec::new();
        for piece in self.holes.pieces(text) {
            match piece {
                Piece::Template(text) => found.push(Inline::Text(text.to_owned())),
                Piece::Hole(Hole::Sentences(sentences)) => found.extend(inlines(sentences)),
                Piece::Hole(hole) => found.push(Inline::Value(hole.in_a_sentence())),
            }
        }
        found
    }

    fn fence(&self, info: &str, lines: &str) -> Result<Block, String> {
        let (kind, title) = info.split_once(' ').unwrap_or((info, ""));
        Ok(match kind {
            "board" => self.board(title, lines),
            "words" => Block::Words(self.holes.lines(lines)),
            "lines" => Block::Lines(self.holes.lines(lines)),
            "echo" => Block::Echo(self.holes.line(lines)),
            "table" => self.table(lines),
            "reply" => Block::Reply(read(lines, self.holes)?),
            "picture" => {
                let picture = HelpPicture::read(&self.holes.lines(lines));
                Block::Picture(picture.ok_or("a picture has three lines: a position, moves and a caption")?)
            }
            "file" => {
                // The last line end belongs to the fence.
                let lines = lines.trim_end_matches('\n');
                Block::File(AttachedFile { name: self.holes.line(title), text: self.holes.lines(lines) })
            }
            _ => {
                return Err(format!(
                    "no fence is called `{kind}`: there are board, words, lines, table, reply, echo, picture and file"
                ));
            }
        })
    }

    fn board(&self, title: &str, lines: &str) -> Block {
        let mut pieces = self.holes.pieces(lines).into_iter();
        let title = self.holes.line(title);
        match pieces.next() {
            Some(Piece::Hole(Hole::Board(drawing))) => {
                let rest: String = pieces
                    .map(|piece| match piece {
                        Piece::Template(text) => text.to_owned(),
                        Piece::Hole(hole) => hole.text().to_owned(),
                    })
                    .collect();
                let key = rest.lines().filter(|line| !line.trim().is_empty()).map(inlines).collect();
                Block::Board { title, drawing: drawing.clone(), key }
            }
            _ => {
                let lines = self.holes.drawn(lines).trim_matches('\n').to_owned();
                Block::Board {
                    title,
                    drawing: DrawnBoard { lines, ..DrawnBoard::default() },
                    key: Vec::new(),
                }
            }
        }
    }

    /// Cells are between bars. The first row is a head if a row of dashes follows it.
    fn table(&self, lines: &str) -> Block {
        let is_rule = |line: &&str| line.trim_start().starts_with("---");
        let lines = || lines.lines().filter(|line| !line.trim().is_empty());
        let has_head = lines().nth(1).as_ref().is_some_and(is_rule);
        let cells = |line: &str| line.split('|').map(|cell| self.cell(cell.trim())).collect();
        let rows = lines().filter(|line| !is_rule(line)).map(cells).collect();
        Block::Table { has_head, rows }
    }

    fn cell(&self, cell: &str) -> Vec<Inline> {
        let mut reader = MarkdownReader::of(cell, self.holes);
        match reader.peek() {
            Some(Event::Start(Tag::Paragraph)) => reader.inside(MarkdownReader::inlines),
            // `1.` alone would be a list.
            _ => self.text(cell),
        }
    }
}
