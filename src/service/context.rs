//! What a command acts on: the letter, the store, the time.

use jiff::Timestamp;
use jiff::tz::TimeZone;
use rand::Rng;
use rand_chacha::ChaCha12Rng;

use crate::command::Login;
use crate::ids::{BoardId, Userid};
use crate::mail::{AnswerBy, Letter, Operator, Proof, ServerIdentity};
use crate::service::board::Board;
use crate::service::limits::{Limits, RateLimit, mailbox_key};
use crate::service::mail_preferences::MailPreferences;
use crate::service::notification::Notification;
use crate::service::proof::Held;
use crate::service::refusal::{Refuse, hint, refuses};
use crate::service::robot::{PrecomputedMoves, Question, RobotConfig, RobotMoves};
use crate::service::token::TokenSeat;
use crate::service::view::{Thread, thread};
use crate::service::{CommandError, Error, Proofs, clocks, ratings};
use crate::store::{Account, PlayerId, Store, StoreError};

#[derive(Debug, thiserror::Error)]
pub(in crate::service) enum IdentityRefusal {
    #[error("Nobody here has the userid you asked for.{}", hint(near))]
    NoSuchUserid { near: Option<Userid> },
    #[error(
        "The userid or the password is not right. Both are written as at sign-up; upper and lower case matter in passwords."
    )]
    NotProven,
    #[error(
        "`-` in the password's place needs a letter that proves who sent it, and this one does not. Write your password there."
    )]
    NothingProves,
    #[error("You speak for {speaker}, and this command is {named}'s.")]
    SpeaksForAnother { speaker: Userid, named: Userid },
    #[error(
        "Too many wrong passwords were tried, so none is looked at before {until}. Replies to our mails play all the \
        same, and `forgot` with your userid gets you a new password at once."
    )]
    TooManyTries { until: String },
    #[error("A letter may hold {most} different passwords, and this one is not among the first.")]
    TooManyPasswords { most: u32 },
    #[error("{userid} is the robot, and nobody speaks for it.")]
    NobodySpeaks { userid: Userid },
}

impl Refuse for IdentityRefusal {
    fn hides_line(&self) -> bool {
        matches!(self, IdentityRefusal::NotProven)
    }
}

refuses!(IdentityRefusal);

/// What a letter's commands act on. It lives as long as the letter's transaction.
pub struct Context<'a> {
    pub store: &'a Store,
    pub letter: &'a Letter,
    pub proofs: &'a Proofs,
    pub(super) limits: &'a Limits,
    pub now: Timestamp,
    /// The seat that the letter's reply token speaks for.
    pub token_seat: Option<TokenSeat>,
    /// The player and address that the letter's token confirms.
    pub confirming: Option<(PlayerId, String)>,
    /// The board and address that the letter's token lets watch.
    pub watching: Option<(BoardId, String)>,
    /// Whose names no player may have.
    pub server: Option<&'a ServerIdentity>,
    /// True while we carry out the reply itself: the token proves nothing for other commands.
    replying: bool,
    pub(super) robot: RobotMoves<'a>,
    pub(super) preferences: MailPreferences,
    rng: &'a mut ChaCha12Rng,
    pub(super) notifications: Vec<Notification>,
    /// Addresses of an account the letter deleted. The answer still goes there.
    last_words: Vec<String>,
    acted_for: Option<PlayerId>,
    /// The first player whom the letter proves.
    proven: Option<PlayerId>,
    /// The limits that stopped a command, with the key of their count.
    hits: Vec<(&'static str, String)>,
    /// What games that ended in this letter did to ratings.
    pub(super) rated: Vec<ratings::Change>,
    /// The words of a reply beside its move, for the opponent.
    pub(super) words: Option<String>,
    /// What this letter has caused so far, where a limit counts it a letter.
    pub(super) used: Used,
}

/// What a letter's commands have used of its budgets.
#[derive(Debug, Default)]
pub(super) struct Used {
    pub signups: u32,
    pub resets: u32,
    pub recipients: u32,
    pub help_pages: Vec<String>,
}

