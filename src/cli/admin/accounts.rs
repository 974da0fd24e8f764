//! `turnpost admin users`, `turnpost admin user`: accounts, and what stops their mail.

use jiff::Timestamp;
use serde_json::{Value, json};

use super::boards::{BOARDS, board_line, summary};
use super::listing::{Column, ListLine, Narrowed, Output, Rows, field, table};
use super::mails::{MAILS, mail_json, mail_line, said};
use super::tables::{Whom, day, minute, pretty, userid};
use crate::cli::print;
use crate::error::HostError;
use crate::ids::Which;
use crate::store::{
    self, Account, AddressRow, BoardFilter, BoardRow, LimitHits, PlayerOrder, RowFilter, Store, questions,
};

const USERS: &[Column] = &[
    Column("userid", 20),
    Column("state", 40),
    Column("since", 10),
    Column("last letter", 11),
    Column("addresses", 200),
];

/// How many of the last mails, bounces and boards the page of a player shows.
const LATEST: u32 = 10;

#[derive(Debug, clap::Args)]
pub(crate) struct UserChoice {
    #[command(flatten)]
    narrowed: Narrowed,
    /// Order of the list
    #[arg(long, value_name = "ORDER", default_value = "newest")]
    sort: PlayerOrder,
    #[command(flatten)]
    output: Output,
}

pub(super) fn users(store: &Store, chosen: &UserChoice) -> Result<(), HostError> {
    let mut rows = Rows::new(&chosen.output, USERS)?;
    store::players(chosen.narrowed.choice(), chosen.sort).each(store, |(account, letter)| {
        let mut addresses = Vec::new();
        let mut shown = Vec::new();
        for row in store.addresses(account.id)?.rows {
            shown.push(format!("{}{}", row.address, standing(store, &row)?));
            addresses.push(row.address);
        }
        let hits: u32 = store.limit_hits_of(account.id)?.iter().map(|hit| hit.hits).sum();
        let mut json = account_json(store, &account)?;
        let state = match (&account.suspended, json["merged_into"].is_string()) {
            (Some(_), _) => "suspended",
            (_, true) => "merged",
            _ => account.state.as_str(),
        };
        json["last_letter"] = letter.map(|at| at.to_string()).into();
        json["addresses"] = addresses.into();
        json["limits_hit"] = hits.into();
        let cells = vec![
            account.userid.to_string(),
            if hits == 0 { state.to_owned() } else { format!("{state}\nlimits hit {hits}") },
            day(account.created_at),
            letter.map(day).unwrap_or_default(),
            shown.join("\n"),
        ];
        let at = match chosen.sort {
            PlayerOrder::Newest => Some(account.created_at),
            PlayerOrder::Letter => letter.or(Some(Timestamp::MIN)),
            PlayerOrder::Name => None,
        };
        rows.add(ListLine { at, cells, json })
    })?;
    rows.end("no accounts")
}

pub(super) fn user(store: &Store, whom: &Whom, output: &Output) -> Result<(), HostError> {
    let account = whom.account(store)?;
    let text = if output.json { pretty(&whole(store, &account)?) } else { page(store, &account)? };
    print(text.trim_end())
}

/// The userid of the account that this one was merged into.
fn heir(store: &Store, account: &Account) -> Result<Option<String>, HostError> {
    let heir = if account.is_deleted() { store.heir_of(account.id)? } else { None };
    heir.map(|heir| userid(store, heir)).transpose()
}

fn newest_boards(store: &Store, account: &Account, limit: u32) -> Result<Vec<BoardRow>, HostError> {
    let which = Which::All;
    Ok(store.boards(&BoardFilter { player: Some(account.id), which, limit, ..BoardFilter::default() })?)
}

