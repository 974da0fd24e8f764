//! A canvas of characters, to draw boards on.

/// A grid of 7-bit characters that grows with the drawing.
#[derive(Debug, Default)]
pub struct Canvas {
    lines: Vec<Vec<u8>>,
}

impl Canvas {
    /// An empty canvas.
    pub fn new() -> Canvas {
        Canvas::default()
    }

    /// Writes `text` at `line` and `column`, both from 0, over older text. A character that is not printable 7-bit text
    /// becomes `?`, because a drawing goes into a mail.
    pub fn put(&mut self, line: usize, column: usize, text: &str) {
        if self.lines.len() <= line {
            self.lines.resize(line + 1, Vec::new());
        }
        let Some(line) = self.lines.get_mut(line) else { return };
        let end = column + text.chars().count();
        if line.len() < end {
            line.resize(end, b' ');
        }
        for (byte, character) in line.iter_mut().skip(column).zip(text.chars()) {
            let plain = matches!(character, ' '..='~');
            *byte = if plain { character as u8 } else { b'?' };
        }
    }

    /// Draws a hexagon around two characters, with its upper left side, `/`, at `line` (from 1) and `column`.
    /// Neighbours share sides: the hexagon below is two lines down, and those to the right are three columns
    /// further and one line up or down.
    ///
    /// ```text
    ///  __
    /// /w3\
    /// \__/
    /// ```
    pub fn hexagon(&mut self, line: usize, column: usize, inside: &str) {
        self.wide_hexagon(line, column, 2, inside);
    }

    /// Draws a hexagon around `width` characters. Neighbours to the right are `width + 1` columns further.
    pub fn wide_hexagon(&mut self, line: usize, column: usize, width: usize, inside: &str) {
        let side = "_".repeat(width);
        if let Some(above) = line.checked_sub(1) {
            self.put(above, column + 1, &side);
        }
        self.put(line, column, &format!("/{:width$}\\", ""));
        let inside =
            inside.char_indices().nth(width).map_or(inside, |(end, _)| inside.get(..end).unwrap_or(inside));
        self.put(line, column + 1, inside);
        self.put(line + 1, column, &format!("\\{side}/"));
    }

    /// Draws a square around three characters, with its left side, `|`, at `line` (from 1) and `column`.
    /// Neighbours share sides: the square below is two lines down, and the one to the right four columns further.
    pub fn square(&mut self, line: usize, column: usize, inside: &str) {
        for rim in [line.saturating_sub(1), line + 1] {
            self.put(rim, column, "+---+");
        }
        self.put(line, column, &format!("|{inside:^3.3}|"));
    }

    /// The drawing: lines without trailing blanks, each ended by `\n`.
    pub fn text(&self) -> String {
        let mut text = String::with_capacity(self.lines.iter().map(|line| line.len() + 1).sum());
        for line in &self.lines {
            text.extend(line.trim_ascii_end().iter().map(|byte| char::from(*byte)));
            text.push('\n');
        }
        text
    }
}
