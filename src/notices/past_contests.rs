//! Contests that are over: who won them, and the places that a player came to.

use minijinja::{Value, context};
use schemars::JsonSchema;
use serde::Serialize;

use crate::contest::pairing::Pairing;
use crate::contest::record::Contest;
use crate::contest::standing::GroupStanding;
use crate::contest::teams::TeamPlace;
use crate::failure::Error;
use crate::notices::contest_view::standings;
use crate::notices::transcript::data;
use crate::store::{ContestForm, ContestRow, PlayerId, Store};

/// The contests of one page.
const PAGE: usize = 30;

/// The most contests of a player.
const OF_PLAYER: usize = 100;

#[derive(Serialize, JsonSchema)]
pub(crate) struct PastContest {
    name: String,
    /// What people call it.
    title: String,
    /// The word of its game.
    game: String,
    game_name: &'static str,
    #[schemars(extend("enum" = ["event", "season"]))]
    form: &'static str,
    /// The day on which it ended.
    ended: String,
    players: usize,
    /// Whether teams played.
    teams: bool,
    /// The winners of an event, or of the first group of a season: userids, or names of teams. Equal players share the
    /// first place.
    winners: Vec<String>,
}

/// A page of the contests that are over.
#[derive(Serialize, JsonSchema)]
pub(crate) struct PastContests {
    contests: Vec<PastContest>,
    /// From 1.
    page: usize,
    pages: usize,
}

/// The contests that are over, of one game or of all, the last in front; `None` if there is no such page.
pub(crate) fn past_contests(
    store: &Store,
    game: Option<&str>,
    page: usize,
) -> Result<Option<PastContests>, Error> {
    let rows = store.past_contests(game, None)?;
    let pages = rows.len().div_ceil(PAGE).max(1);
    let Some(skipped) = page.checked_sub(1).filter(|_| page <= pages) else { return Ok(None) };
    let of_page = rows.iter().skip(skipped * PAGE).take(PAGE);
    let contests = of_page.map(|row| past(store, row)).collect::<Result<_, _>>()?;
    Ok(Some(PastContests { contests, page, pages }))
}

impl PastContests {
    pub fn context(&self) -> Value {
        context! { past => data(self) }
    }
}

fn past(store: &Store, row: &ContestRow) -> Result<PastContest, Error> {
    let contest = Contest::load(store, row)?;
    let group = group_of(store, &contest, 0)?;
    let teams = team_table(&contest, &group);
    let winners = match teams.is_empty() {
        true => winners(store, &group)?,
        false => teams.into_iter().filter(|line| line.place == 1).map(|line| line.team.name).collect(),
    };
    Ok(PastContest {
        name: row.name.clone(),
        title: row.title(),
        game: row.game.clone(),
        game_name: contest.game_name(),
        form: row.form.as_str(),
        ended: ended(&contest),
        players: contest.competitors().count(),
        teams: contest.terms.pairing == Pairing::Teams,
        winners,
    })
}

fn ended(contest: &Contest) -> String {
    contest.closed_at.map_or(String::new(), |at| at.strftime("%Y-%m-%d").to_string())
}

/// The group with this number, from 0; without players if there is none.
fn group_of(store: &Store, contest: &Contest, number: usize) -> Result<GroupStanding, Error> {
    Ok(standings(store, contest, number..number + 1)?.pop().unwrap_or_default())
}

/// The players in the first place. A contest in which no game was won or drawn has no winner.
fn winners(store: &Store, group: &GroupStanding) -> Result<Vec<String>, Error> {
    let first = group.places().into_iter().filter(|place| place.place == 1 && place.points > 0);
    first.map(|place| Ok(store.player_by_id(place.player)?.userid.to_string())).collect()
}

/// The table of the teams, if some game was won or drawn.
fn team_table(contest: &Contest, group: &GroupStanding) -> Vec<TeamPlace> {
    let table = match contest.terms.pairing {
        Pairing::Teams => contest.team_table(group),
        _ => Vec::new(),
    };
    if table.iter().any(|line| line.board_points > 0) { table } else { Vec::new() }
}

/// A contest that is over, with the place of one of its players.
#[derive(Serialize, JsonSchema)]
pub(crate) struct PlayerContest {
    name: String,
    /// What people call it.
    title: String,
    game_name: &'static str,
    /// The day on which it ended.
    ended: String,
    /// The number of the group, if there were several.
    group: Option<usize>,
    /// The player's, or that of the player's team.
    place: usize,
    /// Players of the group, or teams.
    players: usize,
    /// The title that the player won.
    #[schemars(extend("enum" = ["champion", "winner", null]))]
    won: Option<&'static str>,
}

/// The contests of a player that are over, the last in front.
pub(crate) fn contests_of(store: &Store, player: PlayerId) -> Result<Vec<PlayerContest>, Error> {
    let mut contests = Vec::new();
    for row in store.past_contests(None, Some(player))?.iter().take(OF_PLAYER) {
        let contest = Contest::load(store, row)?;
        let Some((group, _)) = contest.place_of(player) else { continue };
        let standing = group_of(store, &contest, group)?;
        let places = standing.places();
        let Some(own) = places.iter().find(|place| place.player == player) else { continue };
        let teams = team_table(&contest, &standing);
        let of_team = teams.iter().find(|line| line.team.players.contains(&player));
        let (place, players) = of_team.map_or((own.place, places.len()), |line| (line.place, teams.len()));
        let title = if row.form == ContestForm::Season { "champion" } else { "winner" };
        contests.push(PlayerContest {
            name: row.name.clone(),
            title: row.title(),
            game_name: contest.game_name(),
            ended: ended(&contest),
            group: (contest.groups.len() > 1).then_some(group + 1),
            place,
            players,
            won: (group == 0 && place == 1 && (own.points > 0 || of_team.is_some())).then_some(title),
        });
    }
    Ok(contests)
}
