//! `turnpost admin log`, `reports`, `ban`, `contests`, `find`, `stats`, `compare`: the listings that one query answers.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::letters::message_id;
use super::listing::{Column, ListLine, Listing, Output, Rows};
use super::tables::{Whom, minute};
use crate::error::HostError;
use crate::ids::{address_key, mailbox};
use crate::store::{Store, questions};

/// Prints the rows of an answer. A column prints the key of its name.
fn list(
    rows: Vec<Value>,
    output: &Output,
    columns: &'static [Column],
    nothing: &str,
) -> Result<(), HostError> {
    let mut listed = Rows::new(output, columns)?;
    for json in rows {
        let cell = |column: &Column| match json.get(column.0.replace(' ', "_").replace(',', "")) {
            Some(Value::String(text)) => text.parse().map_or(text.clone(), minute),
            Some(Value::Null) | None => String::new(),
            Some(number) => number.to_string(),
        };
        let cells = columns.iter().map(cell).collect();
        let at = ["at", "changed_at"].iter().find_map(|name| json.get(name)?.as_str()?.parse().ok());
        if listed.add(ListLine { at, cells, json })?.is_break() {
            break;
        }
    }
    listed.end(nothing)
}

pub(super) fn log(store: &Store, Listing { whose, output }: &Listing) -> Result<(), HostError> {
    const ACTS: &[Column] =
        &[Column("act", 9), Column("at", 16), Column("os user", 24), Column("what, and why", 700)];
    // The log may name a board that no longer exists, so it is not looked up.
    let rows = store.ask(questions::ACTS, (whose.player(store)?, whose.board, false))?;
    list(rows, output, ACTS, "no acts")
}

pub(super) fn reports(store: &Store, Listing { whose, output }: &Listing) -> Result<(), HostError> {
    const REPORTS: &[Column] = &[
        Column("act", 9),
        Column("at", 16),
        Column("userid", 20),
        Column("board", 7),
        Column("other userid", 20),
        Column("reason", 700),
    ];
    let rows = store.ask(questions::ACTS, (whose.player(store)?, whose.board, true))?;
    list(rows, output, REPORTS, "no reports")
}

pub(super) fn bans(store: &Store, output: &Output) -> Result<(), HostError> {
    const BANS: &[Column] = &[Column("at", 16), Column("reason", 30), Column("sender", 320)];
    list(store.ask(questions::BANS, [])?, output, BANS, "no address or player is banned")
}

pub(super) fn contests(store: &Store, output: &Output) -> Result<(), HostError> {
    const CONTESTS: &[Column] = &[
        Column("name", 24),
        Column("game", 10),
        Column("form", 6),
        Column("state", 7),
        Column("joined", 6),
        Column("changed at", 16),
    ];
    list(store.ask(questions::CONTESTS, [])?, output, CONTESTS, "no contests")
}

pub(super) fn find(store: &Store, text: &str, output: &Output) -> Result<(), HostError> {
    const FOUND: &[Column] = &[Column("what", 40), Column("shown by", 80)];
    let text = text.trim();
    let rows = store.ask(questions::NAMED, (text, address_key(text), message_id(text)))?;
    if rows.is_empty() {
        let why = format!("{text} is no name, address, Message-ID, board or contest of this server");
        return Err(HostError::Asked(why));
    }
    list(rows, output, FOUND, "")
}

pub(super) fn stats(store: &Store, output: &Output) -> Result<(), HostError> {
    const WEEKS: &[Column] = &[
        Column("week of", 10),
        Column("new players", 11),
        Column("players wrote", 13),
        Column("games begun", 11),
        Column("games ended", 11),
        Column("letters", 8),
        Column("mails", 8),
    ];
    list(store.ask(questions::WEEKS, [])?, output, WEEKS, "nothing has happened")
}

/// Shows the habits of two players. Common ones prove nothing: families share mailboxes and browsers.
pub(super) fn compare(store: &Store, players: &[Whom], output: &Output) -> Result<(), HostError> {
    const HABITS: &[Column] =
        &[Column("what", 14), Column("one", 7), Column("other", 7), Column("which", 320)];
    let mut ids = Vec::new();
    let mut mailboxes: BTreeMap<String, [u32; 2]> = BTreeMap::new();
    for (whom, one) in players.iter().zip([[1, 0], [0, 1]]) {
        let player = whom.account(store)?.id;
        ids.push(player);
        for row in store.addresses(player)?.rows {
            let [first, second] = mailboxes.entry(mailbox(&row.address)).or_default();
            (*first, *second) = (*first + one[0], *second + one[1]);
        }
    }
    let mut rows = Vec::new();
    for (which, [one, other]) in mailboxes {
        rows.push(json!({ "what": "mailbox", "which": which, "one": one, "other": other }));
    }
    rows.extend(store.ask(questions::HABITS, (ids.first(), ids.last()))?);
    list(rows, output, HABITS, "nothing is known of them")
}
