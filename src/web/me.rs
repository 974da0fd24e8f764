//! `/me`: the boards of a player who is signed in, those that wait for them first, each with the link that plays.

use minijinja::value::Serde;
use minijinja::{Value, context};
use serde::Serialize;
use turnpost_games::registry;

use super::Site;
use super::answer::Answer;
use super::contests;
use super::lists::{Row, finished, row, seeks_for};
use super::session::{self, Browser};
use crate::commands::Command;
use crate::commands::pause::{self, Pause};
use crate::commands::settings;
use crate::commands::sign_in::BrowserAct;
use crate::credentials::token;
use crate::failure::Error;
use crate::ids::Which;
use crate::store::{BoardFilter, BoardRow, PlayerId, SessionRow, Store};

/// The most boards in play that the page shows.
const BOARDS: u32 = 200;

/// After so long a visit says that the browser is still used, in seconds.
const USED_AGAIN: i64 = 24 * 60 * 60;

/// A board in play.
#[derive(Serialize)]
pub(super) struct Mine {
    /// Where the player plays on.
    href: String,
    opponent: String,
    #[serde(flatten)]
    row: Row,
}

/// The page; a visitor who is not signed in is led to where that begins.
pub(super) fn page(site: &Site, browser: &Browser, json: bool) -> Result<Answer, Error> {
    let Some(signed_in) = site.session(browser)? else { return session::ask(site, json) };
    let now = (site.now)();
    if now.as_second() - signed_in.used_at.as_second() > USED_AGAIN {
        site.ask_as(browser, Command::Browser(BrowserAct::Keep), &site.once());
    }
    site.read(|store| shown(site, store, (&signed_in, browser), None, json))
}

/// The page, with what became of a form.
pub(super) fn shown(
    site: &Site,
    store: &Store,
    (signed_in, browser): (&SessionRow, &Browser),
    notice: Option<&str>,
    json: bool,
) -> Result<Answer, Error> {
    let (player, now) = (signed_in.player, (site.now)());
    let (mut waiting, mut others) = (Vec::new(), Vec::new());
    for board in in_play(store, player)? {
        let list = if waits_for(&board, player) { &mut waiting } else { &mut others };
        list.extend(Mine::new(store, signed_in, &board)?);
    }
    let browsers: Vec<Value> = store
        .sessions(player, now)?
        .into_iter()
        .map(|row| {
            let SessionRow { id, browser, begun_at, used_at, .. } = row;
            let is_this = id == signed_in.id;
            context! { id, browser, is_this, begun => begun_at.as_second(), used => used_at.as_second() }
        })
        .collect();
    let [seeks, own_seeks] = seeks_for(site, store, player)?;
    let (contests, events) = contests::for_player(site, store, player)?;
    let account = store.player_by_id(player)?;
    let Pause { until, vacation, .. } = pause::of(store, player, now)?;
    let away = store.next_vacation(&account.userid, now)?.filter(|next| next.starts_at > now);
    let context = context! {
        notice,
        only => signed_in.board.map(|board| board.to_string()),
        away => away.map(|next| [next.first.to_string(), next.last.to_string()]),
        seeks => Value::from(Serde(&seeks)),
        own_seeks => Value::from(Serde(&own_seeks)),
        contests => Value::from(Serde(&contests)),
        events => Value::from(Serde(&events)),
        switches => settings::switches(store, player)?,
        until => until.map(|day| day.to_string()),
        vacation => vacation.map(|day| day.to_string()),
        once => site.seed(),
        userid => account.userid.as_str(),
        drawing => account.drawing.as_str(),
        waiting => Value::from(Serde(&waiting)),
        others => Value::from(Serde(&others)),
        finished => Value::from(Serde(&finished(store, None, Some(player))?)),
        browsers,
        code => browser.form_code(site),
        zone => crate::play::zone_of(store, player)?.iana_name().unwrap_or("UTC"),
    };
    let answer = match json {
        true => site.shown("me", context, json)?,
        false => {
            let games: Vec<Value> = registry::games()
                .iter()
                .map(|game| context! { key => game.key, name => game.name })
                .collect();
            site.html("me", context! { games, ..context })?
        }
    };
    Ok(answer.private())
}

/// The boards in play, the nearest deadline first.
fn in_play(store: &Store, player: PlayerId) -> Result<Vec<BoardRow>, Error> {
    let filter =
        BoardFilter { player: Some(player), which: Which::Active, limit: BOARDS, ..BoardFilter::default() };
    let mut boards = store.boards(&filter)?;
    boards.sort_by_key(|board| (board.deadline_at.is_none(), board.deadline_at, board.id));
    Ok(boards)
}

fn waits_for(board: &BoardRow, player: PlayerId) -> bool {
    board.to_move.is_some_and(|seat| *seat.of(&board.players) == player)
}

/// The board that waits for the player and is due first.
pub(super) fn next(store: &Store, signed_in: &SessionRow) -> Result<Option<Mine>, Error> {
    let player = signed_in.player;
    let waiting = in_play(store, player)?.into_iter().find(|board| waits_for(board, player));
    waiting.map_or(Ok(None), |board| Mine::new(store, signed_in, &board))
}

impl Mine {
    /// A player's board, which the browser plays or only shows; `None` where nobody can play on.
    fn new(store: &Store, signed_in: &SessionRow, board: &BoardRow) -> Result<Option<Mine>, Error> {
        let player = signed_in.player;
        let game = registry::games().iter().find(|game| game.key == board.game);
        let link = token::of_page(store, board.id, player, None)?;
        let Some((game, link)) = game.zip(link) else { return Ok(None) };
        let [first, second] = board.players;
        let opponent = store.player_by_id(if first == player { second } else { first })?.userid.to_string();
        let href = match signed_in.plays(board.id) {
            true => format!("/play/{link}"),
            false => format!("/{}/{}", game.key, board.id),
        };
        Ok(Some(Mine { href, opponent, row: row(store, game, board)? }))
    }
}
