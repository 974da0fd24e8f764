//! Words for the result of a board.

use crate::ids::Seat;
use crate::store::{BoardRow, BoardState, Ending, PlayerId, ResultRow, Store, StoreError};

/// The userids of both seats.
pub fn names(store: &Store, players: &[PlayerId; 2]) -> Result<[String; 2], StoreError> {
    let name = |seat: Seat| Ok::<_, StoreError>(store.player_by_id(*seat.of(players))?.userid.to_string());
    Ok([name(Seat::First)?, name(Seat::Second)?])
}

/// The result of a board as a whole sentence; `None` while it runs.
pub fn result_sentence(row: &BoardRow, players: &[String; 2], sides: [&str; 2]) -> Option<String> {
    let outcome = outcome(row, players, sides)?;
    Some(match row.state {
        BoardState::Declined => "The game was declined.".to_owned(),
        _ => format!("Game over: {outcome}."),
    })
}

/// The result of a board as words that end a sentence; `None` while it runs.
pub(crate) fn outcome(row: &BoardRow, players: &[String; 2], sides: [&str; 2]) -> Option<String> {
    if row.state == BoardState::Declined {
        return Some("it was declined".to_owned());
    }
    let result = row.result.as_ref()?;
    let score = result.score.map(|[first, second]| match result.winner {
        Some(Seat::Second) => format!(" {second} to {first}"),
        _ => format!(" {first} to {second}"),
    });
    let score = score.unwrap_or_default();
    let how = result.how.as_ref().map(|how| format!(", {how}")).unwrap_or_default();
    let Some(winner) = result.winner else {
        return Some(match result.ending {
            Ending::Agreed => "a draw by agreement".to_owned(),
            Ending::Abandoned => "nobody won".to_owned(),
            Ending::Ruled => format!("a draw, as {}", decided(result)),
            _ => tie(&score, result.how.as_deref()),
        });
    };
    let side = sides.get(winner.index()).copied().unwrap_or_default();
    let name = match winner.of(players) {
        // A preview passes the names of the sides as player names.
        name if name == side => name.clone(),
        name => format!("{name} ({side})"),
    };
    let loser = winner.other().of(players);
    Some(match result.ending {
        Ending::Resigned => format!("{name} wins; {loser} resigned"),
        Ending::TimedOut => format!("{name} wins; {loser} ran out of time"),
        Ending::Ruled => format!("{name} wins, as {}", decided(result)),
        _ => format!("{name} wins{score}{how}"),
    })
}

/// Who decided a game whose end is a ruling.
fn decided(result: &ResultRow) -> &str {
    result.how.as_deref().unwrap_or("the host decided")
}

/// A tie by the rules as words that end a sentence: `a draw by stalemate`, `a tie 32 to 32`.
pub(crate) fn tie(score: &str, how: Option<&str>) -> String {
    match how {
        Some(how) if score.is_empty() && !how.contains(' ') => format!("a draw by {how}"),
        Some(how) if score.is_empty() => format!("a draw, {how}"),
        Some(how) => format!("a tie{score}, {how}"),
        None => format!("a tie{score}"),
    }
}

/// The result for the player at `seat`: `won`, `lost by resignation`, `draw`; `None` while the board runs.
pub(crate) fn outcome_for(row: &BoardRow, seat: Seat) -> Option<String> {
    if row.state == BoardState::Declined {
        return Some("declined".to_owned());
    }
    let result = row.result.as_ref()?;
    let how = match (result.ending, result.score, &result.how) {
        (Ending::Abandoned, ..) => return Some("nobody won".to_owned()),
        (Ending::Resigned, ..) => " by resignation".to_owned(),
        (Ending::TimedOut, ..) => " on time".to_owned(),
        (Ending::Agreed, ..) => " by agreement".to_owned(),
        (Ending::Ruled, ..) => format!(", as {}", decided(result)),
        (_, Some(score), _) => format!(", {} to {}", seat.of(&score), seat.other().of(&score)),
        (_, None, how) => how.as_ref().map(|how| format!(", {how}")).unwrap_or_default(),
    };
    Some(match result.winner {
        Some(winner) if winner == seat => format!("won{how}"),
        Some(_) => format!("lost{how}"),
        None => format!("draw{how}"),
    })
}
