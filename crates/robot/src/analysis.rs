//! Analysis of a finished game: the value of each ply, and what would have been better.
//!
//! Every position is searched with the same limits. The value of a ply is the value of the position after it. A ply is
//! not blamed for a threat that only the search of the next position finds.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::limits::Limits;
use super::mind::Mind;
use turnpost_games::{Position, Seat, Table};

/// Most plies of a better line that are kept.
const LINE_AT_MOST: usize = 4;

/// The score of a position for one player, as it is stored and printed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct WrittenScore {
    /// Hundredths of a point.
    pub value: i32,
    /// The value in the words of the game.
    pub text: String,
    /// Whether it is the exact result against best play.
    pub exact: bool,
}

impl WrittenScore {
    /// The value in hundredths of the game's unit; `None` if the text is `won` or `lost`.
    pub fn number(&self) -> Option<i32> {
        let (number, unit) = self.text.split_once(' ')?;
        // A share of won playouts is stored as the distance from 50 %.
        if unit.starts_with('%') {
            return Some(self.value);
        }
        number.parse::<f32>().ok().map(|number| (number * 100.0).round() as i32)
    }
}

/// A ply, as its player should have seen it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Review {
    /// From 1.
    pub ply: u32,
    /// The seat that played it, 0 or 1.
    pub seat: usize,
    /// The ply in notation.
    pub played: String,
    /// The best score that its player could reach.
    pub before: WrittenScore,
    /// The score that its player could still reach after it.
    pub after: WrittenScore,
    /// The better ply and the line that the robot expects after it. Empty if there is none.
    pub better: Vec<String>,
}

impl Review {
    /// What the ply gave away, in hundredths of a point.
    pub fn loss(&self) -> i32 {
        self.before.value.saturating_sub(self.after.value)
    }
}

/// An analysis.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Analysis {
    /// Nodes searched for each position.
    pub nodes: u64,
    /// Every ply of a player, up to the one after which dead stones are marked.
    pub plies: Vec<Review>,
    /// The ply from which on all values are exact.
    pub solved_from: Option<u32>,
}

impl Analysis {
    /// The unit of its values, such as `pieces`.
    pub fn unit(&self) -> &str {
        let texts = self.plies.iter().map(|review| &review.before.text);
        texts.filter_map(|text| text.split_once(' ')).map(|(_, unit)| unit).next().unwrap_or("points")
    }
}

struct Searched {
    mover: Seat,
    value: i32,
    exact: bool,
    /// The dice are next.
    falls: bool,
    /// The value of the ply before to its player, if the mind values plies.
    reached: Option<i32>,
    line: Vec<String>,
}

/// Analyses the game that began at `start`. Searches for exact results as far as the limits allow. `None` if it was
/// cancelled.
///
/// # Errors
/// When the position or a ply cannot be read, or the rules forbid the ply.
pub(super) fn analyse<M: Mind>(
    start: &str,
    plies: &[String],
    limits: &Limits,
    cancel: &AtomicBool,
) -> Result<Option<Analysis>, String> {
    let limits = &Limits { exact: true, ..limits.clone() };
    let mut position = M::Game::read(start).map_err(|why| why.to_string())?;
    let mut searched = vec![search_one::<M>(&position, limits, cancel)];
    for text in plies {
        let ply = position.read_move(text).ok().filter(|_| Position::chance(&position).is_none());
        let reached = ply.and_then(|(ply, _)| M::judged(&position, ply));
        position.replay(text).map_err(|why| why.to_string())?;
        // From here on the players agree on a result, and no ply is good or bad.
        if position.closing().is_some() {
            break;
        }
        searched.push(Searched { reached, ..search_one::<M>(&position, limits, cancel) });
        if cancel.load(Relaxed) {
            return Ok(None);
        }
    }
    let reviews: Vec<Review> = (1..)
        .zip(plies)
        .zip(searched.iter().zip(searched.iter().skip(1)))
        .filter(|(_, (before, _))| !before.falls)
        .map(|((number, played), (before, after))| review::<M>(number, played, before, after))
        .collect();
    let solved = reviews.iter().rev().take_while(|review| review.before.exact).last();
    let solved_from = solved.map(|review| review.ply);
    Ok(Some(Analysis { nodes: limits.nodes.unwrap_or_default(), plies: reviews, solved_from }))
}

fn search_one<M: Mind>(position: &M::Game, limits: &Limits, cancel: &AtomicBool) -> Searched {
    let (mover, falls) = (position.to_move(), Position::chance(position).is_some());
    let none = Searched { mover, value: 0, exact: false, falls, reached: None, line: Vec::new() };
    if position.outcome().is_some() {
        return Searched { value: M::result(position), exact: true, ..none };
    }
    let Some(found) = M::search(position, limits, cancel) else { return none };
    let mut line = Vec::new();
    let mut after = position.clone();
    for ply in found.variation.iter().take(LINE_AT_MOST) {
        line.push(after.write_move(*ply));
        after.make(*ply);
    }
    Searched { value: found.value, exact: found.exact, line, ..none }
}

fn review<M: Mind>(ply: u32, played: &str, before: &Searched, after: &Searched) -> Review {
    let written = |value: i32, exact: bool| WrittenScore { value, text: M::write_value(value), exact };
    let of_next = if after.mover == before.mover { after.value } else { -after.value };
    let reached = after.reached.unwrap_or(of_next);
    let best = before.line.first().map(String::as_str);
    // Exact scores are compared without slack.
    let slack = if before.exact && after.exact { 0 } else { M::SLACK };
    let missed = best != Some(played) && before.value > reached + slack;
    // If the ply turned out better than the search before it expected, the best reachable score is the ply's own.
    let (possible, exact) = match missed || before.exact {
        true => (before.value, before.exact),
        false => (reached, false),
    };
    Review {
        ply,
        seat: before.mover.index(),
        played: played.to_owned(),
        before: written(possible, exact),
        after: written(reached, after.exact),
        better: if missed { before.line.clone() } else { Vec::new() },
    }
}
