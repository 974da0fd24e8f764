//! `help`, `signup`.

use super::desk::Desk;
use super::transcript::Event;
use super::{Refusal, Stop};
use crate::command::{Password, table};
use crate::ids::Userid;
use crate::reply::help;

/// A password has at least so many characters.
const PASSWORD_MIN: usize = 4;
/// And at most so many.
const PASSWORD_MAX: usize = 100;

impl Desk<'_> {
    pub(super) fn help(&mut self, subjects: Vec<String>) -> Result<Event, Stop> {
        let subjects = if subjects.is_empty() { vec![help::FIRST_PAGE.to_owned()] } else { subjects };
        let pages = subjects.iter().filter_map(|subject| help::page(subject)).collect::<Vec<_>>();
        if pages.is_empty() {
            return Err(Refusal::NoSuchPage { pages: help::pages().join(", ") }.into());
        }
        Ok(Event::Help(pages))
    }

    pub(super) fn signup(
        &mut self,
        userid: Userid,
        password: Password,
        mut addresses: Vec<String>,
    ) -> Result<Event, Stop> {
        if !table::may_be_a_userid(userid.as_str()) {
            return Err(Refusal::ReservedUserid.into());
        }
        if let Some(taken) = self.store.player(&userid)? {
            return Err(Refusal::Taken { userid: taken.userid }.into());
        }
        let length = password.0.chars().count();
        let allowed = (PASSWORD_MIN..=PASSWORD_MAX).contains(&length);
        if !allowed || password.0.eq_ignore_ascii_case(userid.as_str()) {
            return Err(Refusal::BadPassword { min: PASSWORD_MIN, max: PASSWORD_MAX }.into());
        }
        if addresses.is_empty() {
            addresses.extend(self.letter.sender.clone());
        }
        if addresses.is_empty() {
            return Err(Refusal::NoAddress.into());
        }
        // A hash is missing only if the account was deleted while it was being read about: then it was not needed.
        let hash = self.proofs.fresh_hash(&userid, &password).ok_or(Refusal::NotProven)?;
        let secret = self.secret();
        let id = self.store.add_player(&userid, hash, &secret, self.at)?;
        for address in &addresses {
            self.store.add_address(id, address, self.at, Some(self.at))?;
        }
        self.acts_for(id);
        Ok(Event::SignedUp { userid: userid.to_string(), addresses })
    }
}
