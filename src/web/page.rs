//! Each page: from an address to bytes.

use axum::http::StatusCode;
use minijinja::value::Serde;
use minijinja::{Value, context};
use serde::Serialize;
use sha2::{Digest, Sha256};
use turnpost_games::GameKind;
use turnpost_games::registry::GAMES;
use turnpost_games::scene::{Choice, Theme};

use super::Site;
use super::address::{Address, Form};
use crate::ids::{BoardId, Ply, Userid, Which};
use crate::picture;
use crate::reply::help;
use crate::service::look::{Look, look};
use crate::service::view::{GameRow, game_row};
use crate::service::{self, Error, record};
use crate::store::{BoardFilter, Store};

/// The most boards that a list shows.
const BOARDS: u32 = 30;
/// The most players of the standings.
const PLAYERS: u32 = 20;

/// What a request gets.
pub(crate) struct Answer {
    pub status: StatusCode,
    pub kind: Kind,
    pub body: Vec<u8>,
    /// Names these bytes, so that a visitor who has them need not get them again.
    pub tag: Option<String>,
    /// It never changes again.
    pub lasting: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Html,
    Css,
    Svg,
    Png,
    Json,
    Text,
}

impl Answer {
    fn of(kind: Kind, body: impl Into<Vec<u8>>) -> Answer {
        let body = body.into();
        let digest = Sha256::digest(&body);
        let tag: String = digest.iter().take(12).map(|octet| format!("{octet:02x}")).collect();
        Answer { status: StatusCode::OK, kind, body, tag: Some(format!("\"{tag}\"")), lasting: false }
    }

    pub fn plain(status: StatusCode, sentence: &str) -> Answer {
        Answer { status, kind: Kind::Text, body: sentence.into(), tag: None, lasting: false }
    }

    /// Our failure, of which a visitor learns nothing.
    pub fn broken() -> Answer {
        Answer::plain(StatusCode::INTERNAL_SERVER_ERROR, "This page cannot be shown at the moment.\n")
    }
}

pub(super) fn page(site: &Site, path: &str, query: &str, wants_json: bool) -> Result<Answer, Error> {
    let Some(address) = Address::read(path, query) else { return missing(site) };
    let found = match address {
        Address::Style => Some(Answer { lasting: true, ..Answer::of(Kind::Css, style()) }),
        Address::Robots => Some(Answer::of(Kind::Text, "User-agent: *\nDisallow: /play/\nDisallow: /try/\n")),
        Address::Help(subject) => help_page(site, &subject)?,
        Address::Home => Some(site.read(|store| home(site, store))?),
        Address::Game(game) => Some(site.read(|store| game_page(site, store, game))?),
        Address::Player(userid) => site.read(|store| player(site, store, &userid))?,
        Address::Board { game, board, ply, form } => {
            let form = if wants_json && form == Form::Page { Form::Json } else { form };
            site.read(|store| board_page(site, store, game, (board, ply), form))?
        }
    };
    found.map_or_else(|| missing(site), Ok)
}

impl Site {
    fn read<T>(&self, read: impl FnOnce(&Store) -> Result<T, Error>) -> Result<T, Error> {
        // There is a store for each request that is let in.
        self.reading(read).unwrap_or(Err(Error::Panicked))
    }

    fn html(&self, template: &str, context: Value) -> Result<Answer, Error> {
        Ok(Answer::of(Kind::Html, self.templates.render(&format!("web/{template}.html"), context)?))
    }
}

/// The one style sheet, with the colours of the boards in both themes.
fn style() -> String {
    let (light, dark) = (Theme::Light.style(), Theme::Dark.style());
    format!("{}\n{light}\n@media (prefers-color-scheme:dark){{\n{dark}}}\n", include_str!("style.css"))
}

fn missing(site: &Site) -> Result<Answer, Error> {
    let answer = site.html("missing", context! {})?;
    Ok(Answer { status: StatusCode::NOT_FOUND, tag: None, ..answer })
}

fn help_page(site: &Site, subject: &str) -> Result<Option<Answer>, Error> {
    let Some(page) = service::help::page(subject).filter(|page| page == subject) else { return Ok(None) };
    let text = help::render(&site.templates, &page)?;
    site.html("help", context! { subject, text }).map(Some)
}

fn home(site: &Site, store: &Store) -> Result<Answer, Error> {
    let games: Vec<Value> =
        GAMES.iter().map(|game| context! { key => game.key, name => game.name }).collect();
    let boards = rows(store, &BoardFilter { which: Which::Active, ..boards_of(None) })?;
    site.html("home", context! { games, boards => Value::from(Serde(&boards)) })
}

fn game_page(site: &Site, store: &Store, game: &'static GameKind) -> Result<Answer, Error> {
    #[derive(Serialize)]
    struct Standing {
        userid: String,
        rating: i64,
        won: u32,
        lost: u32,
        tied: u32,
    }
    let mut standings = Vec::new();
    for row in store.ratings(game.key, 0, PLAYERS)? {
        let userid = store.player_by_id(row.player)?.userid.to_string();
        let rating = (row.rating + 50) / 100;
        standings.push(Standing { userid, rating, won: row.won, lost: row.lost, tied: row.tied });
    }
    let boards = rows(store, &boards_of(Some(game)))?;
    let rules = help::render(&site.templates, game.key)?;
    let (standings, boards) = (Value::from(Serde(&standings)), Value::from(Serde(&boards)));
    site.html("game", context! { key => game.key, game => game.name, rules, standings, boards })
}

