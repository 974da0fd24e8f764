//! `turnpost admin log`: who did what, when and why.

use clap::Args;
use jiff::Timestamp;
use serde_json::{Value, json};

use super::tables::{account, minute, pretty};
use crate::error::HostError;
use crate::ids::{BoardId, Userid};
use crate::store::{ActFilter, ActRow, PlayerId, Store};

/// The widest line.
const WIDTH: usize = 80;

/// The longest list of lines for people.
const ROWS_AT_MOST: u32 = 200;

#[derive(Args)]
pub(crate) struct LogArgs {
    /// Only what was done to this player
    #[arg(long, value_name = "USERID")]
    user: Option<Userid>,
    /// Only what was done on this board
    #[arg(long, value_name = "NUMBER")]
    board: Option<BoardId>,
    /// Only since this instant, such as 2027-01-31T00:00:00Z
    #[arg(long, value_name = "INSTANT")]
    since: Option<Timestamp>,
    /// At most so many, the newest
    #[arg(long, value_name = "N")]
    limit: Option<u32>,
    /// As JSON, for programs
    #[arg(long)]
    json: bool,
}

pub(super) fn log(store: &Store, args: &LogArgs) -> Result<String, HostError> {
    let player = match &args.user {
        Some(userid) => Some(account(store, userid)?.id),
        None => None,
    };
    let most = args.limit.or((!args.json).then_some(ROWS_AT_MOST));
    // One more tells whether the list is cut.
    let limit = most.map(|most| most.saturating_add(1));
    let mut acts = store.acts(&ActFilter { player, board: args.board, since: args.since, limit })?;
    let cut = most.is_some_and(|most| acts.len() > most as usize);
    acts.truncate(most.map_or(usize::MAX, |most| most as usize));
    if args.json {
        return Ok(pretty(&Value::Array(acts.iter().map(as_json).collect())));
    }
    if acts.is_empty() {
        return Ok("No acts.".to_owned());
    }
    let mut lines: Vec<String> = acts.iter().flat_map(lines_of).collect();
    if cut {
        lines.push(format!("The newest {}; there are more: --limit or --json.", acts.len()));
    }
    Ok(lines.join("\n"))
}

fn as_json(row: &ActRow) -> Value {
    json!({
        "act": row.number,
        "at": row.at.to_string(),
        "os_user": row.os_user,
        "what": row.act.kind.as_str(),
        "board": row.act.board,
        "mail": row.act.mail,
        "player": row.act.player.map(|PlayerId(number)| number),
        "other": row.act.other.map(|PlayerId(number)| number),
        "detail": row.act.detail,
        "reason": row.reason,
    })
}

/// `7  2027-01-31 10:00  root  undo, board 12, ply 17`, and below it the reason.
fn lines_of(row: &ActRow) -> Vec<String> {
    let act = &row.act;
    let mut what = vec![act.kind.to_string()];
    what.extend(act.board.map(|board| format!("board {board}")));
    what.extend(act.mail.map(|mail| format!("mail {mail}")));
    what.extend(act.player.map(|PlayerId(number)| format!("player {number}")));
    what.extend(act.other.map(|PlayerId(number)| format!("other player {number}")));
    what.extend(Some(act.detail.clone()).filter(|detail| !detail.is_empty()));
    let head = format!("{}  {}  {}  {}", row.number, minute(row.at), row.os_user, what.join(", "));
    let mut lines = folded(&head, 0);
    lines.extend(folded(&row.reason, 4));
    lines
}

/// The words of a text in lines of the list's width, `indent` blanks before each.
fn folded(text: &str, indent: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split(' ').filter(|_| !text.is_empty()) {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= WIDTH => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(format!("{}{word}", " ".repeat(if lines.is_empty() { indent } else { 4 }))),
        }
    }
    lines
}
