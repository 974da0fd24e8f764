//! How much what is seen counts: the table of weights, `weights.txt` beside this file.
//!
//! A line is a ring, a stack or the turn, in the words of [`Row`], and two weights in hundredths of a point of the final
//! score: on a full board, and on an empty one; between them the weight changes evenly with the number of stacks left.
//! What no line names counts nothing. `cargo run --release --example tune -- 60000 2000 2` fits the table and prints it;
//! this one comes from a second round, played with the weights of a first.

use std::fmt;
use std::str::FromStr;
use std::sync::LazyLock;

use super::ring::{Middle, Ring};
use super::stack::Stack;
use super::worth::Worth;

/// The table as it is written.
const TEXT: &str = include_str!("weights.txt");

static WEIGHTS: LazyLock<Weights> = LazyLock::new(|| Weights::read(TEXT));

/// The weights of everything that is seen.
#[derive(Debug)]
pub struct Weights {
    /// By [`Ring::index`], and longer than the rings are many: no sixteen bits are beyond its end, which nobody then has
    /// to check.
    rings: Box<[Worth; 1 << u16::BITS]>,
    stacks: Box<[Worth; Stack::COUNT]>,
    turn: Worth,
}

impl Weights {
    /// Those the robot plays with.
    pub fn get() -> &'static Weights {
        &WEIGHTS
    }

    fn read(text: &str) -> Weights {
        let mut weights = Weights { rings: nothing(), stacks: nothing(), turn: Worth::NONE };
        // A test reads every line.
        for row in text.lines().filter_map(|line| line.parse::<Row>().ok()) {
            // With black to move the other colour is one's own.
            let (white, black) = (Worth::new(row.weights, [0; 2]), Worth::new([0; 2], row.weights));
            match row.seen {
                Seen::Ring(ring) => {
                    weights.rings[usize::from(ring.index())] += white;
                    weights.rings[usize::from(ring.swapped().index())] += black;
                }
                Seen::Stack(stack) => {
                    weights.stacks[stack.index()] += white;
                    weights.stacks[stack.swapped().index()] += black;
                }
                Seen::Turn => weights.turn = Worth::new(row.weights, row.weights),
            }
        }
        weights
    }

    /// Of a ring.
    #[inline]
    pub fn ring(&self, ring: Ring) -> Worth {
        self.rings[usize::from(ring.index())]
    }

    /// Of a stack.
    #[inline]
    pub fn stack(&self, stack: Stack) -> Worth {
        self.stacks[stack.index()]
    }

    /// That it is one's turn.
    pub fn turn(&self) -> Worth {
        self.turn
    }
}

/// So many times nothing, made where it stays: it is too much for a small stack.
fn nothing<const COUNT: usize>() -> Box<[Worth; COUNT]> {
    let worths = vec![Worth::NONE; COUNT].into_boxed_slice();
    worths.try_into().unwrap_or_else(|_| Box::new([Worth::NONE; COUNT]))
}

/// What is seen of a position, with white for the side to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Seen {
    /// A ring.
    Ring(Ring),
    /// A stack.
    Stack(Stack),
    /// It is one's turn.
    Turn,
}

/// A line of the table.
///
/// ```text
/// ring own 2 3 1 0 120 -45
/// stack other 3 2 enemy 60 31
/// turn 250 10
/// ```
///
/// A ring is its middle (`own`, `other`, `own-stack`, `other-stack`, `dvonn`, `own-red`, `other-red`), how far it is
/// ([`Ring::far`]), and how many of the spaces beside it are one's own, the other side's, and lone DVONN pieces. A stack
/// is whose it is, its height, how many stacks it reaches, and what is among them: `none`, `enemy`, `prize`, `both`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Row {
    /// What is seen.
    pub seen: Seen,
    /// Its weight on a full board, and on an empty one.
    pub weights: [i16; 2],
}

const MIDDLES: [&str; 8] =
    ["empty", "own", "other", "own-stack", "other-stack", "dvonn", "own-red", "other-red"];
