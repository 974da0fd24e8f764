//! The names of players.

use std::collections::HashMap;

use crate::store::{PlayerId, Store, StoreError};

/// The names of players, each looked up once.
#[derive(Default)]
pub(crate) struct Names(HashMap<PlayerId, String>);

impl Names {
    pub fn of(&mut self, store: &Store, player: PlayerId) -> Result<String, StoreError> {
        if let Some(name) = self.0.get(&player) {
            return Ok(name.clone());
        }
        let name = store.player_by_id(player)?.userid.to_string();
        self.0.insert(player, name.clone());
        Ok(name)
    }

    pub fn all<'a>(
        &mut self,
        store: &Store,
        players: impl Iterator<Item = &'a PlayerId>,
    ) -> Result<Vec<String>, StoreError> {
        players.map(|player| self.of(store, *player)).collect()
    }
}
