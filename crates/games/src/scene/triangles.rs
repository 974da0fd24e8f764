//! A board of triangles, in text and as a picture: twelve points in each of two rows, with a bar between their halves, a
//! tray at the right, dice and a cube.

use std::collections::BTreeSet;
use std::fmt::Write;

use super::parts::SvgPart;
use super::svg::word;
use super::{Ends, Hint, Prop, Scene, Shape, Space, Stamp, StampLook, Tiling};

/// The columns of the bar and of the tray.
const BAR: i32 = 6;
const TRAY: i32 = 13;
/// The rows of text in each half.
const ROWS: u8 = 5;
/// The row of text, from the rim, in which the bar has its checkers.
const BAR_ROW: u8 = 3;
/// The least checkers that are counted by a number instead of shown.
const MANY: u8 = ROWS + 1;
/// The most checkers that the picture shows on the bar.
const ON_BAR: u8 = 3;
/// The middle of the picture.
const MIDDLE: i32 = 218;
/// The most checkers that one turn moves.
const MOVED: i32 = 4;

impl Scene {
    fn at(&self, q: i32, r: i32) -> Option<&Space> {
        self.spaces.iter().find(|space| (space.q, space.r) == (q, r))
    }

    /// The board in text: 15 lines of 44 columns.
    pub(super) fn triangles(&self) -> String {
        let halves = |cell: &dyn Fn(i32) -> String| {
            [0..BAR, BAR + 1..TRAY].map(|half| half.map(cell).collect::<String>())
        };
        let rule = format!("  +{0}+----+{0}+\n", "-".repeat(18));
        let numbers = |r: i32| {
            let name = |q: i32| self.at(q, r).map_or("", |space| space.name.as_str());
            let [left, right] = halves(&|q| format!("{:>2} ", name(q)));
            format!("{}\n", format!("   {left}      {right}").trim_end())
        };
        let row = |r: i32, row: u8| {
            let [left, right] = halves(&|q| format!("{} ", self.sign_in(q, r, row)));
            format!("  |{left}| {} |{right}|\n", self.sign_in(BAR, r, row))
        };
        let upper = (0..ROWS).map(|n| row(0, n));
        let lower = (0..ROWS).rev().map(|n| row(1, n));
        let bar = format!("  |{0}|BAR |{0}|\n", " ".repeat(18));
        let lines = [numbers(0), rule.clone()].into_iter().chain(upper).chain([bar]).chain(lower);
        lines.chain([rule, numbers(1)]).collect()
    }

    /// The two characters of a column in a row, counted from the rim.
    fn sign_in(&self, q: i32, r: i32, row: u8) -> String {
        let space = self.at(q, r);
        let height = space.and_then(|space| space.thing).map_or(0, |thing| thing.height);
        let sign = space.map_or("", |space| space.sign.as_str());
        match height {
            0 if q == BAR => "  ".to_owned(),
            _ if q == BAR && row != BAR_ROW => "  ".to_owned(),
            2.. if q == BAR => format!("{height}{sign}"),
            MANY.. if row + 1 == ROWS => format!("{height:>2}"),
            _ if height > row || q == BAR => format!("{sign:>2}"),
            _ => " .".to_owned(),
        }
    }

    /// Marks the spaces that the last move left and reached. `ends` are those of its first step.
    pub(super) fn shift(&mut self, before: &Scene, ends: &Ends) {
        let moved = ends.from.as_deref().and_then(|from| before.space(from)?.thing);
        let Some(mover) = moved.map(|thing| thing.side) else { return };
        let height = |space: &Space| {
            space.thing.filter(|thing| thing.side == mover).map_or(0, |thing| i32::from(thing.height))
        };
        let shifts = self.spaces.iter().zip(&before.spaces).map(|(now, then)| height(now) - height(then));
        let shifts: Vec<i32> = shifts.collect();
        // After the end of a game, the board is that of the next.
        if shifts.iter().map(|shift| shift.abs()).sum::<i32>() > 2 * MOVED {
            return;
        }
        for (space, shift) in self.spaces.iter_mut().zip(shifts) {
            space.shift = shift as i8;
        }
    }

    /// The empty board of the picture.
    pub(super) fn put_table(&self, body: &mut String) {
        body.push_str("<path class=\"o\" d=\"M-31-57H707V493H-31z\"/><path class=\"s\" d=\"M-26-26h312v488h-312zM338-26h312v488h-312zM654-26h44v488h-44z\"/>");
        for space in self.spaces.iter().filter(|space| ![BAR, TRAY].contains(&space.q)) {
            let (x, _) = self.tiling.centre(space.q, space.r);
            let number = space.q - i32::from(space.q > BAR) + space.r;
            let class = if number % 2 == 0 { "pa" } else { "pb" };
            let (rim, tip) = if space.r == 0 { (-26, 205) } else { (462, -205) };
            let _ = write!(body, "<path class=\"{class}\" d=\"M{} {rim}h50l-25 {tip}z\"/>", x - 25);
        }
    }

