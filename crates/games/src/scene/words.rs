//! The board in words, for who cannot see it.

use std::fmt::Write;

use super::{Scene, Space, Thing};
use crate::Seat;

impl Scene {
    /// The position and the last move in a few sentences. `seats` are the names of the two sides.
    pub fn sentence(&self, seats: [&str; 2]) -> String {
        let mut text = String::new();
        for (seat, name) in Seat::BOTH.into_iter().zip(seats) {
            self.list(&mut text, &capital(name), Some(seat));
        }
        self.list(&mut text, &capital(self.mark), None);
        if text.is_empty() {
            text.push_str("The board is empty. ");
        }
        if let Some(last) = &self.last {
            text.push_str(&match (&last.from, &last.to) {
                (Some(from), Some(to)) => format!("The last move was {from} to {to}. "),
                (_, Some(to)) => format!("The last was placed on {to}. "),
                _ => "The last turn was a pass. ".to_owned(),
            });
        }
        let fallen: Vec<&str> =
            self.spaces.iter().filter(|space| space.fell).map(|space| space.name.as_str()).collect();
        if !fallen.is_empty() {
            let _ = write!(text, "Off the board: {}. ", fallen.join(", "));
        }
        text.truncate(text.trim_end().len());
        text
    }

    fn list(&self, text: &mut String, whose: &str, side: Option<Seat>) {
        let mine: Vec<String> = self
            .spaces
            .iter()
            .filter(|space| space.thing.is_some_and(|thing| thing.side == side))
            .map(|space| format!("{}{}", space.name, self.height(space.thing)))
            .collect();
        if !mine.is_empty() {
            let _ = write!(text, "{whose}: {}. ", mine.join(", "));
        }
    }

    /// What stands behind the name of a space: ` (3)`, ` (3 with DVONN)`.
    fn height(&self, thing: Option<Thing>) -> String {
        match thing {
            Some(Thing { side: Some(_), height, marked: true, .. }) => {
                format!(" ({height} with {})", self.mark)
            }
            Some(Thing { height, .. }) if height > 1 => format!(" ({height})"),
            Some(Thing { name, side: Some(_), .. }) if !name.is_empty() => format!(" ({name})"),
            _ => String::new(),
        }
    }
}

impl Space {
    /// What a cell of the table says of this space: `white, 3 high, with DVONN`. `mark` is the name of the game's
    /// piece that is nobody's.
    pub fn words(&self, seats: [&str; 2], mark: &str) -> String {
        let Some(thing) = self.thing else { return "empty".to_owned() };
        let mut words = match thing.side {
            Some(seat) => (*seat.of(&seats)).to_owned(),
            None => return mark.to_owned(),
        };
        if !thing.name.is_empty() {
            let _ = write!(words, " {}", thing.name);
        }
        if thing.height > 1 {
            let _ = write!(words, ", {} high", thing.height);
        }
        if thing.marked {
            let _ = write!(words, ", with {mark}");
        }
        words
    }
}

/// With a capital, to begin a sentence.
pub(crate) fn capital(name: &str) -> String {
    let mut letters = name.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}
