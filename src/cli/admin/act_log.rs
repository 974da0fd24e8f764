//! `turnpost admin log`: who did what, when and why.

use serde_json::{Value, json};

use super::listing::{Column, ListFilter, ListLine, Output, Rows};
use super::tables::minute;
use crate::error::HostError;
use crate::store::{ActRow, PlayerId, RowFilter, Store};

const ACTS: &[Column] = &[Column("act", 9), Column("at", 16), Column("by", 24), Column("what, and why", 700)];

pub(super) fn log(store: &Store, whose: &ListFilter, output: &Output) -> Result<(), HostError> {
    let mut rows = Rows::new(output, ACTS)?;
    // A board may have gone since.
    let about = RowFilter { player: whose.player(store)?, board: whose.board };
    store.each_act(about, |act| {
        let cells = vec![act.number.to_string(), minute(act.at), act.os_user.clone(), what(&act)];
        rows.add(ListLine { at: Some(act.at), cells, json: as_json(&act) })
    })?;
    rows.end("no acts")
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

/// `undo, board 12, ply 17`, and below it the reason.
fn what(row: &ActRow) -> String {
    let act = &row.act;
    let mut what = vec![act.kind.to_string()];
    what.extend(act.board.map(|board| format!("board {board}")));
    what.extend(act.mail.map(|mail| format!("mail {mail}")));
    what.extend(act.player.map(|PlayerId(number)| format!("player {number}")));
    what.extend(act.other.map(|PlayerId(number)| format!("other player {number}")));
    what.extend(Some(act.detail.clone()).filter(|detail| !detail.is_empty()));
    format!("{}\n{}", what.join(", "), row.reason).trim_end().to_owned()
}
