//! A player: what everybody may know, how their ratings went, their boards. No address is among it.

use std::fmt::Write;

use minijinja::value::Serde;
use minijinja::{Value, context};
use turnpost_games::GameKind;
use turnpost_games::registry;

use super::Site;
use super::answer::Answer;
use super::graph::{self, Graph};
use super::lists::{Row, day, finished, in_play};
use crate::board::ratings::{PROVISIONAL, whole_points};
use crate::failure::Error;
use crate::ids::Userid;
use crate::notices::mail_preferences::away;
use crate::store::{Account, RatingRow, Store};

/// The most games of a graph.
const GAMES_SHOWN: u32 = 100;

pub(super) fn page(site: &Site, store: &Store, userid: &Userid, json: bool) -> Result<Option<Answer>, Error> {
    let Some(account) = store.player(userid)?.filter(|account| !account.is_deleted()) else {
        return Ok(None);
    };
    let records = store.records(account.id)?;
    let mut games = Vec::new();
    for game in registry::games() {
        let Some(record) = records.iter().find(|record| record.game == game.key) else { continue };
        let rating = store.rating(game.key, account.id)?;
        let (won, lost, tied, running) = (record.won, record.lost, record.tied, record.running);
        let history = match &rating {
            Some(row) => history(store, game, &account, row)?,
            None => Vec::new(),
        };
        let shown = context! {
            game => game.name,
            key => game.key,
            rating => rating.map(|row| whole_points(row.rating)),
            provisional => rating.is_some_and(|row| row.deviation >= PROVISIONAL),
            history => Value::from(Serde(&history)),
            won, lost, tied, running,
        };
        games.push(match json {
            true => shown,
            false => context! { graph => (history.len() > 1).then(|| drawn(game, &history)), ..shown },
        });
    }
    let (boards, finished): (Vec<Row>, Vec<Row>) =
        (in_play(store, None, Some(account.id))?, finished(store, None, Some(account.id))?);
    let context = context! {
        userid => account.userid.as_str(),
        since => day(account.created_at),
        level => account.id.level(),
        active => account.is_active(),
        vacation => away(store, (site.now)(), account.userid.as_str())?,
        games,
        boards => Value::from(Serde(&boards)),
        finished => Value::from(Serde(&finished)),
    };
    site.shown("player", context, json).map(Some)
}

/// A rated game, in whole points.
#[derive(serde::Serialize)]
struct RatingStep {
    board: u32,
    day: String,
    opponent: String,
    before: i64,
    after: i64,
}

/// The rated games, the oldest first.
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

/// The graph with what stands beside it.
fn drawn(game: &GameKind, history: &[RatingStep]) -> Value {
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
    let label =
        format!("The rating at {} after each of {} games, from {low} to {high}", game.name, history.len());
    let graph = Graph::new(ratings.iter().map(|rating| *rating as f32).collect(), [low as f32, high as f32]);
    let mut svg = graph::open("img", &label);
    let (line, dot) = (graph.line(), graph.dot(ratings.len().saturating_sub(1)));
    let _ = write!(svg, "<path class=\"line\" d=\"{line}\"/><path class=\"dot\" d=\"{dot}\"/></svg>");
    context! { svg => Value::from_safe_string(svg), low, high }
}
