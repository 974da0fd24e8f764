//! The lessons of a first game.

use crate::Table;

/// A first game against the robot, with a lesson in the mail of each of the pupil's first turns.
#[derive(Debug, Clone, Copy)]
pub struct Tutorial {
    /// Options of the board, without values, such as `random`.
    pub options: &'static [&'static str],
    /// The lessons, parted by lines of `---`. `{move}` stands for the example.
    ///
    /// A lesson has to be true of any position: nothing is known of the moves before it.
    pub lessons: &'static str,
    /// A legal ply of a position, given as text, that a beginner may well play.
    pub example: fn(position: &str) -> Option<String>,
}

impl Tutorial {
    /// Lesson `number`, from 1, about the position on `table`, a line a paragraph; `None` behind the last.
    pub fn lesson(&self, number: usize, table: &dyn Table) -> Option<String> {
        let lesson = self.lessons.split("\n---\n").nth(number.checked_sub(1)?)?;
        let paragraphs = lesson.trim().split("\n\n").map(|paragraph| paragraph.replace('\n', " "));
        let lesson = paragraphs.collect::<Vec<_>>().join("\n\n");
        Some(lesson.replace("{move}", &(self.example)(&table.position())?))
    }
}
