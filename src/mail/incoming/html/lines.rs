//! The lines of a page, and which of them are quoted.

/// The most `>` written before a line: without a limit a deep quote would grow with its depth.
const MAX_MARKS: i32 = 9;

#[derive(Default)]
pub(super) struct Lines {
    text: String,
    /// The number of line ends in `text`, how many of them are at its end, and where its last word ends.
    row: usize,
    trailing: usize,
    words_end: usize,
    /// The line ends that the next word needs before it, and whether it needs a space.
    line_ends: usize,
    blank: bool,
    /// The rows at which quotes begin (1) and end (-1).
    edges: Vec<(usize, i32)>,
}

impl Lines {
    pub fn len(&self) -> usize {
        self.text.len()
    }

    pub fn words_end(&self) -> usize {
        self.words_end
    }

    /// Puts at least this many line ends before the next word.
    pub fn need(&mut self, line_ends: usize) {
        self.line_ends = self.line_ends.max(line_ends);
    }

    pub fn need_blank(&mut self) {
        self.blank = true;
    }

    /// The row of the next word.
    pub fn next_row(&self) -> usize {
        if self.text.is_empty() { 0 } else { self.row + self.missing_line_ends() }
    }

    fn missing_line_ends(&self) -> usize {
        self.line_ends.saturating_sub(self.trailing)
    }

    pub fn begin_word(&mut self) {
        if !self.text.is_empty() {
            for _ in 0..self.missing_line_ends() {
                self.end_line();
            }
        }
        if self.blank && !self.text.is_empty() && !self.text.ends_with([' ', '\n']) {
            self.text.push(' ');
        }
        (self.line_ends, self.blank) = (0, false);
    }

    pub fn end_line(&mut self) {
        self.push("\n");
    }

    pub fn push(&mut self, text: &str) {
        let bare = text.trim_end_matches('\n').len();
        self.trailing = text.len() - bare + if bare == 0 { self.trailing } else { 0 };
        self.row += text.bytes().filter(|b| *b == b'\n').count();
        let words = text.trim_end().len();
        if words > 0 {
            self.words_end = self.text.len() + words;
        }
        self.text.push_str(text);
    }

    pub fn add_quote(&mut self, from: usize, to: usize) {
        if from < to {
            self.edges.extend([(from, 1), (to, -1)]);
        }
    }

    pub fn quote_rest(&mut self, from: usize) {
        self.add_quote(from, self.row + 1);
    }

    /// The lines, with marks before quoted ones.
    pub fn finish(mut self) -> String {
        self.edges.sort_unstable();
        let mut edges = self.edges.iter().peekable();
        let mut depth = 0;
        let mut out = String::with_capacity(self.text.len());
        for (row, line) in self.text.lines().enumerate() {
            while let Some((_, change)) = edges.next_if(|(at, _)| *at <= row) {
                depth += change;
            }
            let line = line.trim_end();
            if depth > 0 && !line.is_empty() {
                out.extend((0..depth.min(MAX_MARKS)).map(|_| '>'));
                out.push(' ');
            }
            out.push_str(line);
            out.push('\n');
        }
        out
    }
}
