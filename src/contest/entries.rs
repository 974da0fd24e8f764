//! A mailbox has one entry. Checked when a player joins, when an address is confirmed, and when a contest begins.

use std::collections::{HashMap, HashSet};

use jiff::Timestamp;

use crate::contest::record::Contest;
use crate::failure::{CommandError, Error, refuse};
use crate::ids::mailbox;
use crate::store::{ContestEventKind, ContestId, ContestNewsKind, PlayerId, Store};

impl Contest {
    /// Players who joined after another account of the same mailbox.
    pub fn second_entries(&self, store: &Store) -> Result<HashSet<PlayerId>, Error> {
        let mut mailboxes: HashMap<PlayerId, Vec<String>> = HashMap::new();
        for (player, address) in store.addresses_in_contest(self.row.id)? {
            mailboxes.entry(player).or_default().push(mailbox(&address));
        }
        let (mut taken, mut second) = (HashSet::new(), HashSet::new());
        for player in &self.joined {
            let own = mailboxes.remove(player).unwrap_or_default();
            if own.iter().any(|mailbox| taken.contains(mailbox)) {
                second.insert(*player);
            } else {
                taken.extend(own);
            }
        }
        Ok(second)
    }

    /// Takes these players out, and has them told.
    pub fn drop_second_entries(&mut self, store: &Store, now: Timestamp) -> Result<(), Error> {
        for player in self.second_entries(store)? {
            self.note(store, ContestEventKind::Left, Some(player), "second entry", now)?;
            store.add_contest_news(player, self.row.id, ContestNewsKind::Second, now)?;
        }
        Ok(())
    }
}

/// True when another account of one of these mailboxes is in a contest.
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

/// Refuses to confirm an address that would give its mailbox a second entry in a contest of the player's.
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
