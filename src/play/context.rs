//! What a command acts on: the letter, the store, the time.

use jiff::Timestamp;
use jiff::tz::TimeZone;
use rand::Rng;
use rand_chacha::ChaCha12Rng;

use crate::board::{Board, clocks, ratings};
use crate::contest::entries::must_bring_no_second_entry;
use crate::credentials::proof::Held;
use crate::credentials::{Limits, Proofs, Token, Writer};
use crate::failure::{CommandError, Error, Refusal, hint, refusal, refuse};
use crate::ids::{BoardId, Userid};
use crate::language::Login;
use crate::mail::{AnswerBy, Letter, Operator, Proof, ServerIdentity};
use crate::notices::board_update::BoardNews;
use crate::notices::mail_preferences::MailPreferences;
use crate::notices::view::thread;
use crate::notices::{Mail, Thread};
use crate::play::robot::{PrecomputedMoves, Question, RobotConfig, RobotMoves};
use crate::store::{Account, PlayerId, Store, StoreError};

pub(crate) fn no_such_userid(near: Option<Userid>) -> Refusal {
    refusal!("There is no player with that userid.{}", hint(&near))
}

pub(crate) fn not_proven() -> Refusal {
    refusal!(
        "The userid or the password is not right. Both are written as at sign-up; upper and lower case matter in \
        passwords."
    )
    .hiding_line()
}

pub(crate) fn nothing_proves() -> Refusal {
    refusal!(
        "`-` in the password's place works in a mail that proves who sent it, and this one does not. Write your \
        password there."
    )
}

/// Userids before and behind one in the alphabet that may be meant by it.
const NEIGHBOURS: u32 = 50;

/// What a letter's commands act on. It lives as long as the letter's transaction.
pub struct Context<'a> {
    pub store: &'a Store,
    pub letter: &'a Letter,
    pub proofs: &'a Proofs,
    pub(crate) limits: &'a Limits,
    pub now: Timestamp,
    pub writer: Writer,
    /// What the letter's token lets its holder do.
    pub token: Option<Token>,
    /// The letter begins or ends a pause of its player's mails.
    pub(crate) pausing: bool,
    /// Whose names no player may have.
    pub server: Option<&'a ServerIdentity>,
    /// Where players find the pages, without a slash at the end, if there are any.
    pub pages: Option<&'a str>,
    /// The player who needs no password for the command we carry out: a token speaks for its own reply alone.
    on_behalf: Option<PlayerId>,
    pub(crate) robot: RobotMoves<'a>,
    pub(crate) preferences: MailPreferences,
    rng: &'a mut ChaCha12Rng,
    /// What happened on boards, which their players and watchers are told when the letter is done.
    pub(crate) news: Vec<BoardNews>,
    /// The other mails of the letter.
    pub(crate) mails: Vec<Mail>,
    /// Addresses of an account the letter deleted. The answer still goes there.
    last_words: Vec<String>,
    /// The first player for whom a command acted.
    answer_to: Option<PlayerId>,
    /// The limits that stopped a command, with the key of their count.
    pub(crate) hits: Vec<(&'static str, String)>,
    /// What games that ended in this letter did to ratings.
    pub(crate) rated: Vec<ratings::Change>,
    /// The words of a reply beside its move, for the opponent.
    pub(crate) words: Option<String>,
    /// The reasons why players get no mail about this letter, a sentence each.
    pub(crate) unmailed: Vec<String>,
    /// What the answer says below all that was done.
    pub(crate) remark: Option<String>,
    /// What this letter has caused so far, where a limit counts it a letter.
    pub(crate) used: Used,
}

/// What a letter's commands have used of its budgets.
#[derive(Debug, Default)]
pub(crate) struct Used {
    pub signups: u32,
    pub resets: u32,
    pub sign_ins: u32,
    pub recipients: u32,
    pub analyses: u32,
    /// New mailboxes that were asked.
    pub asked: Vec<String>,
    pub help_pages: Vec<String>,
}

impl<'a> Context<'a> {
    pub fn new(
        store: &'a Store,
        (robot, limits): (&'a RobotConfig, &'a Limits),
        (letter, writer): (&'a Letter, Writer),
        proofs: &'a Proofs,
        precomputed: &'a PrecomputedMoves,
        now: Timestamp,
        rng: &'a mut ChaCha12Rng,
    ) -> Context<'a> {
        Context {
            store,
            letter,
            proofs,
            limits,
            now,
            writer,
            token: None,
            pausing: false,
            server: None,
            pages: None,
            on_behalf: None,
            robot: RobotMoves { rules: robot, precomputed, questions: Vec::new() },
            preferences: MailPreferences::default(),
            rng,
            news: Vec::new(),
            mails: Vec::new(),
            last_words: Vec::new(),
            answer_to: None,
            hits: Vec::new(),
            rated: Vec::new(),
            words: None,
            unmailed: Vec::new(),
            remark: None,
            used: Used::default(),
        }
    }

