//! The letter after a game: the turns that decided it, as the robot sees them.
//!
//! It is wanted when a long game ends, made with the analysis that `analyse` keeps, and never delays a move.

use jiff::Timestamp;
use serde::Serialize;
use turnpost_robot::analysis::{Analysis, Review};

use crate::board::{Board, names, result_sentence};
use crate::failure::Error;
use crate::ids::{Ply, Seat};
use crate::store::{BoardRow, BoardState, Store, WantedAnalysis};

/// Shorter games need no words.
const PLIES_AT_LEAST: u32 = 31;

/// As many turns as a page has room for.
const TURNS: usize = 3;

/// What a ply gives away, in hundredths, before it is worth a word.
const LOSS_AT_LEAST: i32 = 100;

/// What a player reads.
#[derive(Debug, Clone, Serialize)]
pub struct AfterwordView {
    board: u32,
    /// The word and the name of the game.
    game: &'static str,
    name: &'static str,
    players: [String; 2],
    /// The reader's seat, 0 or 1.
    reader: usize,
    result: String,
    /// What a loss counts: `pieces` or `points`.
    unit: String,
    /// In the order of the game.
    turns: Vec<TurnView>,
}

/// A ply that gave something away.
#[derive(Debug, Clone, Serialize)]
struct TurnView {
    ply: u32,
    /// The seat that played it, 0 or 1.
    by: usize,
    played: String,
    better: String,
    /// In whole pieces or points.
    loss: i32,
    /// True when both values are proven.
    exact: bool,
    /// The board before it.
    drawing: String,
}

/// Notes that the people of a long game that has just ended want its afterword.
pub(crate) fn schedule(store: &Store, row: &BoardRow, now: Timestamp) -> Result<(), Error> {
    if row.state != BoardState::Finished || row.plies.0 < PLIES_AT_LEAST {
        return Ok(());
    }
    for player in row.players.into_iter().filter(|player| !player.is_robot()) {
        if store.settings(player)?.afterword {
            store.want_analysis(row.id, player, WantedAnalysis::Afterword, now)?;
        }
    }
    Ok(())
}

/// A ply that gave something away.
#[derive(Debug, Clone, Copy)]
pub struct Deciding<'a> {
    pub review: &'a Review,
    /// What it gave away, in hundredths of what the robot counts.
    pub loss: i32,
}

/// The plies that gave most away, at most so many, in the order of the game.
pub fn deciding(analysis: &Analysis, most: usize) -> Vec<Deciding<'_>> {
    let mut turns: Vec<Deciding<'_>> = analysis
        .plies
        .iter()
        .map(|review| Deciding { review, loss: review.before.value.saturating_sub(review.after.value) })
        .filter(|turn| turn.loss >= LOSS_AT_LEAST && !turn.review.better.is_empty())
        .collect();
    turns.sort_by_key(|turn| (std::cmp::Reverse(turn.loss), turn.review.ply));
    turns.truncate(most);
    turns.sort_by_key(|turn| turn.review.ply);
    turns
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
    let turns = reviews.into_iter().map(|Deciding { review, loss }| {
        let before = Board::past(board.row.id, &events, Ply(review.ply.saturating_sub(1)))?;
        Ok::<_, Error>(TurnView {
            ply: review.ply,
            by: review.seat,
            played: review.played.clone(),
            better: review.better.first().cloned().unwrap_or_default(),
            loss: (loss + 50) / 100,
            exact: review.before.exact && review.after.exact,
            drawing: before.table.drawing().board,
        })
    });
    let turns = turns.collect::<Result<Vec<_>, _>>()?;
    let scores = analysis.plies.iter().map(|review| &review.before.text);
    let unit = scores.filter_map(|text| text.split_once(' ')).map(|(_, unit)| unit.to_owned()).next();
    Ok(AfterwordView {
        board: board.row.id.0,
        game: board.kind.key,
        name: board.kind.name,
        reader: seat.index(),
        result: result_sentence(&board.row, &players, board.kind.seats).unwrap_or_default(),
        players,
        unit: unit.unwrap_or_else(|| "points".to_owned()),
        turns,
    })
}
