//! Decides for each command who acts. Only this file does.
//!
//! The decision is made inside the command's savepoint: an earlier command of the letter might have made the account,
//! set its password or deleted it. If the command fails, the confirmation of an address is rolled back with it.

use jiff::Timestamp;
use jiff::tz::TimeZone;

use super::limits::PASSWORDS_A_LETTER;
use super::proof::Held;
use super::token::{ReaderMail, TokenSeat};
use super::{Proofs, Token, Writer};
use crate::credentials::one_entry::must_bring_no_second_entry;
use crate::failure::{CommandError, Error, Refusal, hint, refusal, refuse};
use crate::ids::{BoardId, Userid};
use crate::language::{Claim, FullForm, Login, Needs, Seen};
use crate::mail::{Letter, Operator, Proof};
use crate::store::{Account, PlayerId, ProvenBy, SessionRow, Store, StoreError};

/// Seconds for which the token of a board's mail proves the writer of commands that need no board.
const MAIL_SECONDS: i64 = 30 * 24 * 60 * 60;

/// A letter's evidence about its writer.
pub(crate) struct Evidence<'a> {
    pub store: &'a Store,
    pub letter: &'a Letter,
    pub writer: &'a Writer,
    pub token: Option<&'a Token>,
    pub proofs: &'a Proofs,
    pub now: Timestamp,
    /// The player for whom the letter has acted. Refusals name times in this player's zone.
    pub reader: Option<PlayerId>,
}

/// What a token's mail must have shown before the token can speak for a command.
#[derive(Clone, Copy)]
pub(crate) struct Shown {
    pub board: Option<BoardId>,
    pub needs: Seen,
    /// True if the command starts a game. A token or another command's password then proves the writer that it names.
    pub starts: bool,
}

impl Shown {
    pub const NOTHING: Shown = Shown { board: None, needs: Seen::Nothing, starts: false };
}

/// Who acts.
#[derive(Debug, Clone)]
pub enum Actor {
    /// A player and their proof: `ProvenBy::Nothing` if a claimed address is enough.
    Player(Account, ProvenBy),
    /// A userid named by a letter that proves no player.
    Claimed(Userid),
    /// The command needs no player.
    Nobody,
}

impl Actor {
    /// The player of a command that needs no proof: a claimed address is enough.
    pub(crate) fn player(&self) -> Result<&Account, CommandError> {
        match self {
            Actor::Player(account, _) => Ok(account),
            Actor::Claimed(_) | Actor::Nobody => Err(nothing_proves().into()),
        }
    }

    /// The player of a command that needs proof.
    pub(crate) fn proven(&self) -> Result<&Account, CommandError> {
        match self {
            Actor::Player(account, by) if *by != ProvenBy::Nothing => Ok(account),
            Actor::Player(..) | Actor::Claimed(_) | Actor::Nobody => Err(nothing_proves().into()),
        }
    }
}

/// Decides who acts, by the command's claim about its writer. It makes one change to the store: if our mail server
/// vouches for the sender's address, and the address is the account's, the address is confirmed.
pub(crate) fn identify(seen: &Evidence<'_>, claim: &Claim, shown: Shown) -> Result<Actor, CommandError> {
    let (account, by) = match claim {
        Claim::Nobody => return Ok(Actor::Nobody),
        Claim::Login(login) => seen.by_password(login)?,
        Claim::Named(userid) => match seen.account(userid)? {
            account if !shown.starts || seen.is_told_who_speaks() => seen.named(account)?,
            Some(account) if seen.writer.players().contains(&account.id) => (account, seen.writer.by),
            _ if seen.writer.players().is_empty() => return Ok(Actor::Claimed(userid.clone())),
            account => seen.named(account)?,
        },
        Claim::LeftOut(form) => seen.left_out(form, shown)?,
        Claim::Holder(player) => (seen.holder(*player, shown)?, ProvenBy::Token),
    };
    must_be_a_person(&account)?;
    if by != ProvenBy::Nothing
        && let Some(why) = account.suspended.as_deref().filter(|_| !seen.writer.is_operator())
    {
        return Err(suspended(&account.userid, why).into());
    }
    Ok(Actor::Player(account, by))
}

