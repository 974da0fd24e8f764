//! The seeks that a player can accept now.

use std::cmp::Reverse;

use jiff::{SignedDuration, Timestamp};
use turnpost_games::GameKind;
use turnpost_games::registry;

use crate::board::ratings;
use crate::language::BoardOptions;
use crate::notices::transcript::OpenSeek;
use crate::store::{PlayerId, SeekRow, Store, StoreError};

/// Seeks shown in a welcome.
pub(crate) const SEEKS_OF_A_WELCOME: usize = 3;

/// Seeks shown by `seeks`, newest first.
pub(crate) const SEEKS_SHOWN: usize = 50;

pub(crate) const SEEK_ENDS: SignedDuration = SignedDuration::from_hours(30 * 24);

#[derive(Debug, Clone)]
pub(crate) struct WaitingSeek {
    pub row: SeekRow,
    pub shown: OpenSeek,
}

impl WaitingSeek {
    /// True if this player can accept it: it is another player's, neither blocks the other, and the rating fits.
    pub(crate) fn is_for(&self, store: &Store, player: PlayerId) -> Result<bool, StoreError> {
        let row = &self.row;
        if row.player == player || store.is_block_between(row.player, player)? {
            return Ok(false);
        }
        let Some(range) = row.rating else { return Ok(true) };
        Ok(range.contains(rating_of(store, &row.game, player)?))
    }
}

pub(crate) fn rating_of(store: &Store, game: &str, player: PlayerId) -> Result<i64, StoreError> {
    let row = store.rating(game, player)?.unwrap_or_else(|| ratings::unrated(game, player));
    Ok(row.rating / 100)
}

/// The newest `most` open seeks of these games, grouped by game, newest first.
pub(crate) fn waiting(
    store: &Store,
    now: Timestamp,
    games: &[&'static GameKind],
    most: usize,
) -> Result<Vec<WaitingSeek>, StoreError> {
    let mut open = Vec::new();
    for game in games {
        open.extend(open_seeks(store, now, game)?.into_iter().map(|row| (*game, row)));
    }
    open.sort_by_key(|(_, row)| Reverse(row.id));
    let mut waiting = Vec::new();
    for (game, row) in open {
        if waiting.len() == most {
            break;
        }
        let seeker = store.player_by_id(row.player)?;
        // Hide seeks that cannot be accepted now.
        if !seeker.is_active() || store.is_at_the_limit(seeker.id, game.key)? {
            continue;
        }
        let options: BoardOptions = serde_json::from_str(&row.options).unwrap_or_default();
        let rating = row.rating.map(|range| format!(", rating {range}")).unwrap_or_default();
        let options = options.written();
        let options = if options.is_empty() { String::new() } else { format!(", {}", options.join(" ")) };
        let (by, terms) = (seeker.userid.to_string(), format!("{rating}{options}"));
        let shown = OpenSeek { number: row.id, game: game.key, by, terms };
        waiting.push(WaitingSeek { row, shown });
    }
    let place = |seek: &WaitingSeek| games.iter().position(|game| game.key == seek.shown.game);
    waiting.sort_by_key(place);
    Ok(waiting)
}

/// A sentence about seeks that the player can accept and has not been told of; `None` if there are none.
pub(crate) fn news_for_digest(
    store: &Store,
    now: Timestamp,
    player: PlayerId,
) -> Result<Option<String>, StoreError> {
    let told = store.seeks_told(player)?;
    let mut news = Vec::new();
    let mut newest = told;
    for seek in waiting(store, now, registry::games(), SEEKS_SHOWN)? {
        newest = newest.max(seek.row.id);
        if seek.row.id > told && seek.is_for(store, player)? {
            news.push(seek.shown);
        }
    }
    if newest > told {
        store.set_seeks_told(player, newest)?;
    }
    let [first, ..] = news.as_slice() else { return Ok(None) };
    let seek = |seek: &OpenSeek| format!("{} {} of {}{}", seek.game, seek.number, seek.by, seek.terms);
    let listed: Vec<String> = news.iter().take(SEEKS_OF_A_WELCOME).map(seek).collect();
    let more = if news.len() > SEEKS_OF_A_WELCOME { "; `seeks` lists them all" } else { "" };
    Ok(Some(format!(
        "New open seeks: {}{more}. To play one, reply `{} accept seek {}` alone.",
        listed.join("; "),
        first.game,
        first.number
    )))
}

pub(crate) fn open_seeks(store: &Store, now: Timestamp, game: &GameKind) -> Result<Vec<SeekRow>, StoreError> {
    let since = now.checked_sub(SEEK_ENDS).unwrap_or(now);
    store.open_seeks(game.key, since)
}
