//! The analysis of a finished board: the values over time, the turns that decided it, and better moves.

use std::fmt::Write;

use minijinja::{Value, context};
use turnpost_robot::analysis::{Analysis, Review, WrittenScore};
use turnpost_robot::deciding::{Deciding, deciding};

use super::graph::{self, Graph};
use crate::notices::afterword::loss;
use crate::notices::look::Look;

/// The most turns that the graph marks and the page steps through.
const TURNS: usize = 8;

/// Bounds of the value at the upper edge of the graph, in hundredths of the unit.
const RIM: [i32; 2] = [500, 5000];

/// The template context of an analysis. `ply_at` is the address of a ply
/// without its number, `at` the ply that is shown.
pub(super) fn shown(analysis: &Analysis, look: &Look, ply_at: &str, at: usize) -> Value {
    let deciding = deciding(analysis, TURNS);
    let ply_of = |turn: &Deciding<'_>| turn.review.ply as usize;
    let earlier = deciding.iter().map(ply_of).rfind(|ply| *ply < at);
    let later = deciding.iter().map(ply_of).find(|ply| *ply > at);
    let here = analysis.plies.iter().find(|review| review.ply as usize == at && at > 0);
    let values = values(analysis);
    let reach = values.iter().map(|value| value.saturating_abs()).max().unwrap_or_default();
    let reach = reach.clamp(RIM[0], RIM[1]);
    let rim = reach as f32;
    let graph = Graph::new(values.iter().map(|value| *value as f32).collect(), [-rim, rim]);
    // A move as the list of moves numbers it.
    let number = |ply: usize| {
        let ply = ply.checked_sub(1).and_then(|before| look.plies.get(before));
        ply.map(|ply| ply.number().trim_end_matches('.').to_owned()).unwrap_or_default()
    };
    context! {
        svg => Value::from_safe_string(svg(analysis, look.scene.colours, &deciding, &number, &graph, ply_at, at)),
        sentence => sentence(analysis, &values, look.kind.seats, &number),
        reach => format!("{} {}", reach / 100, analysis.unit()),
        unit => analysis.unit(),
        nodes => analysis.nodes,
        solved_from => analysis.solved_from.map(|ply| number(ply as usize)),
        turns => deciding.iter().map(|turn| told(turn.review)).collect::<Vec<_>>(),
        rows => analysis.plies.iter().map(told).collect::<Vec<_>>(),
        here => here.map(told),
        earlier, later,
    }
}

/// The value before the first ply and after each ply, from the first seat's side, in hundredths of the unit. A score
/// without a number, such as a certain win, gets a value beyond the graph.
fn values(analysis: &Analysis) -> Vec<i32> {
    let to_first = |review: &Review, score: &WrittenScore| {
        let value = score.number().unwrap_or(score.value.signum() * 100_000);
        if review.seat == 0 { value } else { -value }
    };
    let first = analysis.plies.first().map(|review| to_first(review, &review.before));
    first.into_iter().chain(analysis.plies.iter().map(|review| to_first(review, &review.after))).collect()
}

/// The template context of one reviewed ply.
fn told(review: &Review) -> Value {
    let written = |score: &WrittenScore| {
        let text = score.text.split(' ').next().unwrap_or_default();
        format!("{text}{}", if score.exact { " =" } else { "" })
    };
    let (best, line) = match review.better.split_first() {
        Some((best, line)) => (Some(best), line),
        None => (None, [].as_slice()),
    };
    context! {
        ply => review.ply,
        by => review.seat,
        played => &review.played,
        before => written(&review.before),
        after => written(&review.after),
        exact => review.before.exact && review.after.exact,
        best, line => line.join(" "),
        loss => best.map(|_| loss(review)),
    }
}

/// The graph in words.
fn sentence(
    analysis: &Analysis,
    values: &[i32],
    [first, second]: [&str; 2],
    number: &dyn Fn(usize) -> String,
) -> String {
    let side = |value: i32| if value > 0 { first } else { second };
    let mut text = String::new();
    let mut ahead: Option<(i32, usize)> = None;
    let mut changes = 0;
    for (ply, value) in values.iter().copied().enumerate().filter(|(_, value)| value.abs() >= 50) {
        if ahead.is_some_and(|(before, _)| before.signum() != value.signum()) {
            changes += 1;
        }
        if ahead.is_none_or(|(before, _)| before.signum() != value.signum()) {
            ahead = Some((value, ply));
        }
    }
    match ahead {
        None => text.push_str("Neither side was ever clearly ahead."),
        Some((value, ply)) => {
            let lead = match changes {
                0 => format!("The lead never changed: it was {}'s", side(value)),
                1 => format!("The lead changed once: from move {} on it was {}'s", number(ply), side(value)),
                _ => {
                    let from = number(ply);
                    format!("The lead changed {changes} times: from move {from} on it was {}'s", side(value))
                }
            };
            let _ = write!(text, "{lead}.");
        }
    }
    match analysis.solved_from {
        Some(1) => text.push_str(" Every value is exact."),
        Some(ply) => {
            let from = number(ply as usize);
            let _ =
                write!(text, " From move {from} on every value is exact; before, it is the robot's opinion.");
        }
        None => text.push_str(" The values are the robot's opinion."),
    }
    text
}

fn svg(
    analysis: &Analysis,
    [first, second]: [char; 2],
    deciding: &[Deciding<'_>],
    number: &dyn Fn(usize) -> String,
    graph: &Graph,
    ply_at: &str,
    at: usize,
) -> String {
    let role = if deciding.is_empty() { "img" } else { "group" };
    let mut svg = graph::open(role, "The value of the game after each move");
    if let Some(from) = analysis.solved_from {
        // The value before a ply equals the value after the previous ply.
        let _ = write!(svg, "<path class=\"sure\" d=\"{}\"/>", graph.rest(from.saturating_sub(1) as usize));
    }
    let _ = write!(
        svg,
        "<path class=\"{first}\" d=\"{}\"/><path class=\"{second}\" d=\"{}\"/><path class=\"zero\" d=\"{}\"/>\
         <path class=\"now\" d=\"{}\"/><path class=\"line\" d=\"{}\"/>",
        graph.area(1.0),
        graph.area(-1.0),
        graph.level(0.0),
        graph.upright(at),
        graph.line()
    );
    for turn in deciding {
        let (ply, loss) = (turn.review.ply as usize, loss(turn.review));
        // A larger target under the dot, for fingers.
        let _ = write!(
            svg,
            "<a href=\"{ply_at}{ply}\" aria-label=\"move {number} gave away {loss}\">\
             <path class=\"touch\" d=\"{dot}\"/><path class=\"dot\" d=\"{dot}\"/></a>",
            number = number(ply),
            ply_at = ply_at.replace('&', "&amp;"),
            dot = graph.dot(ply)
        );
    }
    svg.push_str("</svg>");
    svg
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_beside_the_graph_tell_who_led() {
        let number = |ply: usize| ply.to_string();
        let analysis = Analysis { nodes: 1, plies: Vec::new(), solved_from: Some(7) };
        let says = sentence(&analysis, &[0, 200, -300, 20, -100_000], ["white", "black"], &number);
        assert!(
            says.starts_with("The lead changed once: from move 2 on it was black's. From move 7 on"),
            "{says}"
        );
        let says =
            sentence(&Analysis { solved_from: None, ..analysis }, &[0, 10], ["white", "black"], &number);
        assert_eq!(says, "Neither side was ever clearly ahead. The values are the robot's opinion.");
    }
}
