//! Writes the record of a board.

use std::fmt::Write;

use turnpost_games::GameKind;

use crate::board::dice::DiceRecord;
use crate::board::interval::Stopped;
use crate::board::record::lines::{ascii, fold};
use crate::board::{Board, Replay, Terms, names, result_sentence};
use crate::failure::Error;
use crate::ids::Seat;
use crate::language::token::{option, quote};
use crate::store::{BoardRow, EventKind, EventRow, PlayerId, Store};

pub(crate) const HEAD: &str = "Turnpost game record 1";

pub(crate) const END: &str = "end";

pub fn write(store: &Store, board: &Board) -> Result<String, Error> {
    let events = store.events(board.row.id)?;
    let Some((start, rest)) = events.split_first() else { return Ok(String::new()) };
    let terms = Terms::of(start)?;
    let mut players = terms.players.map(PlayerId);
    let mut lines = header(store, board, &events, &terms)?;
    lines.push(String::new());
    // Replays the board, because a ply's line names its player only if another player was to move.
    let mut replayed = Replay::begin(board.row.id, start.clone())?;
    for event in rest {
        let row = &replayed.board.row;
        let mover = replayed.board.mover().map(|seat| *seat.of(&row.players));
        let reseated = reseated(event, &row.players);
        replayed.apply(event)?;
        match reseated {
            // Player ids mean nothing on another server, so the line names the player.
            Some((left, new)) => {
                let text = store.player_by_id(new)?.userid.to_string();
                let named = EventRow { player: None, text, ..event.clone() };
                lines.push(event_line(&named, mover, &players));
                replace(&mut players, left, new);
            }
            None => lines.push(event_line(event, mover, &players)),
        }
    }
    lines.push(END.to_owned());
    let mut text = String::new();
    for line in lines {
        fold(&line, &mut text);
    }
    Ok(text)
}

/// The player who leaves at a reseat, and the new one.
fn reseated(event: &EventRow, players: &[PlayerId; 2]) -> Option<(PlayerId, PlayerId)> {
    let (seat, new) = event.seat.zip(event.player).filter(|_| event.kind == EventKind::Reseat)?;
    Some((*seat.of(players), new))
}

/// Replaces the player `left` by `new`. Players are in the order of the start, even after a swap.
pub(crate) fn replace(players: &mut [PlayerId; 2], left: PlayerId, new: PlayerId) {
    players.iter_mut().filter(|player| **player == left).for_each(|player| *player = new);
}

fn header(store: &Store, board: &Board, events: &[EventRow], terms: &Terms) -> Result<Vec<String>, Error> {
    let row = &board.row;
    let [white, black] = names(store, &terms.players.map(PlayerId))?;
    let [first, second] = board.kind.seats;
    let from = terms.imported.as_ref().map(|imported| match imported.board {
        0 => " (loaded from plies)".to_owned(),
        board => format!(" (loaded from the record of a board {board})"),
    });
    let options: Vec<String> =
        terms.options.iter().map(|(name, value)| quote(&option(name, value.as_deref()))).collect();
    let rated = terms.imported.as_ref().map_or(terms.rated, |imported| imported.rated);
    let days = terms.days;
    let mut lines = vec![
        HEAD.to_owned(),
        format!("board: {}{}", row.id, from.unwrap_or_default()),
        format!("game: {}", board.kind.key),
        format!("players: {white} ({first}) v {black} ({second})"),
        format!("started: {} by {}", row.started_at, seat_word(events.first().and_then(|start| start.seat))),
    ];
    if row.result.is_some() {
        lines.push(format!("ended: {}", row.changed_at));
    }
    lines.push(format!("rated: {}", if rated { "yes" } else { "no" }));
    lines.push(format!("days: {days}"));
    if let Some(bank) = days.bank {
        lines.push(format!("clock: {bank}"));
    }
    if !options.is_empty() {
        lines.push(format!("options: {}", ascii(&options.join(" "))));
    }
    if board.kind.dice {
        let dice = DiceRecord::of(events);
        lines.extend(dice.hash.map(|(hash, _)| format!("dice: {hash}")));
    } else {
        let (name, seed) = terms.told_seed(row);
        lines.push(format!("{name}: {seed}"));
    }
    lines.push(format!("set-up: {}", if terms.from_position { "position" } else { "options" }));
    lines.push(format!("position: {}", terms.position));
    if let Some(more) = more(terms) {
        lines.push(format!("more: {}", ascii(&more)));
    }
    lines.push(format!("result: {}", result(store, row, board.kind)?));
    Ok(lines)
}

/// The terms that have no line of their own, as JSON.
fn more(terms: &Terms) -> Option<String> {
    let mut value = serde_json::to_value(terms).ok()?;
    let fields = value.as_object_mut()?;
    for known in
        ["game", "players", "options", "seed", "from_position", "position", "rated", "days", "imported"]
    {
        fields.remove(known);
    }
    if fields.is_empty() { None } else { Some(value.to_string()) }
}

/// The result as the record states it.
pub(crate) fn result(store: &Store, row: &BoardRow, kind: &GameKind) -> Result<String, Error> {
    let players = names(store, &row.players)?;
    Ok(result_sentence(row, &players, kind.seats).unwrap_or_else(|| "in play".to_owned()))
}

/// The text of an event without private data. A deadline event of an earlier version contains the player's zone.
fn public_text(event: &EventRow) -> String {
    match (event.kind, Stopped::read(&event.text)) {
        (EventKind::Deadline, Ok(stopped)) => stopped.write(),
        _ => event.text.clone(),
    }
}

fn event_line(event: &EventRow, mover: Option<PlayerId>, players: &[PlayerId; 2]) -> String {
    let by = match event.player {
        Some(player) if player == players[0] => "first",
        Some(player) if player == players[1] => "second",
        Some(_) | None => "server",
    };
    let mut line = String::new();
    match (event.kind, event.ply) {
        (EventKind::Ply, Some(ply)) => {
            let _ = write!(line, "{ply}. {} {}", quote(&event.text), event.at);
            if event.player != mover {
                let _ = write!(line, " {by}");
            }
        }
        (kind, ply) => {
            let _ = write!(line, "* {} {} by {by} at {}", kind.as_str(), seat_word(event.seat), event.at);
            if let Some(ply) = ply {
                let _ = write!(line, " ply {ply}");
            }
            if !event.text.is_empty() {
                let text = serde_json::Value::String(public_text(event)).to_string();
                let _ = write!(line, " {}", ascii(&text));
            }
        }
    }
    line
}

fn seat_word(seat: Option<Seat>) -> &'static str {
    match seat {
        Some(Seat::First) => "first",
        Some(Seat::Second) => "second",
        None => "server",
    }
}
