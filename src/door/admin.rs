//! `turnpost admin`: looking at what is stored, as tables for people or JSON for programs.

use comfy_table::presets::NOTHING;
use comfy_table::{ContentArrangement, Table};
use jiff::Timestamp;
use serde_json::{Value, json};

use super::{DoorError, Server};
use crate::game::registry;
use crate::ids::{BoardId, Ply, Seat, Userid, Which};
use crate::reply;
use crate::service::board::{Board, Terms};
use crate::service::view::{board_view, game_row, names};
use crate::store::{AddressRow, BoardFilter, BoardRow, EventRow, Role, Store};

/// Tables show no more rows; JSON shows all that were asked for.
const ROWS_AT_MOST: u32 = 200;

/// A list as an administrator asked for it.
#[derive(Debug)]
pub enum Listing {
    /// All boards, the newest first.
    Boards {
        /// Those of one player.
        player: Option<Userid>,
        /// Those in play or those that are over.
        which: Which,
    },
    /// One board, as it stands or as it stood.
    Board(BoardId, Option<Ply>),
    /// All accounts.
    Users,
    /// One account.
    User(Userid),
    /// The latest letters.
    Letters,
    /// The latest mails.
    Outbox,
}

/// Gives an account a role, or takes it.
///
/// # Errors
/// When the store fails, or there is no such player.
pub fn set_role(server: &Server, userid: &Userid, role: Role) -> Result<String, DoorError> {
    let account = account(&server.store, userid)?;
    if account.state == "deleted" {
        return Err(DoorError::Asked(format!("{} has deleted the account", account.userid)));
    }
    server.store.set_role(account.id, role)?;
    let what = match role {
        Role::Organiser => "is an organiser: challenges for others, and may write to all players",
        Role::Player => "is a player like others",
    };
    Ok(format!("{} {what}", account.userid))
}

/// Prints a listing.
///
/// # Errors
/// When the store fails, or there is no such board or player.
pub fn list(server: &Server, listing: &Listing, as_json: bool) -> Result<String, DoorError> {
    let store = &server.store;
    Ok(match listing {
        Listing::Boards { player, which } => boards(store, player.as_ref(), *which, as_json)?,
        Listing::Board(id, ply) => board(server, *id, *ply, as_json)?,
        Listing::Users => users(store, as_json)?,
        Listing::User(userid) => user(store, userid, as_json)?,
        Listing::Letters => letters(store, as_json)?,
        Listing::Outbox => outbox(store, as_json)?,
    })
}