impl Evidence<'_> {
    fn account(&self, userid: &Userid) -> Result<Option<Account>, Error> {
        Ok(self.store.player(userid)?.filter(|account| !account.is_deleted()))
    }

    /// True if the operator says for whom the letter speaks.
    fn is_told_who_speaks(&self) -> bool {
        matches!(self.letter.proof, Proof::Operator(Operator::As(_) | Operator::AsAnyone))
    }

    /// The account of a token's holder. An earlier command of the letter might have deleted it.
    fn holder(&self, player: PlayerId, shown: Shown) -> Result<Account, CommandError> {
        if let Some(Token::Session(session)) = self.token
            && (session.board.is_none() || session.board != shown.board)
        {
            must_play_all_boards(session)?;
        }
        let account = Some(self.store.player_by_id(player)?).filter(|account| !account.is_deleted());
        account.ok_or_else(|| nothing_proves().into())
    }

    /// `userid password`
    fn by_password(&self, login: &Login) -> Result<(Account, ProvenBy), CommandError> {
        let account = self.account(&login.userid)?;
        if let Some(held) = self.proofs.held(login) {
            // After too many wrong passwords, a letter that proves its player without a password still works.
            return self.named(account).or_else(|_| self.held_back(held));
        }
        let has_none =
            account.as_ref().filter(|account| account.password_hash.is_none() && !account.id.is_robot());
        let has_none = has_none.map(|account| account.userid.clone());
        let known = account.filter(|account| self.proofs.fits(account, login));
        let known = known.ok_or_else(|| match (login.password.is_placeholder(), has_none) {
            (_, Some(userid)) => refusal!(
                "{userid} has no password and needs none: reply to this mail with that line, but without the name and \
                the password. To get one all the same, send this as the Subject of a mail:\n\n    forgot {userid}"
            )
            .hiding_line(),
            (true, None) => refusal!(
                "Put your own password in the place of `PASSWORD`, and send the command again."
            )
            .hiding_line(),
            (false, None) => not_proven(),
        })?;
        Ok((known, ProvenBy::Password))
    }

    fn held_back<T>(&self, held: Held) -> Result<T, CommandError> {
        match held {
            Held::OfThisLetter => refuse!(
                "A letter may hold {most} different passwords, and this one is not among the first.",
                most = PASSWORDS_A_LETTER
            ),
            Held::Until(until, _) => refuse!(
                "Too many wrong passwords came, so we look at none before {until}. Replies to our mails play all the \
                same, and `forgot` with your userid gets you a new password at once.",
                until = self.time(until)?
            ),
        }
    }

    /// `userid -`: proven by the operator's word or the sender's mail server.
    fn named(&self, account: Option<Account>) -> Result<(Account, ProvenBy), CommandError> {
        match &self.letter.proof {
            Proof::Operator(Operator::AsAnyone) => {
                Ok((account.ok_or_else(|| no_such_userid(None))?, ProvenBy::Operator))
            }
            Proof::Operator(Operator::As(speaker)) => {
                let account = account.ok_or_else(|| no_such_userid(None))?;
                if account.userid != *speaker {
                    let named = account.userid;
                    return refuse!("You speak for {speaker}, and this command is {named}'s.");
                }
                Ok((account, ProvenBy::Operator))
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
                Ok((self.store.player_by_id(account.id)?, ProvenBy::Sender))
            }
            Proof::None | Proof::Operator(Operator::Nobody) => Err(nothing_proves().into()),
        }
    }

    /// The command leaves its writer out, so the letter has to prove one player: by the operator's word, a password of
    /// another command, a reply token, or its sender's mail server. A token speaks for its own board and for commands
    /// that need none. A guarded command is asked about in a new mail.
    fn left_out(&self, form: &FullForm, shown: Shown) -> Result<(Account, ProvenBy), CommandError> {
        let account = self.writer_left_out(form, shown)?;
        let by = if self.writer.proves(account.id) { self.writer.by } else { ProvenBy::Nothing };
        match (by, form.needs) {
            // The letter's token might be another player's. A proven address of this account is still enough.
            (ProvenBy::Nothing, Needs::Proven) => self.named(Some(account)),
            (ProvenBy::Operator, Needs::Guarded) => Err(is_missing(form, account.userid.as_str()).into()),
            (_, Needs::Guarded) if !self.confirms(account.id) => Err(ask_again(form).into()),
            _ => Ok((account, by)),
        }
    }

    fn writer_left_out(&self, form: &FullForm, shown: Shown) -> Result<Account, CommandError> {
        let proven = self.writer.players().iter().map(|player| self.store.player_by_id(*player));
        let mut proven = proven.collect::<Result<Vec<Account>, StoreError>>()?;
        // An earlier command of the letter might have deleted an account.
        proven.retain(|account| !account.is_deleted());
        if let Proof::Operator(Operator::As(_)) = &self.letter.proof {
            return proven.into_iter().next().ok_or_else(|| no_such_userid(None).into());
        }
        if matches!(self.writer.by, ProvenBy::Operator | ProvenBy::Password) && !proven.is_empty() {
            return only(proven, form);
        }
        if self.writer.by == ProvenBy::Token
            && let Some(account) = proven.pop()
        {
            let seat = self.token.and_then(Token::seat);
            return match (shown.board, seat) {
                (Some(board), Some(seat)) if board == seat.board && is_seen(seat, shown.needs) => Ok(account),
                (Some(board), _) if shown.needs != Seen::Nothing => refuse!(
                    "A reply speaks for its own board as that mail showed it, so nothing was done. Reply to the newest \
                    mail of board {board}; `show {board}` brings one."
                ),
                (_, Some(seat)) if !self.is_recent(seat)? => Err(ask_again(form).into()),
                _ => Ok(account),
            };
        }
        let sender = self.letter.sender.as_deref().unwrap_or_default();
        let known = match &self.letter.proof {
            Proof::Operator(_) => Vec::new(),
            Proof::Sender | Proof::None => self.store.players_at(sender)?,
        };
        if self.letter.proof == Proof::Sender || form.needs == Needs::Named {
            return only(known, form);
        }
        match known.as_slice() {
            [_] => Err(ask_again(form).into()),
            _ => Err(is_missing(form, "USERID").into()),
        }
    }

    /// True if the letter answers a mail that asked for the line once more.
    fn confirms(&self, account: PlayerId) -> bool {
        matches!(self.token, Some(Token::Reader(player, ReaderMail::Asks)) if *player == account)
    }

    /// True if the mail of a board is at most as old as other mails whose token is good.
    fn is_recent(&self, seat: TokenSeat) -> Result<bool, Error> {
        let shown = self.store.events(seat.board)?.into_iter().find(|event| event.number == seat.event);
        Ok(shown.is_some_and(|event| self.now.as_second() - event.at.as_second() <= MAIL_SECONDS))
    }

    /// The text of a time in a refusal, in the reader's zone.
    fn time(&self, at: Timestamp) -> Result<String, Error> {
        let sender = self.letter.sender.as_deref().unwrap_or_default();
        let reader = match self.reader {
            Some(player) => Some(self.store.player_by_id(player)?),
            None => self.store.players_at(sender)?.into_iter().next(),
        };
        let zone = reader.and_then(|account| crate::zone::find(&account.zone)).unwrap_or(TimeZone::UTC);
        Ok(crate::zone::instant(at, zone))
    }
}

