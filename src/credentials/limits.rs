//! What a letter may cost us and other people, by what it proves: the table `[limits]` of the configuration.
//!
//! The operator's terminal has no limits. Reply tokens, proven senders and the news of a board in play are never
//! held back. Counts live in the database; an hour or a day begins with the first of its kind.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::failure::Error;
use crate::store::Store;

const HOUR: i64 = 60 * 60;
const DAY: i64 = 24 * HOUR;

/// At most `at_most` events per `seconds`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RateLimit {
    /// Its name in the database, in `/metrics` and in `admin user`.
    pub what: &'static str,
    at_most: u32,
    pub seconds: i64,
}

/// Makes the section `[limits]` of a table: key, default, and for what is counted over a time the name in the code, the
/// name in the database, and that time.
macro_rules! limits {
    ($(
        $(#[$doc:meta])+
        $key:ident = $default:literal $(, counted as $rate:ident $what:literal in $period:ident)?;
    )+) => {
        /// The section `[limits]`.
        #[derive(Debug, Clone, Serialize, Deserialize)]
        #[serde(deny_unknown_fields, default)]
        pub struct Limits { $($(#[$doc])+ pub $key: u32),+ }

        impl Default for Limits {
            fn default() -> Limits {
                Limits { $($key: $default),+ }
            }
        }

        impl Limits { $($(
            pub(crate) fn $rate(&self) -> RateLimit {
                RateLimit { what: $what, at_most: self.$key, seconds: $period }
            }
        )?)+ }
    };
}

limits! {
    /// Answers to a player whom the letters name and do not prove.
    answers_an_hour = 20, counted as answers "answers" in HOUR;
    /// Answers to a stranger's failed `signup` or `help`. Other letters of a stranger get one answer a day.
    stranger_answers_a_day = 5, counted as stranger_answers "stranger answers" in DAY;
    /// Answers to all strangers together.
    strangers_a_day = 500, counted as strangers "strangers" in DAY;
    /// Confirmation questions to a mailbox. One account asks a mailbox once a day.
    questions_a_mailbox = 3, counted as questions_of_a_mailbox "questions to a mailbox" in DAY;
    /// Confirmation questions that one sender causes in a day.
    questions_a_sender = 10, counted as questions_of_a_sender "questions of a sender" in DAY;
    /// Confirmation questions that unproven letters cause together in an hour.
    questions_an_hour = 200, counted as questions "questions" in HOUR;
    /// Boards a proven player starts in a day.
    boards_a_day = 50, counted as boards "boards" in DAY;
    /// Boards started in a day by letters that name a player and prove nothing.
    claimed_boards_a_day = 5, counted as claimed_boards "claimed boards" in DAY;
    /// Mails that a player causes to one other in an hour, moves apart.
    mails_to_one_an_hour = 20, counted as mails_to_one "mails to one player in an hour" in HOUR;
    /// The same in a day.
    mails_to_one_a_day = 40, counted as mails_to_one_today "mails to one player in a day" in DAY;
    /// Messages and chats of a player in a day.
    messages_a_day = 50, counted as messages "messages" in DAY;
    /// Invitations that a player sends in a day to addresses without an account.
    invitations_a_day = 5, counted as invitations "invitations" in DAY;
    /// Invitations of all players together in a day.
    all_invitations_a_day = 100, counted as all_invitations "invitations together" in DAY;
    /// Events that a player makes in a day.
    events_a_day = 3, counted as events "events" in DAY;
    /// Links in a day that sign a player in, of each way to ask for them.
    sign_ins_a_day = 10, counted as sign_ins "sign-in links" in DAY;
    /// Times that all ask for such links in an hour: on pages, and by letters that prove nothing.
    sign_ins_an_hour = 200, counted as all_sign_ins "sign-in links together" in HOUR;
    /// Mails sent again to a player in a day.
    resends_a_day = 20, counted as resends "mails sent again" in DAY;
    /// Seconds that the robot thinks about moves against a player in a day, before it plays at a quicker level.
    robot_seconds_a_day = 600, counted as robot_seconds "robot seconds" in DAY;
    /// Memory that the hash of a new password takes, in KiB. Not a setting: tests take less.
    #[serde(skip)]
    password_kib = 19_456;
    /// Wrong passwords in an hour of a sender for a userid.
    wrong_passwords_of_a_login = 10, counted as wrong_passwords_of_a_login "wrong passwords of a login" in HOUR;
    /// Wrong passwords in an hour of a sender.
    wrong_passwords_of_a_sender = 30, counted as wrong_passwords_of_a_sender "wrong passwords of a sender" in HOUR;
    /// Wrong passwords in an hour for a userid.
    wrong_passwords_of_a_userid = 20, counted as wrong_passwords_of_a_userid "wrong passwords of a userid" in HOUR;
    /// Analyses of a player in a day, asked for or after a game.
    analyses_a_day = 8, counted as analyses "analyses" in DAY;
}

/// Commands read in a letter.
pub(crate) const COMMANDS_A_LETTER: usize = 50;

/// Different passwords that a letter has checked.
pub(crate) const PASSWORDS_A_LETTER: usize = 5;

/// Pages of `help` for a player that do not count as answers.
pub(crate) const HELP_PAGES: RateLimit = RateLimit { what: "help pages", at_most: 20, seconds: DAY };

/// Questions of one account, or about one board, to one mailbox.
pub(crate) const QUESTIONS_OF_AN_ACCOUNT: RateLimit =
    RateLimit { what: "question again", at_most: 1, seconds: DAY };

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

/// How long a reset token is valid. The server sends no second one meanwhile.
pub(crate) const TOKEN_SECONDS: i64 = HOUR;
