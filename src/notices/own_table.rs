//! The weekly mail's tables: the lines around the reader in the contests that run.

use jiff::Timestamp;
use serde::Serialize;

use crate::failure::Error;
use crate::notices::contest_view::view_of_player;
use crate::notices::ladder_view::view_of_places;
use crate::notices::told_contests::ToldContests;
use crate::store::{ContestForm, ContestRow, ContestState, PlayerId, Store};

/// The lines around the reader in a table, for the weekly mail.
#[derive(Serialize)]
pub(crate) struct OwnTable {
    name: String,
    pub is_ladder: bool,
    place: usize,
    shared: bool,
    players: usize,
    /// The number of the group, if there are several groups.
    group: Option<usize>,
    rows: Vec<OwnTableRow>,
}

#[derive(Serialize)]
struct OwnTableRow {
    place: usize,
    shared: bool,
    player: String,
    points: String,
    /// Games in play.
    games: usize,
    /// `up` or `down`, if the place leads there in the next season.
    goes: Option<&'static str>,
}

/// The most contests of a weekly mail, and the most lines of each.
const TABLES: u32 = 10;
const LINES: usize = 12;

impl ToldContests {
    /// The tables of the player's running contests and ladders.
    pub(crate) fn own_tables(
        &mut self,
        store: &Store,
        player: PlayerId,
        now: Timestamp,
    ) -> Result<Vec<OwnTable>, Error> {
        let mut tables = Vec::new();
        for row in store.contests_with(player, TABLES)? {
            let id = row.id;
            let table = self.own_table(store, row, player, now);
            tables.extend(self.if_whole(id, table)?.flatten());
        }
        Ok(tables)
    }

    fn own_table(
        &mut self,
        store: &Store,
        row: ContestRow,
        player: PlayerId,
        now: Timestamp,
    ) -> Result<Option<OwnTable>, Error> {
        if row.form == ContestForm::Ladder {
            let ladder = self.ladder(store, &row, now)?;
            let Some(own) = ladder.place_of(player) else { return Ok(None) };
            let first = own.saturating_sub(LINES / 2);
            let near = first..first + LINES;
            let view = view_of_places(store, ladder, None, |place| near.contains(&place), now)?;
            let rows = view.rows.into_iter().map(|row| OwnTableRow {
                place: row.place,
                shared: false,
                player: row.player,
                points: String::new(),
                games: row.games,
                goes: None,
            });
            let (rows, place) = (rows.collect(), own + 1);
            let (name, players, shared) = (row.title(), view.players, false);
            return Ok(Some(OwnTable { name, is_ladder: true, place, shared, players, group: None, rows }));
        }
        if row.state != ContestState::Running {
            return Ok(None);
        }
        let view = view_of_player(store, self.contest(store, &row)?, player)?;
        let userid = store.player_by_id(player)?.userid;
        let Some(group) = view.groups.into_iter().next() else { return Ok(None) };
        let own = group.rows.iter().position(|row| row.player == userid.as_str()).unwrap_or_default();
        let (place, shared) = group.rows.get(own).map_or((0, false), |row| (row.place, row.shared));
        let (players, first) = (group.rows.len(), (own + 1).saturating_sub(LINES));
        let rows = group.rows.into_iter().skip(first).take(LINES).map(|row| OwnTableRow {
            place: row.place,
            shared: row.shared,
            player: row.player,
            points: row.points,
            games: row.running as usize,
            goes: row.goes,
        });
        let rows = rows.collect();
        let group = (view.all_groups > 1).then_some(group.number);
        Ok(Some(OwnTable { name: row.title(), is_ladder: false, place, shared, players, group, rows }))
    }
}
