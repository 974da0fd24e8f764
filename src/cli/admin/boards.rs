//! `turnpost admin boards`, `turnpost admin board`: which boards wait, which are due, how a game went.

use jiff::Timestamp;
use serde_json::{Value, json};

use super::listing::{AgeLimit, Column, ListFilter, ListLine, Narrowed, Output, Rows, field, table};
use super::tables::{day, minute, pretty};
use crate::board::{Board, Terms, names};
use crate::cli::{Instance, print};
use crate::error::HostError;
use crate::ids::{BoardId, Ply, Seat, Which};
use crate::language::token::option;
use crate::notices::view::{board_view, game_row};
use crate::store::{BoardOrder, BoardRow, EventRow, PlyRow, Store};
use crate::{clock, compose};
use turnpost_games::registry;

pub(super) const BOARDS: &[Column] = &[
    Column("board", 8),
    Column("game", 10),
    Column("plies", 5),
    Column("changed", 10),
    Column("players", 20),
    Column("how it stands", 120),
];

const WAITING: &[Column] = &[
    Column("board", 8),
    Column("game", 10),
    Column("plies", 5),
    Column("waits for", 20),
    Column("since", 10),
    Column("until", 16),
];

#[derive(Debug, clap::Args)]
pub(crate) struct BoardChoice {
    #[command(flatten)]
    whose: ListFilter,
    #[command(flatten)]
    narrowed: Narrowed,
    /// Only boards in play
    #[arg(long)]
    running: bool,
    /// Only boards that are over
    #[arg(long, conflicts_with = "running")]
    finished: bool,
    /// Only boards in play, the longest without an event first
    #[arg(long, conflicts_with_all = ["running", "finished"])]
    waiting: bool,
    /// Only boards whose deadline is within AGE (2d, 12h), soonest first
    #[arg(long, value_name = "AGE", conflicts_with_all = ["running", "finished", "waiting"])]
    due: Option<AgeLimit>,
    #[command(flatten)]
    output: Output,
}

impl BoardChoice {
    fn order(&self) -> BoardOrder {
        if let Some(AgeLimit(within)) = self.due {
            let until = clock::now().checked_add(within).unwrap_or(Timestamp::MAX);
            return BoardOrder::DueBefore(until);
        }
        match (self.waiting || self.narrowed.dormant.is_some(), self.running, self.finished) {
            (true, _, _) => BoardOrder::Waiting,
            (_, true, _) => BoardOrder::Newest(Which::Active),
            (_, _, true) => BoardOrder::Newest(Which::Inactive),
            _ => BoardOrder::Newest(Which::All),
        }
    }
}

pub(super) fn boards(store: &Store, chosen: &BoardChoice) -> Result<(), HostError> {
    let about = chosen.whose.about(store)?;
    let order = chosen.order();
    let is_newest = matches!(order, BoardOrder::Newest(_));
    let mut rows = Rows::new(&chosen.output, if is_newest { BOARDS } else { WAITING })?;
    let (since, most) = (rows.since, rows.wanted());
    store.each_board((about, chosen.narrowed.choice()), order, since, most, |row| {
        let cells = if is_newest { board_line(store, &row)? } else { waiting_line(store, &row)? };
        let at = is_newest.then_some(row.started_at);
        rows.add(ListLine { at, cells, json: summary(store, &row)? })
    })?;
    rows.end("no boards")
}

pub(super) fn board_line(store: &Store, row: &BoardRow) -> Result<Vec<String>, HostError> {
    let game = game_row(store, row, sides(row))?;
    Ok(vec![
        row.id.to_string(),
        row.game.clone(),
        row.plies.to_string(),
        day(row.changed_at),
        game.players.join("\n"),
        game.status,
    ])
}

fn waiting_line(store: &Store, row: &BoardRow) -> Result<Vec<String>, HostError> {
    let players = names(store, &row.players)?;
    Ok(vec![
        row.id.to_string(),
        row.game.clone(),
        row.plies.to_string(),
        row.to_move.map(|seat| seat.of(&players).clone()).unwrap_or_default(),
        day(row.changed_at),
        row.deadline_at.map_or_else(|| "for ever".to_owned(), minute),
    ])
}

const EVENTS: &[Column] = &[
    Column("event", 5),
    Column("kind", 12),
    Column("ply", 4),
    Column("seat", 10),
    Column("at", 16),
    Column("what", 200),
];

pub(super) fn board(
    server: &Instance,
    id: BoardId,
    ply: Option<Ply>,
    output: &Output,
) -> Result<(), HostError> {
    let store = &server.store;
    let stands =
        Board::load(store, id)?.ok_or_else(|| HostError::Asked(format!("there is no board {id}")))?;
    let events = store.events(id)?;
    if let Some(ply) = ply.filter(|ply| *ply > stands.row.plies) {
        return Err(HostError::Asked(format!(
            "board {id} has {} moves, and no move {ply}",
            stands.row.plies
        )));
    }
    let board = match ply {
        Some(ply) => Board::past(id, &events, ply).map_err(crate::failure::Error::from)?,
        None => stands,
    };
    if output.json {
        return print(&pretty(&whole(store, &board, &events)?));
    }
    let mut view = board_view(store, &board)?;
    view.past = ply.is_some();
    let mut text = compose::board(&server.app.templates, &view, clock::now())?;
    text.push('\n');
    field(&mut text, "position", &board.row.position);
    if let Some(start) = events.first() {
        terms(&mut text, start);
    }
    let lines = events.iter().map(|event| {
        vec![
            event.number.to_string(),
            event.kind.as_str().to_owned(),
            event.ply.map(|ply| ply.to_string()).unwrap_or_default(),
            event.seat.map(|seat| board.kind.seat(seat).to_owned()).unwrap_or_default(),
            minute(event.at),
            if event.number == 1 { String::new() } else { event.text.clone() },
        ]
    });
    text.push_str(&format!("\n{}", table(EVENTS, lines.collect())));
    print(text.trim_end())
}

fn terms(page: &mut String, start: &EventRow) {
    let Ok(terms) = serde_json::from_str::<Terms>(&start.text) else { return };
    let options: Vec<String> =
        terms.options.iter().map(|(name, value)| option(name, value.as_deref())).collect();
    let days = &terms.days;
    let rated = terms.rated.to_string();
    let bank = days.bank.map_or("none".to_owned(), |bank| bank.to_string());
    field(page, "options", &if options.is_empty() { "none".to_owned() } else { options.join(" ") });
    field(page, "seed", &terms.seed.to_string());
    field(page, "rated", terms.imported.as_ref().map_or(&rated, |_| "no: loaded from a record"));
    field(page, "days", &format!("{days} (0: never)"));
    field(page, "clock", &bank);
}

/// A board as JSON, without its plies and events.
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
    let ply = |ply: &PlyRow| json!({ "ply": ply.ply, "seat": ply.seat.map(|seat| board.kind.seat(seat)), "move": ply.text, "at": ply.at.to_string() });
    whole["plies"] = store.plies(board.row.id, Ply(1), board.row.plies)?.iter().map(ply).collect();
    whole["events"] = events
        .iter()
        .map(|event| {
            // The text of the first event is JSON.
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
    Ok(whole)
}

fn sides(row: &BoardRow) -> [&'static str; 2] {
    registry::find(&row.game).map_or(["first", "second"], |kind| Seat::BOTH.map(|seat| kind.seat(seat)))
}
