//! Checks the passwords of a letter before its transaction.

use std::collections::HashMap;

use jiff::Timestamp;

use crate::credentials::limits::{PASSWORDS_A_LETTER, RateLimit, TOKEN_SECONDS};
use crate::credentials::{Limits, password};
use crate::failure::Error;
use crate::ids::Userid;
use crate::language::{
    Claim, GivenPassword, Line, Login, Parameters, Password, PasswordPurpose, Reading, Secrets,
};
use crate::mail::{AnswerBy, Letter, Proof};
use crate::store::{Account, CodeHash, PlayerId, Store, mailbox_key};

/// The key of a userid, and a password.
type Pair = (String, String);

/// Why a password is not checked.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Held {
    /// The letter holds too many passwords.
    OfThisLetter,
    /// Too many passwords were wrong: the limit with this name stops checks until this time.
    Until(Timestamp, &'static str),
}

/// A count that a wrong password adds to.
struct TryCount {
    limit: RateLimit,
    key: String,
    /// Wrong passwords of this letter that are not stored yet.
    pending: usize,
}

/// Results of checking a letter's passwords.
#[derive(Default)]
pub struct Proofs {
    /// Right passwords, with the stored hash they fit.
    fitting: HashMap<Pair, String>,
    /// The players whose right password or new-password code the letter holds, in the letter's order.
    proven: Vec<PlayerId>,
    /// Hashes of passwords to set.
    fresh: HashMap<Pair, String>,
    /// The account's key for each wrong password; `None` if no account has the userid.
    wrong: Vec<Option<String>>,
    /// Passwords that are not checked after too many tries, and why.
    held: HashMap<Pair, Held>,
    /// All passwords; every text we write masks them.
    secrets: Secrets,
    limits: Limits,
}

impl Proofs {
    /// Checks and hashes the passwords of all commands, each once.
    pub fn gather<C: Parameters>(
        store: &Store,
        limits: &Limits,
        letter: &Letter,
        lines: &[Line<C>],
        now: Timestamp,
    ) -> Result<Proofs, Error> {
        let mut proofs = Proofs { limits: limits.clone(), ..Proofs::default() };
        let mut tried: Vec<Pair> = Vec::new();
        for line in lines {
            let Reading::Command(request) = &line.reading else { continue };
            request.passwords().iter().for_each(|password| proofs.secrets.add(password));
            let given = request.command.password();
            if let Some(login) = request.login() {
                let purpose = given.as_ref().map(|given| &given.purpose);
                proofs.try_login(store, letter, &login, purpose, now, &mut tried)?;
            }
            if let Some(GivenPassword { userid, password, purpose }) = given {
                let Some(userid) = userid.or_else(|| request.by.userid()) else { continue };
                let pair = pair(userid, password);
                // A hash costs as much as a try.
                let has_room = letter.answer == AnswerBy::Terminal || proofs.fresh.len() < PASSWORDS_A_LETTER;
                if has_room
                    && !proofs.fresh.contains_key(&pair)
                    && proofs.may_set(store, letter, userid, &purpose, &request.by, now)?
                {
                    let hash = password::hash(&password.0, limits.password_kib).map_err(Error::Password)?;
                    proofs.fresh.insert(pair, hash);
                }
            }
        }
        Ok(proofs)
    }

    fn try_login(
        &mut self,
        store: &Store,
        letter: &Letter,
        login: &Login,
        purpose: Option<&PasswordPurpose<'_>>,
        now: Timestamp,
        tried: &mut Vec<Pair>,
    ) -> Result<(), Error> {
        let pair = pair(&login.userid, &login.password);
        if login.password.is_left_out() || tried.contains(&pair) {
            return Ok(());
        }
        let account = store.player(&login.userid)?;
        // At sign-up only a returning player has a password to check.
        if matches!(purpose, Some(PasswordPurpose::SignUp))
            && account.as_ref().is_none_or(|account| !account.is_signed_off())
        {
            return Ok(());
        }
        let key = account.as_ref().map(|account| account.userid.key());
        if let Some(held) = self.holds(store, letter, key.as_deref(), tried.len(), now)? {
            self.held.insert(pair, held);
            return Ok(());
        }
        tried.push(pair.clone());
        if let Some(account) = account
            && let Some(hash) = account.password_hash.clone()
            && password::fits(&login.password.0, &hash)
        {
            self.fitting.insert(pair, hash);
            self.proves(&account);
        } else {
            self.wrong.push(key);
        }
        Ok(())
    }

    /// The limit, if any, that stops one more check. The operator's own terminal has no limit.
    fn holds(
        &self,
        store: &Store,
        letter: &Letter,
        key: Option<&str>,
        tried: usize,
        now: Timestamp,
    ) -> Result<Option<Held>, Error> {
        if letter.answer == AnswerBy::Terminal {
            return Ok(None);
        }
        if tried >= PASSWORDS_A_LETTER {
            return Ok(Some(Held::OfThisLetter));
        }
        for TryCount { limit, key, pending } in self.counts(letter, key) {
            if !limit.has_room(store, &key, now, pending)? {
                return Ok(Some(Held::Until(limit.ends(store, &key, now)?, limit.what)));
            }
        }
        Ok(None)
    }

