//! A picture in parts: the empty board, and what lies on its spaces. Whoever draws many keeps the parts.

use std::collections::BTreeSet;

use super::parts::SvgPart;
use super::svg::{Frame, Hint, Theme, document};
use super::{Scene, Tiling};

/// What lies on one space: the same stamp for every space on which the same lies.
#[derive(Debug, Clone)]
pub struct Stamp {
    /// The middle of the space.
    pub middle: (i32, i32),
    /// How it looks.
    pub look: StampLook,
}

/// How a stamp looks, round the middle of a space.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct StampLook {
    tiling: Tiling,
    body: String,
    used: BTreeSet<SvgPart>,
}

impl StampLook {
    /// What of the plane a stamp may cover: the tallest tower and the widest rim.
    pub const FRAME: Frame = Frame { left: -32, top: -40, width: 64, height: 72 };

    /// The picture of it alone, on nothing.
    pub fn svg(&self, theme: Theme) -> String {
        document(theme, StampLook::FRAME, "", self.tiling, &self.used, &self.body)
    }
}

impl Scene {
    /// The board with nothing on its spaces, over which [`Scene::stamps`] make the whole picture.
    pub fn empty_svg(&self, theme: Theme) -> String {
        let (body, used) = self.bare(theme);
        document(theme, self.frame(), "", self.tiling, &used, &body)
    }

    /// What lies on the spaces, from the rear to the front.
    pub fn stamps(&self) -> Vec<Stamp> {
        let mut stamps = Vec::new();
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
