//! The afterword of a game: the turns that decided it, by the robot's analysis.
//!
//! It is scheduled at the end of a long game and made from the stored analysis. It never delays a move.

use jiff::Timestamp;
use serde::Serialize;
use turnpost_robot::analysis::{Analysis, Review};
use turnpost_robot::deciding::{Deciding, ResultChange, deciding};

use crate::board::{Board, names, result_sentence};
use crate::credentials::Limits;
use crate::failure::Error;
use crate::ids::{Ply, Seat};
use crate::notices::view::OtherDrawings;
use crate::settings::AFTERWORD;
use crate::store::{BoardRow, BoardState, PlayerId, Store, WantedAnalysis};

/// Shorter games get no afterword.
const PLIES_AT_LEAST: u32 = 31;

/// A mail has room for this many turns.
const TURNS: usize = 3;

/// The afterword for one player.
#[derive(Debug, Clone, Serialize)]
pub struct AfterwordView {
    board: u32,
    /// The key and the name of the game.
    game: &'static str,
    name: &'static str,
    players: [String; 2],
    /// The reader's seat, 0 or 1.
    reader: usize,
    result: String,
    /// The turns in the order of play.
    turns: Vec<TurnView>,
}

/// A ply that lost value, and the better one.
#[derive(Debug, Clone, Serialize)]
struct TurnView {
    ply: u32,
    /// The seat that played it, 0 or 1.
    by: usize,
    played: String,
    better: String,
    /// What the ply lost, in words.
    loss: String,
    /// True if both values are exact.
    exact: bool,
    /// The first and the last ply of the see-saw in which this ply lost most.
    see_saw: Option<[u32; 2]>,
    /// The board before the ply.
    drawing: String,
    #[serde(flatten)]
    others: OtherDrawings,
}

/// The key of a player's analysis budget.
pub(crate) fn analyses_of(player: PlayerId) -> String {
    format!("player {}", player.0)
}

/// Schedules the afterword of a long game that has just ended, if the players' budgets allow it.
pub(crate) fn schedule(
    store: &Store,
    limits: Option<&Limits>,
    row: &BoardRow,
    now: Timestamp,
) -> Result<(), Error> {
    let is_long = row.state == BoardState::Finished && row.plies.0 >= PLIES_AT_LEAST;
    if !is_long || turnpost_robot::find(&row.game).is_none() {
        return Ok(());
    }
    let people: Vec<PlayerId> = row.players.into_iter().filter(|player| !player.is_robot()).collect();
    if let Some(limit) = limits.map(Limits::analyses) {
        for player in &people {
            if !limit.has_room(store, &analyses_of(*player), now, 0)? {
                store.hit_limit(limit.what, &analyses_of(*player), Some(*player), now)?;
                return Ok(());
            }
        }
        people.iter().try_for_each(|player| limit.count(store, &analyses_of(*player), now).map(drop))?;
    }
    for player in people {
        if store.is_on(player, &AFTERWORD)? {
            store.want_analysis(row.id, player, WantedAnalysis::Afterword, now)?;
        }
    }
    Ok(())
}

/// What a ply lost: `3 points`, `14 pieces and the win`, or `a won game` if the loss is not counted in points.
pub fn loss(review: &Review) -> String {
    let (before, after) = match (review.before.number(), review.after.number()) {
        (Some(before), Some(after)) => (before, after),
        (None, _) if review.before.value > 0 => return "a won game".to_owned(),
        _ => return "the game".to_owned(),
    };
    let (_, unit) = review.before.text.split_once(' ').unwrap_or_default();
    let loss = before.saturating_sub(after);
    // Only an estimate has decimals: no one holds part of a piece.
    let loss = match loss % 100 {
        0 if loss == 100 => format!("1 {}", unit.trim_end_matches('s')),
        0 => format!("{} {unit}", loss / 100),
        _ => format!("{} {unit}", format!("{:.1}", loss as f32 / 100.0).trim_end_matches(".0")),
    };
    match ResultChange::of(review) {
        ResultChange::Nothing => loss,
        ResultChange::Lead => format!("{loss} and the lead"),
        ResultChange::Step if review.before.value == 0 => format!("{loss} and the draw"),
        ResultChange::Step | ResultChange::Win => format!("{loss} and the win"),
    }
}

/// The afterword for the reader at `seat`.
pub(crate) fn view(
    store: &Store,
    board: &Board,
    analysis: &Analysis,
    seat: Seat,
) -> Result<AfterwordView, Error> {
    let players = names(store, &board.row.players)?;
    let reviews = deciding(analysis, TURNS);
    let events = store.events(board.row.id)?;
    let turns = reviews.into_iter().map(|Deciding { review, see_saw }| {
        let before = Board::past(board.row.id, &events, Ply(review.ply.saturating_sub(1)))?;
        let scene = before.kind.facing(Some(seat), before.table.look());
        Ok::<_, Error>(TurnView {
            ply: review.ply,
            by: review.seat,
            played: review.played.clone(),
            better: review.better.first().cloned().unwrap_or_default(),
            loss: loss(review),
            exact: review.before.exact && review.after.exact,
            see_saw: Some(see_saw).filter(|[first, last]| first < last),
            drawing: scene.drawing().board,
            others: OtherDrawings::of(&scene, board.kind.seats),
        })
    });
    let turns = turns.collect::<Result<Vec<_>, _>>()?;
    Ok(AfterwordView {
        board: board.row.id.0,
        game: board.kind.key,
        name: board.kind.name,
        reader: seat.index(),
        result: result_sentence(&board.row, &players, board.kind.seats).unwrap_or_default(),
        players,
        turns,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use turnpost_robot::analysis::WrittenScore;

    #[test]
    fn a_loss_is_told_in_pieces_and_results_or_as_a_game() {
        for (before, after, says) in [
            ((300, "+3.00 points"), (200, "+2.00 points"), "1 point"),
            ((300, "+3.00 points"), (-200, "-2.00 points="), "5 points and the lead"),
            ((225, "+1.50 stones"), (0, "+0.00 stones"), "1.5 stones"),
            ((20_000, "won"), (150, "+1.00 stones"), "a won game"),
            ((150, "+1.00 stones"), (-20_000, "lost"), "the game"),
            ((1400, "+14.00 pieces="), (0, "+0.00 pieces="), "14 pieces and the win"),
            ((200, "+2.00 pieces="), (-100, "-1.00 pieces="), "3 pieces and the win"),
            ((0, "+0.00 pieces="), (-100, "-1.00 pieces="), "1 piece and the draw"),
            ((1400, "+14.00 pieces="), (900, "+9.00 pieces="), "5 pieces"),
        ] {
            let score = |(value, text): (i32, &str)| WrittenScore {
                value,
                text: text.trim_end_matches('=').to_owned(),
                exact: text.ends_with('='),
            };
            let (before, after) = (score(before), score(after));
            let review = Review {
                ply: 1,
                seat: 0,
                played: "a1".to_owned(),
                before,
                after,
                better: vec!["b1".to_owned()],
            };
            assert_eq!(loss(&review), says);
        }
    }
}
