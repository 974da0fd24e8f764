//! One entry per mailbox: players whose mailbox already has an entry leave when the contest begins.

use std::collections::{HashMap, HashSet};

use jiff::Timestamp;

use crate::contest::record::Contest;
use crate::failure::Error;
use crate::ids::mailbox;
use crate::store::{ContestEventKind, ContestNewsKind, PlayerId, Store};

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

    /// Removes the players with second entries and queues a notice to each.
    pub fn drop_second_entries(&mut self, store: &Store, now: Timestamp) -> Result<(), Error> {
        for player in self.second_entries(store)? {
            self.note(store, ContestEventKind::Left, Some(player), "second entry", now)?;
            store.add_contest_news(player, self.row.id, ContestNewsKind::Second, now)?;
        }
        Ok(())
    }
}
