//! `/me`: the boards of a signed-in player with their links. Boards that wait for the player come first.

use axum::http::StatusCode;
use jiff::Timestamp;
use minijinja::value::Serde;
use minijinja::{Value, context};
use schemars::JsonSchema;
use serde::Serialize;
use turnpost_games::registry;

use super::Site;
use super::address::Format;
use super::answer::{Answer, AnswerKind};
use super::browser::Browser;
use super::contests::{self, EventLine, OwnContest};
use super::lists::{SeekLine, seeks_for};
use super::mine::{Mine, Over};
use super::new_game::NewGame;
use super::player::{self, GameNumbers};
use super::session;
use crate::board::{Board, record};
use crate::commands::Command;
use crate::commands::invite::terms_of;
use crate::commands::pause::{self, Pause};
use crate::commands::sign_in::BrowserAct;
use crate::failure::Error;
use crate::ids::Which;
use crate::settings::CurrentSetting;
use crate::store::{BoardFilter, BoardRow, PlayerId, SessionRow, Store};

/// The most boards in play that the page shows.
const BOARDS: u32 = 200;

const NO_TOKEN: &str = "This token has ended, or this server did not make it: `bot` brings another by mail.";

/// The most boards that are over that the page shows.
const FINISHED: u32 = 12;

/// Without a signed-in player the page is that of `/sign-in`, so no field is required.
#[derive(Serialize, JsonSchema)]
#[schemars(extend("required" = []))]
pub(super) struct MePage<'a> {
    userid: &'a str,
    /// What `since` of the next request names, which then waits for news of the boards.
    since: String,
    /// The board that alone the browser plays, if the link of that board signed it in.
    only: Option<String>,
    /// Boards that wait for the player, the nearest deadline first.
    waiting: Vec<Mine>,
    /// Boards that wait for the opponent.
    others: Vec<Mine>,
    /// The latest boards that are over.
    finished: Vec<Over>,
    /// The player's own numbers, a row for each game.
    numbers: Vec<GameNumbers>,
    /// The browsers that are signed in.
    browsers: Vec<BrowserLine>,
    /// The key for which a browser subscribes to pushes; none if the server sends none.
    push: Option<&'a str>,
    zone: &'a str,
    /// What a form of this page sends as `code`.
    code: String,
    /// A number for the `once` of a form.
    once: u64,
    /// The contests that the player is in.
    contests: Vec<OwnContest>,
    /// Events that the player may join.
    events: Vec<EventLine>,
    /// Invitations to the addresses of the player.
    invitations: Vec<Invited>,
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

/// An invitation of another player.
#[derive(Serialize, JsonSchema)]
struct Invited {
    number: i64,
    /// The userid of the player who invites.
    by: String,
    game: &'static str,
    /// Who is first, whether it is rated, and its options, in sentences.
    terms: String,
}

/// A browser that is signed in.
#[derive(Serialize, JsonSchema)]
struct BrowserLine {
    id: i64,
    browser: String,
    is_this: bool,
    /// True if it is told of turns.
    takes_pushes: bool,
    begun: i64,
    used: i64,
}

/// The page, or the sign-in form for a visitor who is not signed in.
pub(super) fn page(site: &Site, browser: &Browser, asked: NewGame, format: Format) -> Result<Answer, Error> {
    let Some(signed_in) = site.reader(browser)? else {
        return match browser.bearer {
            Some(_) => site.instead(StatusCode::UNAUTHORIZED, NO_TOKEN, context! {}, format),
            None => session::ask(site, format),
        };
    };
    let now = (site.now)();
    if browser.bearer.is_none() && session::is_due(&signed_in, now) {
        site.ask_as(browser, Command::Browser(BrowserAct::Keep), &site.once());
    }
    site.read(|store| shown(site, store, (&signed_in, browser), (None, &asked), format))
}

