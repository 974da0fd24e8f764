//! From what is said to mails in the outbox.

use jiff::Timestamp;

use super::confirm::{ASK_PAUSE, question};
use super::context::zone_of;
use super::limits::{ANSWERS, Allowance, STRANGERS};
use super::note::{Mailing, Parcel, To};
use super::{App, Error, STRANGER_PAUSE, Transcript};
use crate::mail::outgoing::{self, AutoSubmitted};
use crate::mail::{AnswerBy, Letter, token};
use crate::reply::{self, Reply, html, text};
use crate::store::{Addresses, LetterId, NewMail, PlayerId, Store};

/// Puts the mails of one letter into the outbox.
pub(super) struct Post<'a> {
    pub store: &'a Store,
    pub app: &'a App,
    pub letter: &'a Letter,
    pub id: LetterId,
    pub at: Timestamp,
    /// How many there are so far.
    pub mails: usize,
}

/// Whom a mail goes to, as far as it matters to how it is written.
#[derive(Clone, Copy, Default)]
struct Reader<'a> {
    player: Option<PlayerId>,
    /// What only the server and this reader's mails know.
    secret: &'a [u8],
    html: bool,
}

impl Post<'_> {
    /// Everything but the answer: what the people of the boards are told, and all other mails.
    pub(super) fn tell(&mut self, transcript: &Transcript) -> Result<(), Error> {
        let mut hearers = transcript.said.as_ref().map(|said| said.to.clone()).unwrap_or_default();
        for notice in &transcript.notices {
            let answered = self.letter.answer == AnswerBy::Terminal || transcript.player == Some(notice.to);
            if notice.to.is_robot() || notice.in_answer && answered {
                continue;
            }
            // Once to each, in the first mail to them.
            let place = hearers.iter().position(|hearer| *hearer == notice.to);
            let hears = place.map(|place| hearers.remove(place));
            let said = transcript.said.as_ref().filter(|_| hears.is_some());
            if self.holds_back(&transcript.preferences, notice, said)? {
                continue;
            }
            let zone = zone_of(self.store, notice.to)?;
            let reply = reply::notice_with(self.app, &zone, notice, said)?;
            self.mail_player(notice.to, &reply, AutoSubmitted::Generated)?;
        }
        for mailing in &transcript.mailings {
            self.send(mailing, transcript.player)?;
        }
        if let Some(player) = transcript.player {
            self.next_of_digest(&transcript.preferences, player)?;
        }
        // Whom a board that is over kept from hearing of the next.
        for notice in transcript.notices.iter().filter(|notice| notice.update.view.result.is_some()) {
            self.next_of_digest(&transcript.preferences, notice.to)?;
        }
        Ok(())
    }

    /// The answer goes to the registered addresses of the player the letter acted for, never to an unproven one; a
    /// stranger gets a short help, once a day.
    pub(super) fn answer(
        &mut self,
        transcript: &Transcript,
        home: Option<&Addresses>,
        answer: &Reply,
    ) -> Result<(), Error> {
        if transcript.is_answered_by_mailings(self.letter.sender.as_deref()) {
            return Ok(());
        }
        for address in &transcript.last_words {
            self.put(Reader::default(), address, answer, AutoSubmitted::Replied)?;
            self.store.mark_last_mail(true)?;
        }
        let home = home.filter(|home| home.confirmed().next().is_some());
        let Some((player, home)) = transcript.player.zip(home) else {
            // Whoever holds the token of an address that waits reads mail there.
            if transcript.asked.is_some() {
                return self.answer_stranger(|| Ok(answer.clone()));
            }
            return match self.ask_again()? || transcript.player.is_some() {
                true => Ok(()),
                false => self.answer_stranger(|| reply::stranger(self.app, transcript)),
            };
        };
        self.answer_player(player, home, answer, transcript.moves_a_board())
    }

    /// To all addresses of a player; what is no news of a board only so often.
    pub(super) fn answer_player(
        &mut self,
        player: PlayerId,
        home: &Addresses,
        answer: &Reply,
        always: bool,
    ) -> Result<(), Error> {
        let reader = Reader { player: Some(player), secret: &home.secret, html: home.html };
        for address in home.confirmed() {
            match if always { Allowance::Open } else { self.brake(address)? } {
                Allowance::Open => self.put(reader, address, answer, AutoSubmitted::Replied)?,
                Allowance::LastNotice => {
                    self.put(reader, address, &reply::enough(self.app)?, AutoSubmitted::Replied)?;
                }
                Allowance::Shut => {}
            }
        }
        Ok(())
    }

    /// Counts an answer to an address.
    pub(super) fn brake(&self, address: &str) -> Result<Allowance, Error> {
        ANSWERS.count(self.store, address, self.at)
    }

    /// Once a day, and where the transport said the letter came from: what stands in From is nobody's word. Where the
    /// transport said nothing, or nobody told what it said, there is no answer (RFC 3834 4).
    pub(super) fn answer_stranger(
        &mut self,
        short: impl FnOnce() -> Result<Reply, Error>,
    ) -> Result<(), Error> {
        if let Some(path) = &self.letter.return_path
            && self.store.may_answer_stranger(path, self.at, STRANGER_PAUSE)?
            && STRANGERS.count(self.store, "", self.at)? == Allowance::Open
        {
            self.put(Reader::default(), path, &short()?, AutoSubmitted::Replied)?;
        }
        Ok(())
    }

    /// Where the letter's address waits to be confirmed, asks it again, once a day; gives whether it waits.
    fn ask_again(&mut self) -> Result<bool, Error> {
        let Some(sender) = self.letter.sender.as_deref() else { return Ok(false) };
        let Some(player) = self.store.waiting_at(sender)?.first().copied() else { return Ok(false) };
        if self.store.may_ask(sender, self.at, ASK_PAUSE)? {
            let (account, home) = (self.store.player_by_id(player)?, self.store.addresses(player)?);
            let text = question(&account, &home, sender, false);
            let to = To::Address(sender.to_owned());
            let mailing = Mailing { to, thread: None, parcel: Parcel::Text(text) };
            let utc = jiff::tz::TimeZone::UTC;
            if let Some(reply) = reply::note::mailing(self.app, &utc, &mailing)? {
                self.put(Reader::default(), sender, &reply, AutoSubmitted::Replied)?;
            }
        }
        Ok(true)
    }

    pub(super) fn mail_player(
        &mut self,
        player: PlayerId,
        reply: &Reply,
        mark: AutoSubmitted,
    ) -> Result<(), Error> {
        let home = self.store.addresses(player)?;
        let reader = Reader { player: Some(player), secret: &home.secret, html: home.html };
        for address in home.confirmed() {
            self.put(reader, address, reply, mark)?;
        }
        Ok(())
    }

    /// To an address that is no player's, with HTML beside the text: a watcher's.
    pub(super) fn put_rich(
        &mut self,
        address: &str,
        reply: &Reply,
        mark: AutoSubmitted,
    ) -> Result<(), Error> {
        self.put(Reader { html: true, ..Reader::default() }, address, reply, mark)
    }

    /// To an address that is no player's, as text alone.
    pub(super) fn put_plain(
        &mut self,
        address: &str,
        reply: &Reply,
        mark: AutoSubmitted,
    ) -> Result<(), Error> {
        self.put(Reader::default(), address, reply, mark)
    }

    fn put(
        &mut self,
        reader: Reader<'_>,
        address: &str,
        reply: &Reply,
        mark: AutoSubmitted,
    ) -> Result<(), Error> {
        let site = &self.app.site;
        let player = reader.player;
        let purpose = self.mails.to_string();
        let message_id =
            outgoing::message_id(&self.letter.identity, address, &purpose, reader.secret, &site.host);
        let mut references = Vec::new();
        if let (Some(player), Some(board)) = (player, reply.board)
            && let Some(thread) = self.store.thread(board, player)?
        {
            if thread.last != thread.root {
                references.push(thread.root);
            }
            references.push(thread.last);
        }
        // An answer belongs under the letter it answers; a notice under our last mail about the board.
        let in_reply_to = match mark {
            AutoSubmitted::Replied => self.letter.message_id.clone(),
            AutoSubmitted::Generated => references.last().cloned(),
        };
        if let Some(id) = in_reply_to.clone().filter(|id| !references.contains(id)) {
            references.push(id);
        }
        let token = match &reply.token {
            Some(token) => Some(token.clone()),
            None => self.reply_token(player, reply)?,
        };
        let reply_to = token.as_deref().and_then(|token| site.extended(token));
        let mut text = reply.text.clone();
        if let Some(token) = token.as_deref().filter(|_| reply_to.is_none()) {
            // In front of the mail that is answered: the first and the last of a thread are what is always kept.
            references.insert(references.len().saturating_sub(1), token::as_id(token, site));
            text::add_line(&mut text, &token::as_line(token));
        }
        let draft = outgoing::Draft {
            to: address.to_owned(),
            message_id: message_id.clone(),
            in_reply_to,
            references,
            subject: reply.subject.clone(),
            date: self.at,
            mark,
            unsubscribe: reply.unsubscribe.clone(),
            html: reader.html.then(|| html::page(&text)),
            text,
            reply_to,
        };
        let mail = outgoing::compose_signed(&draft, site, self.app.signer.as_ref())?;
        let new = NewMail {
            letter: self.id,
            board: reply.board,
            player,
            recipient: address,
            message_id: &message_id,
            mail: &mail,
        };
        self.store.add_mail(&new, self.at)?;
        if reply.secret {
            self.store.mark_last_mail(false)?;
        }
        if let (Some(player), Some(board)) = (player, reply.board) {
            self.store.extend_thread(board, player, &message_id)?;
        }
        self.mails += 1;
        Ok(())
    }

    /// What lets a plain reply play, for somebody who sits at the board.
    fn reply_token(&self, player: Option<PlayerId>, reply: &Reply) -> Result<Option<String>, Error> {
        match (player, reply.board) {
            (Some(player), Some(board)) => super::token::give(self.store, board, player, reply.shown),
            _ => Ok(None),
        }
    }
}
