//! Leases of mails: which mail is sent next, by which sender, and the outcome.

use jiff::Timestamp;
use rusqlite::params;

use super::columns::stored_row;
use super::sql::Select;
use super::{MailState, PlayerId, Result, Store};
use crate::ids::BoardId;

stored_row! {
    /// A mail that one process holds while it sends it.
    #[derive(Debug, Clone)]
    pub struct Leased from "outbox LEFT JOIN mail_bytes ON mail = id" {
        pub id: i64 = "id",
        /// `None` for a recipient without an account.
        pub player: Option<PlayerId> = "player",
        pub recipient: String = "recipient",
        pub message_id: String = "message_id",
        /// Empty if its text is lost.
        pub mail: Vec<u8> = "coalesce(bytes, x'')",
        /// The number of earlier tries.
        pub attempts: u32 = "attempts",
        /// The picture to attach.
        pub picture: Option<Pictured> = "pictured, board",
    }
}

stored_row! {
    /// A board in a picture.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct Pictured {
        /// The event after which it is drawn.
        pub event: u32,
        pub board: BoardId,
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SendOutcome {
    Sent,
    /// When to try again, and why it failed.
    Later(Timestamp, String),
    /// Why no mail can be sent now. The mail keeps its place, and this attempt does not count.
    Held(String),
    /// Why the mail is given up.
    Failed(String),
}

/// How long a sender can hold a mail before the mail counts as forgotten, in seconds.
const LEASE: i64 = 10 * 60;

/// The mail that is due first. Reads no other mail.
const NEXT_DUE: &str = "SELECT id FROM outbox INDEXED BY outbox_due
    WHERE state = 'waiting' AND sender IS NULL AND due_at <= ?1 ORDER BY due_at, id LIMIT 1";

/// The first of the mails that are due in more than 12 hours. No pause between tries is that long: the due
/// time was written before the clock was set back and is ignored, unless the player has paused mails.
const NEXT_OF_ANOTHER_CLOCK: &str = "SELECT id FROM outbox INDEXED BY outbox_due
    WHERE state = 'waiting' AND sender IS NULL AND due_at > ?1 + 43200
      AND NOT EXISTS (SELECT 1 FROM players p WHERE p.id = outbox.player AND p.paused_until > ?1)
    ORDER BY due_at, id LIMIT 1";

const LEASE_MAIL: &str = "UPDATE outbox SET sender = ?2, lease_until = ?3 WHERE id = ?1";

impl Store {
    /// Leases up to `most` mails that are due first to this store. No other store gets them while this process lives.
    pub fn lease_mails(&mut self, most: usize, mut clock: impl FnMut() -> Timestamp) -> Result<Vec<i64>> {
        self.free_leases(clock())?;
        // Reading is cheap and blocks no writer; a lease is a transaction.
        if self.next_due(clock())?.is_none() {
            return Ok(Vec::new());
        }
        let sender = self.sender(clock())?;
        // No sync: a power failure that loses the lease also ends the process that holds it.
        self.write_unforced(|store| {
            let at = clock();
            let mut leased = Vec::new();
            while leased.len() < most
                && let Some(mail) = store.next_due(at)?
            {
                store.execute(LEASE_MAIL, [mail, sender, at.as_second() + LEASE])?;
                leased.push(mail);
            }
            Ok(leased)
        })
    }

    fn next_due(&self, at: Timestamp) -> Result<Option<i64>> {
        if self.served_elsewhere(at)?.is_some() {
            return Ok(None);
        }
        for sql in [NEXT_DUE, NEXT_OF_ANOTHER_CLOCK] {
            if let Some(mail) = self.find(sql, [at.as_second()])? {
                return Ok(Some(mail));
            }
        }
        Ok(None)
    }

    /// A mail that this store has leased; `None` if its lease has ended.
    pub fn leased_mail(&self, mail: i64) -> Result<Option<Leased>> {
        let Some(sender) = self.own_sender() else { return Ok(None) };
        Select::rows()
            .and_with("id = ?", mail)
            .and("state = 'waiting'")
            .and_with("sender = ?", sender)
            .first(self)
    }

    /// Records the outcome of a leased mail and ends the lease.
    pub fn settle_mail(&self, id: i64, outcome: &SendOutcome, at: Timestamp) -> Result<()> {
        let (state, due_at, error, finished_at) = match outcome {
            SendOutcome::Sent => (MailState::Sent, None, None, Some(at)),
            SendOutcome::Later(due, why) => (MailState::Waiting, Some(*due), Some(why), None),
            SendOutcome::Held(why) => (MailState::Waiting, None, Some(why), None),
            SendOutcome::Failed(why) => (MailState::Failed, None, Some(why), Some(at)),
        };
        let tries = u32::from(!matches!(outcome, SendOutcome::Held(_)));
        let secret: Option<i64> = self.find(
            "UPDATE outbox SET state = ?2, due_at = coalesce(?3, due_at), last_error = ?4,
             finished_at = ?5, lease_until = NULL, sender = NULL, attempts = attempts + iif(sender IS NULL, 0, ?6),
             recipient = iif(secret = 2 AND ?2 <> 'waiting', '', recipient)
             WHERE id = ?1 AND state = 'waiting' RETURNING secret",
            params![
                id,
                state,
                due_at.map(Timestamp::as_second),
                error,
                finished_at.map(Timestamp::as_second),
                tries
            ])?;
        if secret.is_some_and(|secret| secret > 0) && state != MailState::Waiting {
            self.execute("DELETE FROM mail_bytes WHERE mail = ?1", [id])?;
        }
        // The mail of an erased account is finished and deleted, but the files still contain its text.
        if secret == Some(2) && state != MailState::Waiting {
            self.note_erasure(at, false)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::tests::add_waiting;
    use jiff::SignedDuration;

    fn at() -> Timestamp {
        Timestamp::from_second(1_800_000_000).unwrap()
    }

    /// A store with mails that are due, and as many that were put off.
    fn with_waiting(mails: u32) -> Store {
        let store = Store::in_memory().unwrap();
        add_waiting(&store, mails * 2, at()).unwrap();
        for id in (2..=i64::from(mails) * 2).step_by(2) {
            let due = at() + SignedDuration::from_mins((id - 1) % 300 + 1);
            store.settle_mail(id, &SendOutcome::Later(due, "busy".into()), at()).unwrap();
        }
        store
    }

    #[test]
    fn leasing_costs_the_same_however_many_wait() {
        let [few, many] = [5, 500].map(with_waiting);
        let now = at().as_second();
        for (sql, values) in [
            (NEXT_DUE, &[now][..]),
            (NEXT_OF_ANOTHER_CLOCK, &[now]),
            (NEXT_OF_ANOTHER_CLOCK, &[now - 1_000_000]),
            (LEASE_MAIL, &[1, 1, now]),
        ] {
            let plan = many.plan(sql, rusqlite::params_from_iter(values));
            assert!(!plan.contains("SCAN") && !plan.contains("TEMP B-TREE"), "{sql}: {plan}");
            assert_eq!(few.steps(sql, values), many.steps(sql, values), "{sql}");
        }
    }

    #[test]
    fn mails_leave_as_they_become_due() {
        let mut store = with_waiting(2);
        let mut order = Vec::new();
        let mut now = at();
        while store.waiting_mails().unwrap() > 0 {
            let leased = store.lease_mails(16, || now).unwrap();
            if leased.is_empty() {
                now += SignedDuration::from_mins(1);
            }
            for mail in leased {
                assert_eq!(store.leased_mail(mail).unwrap().unwrap().mail.len(), 5000);
                store.settle_mail(mail, &SendOutcome::Sent, now).unwrap();
                order.push(mail);
            }
        }
        assert_eq!(order, [1, 3, 2, 4]);
    }
}
