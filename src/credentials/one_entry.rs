//! One entry per mailbox in a contest: checked when a player joins and when an address is confirmed.

use crate::failure::{CommandError, Error, refuse};
use crate::ids::mailbox;
use crate::store::{ContestId, PlayerId, Store};

/// True if another account with an address at one of these mailboxes is in the contest.
pub fn has_entry(
    store: &Store,
    contest: ContestId,
    player: PlayerId,
    mailboxes: &[String],
) -> Result<bool, Error> {
    for (other, address) in store.addresses_in_contest(contest)? {
        if other != player
            && mailboxes.contains(&mailbox(&address))
            && store.contests_with(other, u32::MAX)?.iter().any(|row| row.id == contest)
        {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Refuses to confirm an address that would give its mailbox a second entry in one of the player's contests.
pub fn must_bring_no_second_entry(
    store: &Store,
    player: PlayerId,
    address: &str,
) -> Result<(), CommandError> {
    for row in store.contests_with(player, u32::MAX)? {
        if has_entry(store, row.id, player, &[mailbox(address)])? {
            return refuse!(
                "{address} is not confirmed: another account of this mailbox plays in {}, as does this one, and a \
                 mailbox has one entry. Leave it with one of the two first.",
                row.name
            );
        }
    }
    Ok(())
}
