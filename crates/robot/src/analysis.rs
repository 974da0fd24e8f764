//! Looking back at a game: what each ply was worth, and what would have been better.
//!
//! Every position of the game is searched with the same number of positions. What a ply was worth is what the position
//! behind it turned out to be worth; so each search tells about two plies, and no ply is blamed for what only a deeper
//! look shows of the next.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use serde::{Deserialize, Serialize};

use super::limits::Limits;
use super::mind::Mind;
use super::search::think;
use turnpost_games::Seat;

/// A ply of which no more is lost than this, in hundredths of a point, was as good as any: estimates are no finer.
const SLACK: i32 = 30;

/// The first plies of the line that would have been better.
const LINE_AT_MOST: usize = 4;

/// What a position is worth to a player.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Worth {
    /// In hundredths of a point.
    pub value: i32,
    /// In the words of the game.
    pub text: String,
    /// Whether it is the exact result against best play.
    pub exact: bool,
}

/// A ply, looked back at by the player whose it was.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Review {
    /// Its number, from 1.
    pub ply: u32,
    /// The seat it was of, 0 or 1.
    pub seat: usize,
    /// Its notation.
    pub played: String,
    /// What could be reached before it.
    pub before: Worth,
    /// What could be reached after it.
    pub after: Worth,
    /// The ply that would have been better, and what the robot expects behind it. Empty where none would.
    pub better: Vec<String>,
}

/// A game looked back at.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Analysis {
    /// Positions looked at for each ply.
    pub nodes: u64,
    /// Every ply.
    pub plies: Vec<Review>,
    /// The ply from which on all values are exact.
    pub solved_from: Option<u32>,
}

/// A position of the game, searched.
struct Seen {
    mover: Seat,
    value: i32,
    exact: bool,
    line: Vec<String>,
}

/// Looks back at the game that began at `start`, for exact results wherever the limits reach them. Nothing when it was
/// cancelled.
///
/// # Errors
/// When the position or a ply cannot be read, or the rules forbid the ply.
pub(super) fn analyse<P: Mind>(
    start: &str,
    plies: &[String],
    limits: &Limits,
    cancel: &AtomicBool,
) -> Result<Option<Analysis>, String> {
    let limits = &Limits { exact: true, ..limits.clone() };
    let mut position = P::read(start).map_err(|why| why.to_string())?;
    let mut seen = vec![look(&position, limits, cancel)];
    for text in plies {
        let (ply, _) = position.read_move(text).map_err(|why| why.to_string())?;
        position.play(ply).map_err(|why| why.to_string())?;
        seen.push(look(&position, limits, cancel));
        if cancel.load(Relaxed) {
            return Ok(None);
        }
    }
    let reviews: Vec<Review> = (1..)
        .zip(plies)
        .zip(seen.iter().zip(seen.iter().skip(1)))
        .map(|((number, played), (before, after))| review::<P>(number, played, before, after))
        .collect();
    let solved = reviews.iter().rev().take_while(|review| review.before.exact).last();
    let solved_from = solved.map(|review| review.ply);
    Ok(Some(Analysis { nodes: limits.nodes.unwrap_or_default(), plies: reviews, solved_from }))
}

fn look<P: Mind>(position: &P, limits: &Limits, cancel: &AtomicBool) -> Seen {
    let mover = position.to_move();
    if position.outcome().is_some() {
        return Seen { mover, value: position.result(), exact: true, line: Vec::new() };
    }
    let Some(thought) = think(position, limits, cancel) else {
        return Seen { mover, value: 0, exact: false, line: Vec::new() };
    };
    let mut line = Vec::new();
    let mut after = position.clone();
    for ply in thought.line.iter().take(LINE_AT_MOST) {
        line.push(after.write_move(*ply));
        after.make(*ply);
    }
    Seen { mover, value: thought.value, exact: thought.exact, line }
}

fn review<P: Mind>(ply: u32, played: &str, before: &Seen, after: &Seen) -> Review {
    let worth = |value: i32, exact: bool| Worth { value, text: P::write_value(value), exact };
    let reached = if after.mover == before.mover { after.value } else { -after.value };
    let best = before.line.first().map(String::as_str);
    // What is proven counts to the last point.
    let slack = if before.exact && after.exact { 0 } else { SLACK };
    let missed = best != Some(played) && before.value > reached + slack;
    // Where the played ply turned out better than the search before it thought any was, that is what could be reached.
    let (possible, exact) = match missed || before.exact {
        true => (before.value, before.exact),
        false => (reached, false),
    };
    Review {
        ply,
        seat: before.mover.index(),
        played: played.to_owned(),
        before: worth(possible, exact),
        after: worth(reached, after.exact),
        better: if missed { before.line.clone() } else { Vec::new() },
    }
}
