//! The rim of a board: the sides of spaces with no space beyond them.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// The corners of a space without a gap to its neighbours, clockwise from the top.
const CORNERS: [[i32; 2]; 6] = [[0, -30], [26, -15], [26, 15], [0, 30], [-26, 15], [-26, -15]];

/// The rim as the path of an SVG, from the centres of the spaces.
pub(super) fn path(centres: impl Iterator<Item = (i32, i32)>) -> String {
    let mut sides = BTreeSet::new();
    for (x, y) in centres {
        let corners = CORNERS.map(|[dx, dy]| [x + dx, y + dy]);
        for (from, to) in corners.into_iter().zip(corners.into_iter().cycle().skip(1)) {
            // Two neighbours have a side in common, in both directions.
            if !sides.remove(&(to, from)) {
                sides.insert((from, to));
            }
        }
    }
    // One side of the rim begins at each of its corners.
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
