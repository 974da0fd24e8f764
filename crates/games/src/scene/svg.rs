//! The board as a picture in SVG: small, without fonts, each colour in a class.

use std::collections::BTreeSet;
use std::fmt::Write;

use super::choice::{Choice, Hint};
use super::parts::{SHOWN, SvgPart, definitions, rise};
use super::{Scene, Shape, Space, Thing, Tiling};
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
pub(super) const PITCH: f32 = 9.5;

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
        if self.tiling == Tiling::Triangles {
            let checkers = spaces.iter().flat_map(|(space, choice)| self.checkers(space, choice.hint));
            for stamp in checkers.chain(self.prop_stamps()) {
                stamp.put(&mut body, &mut used);
            }
        }
        for (space, choice) in spaces.iter().filter(|_| self.tiling != Tiling::Triangles) {
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

    /// The part of the plane that the picture shows.
    pub fn frame(&self) -> Frame {
        if self.tiling == Tiling::Triangles {
            return Frame { left: -36, top: -62, width: 748, height: 560 };
        }
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
                if self.tiling == Tiling::Points {
                    let _ = write!(body, "<path class=\"{side}h\" d=\"M{} {}h14v14h-14z\"/>", x - 7, y - 7);
                    continue;
                }
                let x = if seat == Seat::First { x - 8 } else { x + 8 };
                let _ = write!(body, "<circle class=\"{side}h\" cx=\"{x}\" cy=\"{y}\" r=\"4\"/>");
            }
        }
        if let Some(thing) = space.thing {
            self.put_thing(body, used, thing, x, y);
            if space.wins {
                let side = self.letter(thing.side);
                let _ = write!(body, "<circle class=\"{side}n\" cx=\"{x}\" cy=\"{y}\" r=\"8\"/>");
            }
        } else if space.fell {
            let _ = write!(body, "<path class=\"x\" d=\"M{} {}l12 12m0-12-12 12\"/>", x - 6, y - 6);
        }
        if self.labels.is_empty() {
            // A piece leaves room in the corner of its square.
            let (x, y, size) = if space.thing.is_some() { (x - 14, y - 20, 0.8) } else { (x, y, 1.0) };
            let _ = write!(body, "<g class=\"k\" transform=\"translate({x} {y})scale({size})\">");
            word(body, used, &space.name, 0.0, 0.0);
            body.push_str("</g>");
        }
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
        let (shape, number) = match thing.shape {
            Shape::Numbered(number) => (Shape::Disc, Some(number)),
            shape => (shape, Some(thing.height).filter(|height| *height > 1)),
        };
        let part = match shape {
            Shape::Ring => {
                let layers = thing.height.clamp(1, SHOWN);
                SvgPart::Tower { side, layers, marked: thing.marked && layers > 1 }
            }
            shape => SvgPart::Piece { side, shape, is_flat: self.tiling == Tiling::Points },
        };
        used.insert(part);
        let _ = write!(body, "<use href=\"#{}\" x=\"{x}\" y=\"{y}\"/>", part.name());
        if let Some(number) = number {
            let _ = write!(body, "<g class=\"{side}n\">");
            word(body, used, &number.to_string(), x as f32, y as f32 - rise(thing.height));
            body.push_str("</g>");
        }
    }

    /// The letter of a side's colour; `r`, red, for neutral pieces.
    pub(super) fn letter(&self, side: Option<Seat>) -> char {
        side.map_or('r', |seat| *seat.of(&self.colours))
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
pub(super) fn put_ground(body: &mut String, class: &str, Frame { left, top, width, height }: Frame) {
    let _ = write!(
        body,
        "<rect class=\"{class}\" x=\"{left}\" y=\"{top}\" width=\"{width}\" height=\"{height}\"/>"
    );
}

/// Writes `text` centred on the point `x`, `y`.
pub(super) fn word(body: &mut String, used: &mut BTreeSet<SvgPart>, text: &str, x: f32, y: f32) {
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
            // The middle of a triangle and of the felt above it.
            Tiling::Triangles => (q * WIDTH, 96 + r * 244),
        }
    }
}

pub(super) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;")
}
