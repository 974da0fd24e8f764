//! A board as a page, a picture, text, JSON, a record and a feed.

use minijinja::value::Serde;
use minijinja::{Value, context};
use serde::Serialize;
use turnpost_games::GameKind;
use turnpost_games::scene::{Choice, Scene, Theme};

use super::Site;
use super::address::Form;
use super::page::{Answer, Kind};
use crate::ids::{BoardId, Ply};
use crate::picture;
use crate::service::look::{Look, look};
use crate::service::{self, Error, record};
use crate::store::Store;

pub(super) fn page(
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
        Form::Atom => feed(site, store, &look)?,
        Form::Page => html(site, &look, ply, &svg(Theme::Page))?,
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

fn html(site: &Site, look: &Look, ply: Option<Ply>, svg: &str) -> Result<Answer, Error> {
    let view = &look.view;
    let last = look.plies.len();
    let at = ply.map_or(last, |ply| ply.0 as usize);
    let table = table(&look.scene, look.kind.seats);
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

/// The board as rows of spaces, each with its words.
pub(super) fn table(scene: &Scene, seats: [&str; 2]) -> Vec<Value> {
    let row = |row: Vec<&turnpost_games::scene::Space>| {
        let spaces = row
            .into_iter()
            .map(|space| context! { name => &space.name, words => space.words(seats, scene.mark) });
        Value::from(spaces.collect::<Vec<Value>>())
    };
    scene.rows().into_iter().map(row).collect()
}

/// The last plies as a feed, the newest first (RFC 4287).
fn feed(site: &Site, store: &Store, look: &Look) -> Result<Answer, Error> {
    let mut entries: Vec<Value> = Vec::new();
    for event in store.events(BoardId(look.view.board))?.iter().rev() {
        let Some(ply) = event.ply else { continue };
        if look.plies.iter().any(|shown| shown.ply == ply.0 && shown.text == event.text) {
            entries.push(context! { ply => ply.0, text => &event.text, at => event.at.to_string() });
        }
        if entries.len() == FED {
            break;
        }
    }
    let updated = entries.first().map(|entry| entry.get_attr("at")).transpose()?;
    let context = context! { v => Value::from(Serde(&look.view)), url => &site.url, entries, updated };
    let text = site.templates.render("web/board.atom.html", context)?;
    Ok(Answer::of(Kind::Atom, text))
}

/// The most plies of a feed.
const FED: usize = 20;

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
