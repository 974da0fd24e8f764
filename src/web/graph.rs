//! A line through values, as paths of an SVG. The style sheet stretches it to the width of the page, so lines keep
//! their width by `vector-effect`, and the words are outside the picture.

use std::fmt::Write;

/// The size of the picture in SVG units.
const WIDTH: f32 = 640.0;
const HEIGHT: f32 = 160.0;
/// Room for the dots at the edges.
const RIM: f32 = 8.0;

pub(super) struct Graph {
    values: Vec<f32>,
    low: f32,
    high: f32,
}

impl Graph {
    /// `low` and `high` are the values at the lower and the upper edge. Values outside are drawn at the edge.
    pub fn new(values: Vec<f32>, [low, high]: [f32; 2]) -> Graph {
        let values = values.into_iter().map(|value| value.clamp(low, high)).collect();
        Graph { values, low, high: high.max(low + 1.0) }
    }

    /// The horizontal position of the value at index `place`.
    pub fn x(&self, place: usize) -> f32 {
        let last = self.values.len().saturating_sub(1).max(1);
        RIM + (WIDTH - 2.0 * RIM) * place.min(last) as f32 / last as f32
    }

    fn y(&self, value: f32) -> f32 {
        RIM + (HEIGHT - 2.0 * RIM) * (self.high - value) / (self.high - self.low)
    }

    pub fn line(&self) -> String {
        let mut path = String::new();
        for (place, value) in self.values.iter().enumerate() {
            let sign = if place == 0 { 'M' } else { 'L' };
            let _ = write!(path, "{sign}{:.1} {:.1}", self.x(place), self.y(*value));
        }
        path
    }

    /// The area between the line and zero: above zero if `sign` is 1, below zero if it is -1.
    pub fn area(&self, sign: f32) -> String {
        let mut path = format!("M{:.1} {:.1}", self.x(0), self.y(0.0));
        let mut before: Option<f32> = None;
        for (place, value) in self.values.iter().copied().enumerate() {
            // The line crosses zero here, from one side to the other.
            if let Some(before) = before.filter(|before| before * value < 0.0) {
                let part = before / (before - value);
                let from = self.x(place.saturating_sub(1));
                let crossing = from + (self.x(place) - from) * part;
                let _ = write!(path, "L{crossing:.1} {:.1}", self.y(0.0));
            }
            let shown = if value * sign > 0.0 { value } else { 0.0 };
            let _ = write!(path, "L{:.1} {:.1}", self.x(place), self.y(shown));
            before = Some(value);
        }
        let end = self.x(self.values.len().saturating_sub(1));
        let _ = write!(path, "L{end:.1} {:.1}z", self.y(0.0));
        path
    }

    /// A level line at a value.
    pub fn level(&self, value: f32) -> String {
        format!("M0 {:.1}H{WIDTH}", self.y(value))
    }

    /// An upright line at a place.
    pub fn upright(&self, place: usize) -> String {
        format!("M{:.1} 0V{HEIGHT}", self.x(place))
    }

    /// A dot at a place of the line: a line of no length with round ends.
    pub fn dot(&self, place: usize) -> String {
        let value = self.values.get(place).copied().unwrap_or_default();
        format!("M{:.1} {:.1}h0", self.x(place), self.y(value))
    }

    /// A rectangle of full height from a place to the right end.
    pub fn rest(&self, place: usize) -> String {
        format!("M{:.1} 0H{WIDTH}V{HEIGHT}H{:.1}z", self.x(place), self.x(place))
    }
}

/// One line for each player through the player's places, `1` on top. Each place is a row of the same height, so that
/// names fit after the ends of the lines.
pub(super) fn places(lines: &[Vec<usize>], label: &str) -> String {
    let mut svg = open("img", label);
    for places in lines {
        svg.push_str("<path class=\"line\" d=\"");
        let step = (WIDTH - 2.0 * RIM) / places.len().saturating_sub(1).max(1) as f32;
        for (at, place) in places.iter().enumerate() {
            let sign = if at == 0 { 'M' } else { 'L' };
            let y = HEIGHT * (*place as f32 - 0.5) / lines.len() as f32;
            let _ = write!(svg, "{sign}{:.1} {y:.1}", RIM + step * at as f32);
        }
        svg.push_str("\"/>");
    }
    svg + "</svg>"
}

/// The opening tag of a picture. `role` is `img`, or `group` if the picture has links.
pub(super) fn open(role: &str, label: &str) -> String {
    let label = label.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;");
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" preserveAspectRatio=\"none\" \
         role=\"{role}\" aria-label=\"{label}\">"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_area_ends_where_the_line_crosses_zero() {
        let graph = Graph::new(vec![2.0, -2.0, -9.0], [-4.0, 4.0]);
        assert_eq!(graph.line(), "M8.0 44.0L320.0 116.0L632.0 152.0");
        assert_eq!(graph.area(1.0), "M8.0 80.0L8.0 44.0L164.0 80.0L320.0 80.0L632.0 80.0L632.0 80.0z");
        assert_eq!(graph.area(-1.0), "M8.0 80.0L8.0 80.0L164.0 80.0L320.0 116.0L632.0 152.0L632.0 80.0z");
    }

    #[test]
    fn places_are_rows_from_the_top() {
        let svg = places(&[vec![2, 1], vec![1, 2]], "Places");
        assert!(
            svg.contains(
                "d=\"M8.0 120.0L632.0 40.0\"/><path class=\"line\" d=\"M8.0 40.0L632.0 120.0\"/></svg>"
            ),
            "{svg}"
        );
    }

    #[test]
    fn a_line_of_one_value_or_none_is_drawn_too() {
        assert_eq!(Graph::new(Vec::new(), [0.0, 0.0]).line(), "");
        assert_eq!(Graph::new(vec![5.0], [0.0, 10.0]).line(), "M8.0 80.0");
        assert_eq!(Graph::new(vec![1.0], [1.0, 1.0]).dot(0), "M8.0 152.0h0");
    }
}
