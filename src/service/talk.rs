//! `message`, `broadcast`, `chat`.

use super::context::Context;
use super::note::{Mailing, Note, Parcel, Text, To};
use super::objection::Objection;
use super::robot::Excuse;
use super::transcript::Event;
use super::{CommandError, Error, Refusal};
use crate::command::body::{passwords_in, shorten};
use crate::command::talk::{Audience, Talk};
use crate::command::{Login, Seated, mask_words};
use crate::ids::Userid;
use crate::mail::token;
use crate::store::{Account, Role, State};

/// An organiser writes to everybody once in so many seconds.
const BROADCAST_PAUSE: i64 = 24 * 60 * 60;

impl Context<'_> {
    pub(super) fn talk(&mut self, talk: &Talk) -> Result<Event, CommandError> {
        match &talk.to {
            Audience::Players(login, to) => self.message(login, to, &talk.text),
            Audience::Everybody(login) => self.broadcast(login, &talk.text),
            Audience::Opponent(at) => self.chat(at, &talk.text),
        }
    }

    fn message(&mut self, login: &Login, to: &[Userid], text: &str) -> Result<Event, CommandError> {
        let sender = self.prove(login)?;
        let text = self.words(text)?;
        let mut hearers: Vec<Account> = Vec::new();
        for userid in to {
            let hearer = self.hearer(&sender, userid)?;
            if hearer.id == sender.id {
                return Err(Objection::SpeaksToThemselves.into());
            }
            hearers.push(hearer);
        }
        let names: Vec<String> = hearers.iter().map(|hearer| hearer.userid.to_string()).collect();
        for hearer in &hearers {
            let said = said("message", &sender, names.clone(), hearer, &text);
            self.mail(Mailing { to: To::Player(hearer.id), thread: None, parcel: Parcel::Text(said) });
        }
        Ok(Event::Note(Note::Sent { to: names }, None))
    }

    /// An account that may be written to.
    fn hearer(&self, sender: &Account, userid: &Userid) -> Result<Account, CommandError> {
        let hearer = self.store.player(userid)?.filter(|account| !account.is_deleted());
        let Some(hearer) = hearer else {
            return Err(Refusal::NoSuchUserid { near: self.nearest(userid)? }.into());
        };
        if hearer.id.is_robot() {
            return Err(Excuse::ReadsNothing { userid: hearer.userid }.into());
        }
        if !hearer.is_active() {
            return Err(Objection::GetsNoMessages { userid: hearer.userid }.into());
        }
        if self.store.is_block_between(sender.id, hearer.id)? {
            return Err(Objection::Blocked { userid: hearer.userid }.into());
        }
        Ok(hearer)
    }

    fn broadcast(&mut self, login: &Login, text: &str) -> Result<Event, CommandError> {
        let sender = self.prove(login)?;
        if self.store.role(sender.id)? != Role::Organiser {
            return Err(Objection::NotAnOrganiser.into());
        }
        let text = self.words(text)?;
        if !self.store.may_broadcast(sender.id, self.at, BROADCAST_PAUSE)? {
            return Err(Objection::BroadcastToday.into());
        }
        let mut count = 0;
        for hearer in self.store.players()? {
            if hearer.id == sender.id
                || !hearer.is_active()
                || !self.store.settings(hearer.id)?.broadcast
                || self.store.is_block_between(sender.id, hearer.id)?
            {
                continue;
            }
            let said = said("broadcast", &sender, Vec::new(), &hearer, &text);
            self.mail(Mailing { to: To::Player(hearer.id), thread: None, parcel: Parcel::Text(said) });
            count += 1;
        }
        Ok(Event::Note(Note::Broadcast { count }, None))
    }

    /// Over a game that is over there is as much to say as over one that runs.
    fn chat(&mut self, at: &Seated, text: &str) -> Result<Event, CommandError> {
        let sender = self.prove(&at.login)?;
        let board = self.board(at.game, at.board)?;
        let seat = self.seat_at(&board, &sender)?;
        let text = self.words(text)?;
        let opponent = self.store.player_by_id(*seat.other().of(&board.row.players))?;
        if opponent.id.is_robot() {
            return Err(Excuse::ReadsNothing { userid: opponent.userid }.into());
        }
        // Who has signed off gets no mail but about games that run.
        if opponent.is_deleted() || (!opponent.is_active() && board.row.state != State::Running) {
            return Err(Objection::GetsNoMessages { userid: opponent.userid }.into());
        }
        if self.store.is_block_between(sender.id, opponent.id)? {
            return Err(Objection::Blocked { userid: opponent.userid }.into());
        }
        let thread = self.thread(Some(at.board))?;
        let to = opponent.userid.to_string();
        let Text::Said { by, reader, text, .. } = said("chat", &sender, Vec::new(), &opponent, &text) else {
            return Err(Objection::NothingToSay.into());
        };
        let board = Some((at.game.key, at.board.0));
        let said = Text::Said { by, to: Vec::new(), kind: "chat", reader, board, text };
        let parcel = Parcel::Text(said);
        self.mail(Mailing { to: To::Player(opponent.id), thread: thread.clone(), parcel });
        Ok(Event::Note(Note::Sent { to: vec![to] }, thread))
    }

    /// The words of a player as others may read them; there must be some.
    fn words(&self, text: &str) -> Result<String, CommandError> {
        let text = self.masked(text)?;
        if text.is_empty() { Err(Objection::NothingToSay.into()) } else { Ok(text) }
    }

    /// `text` as far as it is passed on, without tokens, and without passwords: those of the letter, and those of
    /// lines in it that are commands.
    pub(super) fn masked(&self, text: &str) -> Result<String, Error> {
        let mut others = Vec::new();
        for (userid, password) in passwords_in(text) {
            // Much prose reads as a command: `delete that please`. Only an account has a password.
            if self.store.player(&userid)?.is_some() {
                others.push(password);
            }
        }
        others.sort_by_key(|word| std::cmp::Reverse(word.len()));
        Ok(shorten(&token::mask(&mask_words(&self.proofs.mask(text), &others))))
    }
}

fn said(kind: &'static str, by: &Account, to: Vec<String>, reader: &Account, text: &str) -> Text {
    Text::Said {
        by: by.userid.to_string(),
        to,
        kind,
        reader: reader.userid.to_string(),
        board: None,
        text: text.to_owned(),
    }
}
