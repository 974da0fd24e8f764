//! Chance: what falls in a game, in addition to what its players choose.

use std::fmt;
use std::iter;
use std::str::FromStr;

use crate::Unreadable;

/// The largest number of dice in a cast.
const DICE: usize = 4;

/// What a position waits for while no seat is to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Chance {
    /// Equal dice that are thrown together.
    Dice {
        /// The number of dice, from 1 to 4.
        count: u8,
        /// The number of sides of each die. Its faces are 1 to this number.
        sides: u8,
    },
}

impl Chance {
    /// Every cast, each once and all equally likely: `3-1` and `1-3` are two casts.
    pub fn casts(self) -> impl Iterator<Item = Cast> {
        let Chance::Dice { count, sides } = self;
        let first = Cast::of(&vec![1; count.into()]).filter(|first| self.allows(*first));
        iter::successors(first, move |cast| cast.following(sides))
    }

    /// True if `cast` can fall.
    pub fn allows(self, cast: Cast) -> bool {
        let Chance::Dice { count, sides } = self;
        cast.faces().len() == usize::from(count) && cast.faces().iter().all(|face| (1..=sides).contains(face))
    }
}

/// What fell: up to four faces, in the order in which they fell. It reads and writes `3-1`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Cast {
    faces: [u8; DICE],
    count: usize,
}

impl Cast {
    /// The cast of these faces; `None` if there are none, or more than four.
    pub fn of(faces: &[u8]) -> Option<Cast> {
        let mut cast = Cast { faces: [0; DICE], count: faces.len() };
        cast.faces.get_mut(..faces.len())?.copy_from_slice(faces);
        (!faces.is_empty()).then_some(cast)
    }

    /// The faces, in the order in which they fell.
    pub fn faces(&self) -> &[u8] {
        self.faces.get(..self.count).unwrap_or_default()
    }

    /// The next cast in the order of [`Chance::casts`].
    fn following(mut self, sides: u8) -> Option<Cast> {
        for face in self.faces.iter_mut().take(self.count).rev() {
            if *face < sides {
                *face += 1;
                return Some(self);
            }
            *face = 1;
        }
        None
    }
}

impl fmt::Display for Cast {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let faces: Vec<String> = self.faces().iter().map(u8::to_string).collect();
        f.write_str(&faces.join("-"))
    }
}

impl FromStr for Cast {
    type Err = Unreadable;

    fn from_str(text: &str) -> Result<Cast, Unreadable> {
        let faces: Option<Vec<u8>> = text.split('-').map(|face| face.parse().ok()).collect();
        let cast = faces.and_then(|faces| Cast::of(&faces)).filter(|cast| cast.to_string() == text);
        let why = "A cast of the dice is written as its numbers, such as 3-1.";
        cast.ok_or_else(|| Unreadable { word: text.to_owned(), why: why.to_owned() })
    }
}