fn boards(store: &Store, player: Option<&Userid>, which: Which, as_json: bool) -> Result<String, DoorError> {
    let player = match player {
        Some(userid) => Some(account(store, userid)?.id),
        None => None,
    };
    let limit = if as_json { u32::MAX } else { ROWS_AT_MOST };
    let rows = store.boards(&BoardFilter { game: None, player, which, limit, before: None })?;
    if as_json {
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

fn board(server: &Server, id: BoardId, ply: Option<Ply>, as_json: bool) -> Result<String, DoorError> {
    let store = &server.store;
    let stands =
        Board::load(store, id)?.ok_or_else(|| DoorError::Asked(format!("there is no board {id}")))?;
    let events = store.events(id)?;
    if let Some(ply) = ply.filter(|ply| *ply > stands.row.plies) {
        return Err(DoorError::Asked(format!("board {id} has {} plies, and no ply {ply}", stands.row.plies)));
    }
    let board = match ply {
        Some(ply) => Board::past(id, &events, ply).map_err(crate::service::Failure::from)?,
        None => stands,
    };
    if as_json {
        return Ok(pretty(&whole(store, &board, &events)?));
    }
    let mut view = board_view(store, &board)?;
    view.past = ply.is_some();
    let mut text = reply::board(&server.house, &view)?;
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

/// What a board was started on, for people.
fn terms(start: &EventRow) -> String {
    let Ok(terms) = serde_json::from_str::<Terms>(&start.text) else { return String::new() };
    let options: Vec<String> = terms
        .options
        .iter()
        .map(|(name, value)| match value {
            Some(value) => format!("-{name}={value}"),
            None => format!("-{name}"),
        })
        .collect();
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

/// A board as the lists have it, for programs.
fn summary(store: &Store, row: &BoardRow) -> Result<Value, DoorError> {
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

fn whole(store: &Store, board: &Board, events: &[EventRow]) -> Result<Value, DoorError> {
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

fn users(store: &Store, as_json: bool) -> Result<String, DoorError> {
    let mut table = table(&["userid", "state", "since", "addresses"]);
    let mut list = Vec::new();
    for account in store.players()? {
        let addresses: Vec<String> =
            store.addresses(account.id)?.into_iter().map(|row| row.address).collect();
        let mut shown = Vec::new();
        for row in store.addresses(account.id)? {
            shown.push(format!("{}{}", row.address, standing(store, &row)?));
        }
        list.push(json!({
            "userid": account.userid,
            "state": account.state,
            "zone": account.zone,
            "since": account.created_at.to_string(),
            "addresses": addresses,
        }));
        table.add_row([
            account.userid.to_string(),
            account.state,
            minute(account.created_at),
            shown.join(" "),
        ]);
    }
    Ok(if as_json { pretty(&Value::Array(list)) } else { table.to_string() })
}

fn user(store: &Store, userid: &Userid, as_json: bool) -> Result<String, DoorError> {
    let account = account(store, userid)?;
    let filter = BoardFilter {
        game: None,
        player: Some(account.id),
        which: Which::All,
        limit: ROWS_AT_MOST,
        before: None,
    };
    let rows = store.boards(&filter)?;
    let addresses = store.addresses(account.id)?;
    if as_json {
        let boards = rows.iter().map(|row| summary(store, row)).collect::<Result<Vec<_>, _>>()?;
        let addresses: Vec<Value> = addresses
            .iter()
            .map(|row| {
                let bounces = store.bounces(&row.address)?.map_or(0, |bounces| bounces.count);
                Ok(json!({
                    "address": row.address,
                    "confirmed_at": row.confirmed_at.map(|at| at.to_string()),
                    "came_back": bounces,
                    "stopped_at": row.stopped_at.map(|at| at.to_string()),
                }))
            })
            .collect::<Result<_, DoorError>>()?;
        return Ok(pretty(&json!({
            "userid": account.userid,
            "state": account.state,
            "zone": account.zone,
            "since": account.created_at.to_string(),
            "addresses": addresses,
            "boards": boards,
        })));
    }
    let mut text = format!(
        "userid     {}\nstate      {}\nzone       {}\nsince      {}\n",
        account.userid,
        account.state,
        account.zone,
        minute(account.created_at)
    );
    for row in addresses {
        text.push_str(&format!("address    {}{}\n", row.address, standing(store, &row)?));
    }
    text.push('\n');
    text.push_str(&boards(store, Some(userid), Which::All, false)?);
    Ok(text)
}

/// What is to be said of an address; nothing where mail goes there and arrives.
fn standing(store: &Store, row: &AddressRow) -> Result<String, DoorError> {
    Ok(match (store.bounces(&row.address)?, row.stopped_at, row.confirmed_at) {
        (Some(stop), Some(at), _) if stop.is_unwanted() => format!(" (unwanted, stopped {})", minute(at)),
        (_, Some(at), _) => format!(" (mail came back, stopped {})", minute(at)),
        (_, None, None) => " (not confirmed)".to_owned(),
        (Some(bounces), None, Some(_)) => {
            format!(" (came back {}x, last {})", bounces.count, minute(bounces.last_at))
        }
        (None, None, Some(_)) => String::new(),
    })
}

fn letters(store: &Store, as_json: bool) -> Result<String, DoorError> {
    let mut table =
        table(&["letter", "at", "door", "from", "for", "done", "refused", "unreadable", "commands"]);
    let mut list = Vec::new();
    for letter in store.letters(ROWS_AT_MOST)? {
        let player = match letter.player {
            Some(player) => Some(store.player_by_id(player)?.userid),
            None => None,
        };
        list.push(json!({
            "letter": letter.id,
            "at": letter.received_at.to_string(),
            "door": letter.door,
            "sender": letter.sender,
            "player": player,
            "done": letter.tally.done,
            "refused": letter.tally.refused,
            "unreadable": letter.tally.unreadable,
            "commands": letter.commands.lines().collect::<Vec<_>>(),
        }));
        table.add_row([
            letter.id.to_string(),
            minute(letter.received_at),
            letter.door,
            letter.sender.unwrap_or_default(),
            player.map(|player| player.to_string()).unwrap_or_default(),
            letter.tally.done.to_string(),
            letter.tally.refused.to_string(),
            letter.tally.unreadable.to_string(),
            letter.commands,
        ]);
    }
    Ok(if as_json { pretty(&Value::Array(list)) } else { table.to_string() })
}

fn outbox(store: &Store, as_json: bool) -> Result<String, DoorError> {
    let mut table = table(&["mail", "board", "to", "state", "tries", "written", "last error"]);
    let mut list = Vec::new();
    for mail in store.outbox(ROWS_AT_MOST)? {
        list.push(json!({
            "mail": mail.id,
            "board": mail.board,
            "to": mail.recipient,
            "message_id": mail.message_id,
            "state": mail.state,
            "attempts": mail.attempts,
            "created_at": mail.created_at.to_string(),
            "due_at": mail.due_at.to_string(),
            "last_error": mail.last_error,
        }));
        table.add_row([
            mail.id.to_string(),
            mail.board.map(|board| board.to_string()).unwrap_or_default(),
            mail.recipient,
            mail.state,
            mail.attempts.to_string(),
            minute(mail.created_at),
            mail.last_error.unwrap_or_default(),
        ]);
    }
    Ok(if as_json { pretty(&Value::Array(list)) } else { table.to_string() })
}

fn account(store: &Store, userid: &Userid) -> Result<crate::store::Account, DoorError> {
    store.player(userid)?.ok_or_else(|| DoorError::Asked(format!("there is no player {userid}")))
}

fn sides(row: &BoardRow) -> [&'static str; 2] {
    registry::find(&row.game).map_or(["first", "second"], |kind| Seat::BOTH.map(|seat| kind.seat(seat)))
}

fn table(head: &[&str]) -> Table {
    let mut table = Table::new();
    table.load_style(NOTHING).set_content_arrangement(ContentArrangement::Dynamic).set_width(100);
    table.set_header(head.iter().copied());
    table
}

fn minute(at: Timestamp) -> String {
    at.strftime("%Y-%m-%d %H:%M").to_string()
}

fn pretty(value: &Value) -> String {
    serde_json::to_string_pretty(value).unwrap_or_default()
}
