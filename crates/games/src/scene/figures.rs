//! The looks of pieces that are not stacked.

use super::{Figure, Shape};

/// The name of a shape in the ids of a picture.
pub(super) fn figure_name(shape: Shape) -> &'static str {
    match shape {
        Shape::Ring => "",
        Shape::Disc | Shape::Numbered(_) => "d",
        Shape::Checker => "o",
        Shape::Dead => "c",
        Shape::King => "k",
        Shape::Bow => "a",
        Shape::Dart => "x",
        Shape::Figure(Figure::Pawn) => "P",
        Shape::Figure(Figure::Knight) => "N",
        Shape::Figure(Figure::Bishop) => "B",
        Shape::Figure(Figure::Rook) => "R",
        Shape::Figure(Figure::Queen) => "Q",
        Shape::Figure(Figure::King) => "K",
    }
}

/// Draws a piece around its centre. Its CSS classes are the letter of the side plus `t` for the top, `e` for the edge
/// or `n` for lines. A flat piece is seen from above.
pub(super) fn figure(shape: Shape, side: char, is_flat: bool) -> String {
    let disc = |y: f32| {
        format!(
            "<use href=\"#e\" y=\"{y}\" class=\"{side}e\"/><use href=\"#i\" y=\"{y}\" class=\"{side}t\"/>"
        )
    };
    let line = |path: &str| format!("<path class=\"{side}n\" d=\"{path}\"/>");
    match shape {
        Shape::Disc if is_flat => format!("<circle r=\"22\" class=\"{side}t\"/>"),
        Shape::Checker => {
            format!("<circle r=\"21\" class=\"{side}t\"/><circle r=\"14\" class=\"{side}n\" opacity=\".3\"/>")
        }
        Shape::Dead => {
            format!("<circle r=\"22\" class=\"{side}t\" opacity=\".5\"/>{}", line("M-8-8 8 8M8-8-8 8"))
        }
        Shape::Ring | Shape::Disc | Shape::Numbered(_) => disc(0.0),
        Shape::King => disc(0.0) + &disc(-6.0) + &line("M-8 0V-10L-4-6 0-12 4-6 8-10V0z"),
        Shape::Bow => disc(0.0) + &line("M-5-9C7-6 7 6-5 9V-9M-9 0H8"),
        Shape::Figure(figure) => outline(figure, side),
        Shape::Dart => {
            "<path class=\"xa\" d=\"M-24-24h48v48h-48z\"/><path class=\"xb\" d=\"M-10 10L10-10M-4-10H10V4\"/>"
                .to_owned()
        }
    }
}

/// Draws a chess piece seen from the side: its body, the lines on it, and the foot that all pieces share.
fn outline(figure: Figure, side: char) -> String {
    let (body, lines) = match figure {
        Figure::Pawn => (
            "M-4-1.5C-4.5 4-8.5 7-9 13H9C8.5 7 4.5 4 4-1.5M-6.5-2.5H6.5M0-15.5a6.6 6.6 0 1 1-.1 0z",
            "M-6.5-1.8H6.5",
        ),
        Figure::Knight => (
            "M-9 13C-8.5 5-1 2-1.5-3.5-4-1-6.5-1.5-8.5.8L-12.5-1.2C-12.5-5.5-8.5-8-7-12L-6.5-18.5-1.5-15C8-13.5 12 -3 9.500 13z",
            "M-5.200-9.500v.1M1.500-11C6-8.500 7.500-3 7 4",
        ),
        Figure::Bishop => (
            "M-4.500 6C-5 9-8.500 10-9 13H9C8.500 10 5 9 4.500 6 11-1 7.500-9 1.600-14.700A2.800 2.800 0 1 0-1.600-14.700C-7.500-9-11-1-4.500 6z",
            "M3.500-10L-.5-4.500M-5 6H5",
        ),
        Figure::Rook => (
            "M-9 13C-6 9-6.500 0-6.800-6.500L-10-9V-16.500H-5.500V-13.500H-2.300V-16.500H2.300V-13.500H5.500V-16.500H10V-9L6.800-6.500C6.500 0 6 9 9 13z",
            "M-6.800-6.500H6.800",
        ),
        Figure::Queen => (
            "M-8.500 13C-8 8-10-1-13-9.500L-6.500-3.500-5-14.500 0-5.500 5-14.500 6.500-3.500 13-9.500C10-1 8 8 8.500 13zM-13-13.500a2.200 2.200 0 1 1-.1 0zM-5-18.500a2.200 2.200 0 1 1-.1 0zM5-18.500a2.200 2.200 0 1 1-.1 0zM13-13.500a2.200 2.200 0 1 1-.1 0z",
            "M-8.300 8C-4 6.500 4 6.500 8.300 8",
        ),
        Figure::King => (
            "M-8.500 13C-8.500 9-15 4-13.500-3.500-12-9-4-8.500 0-3.500 4-8.500 12-9 13.500-3.500 15 4 8.500 9 8.500 13zM-1.400-5V-12H-4.800V-15H-1.400V-18.500H1.400V-15H4.800V-12H1.400V-5z",
            "M-8.300 8.500C-4 7 4 7 8.300 8.500",
        ),
    };
    format!(
        "<path class=\"{side}t {side}f\" d=\"{body}M-12.500 13H12.500V18H-12.500z\"/><path class=\"{side}n\" d=\"{lines}\"/>"
    )
}