/// True if the answered mail has shown what the command needs, or if it is enough that the line names its board.
fn is_seen(seat: TokenSeat, needs: Seen) -> bool {
    needs == Seen::PositionOrNamed || seat.has_seen(needs)
}

fn only(mut known: Vec<Account>, form: &FullForm) -> Result<Account, CommandError> {
    if known.len() > 1 {
        let userids = known.iter().map(|account| account.userid.as_str()).collect::<Vec<_>>().join(" or ");
        let full = form.written("USERID");
        return refuse!("This letter is from {userids}, so the command has to say who plays:\n\n    {full}");
    }
    known.pop().ok_or_else(|| is_missing(form, "USERID").into())
}

/// Asks for the line once more. The answer goes to the player alone and carries a token.
fn ask_again(form: &FullForm) -> Refusal {
    let line = form.line();
    match form.needs {
        Needs::Guarded => refusal!(
            "This {does}, so nothing is done yet. If you mean it, reply to this mail with that line again, today or \
            tomorrow:\n\n    {line}",
            does = form.summary
        )
        .asking_again(),
        _ => refusal!(
            "Nothing in this letter proves who wrote it, so nothing was done. Reply to this mail with that line \
            again:\n\n    {line}"
        ),
    }
}

fn is_missing(form: &FullForm, userid: &str) -> Refusal {
    refusal!("{why}\n\n    {full}", why = form.why, full = form.written(userid))
}

/// Refuses a browser that was signed in by a link to one board.
pub(crate) fn must_play_all_boards(session: &SessionRow) -> Result<(), Refusal> {
    match session.board {
        Some(board) => refuse!(
            "This browser was signed in by a link to board {board}, and plays that board alone. For the rest ask for a \
            link by mail, at `/sign-in`, and press its button."
        ),
        None => Ok(()),
    }
}

/// The answer to a suspended player. The host can still speak for them.
pub(crate) fn suspended(userid: &Userid, why: &str) -> Refusal {
    refusal!("The host has suspended the account {userid}, and nothing was done. The reason: {why}")
}

pub(crate) fn no_such_userid(near: Option<Userid>) -> Refusal {
    refusal!("There is no player with that name.{}", hint(&near))
}

pub(crate) fn not_proven() -> Refusal {
    refusal!(
        "The name or the password is not right. Both are written as at sign-up; upper and lower case matter in \
        passwords."
    )
    .hiding_line()
}

pub(crate) fn nothing_proves() -> Refusal {
    refusal!(
        "`-` in the password's place works in a mail that proves who sent it, and this one does not. Reply to this \
        mail with the line without your name and the `-`."
    )
}

/// Refuses to act in the name of the robot or an engine.
pub(crate) fn must_be_a_person(account: &Account) -> Result<(), CommandError> {
    match account.id.is_robot() {
        true => refuse!("{userid} is a program, which speaks for itself.", userid = account.userid),
        false => Ok(()),
    }
}
