//! Advises a good move, with the reason in one line.

use std::sync::atomic::AtomicBool;

use super::limits::Limits;
use super::mind::{Mind, MoveOf};
use super::search::SearchResult;
use turnpost_games::{Position, Seat, SetupError};

/// Most moves of either side for which threats are searched: the search tries each answer to each move.
const MOVES_LOOKED_AT: u64 = 400;

/// "Only a few moves" means at most this many.
const FEW: u64 = 5;

/// A lead below this, in the unit of the game, counts as even.
const EVEN: f64 = 0.5;

/// A share of won playouts within this many points of 50 % counts as even.
const EVEN_SHARE: f64 = 5.0;

/// A move and the reason for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Advice {
    /// The ply in the game's notation.
    pub best_move: String,
    /// A sentence to the player, whose opponent is the robot.
    pub why: String,
}

/// Advises the side to move; `None` if the game is over.
///
/// # Errors
/// If the position cannot be read.
pub(super) fn advise<M: Mind>(
    text: &str,
    limits: &Limits,
    cancel: &AtomicBool,
) -> Result<Option<Advice>, SetupError> {
    let position = M::Game::read(text)?;
    let advice = |found: SearchResult<_>| Advice {
        best_move: position.write_move(found.best_move),
        why: why::<M>(&position, &found),
    };
    Ok(M::search(&position, limits, cancel).map(advice))
}

fn why<M: Mind>(position: &M::Game, found: &SearchResult<MoveOf<M>>) -> String {
    let us = position.to_move();
    let after = made(position, found.best_move);
    if let Some(outcome) = after.outcome().filter(|outcome| outcome.winner == Some(us)) {
        let how = outcome.how.map(|how| format!(": {how}")).unwrap_or_default();
        return format!("It wins at once{how}.");
    }
    if position.legal_count() == 1 {
        return "There is no other move.".to_owned();
    }
    let value = M::write_value(found.value);
    if found.exact && value == "won" {
        return "It wins, whatever the robot answers.".to_owned();
    }
    let rated = rating(&value, found.exact);
    if let Some(fact) = fact(position, &after) {
        return format!("{fact}. The robot {rated}.");
    }
    let answer =
        found.variation.get(1).map(|next| format!(", and expects the answer {}", after.write_move(*next)));
    format!("The robot would play it too{}. It {rated}.", answer.unwrap_or_default())
}

/// A sentence with the robot's estimate for its opponent. `value` is text from [`Mind::write_value`].
fn rating(value: &str, exact: bool) -> String {
    let (number, unit) = value.split_once(' ').unwrap_or((value, ""));
    let rates = if exact { "sees the game end with" } else { "rates" };
    match (value, number.parse::<f64>()) {
        ("won", _) => "sees a win for you".to_owned(),
        ("lost", _) => "sees a win for itself".to_owned(),
        (_, Ok(share)) if unit == "% won" && (share - 50.0).abs() < EVEN_SHARE => {
            "rates the game as even".to_owned()
        }
        (_, Ok(share)) if unit == "% won" => format!("gives you {share:.0} chances in 100 to win"),
        (_, Ok(ahead)) if exact && ahead == 0.0 => "sees the game end in a draw".to_owned(),
        (_, Ok(ahead)) if !exact && ahead.abs() < EVEN => "rates the game as even".to_owned(),
        (_, Ok(ahead)) => {
            let who = if ahead > 0.0 { "you" } else { "itself" };
            format!("{rates} {who} ahead by {:.1} {unit}", ahead.abs())
        }
        _ => format!("rates the game as {value}"),
    }
}

/// A plain effect of the move that most other moves do not have. `after` is the position after the move.
fn fact<P: Position>(position: &P, after: &P) -> Option<String> {
    let (us, other) = (position.to_move(), position.to_move().other());
    // Before the dice, no answer is known.
    if after.chance().is_some() || position.legal_count().max(after.legal_count()) > MOVES_LOOKED_AT {
        return None;
    }
    if most_moves_lose(position) && !loses(after, us) {
        return Some("Most other moves let the robot win at once".to_owned());
    }
    if after.to_move() == other && most_moves_lose(after) {
        return Some("After most answers you win at once".to_owned());
    }
    let others: Vec<P> = position.legal_moves().into_iter().map(|ply| made(position, ply)).collect();
    let is_least = |count: &dyn Fn(&P) -> u64| {
        let least = count(after);
        2 * others.iter().filter(|other| count(other) > least).count() > others.len()
    };
    let pieces = |position: &P| u64::from(position.scene().pieces(other));
    let taken = pieces(position).saturating_sub(pieces(after));
    if taken > 0 && is_least(&pieces) {
        return Some(format!("It takes {taken} of the robot's pieces, more than most moves do"));
    }
    let left = after.legal_count();
    if after.to_move() == other && left <= FEW && is_least(&P::legal_count) {
        return Some(match left {
            1 if after.forced().is_some() => "It leaves the robot no move".to_owned(),
            1 => "It leaves the robot one move".to_owned(),
            left => format!("It leaves the robot only {left} moves"),
        });
    }
    None
}

fn made<P: Position>(position: &P, ply: P::Move) -> P {
    let mut after = position.clone();
    after.make(ply);
    after
}

/// True if the other side is to move and can win at once.
fn loses<P: Position>(position: &P, us: Seat) -> bool {
    let wins = |ply| made(position, ply).outcome().is_some_and(|end| end.winner == Some(us.other()));
    position.to_move() != us && position.legal_moves().into_iter().any(wins)
}

/// True if after most moves the other side can win at once.
fn most_moves_lose<P: Position>(position: &P) -> bool {
    let moves = position.legal_moves();
    let lose = moves.iter().filter(|ply| loses(&made(position, **ply), position.to_move()));
    2 * lose.count() > moves.len()
}
