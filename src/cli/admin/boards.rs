//! Tables of boards.

use serde_json::{Value, json};

use super::tables::{Format, ROWS_AT_MOST, account, minute, pretty, table};
use crate::cli::Instance;
use crate::clock;
use crate::command::token::option;
use crate::error::HostError;
use crate::ids::{BoardId, Ply, Seat, Userid, Which};
use crate::reply;
use crate::service::board::{Board, Terms};
use crate::service::view::{board_view, game_row, names};
use crate::store::{BoardFilter, BoardRow, EventRow, Store};
use turnpost_games::registry;

pub(super) fn boards(
    store: &Store,
    player: Option<&Userid>,
    which: Which,
    format: Format,
) -> Result<String, HostError> {
    let player = match player {
        Some(userid) => Some(account(store, userid)?.id),
        None => None,
    };
    let limit = if format == Format::Json { u32::MAX } else { ROWS_AT_MOST };
    let rows = store.boards(&BoardFilter { game: None, player, which, limit, before: None })?;
    if format == Format::Json {
        let rows = rows.iter().map(|row| summary(store, row)).collect::<Result<Vec<_>, _>>()?;
        return Ok(pretty(&Value::Array(rows)));
    }
    let mut table = table(&["board", "game", "plies", "first", "second", "state", "changed"]);
    for row in &rows {
        let game = game_row(store, row, sides(row))?;
        let [first, second] = game.players;
        table.add_row([
            row.id.to_string(),
            row.game.clone(),
            row.plies.to_string(),
            first,
            second,
            game.status,
            minute(row.changed_at),
        ]);
    }
    Ok(table.to_string())
}

pub(super) fn board(
    server: &Instance,
    id: BoardId,
    ply: Option<Ply>,
    format: Format,
) -> Result<String, HostError> {
    let store = &server.store;
    let stands =
        Board::load(store, id)?.ok_or_else(|| HostError::Asked(format!("there is no board {id}")))?;
    let events = store.events(id)?;
    if let Some(ply) = ply.filter(|ply| *ply > stands.row.plies) {
        return Err(HostError::Asked(format!("board {id} has {} plies, and no ply {ply}", stands.row.plies)));
    }
    let board = match ply {
        Some(ply) => Board::past(id, &events, ply).map_err(crate::service::Error::from)?,
        None => stands,
    };
    if format == Format::Json {
        return Ok(pretty(&whole(store, &board, &events)?));
    }
    let mut view = board_view(store, &board)?;
    view.past = ply.is_some();
    let mut text = reply::board(&server.app.templates, &view, clock::now())?;
    text.push_str(&format!(
        "\nposition {}\n{}",
        board.row.position,
        events.first().map(terms).unwrap_or_default()
    ));
    let mut table = table(&["event", "kind", "ply", "seat", "what", "at"]);
    for event in &events {
        table.add_row([
            event.number.to_string(),
            event.kind.as_str().to_owned(),
            event.ply.map(|ply| ply.to_string()).unwrap_or_default(),
            event.seat.map(|seat| board.kind.seat(seat).to_owned()).unwrap_or_default(),
            if event.number == 1 { String::new() } else { event.text.clone() },
            minute(event.at),
        ]);
    }
    text.push_str(&format!("\n{table}"));
    Ok(text)
}

/// The terms a board was started on, for people.
fn terms(start: &EventRow) -> String {
    let Ok(terms) = serde_json::from_str::<Terms>(&start.text) else { return String::new() };
    let options: Vec<String> =
        terms.options.iter().map(|(name, value)| option(name, value.as_deref())).collect();
    format!(
        "options  {}\nseed     {}\nrated    {}\ndays     nag {}, forfeit {}, total {} (0: never)\n",
        if options.is_empty() { "none".to_owned() } else { options.join(" ") },
        terms.seed,
        if terms.imported.is_some() {
            "no: loaded from a record".to_owned()
        } else {
            terms.rated.to_string()
        },
        terms.days.nag,
        terms.days.forfeit,
        terms.days.total,
    )
}

/// A board as JSON, as in lists.
pub(super) fn summary(store: &Store, row: &BoardRow) -> Result<Value, HostError> {
    let [first, second] = names(store, &row.players)?;
    let sides = sides(row);
    Ok(json!({
        "board": row.id,
        "game": row.game,
        "players": [first, second],
        "sides": sides,
        "state": row.state.as_str(),
        "to_move": row.to_move.map(|seat| seat.of(&sides)),
        "ply": row.plies,
        "position": row.position,
        "rated": row.rated,
        "result": row.result.as_ref().map(|result| json!({
            "ending": result.ending.as_str(),
            "winner": result.winner.map(|seat| seat.of(&sides)),
            "score": result.score,
            "how": result.how,
        })),
        "started_at": row.started_at.to_string(),
        "changed_at": row.changed_at.to_string(),
        "deadline_at": row.deadline_at.map(|at| at.to_string()),
    }))
}

fn whole(store: &Store, board: &Board, events: &[EventRow]) -> Result<Value, HostError> {
    let mut whole = summary(store, &board.row)?;
    let plies: Vec<Value> = store
        .plies(board.row.id, Ply(1), board.row.plies)?
        .iter()
        .map(|ply| {
            json!({ "ply": ply.ply, "seat": board.kind.seat(ply.seat), "move": ply.text, "at": ply.at.to_string() })
        })
        .collect();
    let events: Vec<Value> = events
        .iter()
        .map(|event| {
            // The terms of a start are JSON already.
            let terms = serde_json::from_str::<Value>(&event.text).ok().filter(|_| event.number == 1);
            json!({
                "event": event.number,
                "kind": event.kind.as_str(),
                "ply": event.ply,
                "seat": event.seat.map(|seat| board.kind.seat(seat)),
                "text": terms.unwrap_or_else(|| Value::String(event.text.clone())),
                "at": event.at.to_string(),
            })
        })
        .collect();
    if let Some(fields) = whole.as_object_mut() {
        fields.insert("plies".into(), plies.into());
        fields.insert("events".into(), events.into());
    }
    Ok(whole)
}

fn sides(row: &BoardRow) -> [&'static str; 2] {
    registry::find(&row.game).map_or(["first", "second"], |kind| Seat::BOTH.map(|seat| kind.seat(seat)))
}
