//! A board as a page, a picture, text, JSON, a record and a feed.

use axum::http::StatusCode;
use minijinja::value::Serde;
use minijinja::{Value, context};
use schemars::JsonSchema;
use serde::Serialize;
use turnpost_games::GameKind;
use turnpost_games::scene::{Choice, Scene, Theme};
use turnpost_robot::analysis::Analysis;

use super::address::Form;
use super::answer::{self, Answer, AnswerKind};
use super::guard::is_among;
use super::moves::moves;
use super::{Site, analysis, steps};
use crate::board::ratings::whole_points;
use crate::board::record;
use crate::commands::kept_analysis;
use crate::failure::Error;
use crate::ids::{BoardId, Ply, Seat};
use crate::notices::look::{Look, look, looks};
use crate::notices::time_words::in_words;
use crate::picture;
use crate::store::{Bank, BoardRow, BoardState, Store, TimeControl};

/// A request for a board, at a ply and in a form, from its usual side or flipped.
pub(super) struct Wanted<'a> {
    pub game: &'a GameKind,
    pub number: BoardId,
    pub ply: Option<Ply>,
    pub form: Form,
    pub flip: bool,
}

pub(super) fn page(site: &Site, store: &Store, wanted: &Wanted<'_>) -> Result<Option<Answer>, Error> {
    let Wanted { game, number, ply, form, flip } = *wanted;
    let tag = over(site, store, wanted)?;
    let Some(mut look) = look(store, number, ply)?.filter(|look| look.kind.key == game.key) else {
        return Ok(None);
    };
    look.view = look.view.with_left(store, (site.now)())?;
    let look = if flip { look.flipped() } else { look };
    let svg = |theme| look.scene.svg(theme, &look.sentence(), |_| Choice::default());
    let answer = match form {
        Form::Atom => feed(site, store, &look)?,
        Form::Page => {
            site.html("board", shown(site, store, &look, kept_analysis(store, number)?.as_ref(), flip)?)?
        }
        Form::Steps => {
            let made_of = format!("{tag:?} {number} {flip} {} {:?}", look.view.events, look.view.players);
            site.steps.get(made_of, || Ok(steps::packed(&pages(site, store, number, flip)?)))?
        }
        Form::Svg => Answer::of(AnswerKind::Svg, svg(Theme::Light)),
        Form::Dark => Answer::of(AnswerKind::Svg, svg(Theme::Dark)),
        Form::Png => match picture::png(&look.scene) {
            Ok(bytes) => Answer::of(AnswerKind::Png, bytes),
            Err(why) => {
                tracing::warn!("board {number}: {why}");
                return Ok(Some(Answer::broken()));
            }
        },
        Form::Text => Answer::of(AnswerKind::Text, look.view.drawing.clone()),
        Form::Json => json(store, &look)?,
        Form::Record | Form::Notation(_) => {
            let Some(board) = crate::board::Board::load(store, number)? else { return Ok(None) };
            let notation = game.notations.iter().find(|notation| form == Form::Notation(notation.name));
            match notation.map(|notation| record::write_as(store, &board, notation)).transpose()? {
                None => Answer::of(AnswerKind::Text, record::write(store, &board)?),
                Some(Ok(text)) => Answer::of(AnswerKind::Text, text),
                Some(Err(why)) => return Ok(Some(Answer::plain(StatusCode::CONFLICT, &format!("{why}.\n")))),
            }
        }
        // Of contests.
        Form::Csv | Form::Trf => return Ok(None),
    };
    Ok(Some(match tag {
        Some(tag) => Answer { tag: Some(tag), lasting: form.is_drawn(), ..answer },
        None => answer,
    }))
}

/// An answer with an empty body if the board is finished and `seen` contains its current ETag. Renders no page.
pub(super) fn unchanged(
    site: &Site,
    store: &Store,
    wanted: &Wanted<'_>,
    seen: &str,
) -> Result<Option<Answer>, Error> {
    let tag = over(site, store, wanted)?.filter(|tag| is_among(Some(seen), tag));
    let empty =
        |tag| Answer { tag: Some(tag), lasting: wanted.form.is_drawn(), ..Answer::plain(StatusCode::OK, "") };
    Ok(tag.map(empty))
}

