//! Tables of accounts.

use serde_json::{Value, json};

use super::boards::{boards, summary};
use super::tables::{Format, ROWS_AT_MOST, account, minute, pretty, table};
use crate::error::HostError;
use crate::ids::{Userid, Which};
use crate::store::{AddressRow, BoardFilter, Store};

pub(super) fn users(store: &Store, format: Format) -> Result<String, HostError> {
    let mut table = table(&["userid", "state", "since", "addresses", "limits hit"]);
    let mut list = Vec::new();
    for account in store.players()? {
        let addresses: Vec<String> =
            store.addresses(account.id)?.rows.into_iter().map(|row| row.address).collect();
        let mut shown = Vec::new();
        for row in store.addresses(account.id)?.rows {
            shown.push(format!("{}{}", row.address, standing(store, &row)?));
        }
        let hits: u32 = store.limit_hits_of(account.id)?.iter().map(|hit| hit.hits).sum();
        list.push(json!({
            "userid": account.userid,
            "state": account.state.as_str(),
            "zone": account.zone,
            "since": account.created_at.to_string(),
            "addresses": addresses,
            "limits_hit": hits,
        }));
        table.add_row([
            account.userid.to_string(),
            account.state.to_string(),
            minute(account.created_at),
            shown.join(" "),
            if hits == 0 { String::new() } else { hits.to_string() },
        ]);
    }
    Ok(if format == Format::Json { pretty(&Value::Array(list)) } else { table.to_string() })
}

pub(super) fn user(store: &Store, userid: &Userid, format: Format) -> Result<String, HostError> {
    let account = account(store, userid)?;
    let filter = BoardFilter {
        game: None,
        player: Some(account.id),
        which: Which::All,
        limit: ROWS_AT_MOST,
        before: None,
    };
    let rows = store.boards(&filter)?;
    let addresses = store.addresses(account.id)?.rows;
    let hits = store.limit_hits_of(account.id)?;
    if format == Format::Json {
        let limits: Vec<Value> = hits
            .iter()
            .map(|hit| json!({ "limit": hit.what, "hits": hit.hits, "last_at": hit.last_at.to_string() }))
            .collect();
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
            .collect::<Result<_, HostError>>()?;
        return Ok(pretty(&json!({
            "userid": account.userid,
            "state": account.state.as_str(),
            "zone": account.zone,
            "since": account.created_at.to_string(),
            "addresses": addresses,
            "limits": limits,
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
    for hit in hits {
        let (what, last) = (hit.what, minute(hit.last_at));
        text.push_str(&format!("limit      {what}: {} times, last {last}\n", hit.hits));
    }
    text.push('\n');
    text.push_str(&boards(store, Some(userid), Which::All, Format::Table)?);
    Ok(text)
}

/// What is wrong with an address; empty when mail arrives there.
fn standing(store: &Store, row: &AddressRow) -> Result<String, HostError> {
    Ok(match (store.bounces(&row.address)?, row.stopped_at, row.confirmed_at) {
        (Some(stop), Some(at), _) if stop.unwanted => format!(" (unwanted, stopped {})", minute(at)),
        (_, Some(at), _) => format!(" (mail came back, stopped {})", minute(at)),
        (_, None, None) => " (not confirmed)".to_owned(),
        (Some(bounces), None, Some(_)) => {
            format!(" (came back {}x, last {})", bounces.count, minute(bounces.last_at))
        }
        (None, None, Some(_)) => String::new(),
    })
}