/// The page, with a notice about a form that was sent, and what the form of a new game holds.
pub(super) fn shown(
    site: &Site,
    store: &Store,
    (signed_in, browser): (&SessionRow, &Browser),
    (notice, new_game): (Option<&str>, &NewGame),
    format: Format,
) -> Result<Answer, Error> {
    let (player, now) = (signed_in.player, (site.now)());
    // It is read first: if a board changes meanwhile, the next request is answered at once.
    let since = store.news_of_player(player)?.text(true);
    let (mut waiting, mut others) = (Vec::new(), Vec::new());
    for board in in_play(store, player)? {
        let list = if waits_for(&board, player) { &mut waiting } else { &mut others };
        list.extend(Mine::new(store, signed_in, &board, now)?);
    }
    let mut over = Vec::new();
    for board in boards(store, player, Which::Inactive, FINISHED)? {
        over.extend(Over::new(store, signed_in, &board)?);
    }
    let line = |row: SessionRow| BrowserLine {
        id: row.id,
        browser: row.browser,
        is_this: row.id == signed_in.id,
        takes_pushes: row.takes_pushes,
        begun: row.begun_at.as_second(),
        used: row.used_at.as_second(),
    };
    let [seeks, own_seeks] = seeks_for(site, store, player)?;
    let (contests, events) = contests::for_player(site, store, player)?;
    let account = store.player_by_id(player)?;
    let Pause { until, vacation, .. } = pause::of(store, player, now)?;
    let away = store.next_vacation(&account.userid, now)?.filter(|next| next.starts_at > now);
    let zone = crate::play::zone_of(store, player)?;
    let mut invitations = Vec::new();
    for row in store.invitations_to(player, now)? {
        let by = store.player_by_id(row.player)?.userid.to_string();
        let game = registry::find(&row.game).map_or("", |game| game.name);
        invitations.push(Invited { number: row.id, game, terms: terms_of(&row, &by), by });
    }
    let page = MePage {
        since,
        notice,
        only: signed_in.board.map(|board| board.to_string()),
        away: away.map(|next| [next.first.to_string(), next.last.to_string()]),
        invitations,
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
        finished: over,
        numbers: player::numbers(store, &account)?.into_iter().map(|(_, numbers)| numbers).collect(),
        browsers: store.sessions(player, now)?.into_iter().map(line).collect(),
        code: browser.form_code(site),
        push: site.push.as_deref(),
        zone: zone.iana_name().unwrap_or("UTC"),
    };
    let more = || Ok(context! { live => page.since.as_str(), new => new_game.shown() });
    Ok(site.shown_with("me", &page, format, more)?.private())
}

/// The player's boards in play, nearest deadline first.
fn in_play(store: &Store, player: PlayerId) -> Result<Vec<BoardRow>, Error> {
    let mut boards = boards(store, player, Which::Active, BOARDS)?;
    boards.sort_by_key(|board| (board.deadline_at.is_none(), board.deadline_at, board.id));
    Ok(boards)
}

/// The player's newest boards.
fn boards(store: &Store, player: PlayerId, which: Which, limit: u32) -> Result<Vec<BoardRow>, Error> {
    let player = Some(player);
    Ok(store.boards(&BoardFilter { player, which, limit, ..BoardFilter::default() })?)
}

fn waits_for(board: &BoardRow, player: PlayerId) -> bool {
    board.to_move.is_some_and(|seat| *seat.of(&board.players) == player)
}

/// The board that waits for the player and is due first.
pub(super) fn next(store: &Store, signed_in: &SessionRow, now: Timestamp) -> Result<Option<Mine>, Error> {
    let player = signed_in.player;
    let waiting = in_play(store, player)?.into_iter().find(|board| waits_for(board, player));
    waiting.map_or(Ok(None), |board| Mine::new(store, signed_in, &board, now))
}

/// The feed of the boards that wait for a player; `None` if the link is of no feed.
pub(super) fn feed(site: &Site, link: &str) -> Result<Option<Answer>, Error> {
    let Some(session) = session::of_feed(site, link)? else { return Ok(None) };
    site.read(|store| {
        let mut entries = Vec::new();
        for board in in_play(store, session.player)? {
            if waits_for(&board, session.player)
                && let Some(mine) = Mine::new(store, &session, &board, (site.now)())?
            {
                entries.push(context! { at => board.changed_at.to_string(), ..Value::from(Serde(&mine)) });
            }
        }
        let userid = store.player_by_id(session.player)?.userid;
        let updated = entries.iter().filter_map(|entry| entry.get_attr("at").ok()).max();
        let context = context! { userid => userid.as_str(), url => &site.url, entries, updated };
        let text = site.templates.render("web/me.atom.html", context)?;
        Ok(Some(Answer::of(AnswerKind::Atom, text).private()))
    })
}

/// The records of all boards of the player who is signed in, one after the other. They are in our own format; with
/// `format`, they are those of the games that have the format of this name.
pub(super) fn records(site: &Site, browser: &Browser, format: Option<&str>) -> Result<Answer, Error> {
    let Some(signed_in) = site.reader(browser)? else {
        let words = format!("Sign in at {}/sign-in first, then load this page again.\n", site.url);
        return Ok(Answer::of(AnswerKind::Text, words).private());
    };
    site.read(|store| {
        let mut text = String::new();
        for row in boards(store, signed_in.player, Which::All, u32::MAX)? {
            let Some(board) = Board::load(store, row.id)? else { continue };
            let notation = board.kind.notations.iter().find(|notation| Some(notation.name) == format);
            text += &match notation.map(|notation| record::write_as(store, &board, notation)).transpose()? {
                None if format.is_some() => continue,
                None => record::write(store, &board)?,
                Some(Ok(text)) => text,
                Some(Err(why)) => format!("; board {} is missing: {why}\n", row.id),
            };
            text.push('\n');
        }
        Ok(Answer::of(AnswerKind::Text, text).private())
    })
}
