//! Events: one group, in which all play all.

use jiff::SignedDuration;

use super::{FormKind, Stay};
use crate::contest::record::Contest;
use crate::failure::{CommandError, refusal, refuse};
use crate::store::{ContestRow, ContestState, PlayerId, Store};

pub const FORM: FormKind = FormKind {
    words: &["new", "join", "leave", "start", "withdraw", "table"],
    enter,
    outside: |_, name, _| refusal!("You are not in {name}.").into(),
};

/// Allowed numbers of players.
pub(crate) const SIZES: std::ops::RangeInclusive<u32> = 3..=16;

/// An event that has not begun by then is called off.
pub(crate) const WAITS: SignedDuration = SignedDuration::from_hours(90 * 24);

fn enter(store: &Store, event: &Contest, player: PlayerId, _: Stay) -> Result<(), CommandError> {
    let name = &event.row.name;
    if event.joined.contains(&player) {
        return refuse!("You are in {name} already.");
    }
    must_be_open(&event.row)?;
    if event.row.entrants >= event.terms.size {
        return refuse!("{name} is full and about to begin.");
    }
    for other in &event.joined {
        if store.is_block_between(player, *other)? {
            return refuse!(
                "Somebody who plays in {name} and you have a block between you, and there all play all."
            );
        }
    }
    Ok(())
}

pub(crate) fn must_be_open(row: &ContestRow) -> Result<(), CommandError> {
    match row.state {
        ContestState::Open => Ok(()),
        ContestState::Running => {
            refuse!("{name} has begun, and nobody joins or leaves it now.", name = row.name)
        }
        ContestState::Closed => refuse!("{name} is over.", name = row.name),
    }
}
