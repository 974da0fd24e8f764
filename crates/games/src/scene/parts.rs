//! The parts that a picture defines once and uses by name: characters, towers, pieces.

use std::collections::BTreeSet;
use std::fmt::Write;

use super::figures::{figure, figure_name};
use super::strokes::strokes;
use super::{Shape, Tiling};

/// The height of a piece in a tower.
const LAYER: f32 = 4.67;
/// The most pieces that a tower shows, so that it hides no other space.
pub(super) const SHOWN: u8 = 5;

/// Writes the `<defs>` element with the parts in `used`.
pub(super) fn definitions(svg: &mut String, tiling: Tiling, used: &BTreeSet<SvgPart>) {
    let space = match tiling {
        Tiling::Hexagons => "M0-28l24.2 14v28L0 28l-24.2-14v-28z",
        Tiling::Squares => "M-25-25h50v50h-50z",
        Tiling::Triangles => "M-25-122h50v244h-50z",
        Tiling::Points => "M-25 0a25 25 0 0 0 50 0a25 25 0 0 0-50 0z",
    };
    let _ = write!(
        svg,
        "<defs><path id=\"s\" d=\"{space}\"/><path id=\"e\" d=\"M-20 0v4.5a20 15.6 0 0 0 40 0v-4.5z\"/>\
         <ellipse id=\"i\" rx=\"20\" ry=\"15.6\"/>"
    );
    used.iter().for_each(|part| part.define(svg));
    svg.push_str("</defs>");
}

/// A part that is defined once and used by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum SvgPart {
    /// A character.
    Glyph(char),
    /// A tower that shows `layers` pieces.
    Tower { side: char, layers: u8, marked: bool },
    /// A piece that is not stacked.
    Piece { side: char, shape: Shape, is_flat: bool },
}

impl SvgPart {
    pub(super) fn name(self) -> String {
        match self {
            SvgPart::Glyph(character) => format!("_{character}"),
            SvgPart::Tower { side, layers, marked } => {
                format!("{side}{layers}{}", if marked { "r" } else { "" })
            }
            SvgPart::Piece { side, shape, .. } => format!("{side}{}", figure_name(shape)),
        }
    }

    fn define(self, svg: &mut String) {
        let _ = write!(svg, "<g id=\"{}\">", self.name());
        match self {
            SvgPart::Glyph(character) => {
                let _ = write!(svg, "<path d=\"{}\"/>", strokes(character).unwrap_or_default());
            }
            SvgPart::Tower { side, layers, marked } => {
                for layer in 0..layers {
                    // The piece of the owner is on top; a red one shows below it.
                    let red = marked && layer + 2 == layers;
                    let side = if red { 'r' } else { side };
                    let y = -LAYER * f32::from(layer);
                    let _ = write!(
                        svg,
                        "<use href=\"#e\" y=\"{y}\" class=\"{side}e\"/><use href=\"#i\" y=\"{y}\" class=\"{side}t\"/>"
                    );
                }
                if layers == 1 {
                    let _ = write!(svg, "<ellipse class=\"{side}e\" rx=\"7\" ry=\"5.4\"/>");
                } else if marked {
                    let y = -LAYER * f32::from(layers - 1) - 11.0;
                    let _ = write!(svg, "<circle class=\"q\" cx=\"15.5\" cy=\"{y}\" r=\"5\"/>");
                }
            }
            SvgPart::Piece { side, shape, is_flat } => svg.push_str(&figure(shape, side, is_flat)),
        }
        svg.push_str("</g>");
    }
}

/// The distance from the top of a single piece up to the top of a stack.
pub(super) fn rise(height: u8) -> f32 {
    LAYER * f32::from(height.clamp(1, SHOWN) - 1)
}
