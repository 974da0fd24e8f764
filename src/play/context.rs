//! What a command acts on: the letter, the store, the time.

use jiff::Timestamp;
use jiff::tz::TimeZone;
use rand::Rng;
use rand_chacha::ChaCha12Rng;

use crate::board::{Board, clocks, ratings};
use crate::credentials::proof::Held;
use crate::credentials::token::TokenSeat;
use crate::credentials::{Limits, Proofs};
use crate::failure::{CommandError, Error, Refuse, hint, refuses};
use crate::ids::{BoardId, Userid};
use crate::language::Login;
use crate::mail::{Letter, Operator, Proof, ServerIdentity};
use crate::notices::mail_preferences::MailPreferences;
use crate::notices::view::thread;
use crate::notices::{Notification, Thread};
use crate::play::robot::{PrecomputedMoves, Question, RobotConfig, RobotMoves};
use crate::store::{Account, MessageRow, PlayerId, Store, StoreError};

#[derive(Debug, thiserror::Error)]
pub(crate) enum IdentityRefusal {
    #[error("There is no player with that userid.{}", hint(near))]
    NoSuchUserid { near: Option<Userid> },
    #[error(
        "The userid or the password is not right. Both are written as at sign-up; upper and lower case matter in passwords."
    )]
    NotProven,
    #[error("`PASSWORD` stands for your own password. Send the command again with that in its place.")]
    Placeholder,
    #[error(
        "`-` in the password's place works in a mail that proves who sent it, and this one does not. Write your password there."
    )]
    NothingProves,
    #[error("You speak for {speaker}, and this command is {named}'s.")]
    SpeaksForAnother { speaker: Userid, named: Userid },
    #[error(
        "Too many wrong passwords came, so we look at none before {until}. Replies to our mails play all the \
        same, and `forgot` with your userid gets you a new password at once."
    )]
    TooManyTries { until: String },
    #[error("A letter may hold {most} different passwords, and this one is not among the first.")]
    TooManyPasswords { most: u32 },
    #[error("{userid} is the robot, which speaks for itself.")]
    NobodySpeaks { userid: Userid },
    #[error("The host has suspended the account {userid}, and nothing was done. The reason: {why}")]
    Suspended { userid: Userid, why: String },
}

impl Refuse for IdentityRefusal {
    fn hides_line(&self) -> bool {
        matches!(self, IdentityRefusal::NotProven | IdentityRefusal::Placeholder)
    }
}

refuses!(IdentityRefusal);

/// Userids before and behind one in the alphabet that may be meant by it.
const NEIGHBOURS: u32 = 50;

/// What a letter's commands act on. It lives as long as the letter's transaction.
pub struct Context<'a> {
    pub store: &'a Store,
    pub letter: &'a Letter,
    pub proofs: &'a Proofs,
    pub(crate) limits: &'a Limits,
    pub now: Timestamp,
    /// The seat that the letter's reply token speaks for.
    pub token_seat: Option<TokenSeat>,
    /// The mail with another player's words that the letter answers.
    pub answering: Option<MessageRow>,
    /// The player and address that the letter's token confirms.
    pub confirming: Option<(PlayerId, String)>,
    /// The board and address that the letter's token lets watch.
    pub watching: Option<(BoardId, String)>,
    /// The player whose weekly mail the letter's token ends.
    pub unsubscribing: Option<PlayerId>,
    /// The letter begins or ends a pause of its player's mails.
    pub(crate) pausing: bool,
    /// Whose names no player may have.
    pub server: Option<&'a ServerIdentity>,
    /// True while we carry out the reply itself: the token proves nothing for other commands.
    replying: bool,
    /// Who wrote the command we carry out, where it leaves that to the letter.
    writer: Option<PlayerId>,
    pub(crate) robot: RobotMoves<'a>,
    pub(crate) preferences: MailPreferences,
    rng: &'a mut ChaCha12Rng,
    pub(crate) notifications: Vec<Notification>,
    /// Addresses of an account the letter deleted. The answer still goes there.
    last_words: Vec<String>,
    acted_for: Option<PlayerId>,
    /// The first player whom the letter proves.
    pub(crate) proven: Option<PlayerId>,
    /// The limits that stopped a command, with the key of their count.
    pub(crate) hits: Vec<(&'static str, String)>,
    /// What games that ended in this letter did to ratings.
    pub(crate) rated: Vec<ratings::Change>,
    /// The words of a reply beside its move, for the opponent.
    pub(crate) words: Option<String>,
    /// What this letter has caused so far, where a limit counts it a letter.
    pub(crate) used: Used,
}