    /// The checkers of a space, from the rim to the middle, with the marks on them.
    pub(super) fn checkers(&self, space: &Space, hint: Hint) -> Vec<Stamp> {
        let mut stamps = Vec::new();
        let mut put = |number: u8, body: &str, used: BTreeSet<SvgPart>| {
            let look = StampLook { tiling: Tiling::Triangles, body: body.to_owned(), used };
            stamps.push(Stamp { middle: self.slot(space, number), look });
        };
        let height = space.thing.map_or(0, |thing| thing.height);
        let side = self.letter(space.thing.and_then(|thing| thing.side));
        let shown = height.min(shown(space));
        for number in 0..shown {
            let (mut body, mut used) = (String::new(), BTreeSet::new());
            if space.q == TRAY {
                let _ = write!(
                    body,
                    "<rect class=\"{side}t\" x=\"-19\" y=\"-5\" width=\"38\" height=\"10\" rx=\"3\"/>"
                );
                put(number, &body, used);
                continue;
            }
            let part = SvgPart::Piece { side, shape: Shape::Checker, is_flat: true };
            let _ = write!(body, "<use href=\"#{}\"/>", part.name());
            used.insert(part);
            let is_top = number + 1 == shown;
            if is_top && height > shown {
                let _ = write!(body, "<g class=\"{side}n\">");
                word(&mut body, &mut used, &height.to_string(), 0.0, 0.0);
                body.push_str("</g>");
            }
            let has_come = i32::from(space.shift) > i32::from(shown - number - 1);
            let mark = match hint {
                Hint::Chosen if is_top => Some("c"),
                _ if has_come => Some("t"),
                Hint::Start if is_top => Some("m"),
                _ => None,
            };
            if let Some(class) = mark {
                let _ = write!(body, "<circle class=\"{class}\" r=\"21\"/>");
            }
            put(number, &body, used);
        }
        if space.shift < 0 && space.q != TRAY {
            put(shown, "<circle class=\"f\" r=\"19\"/>", BTreeSet::new());
        }
        stamps
    }

    /// The middle of a checker's place in the picture; `number` counts from the rim.
    fn slot(&self, space: &Space, number: u8) -> (i32, i32) {
        let (x, y) = self.tiling.centre(space.q, space.r);
        let inwards = if space.r == 0 { 1 } else { -1 };
        let number = i32::from(number);
        let from_rim = match space.q {
            // The bar fills from the middle.
            BAR => 62 - 43 * number,
            TRAY => 12 * number - 115,
            _ => 43 * number - 98,
        };
        (x, y + inwards * from_rim)
    }

    /// The place of the next checker.
    pub(super) fn next_slot(&self, space: &Space) -> (i32, i32) {
        let height = space.thing.map_or(0, |thing| thing.height);
        self.slot(space, height.min(shown(space)))
    }

    /// The dice and the cube.
    pub(super) fn prop_stamps(&self) -> Vec<Stamp> {
        let dice = self.props.iter().filter(|prop| matches!(prop, Prop::Die { .. })).count() as i32;
        let mut left = 494 - 31 * (dice - 1);
        let mut stamps = Vec::new();
        for prop in &self.props {
            let (mut body, mut used) = (String::new(), BTreeSet::new());
            let middle = match *prop {
                Prop::Die { face, is_used } => {
                    put_die(&mut body, face);
                    if is_used {
                        body = format!("<g opacity=\".38\">{body}</g>");
                    }
                    left += 62;
                    (left - 62, MIDDLE)
                }
                Prop::Cube { value, row, is_offered } => {
                    body.push_str("<rect class=\"cu\" x=\"-21\" y=\"-21\" width=\"42\" height=\"42\" rx=\"7\"/><g class=\"wn\">");
                    word(&mut body, &mut used, &value.to_string(), 0.0, 0.0);
                    body.push_str("</g>");
                    let (x, _) = self.tiling.centre(BAR, 0);
                    match row {
                        _ if is_offered => (130, MIDDLE),
                        None => (x, MIDDLE),
                        Some(0) => (x, MIDDLE - 214),
                        Some(_) => (x, MIDDLE + 214),
                    }
                }
            };
            stamps.push(Stamp { middle, look: StampLook { tiling: Tiling::Triangles, body, used } });
        }
        stamps
    }
}

/// The most checkers that the picture shows on a space.
fn shown(space: &Space) -> u8 {
    match space.q {
        BAR => ON_BAR,
        TRAY => u8::MAX,
        _ => ROWS,
    }
}

fn put_die(body: &mut String, face: u8) {
    body.push_str("<rect class=\"wt wf\" x=\"-23\" y=\"-23\" width=\"46\" height=\"46\" rx=\"9\"/>");
    let pips: &[(i32, i32)] = match face {
        1 => &[(0, 0)],
        2 => &[(-1, -1), (1, 1)],
        3 => &[(-1, -1), (0, 0), (1, 1)],
        4 => &[(-1, -1), (1, 1), (-1, 1), (1, -1)],
        5 => &[(-1, -1), (1, 1), (-1, 1), (1, -1), (0, 0)],
        _ => &[(-1, -1), (1, 1), (-1, 1), (1, -1), (-1, 0), (1, 0)],
    };
    for (x, y) in pips {
        let _ = write!(body, "<circle class=\"pi\" cx=\"{}\" cy=\"{}\" r=\"4.5\"/>", 12 * x, 12 * y);
    }
}
