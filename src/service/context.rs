//! Where a command is carried out: the letter it came in, the store, the hour.

use jiff::Timestamp;
use jiff::tz::TimeZone;
use rand::Rng;
use rand_chacha::ChaCha12Rng;

use super::board::Board;
use super::mail_preferences::MailPreferences;
use super::note::Mailing;
use super::robot::{PrecomputedMoves, RobotMoves};
use super::token::TokenSeat;
use super::transcript::{Answer, Event, Notice, Thread};
use super::view::{BoardView, board_view, thread};
use super::{App, CommandError, Error, Objection, Proofs, Refusal, clock};
use crate::command::{ClockCommand, Command, Login, Password, RecordCommand, Seated, StandingCommand};
use crate::ids::{BoardId, Userid};
use crate::mail::{Letter, Operator, Proof};
use crate::store::{Account, PlayerId, Store, StoreError};

/// One letter's ctx. It lives as long as the letter's transaction.
pub struct Context<'a> {
    /// The store, inside the transaction.
    pub store: &'a Store,
    /// The letter.
    pub letter: &'a Letter,
    /// Its passwords.
    pub proofs: &'a Proofs,
    /// The hour.
    pub at: Timestamp,
    /// Whom the letter's reply token speaks for.
    pub token_seat: Option<TokenSeat>,
    /// The address that the letter's reply token was sent to, and whose it is to be.
    pub confirming: Option<(PlayerId, String)>,
    /// Whether what is carried out is the reply itself: the token proves nothing for any other command.
    replying: bool,
    /// The robot, as far as it is known what it plays.
    pub(super) robot: RobotMoves<'a>,
    /// What was seen of boards.
    pub(super) preferences: MailPreferences,
    rng: &'a mut ChaCha12Rng,
    notices: Vec<Notice>,
    mailings: Vec<Mailing>,
    /// Addresses of accounts that were deleted, for the answer.
    last_words: Vec<String>,
    acted_for: Option<PlayerId>,
    /// The first player for whom something in the letter proved that they speak.
    proven: Option<PlayerId>,
}

