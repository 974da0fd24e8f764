//! The last stages: chooses the addresses of each mail, and puts the written mails into the outbox.

mod write;

use jiff::Timestamp;
use tracing::warn;

use crate::app::App;
use crate::commands::confirm_address::asks_back;
use crate::compose::{self, AsRead, OutgoingMail};
use crate::credentials::token::{ReaderMail, TokenRecord};
use crate::failure::Error;
use crate::ids::Identity;
use crate::mail::Letter;
use crate::mail::outgoing::{AutoSubmitted, ComposeError};
use crate::notices::board_update::BoardUpdate;
use crate::notices::mail::{Content, Keep, Purpose, Recipient};
use crate::notices::{Answer, Answered, Event, Mail, Occasion, Transcript};
use crate::settings::MAIL;
use crate::store::{LetterId, NewMail, NewMailAside, PlayerAddresses, PlayerId, ProvenBy, Store};

pub(super) struct Outbox<'a> {
    store: &'a Store,
    app: &'a App,
    letter: &'a Letter,
    /// The identity of the letter as it was handled.
    identity: Identity,
    id: LetterId,
    /// The proof of the letter's writer.
    proof: ProvenBy,
    now: Timestamp,
    mails: usize,
    aside: usize,
    /// The hashes for tokens of the last mail's board, kept for the next mail about it.
    record: Option<TokenRecord>,
}

/// The recipient and their settings for mails.
#[derive(Clone, Copy, Default)]
struct MailReader<'a> {
    player: Option<PlayerId>,
    /// The addresses of the player.
    addresses: Option<&'a PlayerAddresses>,
    /// Keys Message-IDs, so that others cannot guess them.
    secret: &'a [u8],
    html: bool,
    picture: bool,
    /// If the player has paused mails that can wait, the time when such a mail leaves.
    paused_until: Option<Timestamp>,
}

/// A mail to send, with its composed text.
#[derive(Clone, Copy)]
struct Leaving<'a> {
    mail: &'a Mail,
    written: &'a OutgoingMail,
    token: Option<&'a String>,
    /// The kind of token that a mail to a player has without another.
    reader_mail: ReaderMail,
    mark: AutoSubmitted,
    /// Set if the mail shows a player a board, and nothing else.
    update: Option<&'a BoardUpdate>,
}

fn only_update<'m>(transcript: &'m Transcript, mail: &'m Mail) -> Option<&'m BoardUpdate> {
    match (&mail.content, transcript.answers.as_slice()) {
        (Content::Board(notice), _) => notice.reader.seat().map(|_| &notice.update),
        (Content::Answer, [Answered { answer: Answer::Done(Event::Board(update, Some(_))), .. }]) => {
            transcript.remark.is_none().then_some(update)
        }
        _ => None,
    }
}

impl<'a> MailReader<'a> {
    fn of(player: PlayerId, addresses: &'a PlayerAddresses) -> MailReader<'a> {
        let mail = addresses.mail.as_deref().unwrap_or(MAIL.default);
        let (html, picture) = (mail != "text", mail == "picture");
        let (secret, paused_until) = (addresses.secret.as_slice(), None);
        MailReader { player: Some(player), addresses: Some(addresses), secret, html, picture, paused_until }
    }
}

impl crate::notices::Outbox for App {
    fn pages(&self) -> Option<&str> {
        self.pages.as_deref()
    }

    fn put(
        &self,
        store: &Store,
        occasion: &Occasion,
        mails: Vec<Mail>,
        now: Timestamp,
    ) -> Result<usize, Error> {
        let (letter, proof) = (&occasion.letter, ProvenBy::Operator);
        let mut outbox = Outbox::new(store, self, letter, letter.identity, occasion.id, proof, now);
        outbox.put_all(mails)?;
        Ok(outbox.mails)
    }
}

impl<'a> Outbox<'a> {
    pub fn new(
        store: &'a Store,
        app: &'a App,
        letter: &'a Letter,
        identity: Identity,
        id: LetterId,
        proof: ProvenBy,
        now: Timestamp,
    ) -> Outbox<'a> {
        Outbox { store, app, letter, identity, id, proof, now, mails: 0, aside: 0, record: None }
    }

    pub fn mails(&self) -> usize {
        self.mails
    }

    /// Number of mails that could not be composed.
    pub fn aside(&self) -> usize {
        self.aside
    }

    /// Puts mails that answer no letter.
    pub fn put_all(&mut self, mails: Vec<Mail>) -> Result<(), Error> {
        let nothing_said = Transcript::default();
        mails.iter().try_for_each(|mail| self.put(&nothing_said, mail))
    }

