//! Views of a contest: what mails, pages and answers say about it.

use std::ops::Range;

use schemars::JsonSchema;
use serde::Serialize;

use crate::contest::league::groups_next;
use crate::contest::movement::sent;
use crate::contest::pairing::Pairing;
use crate::contest::record::Contest;
use crate::contest::standing::{self, GroupStanding};
use crate::contest::table::GameResult;
use crate::contest::terms::{ContestTerms, EventDates};
use crate::failure::Error;
use crate::notices::decisions::DecisionView;
use crate::notices::game_cell::{GameCell, halves, hundredths, of_pairs, of_rounds};
use crate::notices::names::Names;
use crate::notices::team_view::{TeamView, team_views};
use crate::store::{ContestForm, ContestRow, ContestState, PlayerId, RatingRange, Store, StoreError};

/// A contest with its tables.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct ContestView {
    pub name: String,
    /// What people call it: `DVONN league, season 3`. An event has only its name.
    pub title: String,
    /// The word of its game.
    pub game: String,
    /// The name of its game.
    pub game_name: String,
    #[schemars(extend("enum" = ["event", "season"]))]
    pub form: &'static str,
    #[schemars(extend("enum" = ["open", "running", "closed"]))]
    pub state: &'static str,
    /// The most players.
    pub size: u32,
    #[schemars(extend("enum" = ["all-play-all", "swiss", "knock-out", "teams"]))]
    pub pairing: &'static str,
    /// All play all: 2 if each pair plays both ways. Swiss: the number of rounds.
    pub rounds: u32,
    /// Swiss and knock-out: the round that began last, from 1; otherwise 0.
    pub round: u32,
    /// The options of its boards, as a challenge writes them.
    pub options: Vec<String>,
    #[serde(flatten)]
    pub dates: EventDates,
    /// The userid of the player who made it.
    pub maker: Option<String>,
    /// Players who joined, in order, before it begins.
    pub joined: Vec<String>,
    /// Players who have asked to join, or wait for a place, in order.
    pub waiting: Vec<String>,
    /// The ratings of players when they join.
    pub rating: Option<RatingRange>,
    /// The only players who can join, if there are any.
    pub invited: Vec<String>,
    /// Whether the maker accepts or rejects each player.
    pub by_request: bool,
    /// Whether no list names it, and players join by its name.
    pub private: bool,
    /// Of a season: which of its league it is.
    pub season: Option<u32>,
    /// The teams, the first place in front.
    pub teams: Vec<TeamView>,
    /// None before it begins.
    pub groups: Vec<GroupView>,
    /// Decisions about it, for its players and its maker.
    pub decisions: Vec<DecisionView>,
    /// The board that most people watched, once it is over.
    pub most_watched: Option<WatchedBoard>,
    /// How many there are, with those that are not shown.
    pub all_groups: usize,
    /// Games of the shown groups that are over.
    pub over: usize,
    /// All games of the shown groups.
    pub games: usize,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct WatchedBoard {
    pub board: u32,
    /// The userids of its two players.
    pub players: Vec<String>,
    /// Mail addresses that watched it when it ended.
    pub watchers: u32,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct GroupView {
    /// From 1.
    pub number: usize,
    /// The first place in front.
    pub rows: Vec<PlaceView>,
}

/// A line of a cross-table.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct PlaceView {
    pub place: usize,
    /// Whether other players have the same place.
    pub shared: bool,
    /// A userid.
    pub player: String,
    /// `2.5`. In a knock-out, the matches won.
    pub points: String,
    /// Swiss: Buchholz without the least opponent, and whole.
    pub buchholz: Option<[String; 2]>,
    /// Sonneborn-Berger: `5.25`
    pub sonneborn_berger: String,
    pub won: u32,
    pub drawn: u32,
    pub lost: u32,
    pub running: u32,
    /// The player has left; running games are lost.
    pub withdrawn: bool,
    /// The direction in which the place leads in the next season, if the table stays as it is.
    #[schemars(extend("enum" = ["up", "down", null]))]
    pub goes: Option<&'static str>,
    /// All play all: the games against the player of each line, in their order; none against oneself. Swiss and knock-out:
    /// the games of each round.
    pub games: Vec<Vec<GameCell>>,
}

/// The current view of a contest, with all its groups.
pub fn contest_view(store: &Store, contest: &Contest) -> Result<ContestView, Error> {
    view_of_groups(store, contest, 0..contest.groups.len())
}

