//! The empty board of a picture: its spaces, lines, goals and labels.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use super::parts::SvgPart;
use super::strokes::rim;
use super::svg::{PITCH, Theme, put_ground, word};
use super::{Ground, Scene, Side, Tiling};
use crate::Seat;

impl Scene {
    /// The elements of the empty board, and the parts that they use.
    pub(super) fn bare(&self, theme: Theme) -> (String, BTreeSet<SvgPart>) {
        let mut body = String::new();
        let mut used = BTreeSet::new();
        if theme != Theme::Page {
            put_ground(&mut body, "p", self.frame());
        }
        if self.tiling == Tiling::Triangles {
            self.put_table(&mut body);
            self.put_labels(&mut body, &mut used);
            return (body, used);
        }
        let _ = write!(
            body,
            "<path class=\"o\" d=\"{}\"/><g class=\"s\">",
            rim(self.tiling.corners(), self.places().into_iter().map(|(q, r)| self.tiling.centre(q, r)))
        );
        let has = |place: &(i32, i32)| self.spaces.iter().any(|space| (space.q, space.r) == *place);
        for (q, r) in self.places().into_iter().filter(|place| !has(place)) {
            let (x, y) = self.tiling.centre(q, r);
            let _ = write!(body, "<use href=\"#s\" x=\"{x}\" y=\"{y}\"/>");
        }
        for space in self.spaces.iter().filter(|_| self.tiling != Tiling::Points) {
            let (x, y) = self.tiling.centre(space.q, space.r);
            let class = match space.ground {
                Ground::Plain => "",
                Ground::Lane => " class=\"l\"",
                Ground::Dark => " class=\"u\"",
                Ground::Base => " class=\"y\"",
                Ground::Gate => " class=\"g\"",
            };
            let _ = write!(body, "<use href=\"#s\" x=\"{x}\" y=\"{y}\"{class}/>");
        }
        body.push_str("</g>");
        self.put_gates(&mut body);
        self.put_lines(&mut body);
        self.put_edges(&mut body);
        self.put_labels(&mut body, &mut used);
        (body, used)
    }

    /// The spaces of the board, and the light squares between them if only dark squares are spaces.
    fn places(&self) -> Vec<(i32, i32)> {
        let spaces = self.spaces.iter().map(|space| (space.q, space.r));
        if self.tiling != Tiling::Squares {
            return spaces.collect();
        }
        let [columns, rows]: [BTreeSet<i32>; 2] =
            [spaces.clone().map(|(q, _)| q).collect(), spaces.map(|(_, r)| r).collect()];
        rows.iter().flat_map(|r| columns.iter().map(move |q| (*q, *r))).collect()
    }

    /// The rings in gates, because a tint alone does not identify them.
    fn put_gates(&self, body: &mut String) {
        if self.tiling != Tiling::Hexagons {
            return;
        }
        for space in self.spaces.iter().filter(|space| space.ground == Ground::Gate) {
            let (x, y) = self.tiling.centre(space.q, space.r);
            let _ = write!(body, "<path class=\"z\" d=\"M{x} {y}m0-21 18 10.5v21l-18 10.5-18-10.5v-21z\"/>");
        }
    }

    /// The lines of a board of points, and its star points.
    fn put_lines(&self, body: &mut String) {
        if self.tiling != Tiling::Points {
            return;
        }
        body.push_str("<path class=\"z\" d=\"");
        let (mut across, mut down) = (BTreeMap::new(), BTreeMap::new());
        for space in &self.spaces {
            let (x, y) = self.tiling.centre(space.q, space.r);
            across.entry(y).or_insert((x, x)).1 = x;
            down.entry(x).or_insert((y, y)).1 = y;
            if space.ground == Ground::Gate {
                let _ = write!(body, "M{x} {y}m-3-3h6v1.5h-6v1.5h6v1.5h-6v1.5h6");
            }
        }
        // Spaces are in reading order, so each line runs from its first space to its last.
        for (y, (from, to)) in across {
            let _ = write!(body, "M{from} {y}H{to}");
        }
        for (x, (from, to)) in down {
            let _ = write!(body, "M{x} {from}V{to}");
        }
        body.push_str("\"/>");
    }

    /// Draws the goals of each player along the edge, in the player's colour and with a rim.
    fn put_edges(&self, body: &mut String) {
        let mut goals = [String::new(), String::new()];
        for edge in &self.edges {
            let (x, y) = self.tiling.centre(edge.q, edge.r);
            let [beyond_q, beyond_r] = edge.beyond;
            let (to_x, to_y) = self.tiling.centre(beyond_q, beyond_r);
            // The edge is half way to the place beyond, at a right angle to the line between the centres.
            let (across_x, across_y) = ((to_x - x) / 2, (to_y - y) / 2);
            let (along_x, along_y) = (-across_y * 4 / 7, across_x * 4 / 7);
            let middle = |from: i32, across: i32| from + across + across / 6;
            let (middle_x, middle_y) = (middle(x, across_x), middle(y, across_y));
            let (from_x, from_y) = (middle_x - along_x, middle_y - along_y);
            let _ = write!(goals[edge.seat.index()], "M{from_x} {from_y}l{} {}", 2 * along_x, 2 * along_y);
        }
        for (seat, goal) in Seat::BOTH.into_iter().zip(goals).filter(|(_, goal)| !goal.is_empty()) {
            let side = self.letter(Some(seat));
            let _ = write!(body, "<path class=\"ge\" d=\"{goal}\"/><path class=\"{side}g\" d=\"{goal}\"/>");
        }
    }

    fn put_labels(&self, body: &mut String, used: &mut BTreeSet<SvgPart>) {
        body.push_str("<g class=\"k\">");
        for label in &self.labels {
            let [q, r] = label.beside;
            let (x, y) = self.tiling.centre(q, r);
            let (x, y) = (x as f32, y as f32);
            // A longer label needs a larger offset, so that the gap to the space stays the same.
            let aside = 39.5 + PITCH / 2.0 * label.text.chars().count() as f32;
            let (x, y) = match label.side {
                // In the upper left corner of the square, or in the lower right one.
                Side::West if self.tiling == Tiling::Squares => (x + aside - 60.0, y - 17.0),
                Side::Below if self.tiling == Tiling::Squares => (x + 19.0, y + 17.0),
                // Above the upper row and below the lower one.
                Side::Above if self.tiling == Tiling::Triangles => (x, y - 138.0),
                Side::Below if self.tiling == Tiling::Triangles => (x, y + 138.0),
                Side::East | Side::Right => (x + aside, y),
                Side::West | Side::Left | Side::RowStart => (x - aside, y),
                Side::NorthEast => (x, y - 43.0),
                Side::SouthWest => (x, y + 43.0),
                // Next to the last space, in the direction of the column.
                Side::ColumnEnd => (x + 20.0, y + 38.0),
                // Above the corner of a hexagon.
                Side::Above if self.tiling == Tiling::Hexagons => (x, y - 49.0),
                Side::Above => (x, y - 41.0),
                // Below the last space, in the direction of the column.
                Side::Below if self.tiling == Tiling::Hexagons => (x + 20.0, y + 41.0),
                Side::Below => (x, y + 41.0),
            };
            word(body, used, &label.text, x, y);
        }
        body.push_str("</g>");
    }
}