fn player(site: &Site, store: &Store, userid: &Userid) -> Result<Option<Answer>, Error> {
    let Some(account) = store.player(userid)?.filter(|account| account.is_active()) else { return Ok(None) };
    let mut ratings = Vec::new();
    for game in GAMES {
        if let Some(row) = store.rating(game.key, account.id)? {
            let (won, lost, tied) = (row.won, row.lost, row.tied);
            let rating = (row.rating + 50) / 100;
            ratings.push(context! { game => game.name, key => game.key, rating, won, lost, tied });
        }
    }
    let boards = rows(store, &BoardFilter { player: Some(account.id), ..boards_of(None) })?;
    let userid = account.userid.to_string();
    site.html("player", context! { userid, ratings, boards => Value::from(Serde(&boards)) }).map(Some)
}

fn boards_of(game: Option<&GameKind>) -> BoardFilter {
    BoardFilter {
        game: game.map(|game| game.key.to_owned()),
        player: None,
        which: Which::All,
        limit: BOARDS,
        before: None,
    }
}

/// A line of a list of boards.
#[derive(Serialize)]
struct Row {
    key: &'static str,
    name: &'static str,
    #[serde(flatten)]
    row: GameRow,
}

fn rows(store: &Store, filter: &BoardFilter) -> Result<Vec<Row>, Error> {
    let mut rows = Vec::new();
    for row in store.boards(filter)? {
        let Some(game) = GAMES.iter().find(|game| game.key == row.game) else { continue };
        rows.push(Row { key: game.key, name: game.name, row: game_row(store, &row, game.seats)? });
    }
    Ok(rows)
}

fn board_page(
    site: &Site,
    store: &Store,
    game: &GameKind,
    (number, ply): (BoardId, Option<Ply>),
    form: Form,
) -> Result<Option<Answer>, Error> {
    let Some(look) = look(store, number, ply)?.filter(|look| look.kind.key == game.key) else {
        return Ok(None);
    };
    let svg = |theme| look.scene.svg(theme, &look.sentence(), |_| Choice::default());
    let answer = match form {
        Form::Page => board_html(site, &look, ply, &svg(Theme::Page))?,
        Form::Svg => Answer::of(Kind::Svg, svg(Theme::Light)),
        Form::Dark => Answer::of(Kind::Svg, svg(Theme::Dark)),
        Form::Png => match picture::png(&look.scene) {
            Ok(bytes) => Answer::of(Kind::Png, bytes),
            Err(why) => {
                tracing::warn!("board {number}: {why}");
                Answer::broken()
            }
        },
        Form::Text => Answer::of(Kind::Text, look.view.drawing.clone()),
        Form::Json => Answer::of(Kind::Json, json(&look)),
        Form::Record => {
            let Some(board) = service::board::Board::load(store, number)? else { return Ok(None) };
            Answer::of(Kind::Text, record::write(store, &board)?)
        }
    };
    Ok(Some(answer))
}

fn board_html(site: &Site, look: &Look, ply: Option<Ply>, svg: &str) -> Result<Answer, Error> {
    let view = &look.view;
    let last = look.plies.len();
    let at = ply.map_or(last, |ply| ply.0 as usize);
    let table: Vec<Value> = look
        .scene
        .rows()
        .into_iter()
        .map(|row| {
            let spaces = row.into_iter().map(|space| {
                context! { name => &space.name, words => space.words(look.kind.seats, look.scene.mark) }
            });
            Value::from(spaces.collect::<Vec<Value>>())
        })
        .collect();
    let (before, after) = (at.saturating_sub(1), (at + 1).min(last));
    site.html(
        "board",
        context! {
            v => Value::from(Serde(view)),
            plies => Value::from(Serde(&look.plies)),
            sentence => look.sentence(),
            url => &site.url,
            svg, table, at, last, before, after,
        },
    )
}

fn json(look: &Look) -> String {
    #[derive(Serialize)]
    struct Json<'a> {
        board: u32,
        game: &'a str,
        players: &'a [String; 2],
        sides: [&'a str; 2],
        ply: u32,
        turn: Option<usize>,
        result: Option<&'a str>,
        winner: Option<usize>,
        score: Option<[u16; 2]>,
        rated: bool,
        deadline: Option<i64>,
        sentence: String,
        drawing: &'a str,
        plies: Vec<&'a str>,
    }
    let view = &look.view;
    let json = Json {
        board: view.board,
        game: view.game,
        players: &view.players,
        sides: view.sides,
        ply: view.plies,
        turn: view.turn,
        result: view.result.as_deref(),
        winner: view.winner,
        score: view.score,
        rated: view.rated,
        deadline: view.deadline,
        sentence: look.sentence(),
        drawing: &view.drawing,
        plies: look.plies.iter().map(|ply| ply.text.as_str()).collect(),
    };
    serde_json::to_string_pretty(&json).unwrap_or_default()
}
