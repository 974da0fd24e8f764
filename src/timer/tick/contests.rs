//! Runs contests by the clock: starts them, makes their boards, withdraws late players, ends them.
//!
//! Each step is one transaction and leaves the contest due for the next step. If a tick is interrupted, the next one
//! continues.

use jiff::SignedDuration;
use sha2::{Digest, Sha256};
use turnpost_games::registry;

use crate::board;
use crate::board::interval::Interval;
use crate::board::{Board, clocks};
use crate::commands::set_up::set_up_by;
use crate::contest::correction;
use crate::contest::events::Ruling;
use crate::contest::forms::{
    BATCH, Due, NewSeason, NextStep, Notes, OpenedGames, Opening, ToldPlayer, Withdrawal,
};
use crate::contest::groups::LARGEST;
use crate::contest::record::Contest;
use crate::failure::Error;
use crate::ids::{BoardId, Seat};
use crate::notices::Outbox;
use crate::notices::board_update::{BoardEvent, BoardNews, BoardUpdate};
use crate::notices::contest_news;
use crate::notices::told_contests::ToldContests;
use crate::notices::view::board_view;
use crate::play::context::zone_of;
use crate::play::ended;
use crate::store::{
    ContestId, ContestNewsKind, ContestState, EventKind, EventRow, OfContest, PlayerId, Store, StoreError,
};
use crate::timer::tick::Timer;

/// Maximum steps of a contest in one tick: enough to start a season of 10,000 players. The next tick does the rest.
const STEPS: usize = 2_000;

/// Contest mails per transaction. They are slow to write because of their tables, and letters wait for the transaction.
pub(crate) const MAILS: usize = 10;

/// Minimum time between two contest mails to a player.
const BETWEEN_MAILS: SignedDuration = SignedDuration::from_hours(20);

