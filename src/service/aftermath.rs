//! What a letter means for people it did not name: the words beside a move, watchers, vacations and addresses that
//! opponents see, and "your move" mails that wait.
//!
//! Here, once for all commands, so that a command that changes a board need not think of it.

use super::board::Board;
use super::context::{Context, zone_of};
use super::limits::Allowance;
use super::mail_preferences::MailPreferences;
use super::note::{Mailing, Parcel, Said, To};
use super::transcript::{Answer, Event, Notice, Transcript};
use super::view::{BoardUpdate, BoardView, board_view};
use super::{Error, Post, reply};
use crate::command::body::{below_first_line, own_words};
use crate::command::{self, Command, Line, Reading};
use crate::ids::BoardId;
use crate::mail::{Proof, outgoing};
use crate::store::{NewMail, PlayerId};

/// The words that stand beside a Subject command, or below the first line of what a reply says `new`. A command that
/// carries words takes them for itself.
pub(super) fn beside(letter: &crate::mail::Letter, lines: &[Line], new: Option<&str>) -> String {
    let talks = lines.iter().any(|line| matches!(line.reading, Reading::Command(Command::Talk(_))));
    match (talks, new) {
        (false, Some(new)) => below_first_line(new),
        (false, None) if command::is_in_subject(&letter.subject) => own_words(&letter.text),
        _ => String::new(),
    }
}

impl Context<'_> {
    /// Completes what a letter's commands did.
    pub(super) fn aftermath(&mut self, transcript: &mut Transcript, beside: &str) -> Result<(), Error> {
        self.pass_words_on(transcript, beside)?;
        self.tell_onlookers(transcript)?;
        self.complete_views(transcript)
    }

    /// Words beside a command go to whoever is told of it, when the letter proves who wrote them.
    fn pass_words_on(&mut self, transcript: &mut Transcript, beside: &str) -> Result<(), Error> {
        let hearers: Vec<PlayerId> = transcript.notices.iter().map(|notice| notice.to).collect();
        let proven = match self.letter.proof {
            Proof::Sender => transcript.player,
            _ => self.proven(),
        };
        if beside.is_empty() || hearers.is_empty() {
            return Ok(());
        }
        let Some(by) = proven else {
            let why = "Your text was not passed on: nothing in the letter proves who wrote it.";
            transcript.remark = Some(why.to_owned());
            return Ok(());
        };
        let mut to: Vec<PlayerId> = Vec::new();
        if hearers.iter().any(|hearer| hearer.is_robot()) {
            transcript.remark = Some("Your text was not passed on: the robot reads none.".to_owned());
        }
        for hearer in hearers.into_iter().filter(|hearer| *hearer != by && !hearer.is_robot()) {
            let userid = self.store.player_by_id(hearer)?.userid;
            if self.store.is_block_between(by, hearer)? {
                let why = format!("Your text was not passed on: there is a block between you and {userid}.");
                transcript.remark = Some(why);
            } else if !to.contains(&hearer) {
                transcript.remark = Some(format!("Your text went to {userid} as well."));
                to.push(hearer);
            }
        }
        if !to.is_empty() {
            let text = self.masked(beside)?;
            transcript.said = Some(Said { by: self.store.player_by_id(by)?.userid.to_string(), text, to });
        }
        Ok(())
    }

    fn tell_onlookers(&self, transcript: &mut Transcript) -> Result<(), Error> {
        let mailings = transcript.preferences.onlookers(self.store, self.at, &transcript.notices)?;
        transcript.mailings.extend(mailings);
        Ok(())
    }

    fn complete_views(&self, transcript: &mut Transcript) -> Result<(), Error> {
        let Transcript { preferences, notices, mailings, answers, .. } = transcript;
        let mut complete =
            |view: &mut BoardView, reader| preferences.complete(self.store, self.at, view, reader);
        for notice in notices {
            complete(&mut notice.update.view, Some(notice.seat))?;
        }
        for mailing in mailings {
            if let Parcel::BoardUpdate(update, _) = &mut mailing.parcel {
                complete(&mut update.view, None)?;
            }
        }
        for answered in answers {
            match &mut answered.answer {
                Answer::Done(Event::Board(update, reader)) => complete(&mut update.view, *reader)?,
                Answer::Done(Event::Shown(views)) => {
                    views.iter_mut().try_for_each(|view| complete(view, None))?;
                }
                _ => {}
            }
        }
        Ok(())
    }
}