impl<'a> Context<'a> {
    /// A ctx for one letter.
    pub fn new(
        store: &'a Store,
        app: &'a App,
        letter: &'a Letter,
        proofs: &'a Proofs,
        precomputed: &'a PrecomputedMoves,
        at: Timestamp,
        rng: &'a mut ChaCha12Rng,
    ) -> Context<'a> {
        Context {
            store,
            letter,
            proofs,
            at,
            token_seat: None,
            confirming: None,
            replying: false,
            robot: RobotMoves { rules: &app.robot, precomputed, questions: Vec::new() },
            preferences: MailPreferences::default(),
            rng,
            notices: Vec::new(),
            mailings: Vec::new(),
            last_words: Vec::new(),
            acted_for: None,
            proven: None,
        }
    }

    /// Carries a command out.
    ///
    /// # Errors
    /// When it may not be carried out, or cannot.
    pub fn act(&mut self, command: Command) -> Result<Event, CommandError> {
        match command {
            Command::Help { subjects } => self.help(subjects),
            Command::Account(asked) => self.account(asked),
            Command::Talk(talk) => self.talk(&talk),
            Command::Watch(watch) => self.watch(watch),
            Command::Challenge { game, options, first, second } => {
                self.challenge(game, &options, &first, &second)
            }
            Command::Move { at, plies } => self.play(&at, &plies),
            Command::Resign { at } => self.resign(&at),
            Command::Offer(offer) => self.offer(offer),
            Command::Show { game, targets, which } => self.show(game, &targets, which),
            Command::Games { game, userids, which, before } => self.games(game, &userids, which, before),
            Command::Preview { game, from, plies } => self.preview(game, &from, &plies),
            Command::Clock(ClockCommand::Nudge { at }) => self.nudge(&at),
            Command::Standing(StandingCommand::List { games }) => self.list(&games),
            Command::Standing(StandingCommand::Standings { game, ranks }) => {
                self.ranking(game, "standings", &ranks)
            }
            Command::Standing(StandingCommand::Ratings { game, ranks }) => {
                self.ranking(game, "ratings", &ranks)
            }
            Command::Record(RecordCommand::Record { game, board, notation }) => {
                self.record(game, board, notation)
            }
            Command::Record(RecordCommand::Analyse { game, board, ply }) => self.analyse(game, board, ply),
        }
    }

    /// Carries out the first line of a reply: a move, or a word in place of one.
    pub(super) fn reply(&mut self, text: &str) -> Result<Event, CommandError> {
        if self.confirming.is_some() {
            return Ok(Event::Note(self.confirm_address(text)?, None));
        }
        let Some(token_seat) = self.token_seat else { return Err(Refusal::NothingProves.into()) };
        let account = self.store.player_by_id(token_seat.player)?;
        self.acts_for(account.id);
        if !token_seat.fresh {
            return Err(Refusal::StaleReply { board: token_seat.board }.into());
        }
        let Some(board) = Board::load(self.store, token_seat.board)? else {
            return Err(Refusal::NothingProves.into());
        };
        let login = Login { userid: account.userid, password: Password("-".to_owned()) };
        let command = Command::in_reply(Seated { game: board.kind, board: token_seat.board, login }, text);
        if command.answers_a_proposal() && !token_seat.up_to_date {
            return Err(Refusal::StaleReply { board: token_seat.board }.into());
        }
        self.replying = true;
        let done = self.act(command);
        self.replying = false;
        done
    }

    /// The board as it stands, for somebody whose command fits another position.
    pub(super) fn board_now(
        &self,
        answer: &Answer,
        thread: Option<&Thread>,
    ) -> Result<Option<Box<BoardView>>, Error> {
        let outdated = matches!(
            answer,
            Answer::Refused(
                Refusal::StaleReply { .. } | Refusal::OtherPly { .. } | Refusal::NotYourTurn { .. }
            )
        );
        let Some(thread) = thread.filter(|_| outdated) else { return Ok(None) };
        let Some(board) = Board::load(self.store, thread.board)? else { return Ok(None) };
        Ok(Some(Box::new(board_view(self.store, &board)?)))
    }

    /// The account a login speaks for.
    pub(super) fn prove(&mut self, login: &Login) -> Result<Account, CommandError> {
        let account = self.store.player(&login.userid)?.filter(|account| !account.is_deleted());
        let account = if login.password.is_left_out() {
            self.vouched(account)?
        } else if self.proofs.is_held(login) {
            return Err(Objection::TooManyTries.into());
        } else {
            account.filter(|account| self.proofs.fits(account, login)).ok_or(Refusal::NotProven)?
        };
        Context::must_be_a_person(&account)?;
        self.speaks(account.id);
        Ok(account)
    }

    /// The account that the letter itself, not a password, speaks for.
    fn vouched(&self, account: Option<Account>) -> Result<Account, CommandError> {
        if let (Some(token_seat), Some(account)) = (self.token_seat, &account)
            && self.replying
            && token_seat.player == account.id
        {
            return Ok(account.clone());
        }
        match &self.letter.proof {
            Proof::Operator(Operator::AsAnyone) => Ok(account.ok_or(Refusal::NoSuchUserid { near: None })?),
            Proof::Operator(Operator::As(speaker)) => {
                let account = account.ok_or(Refusal::NoSuchUserid { near: None })?;
                if account.userid != *speaker {
                    let named = account.userid;
                    return Err(Refusal::SpeaksForAnother { speaker: speaker.clone(), named }.into());
                }
                Ok(account)
            }
            Proof::Sender => {
                let sender = self.letter.sender.as_deref().unwrap_or_default();
                let account = account.ok_or(Refusal::NothingProves)?;
                let home = self.store.addresses(account.id)?;
                let row = home.row(sender).ok_or(Refusal::NothingProves)?;
                if row.confirmed_at.is_none() {
                    self.store.confirm_address(account.id, sender, self.at)?;
                }
                Ok(account)
            }
            Proof::None | Proof::Operator(Operator::Nobody) => Err(Refusal::NothingProves.into()),
        }
    }

    /// Notes that the letter proves who speaks.
    pub(super) fn speaks(&mut self, player: PlayerId) {
        self.acted_for.get_or_insert(player);
        self.proven.get_or_insert(player);
    }

    /// Who proved to speak, the first where there are several.
    pub(super) fn proven(&self) -> Option<PlayerId> {
        self.proven
    }

    /// Notes for whom the letter acts, unless an earlier command has settled that.
    pub(super) fn acts_for(&mut self, player: PlayerId) {
        self.acted_for.get_or_insert(player);
    }

    /// The player the letter acted for; else whose address it came from. An answer to them goes to their registered
    /// addresses, so that a forged sender gains nothing.
    pub(super) fn player(&self) -> Result<Option<PlayerId>, Error> {
        match (self.acted_for, &self.letter.sender) {
            (Some(player), _) => Ok(Some(player)),
            (None, Some(sender)) => Ok(self.store.players_at(sender)?.first().map(|account| account.id)),
            (None, None) => Ok(None),
        }
    }

    /// The account with the userid nearest to one that nobody has.
    pub(super) fn nearest(&self, userid: &Userid) -> Result<Option<Userid>, Error> {
        if crate::command::table::looks_like_the_robot(userid.as_str()) {
            return Ok(crate::command::robot_userid(None));
        }
        let mut accounts = self.store.players()?;
        accounts.retain(|account| !account.is_deleted());
        let near = crate::command::table::closest(&userid.key(), accounts.iter().map(|a| a.userid.as_str()));
        Ok(near.and_then(|near| near.parse().ok()))
    }

    /// A seed for what is left to chance. 63 bits, so that it is the same number in every format.
    pub(super) fn seed(&mut self) -> u64 {
        self.rng.next_u64() >> 1
    }

    /// A secret of an account.
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

    /// The zone a player's days and hours are told in.
    pub(super) fn zone(&self, player: PlayerId) -> Result<TimeZone, Error> {
        Ok(zone_of(self.store, player)?)
    }

    /// The thread of a board, when there is such a board.
    pub(super) fn thread(&self, board: Option<BoardId>) -> Result<Option<Thread>, Error> {
        Ok(board.map(|board| thread(self.store, board)).transpose()?.flatten())
    }

    /// Puts a board's deadline right, where more than the days of a turn decide it. Most boards are spared the work.
    pub(super) fn settle(&mut self, board: &mut Board) -> Result<(), Error> {
        let days = board.row.days;
        if board.row.to_move.is_none() || (days.forfeit == 0 && days.total == 0) {
            return Ok(());
        }
        if days.total > 0 || self.preferences.anybody_away(self.store, board.row.id, self.at)? {
            clock::settle_now(self.store, board, self.at)?;
        }
        Ok(())
    }

    pub(super) fn notify(&mut self, notice: Notice) {
        self.notices.push(notice);
    }

    /// Adds a word to the latest mail to a player about a board; gives whether there is one.
    pub(super) fn add_note(&mut self, to: PlayerId, board: BoardId, note: &str) -> bool {
        let latest = self
            .notices
            .iter_mut()
            .rev()
            .find(|notice| notice.to == to && notice.update.view.board == board.0);
        let found = latest.is_some();
        if let Some(notice) = latest {
            notice.update.notes.push(note.to_owned());
        }
        found
    }

    /// A mail that is neither the answer nor the notice of a move.
    pub(super) fn mail(&mut self, mailing: Mailing) {
        self.mailings.push(mailing);
    }

    /// Sends the answer to these addresses too, which are no longer registered.
    pub(super) fn say_goodbye(&mut self, addresses: Vec<String>) {
        self.last_words = addresses;
    }

    /// How many notices and mailings there are.
    pub(super) fn notices(&self) -> (usize, usize) {
        (self.notices.len(), self.mailings.len())
    }

    /// Takes back the notices of a command that was refused.
    pub(super) fn forget_notices(&mut self, (notices, mailings): (usize, usize)) {
        self.notices.truncate(notices);
        self.mailings.truncate(mailings);
    }

    /// The notices from the `from`-th on.
    pub(super) fn notices_from(&mut self, from: usize) -> &mut [Notice] {
        self.notices.get_mut(from..).unwrap_or_default()
    }

    pub(super) fn take_mailings(&mut self) -> Vec<Mailing> {
        std::mem::take(&mut self.mailings)
    }

    pub(super) fn take_last_words(&mut self) -> Vec<String> {
        std::mem::take(&mut self.last_words)
    }

    pub(super) fn take_notices(&mut self) -> Vec<Notice> {
        std::mem::take(&mut self.notices)
    }
}

/// The zone a player's days and hours are told in.
pub(super) fn zone_of(store: &Store, player: PlayerId) -> Result<TimeZone, StoreError> {
    let zone = store.player_by_id(player)?.zone;
    Ok(crate::zone::find(&zone).unwrap_or(TimeZone::UTC))
}
