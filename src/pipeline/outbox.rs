//! The last stages: composes mails and puts them into the outbox.

use jiff::Timestamp;
use tracing::warn;

use crate::app::App;
use crate::commands::confirm_address::asks_back;
use crate::compose::{self, AsRead, OutgoingMail, blocks, html, markup};
use crate::credentials::token::{MailKind, TokenRecord};
use crate::failure::Error;
use crate::ids::Identity;
use crate::mail::outgoing::{self, AutoSubmitted, ComposeError};
use crate::mail::{Letter, token as token_syntax};
use crate::notices::board_update::{BoardEvent, BoardUpdate};
use crate::notices::mail::{Content, Keep, Purpose, Recipient, UnsubscribeBy};
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
    mark: AutoSubmitted,
    /// Set if the mail shows a player a board, and nothing else.
    update: Option<&'a BoardUpdate>,
}

impl Leaving<'_> {
    /// True if the next mail about the board repeats all that this mail says.
    fn can_be_replaced(&self) -> bool {
        let has_words = matches!(&self.mail.content, Content::Board(notice) if notice.words.is_some());
        let says_no_more = |update: &&BoardUpdate| {
            update.notes.is_empty()
                && update.view.result.is_none()
                && update.last.event != BoardEvent::Started
        };
        !has_words && self.update.filter(says_no_more).is_some()
    }
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
        MailReader { player: Some(player), secret: &addresses.secret, html, picture, paused_until: None }
    }
}

/// Largest HTML of a mail with a picture, in bytes. A mail with larger HTML has no picture.
const HTML_BESIDE_PICTURE: usize = 30 * 1024;

