//! The lines of a picture: the rim of a board, digits and letters. Characters are paths, so a picture needs no font.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use super::Tiling;

impl Tiling {
    /// The corners of a space, clockwise. Neighbours share corners, without a gap.
    pub(super) fn corners(self) -> &'static [[i32; 2]] {
        match self {
            Tiling::Hexagons => &[[0, -30], [26, -15], [26, 15], [0, 30], [-26, 15], [-26, -15]],
            Tiling::Squares | Tiling::Points | Tiling::Triangles => {
                &[[-26, -26], [26, -26], [26, 26], [-26, 26]]
            }
        }
    }
}

/// The outline of all spaces together as an SVG path. `corners` are relative to the centre of a space.
pub(super) fn rim(corners: &[[i32; 2]], centres: impl Iterator<Item = (i32, i32)>) -> String {
    let mut sides = BTreeSet::new();
    for (x, y) in centres {
        let corners = || corners.iter().map(|[dx, dy]| [x + dx, y + dy]);
        for (from, to) in corners().zip(corners().cycle().skip(1)) {
            // A side between two neighbours is there twice, in opposite directions.
            if !sides.remove(&(to, from)) {
                sides.insert((from, to));
            }
        }
    }
    // Exactly one side of the rim begins at each corner of the rim.
    let mut sides: BTreeMap<[i32; 2], [i32; 2]> = sides.into_iter().collect();
    let mut path = String::new();
    while let Some((start, mut at)) = sides.pop_first() {
        let _ = write!(path, "M{} {}L{} {}", start[0], start[1], at[0], at[1]);
        while let Some(to) = sides.remove(&at) {
            if to != start {
                let _ = write!(path, " {} {}", to[0], to[1]);
            }
            at = to;
        }
        path.push('z');
    }
    path
}