    /// The counts that a wrong password adds to. If the userid is unknown, only the sender has a count: the userid
    /// might be a password in the wrong place.
    fn counts(&self, letter: &Letter, key: Option<&str>) -> Vec<TryCount> {
        let sender = mailbox_key(letter.sender.as_deref().unwrap_or_default());
        let limits = &self.limits;
        let count = |limit, key, pending| TryCount { limit, key, pending };
        let mut counts = vec![count(limits.wrong_passwords_of_a_sender(), sender.clone(), self.wrong.len())];
        if let Some(key) = key {
            let pending = self.wrong.iter().filter(|wrong| wrong.as_deref() == Some(key)).count();
            counts.push(count(limits.wrong_passwords_of_a_login(), login_key(&sender, key), pending));
            counts.push(count(limits.wrong_passwords_of_a_userid(), key.to_owned(), pending));
        }
        counts
    }

    /// Counts, inside the letter's transaction, the wrong passwords and the limits that prevented a check.
    pub fn count_tries(&self, store: &Store, letter: &Letter, now: Timestamp) -> Result<(), Error> {
        if letter.answer == AnswerBy::Terminal {
            return Ok(());
        }
        for key in &self.wrong {
            for TryCount { limit, key, .. } in self.counts(letter, key.as_deref()) {
                limit.count(store, &key, now)?;
            }
        }
        let sender = mailbox_key(letter.sender.as_deref().unwrap_or_default());
        for ((userid, _), held) in &self.held {
            let player = userid.parse().ok().map(|userid| store.player(&userid)).transpose()?.flatten();
            let what = match held {
                Held::OfThisLetter => "passwords a letter",
                Held::Until(_, what) => what,
            };
            store.hit_limit(what, &sender, player.map(|account| account.id), now)?;
        }
        Ok(())
    }

    /// Why we did not check this login's password.
    pub(crate) fn held(&self, login: &Login) -> Option<Held> {
        self.held.get(&pair(&login.userid, &login.password)).copied()
    }

    /// Clears the counts of wrong passwords for a player and their addresses, so passwords are checked again.
    pub(crate) fn lift_pause(&self, store: &Store, player: &Account) -> Result<(), Error> {
        let (limits, key) = (&self.limits, player.userid.key());
        store.forget_count(limits.wrong_passwords_of_a_userid().what, &key)?;
        for row in store.addresses(player.id)?.rows {
            let sender = mailbox_key(&row.address);
            store.forget_count(limits.wrong_passwords_of_a_sender().what, &sender)?;
            store.forget_count(limits.wrong_passwords_of_a_login().what, &login_key(&sender, &key))?;
        }
        Ok(())
    }

    /// True if the command can set a password. Hashing one for a command that fails is wasted work.
    fn may_set(
        &mut self,
        store: &Store,
        letter: &Letter,
        userid: &Userid,
        purpose: &PasswordPurpose<'_>,
        by: &Claim,
        now: Timestamp,
    ) -> Result<bool, Error> {
        let account = store.player(userid)?;
        Ok(match purpose {
            PasswordPurpose::Proof | PasswordPurpose::Code => false,
            PasswordPurpose::Change => match by {
                Claim::Login(login) => {
                    let old = pair(&login.userid, &login.password);
                    self.fitting.contains_key(&old) || self.fresh.contains_key(&old)
                }
                _ => true,
            },
            PasswordPurpose::Token(token) => match account {
                Some(account) => {
                    let is_good = store.is_reset(account.id, CodeHash::of(&token.0), now, TOKEN_SECONDS)?;
                    if is_good {
                        self.proves(&account);
                    }
                    is_good
                }
                None => false,
            },
            // A sender who forges an address must not choose its owner's password.
            PasswordPurpose::SignUp => {
                let is_free = account.map_or(Ok(true), |account| store.is_unclaimed(&account))?;
                is_free && letter.proof != Proof::None
            }
            PasswordPurpose::Question => account.is_some_and(|account| account.password_hash.is_none()),
        })
    }

    /// True if the login is right for `account` now. A password set earlier in the same letter counts.
    pub fn fits(&self, account: &Account, login: &Login) -> bool {
        let pair = pair(&login.userid, &login.password);
        let Some(current) = &account.password_hash else { return false };
        self.fitting.get(&pair) == Some(current) || self.fresh.get(&pair) == Some(current)
    }

    fn proves(&mut self, account: &Account) {
        if !account.is_deleted() && !self.proven.contains(&account.id) {
            self.proven.push(account.id);
        }
    }

    /// The players whose right password or new-password code the letter holds, in the letter's order.
    pub(super) fn proven(&self) -> Vec<PlayerId> {
        self.proven.clone()
    }

    /// The hash that was made of a password to set.
    pub(crate) fn fresh_hash(&self, userid: &Userid, password: &Password) -> Option<&str> {
        self.fresh.get(&pair(userid, password)).map(String::as_str)
    }

    /// `text` without the letter's passwords.
    pub fn mask(&self, text: &str) -> String {
        self.secrets.mask(text)
    }

    /// `text` without the letter's passwords, cut after about `bytes` bytes.
    pub(crate) fn mask_up_to(&self, text: &str, bytes: usize) -> String {
        self.secrets.mask_up_to(text, bytes)
    }
}

fn login_key(sender: &str, userid: &str) -> String {
    format!("{sender} {userid}")
}

fn pair(userid: &Userid, password: &Password) -> Pair {
    (userid.key(), password.0.clone())
}
