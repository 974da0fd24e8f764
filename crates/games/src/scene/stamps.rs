//! A picture in parts: the empty board, and the pieces on its spaces. A caller that draws many boards can keep the
//! parts.

use std::collections::BTreeSet;
use std::fmt::Write;

use super::parts::SvgPart;
use super::svg::{Frame, Theme, document};
use super::{Hint, Scene, Tiling};

/// The picture of the piece or stack on one space. Equal pieces have equal looks.
#[derive(Debug, Clone)]
pub struct Stamp {
    /// The middle of the space.
    pub middle: (i32, i32),
    /// The picture, drawn around the point (0, 0).
    pub look: StampLook,
}

/// The look of a stamp around the middle of its space.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct StampLook {
    pub(super) tiling: Tiling,
    pub(super) body: String,
    pub(super) used: BTreeSet<SvgPart>,
}

impl Stamp {
    /// Adds the stamp to a picture.
    pub(super) fn put(self, body: &mut String, used: &mut BTreeSet<SvgPart>) {
        let ((x, y), look) = (self.middle, self.look);
        let _ = write!(body, "<g transform=\"translate({x} {y})\">{}</g>", look.body);
        used.extend(look.used);
    }
}

impl StampLook {
    /// The part of the plane that a stamp can cover: the tallest tower and the widest rim.
    pub const FRAME: Frame = Frame { left: -32, top: -40, width: 64, height: 72 };

    /// The picture of the stamp alone, on a transparent ground.
    pub fn svg(&self, theme: Theme) -> String {
        document(theme, StampLook::FRAME, "", self.tiling, &self.used, &self.body)
    }
}

impl Scene {
    /// The empty board. With [`Scene::stamps`] over it, it is the whole picture.
    pub fn empty_svg(&self, theme: Theme) -> String {
        let (body, used) = self.bare(theme);
        document(theme, self.frame(), "", self.tiling, &used, &body)
    }

    /// The stamps on the spaces, from the rear to the front.
    pub fn stamps(&self) -> Vec<Stamp> {
        let mut stamps = Vec::new();
        if self.tiling == Tiling::Triangles {
            let checkers = self.spaces.iter().flat_map(|space| self.checkers(space, Hint::None));
            return checkers.chain(self.prop_stamps()).collect();
        }
        for space in self.rows().into_iter().flatten() {
            let (mut body, mut used) = (String::new(), BTreeSet::new());
            self.put_space(&mut body, &mut used, (space, (0, 0)), Hint::None);
            if !body.is_empty() {
                let middle = self.tiling.centre(space.q, space.r);
                stamps.push(Stamp { middle, look: StampLook { tiling: self.tiling, body, used } });
            }
        }
        stamps
    }
}
