//! The text of a mail. Paragraphs are folded; boards, tables and lines keep their ends.

use super::document::{Block, DrawnBoard, Inline, LinkTarget, Source};
use super::text::{WIDTH, fill_between_items, said};

/// Begins each line of a person's words. The server's own lines never begin with it.
const BAR: &str = "| ";

/// The widest line of a board in sentences. A quote puts a mark before each line. If a mail program then breaks the line,
/// the rest could look like a move.
const QUOTABLE: usize = 60;

pub fn write(blocks: &[Block]) -> String {
    written(blocks, None)
}

/// The text with the link to the page of the board, if there is one.
pub fn written(blocks: &[Block], page: Option<&str>) -> String {
    let mut writer = TextWriter { page, out: String::new() };
    blocks.iter().for_each(|block| writer.block(block));
    writer.out
}

struct TextWriter<'a> {
    page: Option<&'a str>,
    out: String,
}

impl TextWriter<'_> {
    fn block(&mut self, block: &Block) {
        if let Block::Reply(blocks) = block {
            return blocks.iter().for_each(|block| self.block(block));
        }
        let above = self.out.len();
        let is_attached = self.out.ends_with("\n-- \n");
        if !self.out.is_empty() && !is_attached {
            self.out.push('\n');
        }
        let begin = self.out.len();
        match block {
            Block::Paragraph(inlines) | Block::Heading(inlines) => self.flow(inlines, "", ""),
            Block::Button { to: LinkTarget::BoardPage, .. } if self.page.is_none() => {}
            Block::Button { to, label } => {
                let link = Inline::Link { to: to.clone(), label: label.clone() };
                self.flow(&[link], "", "");
            }
            Block::List { first, items } => self.list(*first, items, ""),
            Block::Board { drawing, key, .. } => self.board(drawing, key),
            Block::Words(words) if words.trim().is_empty() => {}
            Block::Words(words) => self.fixed(&said(words.trim_matches('\n')), ""),
            Block::Lines(lines) => self.fixed(lines, "    "),
            Block::Echo(line) => self.fixed(line, "> "),
            Block::Table { has_head, rows } => self.table(*has_head, rows),
            Block::File(file) => self.fixed(&file.text, ""),
            Block::Signature => self.out.push_str("-- \n"),
            Block::Reply(_) | Block::Picture(_) | Block::BoardPicture => {}
        }
        if self.out.len() == begin {
            self.out.truncate(above);
        }
    }

    fn list(&mut self, first: Option<u64>, items: &[Vec<Block>], margin: &str) {
        for (n, item) in (0_u64..).zip(items) {
            let mark = first.map_or_else(|| "- ".to_owned(), |first| format!("{}. ", first + n));
            let hanging = format!("{margin}{}", " ".repeat(mark.len()));
            let mut before = format!("{margin}{mark}");
            for block in item {
                match block {
                    Block::Paragraph(inlines) => self.flow(inlines, &before, &hanging),
                    Block::List { first, items } => self.list(*first, items, &hanging),
                    Block::Button { to, label } => {
                        let link = Inline::Link { to: to.clone(), label: label.clone() };
                        self.flow(&[link], &before, &hanging);
                    }
                    other => self.block(other),
                }
                before.clone_from(&hanging);
            }
        }
    }

    /// Folds between the words of the server. A value, code and a link stay whole.
    fn flow(&mut self, inlines: &[Inline], before: &str, hanging: &str) {
        let mut line = before.to_owned();
        for words in self.words_of(inlines) {
            for (n, word) in words.iter().enumerate() {
                if n > 0 && length(&line) + 1 + length(word) > WIDTH {
                    self.line(&line);
                    line = hanging.to_owned();
                } else if n > 0 {
                    line.push(' ');
                }
                line.push_str(word);
            }
            self.line(&line);
            line = hanging.to_owned();
        }
    }

    fn line(&mut self, line: &str) {
        self.out.push_str(line.trim_end());
        self.out.push('\n');
    }

    /// The words of each line that the template keeps.
    fn words_of(&self, inlines: &[Inline]) -> Vec<Vec<String>> {
        let mut words = WordWrap::default();
        self.put(inlines, &mut words);
        words.end_line();
        words.lines
    }

    fn put(&self, inlines: &[Inline], words: &mut WordWrap) {
        for (n, inline) in inlines.iter().enumerate() {
            match inline {
                Inline::Text(text) => words.template(text),
                Inline::Value(value) => words.whole(value, false),
                Inline::Strong(inner) => self.put(inner, words),
                Inline::Break => words.end_line(),
                Inline::Code { text, from } => {
                    let shown = if needs_ticks(text) { format!("`{text}`") } else { text.clone() };
                    words.whole(&shown, *from != Source::Value);
                }
                Inline::Link { to, label } => {
                    // If only a full stop follows, it goes: mail programs would make it a part of the address.
                    let is_last = match inlines.get(n + 1..) {
                        Some([]) => true,
                        Some([Inline::Text(rest)]) => rest.trim_end() == ".",
                        _ => false,
                    };
                    match self.shown(to) {
                        None => self.put(label, words),
                        Some(to) if is_same(label, to) => words.whole(to, true),
                        Some(to) if is_last => {
                            self.put(label, words);
                            words.whole(":", false);
                            words.end();
                            words.whole(to, true);
                            break;
                        }
                        Some(to) => {
                            self.put(label, words);
                            words.end();
                            words.whole(&format!("<{to}>"), true);
                        }
                    }
                }
            }
        }
    }

    /// The address of a link, if the text shows it.
    fn shown<'a>(&'a self, to: &'a LinkTarget) -> Option<&'a str> {
        match to {
            LinkTarget::BoardPage => self.page,
            LinkTarget::Address(to) => to.as_deref().filter(|to| !to.starts_with("mailto:")),
        }
    }

    fn board(&mut self, drawing: &DrawnBoard, key: &[Vec<Inline>]) {
        match drawing.in_words {
            true => self.fixed(&fill_between_items(&drawing.lines, QUOTABLE), ""),
            false => self.fixed(&drawing.lines, ""),
        }
        key.iter().for_each(|line| self.flow(line, "", ""));
    }

    fn fixed(&mut self, lines: &str, margin: &str) {
        for line in lines.trim_end().trim_start_matches('\n').lines() {
            let line = line.trim_end();
            if line.is_empty() && self.out.ends_with("\n\n") {
                continue;
            }
            self.out.push_str(if line.is_empty() { "" } else { margin });
            self.out.push_str(line);
            self.out.push('\n');
        }
    }

    fn table(&mut self, has_head: bool, rows: &[Vec<Vec<Inline>>]) {
        const MARGIN: &str = "    ";
        let cell = |cell: &Vec<Inline>| self.words_of(cell).concat().join(" ");
        let mut rows: Vec<Vec<String>> = rows.iter().map(|row| row.iter().map(cell).collect()).collect();
        for row in rows.iter_mut().filter(|row| row.iter().filter(|cell| !cell.is_empty()).count() > 1) {
            // The other cells of the row tell a value apart.
            row.iter_mut().for_each(|cell| *cell = cell.trim_start_matches(BAR).to_owned());
        }
        let columns = rows.iter().map(Vec::len).max().unwrap_or_default();
        let width = |n: usize| rows.iter().filter_map(|row| row.get(n)).map(|cell| length(cell)).max();
        let widths: Vec<usize> = (0..columns).map(|n| width(n).unwrap_or_default()).collect();
        let right = numbers(&rows, has_head);
        // The columns of a cross-table are narrow and many.
        let is_narrow = |n: usize| widths.get(n).is_none_or(|width| *width <= 2);
        for row in &rows {
            let mut line = String::from(MARGIN);
            if row.iter().all(String::is_empty) {
                continue;
            }
            for (n, cell) in row.iter().enumerate() {
                // The cells of a long row for which there is no room go below it.
                let has_room = length(&line) + length(cell) <= WIDTH;
                if n > 0 && !has_room && !is_narrow(n) && !line.trim().is_empty() {
                    self.line(&line);
                    line = MARGIN.repeat(2);
                }
                let width = widths.get(n).copied().unwrap_or_default();
                let blanks = " ".repeat(width.saturating_sub(length(cell)));
                let is_right = right.get(n) == Some(&true);
                let (before, after) = if is_right { (blanks.as_str(), "") } else { ("", blanks.as_str()) };
                let gap = if is_narrow(n) && is_narrow(n + 1) { " " } else { "  " };
                line.push_str(&format!("{before}{cell}{after}{gap}"));
            }
            // The last cells can be empty.
            if !line.trim().is_empty() {
                self.line(&line);
            }
        }
    }
}

