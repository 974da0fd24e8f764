//! The looks of pieces that are not stacked.

use super::Shape;

/// What a look is called in a picture.
pub(super) fn figure_name(shape: Shape) -> &'static str {
    match shape {
        Shape::Ring => "",
        Shape::Disc => "d",
        Shape::King => "k",
        Shape::Bow => "a",
        Shape::Dart => "x",
    }
}

/// A piece round its centre, in the classes of a side: `t` is its top, `e` its edge. Flat, it is seen from above.
pub(super) fn figure(shape: Shape, side: char, is_flat: bool) -> String {
    let disc = |y: f32| {
        format!(
            "<use href=\"#e\" y=\"{y}\" class=\"{side}e\"/><use href=\"#i\" y=\"{y}\" class=\"{side}t\"/>"
        )
    };
    let line = |path: &str| format!("<path class=\"{side}n\" d=\"{path}\"/>");
    match shape {
        Shape::Disc if is_flat => format!("<circle r=\"22\" class=\"{side}t\"/>"),
        Shape::Ring | Shape::Disc => disc(0.0),
        Shape::King => disc(0.0) + &disc(-6.0) + &line("M-8 0V-10L-4-6 0-12 4-6 8-10V0z"),
        Shape::Bow => disc(0.0) + &line("M-5-9C7-6 7 6-5 9V-9M-9 0H8"),
        Shape::Dart => "<path class=\"xb\" d=\"M-14-14L14 14M14-14L-14 14\"/>".to_owned(),
    }
}
