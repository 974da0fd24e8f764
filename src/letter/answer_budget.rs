//! The budgets of a letter's answers.

use jiff::Timestamp;
use minijinja::context;

use crate::credentials::Limits;
use crate::credentials::limits::Allowance;
use crate::failure::Error;
use crate::mail::{Letter, Proof};
use crate::notices::Mail;
use crate::notices::mail::{Purpose, Recipient};
use crate::store::{PlayerAddresses, PlayerId, Store, mailbox_key};

pub(crate) struct Budget<'a> {
    pub store: &'a Store,
    pub limits: &'a Limits,
    pub letter: &'a Letter,
    pub now: Timestamp,
}

impl Budget<'_> {
    /// Sends an answer to all confirmed addresses of a player. Each mailbox has a limit, unless `always`.
    pub fn to_player(
        &self,
        player: PlayerId,
        addresses: &PlayerAddresses,
        always: bool,
        mail: impl Fn(Recipient) -> Mail,
    ) -> Result<Vec<Mail>, Error> {
        let limit = self.limits.answers();
        let mut leaving = Vec::new();
        for address in addresses.confirmed() {
            let key = mailbox_key(address);
            let allowance = if always { Allowance::Open } else { limit.count(self.store, &key, self.now)? };
            if allowance != Allowance::Open {
                self.store.hit_limit(limit.what, &key, Some(player), self.now)?;
            }
            let to = Recipient::PlayerAt(player, address.to_owned());
            leaving.push(match allowance {
                Allowance::Open => mail(to),
                Allowance::LastNotice(until) => Mail {
                    purpose: Purpose::Answer,
                    ..Mail::page(to, "enough.md", context! { until => until.as_second() })
                },
                Allowance::Shut => continue,
            });
        }
        Ok(leaving)
    }

    /// A sender without an account gets one answer a day, and a few more if `asks`: to `help` or a failed `signup`.
    ///
    /// The answer goes only to the envelope sender: a From is easily forged. A letter without an envelope sender gets
    /// no answer (RFC 3834 4).
    pub fn to_stranger(&self, asks: bool, mail: impl Fn(Recipient) -> Mail) -> Result<Vec<Mail>, Error> {
        let Some(path) = &self.letter.return_path else { return Ok(Vec::new()) };
        // Other senders cannot use up the budget of a proven sender.
        let proven = self.letter.proof == Proof::Sender && self.letter.is_from(path);
        let key = mailbox_key(path);
        let key = if proven { format!("proven {key}") } else { key };
        let (limit, all) = (self.limits.stranger_answers(), self.limits.strangers());
        let is_first = self.store.counted(limit.what, &key, self.now, limit.seconds)? == 0;
        let mine = if asks { limit.has_room(self.store, &key, self.now, 0)? } else { is_first };
        if !mine {
            self.store.hit_limit(limit.what, &key, None, self.now)?;
            return Ok(Vec::new());
        }
        if !proven && all.count(self.store, "", self.now)? != Allowance::Open {
            self.store.hit_limit(all.what, "all", None, self.now)?;
            return Ok(Vec::new());
        }
        limit.count(self.store, &key, self.now)?;
        Ok(vec![mail(Recipient::Address(path.clone()))])
    }

    /// Answers a letter that has a question's token. An envelope sender other than the asked address is unproven and
    /// has the limits of a sender without an account.
    pub fn to_asked(&self, asked: &str) -> Result<Vec<Mail>, Error> {
        match &self.letter.return_path {
            Some(path) if mailbox_key(path) == mailbox_key(asked) => {
                Ok(vec![Mail::answer(Recipient::Address(path.clone()))])
            }
            _ => self.to_stranger(true, Mail::answer),
        }
    }
}
