//! Ratings by Glicko-2. Each game is a rating period of its own; periods are in the order in which games ended.
//!
//! In a match of N points luck counts less, so a difference of ratings counts as much as one of sqrt(N) times its size in
//! a single game, as on FIBS. The better player is expected to win more often. Between settled players of equal rating a
//! win moves the ratings about sqrt(N) times as far.
//!
//! `admin verify` recomputes the stored ratings from that order with the same code. Ratings and deviations are stored
//! as whole hundredths, so that the recomputed numbers are equal to the stored ones.

use skillratings::Outcomes;
use skillratings::glicko2::{Glicko2Config, Glicko2Rating, glicko2};
use turnpost_games::registry;
use turnpost_robot::limits::rating_of_level;

use crate::failure::Error;
use crate::ids::{BoardId, Ply, Seat};
use crate::store::{
    BoardRow, BoardState, Ending, MovedRating, PlayerId, RatingRow, ResultRow, Store, StoreError,
};

/// A game counts if each player played at least this many plies.
const PLIES_AT_LEAST: usize = 4;

/// Finished games per page.
pub(super) const PAGE: u32 = 500;

/// The measured rating of a level of the robot, with its deviation.
fn of_level(game: &str, player: PlayerId) -> Option<(u16, u16)> {
    rating_of_level(game, player.level()?)
}

/// True if a game between these players can be rated: each is a person, or a level of the robot that has a rating. The
/// terms of a new board follow it. Boards of earlier versions can have been begun as rated with any level.
pub(crate) fn can_rate(game: &str, players: [PlayerId; 2]) -> bool {
    players.into_iter().all(|player| !player.is_robot() || of_level(game, player).is_some())
}

/// A player's rating at a game before the first rated game. A robot level always keeps this rating.
pub fn unrated(game: &str, player: PlayerId) -> RatingRow {
    let (rating, deviation) = of_level(game, player).unwrap_or((1500, 350));
    RatingRow {
        player,
        rating: i64::from(rating) * 100,
        deviation: i64::from(deviation) * 100,
        volatility: 60_000_000,
        won: 0,
        lost: 0,
        tied: 0,
    }
}

/// A result that counts for ratings.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Counted {
    /// The outcome for the first seat.
    pub outcome: Outcomes,
    /// The points of the match; 1 for a single game.
    pub length: u16,
}

/// The result of a board; `None` if the board does not count for ratings.
pub fn outcome(store: &Store, row: &BoardRow) -> Result<Option<Counted>, StoreError> {
    if counting(row).is_none() {
        return Ok(None);
    }
    let plies = store.plies(row.id, Ply(1), row.plies)?;
    Ok(result_after(row, plies.iter().filter_map(|ply| ply.seat)))
}

/// The sentence about a game that was to be rated and is not; `None` for any other board.
pub(crate) fn why_unrated(store: &Store, row: &BoardRow) -> Result<Option<String>, StoreError> {
    if row.rated && row.state == BoardState::Finished && !can_rate(&row.game, row.players) {
        return Ok(Some("This game is not rated: the robot has no rating at this level.".to_owned()));
    }
    let is_early = counting(row).is_some() && outcome(store, row)?.is_none();
    let says =
        || format!("This game is not rated: it ended before each player had made {PLIES_AT_LEAST} moves.");
    Ok(is_early.then(says))
}

/// The result of a board; `None` if the board never counts for ratings.
fn counting(row: &BoardRow) -> Option<&ResultRow> {
    let result = row.result.as_ref().filter(|_| row.rated && row.state == BoardState::Finished)?;
    (result.ending != Ending::Abandoned && can_rate(&row.game, row.players)).then_some(result)
}

/// The result of a board. `plies` gives the seat of each ply; `None` if a seat has too few of them, or the board never
/// counts.
pub(super) fn result_after(row: &BoardRow, plies: impl Iterator<Item = Seat>) -> Option<Counted> {
    let result = counting(row)?;
    let mut by = [0; 2];
    for seat in plies {
        match seat {
            Seat::First => by[0] += 1,
            Seat::Second => by[1] += 1,
        }
    }
    if by.into_iter().any(|by| by < PLIES_AT_LEAST) {
        return None;
    }
    let outcome = match result.winner {
        Some(Seat::First) => Outcomes::WIN,
        Some(Seat::Second) => Outcomes::LOSS,
        None => Outcomes::DRAW,
    };
    // Only games with dice have matches.
    let kind = registry::find(&row.game).filter(|kind| kind.dice);
    let table = kind.and_then(|kind| (kind.read)(&row.position).ok());
    Some(Counted { outcome, length: table.map_or(1, |table| table.match_length()) })
}

