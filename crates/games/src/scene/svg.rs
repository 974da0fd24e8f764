//! The board as a picture in SVG: small, without fonts, each colour in a class.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use super::parts::{SHOWN, SvgPart, definitions, rise};
use super::strokes::rim;
use super::{Ground, Scene, Shape, Side, Space, Thing, Tiling};
use crate::Seat;

/// The distance between the centres of neighbours in a row.
const WIDTH: i32 = 52;
/// The distance between the centres of two rows of hexagons.
const HEIGHT: i32 = 45;
/// The margin around the outermost centres. It has room for half a space, its rim and the labels. The labels of squares
/// are inside them.
const MARGIN: i32 = 64;
const MARGIN_OF_SQUARES: i32 = 31;
/// The distance between the characters of a word.
const PITCH: f32 = 9.5;

/// The colours of a picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Theme {
    /// Colours for a light, opaque background.
    Light,
    /// Colours for a dark, opaque background.
    Dark,
    /// Colours from the style sheet of the page, which has the same classes as [`Theme::style`].
    Page,
}

/// A rectangle of the plane.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct Frame {
    pub left: i32,
    pub top: i32,
    pub width: i32,
    pub height: i32,
}

/// What a page lets a player do on a space.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Choice {
    /// The mark on the space.
    pub hint: Hint,
    /// The address of the link, and its label for screen readers.
    pub link: Option<(String, String)>,
    /// The spaces that are highlighted while the pointer or the focus is here, such as the ends of the moves from
    /// here.
    pub reaches: Vec<String>,
    /// The piece that this choice puts on the space.
    pub piece: Option<Thing>,
}

/// A mark for a player who is about to move.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Hint {
    /// No mark.
    #[default]
    None,
    /// A move can begin here.
    Start,
    /// The chosen move begins here.
    Chosen,
    /// The chosen move can end here.
    Target,
    /// No mark, but the piece of the choice shows under the pointer and the focus.
    Ghost,
    /// The piece of the choice is offered, and the rest of the board is dimmed.
    Offer,
    /// What was tried here is forbidden.
    Barred,
}

impl Theme {
    /// The style sheet of the picture.
    pub fn style(self) -> &'static str {
        match self {
            Theme::Light => include_str!("light.css"),
            Theme::Dark => include_str!("dark.css"),
            Theme::Page => "",
        }
    }
}

impl Scene {
    /// The picture as an SVG document. `label` is for screen readers; `choice` returns what the page offers on a space.
    pub fn svg(&self, theme: Theme, label: &str, choice: impl Fn(&Space) -> Choice) -> String {
        let (mut body, mut used) = self.bare(theme);
        // Draw from the rear to the front, because a tower covers a part of the next space to the rear.
        let spaces: Vec<(&Space, Choice)> =
            self.rows().into_iter().flatten().map(|space| (space, choice(space))).collect();
        for (space, choice) in &spaces {
            let middle = self.tiling.centre(space.q, space.r);
            self.put_space(&mut body, &mut used, (space, middle), choice.hint);
        }
        if spaces.iter().any(|(_, choice)| choice.hint == Hint::Offer) {
            put_ground(&mut body, "di", self.frame());
        }
        // Links and dots are on top, so that no tower covers them.
        for (space, choice) in &spaces {
            self.put_choice(&mut body, &mut used, space, choice);
        }
        document(theme, self.frame(), label, self.tiling, &used, &body)
    }

    /// The elements of the empty board, and the parts that they use.
    pub(super) fn bare(&self, theme: Theme) -> (String, BTreeSet<SvgPart>) {
        let mut body = String::new();
        let mut used = BTreeSet::new();
        if theme != Theme::Page {
            put_ground(&mut body, "p", self.frame());
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

    /// The part of the plane that the picture shows.
    pub fn frame(&self) -> Frame {
        let (mut left, mut top, mut right, mut bottom) = (i32::MAX, i32::MAX, i32::MIN, i32::MIN);
        for space in &self.spaces {
            let (x, y) = self.tiling.centre(space.q, space.r);
            (left, right) = (left.min(x), right.max(x));
            (top, bottom) = (top.min(y), bottom.max(y));
        }
        let (width, height) = (right.saturating_sub(left), bottom.saturating_sub(top));
        let margin = if self.tiling == Tiling::Squares { MARGIN_OF_SQUARES } else { MARGIN };
        Frame {
            left: left.saturating_sub(margin),
            top: top.saturating_sub(margin),
            width: width + 2 * margin,
            height: height + 2 * margin,
        }
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
                Side::East | Side::Right => (x + aside, y),
                Side::West | Side::Left | Side::RowStart => (x - aside, y),
                Side::NorthEast => (x, y - 43.0),
                Side::SouthWest => (x, y + 43.0),
                // Next to the last space, in the direction of the column.
                Side::ColumnEnd => (x + 20.0, y + 38.0),
                Side::Above => (x - self.tiling.slant() * 20.0, y - 41.0),
                Side::Below => (x + self.tiling.slant() * 20.0, y + 41.0),
            };
            word(body, used, &label.text, x, y);
        }
        body.push_str("</g>");
    }

