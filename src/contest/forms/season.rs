//! Leagues: one season after the other, each in groups of players of about the same strength.

use super::{FormKind, Stay};
use crate::contest::record::Contest;
use crate::failure::{CommandError, refusal, refuse};
use crate::store::{PlayerId, Store};

pub const FORM: FormKind = FormKind {
    words: &["join", "leave", "withdraw", "table"],
    enter,
    outside: |game, _, _| refusal!("You are not in the {} league.", game.name).into(),
};

fn enter(_: &Store, league: &Contest, player: PlayerId, stay: Stay) -> Result<(), CommandError> {
    let is_once = league.league.once.contains(&player);
    if league.joined.contains(&player) && is_once == (stay == Stay::Once) {
        return refuse!("You are in the {} league already.", league.game_name());
    }
    Ok(())
}