/// The SVG path of a character, seven units wide and ten high around its centre. `None` if no picture needs the
/// character.
pub fn strokes(character: char) -> Option<&'static str> {
    Some(match character {
        '0' => "M0-5C-4.4-5-4.4 5 0 5S4.4-5 0-5z",
        '1' => "M-2.2-3.2.6-5V5",
        '2' => "M-3-2.6C-2.6-5.8 3-5.8 3-2.3 3 0-1.4 2-3.2 5H3.3",
        '3' => {
            "M-2.9-3.6C-1.6-5.7 2.8-5.5 2.8-2.6 2.8-.8 1-.3-.7-.3 1.4-.3 3.2.4 3.2 2.3 3.2 5.6-1.8 5.9-3.2 3.4"
        }
        '4' => "M1.7 5V-5L-3.4 2.2H3.5",
        '5' => "M2.8-5H-2.2L-2.7-.2C-.7-1.8 3.2-1.3 3.2 1.8 3.2 5.3-1.6 5.9-3.3 3.5",
        '6' => "M2.5-4.3C-.4-6.1-3.3-3.4-3.3 1.2-3.3 6.3 3.3 6.2 3.3 1.8 3.3-2.2-2.5-2-3.2 1.2",
        '7' => "M-3.2-5H3.2L-1 5",
        '8' => "M0-.4C-3.7-.4-3.7-5 0-5S3.7-.4 0-.4C-4.5-.4-4.5 5 0 5S4.5-.4 0-.4z",
        '9' => "M-2.5 4.3C.4 6.1 3.3 3.4 3.3-1.2 3.3-6.3-3.3-6.2-3.3-1.8-3.3 2.2 2.5 2 3.2-1.2",
        'A' => "M-3.6 5 0-5 3.6 5M-2.3 1.7H2.3",
        'B' => "M-2.8-.3V-5H.3C3.6-5 3.6-.3.3-.3H-2.8V5H.5C4.2 5 4.2-.3.3-.3",
        'C' => "M3.3-3C1.8-5.9-3.4-5.7-3.4 0S1.8 5.9 3.3 3",
        'D' => "M-2.9-5V5H-.6C4.5 5 4.5-5-.6-5z",
        'E' => "M3-5H-2.7V5H3M-2.7-.3H2.2",
        'F' => "M3-5H-2.7V5M-2.7 0H2.2",
        'G' => "M3.2-3C1.8-5.9-3.6-5.7-3.6 0S2 6.4 3.5 2.6V.5H.4",
        'H' => "M-3-5V5M3-5V5M-3-.2H3",
        'I' => "M0-5V5",
        'J' => "M2-5V2C2 5.9-2.5 5.9-2.8 2.6",
        'K' => "M-2.7-5V5M3-5-2.7 1.2M-.5-.8 3.4 5",
        'L' => "M-2.5-5V5H3",
        'M' => "M-3.8 5V-5L0 2 3.8-5V5",
        'N' => "M-3 5V-5L3 5V-5",
        'O' => "M0-5C-4.8-5-4.8 5 0 5S4.8-5 0-5z",
        'P' => "M-2.7 5V-5H.4C4-5 4 .5.4 .5H-2.7",
        'Q' => "M0-5C-4.8-5-4.8 5 0 5S4.8-5 0-5zM.8 2 3.8 5.6",
        'R' => "M-2.7 5V-5H.4C4-5 4 .3.4 .3H-2.7M.6 .3 3.4 5",
        'S' => "M3-3.4C1.8-5.7-3-5.6-3-2.6-3 .6 3.2-.6 3.2 2.4 3.2 5.6-2 5.9-3.3 3.2",
        'T' => "M-3.6-5H3.6M0-5V5",
        'a' => "M2.8-2V5M2.8 1.5C2.8-3.2-3-3.2-3 1.5S2.8 6.2 2.8 1.5",
        'b' => "M-2.8-5V5M-2.8 1.5C-2.8-3.2 3-3.2 3 1.5S-2.8 6.2-2.8 1.5",
        'c' => "M2.8-.6C1.2-3-3-2.4-3 1.5S1.2 6 2.8 3.6",
        'd' => "M2.8-5V5M2.8 1.5C2.8-3.2-3-3.2-3 1.5S2.8 6.2 2.8 1.5",
        'e' => "M-2.9 1.4H3C3-3.2-3-3.2-3 1.5-3 5.8 1.6 6 2.8 3.5",
        'f' => "M2.6-4.9C.4-5.4-.6-4.6-.6-2.6V5M-2.8-1.9H2",
        'g' => "M2.8-2V5.4C2.8 9-2 9-2.8 6.8M2.8 1.5C2.8-3.2-3-3.2-3 1.5S2.8 6.2 2.8 1.5",
        'h' => "M-2.6-5V5M-2.6.8C-2.2-3 2.6-3 2.6.8V5",
        'i' => "M0-2V5M0-5v.1",
        'j' => "M1-2V6C1 8.4-1.4 8.6-2.4 7.8M1-5v.1",
        'k' => "M-2.6-5V5M2.6-2-2.6 2.2M-.6.6 2.8 5",
        'l' => "M0-5V3Q0 5 2 5",
        'm' => "M-4.4 5V-2M-4.4.6C-4.2-2.8 0-2.8 0 .6V5M0 .6C.2-2.8 4.4-2.8 4.4 .6V5",
        'n' => "M-2.6 5V-2M-2.6 .8C-2.2-3 2.6-3 2.6 .8V5",
        'o' => "M0-2.2C-4.2-2.2-4.2 5.2 0 5.2S4.2-2.2 0-2.2z",
        'p' => "M-2.8-2V9M-2.8 1.5C-2.8-3.2 3-3.2 3 1.5S-2.8 6.2-2.8 1.5",
        'q' => "M2.8-2V9M2.8 1.5C2.8-3.2-3-3.2-3 1.5S2.8 6.2 2.8 1.5",
        'r' => "M-1.6 5V-2M-1.6 1C-1.4-1.6.4-2.6 2.6-1.8",
        's' => "M2.6-1C1.6-2.8-2.6-2.6-2.6-.4C-2.6 2 2.8 .8 2.8 3.2C2.8 5.8-2 5.8-3 3.6",
        't' => "M0-5V3Q0 5 2.2 4.8M-2.4-2H2.4",
        'u' => "M-2.6-2V2.2C-2.6 6 2.6 6 2.6 2.2M2.6-2V5",
        'v' => "M-3-2L0 5 3-2",
        'w' => "M-4.4-2L-2.2 5 0-1 2.2 5 4.4-2",
        'x' => "M-2.8-2L2.8 5M2.8-2L-2.8 5",
        'y' => "M-3-2L0 5M3-2L-1 7Q-1.6 8.6-3 8.4",
        'z' => "M-2.8-2H2.8L-2.8 5H2.8",
        _ => return None,
    })
}
