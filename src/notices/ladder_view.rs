//! Views of a ladder: its top and the reader's neighbourhood.

use jiff::Timestamp;
use serde::Serialize;

use crate::contest::ladder::reach;
use crate::contest::ladder_games::Ladder;
use crate::failure::Error;
use crate::store::{PlayerId, Store};

/// A ladder as a reader sees it. Places count from 1.
#[derive(Debug, Clone, Serialize)]
pub struct LadderView {
    pub players: usize,
    /// The reader's place.
    pub place: Option<usize>,
    /// True if the reader is paired on Mondays.
    pub auto: bool,
    /// The highest place that the reader can challenge.
    pub reach: Option<usize>,
    pub rows: Vec<LadderRow>,
}

#[derive(Debug, Clone, Serialize)]
pub struct LadderRow {
    pub place: usize,
    pub player: String,
    /// Games in play.
    pub games: usize,
    pub away: bool,
    /// True if the ladder lets the reader challenge this player now. The player's own settings can still prevent it.
    pub free: bool,
    /// True if places between the line above and this one are left out.
    pub gap: bool,
}

/// Numbers of lines shown: at the top, above the reader and below the reader.
const TOP: usize = 5;
const ABOVE: usize = 10;
const BELOW: usize = 3;

pub(crate) fn ladder_view(
    store: &Store,
    ladder: &Ladder,
    reader: Option<PlayerId>,
    now: Timestamp,
) -> Result<LadderView, Error> {
    let own = reader.and_then(|reader| ladder.place_of(reader));
    let near = own.map_or(0..0, |own| own.saturating_sub(ABOVE)..own + BELOW + 1);
    let top = if own.is_some() { TOP } else { TOP + ABOVE };
    view_of_places(store, ladder, reader, |place| place < top || near.contains(&place), now)
}

/// The view of a ladder with the places for which `is_shown` is true. The first place is 0.
pub(crate) fn view_of_places(
    store: &Store,
    ladder: &Ladder,
    reader: Option<PlayerId>,
    is_shown: impl Fn(usize) -> bool,
    now: Timestamp,
) -> Result<LadderView, Error> {
    let own = reader.and_then(|reader| ladder.place_of(reader));
    let mut rows: Vec<LadderRow> = Vec::new();
    for (place, &player) in ladder.places.iter().enumerate().filter(|(place, _)| is_shown(*place)) {
        let games = ladder.games_of(player);
        let away = store.is_away(player, now)?;
        let can_meet = |reader| !ladder.have_met(reader, player) && ladder.games_of(reader).can_ask();
        let in_reach = own.is_some_and(|own| reach(own).contains(&place));
        rows.push(LadderRow {
            place: place + 1,
            player: store.player_by_id(player)?.userid.to_string(),
            games: games.count(),
            away,
            free: in_reach && !away && games.can_be_asked() && reader.is_some_and(can_meet),
            gap: rows.last().is_some_and(|above| above.place < place),
        });
    }
    let member = reader.and_then(|reader| ladder.contest.ladder.members.get(&reader));
    Ok(LadderView {
        players: ladder.places.len(),
        place: own.map(|own| own + 1),
        auto: member.is_some_and(|member| member.auto),
        reach: own.filter(|own| *own > 0).map(|own| reach(own).start + 1),
        rows,
    })
}