/// The ETag of a finished board, made from its data; `None` for a board in play. Each start of the server changes it,
/// because the templates can differ.
fn over(site: &Site, store: &Store, wanted: &Wanted<'_>) -> Result<Option<String>, Error> {
    let Wanted { game, number, ply, form, flip } = wanted;
    let sources = store.over(*number, game.key)?;
    Ok(sources.map(|sources| {
        answer::tag(format!("{} {sources} {ply:?} {form:?} {flip}", site.first_seed).as_bytes())
    }))
}

/// The ratings of both players in whole points: before the board and, if it is over, after it.
pub(super) fn ratings(store: &Store, row: &BoardRow) -> Result<[[Option<i64>; 2]; 2], Error> {
    let rating = |player| {
        let (before, after) = match row.to_move {
            Some(_) => (store.rating(&row.game, player)?.map(|row| row.rating), None),
            None => store.rating_around(row.id, player)?.unzip(),
        };
        Ok::<_, Error>((before.map(whole_points), after.map(whole_points)))
    };
    let [first, second] = row.players;
    let [first, second] = [rating(first)?, rating(second)?];
    Ok([[first.0, second.0], [first.1, second.1]])
}

/// What the strips of both players next to the board show.
pub(super) fn strips(store: &Store, row: &BoardRow, look: &Look, scene: &Scene) -> Result<[Value; 2], Error> {
    let [before, after] = ratings(store, row)?;
    Ok(Seat::BOTH.map(|seat| {
        let captured = seat.of(&look.captured);
        context! {
            rating => seat.of(&before),
            then => seat.of(&after),
            colour => seat.of(&scene.colours).to_string(),
            holds => seat.of(&scene.holds),
            things => scene.row_of(&captured.things, &format!("captured: {}", captured.words)),
            captured => &captured.words,
            lead => captured.lead,
        }
    }))
}

/// The time control in a few words: `21 days a move`.
pub(super) fn pace(days: TimeControl) -> String {
    match (days.bank, days.forfeit) {
        (Some(bank), _) => format!("{} for all moves", in_words(i64::from(bank.hours) * 3_600)),
        (None, 0) => "no time limit".to_owned(),
        (None, 1) => "a day a move".to_owned(),
        (None, forfeit) => format!("{forfeit} days a move"),
    }
}

/// The HTML of every position of a board, from the start on.
fn pages(site: &Site, store: &Store, number: BoardId, flip: bool) -> Result<Vec<String>, Error> {
    let made = kept_analysis(store, number)?;
    let page = |look: Look| {
        let look = if flip { look.flipped() } else { look };
        Ok(site.templates.render("web/step.html", shown(site, store, &look, made.as_ref(), flip)?)?)
    };
    looks(store, number, STEPS)?.into_iter().map(page).collect()
}

/// The most plies that a page can step through without a new request.
const STEPS: u32 = 400;

/// The template context of a board's page.
fn shown(
    site: &Site,
    store: &Store,
    look: &Look,
    made: Option<&Analysis>,
    flip: bool,
) -> Result<Value, Error> {
    let view = &look.view;
    let last = look.plies.len();
    let at = view.plies as usize;
    let table = table(&look.scene, look.kind.seats);
    let number = BoardId(view.board);
    let row = store.board(number)?;
    let strips = row.as_ref().map(|row| strips(store, row, look, &look.scene)).transpose()?;
    let pace = row.as_ref().map(|row| pace(row.days));
    let is_over = row.is_some_and(|row| row.state == BoardState::Finished);
    let made = made.filter(|_| is_over);
    let home = format!("/{}/{number}", look.kind.key);
    let flipped = [(!flip).then(|| "flip".to_owned()), (at != last).then(|| format!("ply={at}"))];
    let flipped: Vec<String> = flipped.into_iter().flatten().collect();
    let flipped = if flipped.is_empty() { home.clone() } else { format!("{home}?{}", flipped.join("&")) };
    // The address of a ply, without its number.
    let ply_at = format!("{home}?{}ply=", if flip { "flip&" } else { "" });
    let shown_notes = if is_over { store.shown_notes(number)? } else { Vec::new() };
    let shown_notes = shown_notes.into_iter().map(|note| {
        let by = store.player_by_id(note.player)?.userid.to_string();
        Ok::<_, Error>(context! { by, ply => note.ply.0, text => note.text })
    });
    let shown_notes = shown_notes.collect::<Result<Vec<Value>, Error>>()?;
    let analysis = made.map(|made| analysis::shown(made, look, &ply_at, at));
    let svg = look.scene.svg(Theme::Page, &look.sentence(), |_| Choice::default());
    Ok(context! {
        v => Value::from(Serde(view)),
        moves => moves(&look.plies, at, &|ply| {
            match (ply == last, flip) {
                (true, false) => home.clone(),
                (true, true) => format!("{home}?flip"),
                (false, false) => format!("?ply={ply}"),
                (false, true) => format!("?flip&ply={ply}"),
            }
        }),
        you => Value::from(()),
        past => view.past,
        // The side that is seen below comes last.
        order => if flip { [0, 1] } else { [1, 0] },
        stay => &home,
        sentence => look.sentence(),
        moved => view.last.last().map(|ply| Value::from(Serde(ply))),
        fell => fell(&look.scene),
        notes => notes(&look.scene),
        legend => look.scene.legend(),
        may_analyse => is_over && last > 0 && site.robot.is_some() && turnpost_robot::find(look.kind.key).is_some(),
        url => &site.url,
        study => format!("{home}/study?ply={at}"),
        now => (site.now)().as_second(),
        zone => "UTC",
        svg, table, at, last, strips, pace, analysis, flip, flipped, ply_at, shown_notes,
    })
}