/// Bytes that the largest picture takes in a mail.
const PICTURE: usize = 36 * 1024;

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
        let in_vain =
            transcript.answered_in_vain.as_ref().filter(|_| can_be_answered && written.board.is_none());
        let token = mail.token.as_ref().or(in_vain);
        let update = only_update(transcript, mail);
        let leaving = Leaving { mail, written: &written, token, mark: self.mark(mail), update };
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

    fn write(&mut self, reader: MailReader<'_>, address: &str, leaving: Leaving<'_>) -> Result<(), Error> {
        let Leaving { written, mark, .. } = leaving;
        let server = &self.app.server;
        let player = reader.player;
        let purpose = self.mails.to_string();
        let message_id = outgoing::message_id(&self.identity, address, &purpose, reader.secret, &server.host);
        let mut references = Vec::new();
        if let Some((player, board)) = player.zip(written.board) {
            let mut thread = self.store.thread(board, player)?;
            if leaving.update.is_some() && thread.as_ref().is_some_and(|thread| thread.waits) {
                self.store.replace_waiting(board, player, self.id, self.now)?;
                thread = self.store.thread(board, player)?;
            }
            if let Some(thread) = thread {
                if thread.last != thread.root {
                    references.push(thread.root);
                }
                references.push(thread.last);
            }
        }
        let follows = references.last().cloned().unwrap_or_default();
        // An answer is in reply to the letter; any other mail is in reply to our last mail about the board.
        let in_reply_to = match mark {
            AutoSubmitted::Replied => self.letter.message_id.clone(),
            AutoSubmitted::Generated => references.last().cloned(),
        };
        if let Some(id) = in_reply_to.clone().filter(|id| !references.contains(id)) {
            references.push(id);
        }
        let token = match leaving.token {
            Some(token) => Some(token.clone()),
            None => self.reply_token(player, written)?,
        };
        let reply_to = token.as_deref().and_then(|token| server.extended(token));
        let mut blocks = written.blocks.clone();
        let page_link = self.page(player, written)?;
        if let Some(link) = &page_link {
            blocks::add_page(&mut blocks, link);
        }
        if let Some(token) = token.as_deref() {
            // Some programs ignore Reply-To. The token goes before the last reference: mail programs keep the first and
            // the last of a thread.
            references.insert(references.len().saturating_sub(1), token_syntax::as_id(token, server));
        }
        if let Some(token) = token.as_deref().filter(|_| reply_to.is_none()) {
            blocks::add_line(&mut blocks, &token_syntax::as_line(token));
        }
        let text = blocks::text(&blocks);
        let most = compose::largest(leaving.mail);
        let token_line = token.as_deref().filter(|_| reply_to.is_none()).map(token_syntax::as_line);
        let reply = token.as_ref().map(|_| markup::Reply {
            address: reply_to.as_deref().unwrap_or(&server.address),
            subject: &written.subject,
            token_line: token_line.as_deref(),
        });
        let page = |place: Option<&str>| html::page(&blocks, &server.address, reply, place);
        let place = outgoing::place(&outgoing::content_id(&message_id));
        let with_place =
            (reader.html && reader.picture && written.pictured().is_some()).then(|| page(Some(&place)));
        let with_place = with_place
            .filter(|html| html.len() <= HTML_BESIDE_PICTURE && html.len() + text.len() + PICTURE <= most);
        let pictured = written.pictured().filter(|_| with_place.is_some());
        // The HTML repeats the text, so it is left out if the mail would be too large.
        let html = with_place
            .or_else(|| reader.html.then(|| page(None)))
            .filter(|html| html.len() + text.len() <= most);
        let draft = outgoing::Draft {
            to: address.to_owned(),
            message_id: message_id.clone(),
            in_reply_to,
            references,
            subject: written.subject.clone(),
            date: self.now,
            mark,
            unsubscribe: leaving
                .mail
                .unsubscribe
                .as_ref()
                .and_then(|by| self.unsubscribe(by, page_link.as_deref())),
            html,
            text,
            reply_to,
        };
        let bytes = match outgoing::compose(&draft, server) {
            Ok(bytes) => bytes,
            Err(why) if why.is_of_this_mail() => return self.set_aside(player, address, leaving, &why),
            Err(why) => return Err(why.into()),
        };
        let new = NewMail {
            letter: self.id,
            board: written.board,
            shows_board: written.shown.is_some(),
            pictured,
            player,
            recipient: address.to_owned(),
            message_id,
            follows: leaving.can_be_replaced().then_some(follows),
            keep: leaving.mail.keep,
        };
        let leaves = reader.paused_until.map_or(self.now, |until| until.max(self.now));
        self.store.add_mail(&new, &bytes, leaves)?;
        if let Some((player, board)) = player.zip(written.board) {
            self.store.extend_thread(board, player, &new.message_id)?;
        }
        self.mails += 1;
        Ok(())
    }

    fn unsubscribe(&self, by: &UnsubscribeBy, page: Option<&str>) -> Option<outgoing::ListUnsubscribe> {
        Some(match by {
            UnsubscribeBy::Command(command) => command.clone().into(),
            UnsubscribeBy::Token(token) => match self.app.server.extended(token) {
                Some(address) => outgoing::ListUnsubscribe::Mail {
                    address: Some(address),
                    subject: "unsubscribe".to_owned(),
                },
                None => token_syntax::as_subject(token).into(),
            },
            UnsubscribeBy::Pause => outgoing::ListUnsubscribe::Page(format!("{}/pause", page?)),
        })
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

    /// The URL of the page where a player of the board moves.
    fn page(&mut self, player: Option<PlayerId>, mail: &OutgoingMail) -> Result<Option<String>, Error> {
        let Some(pages) = &self.app.pages else { return Ok(None) };
        let token = self.token(player, mail, MailKind::Page)?;
        Ok(token.map(|token| format!("{pages}/play/{token}")))
    }

    /// The token that lets a player of the board move by a plain reply.
    fn reply_token(
        &mut self,
        player: Option<PlayerId>,
        mail: &OutgoingMail,
    ) -> Result<Option<String>, Error> {
        self.token(player, mail, mail.kind)
    }

    fn token(
        &mut self,
        player: Option<PlayerId>,
        mail: &OutgoingMail,
        kind: MailKind,
    ) -> Result<Option<String>, Error> {
        let Some((player, board)) = player.zip(mail.board) else { return Ok(None) };
        let record = match self.record.take().filter(|record| record.is_of(board)) {
            Some(record) => record,
            None => TokenRecord::of(self.store, board)?,
        };
        let token = record.give(self.store, player, (kind, mail.shown))?;
        self.record = Some(record);
        Ok(token)
    }
}
