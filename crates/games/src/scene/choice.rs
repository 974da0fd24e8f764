//! What a page offers on the spaces of a board: links, marks and the pieces of a choice.

use std::collections::BTreeSet;
use std::fmt::Write;

use super::parts::{SvgPart, rise};
use super::svg::escaped;
use super::{Scene, Space, Thing, Tiling};

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
    /// The chosen move to this space is illegal.
    Barred,
}

impl Scene {
    /// Draws the link of a space, the dots that show where a move can end, and the piece of the choice.
    pub(super) fn put_choice(
        &self,
        body: &mut String,
        used: &mut BTreeSet<SvgPart>,
        space: &Space,
        choice: &Choice,
    ) {
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

    /// The place of a dot: the middle of an empty space or of a single ring; on a tower below its number.
    fn dot(&self, space: &Space) -> (i32, f32) {
        if self.tiling == Tiling::Triangles {
            let (x, y) = self.next_slot(space);
            return (x, y as f32);
        }
        let (x, y) = self.tiling.centre(space.q, space.r);
        let tower = space.thing.map(|thing| thing.height).filter(|height| *height > 1);
        (x, y as f32 + tower.map_or(0.0, |height| 15.0 - rise(height)))
    }
}