/// The spaces from which the last move removed pieces.
pub(super) fn fell(scene: &Scene) -> Vec<Value> {
    scene.spaces.iter().filter(|space| space.fell).map(|space| Value::from(space.name.as_str())).collect()
}

/// Facts that neither the picture nor the strips show.
pub(super) fn notes(scene: &Scene) -> Vec<String> {
    let is_in_a_strip =
        |note: &&String| scene.holds.iter().any(|holds| !holds.is_empty() && note.ends_with(holds));
    scene.notes.iter().filter(|note| !is_in_a_strip(note)).cloned().collect()
}

/// The board as rows of spaces, each with its name and its content in words.
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
    let events = store.events(BoardId(look.view.board))?;
    for event in events.iter().rev() {
        let Some(ply) = event.ply else { continue };
        if look.plies.iter().any(|shown| shown.ply == ply.0 && shown.text == event.text) {
            entries.push(context! { ply => ply.0, text => &event.text, at => event.at.to_string() });
        }
        if entries.len() == FED {
            break;
        }
    }
    // The feed of a board without plies was last updated when the board started.
    let start = events.first().map(|event| Value::from(event.at.to_string()));
    let updated = entries.first().map(|entry| entry.get_attr("at")).transpose()?.or(start);
    let context = context! { v => Value::from(Serde(&look.view)), url => &site.url, entries, updated };
    let text = site.templates.render("web/board.atom.html", context)?;
    Ok(Answer::of(AnswerKind::Atom, text))
}

/// The most plies of a feed.
const FED: usize = 20;

/// A board for programs.
#[derive(Serialize, JsonSchema)]
pub(super) struct BoardPage<'a> {
    board: u32,
    game: &'a str,
    players: &'a [String; 2],
    sides: [&'a str; 2],
    ply: u32,
    turn: Option<usize>,
    result: Option<&'a str>,
    winner: Option<usize>,
    /// Points of both seats.
    score: Option<[u16; 2]>,
    rated: bool,
    /// The name of the event or season that it belongs to.
    contest: Option<&'a str>,
    /// When the player to move forfeits, in seconds since 1970.
    deadline: Option<i64>,
    /// The time control in words.
    time: &'a str,
    bank: Option<Bank>,
    /// What both players have left of the time for all moves, in seconds.
    left: Option<[i64; 2]>,
    sentence: String,
    drawing: &'a str,
    plies: Vec<&'a str>,
    /// Whole points of both players, on a finished board those before it.
    ratings: [Option<i64>; 2],
    /// The robot's view of a game that is over, after a player asked for it.
    analysis: Option<Analysis>,
}

fn json(store: &Store, look: &Look) -> Result<Answer, Error> {
    let view = &look.view;
    let number = BoardId(view.board);
    let row = store.board(number)?;
    Ok(Answer::json(&BoardPage {
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
        contest: view.contest.as_deref(),
        deadline: view.deadline,
        time: &view.time,
        bank: view.bank,
        left: view.left,
        sentence: look.sentence(),
        drawing: &view.drawing,
        plies: look.plies.iter().map(|ply| ply.text.as_str()).collect(),
        ratings: row.as_ref().map(|row| ratings(store, row)).transpose()?.unwrap_or_default()[0],
        analysis: kept_analysis(store, number)?,
    }))
}