    /// Composes a mail for each address of its recipient. `transcript` holds the answers.
    pub fn put(&mut self, transcript: &Transcript, mail: &Mail) -> Result<(), Error> {
        if let Content::Resent(last) = &mail.content {
            return self.put_again(mail, last);
        }
        let reader = match (&mail.content, &mail.to) {
            (Content::Answer, _) => transcript.player,
            (_, Recipient::Player(player) | Recipient::PlayerAt(player, _)) => Some(*player),
            (_, Recipient::Address(_)) => None,
        };
        // A letter without proof must not cause mail to a suspended player.
        if let Some(reader) = reader.filter(|_| self.proof == ProvenBy::Nothing)
            && self.store.player_by_id(reader)?.suspended.is_some()
        {
            return Ok(());
        }
        let at = AsRead::by(self.store, reader, self.now)?;
        let written = compose::compose(&self.app.templates, &at, transcript, mail)?;
        let can_be_answered = matches!(mail.content, Content::Answer) && mail.keep != Keep::Nothing;
        let reader_mail = match can_be_answered && transcript.asks_again() {
            true => ReaderMail::Asks,
            false => ReaderMail::Any,
        };
        let in_vain =
            transcript.answered_in_vain.as_ref().filter(|_| can_be_answered && written.board.is_none());
        let token = mail.token.as_ref().or(in_vain.filter(|_| reader_mail == ReaderMail::Any));
        let update = only_update(transcript, mail);
        let leaving = Leaving { mail, written: &written, token, reader_mail, mark: self.mark(mail), update };
        match &mail.to {
            Recipient::Player(player) => {
                let addresses = self.store.addresses(*player)?;
                let paused_until = addresses.paused_until.filter(|_| mail.purpose == Purpose::News);
                let reader = MailReader { paused_until, ..MailReader::of(*player, &addresses) };
                addresses.confirmed().try_for_each(|address| self.write(reader, address, leaving))
            }
            Recipient::PlayerAt(player, address) => {
                let addresses = self.store.addresses(*player)?;
                // Mail to a confirmed address has not stopped.
                if !addresses.confirmed().any(|own| own == address) && self.is_stopped(address, mail)? {
                    return Ok(());
                }
                self.write(MailReader::of(*player, &addresses), address, leaving)
            }
            Recipient::Address(address) if self.is_stopped(address, mail)? => Ok(()),
            Recipient::Address(address) => {
                let reader = MailReader { html: true, picture: true, ..MailReader::default() };
                self.write(reader, address, leaving)
            }
        }
    }

    /// A mail to the sender's address counts as a reply to the letter (RFC 3834 5.2).
    fn mark(&self, mail: &Mail) -> AutoSubmitted {
        let answers = match (mail.purpose, &mail.to) {
            (Purpose::Answer, _) => true,
            (Purpose::Notice, Recipient::Address(address)) => self.letter.is_from(address),
            _ => false,
        };
        if answers { AutoSubmitted::Replied } else { AutoSubmitted::Generated }
    }

    /// Puts the bytes of an earlier mail into the outbox again.
    fn put_again(&mut self, mail: &Mail, last: &crate::store::LastMail) -> Result<(), Error> {
        let Recipient::PlayerAt(player, recipient) = &mail.to else { return Ok(()) };
        let new = NewMail {
            letter: self.id,
            board: last.board,
            shows_board: true,
            pictured: last.pictured,
            player: Some(*player),
            recipient: recipient.clone(),
            message_id: last.message_id.clone(),
            follows: None,
            keep: Keep::Mail,
        };
        self.store.add_mail(&new, &last.mail, self.now)?;
        self.mails += 1;
        Ok(())
    }

    /// True if mail to the address has stopped. Exception: a mail that asks its player whether the address works again.
    /// After a complaint or an act of the host, this exception needs a letter with proof.
    fn is_stopped(&self, address: &str, mail: &Mail) -> Result<bool, Error> {
        let stop = self.store.bounces(address)?.filter(|row| row.stopped_at.is_some());
        Ok(stop.is_some_and(|stop| !asks_back(mail) || stop.unwanted && self.proof == ProvenBy::Nothing))
    }

    /// Records for the operator that a mail cannot be composed. As an error, it would make the letter fail on every
    /// try, and the letter's other mails with it.
    fn set_aside(
        &mut self,
        player: Option<PlayerId>,
        address: &str,
        leaving: Leaving<'_>,
        why: &ComposeError,
    ) -> Result<(), Error> {
        let recipient = match leaving.mail.keep {
            Keep::Mail | Keep::Recipient => address,
            Keep::Nothing => "",
        };
        let (reason, board) = (why.to_string(), leaving.written.board);
        warn!(recipient, "mail set aside: {reason}");
        let recipient = recipient.to_owned();
        let aside = NewMailAside { letter: self.id, board, player, recipient, reason };
        self.store.add_mail_aside(&aside, self.now)?;
        self.aside += 1;
        Ok(())
    }
}
