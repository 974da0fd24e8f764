//! The board in words, for who cannot see it.

use std::fmt::Write;

use super::{Ground, Scene, Space, Thing, Tiling};
use crate::Seat;

impl Scene {
    /// The position and the last move in a few sentences. `seats` are the names of the two sides.
    pub fn sentence(&self, seats: [&str; 2]) -> String {
        let mut said = self.pieces_in_words(seats);
        if said.is_empty() {
            said.push("The board is empty.".to_owned());
        }
        if let Some(last) = &self.last {
            said.push(match (&last.from, &last.to) {
                (Some(from), Some(to)) => format!("The last move was {from} to {to}."),
                (_, Some(to)) => format!("The last was placed on {to}."),
                _ => "The last turn was a pass.".to_owned(),
            });
        }
        said.extend(self.list("Off the board", |space| space.fell));
        said.join(" ")
    }

    /// The position in place of a drawing, a sentence a line: also the spaces that are empty, where those are few.
    pub fn in_words(&self, seats: [&str; 2]) -> String {
        let mut said = self.pieces_in_words(seats);
        let is_empty = |space: &Space| space.thing.is_none();
        let empty = self.spaces.iter().filter(|space| is_empty(space)).count();
        match empty {
            _ if said.is_empty() => said.push("The board is empty.".to_owned()),
            _ if 3 * empty < self.spaces.len() => said.extend(self.list("Empty", is_empty)),
            _ => {}
        }
        if self.tiling != Tiling::Points {
            said.extend(self.list("Free gates", |space| is_empty(space) && space.ground == Ground::Gate));
        }
        said.join("\n") + "\n"
    }

    /// What stands on the board, and what each side holds without standing on it.
    fn pieces_in_words(&self, seats: [&str; 2]) -> Vec<String> {
        let of = |side| move |space: &Space| space.thing.is_some_and(|thing| thing.side == side);
        let mut said = Vec::new();
        for (seat, name) in Seat::BOTH.into_iter().zip(seats) {
            said.extend(self.list(&capital(name), of(Some(seat))));
        }
        said.extend(self.list(&capital(self.mark), of(None)));
        for (seat, name) in Seat::BOTH.into_iter().zip(seats) {
            let is_held = |space: &Space| space.thing.is_none() && *seat.of(&space.held);
            said.extend(self.list(&format!("Secured by {name}"), is_held));
        }
        said
    }

    /// `White: A1, B2 3 high.`, of the spaces that are `meant`; `None` where none is.
    fn list(&self, title: &str, meant: impl Fn(&Space) -> bool) -> Option<String> {
        let spaces = self.spaces.iter().filter(|space| meant(space));
        let named: Vec<String> =
            spaces.map(|space| format!("{}{}", space.name, self.height(space.thing))).collect();
        (!named.is_empty()).then(|| format!("{title}: {}.", named.join(", ")))
    }

    /// What stands behind the name of a space: ` 3 high`, ` 3 high with DVONN`.
    fn height(&self, thing: Option<Thing>) -> String {
        match thing {
            Some(Thing { side: Some(_), height, marked: true, .. }) => {
                format!(" {height} high with {}", self.mark)
            }
            Some(Thing { height, .. }) if height > 1 => format!(" {height} high"),
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
