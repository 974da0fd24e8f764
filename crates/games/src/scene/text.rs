//! The board in 7-bit text.

use super::{Label, Names, Scene, Side};
use crate::Drawing;
use crate::canvas::Canvas;

impl Scene {
    /// The board in text, with the lines that explain it.
    pub fn drawing(&self) -> Drawing {
        let mut canvas = Canvas::new();
        for space in &self.spaces {
            let (line, column) = self.hexagon_at([space.q, space.r]);
            canvas.hexagon(line, column, &space.sign);
        }
        for label in &self.labels {
            match label.names {
                Names::Line => self.line_label(&mut canvas, label),
                Names::Space => self.space_label(&mut canvas, label),
            }
        }
        Drawing {
            board: canvas.text(),
            key: self.key.to_owned(),
            notes: self.notes.clone(),
            standing: self.standing.clone(),
        }
    }

    /// The line and column of the `/` of a space's hexagon.
    fn hexagon_at(&self, [q, r]: [i32; 2]) -> (usize, usize) {
        let [line, column] = self.origin;
        // A step along a row goes down and to the right.
        let place = |number: i32| usize::try_from(number).unwrap_or_default();
        (place(line + q + 2 * r), place(column + 3 * q))
    }

    /// Writes the name of a line, with a stroke to its first space.
    fn line_label(&self, canvas: &mut Canvas, label: &Label) {
        let [q, r] = label.beside;
        let (line, column) = self.hexagon_at(label.beside);
        if label.side == Side::West {
            // One column further to the left where another hexagon stands above.
            let above = self.spaces.iter().any(|space| (space.q, space.r) == (q, r - 1));
            let shift = usize::from(above);
            canvas.put(line.saturating_sub(1), column.saturating_sub(1 + shift), "\\");
            canvas.put(line.saturating_sub(2), column.saturating_sub(2 + shift), &label.text);
        } else {
            canvas.put(line + 2, column + 1, "|");
            canvas.put(line + 3, column + 1, &label.text);
        }
    }

    /// Writes the name of a space beside it.
    fn space_label(&self, canvas: &mut Canvas, label: &Label) {
        let (line, column) = self.hexagon_at(label.beside);
        let left = column.saturating_sub(1 + label.text.len());
        let right = column + 5;
        let (line, column) = match label.side {
            Side::Left => (line, left),
            Side::Right => (line, right),
            Side::West => (line.saturating_sub(1), left + 1),
            Side::East => (line + 1, right),
            Side::NorthEast => (line.saturating_sub(1), right.saturating_sub(1)),
            Side::SouthEast | Side::SouthWest => (line + 1, left),
        };
        canvas.put(line, column, &label.text);
    }
}
