//! The context of a command: the letter, the store, the time.

use std::collections::BTreeMap;

use jiff::Timestamp;
use jiff::tz::TimeZone;
use rand::Rng;
use rand_chacha::ChaCha12Rng;

use crate::board::{Board, clocks, ratings};
use crate::credentials::claim::{self, Evidence, Shown};
use crate::credentials::{Actor, Limits, Proofs, Token, Writer};
use crate::failure::{CommandError, Error};
use crate::ids::{BoardId, Userid};
use crate::language::Claim;
use crate::mail::{AnswerBy, Letter, ServerIdentity};
use crate::notices::board_update::BoardNews;
use crate::notices::mail_preferences::MailPreferences;
use crate::notices::view::thread;
use crate::notices::{Mail, Thread};
use crate::play::robot::{PrecomputedMoves, Question, RobotConfig, RobotMoves};
use crate::store::{PlayerId, Store, StoreError};

/// Number of userids before and after a misspelled one, in alphabetical order, to compare with it.
const NEIGHBOURS: u32 = 50;

/// The context of a letter's commands. It lives as long as the letter's transaction.
pub struct Context<'a> {
    pub store: &'a Store,
    pub letter: &'a Letter,
    pub proofs: &'a Proofs,
    pub(crate) limits: &'a Limits,
    pub now: Timestamp,
    pub writer: Writer,
    /// The letter's token, which determines what its sender is allowed to do.
    pub token: Option<Token>,
    /// True if the letter begins or ends a pause of its player's mails.
    pub(crate) pausing: bool,
    /// The server, whose names cannot be userids.
    pub server: Option<&'a ServerIdentity>,
    /// The operator's address; empty if no board can begin.
    pub(crate) operator: &'a str,
    /// The URL of the pages, without a slash at the end; `None` without pages.
    pub pages: Option<&'a str>,
    pub(crate) robot: RobotMoves<'a>,
    pub(crate) preferences: MailPreferences,
    rng: &'a mut ChaCha12Rng,
    /// Events on boards; players and watchers are told when the letter is done.
    pub(crate) news: Vec<BoardNews>,
    /// The other mails of the letter.
    pub(crate) mails: Vec<Mail>,
    /// Addresses of an account that the letter deleted. The answer still goes to them.
    last_words: Vec<String>,
    /// The first player for whom a command acted.
    answer_to: Option<PlayerId>,
    /// The limits that stopped a command, with the key of their count.
    pub(crate) hits: Vec<(&'static str, String)>,
    /// Rating changes by games that ended in this letter.
    pub(crate) rated: Vec<ratings::Change>,
    /// The text of a reply besides its move, for the opponent.
    pub(crate) words: Option<String>,
    /// The text of a turn besides its move, for the opponent on its board, if the letter holds turns on several.
    pub(crate) words_on: BTreeMap<BoardId, String>,
    /// The words of the reply whose move this letter confirms with `yes`.
    pub(crate) drafted_words: String,
    /// Reasons why players get no mail about this letter, one sentence each.
    pub(crate) unmailed: Vec<String>,
    /// Remarks at the end of the answer.
    pub(crate) remarks: Vec<String>,
    /// Counts of this letter, for limits per letter.
    pub(crate) used: Used,
}

