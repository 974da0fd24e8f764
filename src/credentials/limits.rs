//! What a letter may cost us and other people, by what it proves: the table `[limits]` of the configuration.
//!
//! The operator's terminal has no limits. Reply tokens, proven senders and the news of a board in play are never
//! held back. Counts live in the database; an hour or a day begins with the first of its kind.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::failure::Error;
use crate::store::{CodeHash, Store};

/// The section `[limits]`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Limits {
    /// Answers to a player whom the letters name and do not prove.
    pub answers_an_hour: u32,
    /// Answers to a stranger's failed `signup` or `help`. Other letters of a stranger get one answer a day.
    pub stranger_answers_a_day: u32,
    /// Answers to all strangers together.
    pub strangers_a_day: u32,
    /// The size of an answer to a player, in KiB.
    pub answer_kib: u32,
    /// The size of an answer to a stranger, in KiB.
    pub stranger_answer_kib: u32,
    /// Confirmation questions to a mailbox. One account asks a mailbox once a day.
    pub questions_a_mailbox: u32,
    /// Confirmation questions that one sender causes in a day.
    pub questions_a_sender: u32,
    /// Confirmation questions that unproven letters cause together in an hour.
    pub questions_an_hour: u32,
    /// Boards a proven player starts in a day.
    pub boards_a_day: u32,
    /// Boards started in a day by letters that name a player and prove nothing.
    pub claimed_boards_a_day: u32,
    /// Boards of a player without a move, beyond which such letters start none.
    pub claimed_boards_unmoved: u32,
    /// Messages, chats and nudges of a player in a day.
    pub messages_a_day: u32,
    /// Mails to an opponent in a day about vacations of one player.
    pub vacation_mails_a_day: u32,
    /// Replies of words that are passed on to the opponent about one position in a day.
    pub replies_passed_on_a_day: u32,
    /// Players a letter writes messages to.
    pub recipients_a_letter: u32,
    /// Different passwords that a letter has checked.
    pub passwords_a_letter: u32,
    /// Wrong passwords in an hour of a sender for a userid.
    pub wrong_passwords_of_a_login: u32,
    /// Wrong passwords in an hour of a sender.
    pub wrong_passwords_of_a_sender: u32,
    /// Wrong passwords in an hour for a userid.
    pub wrong_passwords_of_a_userid: u32,
    /// Commands read in a letter.
    pub commands_a_letter: u32,
    /// Pages of `help` a line.
    pub help_pages_a_line: u32,
    /// Pages of `help` a day that do not count as answers.
    pub help_pages_a_day: u32,
    /// Boards of `show` a line.
    pub boards_a_line: u32,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            answers_an_hour: 20,
            stranger_answers_a_day: 5,
            strangers_a_day: 500,
            answer_kib: 256,
            stranger_answer_kib: 64,
            questions_a_mailbox: 3,
            questions_a_sender: 10,
            questions_an_hour: 200,
            boards_a_day: 50,
            claimed_boards_a_day: 5,
            claimed_boards_unmoved: 10,
            messages_a_day: 50,
            vacation_mails_a_day: 4,
            replies_passed_on_a_day: 5,
            recipients_a_letter: 20,
            passwords_a_letter: 5,
            wrong_passwords_of_a_login: 10,
            wrong_passwords_of_a_sender: 30,
            wrong_passwords_of_a_userid: 20,
            commands_a_letter: 50,
            help_pages_a_line: 5,
            help_pages_a_day: 20,
            boards_a_line: 20,
        }
    }
}

const HOUR: i64 = 60 * 60;
const DAY: i64 = 24 * HOUR;

/// At most so many of a kind in a time.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RateLimit {
    /// Its name in the database, in `/metrics` and in `admin user`.
    pub what: &'static str,
    at_most: u32,
    pub seconds: i64,
}

impl Limits {
    pub(crate) fn answers(&self) -> RateLimit {
        RateLimit { what: "answers", at_most: self.answers_an_hour, seconds: HOUR }
    }

    pub(crate) fn help_pages(&self) -> RateLimit {
        RateLimit { what: "help pages", at_most: self.help_pages_a_day, seconds: DAY }
    }

    pub(crate) fn stranger_answers(&self) -> RateLimit {
        RateLimit { what: "stranger answers", at_most: self.stranger_answers_a_day, seconds: DAY }
    }

    pub(crate) fn strangers(&self) -> RateLimit {
        RateLimit { what: "strangers", at_most: self.strangers_a_day, seconds: DAY }
    }

    /// Questions of one account, or about one board, to one mailbox.
    pub(crate) fn questions_of_an_account(&self) -> RateLimit {
        RateLimit { what: "question again", at_most: 1, seconds: DAY }
    }

    pub(crate) fn questions_of_a_mailbox(&self) -> RateLimit {
        RateLimit { what: "questions to a mailbox", at_most: self.questions_a_mailbox, seconds: DAY }
    }