/// The current view of a contest, with only the groups in `shown`. The first group is 0.
pub(crate) fn view_of_groups(
    store: &Store,
    contest: &Contest,
    shown: Range<usize>,
) -> Result<ContestView, Error> {
    let mut names = Names::default();
    let shown = shown.start..shown.end.min(contest.groups.len());
    let standings = standings(store, contest, shown.clone())?;
    let all = || standings.iter().flat_map(|group| &group.games);
    let over = all().filter(|game| game.result != GameResult::Running).count();
    let games = all().count();
    let mut groups = Vec::new();
    let next = groups_next(store, contest)?.unwrap_or_default();
    for (number, group) in (shown.start + 1..).zip(&standings) {
        groups.push(group_view(store, &mut names, contest, (number, next), group)?);
    }
    let teams = team_views(store, &mut names, contest, standings.first())?;
    // The members of a league are too many to be named.
    let names_joined = contest.groups.is_empty() && contest.row.form == ContestForm::Event;
    let joined: &[PlayerId] = if names_joined { &contest.joined } else { &[] };
    Ok(ContestView {
        joined: names.all(store, joined.iter())?,
        waiting: names.all(store, contest.waiting.iter())?,
        rating: contest.terms.entry.rating,
        invited: names.all(store, contest.terms.entry.players.iter())?,
        by_request: contest.terms.entry.by_request,
        private: contest.terms.entry.private,
        name: contest.row.name.clone(),
        title: contest.row.title(),
        game: contest.row.game.clone(),
        game_name: contest.game_name().to_owned(),
        form: contest.row.form.as_str(),
        state: contest.row.state.as_str(),
        size: contest.terms.size,
        pairing: contest.terms.pairing.as_str(),
        rounds: contest.terms.rounds,
        round: contest.round(),
        options: contest.terms.options.written(),
        dates: contest.terms.dates,
        maker: contest.maker.map(|maker| names.of(store, maker)).transpose()?,
        season: contest.terms.season,
        teams,
        groups,
        decisions: Vec::new(),
        most_watched: most_watched(store, &mut names, contest)?,
        all_groups: contest.groups.len(),
        over,
        games,
    })
}

fn most_watched(store: &Store, names: &mut Names, contest: &Contest) -> Result<Option<WatchedBoard>, Error> {
    if contest.row.state != ContestState::Closed {
        return Ok(None);
    }
    let Some((board, watchers)) = store.most_watched(contest.row.id)? else { return Ok(None) };
    let row = store.board(board)?;
    let players = names.all(store, row.iter().flat_map(|row| &row.players))?;
    Ok(Some(WatchedBoard { board: board.0, players, watchers }))
}

/// The standings of the groups in `shown`; the first group is 0.
pub(crate) fn standings(
    store: &Store,
    contest: &Contest,
    shown: Range<usize>,
) -> Result<Vec<GroupStanding>, StoreError> {
    let shown = shown.start..shown.end.min(contest.groups.len());
    let pairs = contest.pairs.iter().filter(|(_, pair)| shown.contains(&pair.group));
    let pairs: Vec<u32> = pairs.map(|(number, _)| *number).collect();
    let boards = store.contest_boards_at(contest.row.id, &pairs)?;
    Ok(standing::groups(contest, shown, &boards))
}

/// The current view of a contest, with only the player's group, or with no group if the player has none.
pub(crate) fn view_of_player(
    store: &Store,
    contest: &Contest,
    player: PlayerId,
) -> Result<ContestView, Error> {
    let own = contest.place_of(player).map_or(0..0, |(group, _)| group..group + 1);
    view_of_groups(store, contest, own)
}

fn group_view(
    store: &Store,
    names: &mut Names,
    contest: &Contest,
    (number, next): (usize, usize),
    group: &GroupStanding,
) -> Result<GroupView, Error> {
    let places = group.places();
    let rows: Result<Vec<PlaceView>, Error> = places
        .iter()
        .zip(1..)
        .map(|(place, at)| {
            // The next season can have fewer groups: say only what holds then.
            let goes = match sent(at, places.len(), number - 1, contest.groups.len()) {
                1 if next > 1 => Some("up"),
                -1 if next > number => Some("down"),
                _ => None,
            };
            let games = match contest.terms.pairing {
                Pairing::AllPlayAll | Pairing::Teams => of_pairs(group, &places, place.player),
                Pairing::Swiss | Pairing::KnockOut => of_rounds(contest, group, &places, place.player),
            };
            Ok(PlaceView {
                place: place.place,
                shared: places.iter().filter(|other| other.place == place.place).count() > 1,
                player: names.of(store, place.player)?,
                points: halves(place.points),
                buchholz: (contest.terms.pairing == Pairing::Swiss).then_some(place.buchholz.map(halves)),
                sonneborn_berger: hundredths(place.sonneborn_berger * 25),
                won: place.won,
                drawn: place.drawn,
                lost: place.lost,
                running: place.running,
                withdrawn: contest.withdrawn.contains(&place.player),
                goes,
                games,
            })
        })
        .collect();
    Ok(GroupView { number, rows: rows? })
}

/// A line of a list of contests.
#[derive(Serialize)]
pub(crate) struct ContestLine {
    /// The word of its game.
    game: String,
    name: String,
    /// How many have joined, or how far it is.
    how: String,
}

pub(crate) fn contest_line(store: &Store, row: &ContestRow) -> Result<ContestLine, Error> {
    let contest = Contest::load(store, row)?;
    let pairing = contest.terms.pairing;
    let form = if pairing.is_all_play_all() { String::new() } else { format!("{}, ", pairing.as_str()) };
    let how = match row.state {
        ContestState::Open => {
            let ContestTerms { size, dates, .. } = contest.terms;
            let begins = dates.starts_at().map(|at| format!(", begins {}", at.strftime("%a %-d %b")));
            format!("{} of {size} joined{}", row.entrants, begins.unwrap_or_default())
        }
        ContestState::Running => format!("{} players, runs", contest.competitors().count()),
        ContestState::Closed => "over".to_owned(),
    };
    Ok(ContestLine { game: row.game.clone(), name: row.name.clone(), how: form + &how })
}