fn whole(store: &Store, account: &Account) -> Result<Value, HostError> {
    let about = RowFilter { player: Some(account.id), board: None };
    let in_json =
        |mails: Vec<_>| mails.iter().map(|mail| mail_json(store, mail)).collect::<Result<Value, _>>();
    let limit =
        |hit: &LimitHits| json!({ "limit": hit.what, "hits": hit.hits, "last_at": hit.last_at.to_string() });
    let boards = newest_boards(store, account, u32::MAX)?;
    let mut whole = account_json(store, account)?;
    whole["addresses"] = store.ask(questions::ADDRESSES, [account.id])?.into();
    whole["bounces"] = in_json(store::bounces(about).limit(LATEST).all(store)?)?;
    whole["limits"] = store.limit_hits_of(account.id)?.iter().map(limit).collect();
    whole["mails"] = in_json(store::mails(about).limit(LATEST).all(store)?)?;
    whole["boards"] = boards.iter().map(|row| summary(store, row)).collect::<Result<_, _>>()?;
    Ok(whole)
}

/// The fields of an account that lists and its page share.
fn account_json(store: &Store, account: &Account) -> Result<Value, HostError> {
    Ok(json!({
        "userid": account.userid,
        "state": account.state.as_str(),
        "suspended": account.suspended,
        "merged_into": heir(store, account)?,
        "zone": account.zone,
        "since": account.created_at.to_string(),
    }))
}

fn page(store: &Store, account: &Account) -> Result<String, HostError> {
    let mut page = String::new();
    field(&mut page, "userid", account.userid.as_str());
    field(&mut page, "state", account.state.as_str());
    field(&mut page, "merged into", &heir(store, account)?.unwrap_or_default());
    field(&mut page, "suspended", account.suspended.as_deref().unwrap_or_default());
    field(&mut page, "zone", &account.zone);
    field(&mut page, "since", &format!("{} UTC", minute(account.created_at)));
    let addresses = store.addresses(account.id)?;
    for row in &addresses.rows {
        field(&mut page, "address", &format!("{}{}", row.address, standing(store, row)?));
    }
    if addresses.confirmed().next().is_none() {
        field(&mut page, "", "No address takes mail.");
    }
    let about = RowFilter { player: Some(account.id), board: None };
    for mail in store::bounces(about).limit(LATEST).all(store)? {
        let said = said(&mail).unwrap_or_else(|| "nothing that can be read".to_owned());
        let at = mail.bounced_at.map(minute).unwrap_or_default();
        field(&mut page, "came back", &format!("{at} from {}, mail {}: {said}", mail.recipient, mail.id));
    }
    for hit in store.limit_hits_of(account.id)? {
        let (what, last) = (hit.what, minute(hit.last_at));
        let times = if hit.hits == 1 { "once".to_owned() } else { format!("{} times", hit.hits) };
        field(&mut page, "limit", &format!("{what}: {times}, last {last}"));
    }
    let mails = store::mails(about).limit(LATEST).all(store)?;
    if mails.is_empty() {
        page.push_str("\nNo mail was written to this player.\n");
    } else {
        page.push_str(&format!("\n{}\n", table(MAILS, mails.iter().map(mail_line).collect())));
    }
    let mut lines = Vec::new();
    for row in newest_boards(store, account, LATEST)? {
        lines.push(board_line(store, &row)?);
    }
    if !lines.is_empty() {
        page.push_str(&format!("\n{}\n", table(BOARDS, lines)));
    }
    Ok(page)
}

/// Why an address gets no mail; empty if it does.
fn standing(store: &Store, row: &AddressRow) -> Result<String, HostError> {
    Ok(match (store.bounces(&row.address)?, row.stopped_at, row.confirmed_at) {
        (Some(stop), Some(at), _) if stop.unwanted => format!(" (unwanted, stopped {})", minute(at)),
        (Some(_), Some(at), _) => format!(" (mail came back, stopped {})", minute(at)),
        (None, Some(at), _) => format!(" (stopped {})", minute(at)),
        (_, None, None) => " (not confirmed)".to_owned(),
        (Some(bounces), None, Some(_)) => {
            format!(" (came back {}x, last {})", bounces.count, minute(bounces.last_at))
        }
        (None, None, Some(_)) => String::new(),
    })
}
