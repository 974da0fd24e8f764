//! The table of the teams of an event.

use schemars::JsonSchema;
use serde::Serialize;

use crate::contest::pairing::Pairing;
use crate::contest::record::Contest;
use crate::contest::standing::GroupStanding;
use crate::contest::teams::TeamPlace;
use crate::failure::Error;
use crate::notices::game_cell::halves;
use crate::notices::names::Names;
use crate::store::{PlayerId, Store};

/// A line of the table of teams.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct TeamView {
    pub place: usize,
    /// Whether other teams have the same place.
    pub shared: bool,
    pub name: String,
    /// In the order of the boards.
    pub players: Vec<TeamPlayer>,
    /// A match won is 2, a drawn one 1.
    pub match_points: u32,
    /// `9.5`
    pub board_points: String,
    /// The points of the match against the team of each line, in their order; null against itself.
    pub matches: Vec<Option<TeamMatch>>,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct TeamMatch {
    /// `2.5`
    pub points: String,
    /// Whether all its games are over.
    pub over: bool,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct TeamPlayer {
    /// A userid.
    pub player: String,
    /// `2.5`
    pub points: String,
}

pub(super) fn team_views(
    store: &Store,
    names: &mut Names,
    contest: &Contest,
    group: Option<&GroupStanding>,
) -> Result<Vec<TeamView>, Error> {
    if contest.terms.pairing != Pairing::Teams {
        return Ok(Vec::new());
    }
    let (table, places) = match group {
        Some(group) => (contest.team_table(group), group.places()),
        None => (contest.team_table(&GroupStanding::default()), Vec::new()),
    };
    let own =
        |player: PlayerId| places.iter().find(|place| place.player == player).map_or(0, |place| place.points);
    let view = |line: &TeamPlace| {
        let player = |player: &PlayerId| {
            Ok(TeamPlayer { player: names.of(store, *player)?, points: halves(own(*player)) })
        };
        Ok(TeamView {
            place: line.place,
            shared: table.iter().filter(|other| other.place == line.place).count() > 1,
            name: line.team.name.clone(),
            players: line.team.players.iter().map(player).collect::<Result<_, Error>>()?,
            match_points: line.match_points,
            board_points: halves(line.board_points),
            matches: line.matches.iter().map(|played| played.map(team_match)).collect(),
        })
    };
    table.iter().map(view).collect()
}

fn team_match((points, over): (u32, bool)) -> TeamMatch {
    TeamMatch { points: halves(points), over }
}
