//! `help`, and making, changing and leaving an account.

use super::confirm::AddressStates;
use super::context::Context;
use super::note::{Mailing, Note, Parcel, Text, To};
use super::objection::Objection;
use super::play::AtBoard;
use super::transcript::Event;
use super::view::names;
use super::{CommandError, Refusal};
use crate::command::account::{ADDRESSES_AT_MOST, Account as Asked};
use crate::command::{Login, Password, table};
use crate::ids::{Userid, Which};
use crate::reply::help;
use crate::service::board::Board;
use crate::store::{Account, AccountState, Addresses, BoardFilter, CodeHash, EventKind};

/// A password has at least so many characters.
const PASSWORD_MIN: usize = 4;
/// And at most so many.
const PASSWORD_MAX: usize = 100;

/// A reset token is good for so many seconds, and no other is sent meanwhile.
pub(super) const TOKEN_SECONDS: i64 = 60 * 60;

impl Context<'_> {
    pub(super) fn help(&mut self, subjects: Vec<String>) -> Result<Event, CommandError> {
        let subjects = if subjects.is_empty() { vec![help::FIRST_PAGE.to_owned()] } else { subjects };
        let pages = subjects.iter().filter_map(|subject| help::page(subject)).collect::<Vec<_>>();
        if pages.is_empty() {
            return Err(Refusal::NoSuchPage { pages: help::pages().join(", ") }.into());
        }
        Ok(Event::Help(pages))
    }

    pub(super) fn account(&mut self, asked: Asked) -> Result<Event, CommandError> {
        let note = match asked {
            Asked::Signup { login, addresses } => return self.signup(&login, addresses),
            Asked::Add(login, addresses) => self.add(&login, &addresses)?,
            Asked::ChangePassword(login, new) => self.change_password(&login, &new)?,
            Asked::ChangeAddress(login, addresses) => self.change_address(&login, addresses)?,
            Asked::Forgot(userid) => self.forgot(&userid)?,
            Asked::Reset { userid, token, password } => self.reset(&userid, &token, &password)?,
            Asked::Signoff(login) => self.sign_off(&login)?,
            Asked::Delete(login) => self.delete(&login)?,
            Asked::Resend(login, board) => self.resend(&login, board)?,
            Asked::Who(userid) => self.who(userid.as_ref())?,
            Asked::Set(login, settings) => self.set(&login, settings)?,
            Asked::Vacation(login, days) => self.vacation(&login, days)?,
        };
        Ok(Event::Note(note, None))
    }

    fn signup(&mut self, login: &Login, mut addresses: Vec<String>) -> Result<Event, CommandError> {
        let Login { userid, password } = login;
        if let Some(taken) = self.store.player(userid)?.filter(|taken| !taken.id.is_robot()) {
            if !taken.is_signed_off() {
                return Err(Refusal::Taken { userid: taken.userid }.into());
            }
            let account = self.prove(login)?;
            return Ok(Event::Note(self.come_back(&account, &addresses)?, None));
        }
        if !table::may_be_a_userid(userid.as_str()) {
            return Err(Refusal::ReservedUserid.into());
        }
        check_password(userid, password)?;
        if addresses.is_empty() {
            addresses.extend(self.letter.sender.clone());
        }
        if addresses.is_empty() {
            return Err(Refusal::NoAddress.into());
        }
        // A hash is missing only if the account was deleted while it was being read about: then it was not needed.
        let hash = self.proofs.fresh_hash(userid, password).ok_or(Refusal::NotProven)?;
        let secret = self.secret();
        let id = self.store.add_player(userid, hash, &secret, self.at)?;
        let account = self.store.player_by_id(id)?;
        for address in &addresses {
            self.register(&account, address, true)?;
        }
        self.acts_for(id);
        let AddressStates { confirmed, waiting } = AddressStates::of(&self.store.addresses(id)?);
        Ok(Event::SignedUp { userid: userid.to_string(), addresses: confirmed, waiting })
    }

    fn come_back(&mut self, account: &Account, more: &[String]) -> Result<Note, CommandError> {
        self.store.set_account_state(account.id, AccountState::Active)?;
        let AddressStates { confirmed, waiting } = self.add_addresses(account, more)?;
        Ok(Note::Back { userid: account.userid.to_string(), addresses: confirmed, waiting })
    }

    fn add(&mut self, login: &Login, addresses: &[String]) -> Result<Note, CommandError> {
        let account = self.prove(login)?;
        let AddressStates { confirmed, waiting } = self.add_addresses(&account, addresses)?;
        Ok(Note::Addresses { userid: account.userid.to_string(), addresses: confirmed, waiting })
    }

    /// Registers addresses; gives all there are then.
    fn add_addresses(&mut self, account: &Account, more: &[String]) -> Result<AddressStates, CommandError> {
        let stay = |home: Addresses| home.rows.iter().filter(|row| !row.leaves).count();
        let have = stay(self.store.addresses(account.id)?);
        for address in more {
            self.register(account, address, false)?;
        }
        let home = self.store.addresses(account.id)?;
        let addresses = AddressStates::of(&home);
        if stay(home) > ADDRESSES_AT_MOST {
            return Err(Objection::TooManyAddresses { have }.into());
        }
        Ok(addresses)
    }

    fn change_password(&mut self, login: &Login, new: &Password) -> Result<Note, CommandError> {
        let account = self.prove(login)?;
        check_password(&account.userid, new)?;
        let hash = self.proofs.fresh_hash(&login.userid, new).ok_or(Refusal::NotProven)?;
        self.store.set_password(account.id, hash)?;
        Ok(Note::Password { userid: account.userid.to_string() })
    }

    fn change_address(&mut self, login: &Login, mut addresses: Vec<String>) -> Result<Note, CommandError> {
        let account = self.prove(login)?;
        if addresses.is_empty() {
            addresses.extend(self.letter.sender.clone());
        }
        if addresses.is_empty() {
            return Err(Refusal::NoAddress.into());
        }
        let userid = account.userid.to_string();
        for old in self.store.addresses(account.id)?.rows {
            if addresses.iter().any(|new| new.to_lowercase() == old.address.to_lowercase()) {
                continue;
            }
            // One that is confirmed stays until another is: a typing mistake must not shut its player out.
            match old.confirmed_at {
                Some(_) => self.store.let_address_leave(account.id, &old.address)?,
                None => self.store.remove_address(account.id, &old.address)?,
            }
        }
        let AddressStates { confirmed, waiting } = self.add_addresses(&account, &addresses)?;
        if !confirmed.is_empty() {
            self.drop_leaving(&account)?;
        }
        Ok(Note::Addresses { userid, addresses: confirmed, waiting })
    }

    /// The answer says nothing about whether there is such an account, and names nobody.
    fn forgot(&mut self, userid: &Userid) -> Result<Note, CommandError> {
        let known = |account: &Account| !account.is_deleted() && !account.id.is_robot();
        let Some(account) = self.store.player(userid)?.filter(known) else {
            return Ok(Note::Forgot);
        };
        let token = self.code();
        if self.store.add_reset(account.id, CodeHash::of(&token), self.at, TOKEN_SECONDS)? {
            let text = Text::Token { userid: account.userid.to_string(), token };
            self.mail(Mailing { to: To::Player(account.id), thread: None, parcel: Parcel::Text(text) });
        }
        Ok(Note::Forgot)
    }

    fn reset(
        &mut self,
        userid: &Userid,
        token: &Password,
        password: &Password,
    ) -> Result<Note, CommandError> {
        let known = |account: &Account| !account.is_deleted() && !account.id.is_robot();
        let account = self.store.player(userid)?.filter(known).ok_or(Objection::BadToken)?;
        if !self.store.is_reset(account.id, CodeHash::of(&token.0), self.at, TOKEN_SECONDS)? {
            return Err(Objection::BadToken.into());
        }
        check_password(&account.userid, password)?;
        let hash = self.proofs.fresh_hash(userid, password).ok_or(Objection::BadToken)?;
        self.store.set_password(account.id, hash)?;
        let secret = self.secret();
        self.store.set_secret(account.id, &secret)?;
        self.speaks(account.id);
        Ok(Note::Password { userid: account.userid.to_string() })
    }

    fn sign_off(&mut self, login: &Login) -> Result<Note, CommandError> {
        let account = self.prove(login)?;
        if account.is_signed_off() {
            return Err(Objection::SignedOffAlready.into());
        }
        self.store.set_account_state(account.id, AccountState::SignedOff)?;
        self.store.end_seeks(account.id)?;
        let running = self.store.boards(&running(&account))?.len();
        Ok(Note::SignedOff { userid: account.userid.to_string(), running })
    }

    fn delete(&mut self, login: &Login) -> Result<Note, CommandError> {
        let account = self.prove(login)?;
        let mut resigned = Vec::new();
        for row in self.store.boards(&running(&account))? {
            let id = row.id;
            let Some(board) = Board::load(self.store, id)? else { continue };
            let Some(seat) = board.seat_of(account.id) else { continue };
            let names = names(self.store, &board.row.players)?;
            let mut at = AtBoard { board, seat, player: account.id, names };
            self.happen(&mut at, EventKind::Resignation, "")?;
            self.tell("resigned", &at)?;
            resigned.push(id.0);
        }
        resigned.sort_unstable();
        let addresses = self.store.addresses(account.id)?.rows.into_iter();
        let last_words = addresses.filter(|row| row.confirmed_at.is_some()).map(|row| row.address).collect();
        self.say_goodbye(last_words);
        let secret = self.secret();
        self.store.end_seeks(account.id)?;
        self.store.erase_player(account.id, &secret)?;
        Ok(Note::Deleted { userid: account.userid.to_string(), resigned })
    }
}

fn running(account: &Account) -> BoardFilter {
    BoardFilter { game: None, player: Some(account.id), which: Which::Active, limit: u32::MAX, before: None }
}

fn check_password(userid: &Userid, password: &Password) -> Result<(), Refusal> {
    let length = password.0.chars().count();
    let allowed = (PASSWORD_MIN..=PASSWORD_MAX).contains(&length);
    if allowed && !password.0.eq_ignore_ascii_case(userid.as_str()) {
        return Ok(());
    }
    Err(Refusal::BadPassword { min: PASSWORD_MIN, max: PASSWORD_MAX })
}