    /// Carries a command out for a player who needs no password for it.
    pub(crate) fn on_behalf_of<T>(&mut self, player: PlayerId, command: impl FnOnce(&mut Self) -> T) -> T {
        self.on_behalf = Some(player);
        let done = command(self);
        self.on_behalf = None;
        done
    }

    /// The player who needs no password for the command we carry out.
    pub(crate) fn on_behalf(&self) -> Option<PlayerId> {
        self.on_behalf
    }

    /// Checks a login and returns its account.
    pub(crate) fn prove(&mut self, login: &Login) -> Result<Account, CommandError> {
        let account = self.store.player(&login.userid)?.filter(|account| !account.is_deleted());
        let account = if login.password.is_left_out() {
            self.without_password(account)?
        } else if let Some(held) = self.proofs.held(login) {
            self.held_back(account, held)?
        } else {
            let has_none =
                account.as_ref().filter(|account| account.password_hash.is_none() && !account.id.is_robot());
            let has_none = has_none.map(|account| account.userid.clone());
            let known = account.filter(|account| self.proofs.fits(account, login));
            known.ok_or_else(|| match (login.password.is_placeholder(), has_none) {
                (true, _) => refusal!(
                    "`PASSWORD` stands for your own password. Send the command again with that in its place."
                )
                .hiding_line(),
                (false, Some(userid)) => refusal!(
                    "{userid} has no password. Replies to the mails of a game play without one. To get one, send this \
                    as the Subject of a mail:\n\n    forgot {userid}"
                )
                .hiding_line(),
                (false, None) => not_proven(),
            })?
        };
        must_be_a_person(&account)?;
        if let Some(suspended) = self.suspended(&account) {
            return Err(suspended.into());
        }
        self.answer_to(account.id);
        Ok(account)
    }

    /// The account of a letter that needs no password, where too many wrong ones were tried.
    fn held_back(&self, account: Option<Account>, held: Held) -> Result<Account, CommandError> {
        if let Ok(account) = self.without_password(account) {
            return Ok(account);
        }
        match held {
            Held::OfThisLetter => refuse!(
                "A letter may hold {most} different passwords, and this one is not among the first.",
                most = self.limits.passwords_a_letter
            ),
            Held::Until(until, _) => refuse!(
                "Too many wrong passwords came, so we look at none before {until}. Replies to our mails play all the \
                same, and `forgot` with your userid gets you a new password at once.",
                until = self.time(until)?
            ),
        }
    }

    /// The account that the letter proves without a password.
    fn without_password(&self, account: Option<Account>) -> Result<Account, CommandError> {
        if let Some(account) = account.as_ref().filter(|account| self.on_behalf == Some(account.id)) {
            return Ok(account.clone());
        }
        match &self.letter.proof {
            Proof::Operator(Operator::AsAnyone) => Ok(account.ok_or_else(|| no_such_userid(None))?),
            Proof::Operator(Operator::As(speaker)) => {
                let account = account.ok_or_else(|| no_such_userid(None))?;
                if account.userid != *speaker {
                    let named = account.userid;
                    return refuse!("You speak for {speaker}, and this command is {named}'s.");
                }
                Ok(account)
            }
            Proof::Sender => {
                let sender = self.letter.sender.as_deref().unwrap_or_default();
                let account = account.ok_or_else(nothing_proves)?;
                let addresses = self.store.addresses(account.id)?;
                let row = addresses.row(sender).ok_or_else(nothing_proves)?;
                if row.confirmed_at.is_none() {
                    must_bring_no_second_entry(self.store, account.id, sender)?;
                    self.store.confirm_address(account.id, sender, self.now)?;
                }
                Ok(self.store.player_by_id(account.id)?)
            }
            Proof::None | Proof::Operator(Operator::Nobody) => Err(nothing_proves().into()),
        }
    }

    /// The words of a reply beside its move; `None` where the letter was no such reply.
    pub fn take_words(&mut self) -> Option<String> {
        self.words.take()
    }

    /// Notes for whom the letter acts: the first one gets the answer.
    pub(crate) fn answer_to(&mut self, player: PlayerId) {
        self.answer_to.get_or_insert(player);
    }