impl<'a> Context<'a> {
    pub fn new(
        store: &'a Store,
        (robot, limits): (&'a RobotConfig, &'a Limits),
        letter: &'a Letter,
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
            token_seat: None,
            confirming: None,
            watching: None,
            server: None,
            replying: false,
            robot: RobotMoves { rules: robot, precomputed, questions: Vec::new() },
            preferences: MailPreferences::default(),
            rng,
            notifications: Vec::new(),
            last_words: Vec::new(),
            acted_for: None,
            proven: None,
            hits: Vec::new(),
            rated: Vec::new(),
            words: None,
            used: Used::default(),
        }
    }

    /// Lets the letter's reply token prove the player, for the reply and nothing else.
    pub(super) fn as_token_seat<T>(&mut self, reply: impl FnOnce(&mut Self) -> T) -> T {
        self.replying = true;
        let done = reply(self);
        self.replying = false;
        done
    }

    /// Checks a login and returns its account.
    pub(super) fn prove(&mut self, login: &Login) -> Result<Account, CommandError> {
        let account = self.store.player(&login.userid)?.filter(|account| !account.is_deleted());
        let account = if login.password.is_left_out() {
            self.vouched(account)?
        } else if let Some(held) = self.proofs.held(login) {
            self.proven_without_password(account, held)?
        } else {
            account.filter(|account| self.proofs.fits(account, login)).ok_or(IdentityRefusal::NotProven)?
        };
        must_be_a_person(&account)?;
        self.speaks(account.id);
        Ok(account)
    }

    /// The account of a letter that needs no password, where too many wrong ones were tried.
    fn proven_without_password(&self, account: Option<Account>, held: Held) -> Result<Account, CommandError> {
        if let Ok(account) = self.vouched(account) {
            return Ok(account);
        }
        Err(match held {
            Held::OfThisLetter => {
                IdentityRefusal::TooManyPasswords { most: self.limits.passwords_a_letter }.into()
            }
            Held::Until(until, _) => IdentityRefusal::TooManyTries { until: self.time(until)? }.into(),
        })
    }

    /// The account that the letter proves without a password.
    fn vouched(&self, account: Option<Account>) -> Result<Account, CommandError> {
        if let (Some(token_seat), Some(account)) = (self.token_seat, &account)
            && self.replying
            && token_seat.player == account.id
        {
            return Ok(account.clone());
        }
        match &self.letter.proof {
            Proof::Operator(Operator::AsAnyone) => {
                Ok(account.ok_or(IdentityRefusal::NoSuchUserid { near: None })?)
            }
            Proof::Operator(Operator::As(speaker)) => {
                let account = account.ok_or(IdentityRefusal::NoSuchUserid { near: None })?;
                if account.userid != *speaker {
                    let named = account.userid;
                    return Err(IdentityRefusal::SpeaksForAnother { speaker: speaker.clone(), named }.into());
                }
                Ok(account)
            }
            Proof::Sender => {
                let sender = self.letter.sender.as_deref().unwrap_or_default();
                let account = account.ok_or(IdentityRefusal::NothingProves)?;
                let addresses = self.store.addresses(account.id)?;
                let row = addresses.row(sender).ok_or(IdentityRefusal::NothingProves)?;
                if row.confirmed_at.is_none() {
                    self.store.confirm_address(account.id, sender, self.now)?;
                }
                Ok(account)
            }
            Proof::None | Proof::Operator(Operator::Nobody) => Err(IdentityRefusal::NothingProves.into()),
        }
    }

    /// Notes that the letter proves this player.
    pub(super) fn speaks(&mut self, player: PlayerId) {
        self.acted_for.get_or_insert(player);
        self.proven.get_or_insert(player);
    }

    /// The first player whom the letter proves.
    pub(super) fn proven(&self) -> Option<PlayerId> {
        self.proven
    }

    /// True when the letter proves who wrote it: the operator, a token of ours, a password, or the sender's mail server.
    pub(super) fn is_proven(&self) -> bool {
        !matches!(self.letter.proof, Proof::None)
            || self.letter.answer == AnswerBy::Terminal
            || self.token_seat.is_some()
            || self.confirming.is_some()
            || self.proven.is_some()
    }

    /// True when the letter proves some player, not only a mailbox.
    pub(super) fn is_from_a_player(&self) -> Result<bool, Error> {
        if self.is_operators()
            || self.proven.is_some()
            || self.token_seat.is_some()
            || self.confirming.is_some()
        {
            return Ok(true);
        }
        let sender = self.letter.sender.as_deref().filter(|_| self.letter.proof == Proof::Sender);
        match sender {
            Some(sender) => Ok(!self.store.players_at(sender)?.is_empty()),
            None => Ok(false),
        }
    }

    /// Whose budget a letter uses: the player it proves, else the mailbox it says it comes from.
    pub(super) fn payer(&self) -> String {
        let seat = self.token_seat.map(|seat| seat.player);
        match self.proven.or(seat).or(self.confirming.as_ref().map(|(player, _)| *player)) {
            Some(PlayerId(number)) => format!("player {number}"),
            None => mailbox_key(self.letter.sender.as_deref().unwrap_or_default()),
        }
    }

    /// True when the letter proves that this player wrote it.
    pub(super) fn proves(&self, player: PlayerId) -> Result<bool, Error> {
        if self.is_operators() || self.proven == Some(player) {
            return Ok(true);
        }
        if self.token_seat.is_some_and(|seat| seat.player == player)
            || self.confirming.as_ref().is_some_and(|(asked, _)| *asked == player)
        {
            return Ok(true);
        }
        let sender = self.letter.sender.as_deref().filter(|_| self.letter.proof == Proof::Sender);
        let Some(sender) = sender else { return Ok(false) };
        Ok(self.store.addresses(player)?.row(sender).is_some_and(|row| row.confirmed_at.is_some()))
    }

    /// True for the operator's terminal, which has no limits.
    pub(super) fn is_operators(&self) -> bool {
        self.letter.answer == AnswerBy::Terminal || matches!(self.letter.proof, Proof::Operator(_))
    }

    /// Takes one from a budget. Beyond it, gives the time when the budget begins anew.
    pub(super) fn spend(&mut self, limit: RateLimit, key: &str) -> Result<Option<Timestamp>, Error> {
        if self.is_operators() {
            return Ok(None);
        }
        if limit.has_room(self.store, key, self.now, 0)? {
            limit.count(self.store, key, self.now)?;
            return Ok(None);
        }
        self.hits(limit, key);
        Ok(Some(limit.ends(self.store, key, self.now)?))
    }

    /// The words of a reply beside its move; `None` where the letter was no such reply.
    pub fn take_words(&mut self) -> Option<String> {
        self.words.take()
    }

    /// Notes that a limit stopped a command.
    pub(super) fn hits(&mut self, limit: RateLimit, key: &str) {
        self.hits.push((limit.what, key.to_owned()));
    }

    /// Records which limits the letter hit, after the savepoints of its commands.
    pub(super) fn record_hits(&mut self, player: Option<PlayerId>) -> Result<(), Error> {
        for (what, key) in std::mem::take(&mut self.hits) {
            self.store.hit_limit(what, &key, player, self.now)?;
        }
        Ok(())
    }

    /// A time as a refusal names it, in the zone of the player the letter acts for.
    pub(super) fn time(&self, at: Timestamp) -> Result<String, Error> {
        let zone = self.player()?.map(|player| self.zone(player)).transpose()?.unwrap_or(TimeZone::UTC);
        let name = zone.iana_name().unwrap_or("UTC").to_owned();
        Ok(format!("{} {name}", at.to_zoned(zone).strftime("%Y-%m-%d %H:%M")))
    }

    /// Notes the player the letter acts for; the first one counts.
    pub(super) fn acts_for(&mut self, player: PlayerId) {
        self.acted_for.get_or_insert(player);
    }

    /// The player the letter acted for, else the owner of its sender address. Answers go to registered addresses
    /// only, so a forged sender gains nothing.
    pub(super) fn player(&self) -> Result<Option<PlayerId>, Error> {
        match (self.acted_for, &self.letter.sender) {
            (Some(player), _) => Ok(Some(player)),
            (None, Some(sender)) => Ok(self.store.players_at(sender)?.first().map(|account| account.id)),
            (None, None) => Ok(None),
        }
    }

    /// The userid nearest to one that does not exist.
    pub(super) fn nearest(&self, userid: &Userid) -> Result<Option<Userid>, Error> {
        if crate::command::looks_like_the_robot(userid.as_str()) {
            return Ok(crate::command::robot_userid(None));
        }
        let mut accounts = self.store.players()?;
        accounts.retain(|account| !account.is_deleted());
        let near = crate::command::closest(&userid.key(), accounts.iter().map(|a| a.userid.as_str()));
        Ok(near.and_then(|near| near.parse().ok()))
    }

    /// A random seed. 63 bits, so that it is the same number in every format.
    pub(super) fn seed(&mut self) -> u64 {
        self.rng.next_u64() >> 1
    }

    pub(super) fn secret(&mut self) -> [u8; 32] {
        let mut secret = [0; 32];
        self.rng.fill_bytes(&mut secret);
        secret
    }

    /// A token or code: 128 bits in lower-case base32.
    pub(super) fn code(&mut self) -> String {
        let mut octets = [0; 16];
        self.rng.fill_bytes(&mut octets);
        data_encoding::BASE32_NOPAD.encode(&octets).to_lowercase()
    }

    /// The zones of both players.
    pub(super) fn zones(&self, players: &[PlayerId; 2]) -> Result<[TimeZone; 2], Error> {
        let [first, second] = *players;
        Ok([self.zone(first)?, self.zone(second)?])
    }

    /// The zone in which a player reads days and times.
    pub(super) fn zone(&self, player: PlayerId) -> Result<TimeZone, Error> {
        Ok(zone_of(self.store, player)?)
    }

    /// The thread of a board, if the board exists.
    pub(super) fn thread(&self, board: Option<BoardId>) -> Result<Option<Thread>, Error> {
        Ok(board.map(|board| thread(self.store, board)).transpose()?.flatten())
    }

    /// Recomputes a deadline that a vacation or the time for all moves affects. Most boards need no work.
    pub(super) fn settle(&mut self, board: &mut Board) -> Result<(), Error> {
        let days = board.row.days;
        if board.row.to_move.is_none() || (days.forfeit == 0 && days.total == 0) {
            return Ok(());
        }
        if days.total > 0 || self.preferences.anybody_away(self.store, board.row.id, self.now)? {
            clocks::settle_now(self.store, board, self.now)?;
        }
        Ok(())
    }

    pub(super) fn notify(&mut self, notification: Notification) {
        self.notifications.push(notification);
    }

    /// Adds a sentence to the latest mail to a player about a board. Returns false if there is none.
    pub(super) fn add_note(&mut self, to: PlayerId, board: BoardId, note: &str) -> bool {
        let latest_first = self.notifications.iter_mut().rev();
        let latest = latest_first.filter(
            |notification| matches!(notification.player_at_board(), Some((player, _)) if player == to),
        );
        let notice =
            latest.filter_map(Notification::board_mut).find(|notice| notice.update.view.board == board.0);
        let found = notice.is_some();
        if let Some(notice) = notice {
            notice.update.notes.push(note.to_owned());
        }
        found
    }

    /// Sends the answer to these addresses too, which are no longer registered.
    pub(super) fn say_goodbye(&mut self, addresses: Vec<String>) {
        self.last_words = addresses;
    }

    /// The notifications from number `from` on.
    pub(super) fn notifications_from(&mut self, from: usize) -> &mut [Notification] {
        self.notifications.get_mut(from..).unwrap_or_default()
    }

    /// The questions the robot should answer before the next try at the letter.
    pub fn take_questions(&mut self) -> Vec<Question> {
        std::mem::take(&mut self.robot.questions)
    }

    pub(super) fn take_last_words(&mut self) -> Vec<String> {
        std::mem::take(&mut self.last_words)
    }
}

/// The zone in which a player reads days and times.
pub fn zone_of(store: &Store, player: PlayerId) -> Result<TimeZone, StoreError> {
    let zone = store.player_by_id(player)?.zone;
    Ok(crate::zone::find(&zone).unwrap_or(TimeZone::UTC))
}

/// Nobody acts in the robot's name.
pub(super) fn must_be_a_person(account: &Account) -> Result<(), CommandError> {
    match account.id.is_robot() {
        true => Err(IdentityRefusal::NobodySpeaks { userid: account.userid.clone() }.into()),
        false => Ok(()),
    }
}
