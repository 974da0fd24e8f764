//! Views of a contest: what mails, pages and answers say about it.

use std::collections::HashMap;
use std::ops::Range;

use schemars::JsonSchema;
use serde::Serialize;

use crate::contest::admission::EntryRatings;
use crate::contest::league::groups_next;
use crate::contest::movement::sent;
use crate::contest::pairing::Pairing;
use crate::contest::record::Contest;
use crate::contest::standing::{self, GroupStanding};
use crate::contest::table::{GameResult, Place};
use crate::contest::teams::TeamPlace;
use crate::contest::terms::{ContestTerms, EventDates};
use crate::failure::Error;
use crate::ids::Seat;
use crate::store::{ContestForm, ContestRow, ContestState, PlayerId, Store, StoreError};

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
    pub rating: Option<EntryRatings>,
    /// The only players who can join, if there are any.
    pub invited: Vec<String>,
    /// Whether the maker accepts or rejects each player.
    pub by_request: bool,
    /// Of a season: which of its league it is.
    pub season: Option<u32>,
    /// The teams, the first place in front.
    pub teams: Vec<TeamView>,
    /// None before it begins.
    pub groups: Vec<GroupView>,
    /// How many there are, with those that are not shown.
    pub all_groups: usize,
    /// Games of the shown groups that are over.
    pub over: usize,
    /// All games of the shown groups.
    pub games: usize,
}

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

/// A game as a table shows it.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct GameCell {
    /// `1`, `0`, `=` for a draw, `.` while it runs, `-` if it counts for neither, `+` for a round without an opponent.
    #[schemars(extend("enum" = ["1", "0", "=", ".", "-", "+"]))]
    pub result: &'static str,
    /// The line of the opponent, from 1.
    pub against: Option<usize>,
    /// The number of its board, if it has one.
    pub board: Option<u32>,
    /// Whether the player of the line moves first.
    pub first: bool,
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
    let mut names_of = |players: &[PlayerId]| -> Result<Vec<String>, StoreError> {
        players.iter().map(|player| names.of(store, *player)).collect()
    };
    Ok(ContestView {
        joined: names_of(joined)?,
        waiting: names_of(&contest.waiting)?,
        rating: contest.terms.entry.rating,
        invited: names_of(&contest.terms.entry.players)?,
        by_request: contest.terms.entry.by_request,
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
        all_groups: contest.groups.len(),
        over,
        games,
    })
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

/// The names of players, each looked up once.
#[derive(Default)]
struct Names(HashMap<PlayerId, String>);

impl Names {
    fn of(&mut self, store: &Store, player: PlayerId) -> Result<String, StoreError> {
        if let Some(name) = self.0.get(&player) {
            return Ok(name.clone());
        }
        let name = store.player_by_id(player)?.userid.to_string();
        self.0.insert(player, name.clone());
        Ok(name)
    }
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

fn team_views(
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

/// The games of a player against each player, in the order of the table.
fn of_pairs(group: &GroupStanding, places: &[Place<PlayerId>], player: PlayerId) -> Vec<Vec<GameCell>> {
    let mut games: Vec<Vec<GameCell>> = places.iter().map(|_| Vec::new()).collect();
    for (_, cell) in cells(group, places, player) {
        let games = cell.against.and_then(|line| games.get_mut(line - 1));
        games.into_iter().for_each(|games| games.push(cell.clone()));
    }
    games
}

/// The games of a player in each round.
fn of_rounds(
    contest: &Contest,
    group: &GroupStanding,
    places: &[Place<PlayerId>],
    player: PlayerId,
) -> Vec<Vec<GameCell>> {
    let cells: Vec<(u32, GameCell)> = cells(group, places, player).collect();
    let of_round = |round| {
        let bye = contest.byes.contains(&(round, player));
        let bye = bye.then_some(GameCell { result: "+", against: None, board: None, first: false });
        let missed = round <= contest.missed(player);
        let bye =
            bye.or(missed.then_some(GameCell { result: "=", against: None, board: None, first: false }));
        cells.iter().filter(|(of, _)| *of == round).map(|(_, cell)| cell.clone()).chain(bye).collect()
    };
    (1..=contest.round()).map(of_round).collect()
}

/// The games of a player, each with its round.
fn cells(
    group: &GroupStanding,
    places: &[Place<PlayerId>],
    player: PlayerId,
) -> impl Iterator<Item = (u32, GameCell)> {
    let line = |player| places.iter().position(|place| place.player == player).map(|at| at + 1);
    let games = group.games.iter().zip(&group.boards).zip(&group.rounds);
    games.filter_map(move |((game, board), round)| {
        let seat = Seat::BOTH.into_iter().find(|seat| *seat.of(&game.players) == player)?;
        let result = match game.result {
            GameResult::Running => ".",
            GameResult::Draw => "=",
            GameResult::Void => "-",
            GameResult::Won(winner) if winner == seat => "1",
            GameResult::Won(_) => "0",
        };
        let against = line(*seat.other().of(&game.players));
        let board = board.map(|board| board.0);
        Some((*round, GameCell { result, against, board, first: seat == Seat::First }))
    })
}

/// Half points as a decimal number: `2.5`.
fn halves(number: u32) -> String {
    let half = if number % 2 == 1 { ".5" } else { "" };
    format!("{}{half}", number / 2)
}

/// Hundredths as a decimal number: `5.25`.
fn hundredths(number: u32) -> String {
    format!("{}.{:02}", number / 100, number % 100)
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
