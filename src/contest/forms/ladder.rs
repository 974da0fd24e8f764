//! Ladders: a win against a player above moves up.

use super::{FormKind, Stay};
use crate::contest::record::Contest;
use crate::failure::{CommandError, refusal, refuse};
use crate::store::{PlayerId, Store};

pub const FORM: FormKind = FormKind {
    words: &["join", "leave", "challenge", "auto"],
    enter,
    outside: |game, _, userid| {
        let (name, game) = (game.name, game.key);
        refusal!("You are not on the {name} ladder. `{game} ladder join {userid} PASSWORD` puts you there.")
            .into()
    },
};

fn enter(_: &Store, ladder: &Contest, player: PlayerId, _: Stay) -> Result<(), CommandError> {
    if ladder.joined.contains(&player) {
        return refuse!("You are on the {} ladder already.", ladder.game_name());
    }
    Ok(())
}
