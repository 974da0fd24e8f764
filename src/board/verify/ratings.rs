//! Compares the stored ratings with those that the finished games give.

use std::collections::{BTreeMap, HashMap};

use turnpost_games::registry;

use crate::board::ratings::{Counted, PAGE, changed, result_after, unrated};
use crate::ids::BoardId;
use crate::store::{BoardRow, BoardState, EventKind, EventRow, PlayerId, RatingRow, Store, StoreError};

#[derive(Debug)]
pub(super) struct Rated {
    /// `None` for a game that this program does not know.
    game: Option<&'static str>,
    players: [PlayerId; 2],
    result: Option<Counted>,
}

/// What a stored board adds to the ratings; `None` if it is not finished.
pub(super) fn rated(row: &BoardRow, events: &[EventRow]) -> Option<Rated> {
    if row.state != BoardState::Finished {
        return None;
    }
    let mut seats = BTreeMap::new();
    let stand = events.iter().filter(|event| event.kind == EventKind::Ply);
    for (ply, seat) in stand.filter_map(|event| event.ply.zip(event.seat)) {
        // If two plies have the same number, the later one counts: the first was taken back.
        if (1..=row.plies.0).contains(&ply.0) {
            seats.insert(ply.0, seat);
        }
    }
    Some(Rated {
        game: registry::find(&row.game).map(|kind| kind.key),
        players: row.players,
        result: result_after(row, seats.into_values()),
    })
}

/// Compares the stored ratings with recomputed ones. Returns a sentence for each difference.
pub(super) fn check(store: &Store, games: &BTreeMap<BoardId, Rated>) -> Result<Vec<String>, StoreError> {
    let mut wrong: Vec<String> = store
        .unordered_finishes()?
        .into_iter()
        .map(|board| format!("board {board}: is finished and has no place in the order of finished games"))
        .collect();
    let through = store.rated_through()?;
    let mut worked_out: HashMap<(&str, PlayerId), RatingRow> = HashMap::new();
    let mut last = 0;
    loop {
        let page = store.finishes(last, PAGE)?;
        let counted = page.iter().filter(|finish| finish.number <= through);
        for finish in counted {
            let Some(rated) = games.get(&finish.board) else {
                if store.board(finish.board)?.is_some_and(|row| row.state != BoardState::Finished) {
                    let board = finish.board;
                    wrong
                        .push(format!("board {board}: has a place among finished games and is not finished"));
                }
                continue;
            };
            let (Some(game), Some(result)) = (rated.game, rated.result) else { continue };
            let before =
                |player| worked_out.get(&(game, player)).copied().unwrap_or_else(|| unrated(game, player));
            let [first, second] = rated.players;
            let old = [before(first), before(second)];
            let new = changed(store, &old, result)?;
            for new in new.into_iter().filter(|new| !old.contains(new)) {
                worked_out.insert((game, new.player), new);
            }
        }
        match page.last().filter(|end| end.number < through) {
            Some(end) => last = end.number,
            None => break,
        }
    }
    for game in registry::games() {
        for stored in store.ratings(game.key, 1, u32::MAX)? {
            let right = worked_out.remove(&(game.key, stored.player));
            if right != Some(stored) {
                wrong.push(format!(
                    "ratings of {}: the games make {right:?}, and stored is {stored:?}",
                    game.key
                ));
            }
        }
    }
    let mut missing: Vec<String> = worked_out
        .into_iter()
        .map(|((game, _), row)| format!("ratings of {game}: {row:?} is missing"))
        .collect();
    missing.sort();
    wrong.extend(missing);
    Ok(wrong)
}