    pub(super) fn put_space(
        &self,
        body: &mut String,
        used: &mut BTreeSet<SvgPart>,
        (space, (x, y)): (&Space, (i32, i32)),
        hint: Hint,
    ) {
        let last = |end: Option<&String>| end == Some(&space.name);
        let from = self.last.as_ref().is_some_and(|ends| last(ends.from.as_ref()));
        let to = self.last.as_ref().is_some_and(|ends| last(ends.to.as_ref()) || last(ends.then.as_ref()));
        let rim = match (from, to, hint) {
            (.., Hint::Chosen) => Some("c"),
            (_, true, _) => Some("t"),
            (true, ..) => Some("f"),
            _ => None,
        };
        if let Some(class) = rim {
            let _ = write!(body, "<use href=\"#s\" x=\"{x}\" y=\"{y}\" class=\"{class}\"/>");
        }
        if space.in_check {
            let _ = write!(body, "<circle class=\"ck\" cx=\"{x}\" cy=\"{y}\" r=\"23\"/>");
        }
        if hint == Hint::Start {
            let _ = write!(body, "<use href=\"#s\" x=\"{x}\" y=\"{y}\" class=\"m\"/>");
        }
        for (seat, held) in Seat::BOTH.into_iter().zip(space.held) {
            if held {
                let side = self.letter(Some(seat));
                let x = if seat == Seat::First { x - 8 } else { x + 8 };
                let _ = write!(body, "<circle class=\"{side}h\" cx=\"{x}\" cy=\"{y}\" r=\"4\"/>");
            }
        }
        if let Some(thing) = space.thing {
            self.put_thing(body, used, thing, x, y);
        } else if space.fell {
            let _ = write!(body, "<path class=\"x\" d=\"M{} {}l12 12m0-12-12 12\"/>", x - 6, y - 6);
        } else if self.labels.is_empty() {
            body.push_str("<g class=\"k\">");
            word(body, used, &space.name, x as f32, y as f32);
            body.push_str("</g>");
        }
    }

    /// The place of a dot: the middle of an empty space or of a single ring; on a tower below its number.
    fn dot(&self, space: &Space) -> (i32, f32) {
        let (x, y) = self.tiling.centre(space.q, space.r);
        let tower = space.thing.map(|thing| thing.height).filter(|height| *height > 1);
        (x, y as f32 + tower.map_or(0.0, |height| 15.0 - rise(height)))
    }

    pub(super) fn put_thing(
        &self,
        body: &mut String,
        used: &mut BTreeSet<SvgPart>,
        thing: Thing,
        x: i32,
        y: i32,
    ) {
        let side = self.letter(thing.side);
        let part = match thing.shape {
            Shape::Ring => {
                let layers = thing.height.clamp(1, SHOWN);
                SvgPart::Tower { side, layers, marked: thing.marked && layers > 1 }
            }
            shape => SvgPart::Piece { side, shape, is_flat: self.tiling == Tiling::Points },
        };
        used.insert(part);
        let _ = write!(body, "<use href=\"#{}\" x=\"{x}\" y=\"{y}\"/>", part.name());
        if thing.height > 1 {
            let _ = write!(body, "<g class=\"{side}n\">");
            word(body, used, &thing.height.to_string(), x as f32, y as f32 - rise(thing.height));
            body.push_str("</g>");
        }
    }

    /// The letter of a side's colour; `r`, red, for neutral pieces.
    fn letter(&self, side: Option<Seat>) -> char {
        side.map_or('r', |seat| *seat.of(&self.colours))
    }