impl Post<'_> {
    /// Whether a "your move" mail waits: its player wants one at a time, and has not written since the last. News
    /// with somebody's words in it never waits.
    pub(super) fn holds_back(
        &self,
        preferences: &MailPreferences,
        notice: &Notice,
        said: Option<&Said>,
    ) -> Result<bool, Error> {
        let view = &notice.update.view;
        let update = &notice.update;
        // Nothing but a move waits: not what is asked of the player, and no word that is said once.
        let waits = matches!(update.what, "played" | "queued") && update.notes.is_empty();
        if view.turn != Some(notice.seat) || !preferences.wants_digest(self.store, notice.to)? {
            return Ok(false);
        }
        if waits && said.is_none() && self.store.is_told(notice.to)? {
            self.store.hold(notice.to, BoardId(view.board), self.at)?;
            return Ok(true);
        }
        self.store.set_told(notice.to, true)?;
        Ok(false)
    }

    /// Whoever writes gets the next of the mails that wait for them, as the board stands now.
    pub(super) fn next_of_digest(
        &mut self,
        preferences: &MailPreferences,
        player: PlayerId,
    ) -> Result<(), Error> {
        if !preferences.wants_digest(self.store, player)? {
            return Ok(());
        }
        self.store.set_told(player, false)?;
        while let Some(id) = self.store.take_held(player)? {
            let Some(board) = Board::load(self.store, id)? else { continue };
            let Some(seat) = board.row.to_move.filter(|seat| *seat.of(&board.row.players) == player) else {
                continue;
            };
            let update = BoardUpdate::new("waits", seat, board_view(self.store, &board)?);
            let notice = Notice { to: player, seat: seat.index(), update, in_answer: false };
            let reply = reply::notice(self.app, &zone_of(self.store, player)?, &notice)?;
            self.mail_player(player, &reply, outgoing::AutoSubmitted::Generated)?;
            return self.store.set_told(player, true).map_err(Error::from);
        }
        Ok(())
    }

    /// Sends a mail that is neither the answer nor the notice of a move; `asked_by` is whose last mail a `resend`
    /// sends again.
    pub(super) fn send(&mut self, mailing: &Mailing, asked_by: Option<PlayerId>) -> Result<(), Error> {
        let mark = outgoing::AutoSubmitted::Generated;
        let zone = match &mailing.to {
            To::Player(player) => zone_of(self.store, *player)?,
            To::Address(_) => jiff::tz::TimeZone::UTC,
        };
        let Some(reply) = reply::note::mailing(self.app, &zone, mailing)? else {
            return self.send_again(mailing, asked_by);
        };
        match &mailing.to {
            To::Player(player) => self.mail_player(*player, &reply, mark)?,
            To::Address(address) => {
                // Whoever wrote from there is answered by it (RFC 3834 5.2).
                let answers = self
                    .letter
                    .sender
                    .as_ref()
                    .is_some_and(|from| from.to_lowercase() == address.to_lowercase());
                match &mailing.parcel {
                    Parcel::BoardUpdate(..) => self.put_rich(address, &reply, mark)?,
                    _ if answers => self.put_plain(address, &reply, outgoing::AutoSubmitted::Replied)?,
                    _ => self.put_plain(address, &reply, mark)?,
                }
            }
        }
        Ok(())
    }

    fn send_again(&mut self, mailing: &Mailing, asked_by: Option<PlayerId>) -> Result<(), Error> {
        let (To::Address(recipient), Parcel::Again(last)) = (&mailing.to, &mailing.parcel) else {
            return Ok(());
        };
        if self.brake(recipient)? != Allowance::Open {
            return Ok(());
        }
        let new = NewMail {
            letter: self.id,
            board: last.board,
            player: asked_by,
            recipient,
            message_id: &last.message_id,
            mail: &last.mail,
        };
        self.store.add_mail(&new, self.at)?;
        self.mails += 1;
        Ok(())
    }
}
