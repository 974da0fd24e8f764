//! What a letter means for people it did not name: the words beside a move, watchers, vacations and addresses that
//! opponents see, and "your move" mails that wait.
//!
//! Here, once for all commands, so that a command that changes a board need not think of it.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use jiff::Timestamp;

use super::board::Board;
use super::desk::Desk;
use super::note::{Mailing, Onlooker, Parcel, Said, To};
use super::transcript::{Answer, Event, Notice, Transcript};
use super::view::{BoardView, News, board_view};
use super::{Failure, Post, reply};
use crate::command::body::{below_first_line, own_words};
use crate::command::{self, Command, Line, Reading};
use crate::ids::BoardId;
use crate::mail::{Proof, outgoing};
use crate::store::{Glance, NewMail, PlayerId, State, Store};

/// The words that stand beside a Subject command, or below the first line of a reply. A command that carries words
/// takes them for itself.
pub(super) fn beside(letter: &crate::mail::Letter, lines: &[Line], replies: bool) -> String {
    let talks = lines.iter().any(|line| matches!(line.reading, Reading::Command(Command::Talk(_))));
    match (talks, replies) {
        (false, true) => below_first_line(&letter.text),
        (false, false) if command::is_in_subject(&letter.subject) => own_words(&letter.text),
        _ => String::new(),
    }
}

/// What was seen of boards, each looked at once.
#[derive(Debug, Default)]
pub struct Glances(HashMap<u32, Vec<Glance>>);

impl Glances {
    fn at(&mut self, store: &Store, board: u32, at: Timestamp) -> Result<&[Glance], Failure> {
        Ok(match self.0.entry(board) {
            Entry::Occupied(seen) => seen.into_mut(),
            Entry::Vacant(place) => place.insert(store.glance(BoardId(board), at)?),
        })
    }

    /// Whether a player wants one "your move" mail at a time.
    fn wants_digest(&self, store: &Store, player: PlayerId) -> Result<bool, Failure> {
        match self.0.values().flatten().find(|glance| glance.player == player) {
            Some(glance) => Ok(glance.digest),
            None => Ok(store.settings(player)?.digest),
        }
    }
}

