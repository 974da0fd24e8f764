//! Tells known words of commands, such as userids, from words that might be passwords.

use std::collections::HashMap;

use crate::commands::help;
use crate::failure::Error;
use crate::ids::Userid;
use crate::language::looks_like_the_robot;
use crate::store::Store;
use crate::zone;

/// Words that were looked up, and whether each is known.
#[derive(Default)]
pub(super) struct KnownWords(HashMap<String, bool>);

/// At most this many words of a letter are looked up. The others count as unknown.
const LOOKED_UP: usize = 1000;

impl KnownWords {
    /// True for a userid, a player's address, a help page, a time zone, a name like the robot's, and `yes`. An address
    /// without an account is unknown, so it is not stored.
    pub fn knows(&mut self, store: &Store, word: &str) -> Result<bool, Error> {
        if let Some(known) = self.0.get(word) {
            return Ok(*known);
        }
        if self.0.len() >= LOOKED_UP {
            return Ok(false);
        }
        let userid = word.parse::<Userid>().ok();
        let is_player = userid.map(|userid| store.player(&userid)).transpose()?.flatten().is_some();
        let is_known = is_player
            || word.contains('@') && !store.owners_of(word)?.is_empty()
            || word.eq_ignore_ascii_case("yes")
            || looks_like_the_robot(word)
            || help::page(word).is_some_and(|page| page.eq_ignore_ascii_case(word))
            || word.contains('/') && zone::find(word).is_some();
        self.0.insert(word.to_owned(), is_known);
        Ok(is_known)
    }
}