    /// Draws the link of a space, the dots that show where a move can end, and the piece of the choice.
    fn put_choice(&self, body: &mut String, used: &mut BTreeSet<SvgPart>, space: &Space, choice: &Choice) {
        let (x, y) = self.tiling.centre(space.q, space.r);
        if let Some((href, says)) = &choice.link {
            let _ = write!(
                body,
                "<a href=\"{}\" aria-label=\"{}\"><use href=\"#s\" x=\"{x}\" y=\"{y}\" class=\"a\"/>",
                escaped(href),
                escaped(says)
            );
        }
        if choice.hint == Hint::Target {
            let is_capture = self.tiling == Tiling::Squares && space.thing.is_some();
            if is_capture {
                let _ = write!(body, "<use href=\"#s\" x=\"{x}\" y=\"{y}\" class=\"m\"/>");
            }
            // In the corner, the dot leaves the piece to be seen.
            let (x, y) = if is_capture { (x + 17, y as f32 - 17.0) } else { self.dot(space) };
            let _ = write!(body, "<circle class=\"d\" cx=\"{x}\" cy=\"{y}\" r=\"7\"/>");
        }
        if choice.hint == Hint::Barred {
            let _ = write!(body, "<path class=\"ba\" d=\"M{} {}l20 20m0-20-20 20\"/>", x - 10, y - 10);
        }
        if let Some(piece) = choice.piece {
            let class = if choice.hint == Hint::Offer { "of" } else { "gh" };
            let _ = write!(body, "<g class=\"{class}\">");
            if choice.hint == Hint::Offer {
                let _ = write!(body, "<use href=\"#s\" x=\"{x}\" y=\"{y}\"/>");
            }
            self.put_thing(body, used, piece, x, y);
            body.push_str("</g>");
        }
        let reached: String = choice
            .reaches
            .iter()
            .filter_map(|name| self.space(name))
            .map(|space| {
                let (x, y) = self.dot(space);
                // A line of no length with round ends is a dot.
                format!("M{x} {y}h0")
            })
            .collect();
        if !reached.is_empty() {
            let _ = write!(body, "<path class=\"v\" d=\"{reached}\"/>");
        }
        if choice.link.is_some() {
            body.push_str("</a>");
        }
    }
}

/// The SVG document with the elements of `body` and the definitions of the parts in `used`.
pub(super) fn document(
    theme: Theme,
    frame: Frame,
    label: &str,
    tiling: Tiling,
    used: &BTreeSet<SvgPart>,
    body: &str,
) -> String {
    let Frame { left, top, width, height } = frame;
    // Screen readers do not enter an image, so a picture with links is a group.
    let role = if body.contains("<a ") { "group" } else { "img" };
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"{left} {top} {width} {height}\" width=\"{width}\" \
         height=\"{height}\" role=\"{role}\" aria-label=\"{}\">",
        escaped(label)
    );
    if theme != Theme::Page {
        let _ = write!(svg, "<style>{}</style>", theme.style().replace('\n', ""));
    }
    definitions(&mut svg, tiling, used);
    svg.push_str(body);
    svg.push_str("</svg>");
    svg
}

/// A rectangle of one colour over all that the picture shows.
fn put_ground(body: &mut String, class: &str, Frame { left, top, width, height }: Frame) {
    let _ = write!(
        body,
        "<rect class=\"{class}\" x=\"{left}\" y=\"{top}\" width=\"{width}\" height=\"{height}\"/>"
    );
}

/// Writes `text` centred on the point `x`, `y`.
fn word(body: &mut String, used: &mut BTreeSet<SvgPart>, text: &str, x: f32, y: f32) {
    let mut x = x - PITCH / 2.0 * (text.chars().count() as f32 - 1.0);
    for character in text.chars() {
        used.insert(SvgPart::Glyph(character));
        let _ = write!(body, "<use href=\"#_{character}\" x=\"{x}\" y=\"{y}\"/>");
        x += PITCH;
    }
}

impl Tiling {
    /// The centre of a space.
    pub(super) fn centre(self, q: i32, r: i32) -> (i32, i32) {
        match self {
            Tiling::Hexagons => (q * WIDTH + r * WIDTH / 2, r * HEIGHT),
            Tiling::Squares | Tiling::Points => (q * WIDTH, r * WIDTH),
        }
    }

    /// How far a row is to the right of the row above, in half spaces.
    fn slant(self) -> f32 {
        if self == Tiling::Hexagons { 1.0 } else { 0.0 }
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;")
}