    pub(crate) fn questions_of_a_sender(&self) -> RateLimit {
        RateLimit { what: "questions of a sender", at_most: self.questions_a_sender, seconds: DAY }
    }

    pub(crate) fn questions(&self) -> RateLimit {
        RateLimit { what: "questions", at_most: self.questions_an_hour, seconds: HOUR }
    }

    pub(crate) fn boards(&self) -> RateLimit {
        RateLimit { what: "boards", at_most: self.boards_a_day, seconds: DAY }
    }

    pub(crate) fn claimed_boards(&self) -> RateLimit {
        RateLimit { what: "claimed boards", at_most: self.claimed_boards_a_day, seconds: DAY }
    }

    pub(crate) fn messages(&self) -> RateLimit {
        RateLimit { what: "messages", at_most: self.messages_a_day, seconds: DAY }
    }

    /// Words of one player about one position.
    pub(crate) fn replies_passed_on(&self) -> RateLimit {
        RateLimit { what: "replies passed on", at_most: self.replies_passed_on_a_day, seconds: DAY }
    }

    /// Mails to one opponent about vacations of one player.
    pub(crate) fn vacations_told(&self) -> RateLimit {
        RateLimit { what: "vacations told", at_most: self.vacation_mails_a_day, seconds: DAY }
    }

    pub(crate) fn wrong_passwords_of_a_login(&self) -> RateLimit {
        RateLimit {
            what: "wrong passwords of a login",
            at_most: self.wrong_passwords_of_a_login,
            seconds: HOUR,
        }
    }

    pub(crate) fn wrong_passwords_of_a_sender(&self) -> RateLimit {
        RateLimit {
            what: "wrong passwords of a sender",
            at_most: self.wrong_passwords_of_a_sender,
            seconds: HOUR,
        }
    }

    pub(crate) fn wrong_passwords_of_a_userid(&self) -> RateLimit {
        RateLimit {
            what: "wrong passwords of a userid",
            at_most: self.wrong_passwords_of_a_userid,
            seconds: HOUR,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Allowance {
    Open,
    /// One mail may still say that no more follow until then.
    LastNotice(Timestamp),
    Shut,
}

impl RateLimit {
    /// Counts one more.
    pub(crate) fn count(self, store: &Store, key: &str, now: Timestamp) -> Result<Allowance, Error> {
        let count = store.count(self.what, key, now, self.seconds)?;
        Ok(match count {
            count if count <= self.at_most => Allowance::Open,
            count if count == self.at_most + 1 => Allowance::LastNotice(self.ends(store, key, now)?),
            _ => Allowance::Shut,
        })
    }

    /// True when one more is allowed. `pending` come on top of those counted.
    pub(crate) fn has_room(
        self,
        store: &Store,
        key: &str,
        now: Timestamp,
        pending: usize,
    ) -> Result<bool, Error> {
        let pending = u32::try_from(pending).unwrap_or(u32::MAX);
        let counted = store.counted(self.what, key, now, self.seconds)?;
        Ok(counted.saturating_add(pending) < self.at_most)
    }

    /// When the count begins anew.
    pub(crate) fn ends(self, store: &Store, key: &str, now: Timestamp) -> Result<Timestamp, Error> {
        Ok(store.count_ends(self.what, key, now, self.seconds)?)
    }
}

/// The mailbox of an address: in lower case, without its `+extension`. A person reads all its addresses.
pub(crate) fn mailbox(address: &str) -> String {
    let address = address.to_lowercase();
    match address.rsplit_once('@') {
        Some((local, domain)) => match local.split_once('+') {
            Some((name, _)) if !name.is_empty() => format!("{name}@{domain}"),
            _ => address,
        },
        None => address,
    }
}

/// The key of a count that outlives accounts: nobody gets more by deleting one. It does not tell the address.
pub(crate) fn mailbox_key(address: &str) -> String {
    CodeHash::of(&mailbox(address)).hex()
}

/// How long a reset token is valid. The server sends no second one meanwhile.
pub(crate) const TOKEN_SECONDS: i64 = HOUR;

/// An account that never confirmed an address keeps its userid so long.
pub(crate) const UNCONFIRMED_SECONDS: i64 = 7 * DAY;

#[cfg(test)]
mod tests {
    use super::mailbox;

    #[test]
    fn extensions_and_case_make_no_new_mailbox() {
        for (address, expected) in [
            ("Zoe@Z.example", "zoe@z.example"),
            ("zoe+a@z.example", "zoe@z.example"),
            ("zoe+a+b@z.example", "zoe@z.example"),
            ("+zoe@z.example", "+zoe@z.example"),
            ("nobody", "nobody"),
        ] {
            assert_eq!(mailbox(address), expected);
        }
    }
}