impl Desk<'_> {
    /// Completes what a letter's commands did.
    pub(super) fn aftermath(&mut self, transcript: &mut Transcript, beside: &str) -> Result<(), Failure> {
        self.pass_words_on(transcript, beside)?;
        self.tell_onlookers(transcript)?;
        self.complete_views(transcript)
    }

    /// Words beside a command go to whoever is told of it, when the letter proves who wrote them.
    fn pass_words_on(&mut self, transcript: &mut Transcript, beside: &str) -> Result<(), Failure> {
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
        for hearer in hearers.into_iter().filter(|hearer| *hearer != by) {
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

    /// Watchers hear of every event of a board, and players who asked for it of every end.
    fn tell_onlookers(&mut self, transcript: &mut Transcript) -> Result<(), Failure> {
        let mut latest: Vec<&News> = Vec::new();
        for Notice { news, .. } in &transcript.notices {
            latest.retain(|other| other.view.board != news.view.board);
            latest.push(news);
        }
        let mut mailings = Vec::new();
        for news in latest {
            let id = BoardId(news.view.board);
            // Most boards run and nobody watches them: that costs a plain move one look.
            let glances = transcript.glances.at(self.store, id.0, self.at)?;
            if news.view.result.is_none() && !glances.iter().any(|glance| glance.watched) {
                continue;
            }
            let Some(row) = self.store.board(id)? else { continue };
            for address in self.store.tell_watchers(id, row.events)? {
                let onlooker = Onlooker::Watches { address: address.clone() };
                mailings.push(self.onlooker(To::Address(address), news, onlooker)?);
            }
            if row.state == State::Running {
                continue;
            }
            self.store.end_watching(id)?;
            if row.state == State::Finished {
                for player in self.store.told_of_ends(&row.game)? {
                    if !row.players.contains(&player) {
                        let userid = self.store.player_by_id(player)?.userid.to_string();
                        let onlooker = Onlooker::HearsOfEnds { userid };
                        mailings.push(self.onlooker(To::Player(player), news, onlooker)?);
                    }
                }
            }
        }
        transcript.mailings.extend(mailings);
        Ok(())
    }

    /// The same news without what is for the players alone.
    fn onlooker(&self, to: To, news: &News, onlooker: Onlooker) -> Result<Mailing, Failure> {
        let mut news = news.clone();
        news.notes.clear();
        news.view.queue.clear();
        news.view.draft = None;
        let thread = self.thread(Some(BoardId(news.view.board)))?;
        Ok(Mailing { to, thread, parcel: Parcel::News(Box::new(news), onlooker) })
    }

    /// Vacations stand below every board, addresses of those who are open below the boards of their opponents.
    fn complete_views(&self, transcript: &mut Transcript) -> Result<(), Failure> {
        let glances = &mut transcript.glances;
        let mut complete = |view: &mut BoardView, reader: Option<usize>| -> Result<(), Failure> {
            if view.board == 0 || view.past {
                return Ok(());
            }
            for (seat, glance) in glances.at(self.store, view.board, self.at)?.iter().enumerate() {
                if glance.away {
                    view.about_players.extend(self.away(&glance.userid)?);
                }
                if glance.open
                    && reader.is_some_and(|reader| reader != seat)
                    && let Some(address) = self.store.open_address(&glance.userid)?
                {
                    view.about_players.push(format!("{} can be written to at {address}.", glance.userid));
                }
            }
            Ok(())
        };
        for notice in &mut transcript.notices {
            complete(&mut notice.news.view, Some(notice.seat))?;
        }
        for mailing in &mut transcript.mailings {
            if let Parcel::News(news, _) = &mut mailing.parcel {
                complete(&mut news.view, None)?;
            }
        }
        for answered in &mut transcript.answers {
            match &mut answered.answer {
                Answer::Done(Event::Board(news, reader)) => complete(&mut news.view, *reader)?,
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
        glances: &Glances,
        notice: &Notice,
        said: Option<&Said>,
    ) -> Result<bool, Failure> {
        let view = &notice.news.view;
        if view.turn != Some(notice.seat) || !glances.wants_digest(self.store, notice.to)? {
            return Ok(false);
        }
        if said.is_none() && self.store.is_told(notice.to)? {
            self.store.hold(notice.to, BoardId(view.board), self.at)?;
            return Ok(true);
        }
        self.store.set_told(notice.to, true)?;
        Ok(false)
    }

    /// Whoever writes gets the next of the mails that wait for them, as the board stands now.
    pub(super) fn next_of_digest(&mut self, desk: &Desk<'_>, transcript: &Transcript) -> Result<(), Failure> {
        let Some(player) = transcript.player else { return Ok(()) };
        if !transcript.glances.wants_digest(self.store, player)? {
            return Ok(());
        }
        self.store.set_told(player, false)?;
        while let Some(id) = self.store.take_held(player)? {
            let Some(board) = Board::load(self.store, id)? else { continue };
            let Some(seat) = board.row.to_move.filter(|seat| *seat.of(&board.row.players) == player) else {
                continue;
            };
            let news = News::new("waits", seat, board_view(self.store, &board)?);
            let notice = Notice { to: player, seat: seat.index(), news };
            let reply = reply::notice(self.house, &desk.zone(player)?, &notice)?;
            self.mail_player(player, &reply, outgoing::AutoSubmitted::Generated)?;
            return self.store.set_told(player, true).map_err(Failure::from);
        }
        Ok(())
    }

    pub(super) fn send(&mut self, desk: &Desk<'_>, mailing: &Mailing) -> Result<(), Failure> {
        let mark = outgoing::AutoSubmitted::Generated;
        let zone = match &mailing.to {
            To::Player(player) => desk.zone(*player)?,
            To::Address(_) => jiff::tz::TimeZone::UTC,
        };
        let Some(reply) = reply::note::mailing(self.house, &zone, mailing)? else {
            return self.send_again(desk, mailing);
        };
        match &mailing.to {
            To::Player(player) => self.mail_player(*player, &reply, mark)?,
            To::Address(address) => self.put(None, address, &reply, mark)?,
        }
        Ok(())
    }

    fn send_again(&mut self, desk: &Desk<'_>, mailing: &Mailing) -> Result<(), Failure> {
        let (To::Address(recipient), Parcel::Again(last)) = (&mailing.to, &mailing.parcel) else {
            return Ok(());
        };
        let new = NewMail {
            letter: self.id,
            board: last.board,
            player: desk.player()?,
            recipient,
            message_id: &last.message_id,
            mail: &last.mail,
        };
        self.store.add_mail(&new, self.at)?;
        self.mails += 1;
        Ok(())
    }
}
