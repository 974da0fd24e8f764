//! Players, times and JSON as all listings print them.

use std::str::FromStr;

use jiff::Timestamp;
use serde_json::Value;

use crate::error::HostError;
use crate::ids::Userid;
use crate::store::{Account, PlayerId, Store};

/// A player as a host names one: by userid, or by the number in `admin log`.
#[derive(Debug, Clone)]
pub(crate) enum Whom {
    Userid(Userid),
    Number(i64),
}

impl FromStr for Whom {
    type Err = <Userid as FromStr>::Err;

    fn from_str(text: &str) -> Result<Whom, Self::Err> {
        text.parse().map(Whom::Number).or_else(|_| text.parse().map(Whom::Userid))
    }
}

impl Whom {
    pub fn account(&self, store: &Store) -> Result<Account, HostError> {
        let found = match self {
            Whom::Userid(userid) => store.player(userid)?,
            Whom::Number(number) => store.player_of_number(*number)?,
        };
        found.ok_or_else(|| {
            HostError::Asked(match self {
                Whom::Userid(userid) => format!("there is no player {userid}"),
                Whom::Number(number) => {
                    format!("there is no player of number {number}: `admin log` names players")
                }
            })
        })
    }

    pub fn userid(&self, store: &Store) -> Result<Userid, HostError> {
        Ok(self.account(store)?.userid)
    }
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
