//! `subscribe`, `unsubscribe`, `notify`.

use super::confirm::ASK_PAUSE;
use super::context::Context;
use super::note::{Mailing, Note, Onlooker, Parcel, Text, To};
use super::objection::Objection;
use super::transcript::Event;
use super::view::{BoardUpdate, board_view, names, result_sentence};
use super::{CommandError, Refusal, STRANGER_PAUSE};
use crate::command::Password;
use crate::command::watch::Watch;
use crate::ids::{BoardId, Seat};
use crate::mail::{AnswerBy, Proof};
use crate::store::{CodeHash, GameSettings, State};
use turnpost_games::GameKind;

/// A code is good for so many seconds.
const CODE_SECONDS: i64 = 7 * 24 * 60 * 60;

impl Context<'_> {
    pub(super) fn watch(&mut self, watch: Watch) -> Result<Event, CommandError> {
        match watch {
            Watch::Subscribe { game, board, address, code: Some(code) } => {
                self.begin_watching(game, board, address, &code)
            }
            Watch::Subscribe { game, board, address, code: None } => self.ask_watcher(game, board, address),
            Watch::Unsubscribe { game, board, address } => self.unsubscribe(game, board, address),
            Watch::Notify(game, login, on) => {
                let account = self.prove(&login)?;
                let settings = self.store.game_settings(account.id, game.key)?;
                let settings = GameSettings { tells_ends: on, ..settings };
                self.store.set_game_settings(account.id, game.key, &settings)?;
                Ok(Event::Note(Note::Notify { game: game.name, on }, None))
            }
        }
    }

    /// Asks the address itself: whoever asks for it proves nothing.
    fn ask_watcher(
        &mut self,
        game: &'static GameKind,
        number: BoardId,
        address: String,
    ) -> Result<Event, CommandError> {
        let players = self.watched(game, number)?;
        if self.store.watches(number, &address)? {
            return Err(Objection::WatchesAlready { board: number }.into());
        }
        if !self.store.may_ask(&address, self.at, ASK_PAUSE)? || !self.stranger_may_cause_a_mail()? {
            return Err(Objection::AskedToday.into());
        }
        let code = self.code();
        self.store.ask_watcher(number, &address, CodeHash::of(&code), self.at)?;
        let text = Text::Code { game: game.key, board: number.0, players, address: address.clone(), code };
        let to = To::Address(address.clone());
        self.mail(Mailing { to, thread: None, parcel: Parcel::Text(text) });
        Ok(Event::Note(Note::Asked { address }, None))
    }

    /// A stranger is written to once a day. The question is then that mail, whomever it goes to.
    fn stranger_may_cause_a_mail(&self) -> Result<bool, CommandError> {
        if self.letter.answer == AnswerBy::Terminal || self.player()?.is_some() {
            return Ok(true);
        }
        match &self.letter.return_path {
            Some(path) => Ok(self.store.may_answer_stranger(path, self.at, STRANGER_PAUSE)?),
            None => Ok(false),
        }
    }

    fn begin_watching(
        &mut self,
        game: &'static GameKind,
        number: BoardId,
        address: String,
        code: &Password,
    ) -> Result<Event, CommandError> {
        self.watched(game, number)?;
        let board = self.board(game, number)?;
        let code = CodeHash::of(&code.0);
        let events = board.row.events;
        if !self.store.confirm_watcher(number, &address, code, events, self.at, CODE_SECONDS)? {
            return Err(Objection::BadCode.into());
        }
        let update = BoardUpdate::new("watched", Seat::First, board_view(self.store, &board)?);
        let parcel = Parcel::BoardUpdate(Box::new(update), Onlooker::Watches { address: address.clone() });
        let thread = self.thread(Some(number))?;
        self.mail(Mailing { to: To::Address(address.clone()), thread, parcel });
        Ok(Event::Note(Note::Watches { address, board: number.0 }, None))
    }

    /// Who plays on a board that can be watched: it has to run.
    fn watched(&self, game: &'static GameKind, number: BoardId) -> Result<[String; 2], CommandError> {
        let board = self.board(game, number)?;
        let names = names(self.store, &board.row.players)?;
        if board.row.state != State::Running {
            let result = result_sentence(&board.row, &names, board.kind.seats).unwrap_or_default();
            return Err(Refusal::Over { board: number, result }.into());
        }
        Ok(names)
    }

    /// From mail the sender's claim is enough: a forger can only stop mails, and the address hears of it.
    fn unsubscribe(
        &mut self,
        game: &'static GameKind,
        number: BoardId,
        address: String,
    ) -> Result<Event, CommandError> {
        let board = self.board(game, number)?;
        let sender = self.letter.sender.as_deref().unwrap_or_default();
        let is_theirs = sender.to_lowercase() == address.to_lowercase();
        if !is_theirs && !matches!(self.letter.proof, Proof::Operator(_)) {
            return Err(Objection::WriteFromThere.into());
        }
        if !self.store.watches(number, &address)? {
            return Err(Objection::WatchesNot { board: number }.into());
        }
        self.store.remove_watcher(number, &address)?;
        let players = names(self.store, &board.row.players)?;
        let parcel = Parcel::Text(Text::Unwatched { board: number.0, players });
        let thread = self.thread(Some(number))?;
        self.mail(Mailing { to: To::Address(address.clone()), thread, parcel });
        Ok(Event::Note(Note::Unwatched { address, board: number.0 }, None))
    }
}