impl<O: Outbox> Timer<'_, O> {
    /// Does what is due in all contests. Mails contest news to players who got none within `BETWEEN_MAILS`.
    pub(crate) fn contests(&mut self, store: &mut Store) -> Result<(), Error> {
        for id in store.due_contests(self.now)? {
            match self.steps(store, id) {
                // One damaged contest must not stop the others.
                Err(why) if why.is_damage() => {
                    self.ticked.damaged.push(format!("contest {}: {why}", id.0));
                }
                done => done?,
            }
        }
        let since = self.now.checked_sub(BETWEEN_MAILS).unwrap_or(self.now);
        let mut told = ToldContests::default();
        for batch in store.players_with_contest_news(since)?.chunks(MAILS) {
            batch.iter().try_for_each(|player| told.read_ahead(store, *player))?;
            let tell = |timer: &mut Self, store: &Store, told: &mut ToldContests| {
                batch.iter().try_for_each(|player| timer.tell_of_contests(store, *player, told))
            };
            match self.in_one(store, |timer, store| tell(timer, store, &mut told)) {
                Err(why) if why.is_damage() => {
                    self.ticked.damaged.push(format!("mails of contests: {why}"));
                }
                done => done?,
            }
            store.yield_write_lock();
        }
        Ok(())
    }

    /// Does what is due in one contest.
    fn steps(&mut self, store: &mut Store, id: ContestId) -> Result<(), Error> {
        let mut looked = None;
        for _ in 0..STEPS {
            if !self.step(store, id, &mut looked)? {
                break;
            }
            store.yield_write_lock();
        }
        let over = looked.filter(|contest| contest.row.state == ContestState::Closed);
        match over.map(|season| season.league(store)).transpose()?.flatten() {
            // The mails about a season that is over name the date of the next one.
            Some(league) => self.steps(store, league.id),
            None => Ok(()),
        }
    }

    /// Runs `work` in one transaction. If it fails, restores the counters.
    pub(crate) fn in_one<T>(
        &mut self,
        store: &mut Store,
        work: impl FnOnce(&mut Self, &Store) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let before = self.ticked.clone();
        let done = store.write(|store| work(self, store));
        done.inspect_err(|_| self.ticked = before)
    }

    /// Takes one step in a contest; true if another step might be due now. Long reads come before the transaction,
    /// because letters wait for it. If the contest changes after these reads, the step is dropped.
    fn step(
        &mut self,
        store: &mut Store,
        id: ContestId,
        looked: &mut Option<Contest>,
    ) -> Result<bool, Error> {
        let stamp = store.contest_stamp(id)?;
        let Some(row) = store.contest(id)? else { return Ok(false) };
        let known = looked.take().filter(|contest| contest.row == row);
        let mut contest = known.map_or_else(|| Contest::load(store, &row), Ok)?;
        let stops = self.calendar.stops.iter();
        let stops: Vec<_> = stops.map(|stop| Interval(stop.from.as_second(), stop.to.as_second())).collect();
        let due = Due { now: self.now, leagues: self.leagues, stops: &stops };
        let next = match contest.row.state {
            ContestState::Closed if store.is_of_one(id)? => NextStep::Forget,
            ContestState::Closed => correction::next(store, &contest)?,
            _ => (contest.kind().next)(store, &contest, &due)?,
        };
        let seen = SeenContest { contest: id, stamp };
        let next = match next {
            NextStep::Found(season) => return self.found(store, seen, &season).map(|()| true),
            NextStep::Note(notes) => match self.tell_most(store, seen, notes)? {
                Some(notes) => NextStep::Note(notes),
                None => return Ok(true),
            },
            next => next,
        };
        let again = self.in_one_of(store, seen, |timer, store| timer.carry_out(store, &mut contest, next))?;
        // If the contest has changed, the next step reads it again.
        *looked = again.is_some().then_some(contest);
        Ok(again.unwrap_or(true))
    }

    /// Runs `work` in one transaction; `None` if the contest has changed since it was seen.
    fn in_one_of<T>(
        &mut self,
        store: &mut Store,
        seen: SeenContest,
        work: impl FnOnce(&mut Self, &Store) -> Result<T, Error>,
    ) -> Result<Option<T>, Error> {
        self.in_one(store, |timer, store| match store.contest_stamp(seen.contest)? == seen.stamp {
            true => work(timer, store).map(Some),
            false => Ok(None),
        })
    }

    /// Queues the news for all players but the last [`BATCH`], which remain in the notes. The news waits until what it
    /// says is noted. So an interrupted timer tells no player too early, and the next one tells none twice. `None` if the
    /// contest has changed.
    fn tell_most(
        &mut self,
        store: &mut Store,
        seen: SeenContest,
        notes: Notes,
    ) -> Result<Option<Notes>, Error> {
        let Notes { events, mut told } = notes;
        while told.len() > BATCH {
            let now = self.now;
            let batch = told.split_off(told.len() - BATCH);
            let queued = self.in_one_of(store, seen, |_, store| {
                let tell =
                    |ToldPlayer { player, news }| store.add_contest_news(player, seen.contest, news, now);
                Ok(batch.into_iter().try_for_each(tell)?)
            })?;
            if queued.is_none() {
                return Ok(None);
            }
            store.yield_write_lock();
        }
        Ok(Some(Notes { events, told }))
    }

    /// Makes a season, seats its players some groups at a time, and begins it. Gives up if another timer does this.
    fn found(&mut self, store: &mut Store, seen: SeenContest, new: &NewSeason) -> Result<(), Error> {
        let made = self.in_one_of(store, seen, |timer, store| {
            if store.contest_named(&new.terms.name)? != new.unfinished {
                return Ok(None);
            }
            if let Some(unfinished) = &new.unfinished {
                store.forget_contest(unfinished.id)?;
            }
            Contest::make(store, &new.terms, None, timer.now).map(Some)
        })?;
        let Some(mut season) = made.flatten() else { return Ok(()) };
        for batch in new.groups.chunks(BATCH / LARGEST) {
            store.yield_write_lock();
            let is_ours = self.in_one(store, |timer, store| {
                if store.contest(season.row.id)?.as_ref() != Some(&season.row) {
                    return Ok(false);
                }
                batch.iter().try_for_each(|group| season.seat(store, group, timer.now))?;
                if season.groups.len() == new.groups.len() {
                    season.starts(store, timer.now)?;
                }
                Ok(true)
            })?;
            if !is_ours {
                break;
            }
        }
        Ok(())
    }

    /// Carries out the step `next`; false if nothing more is due now.
    fn carry_out(&mut self, store: &Store, contest: &mut Contest, next: NextStep) -> Result<bool, Error> {
        let id = contest.row.id;
        match next {
            NextStep::Wait(due) => {
                store.set_contest_due(id, due)?;
                if contest.row.state == ContestState::Closed
                    && let Some(league) = contest.league(store)?
                {
                    store.set_contest_due(league.id, Some(self.now))?;
                }
                return Ok(false);
            }
            NextStep::Forget => {
                if !store.forget_contest(id)? {
                    store.set_contest_due(id, Some(self.now + BETWEEN_MAILS))?;
                }
                return Ok(false);
            }
            NextStep::CatchUp => *contest = Contest::up_to_now(store, &contest.row, self.now)?,
            NextStep::Note(notes) => contest.note_all(store, notes, self.now)?,
            NextStep::Start(groups) => contest.start(store, &groups, self.now)?,
            // A step of many transactions, which `step` takes.
            NextStep::Found(_) => {}
            NextStep::Open(openings) => {
                openings.into_iter().try_for_each(|opening| self.open(store, contest, opening))?;
            }
            NextStep::Withdraw(players) => {
                for Withdrawal { player, news } in players {
                    contest.withdraw(store, player, news.as_str(), self.now)?;
                    store.add_contest_news(player, id, news, self.now)?;
                }
            }
            NextStep::EndBoards(boards) => self.end_boards(store, contest, &boards)?,
        }
        Ok(true)
    }

    /// Makes the boards of games that begin.
    fn open(&self, store: &Store, contest: &mut Contest, opening: Opening) -> Result<(), Error> {
        let Opening { games, told } = opening;
        match &games {
            OpenedGames::Asked(pair) => {
                self.make_board(store, contest, contest.game(contest.next_pair), pair.players)?;
            }
            OpenedGames::OfGroup(opened) => {
                let players = contest.players_of(opened.group, &opened.pairs);
                let players = players.map_err(|why| StoreError::Damaged(why.to_owned()))?;
                for (number, players) in (contest.next_pair..).zip(players) {
                    self.make_board(store, contest, contest.game(number), players)?;
                }
            }
        }
        contest.open(store, &games, self.now)?;
        contest.note_all(store, Notes { told, ..Notes::default() }, self.now)
    }

    fn make_board(
        &self,
        store: &Store,
        contest: &Contest,
        of: OfContest,
        players: [PlayerId; 2],
    ) -> Result<(), Error> {
        let Some(game) = registry::find(&contest.row.game) else {
            return Err(StoreError::Damaged(format!("no game {:?} here", contest.row.game)).into());
        };
        let seed = seed(store, &of, &players)?;
        let terms = set_up_by(|| seed, game, &contest.terms.options)
            .map_err(|why| StoreError::Damaged(format!("contest {}: {why}", contest.row.name)))?;
        let zones = [zone_of(store, players[0])?, zone_of(store, players[1])?];
        let terms = board::Terms { lots: false, ..terms.in_contest(of) };
        let terms = terms.between(game, players).map_err(|why| StoreError::Damaged(why.to_string()))?;
        let (mut board, start) = board::start(store, &terms, self.now, None, Some(&zones))?;
        let mut events = board.play_passes(self.now, &zones);
        if game.dice {
            events.extend(board.begin_dice(store, &[start], (self.operator, self.now))?);
        }
        for event in events {
            store.add_event(board.row.id, &event)?;
            store.update_board(&board.row)?;
        }
        clocks::settle_now(store, &mut board, self.now)
    }

    /// Resigns these boards for the players who withdrew. Mails the opponents.
    fn end_boards(&mut self, store: &Store, contest: &Contest, boards: &[BoardId]) -> Result<(), Error> {
        for id in boards {
            let Some(mut board) = Board::load(store, *id)?.filter(|board| board.row.to_move.is_some()) else {
                continue;
            };
            let left =
                Seat::BOTH.into_iter().find(|seat| contest.withdrawn.contains(seat.of(&board.row.players)));
            let Some(seat) = left else { continue };
            let event = EventRow { seat: Some(seat), ..board.next_event(EventKind::Resignation, self.now) };
            clocks::keep(store, &mut board, event)?;
            let changes = ended(store, Some(self.limits), &mut board, self.now)?;
            let mut view = board_view(store, &board)?;
            view.show_ratings(&changes);
            let update = BoardUpdate::new(BoardEvent::Resigned, seat, view);
            let occasion = format!("withdrawn {} {}", board.row.id, board.row.events);
            let others = BoardNews::new(update, board.row.players, &[seat.other()]);
            self.tell(store, &occasion, others)?;
        }
        Ok(())
    }

    /// Mails a player all pending contest news in one mail.
    fn tell_of_contests(
        &mut self,
        store: &Store,
        player: PlayerId,
        told: &mut ToldContests,
    ) -> Result<(), Error> {
        let mut news = Vec::new();
        for row in store.contest_news(player)? {
            news.extend(told.is_noted(store, &row)?.then_some(row));
        }
        let Some(last) = news.last() else { return Ok(()) };
        store.contest_news_are_told(player, &news, self.now)?;
        for late in news.iter().filter(|news| news.kind == ContestNewsKind::Late) {
            // The second chance begins with this letter.
            if let Some(row) = store.contest(late.contest)?.filter(|row| row.state == ContestState::Running) {
                Contest::load(store, &row)?.rule(store, Some(player), &Ruling::Warned, self.now)?;
            }
        }
        let name = format!("contests {} {}", player.0, last.id);
        let with = (told, self.outbox.pages(), self.now);
        self.once(store, &name, |store| {
            Ok(contest_news::mail(store, player, &news, with)?.into_iter().collect())
        })
    }
}

/// A contest, and its stamp when the timer read it.
#[derive(Clone, Copy)]
struct SeenContest {
    contest: ContestId,
    stamp: Option<(u32, Option<i64>)>,
}

/// The random seed of a board. A board always gets the same seed. Predicting it needs the secrets of both players.
fn seed(store: &Store, of: &OfContest, players: &[PlayerId; 2]) -> Result<u64, StoreError> {
    let mut hash = Sha256::new();
    hash.update(format!("contest {} {}", of.contest.0, of.pair));
    for player in players {
        hash.update(store.secret(*player)?);
    }
    let digest: [u8; 32] = hash.finalize().into();
    let [a, b, c, d, e, f, g, h, ..] = digest;
    Ok(u64::from_be_bytes([a, b, c, d, e, f, g, h]) >> 1)
}
