//! Writes one mail for one address: its thread, its token, its text and HTML.

use super::{Leaving, MailReader, Outbox};
use crate::compose::{self, OutgoingMail, document, html, plain};
use crate::credentials::token::{MailKind, ReaderMail, TokenRecord, of_reader};
use crate::failure::Error;
use crate::mail::outgoing::{self, AutoSubmitted};
use crate::mail::token as token_syntax;
use crate::notices::board_update::{BoardEvent, BoardUpdate};
use crate::notices::mail::{Content, UnsubscribeBy};
use crate::store::{NewMail, PlayerId};

/// Largest HTML of a mail with a picture, in bytes. A mail with larger HTML has no picture.
const HTML_BESIDE_PICTURE: usize = 30 * 1024;

/// Bytes that the largest picture takes in a mail.
const PICTURE: usize = 36 * 1024;

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

impl Outbox<'_> {
    pub(super) fn write(
        &mut self,
        reader: MailReader<'_>,
        address: &str,
        leaving: Leaving<'_>,
    ) -> Result<(), Error> {
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
        let of_reader = player.zip(reader.addresses).and_then(|(player, addresses)| {
            of_reader(addresses, player, address, (leaving.reader_mail, self.now))
        });
        let commands_to = of_reader.as_deref().and_then(|token| server.extended(token));
        let token = match (leaving.token, leaving.reader_mail) {
            (Some(token), _) => Some(token.clone()),
            (None, ReaderMail::Asks) => of_reader,
            (None, ReaderMail::Any) => self.reply_token(player, written)?.or(of_reader),
        };
        let reply_to = token.as_deref().and_then(|token| server.extended(token));
        let mut blocks = written.blocks.clone();
        let page_link = self.page(player, written)?;
        if let Some(token) = token.as_deref() {
            // Some programs ignore Reply-To. The token goes before the last reference: mail programs keep the first and
            // the last of a thread.
            references.insert(references.len().saturating_sub(1), token_syntax::as_id(token, server));
        }
        if let Some(token) = token.as_deref().filter(|_| reply_to.is_none()) {
            document::add_above_signature(&mut blocks, &token_syntax::as_line(token));
        }
        let text = plain::written(&blocks, page_link.as_deref());
        let files: Vec<_> = document::files(&blocks).cloned().collect();
        let attached: usize = files.iter().map(|file| file.text.len()).sum();
        let most = compose::largest(leaving.mail).saturating_sub(attached);
        let token_line = token.as_deref().filter(|_| reply_to.is_none()).map(token_syntax::as_line);
        let reply = html::Reply {
            address: reply_to.as_deref().unwrap_or(&server.address),
            subject: &written.subject,
            token_line: token_line.as_deref(),
        };
        let page = |picture: Option<&str>| {
            let (subject, page) = (written.subject.as_str(), page_link.as_deref());
            html::mail(&blocks, html::MailFrame { subject, reply: Some(reply), picture, page })
        };
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
                .and_then(|by| self.unsubscribe(by, page_link.as_deref(), commands_to)),
            html,
            text,
            files,
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

    fn unsubscribe(
        &self,
        by: &UnsubscribeBy,
        page: Option<&str>,
        commands_to: Option<String>,
    ) -> Option<outgoing::ListUnsubscribe> {
        let mail = |address, subject| outgoing::ListUnsubscribe::Mail { address, subject };
        Some(match by {
            UnsubscribeBy::Command(command) => mail(commands_to, command.clone()),
            UnsubscribeBy::Token(token) => match self.app.server.extended(token) {
                Some(address) => mail(Some(address), "unsubscribe".to_owned()),
                None => mail(None, token_syntax::as_subject(token)),
            },
            UnsubscribeBy::Pause => outgoing::ListUnsubscribe::Page(format!("{}/pause", page?)),
        })
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
