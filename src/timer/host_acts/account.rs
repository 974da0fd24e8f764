//! `admin user USERID --reset-password | --add-address | --suspend | --resume` and `admin rename`.

use data_encoding::BASE32_NOPAD;
use minijinja::context;
use rand::Rng;

use super::{ActContext, Acted, UserAct};
use crate::commands::LANGUAGE;
use crate::commands::addresses::ADDRESSES_AT_MOST;
use crate::commands::password::token_mail;
use crate::credentials::limits::TOKEN_SECONDS;
use crate::failure::{CommandError, refuse};
use crate::ids::Userid;
use crate::language::args::read_address;
use crate::store::{Account, ActKind, CodeHash};

impl ActContext<'_> {
    pub(crate) fn on_user(&mut self, userid: &Userid, act: &UserAct) -> Result<Acted, CommandError> {
        let account = self.person(userid)?;
        let player = account.id;
        let acted = match act {
            UserAct::ResetPassword => self.reset_password(&account)?,
            UserAct::AddAddress(address) => self.add_address(&account, address)?,
            UserAct::Suspend => self.suspend(&account)?,
            UserAct::Resume => {
                if account.suspended.is_none() {
                    return refuse!("{userid} is not suspended");
                }
                self.store.set_suspended(player, None)?;
                Acted::new(ActKind::ResumeUser, format!("{userid} is a player like others again."))
            }
        };
        Ok(acted.player(player))
    }

    fn reset_password(&mut self, account: &Account) -> Result<Acted, CommandError> {
        let userid = &account.userid;
        if self.store.addresses(account.id)?.confirmed().next().is_none() {
            return refuse!("{userid} has no confirmed address to send a token to: add one first");
        }
        let mut octets = [0; 16];
        self.rng.fill_bytes(&mut octets);
        let token = BASE32_NOPAD.encode(&octets).to_lowercase();
        // The host may send another at once; players wait an hour.
        self.store.add_reset(account.id, CodeHash::of(&token), self.now, i64::MIN / 2)?;
        self.mails.push(token_mail(account, &token));
        let minutes = TOKEN_SECONDS / 60;
        let said = format!(
            "A token to set a new password goes to the addresses of {userid}; it is good for {minutes} minutes, and the \
             old password until then."
        );
        Ok(Acted::new(ActKind::ResetPassword, said))
    }

    fn add_address(&mut self, account: &Account, address: &str) -> Result<Acted, CommandError> {
        let userid = &account.userid;
        let address = match read_address(address) {
            Ok(address) => address,
            Err(why) => return refuse!("{why}"),
        };
        let addresses = self.store.addresses(account.id)?;
        match addresses.row(&address) {
            Some(row) if row.confirmed_at.is_some() => {
                return refuse!("{userid} has this address already");
            }
            Some(_) => {}
            None if addresses.rows.iter().filter(|row| !row.leaves).count() >= ADDRESSES_AT_MOST => {
                return refuse!(
                    "{userid} has {ADDRESSES_AT_MOST} addresses, and an account has no more: `turnpost submit --as \
                     {userid} change address {userid} - ADDRESS` puts others in their place"
                );
            }
            None => {}
        }
        self.store.add_address(account.id, &address, self.now, Some(self.now))?;
        self.store.confirm_address(account.id, &address, self.now)?;
        let said = format!("{userid} gets mail at {address} from now on.");
        Ok(Acted::new(ActKind::AddAddress, said))
    }

    /// Letters are answered with the reason, and open challenges end. Boards run on, with their clocks.
    fn suspend(&mut self, account: &Account) -> Result<Acted, CommandError> {
        let userid = &account.userid;
        if self.reason.is_empty() {
            return refuse!("say why: the player is told");
        }
        if account.suspended.is_some() {
            return refuse!("{userid} is suspended already");
        }
        self.store.set_suspended(account.id, Some(self.reason))?;
        self.store.end_seeks(account.id)?;
        let said = format!(
            "Letters of {userid} are answered with the reason and do nothing. Boards and clocks run on: `admin board N \
             --adjourn` stops one."
        );
        Ok(Acted::new(ActKind::Suspend, said))
    }

    pub(crate) fn rename(&mut self, old: &Userid, new: &Userid) -> Result<Acted, CommandError> {
        self.needs_a_reason()?;
        let account = self.person(old)?;
        if self.server.is_called(new.as_str()) || !LANGUAGE.may_be_a_userid(new.as_str()) {
            return refuse!("{new} is a word of the server's own");
        }
        if self.store.player(new)?.is_some_and(|other| other.id != account.id) {
            return refuse!("{new} is taken");
        }
        self.store.rename_player(account.id, new)?;
        let old_name = account.userid.to_string();
        self.tell(account.id, context! { kind => "renamed", old => old_name, new => new.to_string() });
        Ok(Acted::new(ActKind::Rename, format!("{old} is {new} now.")).player(account.id))
    }
}