/// What the commands of a letter have used so far of the limits per letter.
#[derive(Debug, Default)]
pub(crate) struct Used {
    pub signups: u32,
    pub resets: u32,
    pub sign_ins: u32,
    pub recipients: u32,
    pub analyses: u32,
    /// New mailboxes that got a question.
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
            operator: "",
            pages: None,
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
            words_on: BTreeMap::new(),
            drafted_words: String::new(),
            unmailed: Vec::new(),
            remarks: Vec::new(),
            used: Used::default(),
        }
    }

    /// Determines who acts, from what a command says about its writer. Notes the player as the reader of the
    /// answer.
    pub(crate) fn identify(&mut self, claim: &Claim, shown: Shown) -> Result<Actor, CommandError> {
        let evidence = Evidence {
            store: self.store,
            letter: self.letter,
            writer: &self.writer,
            token: self.token.as_ref(),
            proofs: self.proofs,
            now: self.now,
            reader: self.answer_to,
        };
        let actor = claim::identify(&evidence, claim, shown)?;
        if let Actor::Player(account, _) = &actor {
            self.answer_to(account.id);
        }
        Ok(actor)
    }

    /// Takes what the opponent reads: the words of a confirmed draft, and the text of a reply besides its move. If the
    /// letter is no reply, its text is `otherwise`.
    pub fn take_words(&mut self, otherwise: &str) -> String {
        let said = self.words.take().unwrap_or_else(|| otherwise.to_owned());
        let all = [std::mem::take(&mut self.drafted_words), said];
        all.into_iter().filter(|words| !words.is_empty()).collect::<Vec<_>>().join("\n")
    }

    /// Notes a player for whom the letter acts: the first one gets the answer.
    pub(crate) fn answer_to(&mut self, player: PlayerId) {
        self.answer_to.get_or_insert(player);
    }

    /// True if `player` reads the answer to this command, and so needs no mail about it. At a terminal, other
    /// people might read the answer, so the player also gets a mail, except in games with the robot.
    pub(crate) fn reads_answer(&self, player: PlayerId, with_robot: bool) -> bool {
        match self.letter.answer {
            AnswerBy::Terminal => with_robot,
            AnswerBy::Mail | AnswerBy::Page | AnswerBy::Nothing => self.answer_to == Some(player),
        }
    }

    /// The letter's sender address: the one its token proves, or else the one it names.
    pub(crate) fn sender(&self) -> Option<&str> {
        let named = self.letter.sender.as_deref()?;
        Some(self.token.as_ref().and_then(Token::asked).unwrap_or(named))
    }

    /// The player for whom the letter acted, or else the owner of its sender address. Answers go to
    /// registered addresses only, so a forged sender gains nothing.
    pub(crate) fn player(&self) -> Result<Option<PlayerId>, Error> {
        match (self.answer_to, self.sender()) {
            (Some(player), _) => Ok(Some(player)),
            (None, Some(sender)) => Ok(self.store.players_at(sender)?.first().map(|account| account.id)),
            (None, None) => Ok(None),
        }
    }

    /// Suggests an existing userid for an unknown one: one typing slip away, or a neighbour in the alphabet.
    /// Compares a bounded number of userids, however many players there are.
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

    /// A random seed. It has 63 bits, so that it also fits a signed integer.
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

    pub(crate) fn zones(&self, players: &[PlayerId; 2]) -> Result<[TimeZone; 2], Error> {
        let [first, second] = *players;
        Ok([self.zone(first)?, self.zone(second)?])
    }

    /// The time zone of the player's dates and times.
    pub(crate) fn zone(&self, player: PlayerId) -> Result<TimeZone, Error> {
        Ok(zone_of(self.store, player)?)
    }

    pub(crate) fn thread(&self, board: Option<BoardId>) -> Result<Option<Thread>, Error> {
        Ok(board.map(|board| thread(self.store, board)).transpose()?.flatten())
    }

    /// Recomputes the deadline of a board that has a time limit for all moves or a player on vacation. Other
    /// boards need no work.
    pub(crate) fn settle(&mut self, board: &mut Board) -> Result<(), Error> {
        let days = board.row.days;
        if board.row.to_move.is_none() || !days.limit() {
            return Ok(());
        }
        if days.for_all_moves().is_some()
            || self.preferences.is_a_player_away(self.store, board.row.id, self.now)?
        {
            clocks::settle_now(self.store, board, self.now)?;
        }
        Ok(())
    }

    /// Carries out a command in a savepoint. A refusal undoes what the command stored, told and mailed.
    pub(crate) fn attempt<T>(
        &mut self,
        command: impl FnOnce(&mut Self) -> Result<T, CommandError>,
    ) -> Result<T, CommandError> {
        let store = self.store;
        let [news, mails, rated] = [self.news.len(), self.mails.len(), self.rated.len()];
        let done = store.savepoint(|| command(self));
        if done.is_err() {
            self.news.truncate(news);
            self.mails.truncate(mails);
            self.rated.truncate(rated);
        }
        done
    }

    pub(crate) fn notify(&mut self, mail: Mail) {
        self.mails.push(mail);
    }

    /// Also sends the answer to these addresses, which are no longer registered.
    pub(crate) fn say_goodbye(&mut self, addresses: Vec<String>) {
        self.last_words = addresses;
    }

    /// Takes the questions that the robot should answer before the next try at the letter.
    pub fn take_questions(&mut self) -> Vec<Question> {
        std::mem::take(&mut self.robot.questions)
    }

    pub(crate) fn take_last_words(&mut self) -> Vec<String> {
        std::mem::take(&mut self.last_words)
    }
}

/// The time zone of the player's dates and times.
pub fn zone_of(store: &Store, player: PlayerId) -> Result<TimeZone, StoreError> {
    let zone = store.player_by_id(player)?.zone;
    Ok(crate::zone::find(&zone).unwrap_or(TimeZone::UTC))
}