fn is_same(label: &[Inline], to: &str) -> bool {
    matches!(label, [Inline::Text(label) | Inline::Value(label)] if label == to)
}

/// True for code that reads like a word of its sentence, such as `yes`. Also true for code with a blank: its end would be
/// unclear. A move such as `e5` explains itself.
fn needs_ticks(code: &str) -> bool {
    code.contains(' ') || !code.bytes().any(|octet| octet.is_ascii_digit())
}

/// True for each column of numbers. The first column is never one: its numbers are names.
pub fn numbers(rows: &[Vec<String>], has_head: bool) -> Vec<bool> {
    let columns = rows.iter().map(Vec::len).max().unwrap_or_default();
    let is_number = |cell: &String| cell.chars().all(|c| c.is_ascii_digit() || "+-.½ ".contains(c));
    let body = || rows.iter().skip(usize::from(has_head));
    let is_column = |n| n > 0 && body().all(|row| row.get(n).is_none_or(is_number));
    (0..columns).map(is_column).collect()
}

fn length(text: &str) -> usize {
    text.chars().count()
}

/// Cuts inlines into what must stay on one line. Each piece holds a letter of the template, so no line of the mail is a
/// person's alone.
#[derive(Default)]
struct WordWrap {
    lines: Vec<Vec<String>>,
    line: Vec<String>,
    open: String,
    /// The open word has a letter of the template.
    is_anchored: bool,
}

impl WordWrap {
    fn template(&mut self, text: &str) {
        for c in text.chars() {
            match c {
                ' ' | '\n' => self.end(),
                c => {
                    self.is_anchored |= c.is_alphanumeric();
                    self.open.push(c);
                }
            }
        }
    }

    fn whole(&mut self, text: &str, is_ours: bool) {
        self.open.push_str(text);
        self.is_anchored |= is_ours;
    }

    /// A value stays with the word above, or if it begins its line with the next.
    fn end(&mut self) {
        if self.is_anchored {
            self.line.push(std::mem::take(&mut self.open));
        } else if !self.open.trim().is_empty() {
            match self.line.last_mut() {
                Some(above) => {
                    above.push(' ');
                    above.push_str(&std::mem::take(&mut self.open));
                }
                None => return self.open.push(' '),
            }
        }
        self.open.clear();
        self.is_anchored = false;
    }

    fn end_line(&mut self) {
        self.end();
        let value = std::mem::take(&mut self.open);
        if !value.is_empty() {
            // A line that is only a value gets the bar of words.
            self.line.push(format!("{BAR}{}", value.trim_end()));
        }
        self.lines.extend(Some(std::mem::take(&mut self.line)).filter(|line| !line.is_empty()));
    }
}
