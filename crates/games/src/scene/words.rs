//! The board in words, for players who cannot see it.

use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::fmt::Write;

use super::{Ground, Scene, Space, Thing, Tiling};
use crate::Seat;
use crate::notation::several_of;

impl Scene {
    /// The position and the last move in a few sentences. `seats` has the names of the two sides.
    pub fn sentence(&self, seats: [&str; 2]) -> String {
        let mut said = self.pieces_in_words(seats);
        if said.is_empty() {
            said.push("The board is empty.".to_owned());
        }
        if self.tiling == Tiling::Triangles {
            said.extend(self.list("The last move left", |space| space.shift < 0));
            said.extend(self.list("It reached", |space| space.shift > 0));
        } else if let Some(last) = &self.last {
            said.push(match (&last.from, &last.to) {
                (Some(from), Some(to)) => format!("The last move was {from} to {to}."),
                (_, Some(to)) => format!("The last was placed on {to}."),
                (Some(at), _) => format!("The last mark was on {at}."),
                _ => "The last turn was a pass.".to_owned(),
            });
        }
        said.extend(self.list("Off the board", |space| space.fell));
        said.join(" ")
    }

    /// Explains the tints of the spaces, if the board has gates and lanes.
    pub fn legend(&self) -> Option<&'static str> {
        let has = |ground| self.spaces.iter().any(|space| space.ground == ground);
        (self.tiling == Tiling::Hexagons && has(Ground::Gate) && has(Ground::Lane))
            .then_some("A ring marks a gate. The lanes are of another shade, and so are the bases at the top and the bottom.")
    }

    /// The position in words, to replace a drawing: one sentence on each line. Empty spaces are listed too if they are
    /// few.
    pub fn in_words(&self, seats: [&str; 2]) -> String {
        let mut said = self.pieces_in_words(seats);
        let is_empty = |space: &Space| space.thing.is_none();
        let empty = self.spaces.iter().filter(|space| is_empty(space)).count();
        match empty {
            _ if said.is_empty() => said.push("The board is empty.".to_owned()),
            _ if 3 * empty < self.spaces.len() => said.extend(self.list("Empty", is_empty)),
            _ => {}
        }
        // On an almost empty board, the pieces do not show its size.
        if 8 * empty > 7 * self.spaces.len() && self.tiling != Tiling::Triangles {
            said.extend(self.size());
        }
        if self.spaces.iter().any(|space| space.ground == Ground::Lane) {
            said.extend(self.list("Gates", |space| space.ground == Ground::Gate));
            said.extend(self.list("Lanes", |space| space.ground == Ground::Lane));
        }
        said.join("\n") + "\n"
    }

    /// The pieces of each side, and the spaces that a side holds without a piece on them.
    fn pieces_in_words(&self, seats: [&str; 2]) -> Vec<String> {
        let of = |side| move |space: &Space| space.thing.is_some_and(|thing| thing.side == side);
        let mut said = Vec::new();
        for (seat, name) in Seat::BOTH.into_iter().zip(seats) {
            said.extend(self.by_kind(name, of(Some(seat))));
        }
        said.extend(self.list(&capital(self.mark), of(None)));
        for (seat, name) in Seat::BOTH.into_iter().zip(seats) {
            // The areas of Go are long, and a note counts them.
            let is_told = self.tiling != Tiling::Points;
            let is_held = |space: &Space| is_told && space.thing.is_none() && *seat.of(&space.held);
            said.extend(self.list(&format!("Secured by {name}"), is_held));
        }
        said
    }

    /// The pieces of a side by kind, the highest `Shape` first: `White: king e1; rooks a1, h1.` If the kinds have no
    /// names, it is a plain [`list`](Self::list).
    fn by_kind(&self, name: &str, meant: impl Fn(&Space) -> bool) -> Option<String> {
        let things = self.spaces.iter().filter(|space| meant(space)).filter_map(|space| space.thing);
        let kinds: BTreeSet<_> = things.map(|thing| Reverse((thing.shape, thing.name))).collect();
        if kinds.iter().all(|Reverse((_, name))| name.is_empty()) {
            return self.list(&capital(name), meant);
        }
        let of_kind = kinds.into_iter().map(|Reverse((_, kind))| {
            let is_of = |space: &&Space| meant(space) && space.thing.is_some_and(|thing| thing.name == kind);
            let spaces: Vec<&str> =
                self.spaces.iter().filter(is_of).map(|space| space.name.as_str()).collect();
            let name = match kind {
                "" => String::new(),
                kind if spaces.len() == 1 => format!("{kind} "),
                kind => format!("{} ", several_of(kind)),
            };
            format!("{name}{}", spaces.join(", "))
        });
        Some(format!("{}: {}.", capital(name), of_kind.collect::<Vec<_>>().join("; ")))
    }

    /// `The board: 9 rows of 9 spaces, a1 to j9.`
    fn size(&self) -> Option<String> {
        let rows = self.rows();
        let lengths = || rows.iter().map(Vec::len);
        let (least, most) = (lengths().min()?, lengths().max()?);
        let most = if least == most { most.to_string() } else { format!("{least} to {most}") };
        let (top, bottom) = (rows.first()?, rows.last()?);
        // Row 1 is at the top or at the bottom.
        let is_first = top.first()?.name.trim_start_matches(|letter: char| !letter.is_ascii_digit()) == "1";
        let (first, last) = if is_first { (top, bottom) } else { (bottom, top) };
        Some(format!(
            "The board: {} rows of {most} spaces, {} to {}.",
            rows.len(),
            first.first()?.name,
            last.last()?.name
        ))
    }

    /// `White: A1, B2 3 high.` for the spaces that are `meant`; `None` if there are none.
    fn list(&self, title: &str, meant: impl Fn(&Space) -> bool) -> Option<String> {
        let spaces = self.spaces.iter().filter(|space| meant(space));
        let named: Vec<String> =
            spaces.map(|space| format!("{}{}", space.name, self.height(space.thing))).collect();
        (!named.is_empty()).then(|| format!("{title}: {}.", named.join(", ")))
    }

    /// The words after the name of a space: ` 3 high`, ` 3 high with DVONN`.
    fn height(&self, thing: Option<Thing>) -> String {
        match thing {
            Some(Thing { side: Some(_), height, marked: true, .. }) => {
                format!(" {height} high with {}", self.mark)
            }
            // The spaces have numbers too.
            Some(Thing { height, .. }) if height > 1 && self.tiling == Tiling::Triangles => {
                format!(" {} high", number_in_words(height))
            }
            Some(Thing { height, .. }) if height > 1 => format!(" {height} high"),
            _ => String::new(),
        }
    }
}

/// A number of checkers: `two`, `fifteen`.
fn number_in_words(number: u8) -> String {
    const NUMBERS: &str =
        "no one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen";
    NUMBERS.split(' ').nth(number.into()).map_or_else(|| number.to_string(), str::to_owned)
}

impl Space {
    /// The content of the space, for a table: `white, 3 high, with DVONN`. `mark` is the name of the neutral piece.
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
        if self.in_check {
            words.push_str(", in check");
        }
        if self.wins {
            words.push_str(", wins");
        }
        words
    }
}

/// `name` with a capital first letter.
pub(crate) fn capital(name: &str) -> String {
    let mut letters = name.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}
