//! What the listings say in the same words.

use jiff::Timestamp;
use serde_json::Value;

use crate::error::HostError;
use crate::ids::Userid;
use crate::store::{Account, AccountRole, PlayerId, Store};

pub(super) fn set_role(store: &Store, userid: &Userid, role: AccountRole) -> Result<String, HostError> {
    let account = account(store, userid)?;
    if account.is_deleted() {
        return Err(HostError::Asked(format!("{} has deleted the account", account.userid)));
    }
    store.set_role(account.id, role)?;
    let what = match role {
        AccountRole::Organiser => "is an organiser: challenges for others, and may write to all players",
        AccountRole::Player => "is a player like others",
    };
    Ok(format!("{} {what}", account.userid))
}

pub(super) fn account(store: &Store, userid: &Userid) -> Result<Account, HostError> {
    store.player(userid)?.ok_or_else(|| HostError::Asked(format!("there is no player {userid}")))
}

pub(super) fn userid(store: &Store, player: PlayerId) -> Result<String, HostError> {
    Ok(store.player_by_id(player)?.userid.to_string())
}

pub(super) fn minute(at: Timestamp) -> String {
    at.strftime("%Y-%m-%d %H:%M").to_string()
}

pub(super) fn day(at: Timestamp) -> String {
    at.strftime("%Y-%m-%d").to_string()
}

pub(super) fn pretty(value: &Value) -> String {
    serde_json::to_string_pretty(value).unwrap_or_default()
}