/// Both ratings after a game that counts. The robot keeps its measured rating. If the other player's rating is
/// provisional, it changes only as much as a settled one, and stays provisional. One game against a robot says little
/// about a newcomer's strength among people, and would otherwise cost more than a hundred points.
pub fn after(first: &RatingRow, second: &RatingRow, Counted { outcome, length }: Counted) -> [RatingRow; 2] {
    let with_robot = first.player.is_robot() || second.player.is_robot();
    let too_unsure = |row: &RatingRow| with_robot && !row.player.is_robot() && row.deviation >= PROVISIONAL;
    // The ratings of a match are those of a single game on a wider scale. With a factor of 1 no number changes at all.
    let wide = f64::from(length).sqrt();
    let on_scale = |by: f64, row: Glicko2Rating| Glicko2Rating {
        rating: (row.rating - 1500.0).mul_add(by - 1.0, row.rating),
        deviation: row.deviation * by,
        volatility: row.volatility * by,
    };
    let of = |row: &RatingRow| {
        let deviation = if too_unsure(row) { PROVISIONAL } else { row.deviation } as f64 / 100.0;
        let (rating, volatility) = (row.rating as f64 / 100.0, row.volatility as f64 / 1e9);
        on_scale(wide, Glicko2Rating { rating, deviation, volatility })
    };
    let (one, two) = glicko2(&of(first), &of(second), &outcome, &Glicko2Config::new());
    let (won, lost, tied) = match outcome {
        Outcomes::WIN => (1, 0, 0),
        Outcomes::LOSS => (0, 1, 0),
        Outcomes::DRAW => (0, 0, 1),
    };
    let kept = |row: &RatingRow, new: Glicko2Rating, won: u32, lost: u32| {
        let mut kept = RatingRow { won: row.won + won, lost: row.lost + lost, tied: row.tied + tied, ..*row };
        if !row.player.is_robot() {
            let new = on_scale(wide.recip(), new);
            kept.rating = (new.rating * 100.0).round() as i64;
            kept.volatility = (new.volatility * 1e9).round() as i64;
            if !too_unsure(row) {
                kept.deviation = (new.deviation * 100.0).round() as i64;
            }
        }
        kept
    };
    [kept(first, one, won, lost), kept(second, two, lost, won)]
}

/// Both ratings after a game that counts, which changes only that of a bot if the other player is none. A person's
/// rating then does not depend on the bots that others write.
pub(super) fn changed(
    store: &Store,
    old: &[RatingRow; 2],
    result: Counted,
) -> Result<[RatingRow; 2], StoreError> {
    let [first, second] = after(&old[0], &old[1], result);
    let is_bot = |row: &RatingRow| Ok::<_, StoreError>(store.player_by_id(row.player)?.is_bot);
    Ok(match [is_bot(&first)?, is_bot(&second)?] {
        [true, false] => [first, old[1]],
        [false, true] => [old[0], second],
        _ => [first, second],
    })
}

/// The effect of a game on the ratings of its players, in hundredths.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Change {
    pub board: BoardId,
    before: [i64; 2],
    after: [i64; 2],
}

impl Change {
    /// `ann 1500 -> 1662 (+162), bob 1500 -> 1338 (-162)`, in whole points; `robot-1 stays at 1500`.
    pub fn sentence(&self, players: &[String; 2]) -> String {
        let [first, second] = Seat::BOTH.map(|seat| {
            let (name, stays) = (seat.of(players), seat.of(&self.before) == seat.of(&self.after));
            let [before, after] = [self.before, self.after].map(|row| whole_points(*seat.of(&row)));
            match stays {
                true => format!("{name} stays at {after}"),
                false => format!("{name} {before} -> {after} ({:+})", after - before),
            }
        });
        format!("Ratings: {first}, {second}.")
    }
}

/// Rates the games that ended since the last call, inside a write transaction.
pub(crate) fn rate_finished_games(store: &Store) -> Result<Vec<Change>, Error> {
    let mut through = store.rated_through()?;
    let mut changes = Vec::new();
    loop {
        let page = store.finishes(through, PAGE)?;
        let Some(last) = page.last() else { return Ok(changes) };
        for finish in &page {
            let Some(row) = store.board(finish.board)? else { continue };
            let Some(result) = outcome(store, &row)? else { continue };
            let [first, second] = row.players;
            let before = |player| {
                Ok::<_, StoreError>(store.rating(&row.game, player)?.unwrap_or(unrated(&row.game, player)))
            };
            let old = [before(first)?, before(second)?];
            let new = changed(store, &old, result)?;
            for (row_before, row_after) in old.iter().zip(&new).filter(|(old, new)| old != new) {
                store.keep_rating_step(finish.number, &row.game, row_before)?;
                store.keep_rating(&row.game, row_after)?;
            }
            let ratings = |rows: [RatingRow; 2]| rows.map(|row| row.rating);
            changes.push(Change { board: finish.board, before: ratings(old), after: ratings(new) });
        }
        through = last.number;
        store.set_rated_through(through)?;
    }
}

/// Rates the games that ended, and returns a sentence for each rating that an upgrade changed.
pub(crate) fn rate_after_upgrade(store: &Store) -> Result<Vec<String>, Error> {
    rate_finished_games(store)?;
    let sentence = |moved: MovedRating| {
        let now = moved.now.map_or("unrated".to_owned(), |now| whole_points(now).to_string());
        let MovedRating { game, userid, before, .. } = moved;
        format!("{userid} at {game}: {} -> {now}", whole_points(before))
    };
    Ok(store.take_moved_ratings()?.into_iter().map(sentence).collect())
}

/// Rates the game with number `finish`, whose result changed, and all later games again. Call it inside a write
/// transaction.
pub(crate) fn again_from(store: &Store, finish: i64) -> Result<Vec<Change>, Error> {
    store.set_ratings_back(finish)?;
    rate_finished_games(store)
}

pub(crate) fn whole_points(hundredths: i64) -> i64 {
    (hundredths + 50).div_euclid(100)
}

pub fn hundredths(value: i64) -> String {
    format!("{}{}.{:02}", if value < 0 { "-" } else { "" }, value.abs() / 100, value.abs() % 100)
}

/// A rating in words: `rated 1662.31, provisional`.
pub(crate) fn said(row: &RatingRow) -> String {
    let provisional = if row.deviation >= PROVISIONAL { ", provisional" } else { "" };
    format!("rated {}{provisional}", hundredths(row.rating))
}

/// Smallest deviation of a provisional rating, in hundredths.
pub(crate) const PROVISIONAL: i64 = 110 * 100;
