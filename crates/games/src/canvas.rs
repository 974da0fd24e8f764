//! A sheet of characters to draw boards on.

/// Lines of 7-bit text that grow as things are put on them.
#[derive(Debug, Default)]
pub struct Sheet {
    lines: Vec<Vec<u8>>,
}

impl Sheet {
    /// An empty sheet.
    pub fn new() -> Sheet {
        Sheet::default()
    }

    /// Writes `text` over what stands at `line` and `column`, both from 0. What is not a printable 7-bit character
    /// becomes `?`, so that a drawing always fits a mail.
    pub fn put(&mut self, line: usize, column: usize, text: &str) {
        if self.lines.len() <= line {
            self.lines.resize(line + 1, Vec::new());
        }
        let Some(line) = self.lines.get_mut(line) else { return };
        let end = column + text.chars().count();
        if line.len() < end {
            line.resize(end, b' ');
        }
        for (cell, character) in line.iter_mut().skip(column).zip(text.chars()) {
            let plain = matches!(character, ' '..='~');
            *cell = if plain { character as u8 } else { b'?' };
        }
    }

    /// Draws a six-sided cell whose upper left side, `/`, stands at `line` and `column`, with two characters in it.
    /// Neighbours share their sides: the cell below is two lines down, those to the right three columns on and one
    /// line up or down. `line` is 1 or more; there is no upper side on line 0.
    ///
    /// ```text
    ///  __
    /// /w3\
    /// \__/
    /// ```
    pub fn hexagon(&mut self, line: usize, column: usize, inside: &str) {
        if let Some(above) = line.checked_sub(1) {
            self.put(above, column + 1, "__");
        }
        self.put(line, column, "/  \\");
        let inside =
            inside.char_indices().nth(2).map_or(inside, |(end, _)| inside.get(..end).unwrap_or(inside));
        self.put(line, column + 1, inside);
        self.put(line + 1, column, "\\__/");
    }

    /// The drawing: every line without blanks at its end, and ended by `\n`.
    pub fn text(&self) -> String {
        let mut text = String::with_capacity(self.lines.iter().map(|line| line.len() + 1).sum());
        for line in &self.lines {
            text.extend(line.trim_ascii_end().iter().map(|byte| char::from(*byte)));
            text.push('\n');
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_share_their_sides_and_lines_end_without_blanks() {
        let mut sheet = Sheet::new();
        sheet.hexagon(1, 0, "w+");
        sheet.hexagon(2, 3, "");
        sheet.hexagon(3, 0, "D");
        sheet.put(2, 9, "  ");
        sheet.put(5, 1, "\u{e4}");
        let expected = [" __", "/w+\\__", "\\__/  \\", "/D \\__/", "\\__/", " ?", ""];
        assert_eq!(sheet.text(), expected.join("\n"));
    }
}
