//! Rate limits on letters, by what a letter proves: the table `[limits]` of the configuration.
//!
//! The operator's terminal has no limits. Reply tokens, proven senders and the news of a board in play are never
//! held back. Counts are stored in the database. An hour or a day begins with the first event that is counted.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::failure::Error;
use crate::store::Store;

const HOUR: i64 = 60 * 60;
const DAY: i64 = 24 * HOUR;

/// At most `at_most` events per `seconds`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RateLimit {
    /// The limit's name in the database, in `/metrics` and in `admin user`.
    pub what: &'static str,
    at_most: u32,
    pub seconds: i64,
}

/// Makes the section `[limits]` from a table. A row has a key and a default. A rate limit also has its function's name,
/// its name in the database, and its period.
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
    /// Answers in an hour to a mailbox of a player whom the letters name but do not prove.
    answers_an_hour = 20, counted as answers "answers" in HOUR;
    /// Answers in a day to failed `signup` or `help` of a sender without an account. Their other letters get one a day.
    stranger_answers_a_day = 5, counted as stranger_answers "stranger answers" in DAY;
    /// Answers in a day to all senders without an account together, unless their mail server proves them.
    strangers_a_day = 500, counted as strangers "strangers" in DAY;
    /// Confirmation questions to a mailbox in a day. One account asks a mailbox once a day.
    questions_a_mailbox = 3, counted as questions_of_a_mailbox "questions to a mailbox" in DAY;
    /// Confirmation questions that one sender causes in a day.
    questions_a_sender = 10, counted as questions_of_a_sender "questions of a sender" in DAY;
    /// Confirmation questions that unproven letters cause together in an hour.
    questions_an_hour = 200, counted as questions "questions" in HOUR;
    /// Boards a proven player starts in a day.
    boards_a_day = 50, counted as boards "boards" in DAY;
    /// Boards started in a day by letters that name a player and prove nothing.
    claimed_boards_a_day = 5, counted as claimed_boards "claimed boards" in DAY;
    /// Boards in a day between two players who have finished five with each other. They count to no other limit.
    friend_boards_a_day = 20, counted as friend_boards "boards with a friend" in DAY;
    /// Mails that a player causes to one other player in an hour, not counting moves.
    mails_to_one_an_hour = 20, counted as mails_to_one "mails to one player in an hour" in HOUR;
    /// Mails that a player causes to one other player in a day, not counting moves.
    mails_to_one_a_day = 40, counted as mails_to_one_today "mails to one player in a day" in DAY;
    /// Messages and chats of a player in a day.
    messages_a_day = 50, counted as messages "messages" in DAY;
    /// Invitations that a player sends in a day to addresses without an account.
    invitations_a_day = 5, counted as invitations "invitations" in DAY;
    /// Invitations of all players together in a day.
    all_invitations_a_day = 100, counted as all_invitations "invitations together" in DAY;
    /// Events that a player makes in a day.
    events_a_day = 3, counted as events "events" in DAY;
    /// Sign-in links for a player in a day, for each way to ask for them.
    sign_ins_a_day = 10, counted as sign_ins "sign-in links" in DAY;
    /// Unproven requests for sign-in links in an hour, for all players together; pages and letters count apart.
    sign_ins_an_hour = 200, counted as all_sign_ins "sign-in links together" in HOUR;
    /// Mails sent again to a player in a day.
    resends_a_day = 20, counted as resends "mails sent again" in DAY;
    /// Seconds in a day that the robot thinks about moves against a player. After that it plays at a quicker level.
    robot_seconds_a_day = 600, counted as robot_seconds "robot seconds" in DAY;
    /// Memory for the hash of a new password, in KiB. Not a setting, but tests use less.
    #[serde(skip)]
    password_kib = 19_456;
    /// Wrong passwords in an hour from one sender for one userid.
    wrong_passwords_of_a_login = 10, counted as wrong_passwords_of_a_login "wrong passwords of a login" in HOUR;
    /// Wrong passwords in an hour from one sender.
    wrong_passwords_of_a_sender = 30, counted as wrong_passwords_of_a_sender "wrong passwords of a sender" in HOUR;
    /// Wrong passwords in an hour for one userid.
    wrong_passwords_of_a_userid = 20, counted as wrong_passwords_of_a_userid "wrong passwords of a userid" in HOUR;
    /// Analyses for a player in a day, on request or after a game.
    analyses_a_day = 8, counted as analyses "analyses" in DAY;
}

/// At most this many commands of a letter are read.
pub(crate) const COMMANDS_A_LETTER: usize = 50;

/// At most this many different passwords of a letter are checked.
pub(crate) const PASSWORDS_A_LETTER: usize = 5;

/// `help` pages for a player in a day that do not count as answers.
pub(crate) const HELP_PAGES: RateLimit = RateLimit { what: "help pages", at_most: 20, seconds: DAY };

/// Questions in a day about one account or one board to one mailbox.
pub(crate) const QUESTIONS_OF_AN_ACCOUNT: RateLimit =
    RateLimit { what: "question again", at_most: 1, seconds: DAY };

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Allowance {
    Open,
    /// Send one more mail: it says that no others follow until this time.
    LastNotice(Timestamp),
    Shut,
}

impl RateLimit {
    /// Counts one more event.
    pub(crate) fn count(self, store: &Store, key: &str, now: Timestamp) -> Result<Allowance, Error> {
        let count = store.count(self.what, key, now, self.seconds)?;
        Ok(match count {
            count if count <= self.at_most => Allowance::Open,
            count if count == self.at_most + 1 => Allowance::LastNotice(self.ends(store, key, now)?),
            _ => Allowance::Shut,
        })
    }

    /// True if one more event is allowed. `pending` events are added to those already counted.
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

    /// The time when the count restarts.
    pub(crate) fn ends(self, store: &Store, key: &str, now: Timestamp) -> Result<Timestamp, Error> {
        Ok(store.count_ends(self.what, key, now, self.seconds)?)
    }
}

/// How long a reset token is valid. The server sends no second one meanwhile.
pub(crate) const TOKEN_SECONDS: i64 = HOUR;
