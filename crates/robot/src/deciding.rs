//! The turns that decided a game.

use std::cmp::Reverse;

use super::analysis::{Analysis, Review};

/// Smallest loss to report, and smallest estimated lead that counts, in hundredths of a point.
const WORTH_A_WORD: i32 = 100;

/// A ply that gave something away.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Deciding<'a> {
    /// The ply.
    pub review: &'a Review,
    /// First and last ply of the see-saw in which this ply lost most. Both are the ply itself if there is no see-saw.
    pub see_saw: [u32; 2],
}

/// How a ply changed the result, from least to most.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ResultChange {
    /// No known change.
    Nothing,
    /// By the robot's estimates, the player led before the ply and trails after it.
    Lead,
    /// The ply certainly turned a win into a draw, or a draw into a loss.
    Step,
    /// The ply certainly turned a win into a loss.
    Win,
}

impl ResultChange {
    /// What this ply did.
    pub fn of(review: &Review) -> ResultChange {
        let (before, after) = (review.before.value, review.after.value);
        match before.signum() - after.signum() {
            steps if review.before.exact && review.after.exact => match steps {
                1 => ResultChange::Step,
                2 => ResultChange::Win,
                _ => ResultChange::Nothing,
            },
            _ if before >= WORTH_A_WORD && after <= -WORTH_A_WORD => ResultChange::Lead,
            _ => ResultChange::Nothing,
        }
    }
}

/// How much a ply decided.
fn weight(review: &Review) -> (ResultChange, i32) {
    (ResultChange::of(review), review.loss())
}

/// The plies that decided a game, at most `most`, in order of play. Prefers plies that certainly changed the result,
/// then those that changed it by the robot's estimates, then those that lost most. A see-saw, in which each player in
/// turn gives the gain back, counts once.
pub fn deciding(analysis: &Analysis, most: usize) -> Vec<Deciding<'_>> {
    let mut chosen: Vec<Deciding<'_>> = Vec::new();
    let mut last: Option<&Review> = None;
    let gave = |review: &&Review| {
        !review.better.is_empty()
            && (review.loss() >= WORTH_A_WORD || ResultChange::of(review) > ResultChange::Nothing)
    };
    for review in analysis.plies.iter().filter(gave) {
        let back = last.is_some_and(|last| gives_back(analysis, last, review));
        match chosen.last_mut().filter(|_| back) {
            Some(see_saw) => {
                see_saw.see_saw[1] = review.ply;
                if weight(review) >= weight(see_saw.review) {
                    see_saw.review = review;
                }
            }
            None => chosen.push(Deciding { review, see_saw: [review.ply; 2] }),
        }
        last = Some(review);
    }
    chosen.sort_by_key(|turn| Reverse((weight(turn.review), turn.review.ply)));
    chosen.truncate(most);
    chosen.sort_by_key(|turn| turn.review.ply);
    chosen
}

/// True if a ply, in the turn after an earlier one, gives back the result or about as much as the earlier one
/// gave away.
fn gives_back(analysis: &Analysis, earlier: &Review, later: &Review) -> bool {
    let seats = analysis.plies.iter().filter(|review| (earlier.ply..=later.ply).contains(&review.ply));
    let seats: Vec<usize> = seats.map(|review| review.seat).collect();
    let turns = seats.windows(2).filter(|pair| pair.first() != pair.last()).count();
    let [(change, loss), (back, gain)] = [earlier, later].map(weight);
    let about = loss.min(gain) >= loss.max(gain) / 2;
    turns == 1 && (about || change.min(back) > ResultChange::Nothing)
}
