//! The passwords of a letter, checked before its transaction begins.

use std::collections::HashMap;

use super::{Failure, password};
use crate::command::{Line, Login, Password, Reading, mask_words};
use crate::ids::Userid;
use crate::store::{Account, Store};

/// A userid's key and a password.
type Pair = (String, String);

/// What is known of the passwords of a letter.
#[derive(Default)]
pub struct Proofs {
    /// Those that fitted, with the hash they fitted.
    fitting: HashMap<Pair, String>,
    /// Hashes of those that are to be set.
    fresh: HashMap<Pair, String>,
    /// All of them, to be kept out of everything that is written.
    words: Vec<String>,
}

impl Proofs {
    /// Checks and hashes the passwords of all commands, each once.
    ///
    /// # Errors
    /// When the store or the hasher fails.
    pub fn gather(store: &Store, lines: &[Line]) -> Result<Proofs, Failure> {
        let mut proofs = Proofs::default();
        let mut tried: Vec<Pair> = Vec::new();
        for line in lines {
            let Reading::Command(command) = &line.reading else { continue };
            proofs.words.extend(command.passwords().map(str::to_owned));
            if let Some((userid, password)) = command.new_password() {
                let pair = pair(userid, password);
                // A taken userid is refused later; hashing for it would be work for nothing.
                if !proofs.fresh.contains_key(&pair) && store.player(userid)?.is_none() {
                    let hash = password::hash(&password.0).map_err(Failure::Password)?;
                    proofs.fresh.insert(pair, hash);
                }
            }
            let Some(Login { userid, password }) = command.login() else { continue };
            let pair = pair(userid, password);
            if password.is_left_out() || tried.contains(&pair) {
                continue;
            }
            if let Some(hash) = store.player(userid)?.and_then(|account| account.password_hash)
                && password::verify(&password.0, &hash)
            {
                proofs.fitting.insert(pair.clone(), hash);
            }
            tried.push(pair);
        }
        // The longest first, so that one that holds another is masked whole.
        proofs.words.sort_by_key(|word| std::cmp::Reverse(word.len()));
        proofs.words.dedup();
        Ok(proofs)
    }

    /// Whether `login` proves itself for `account` as it is now. A password set earlier in the same letter counts.
    pub fn fits(&self, account: &Account, login: &Login) -> bool {
        let pair = pair(&login.userid, &login.password);
        let Some(current) = &account.password_hash else { return false };
        self.fitting.get(&pair) == Some(current) || self.fresh.get(&pair) == Some(current)
    }

    /// The hash of a password that is to be set.
    pub fn fresh_hash(&self, userid: &Userid, password: &Password) -> Option<&str> {
        self.fresh.get(&pair(userid, password)).map(String::as_str)
    }

    /// `text` without any of the letter's passwords.
    pub fn mask(&self, text: &str) -> String {
        mask_words(text, &self.words)
    }
}

fn pair(userid: &Userid, password: &Password) -> Pair {
    (userid.key(), password.0.clone())
}
