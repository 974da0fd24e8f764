//! The board in 7-bit text, wide or compact.

use super::{Ground, Label, Scene, Side, Space, Tiling};
use crate::Drawing;
use crate::canvas::Canvas;

/// A board that needs more lines or columns is drawn compact.
const LINES: usize = 30;
const COLUMNS: usize = 78;

impl Scene {
    /// The board in text, with the lines that explain it.
    pub fn drawing(&self) -> Drawing {
        Drawing {
            board: self.wide().filter(|board| fits(board)).unwrap_or_else(|| self.compact()),
            key: self.key.clone(),
            notes: self.notes.clone(),
            standing: self.standing.clone(),
        }
    }

    /// Draws each space with a rim; `None` for points, which have none.
    fn wide(&self) -> Option<String> {
        let mut canvas = Canvas::new();
        match self.tiling {
            Tiling::Points => return None,
            Tiling::Triangles => return Some(self.triangles()),
            Tiling::Squares => {
                for space in &self.spaces {
                    let (line, column) = square_at([space.q, space.r]);
                    canvas.square(line, column, &space.sign);
                }
            }
            Tiling::Hexagons => {
                for space in &self.spaces {
                    let (line, column) = self.hexagon_at([space.q, space.r]);
                    canvas.hexagon(line, column, &space.sign);
                }
            }
        }
        for label in &self.labels {
            match self.tiling {
                Tiling::Squares | Tiling::Points | Tiling::Triangles => square_label(&mut canvas, label),
                Tiling::Hexagons => self.hexagon_label(&mut canvas, label),
            }
        }
        Some(canvas.text())
    }

    /// The board for a narrow window: one line for each row, without a margin.
    pub fn narrow(&self) -> String {
        let board = self.compact();
        let blanks = |line: &str| line.len() - line.trim_start().len();
        let margin = board.lines().filter(|line| !line.is_empty()).map(blanks).min().unwrap_or_default();
        board.lines().map(|line| format!("{}\n", line.get(margin..).unwrap_or_default())).collect()
    }

    /// One line for each row, with a blank between spaces.
    fn compact(&self) -> String {
        const MARGIN: i32 = 4;
        if self.tiling == Tiling::Triangles {
            return self.triangles();
        }
        let width = self.spaces.iter().map(|space| space.sign.trim().len()).max().unwrap_or_default().max(1);
        let step = 1 + i32::try_from(width).unwrap_or_default();
        let slant = i32::from(self.tiling == Tiling::Hexagons);
        let across = |[q, r]: [i32; 2]| (step * (2 * q + slant * r)).div_euclid(2);
        let left = self.spaces.iter().map(|space| across([space.q, space.r])).min().unwrap_or_default();
        let top = self.spaces.iter().map(|space| space.r).min().unwrap_or_default()
            - i32::from(self.labels.iter().any(|label| label.side == Side::Above));
        let at = |[q, r]: [i32; 2]| (place(r - top), place(across([q, r]) - left + MARGIN));
        let is_named_at_left = self.labels.iter().any(|label| label.side == Side::West);
        let mut canvas = Canvas::new();
        for space in &self.spaces {
            let (line, column) = at([space.q, space.r]);
            let sign = Some(space.sign.trim()).filter(|sign| !sign.is_empty());
            canvas.put(line, column, sign.unwrap_or(empty(space, self.tiling)));
        }
        for label in &self.labels {
            let [q, r] = label.beside;
            let (line, column) = match label.side {
                Side::Above => (at([q, r - 1]).0, at([q, r]).1),
                Side::Below => at([q, r + 1]),
                Side::ColumnEnd => {
                    let (line, column) = at([q, r + 1]);
                    // Directly after a space of that row, the label would look like another piece.
                    let before = self.spaces.iter().any(|space| (space.q, space.r) == (q - 1, r + 1));
                    (line, column + 2 * usize::from(before))
                }
                Side::West | Side::Left | Side::RowStart => {
                    let (line, column) = at([q, r]);
                    (line, column.saturating_sub(1 + label.text.len()))
                }
                Side::East if !is_named_at_left => at([q + 1, r]),
                // Phones have no room for labels on all sides. The labels at the left identify the rows.
                _ => continue,
            };
            canvas.put(line, column, &label.text);
        }
        canvas.text()
    }

    /// The line and column of the upper left side, `/`, of a space's hexagon.
    fn hexagon_at(&self, [q, r]: [i32; 2]) -> (usize, usize) {
        let [line, column] = self.origin;
        // A step along a row goes down and to the right.
        (place(line + q + 2 * r), place(column + 3 * q))
    }

    fn hexagon_label(&self, canvas: &mut Canvas, label: &Label) {
        let [q, r] = label.beside;
        let (line, column) = self.hexagon_at(label.beside);
        let left = column.saturating_sub(1 + label.text.len());
        let right = column + 5;
        let (line, column) = match label.side {
            Side::Left => (line, left),
            Side::Right => (line, right),
            Side::West => (line.saturating_sub(1), left + 1),
            Side::East => (line + 1, right),
            Side::NorthEast => (line.saturating_sub(1), right.saturating_sub(1)),
            Side::SouthWest => (line + 1, left),
            Side::Above => (line.saturating_sub(2), column + 1),
            Side::Below => (line + 2, column + 1),
            Side::RowStart => {
                // One column further to the left if there is another hexagon above.
                let above = self.spaces.iter().any(|space| (space.q, space.r) == (q, r - 1));
                let stroke = column.saturating_sub(1 + usize::from(above));
                canvas.put(line.saturating_sub(1), stroke, "\\");
                (line.saturating_sub(2), stroke.saturating_sub(1))
            }
            Side::ColumnEnd => {
                canvas.put(line + 2, column + 1, "|");
                (line + 3, column + 1)
            }
        };
        canvas.put(line, column, &label.text);
    }
}

fn fits(board: &str) -> bool {
    board.lines().count() <= LINES && board.lines().all(|line| line.len() <= COLUMNS)
}

fn place(number: i32) -> usize {
    usize::try_from(number).unwrap_or_default()
}

/// The line of a square and the column of its left side.
fn square_at([q, r]: [i32; 2]) -> (usize, usize) {
    (place(1 + 2 * r), place(3 + 4 * q))
}

fn square_label(canvas: &mut Canvas, label: &Label) {
    let (line, column) = square_at(label.beside);
    match label.side {
        Side::Above => canvas.put(line.saturating_sub(2), column + 2, &label.text),
        Side::Below => canvas.put(line + 2, column + 2, &label.text),
        _ => canvas.put(line, column.saturating_sub(1 + label.text.len()), &label.text),
    }
}

/// The sign of an empty space in a compact drawing.
fn empty(space: &Space, tiling: Tiling) -> &'static str {
    match (tiling, space.ground) {
        (Tiling::Points, Ground::Gate) => "+",
        _ => ".",
    }
}
