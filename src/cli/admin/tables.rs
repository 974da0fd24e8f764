//! What is stored, as tables for people or JSON for programs.

use comfy_table::presets::NOTHING;
use comfy_table::{ContentArrangement, Table};
use jiff::Timestamp;
use serde_json::Value;

use super::{accounts, boards, mails};
use crate::cli::Instance;
use crate::error::HostError;
use crate::ids::{BoardId, Ply, Userid, Which};
use crate::store::{Account, Role, Store};

/// The longest table. JSON has no limit.
pub(super) const ROWS_AT_MOST: u32 = 200;

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Format {
    Table,
    Json,
}

/// What an administrator asks to see.
#[derive(Debug)]
pub(super) enum Listing {
    Boards {
        player: Option<Userid>,
        which: Which,
    },
    /// A board now, or after a ply.
    Board(BoardId, Option<Ply>),
    Users,
    User(Userid),
    Letters,
    Outbox,
}

pub(super) fn set_role(server: &Instance, userid: &Userid, role: Role) -> Result<String, HostError> {
    let account = account(&server.store, userid)?;
    if account.is_deleted() {
        return Err(HostError::Asked(format!("{} has deleted the account", account.userid)));
    }
    server.store.set_role(account.id, role)?;
    let what = match role {
        Role::Organiser => "is an organiser: challenges for others, and may write to all players",
        Role::Player => "is a player like others",
    };
    Ok(format!("{} {what}", account.userid))
}

pub(super) fn list(server: &Instance, listing: &Listing, format: Format) -> Result<String, HostError> {
    let store = &server.store;
    Ok(match listing {
        Listing::Boards { player, which } => boards::boards(store, player.as_ref(), *which, format)?,
        Listing::Board(id, ply) => boards::board(server, *id, *ply, format)?,
        Listing::Users => accounts::users(store, format)?,
        Listing::User(userid) => accounts::user(store, userid, format)?,
        Listing::Letters => mails::letters(store, format)?,
        Listing::Outbox => mails::outbox(store, format)?,
    })
}

pub(super) fn account(store: &Store, userid: &Userid) -> Result<Account, HostError> {
    store.player(userid)?.ok_or_else(|| HostError::Asked(format!("there is no player {userid}")))
}

pub(super) fn table(head: &[&str]) -> Table {
    let mut table = Table::new();
    table.load_style(NOTHING).set_content_arrangement(ContentArrangement::Dynamic).set_width(100);
    table.set_header(head.iter().copied());
    table
}

pub(super) fn minute(at: Timestamp) -> String {
    at.strftime("%Y-%m-%d %H:%M").to_string()
}

pub(super) fn pretty(value: &Value) -> String {
    serde_json::to_string_pretty(value).unwrap_or_default()
}