/// What a letter's commands have used of its budgets.
#[derive(Debug, Default)]
pub(crate) struct Used {
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
            answering: None,
            confirming: None,
            watching: None,
            unsubscribing: None,
            pausing: false,
            server: None,
            replying: false,
            writer: None,
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
    pub(crate) fn as_token_seat<T>(&mut self, reply: impl FnOnce(&mut Self) -> T) -> T {
        self.replying = true;
        let done = reply(self);
        self.replying = false;
        done
    }

    /// Lets the letter prove the player for one command that leaves its writer out.
    pub(crate) fn as_writer<T>(&mut self, writer: PlayerId, command: impl FnOnce(&mut Self) -> T) -> T {
        self.writer = Some(writer);
        let done = command(self);
        self.writer = None;
        done
    }

    /// The player who wrote a command that leaves it out.
    pub(crate) fn writer(&self) -> Option<PlayerId> {
        self.writer
    }

    /// Checks a login and returns its account.
    pub(crate) fn prove(&mut self, login: &Login) -> Result<Account, CommandError> {
        let account = self.store.player(&login.userid)?.filter(|account| !account.is_deleted());
        let account = if login.password.is_left_out() {
            self.vouched(account)?
        } else if let Some(held) = self.proofs.held(login) {
            self.proven_without_password(account, held)?
        } else {
            let known = account.filter(|account| self.proofs.fits(account, login));
            known.ok_or_else(|| match login.password.is_placeholder() {
                true => IdentityRefusal::Placeholder,
                false => IdentityRefusal::NotProven,
            })?
        };
        must_be_a_person(&account)?;
        if let Some(suspended) = self.suspended(&account) {
            return Err(suspended.into());
        }
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
        if let Some(account) = account.as_ref().filter(|account| self.writer == Some(account.id)) {
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
    pub(crate) fn speaks(&mut self, player: PlayerId) {
        self.acted_for.get_or_insert(player);
        self.proven.get_or_insert(player);
    }

    /// The first player whom the letter proves.
    pub(crate) fn proven(&self) -> Option<PlayerId> {
        self.proven
    }

    /// The words of a reply beside its move; `None` where the letter was no such reply.
    pub fn take_words(&mut self) -> Option<String> {
        self.words.take()
    }

    /// Notes the player the letter acts for; the first one counts.
    pub(crate) fn acts_for(&mut self, player: PlayerId) {
        self.acted_for.get_or_insert(player);
    }

    /// The player the letter acted for, else the owner of its sender address. Answers go to registered addresses
    /// only, so a forged sender gains nothing.
    pub(crate) fn player(&self) -> Result<Option<PlayerId>, Error> {
        match (self.acted_for, &self.letter.sender) {
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
        if board.row.to_move.is_none() || (days.forfeit == 0 && days.total == 0) {
            return Ok(());
        }
        if days.total > 0 || self.preferences.anybody_away(self.store, board.row.id, self.now)? {
            clocks::settle_now(self.store, board, self.now)?;
        }
        Ok(())
    }

    pub(crate) fn notify(&mut self, notification: Notification) {
        self.notifications.push(notification);
    }

    /// Adds a sentence to the latest mail to a player about a board. Returns false if there is none.
    pub(crate) fn add_note(&mut self, to: PlayerId, board: BoardId, note: &str) -> bool {
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
    pub(crate) fn say_goodbye(&mut self, addresses: Vec<String>) {
        self.last_words = addresses;
    }

    /// The notifications from number `from` on.
    pub(crate) fn notifications_from(&mut self, from: usize) -> &mut [Notification] {
        self.notifications.get_mut(from..).unwrap_or_default()
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
        true => Err(IdentityRefusal::NobodySpeaks { userid: account.userid.clone() }.into()),
        false => Ok(()),
    }
}
