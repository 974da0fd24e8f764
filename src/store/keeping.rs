//! Old mails lose their text; their rows stay.
//!
//! The pages that become free take the next mails, so that the file grows no further. It does not become smaller: that
//! would move pages about for a file that needs them again tomorrow. A backup holds none of them.

use jiff::Timestamp;

use super::columns::stored_row;
use super::sql::Select;
use super::{MailState, Result, Store, StoreError};

/// Mails in one transaction: letters wait no longer than that.
const BATCH: u32 = 100;

/// The clock may have been set back so far, in seconds.
const DAY: i64 = 24 * 60 * 60;

/// The host may have sent one again since it was looked at.
const FORGET: &str = "DELETE FROM mail_bytes WHERE mail = ?1
    AND NOT EXISTS (SELECT 1 FROM outbox WHERE id = ?1 AND state = 'waiting')";

stored_row! {
    struct Kept from "mail_bytes JOIN outbox ON id = mail" {
        mail: i64 = "mail",
        state: MailState = "state",
        created_at: Timestamp = "created_at",
    }
}

impl Store {
    /// Takes the text from every mail that was written before `before` and does not wait, oldest first, as long as
    /// `goes_on`; gives how many.
    pub fn forget_mails(
        &mut self,
        before: Timestamp,
        now: Timestamp,
        goes_on: impl Fn() -> bool,
    ) -> Result<usize> {
        let (mut forgotten, mut last) = (0, 0);
        while goes_on() {
            let kept = self.kept_mails(last)?;
            let Some(end) = kept.last() else { break };
            last = end.mail;
            let old: Vec<i64> = kept
                .iter()
                .filter(|mail| mail.state != MailState::Waiting && mail.created_at < before)
                .map(|mail| mail.mail)
                .collect();
            if !old.is_empty() {
                // What a power failure loses is done again.
                self.write_unforced(|store| {
                    old.iter().try_for_each(|mail| store.execute(FORGET, [mail]).map(drop))?;
                    Ok::<_, StoreError>(())
                })?;
                forgotten += old.len();
                self.yield_write_lock();
            } else if kept
                .iter()
                .any(|mail| mail.created_at >= before && mail.created_at.as_second() <= now.as_second() + DAY)
            {
                // Those behind are younger. One of a year to come was written when the clock was wrong.
                break;
            }
        }
        Ok(forgotten)
    }

    /// The first mails with text, behind one of them.
    fn kept_mails(&self, behind: i64) -> Result<Vec<Kept>> {
        Select::rows().and_with("mail > ?", behind).order("mail").limit(BATCH).all(self)
    }
}