    /// True when `player` reads the answer to the command that we carry out, and so needs no mail about it. At a terminal
    /// anybody may read it, so the player is mailed as well, but for games with the robot, for which it is enough.
    pub(crate) fn reads_answer(&self, player: PlayerId, with_robot: bool) -> bool {
        match self.letter.answer {
            AnswerBy::Terminal => with_robot,
            AnswerBy::Mail | AnswerBy::Page | AnswerBy::Nothing => self.answer_to == Some(player),
        }
    }

    /// The player the letter acted for, else the owner of its sender address. Answers go to registered addresses
    /// only, so a forged sender gains nothing.
    pub(crate) fn player(&self) -> Result<Option<PlayerId>, Error> {
        match (self.answer_to, &self.letter.sender) {
            (Some(player), _) => Ok(Some(player)),
            (None, Some(sender)) => Ok(self.store.players_at(sender)?.first().map(|account| account.id)),
            (None, None) => Ok(None),
        }
    }

    /// The userid nearest to one that does not exist: one slip away, or among its neighbours in the alphabet. However many
    /// players there are, no more of them are looked at.
    pub(crate) fn nearest(&self, userid: &Userid) -> Result<Option<Userid>, Error> {
        if crate::language::looks_like_the_robot(userid.as_str()) {
            return Ok(crate::language::robot_userid(None));
        }
        let key = userid.key();
        let mut known = self.store.userids_among(&crate::language::one_slip_from(&key))?;
        known.extend(self.store.userids_around(&key, NEIGHBOURS)?);
        let near = crate::language::closest(&key, known.iter().map(Userid::as_str));
        Ok(near.and_then(|near| near.parse().ok()))
    }

    /// A random seed. 63 bits, so that it is the same number in every format.
    pub(crate) fn seed(&mut self) -> u64 {
        self.rng.next_u64() >> 1
    }

    pub(crate) fn secret(&mut self) -> [u8; 32] {
        let mut secret = [0; 32];
        self.rng.fill_bytes(&mut secret);
        secret
    }

    /// A token or code: 128 bits in lower-case base32.
    pub(crate) fn code(&mut self) -> String {
        let mut octets = [0; 16];
        self.rng.fill_bytes(&mut octets);
        data_encoding::BASE32_NOPAD.encode(&octets).to_lowercase()
    }

    /// The zones of both players.
    pub(crate) fn zones(&self, players: &[PlayerId; 2]) -> Result<[TimeZone; 2], Error> {
        let [first, second] = *players;
        Ok([self.zone(first)?, self.zone(second)?])
    }

    /// The zone in which a player reads days and times.
    pub(crate) fn zone(&self, player: PlayerId) -> Result<TimeZone, Error> {
        Ok(zone_of(self.store, player)?)
    }

    /// The thread of a board, if the board exists.
    pub(crate) fn thread(&self, board: Option<BoardId>) -> Result<Option<Thread>, Error> {
        Ok(board.map(|board| thread(self.store, board)).transpose()?.flatten())
    }

    /// Recomputes a deadline that a vacation or the time for all moves affects. Most boards need no work.
    pub(crate) fn settle(&mut self, board: &mut Board) -> Result<(), Error> {
        let days = board.row.days;
        if board.row.to_move.is_none() || !days.limit() {
            return Ok(());
        }
        if days.for_all_moves().is_some()
            || self.preferences.anybody_away(self.store, board.row.id, self.now)?
        {
            clocks::settle_now(self.store, board, self.now)?;
        }
        Ok(())
    }

    pub(crate) fn notify(&mut self, mail: Mail) {
        self.mails.push(mail);
    }

    /// Sends the answer to these addresses too, which are no longer registered.
    pub(crate) fn say_goodbye(&mut self, addresses: Vec<String>) {
        self.last_words = addresses;
    }

    /// The questions the robot should answer before the next try at the letter.
    pub fn take_questions(&mut self) -> Vec<Question> {
        std::mem::take(&mut self.robot.questions)
    }

    pub(crate) fn take_last_words(&mut self) -> Vec<String> {
        std::mem::take(&mut self.last_words)
    }
}

/// The zone in which a player reads days and times.
pub fn zone_of(store: &Store, player: PlayerId) -> Result<TimeZone, StoreError> {
    let zone = store.player_by_id(player)?.zone;
    Ok(crate::zone::find(&zone).unwrap_or(TimeZone::UTC))
}

/// Nobody acts in the robot's name.
pub(crate) fn must_be_a_person(account: &Account) -> Result<(), CommandError> {
    match account.id.is_robot() {
        true => refuse!("{userid} is the robot, which speaks for itself.", userid = account.userid),
        false => Ok(()),
    }
}