const SIDES: [&str; 2] = ["own", "other"];
const PRIZES: [&str; 4] = ["none", "enemy", "prize", "both"];

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = |names: &[&'static str], place: usize| names.get(place).copied().unwrap_or("?");
        match self.seen {
            Seen::Ring(ring) => {
                let [own, other, dvonn] = ring.beside();
                let middle = name(&MIDDLES, ring.middle() as usize);
                write!(f, "ring {middle} {} {own} {other} {dvonn}", ring.far())?;
            }
            Seen::Stack(stack) => {
                let (theirs, height, reached, enemy, prize) = stack.parts();
                let side = name(&SIDES, usize::from(theirs));
                let what = name(&PRIZES, usize::from(enemy) + 2 * usize::from(prize));
                write!(f, "stack {side} {height} {reached} {what}")?;
            }
            Seen::Turn => f.write_str("turn")?,
        }
        let [full, empty] = self.weights;
        write!(f, " {full} {empty}")
    }
}

/// A line is no row of the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("no ring, stack or turn with two weights")]
pub struct NoRow;

impl FromStr for Row {
    type Err = NoRow;

    fn from_str(line: &str) -> Result<Row, NoRow> {
        let words: Vec<&str> = line.split(' ').collect();
        let place = |names: &[&str], word: &str| names.iter().position(|name| *name == word).ok_or(NoRow);
        let number = |word: &str| word.parse::<u8>().map_err(|_| NoRow);
        let (seen, weights) = match *words {
            ["ring", middle, far, own, other, dvonn, full, empty] => {
                let middle = Middle::ALL.get(place(&MIDDLES, middle)?).copied().ok_or(NoRow)?;
                let [far, own, other, dvonn] = [number(far)?, number(own)?, number(other)?, number(dvonn)?];
                if far > 3 || dvonn > 3 || own > 6 || other > 6 {
                    return Err(NoRow);
                }
                let beside = [own, other, dvonn].map(u16::from);
                (Seen::Ring(Ring::new(middle, u16::from(far), beside)), [full, empty])
            }
            ["stack", side, height, reached, what, full, empty] => {
                let (theirs, what) = (place(&SIDES, side)? == 1, place(&PRIZES, what)?);
                let stack = Stack::new(theirs, number(height)?, number(reached)?, what % 2 == 1, what > 1);
                (Seen::Stack(stack), [full, empty])
            }
            ["turn", full, empty] => (Seen::Turn, [full, empty]),
            _ => return Err(NoRow),
        };
        let weights = weights.map(|word| word.parse::<i16>().map_err(|_| NoRow));
        let [full, empty] = weights;
        Ok(Row { seen, weights: [full?, empty?] })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn every_line_is_a_row_and_none_comes_twice() {
        let mut seen = HashSet::new();
        for line in TEXT.lines().filter(|line| !line.starts_with('#')) {
            let row: Row = line.parse().unwrap_or_else(|error| panic!("{line}: {error}"));
            assert_eq!(row.to_string(), line);
            assert!(seen.insert(row.seen), "twice: {line}");
        }
        assert!(seen.len() > 1700 && seen.contains(&Seen::Turn));
    }

    #[test]
    fn what_is_no_row_is_refused() {
        for line in [
            "",
            "ring",
            "turn 1",
            "turn 1 2 3",
            "turn 1 40000",
            "ring own 4 0 0 0 1 2",
            "ring mine 0 0 0 0 1 2",
            "ring own 0 7 0 0 1 2",
            "ring own 0 0 0 4 1 2",
            "stack own 2 1 some 1 2",
            "stack own -2 1 none 1 2",
        ] {
            assert_eq!(line.parse::<Row>(), Err(NoRow), "{line}");
        }
    }

    #[test]
    fn black_sees_as_its_own_what_white_does() {
        let (weights, ring) = (Weights::get(), Ring::new(Middle::White, 1, [1, 2, 0]));
        let [white, black] = turnpost_games::Seat::BOTH;
        assert_eq!(weights.ring(ring).pair(white), weights.ring(ring.swapped()).pair(black));
        assert_ne!(weights.ring(ring).pair(white), weights.ring(ring).pair(black));
        let stack = Stack::new(true, 2, 1, true, false);
        assert_eq!(weights.stack(stack).pair(black), weights.stack(stack.swapped()).pair(white));
    }
}
