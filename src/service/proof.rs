//! Checks the passwords of a letter before its transaction.

use std::collections::HashMap;

use jiff::Timestamp;

use crate::command::{Command, Line, Login, NewPassword, Password, Reading, Secrets};
use crate::ids::Userid;
use crate::mail::{AnswerBy, Letter};
use crate::service::limits::{TOKEN_SECONDS, TRIES_OF_A_SENDER, TRIES_OF_A_USERID};
use crate::service::{Error, Passwords};
use crate::store::{Account, CodeHash, Store};

/// The key of a userid, and a password.
type Pair = (String, String);

/// What we know of a letter's passwords.
#[derive(Default)]
pub struct Proofs {
    /// Right passwords, with the stored hash they fit.
    fitting: HashMap<Pair, String>,
    /// Hashes of passwords to set.
    fresh: HashMap<Pair, String>,
    /// Wrong passwords, by the key of their account; `None` where no account has the userid.
    wrong: Vec<Option<String>>,
    /// Passwords not checked after too many tries.
    held: Vec<Pair>,
    /// All passwords; every text we write masks them.
    secrets: Secrets,
}

impl Proofs {
    /// Checks and hashes the passwords of all commands, each once.
    pub fn gather(
        store: &Store,
        passwords: &Passwords,
        letter: &Letter,
        lines: &[Line],
        now: Timestamp,
    ) -> Result<Proofs, Error> {
        let mut proofs = Proofs::default();
        let mut tried: Vec<Pair> = Vec::new();
        for line in lines {
            let Reading::Command(command) = &line.reading else { continue };
            command.passwords().for_each(|password| proofs.secrets.add(password));
            if let Some(login) = command.login() {
                proofs.try_login(store, (passwords, letter), command, login, now, &mut tried)?;
            }
            if let Some(NewPassword { userid, password }) = command.new_password() {
                let pair = pair(userid, password);
                if !proofs.fresh.contains_key(&pair) && proofs.may_set(store, command, userid, now)? {
                    let hash = passwords.hash(&password.0).map_err(Error::Password)?;
                    proofs.fresh.insert(pair, hash);
                }
            }
        }
        Ok(proofs)
    }

    fn try_login(
        &mut self,
        store: &Store,
        (passwords, letter): (&Passwords, &Letter),
        command: &Command,
        login: &Login,
        now: Timestamp,
        tried: &mut Vec<Pair>,
    ) -> Result<(), Error> {
        let pair = pair(&login.userid, &login.password);
        if login.password.is_left_out() || tried.contains(&pair) {
            return Ok(());
        }
        let account = store.player(&login.userid)?;
        let signs_up = matches!(command, Command::Signup(_));
        // At sign-up only a returning player has a password to check.
        if signs_up && account.as_ref().is_none_or(|account| !account.is_signed_off()) {
            return Ok(());
        }
        tried.push(pair.clone());
        let key = account.as_ref().map(|account| account.userid.key());
        if !self.may_try(store, letter, key.as_deref(), now)? {
            self.held.push(pair);
            return Ok(());
        }
        match account.and_then(|account| account.password_hash) {
            Some(hash) if passwords.fits(&login.userid, &login.password.0, &hash, now) => {
                self.fitting.insert(pair, hash);
            }
            _ => self.wrong.push(key),
        }
        Ok(())
    }

    /// True when we may check one more password. The operator's own terminal has no limit.
    fn may_try(
        &self,
        store: &Store,
        letter: &Letter,
        key: Option<&str>,
        now: Timestamp,
    ) -> Result<bool, Error> {
        if letter.answer == AnswerBy::Terminal {
            return Ok(true);
        }
        let sender = letter.sender.as_deref().unwrap_or_default();
        if !TRIES_OF_A_SENDER.has_room(store, sender, now, self.wrong.len())? {
            return Ok(false);
        }
        let Some(key) = key else { return Ok(true) };
        let pending = self.wrong.iter().filter(|wrong| wrong.as_deref() == Some(key)).count();
        TRIES_OF_A_USERID.has_room(store, key, now, pending)
    }

    /// Counts wrong passwords inside the letter's transaction. It stores no unknown userid, which may be a misplaced
    /// password.
    pub fn count_tries(&self, store: &Store, letter: &Letter, now: Timestamp) -> Result<(), Error> {
        if letter.answer == AnswerBy::Terminal {
            return Ok(());
        }
        let sender = letter.sender.as_deref().unwrap_or_default();
        for key in &self.wrong {
            TRIES_OF_A_SENDER.count(store, sender, now)?;
            if let Some(key) = key {
                TRIES_OF_A_USERID.count(store, key, now)?;
            }
        }
        Ok(())
    }

    /// True when we did not check this login's password.
    pub(super) fn is_held(&self, login: &Login) -> bool {
        self.held.contains(&pair(&login.userid, &login.password))
    }

    /// True when the command can set a password. Hashing one for a command that fails is wasted work.
    fn may_set(
        &self,
        store: &Store,
        command: &Command,
        userid: &Userid,
        now: Timestamp,
    ) -> Result<bool, Error> {
        let account = store.player(userid)?;
        Ok(match command {
            Command::ChangePassword(change) => {
                let login = &change.login;
                let old = pair(&login.userid, &login.password);
                login.password.is_left_out()
                    || self.fitting.contains_key(&old)
                    || self.fresh.contains_key(&old)
            }
            Command::Reset(reset) => match account {
                Some(account) => {
                    store.is_reset(account.id, CodeHash::of(&reset.token.0), now, TOKEN_SECONDS)?
                }
                None => false,
            },
            _ => account.is_none(),
        })
    }

    /// True when the login is right for `account` now. A password set earlier in the same letter counts.
    pub fn fits(&self, account: &Account, login: &Login) -> bool {
        let pair = pair(&login.userid, &login.password);
        let Some(current) = &account.password_hash else { return false };
        self.fitting.get(&pair) == Some(current) || self.fresh.get(&pair) == Some(current)
    }

    /// The hash of a password to set.
    pub(super) fn fresh_hash(&self, userid: &Userid, password: &Password) -> Option<&str> {
        self.fresh.get(&pair(userid, password)).map(String::as_str)
    }

    /// `text` without the letter's passwords.
    pub fn mask(&self, text: &str) -> String {
        self.secrets.mask(text)
    }

    /// The same, and no more than so many bytes of it.
    pub(super) fn mask_up_to(&self, text: &str, bytes: usize) -> String {
        self.secrets.mask_up_to(text, bytes)
    }
}

fn pair(userid: &Userid, password: &Password) -> Pair {
    (userid.key(), password.0.clone())
}
