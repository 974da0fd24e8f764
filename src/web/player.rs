//! A player's public page: ratings over time, and boards. It shows no address.

use std::fmt::Write;

use minijinja::{Value, context};
use schemars::JsonSchema;
use serde::Serialize;
use turnpost_games::GameKind;
use turnpost_games::registry;

use super::Site;
use super::address::Format;
use super::answer::Answer;
use super::browser::Browser;
use super::graph::{self, Graph};
use super::lists::{Row, day, finished, in_play};
use crate::board::ratings::{PROVISIONAL, whole_points};
use crate::failure::Error;
use crate::ids::Userid;
use crate::notices::mail_preferences::away;
use crate::notices::past_contests::{PlayerContest, contests_of};
use crate::store::{Account, RatingRow, SessionRow, Store};

/// The most games of a graph.
const GAMES_SHOWN: u32 = 100;

pub(super) fn page(
    site: &Site,
    browser: &Browser,
    userid: &Userid,
    format: Format,
) -> Result<Option<Answer>, Error> {
    let signed_in = site.session(browser)?.filter(|session| session.board.is_none());
    site.read(|store| shown(site, store, (signed_in.as_ref(), browser), userid, format))
}

fn shown(
    site: &Site,
    store: &Store,
    (signed_in, browser): (Option<&SessionRow>, &Browser),
    userid: &Userid,
    format: Format,
) -> Result<Option<Answer>, Error> {
    let Some(account) = store.player(userid)?.filter(|account| !account.is_deleted()) else {
        return Ok(None);
    };
    let mut games = Vec::new();
    for (game, numbers) in numbers(store, &account)? {
        let rating = store.rating(game.key, account.id)?;
        let history = match &rating {
            Some(row) => history(store, game, &account, row)?,
            None => Vec::new(),
        };
        games.push(PlayerGame { numbers, history });
    }
    let reader = signed_in.map(|session| session.player).filter(|reader| *reader != account.id);
    let page = PlayerPage {
        note: reader.map_or(Ok(None), |reader| store.note_about(reader, account.id))?,
        userid: account.userid.to_string(),
        since: day(account.created_at),
        level: account.id.level(),
        bot: account.is_bot,
        engine: account.id.is_engine(),
        active: account.is_active(),
        vacation: away(store, (site.now)(), account.userid.as_str())?,
        games,
        contests: contests_of(store, account.id)?,
        boards: in_play(store, None, Some(account.id))?,
        finished: finished(store, account.id)?,
    };
    let graphs = || {
        let graph =
            |game: &PlayerGame| (game.history.len() > 1).then(|| drawn(game.numbers.game, &game.history));
        let graphs = page.games.iter().map(graph).collect::<Vec<_>>();
        let (code, once) = (reader.map(|_| browser.form_code(site)), site.seed());
        Ok(context! { graphs, code, once })
    };
    let shown = site.shown_with("player", &page, format, graphs)?;
    Ok(Some(if reader.is_some() { shown.private() } else { shown }))
}

#[derive(Serialize, JsonSchema)]
pub(super) struct PlayerPage {
    userid: String,
    /// The signed-in reader's own note about the player.
    note: Option<String>,
    /// The day of the account.
    since: String,
    /// The level of a robot.
    level: Option<u8>,
    /// True for a bot, which a program of its owner plays.
    bot: bool,
    /// True for a program that the host seats.
    engine: bool,
    /// False for a player who takes a break.
    active: bool,
    vacation: Option<String>,
    games: Vec<PlayerGame>,
    /// Events and seasons that are over.
    contests: Vec<PlayerContest>,
    boards: Vec<Row>,
    finished: Vec<Row>,
}

/// A player's games of one kind, in numbers.
#[derive(Serialize, JsonSchema)]
pub(super) struct GameNumbers {
    key: &'static str,
    game: &'static str,
    rating: Option<i64>,
    provisional: bool,
    running: u32,
    won: u32,
    lost: u32,
    tied: u32,
}

/// A player's games of one kind.
#[derive(Serialize, JsonSchema)]
struct PlayerGame {
    #[serde(flatten)]
    numbers: GameNumbers,
    /// Rated games, the oldest first.
    history: Vec<RatingStep>,
}

/// The numbers of each game that the player has played.
pub(super) fn numbers(
    store: &Store,
    account: &Account,
) -> Result<Vec<(&'static GameKind, GameNumbers)>, Error> {
    let records = store.records(account.id)?;
    let mut games = Vec::new();
    for game in registry::games() {
        let Some(record) = records.iter().find(|record| record.game == game.key) else { continue };
        let rating = store.rating(game.key, account.id)?;
        let numbers = GameNumbers {
            game: game.name,
            key: game.key,
            rating: rating.map(|row| whole_points(row.rating)),
            provisional: rating.is_some_and(|row| row.deviation >= PROVISIONAL),
            won: record.won,
            lost: record.lost,
            tied: record.tied,
            running: record.running,
        };
        games.push((*game, numbers));
    }
    Ok(games)
}

/// A rated game, in whole points.
#[derive(Serialize, JsonSchema)]
struct RatingStep {
    board: u32,
    day: String,
    opponent: String,
    before: i64,
    after: i64,
}

/// The player's last rated games, oldest first.
fn history(
    store: &Store,
    game: &GameKind,
    account: &Account,
    now: &RatingRow,
) -> Result<Vec<RatingStep>, Error> {
    let mut after = now.rating;
    let mut steps = Vec::new();
    for rated in store.rated_games(account.id, game.key, GAMES_SHOWN)? {
        steps.push(RatingStep {
            board: rated.board.0,
            day: day(rated.at),
            opponent: store.player_by_id(rated.opponent)?.userid.to_string(),
            before: whole_points(rated.before),
            after: whole_points(after),
        });
        after = rated.before;
    }
    steps.reverse();
    Ok(steps)
}

/// The rating graph, and the ratings at its lower and upper edge.
fn drawn(game: &str, history: &[RatingStep]) -> Value {
    let ratings: Vec<i64> = history
        .first()
        .map(|step| step.before)
        .into_iter()
        .chain(history.iter().map(|step| step.after))
        .collect();
    let (low, high) = (
        ratings.iter().min().copied().unwrap_or_default(),
        ratings.iter().max().copied().unwrap_or_default(),
    );
    let label = format!("The rating at {game} after each of {} games, from {low} to {high}", history.len());
    let graph = Graph::new(ratings.iter().map(|rating| *rating as f32).collect(), [low as f32, high as f32]);
    let mut svg = graph::open("img", &label);
    let (line, dot) = (graph.line(), graph.dot(ratings.len().saturating_sub(1)));
    let _ = write!(svg, "<path class=\"line\" d=\"{line}\"/><path class=\"dot\" d=\"{dot}\"/></svg>");
    context! { svg => Value::from_safe_string(svg), low, high }
}
