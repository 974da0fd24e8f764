//! `/me`: the boards of a signed-in player with their links. Boards that wait for the player come first.

use minijinja::context;
use schemars::JsonSchema;
use serde::Serialize;
use turnpost_games::{GameKind, registry};

use super::Site;
use super::address::Format;
use super::answer::Answer;
use super::contests::{self, EventLine, OwnContest};
use super::lists::{Row, SeekLine, finished, row, seeks_for};
use super::session::{self, Browser};
use crate::commands::Command;
use crate::commands::pause::{self, Pause};
use crate::commands::sign_in::BrowserAct;
use crate::credentials::token;
use crate::failure::Error;
use crate::ids::{Seat, Which};
use crate::settings::CurrentSetting;
use crate::store::{BoardFilter, BoardRow, PlayerId, SessionRow, Store};

/// The most boards in play that the page shows.
const BOARDS: u32 = 200;

/// Seconds between two records of when a browser was last used.
const USED_AGAIN: i64 = 24 * 60 * 60;

/// Without a signed-in player the page is that of `/sign-in`, so no field is required.
#[derive(Serialize, JsonSchema)]
#[schemars(extend("required" = []))]
pub(super) struct MePage<'a> {
    userid: &'a str,
    /// The board that alone the browser plays, if the link of that board signed it in.
    only: Option<String>,
    /// Boards that wait for the player, the nearest deadline first.
    waiting: Vec<Mine>,
    /// Boards that wait for the opponent.
    others: Vec<Mine>,
    finished: Vec<Row>,
    /// The browsers that are signed in.
    browsers: Vec<BrowserLine>,
    zone: &'a str,
    /// What a form of this page sends as `code`.
    code: String,
    /// A number for the `once` of a form.
    once: u64,
    /// The contests that the player is in.
    contests: Vec<OwnContest>,
    /// Events that the player may join.
    events: Vec<EventLine>,
    /// Open challenges that the player may accept.
    seeks: Vec<SeekLine>,
    own_seeks: Vec<SeekLine>,
    /// The settings that have one of a few values.
    settings: Vec<CurrentSetting>,
    /// The end of a pause of the player's mails.
    until: Option<String>,
    /// The last day of the current vacation.
    vacation: Option<String>,
    /// The first and the last day of the next vacation.
    away: Option<[String; 2]>,
    notice: Option<&'a str>,
}

/// A browser that is signed in.
#[derive(Serialize, JsonSchema)]
struct BrowserLine {
    id: i64,
    browser: String,
    is_this: bool,
    begun: i64,
    used: i64,
}

/// A board in play.
#[derive(Serialize, JsonSchema)]
pub(super) struct Mine {
    /// The page on which the player plays.
    href: String,
    opponent: String,
    /// The player sees the board from its far side: the picture is asked for with `?flip`.
    turned: bool,
    #[serde(flatten)]
    row: Row,
}

/// The page, or the sign-in form for a visitor who is not signed in.
pub(super) fn page(site: &Site, browser: &Browser, format: Format) -> Result<Answer, Error> {
    let Some(signed_in) = site.session(browser)? else { return session::ask(site, format) };
    let now = (site.now)();
    if now.as_second() - signed_in.used_at.as_second() > USED_AGAIN {
        site.ask_as(browser, Command::Browser(BrowserAct::Keep), &site.once());
    }
    site.read(|store| shown(site, store, &signed_in, browser, None, format))
}

/// The page, with a notice about a form that was sent.
pub(super) fn shown(
    site: &Site,
    store: &Store,
    signed_in: &SessionRow,
    browser: &Browser,
    notice: Option<&str>,
    format: Format,
) -> Result<Answer, Error> {
    let (player, now) = (signed_in.player, (site.now)());
    let (mut waiting, mut others) = (Vec::new(), Vec::new());
    for board in in_play(store, player)? {
        let list = if waits_for(&board, player) { &mut waiting } else { &mut others };
        list.extend(Mine::new(store, signed_in, &board)?);
    }
    let line = |row: SessionRow| BrowserLine {
        id: row.id,
        browser: row.browser,
        is_this: row.id == signed_in.id,
        begun: row.begun_at.as_second(),
        used: row.used_at.as_second(),
    };
    let [seeks, own_seeks] = seeks_for(site, store, player)?;
    let (contests, events) = contests::for_player(site, store, player)?;
    let account = store.player_by_id(player)?;
    let Pause { until, vacation, .. } = pause::of(store, player, now)?;
    let away = store.next_vacation(&account.userid, now)?.filter(|next| next.starts_at > now);
    let zone = crate::play::zone_of(store, player)?;
    let page = MePage {
        notice,
        only: signed_in.board.map(|board| board.to_string()),
        away: away.map(|next| [next.first.to_string(), next.last.to_string()]),
        seeks,
        own_seeks,
        contests,
        events,
        settings: store.settings(player)?,
        until: until.map(|day| day.to_string()),
        vacation: vacation.map(|day| day.to_string()),
        once: site.seed(),
        userid: account.userid.as_str(),
        waiting,
        others,
        finished: finished(store, None, Some(player))?,
        browsers: store.sessions(player, now)?.into_iter().map(line).collect(),
        code: browser.form_code(site),
        zone: zone.iana_name().unwrap_or("UTC"),
    };
    let games = || {
        let game = |game: &&GameKind| context! { key => game.key, name => game.name };
        Ok(context! { games => registry::games().iter().map(game).collect::<Vec<_>>() })
    };
    Ok(site.shown_with("me", &page, format, games)?.private())
}

/// The player's boards in play, nearest deadline first.
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
    /// A board of the player. It leads to the play page if this browser can play the board, otherwise to the public
    /// page. `None` if the player has no link to the board.
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
        let turned = first != player && game.is_turned_for(Seat::Second);
        Ok(Some(Mine { href, opponent, turned, row: row(store, game, board)? }))
    }
}
