//! Contests by the clock: they begin, their boards are made, late players are withdrawn, and they end.
//!
//! Each step is a transaction of its own and leaves the contest due for the next, so that a tick that breaks off is
//! continued by another.

use jiff::{SignedDuration, Timestamp};
use sha2::{Digest, Sha256};
use turnpost_games::registry;

use crate::board::{self, Board, clocks};
use crate::commands::event::{EVENT_SIZES, EVENT_WAITS};
use crate::commands::set_up::set_up_by;
use crate::contest::record::{Contest, ContestPair};
use crate::contest::standing;
use crate::failure::Error;
use crate::ids::Seat;
use crate::notices::Outbox;
use crate::notices::board_update::{BoardEvent, BoardNews, BoardUpdate};
use crate::notices::contest_news::{self, Ladders};
use crate::notices::view::board_view;
use crate::play::context::zone_of;
use crate::play::ended;
use crate::store::{
    BoardState, ContestBoardRow, ContestEventKind, ContestForm, ContestId, ContestNewsKind, ContestState,
    Ending, EventKind, EventRow, OfContest, PlayerId, Store, StoreError,
};
use crate::timer::tick::{BATCH, Timer};

/// Who has made no move by then is withdrawn.
const FIRST_MOVE: SignedDuration = SignedDuration::from_hours(21 * 24);

/// Losses on time in a contest after which a player is withdrawn from it.
const LATE_AT_MOST: usize = 2;

/// A player gets one mail of contests in this time.
const BETWEEN_MAILS: SignedDuration = SignedDuration::from_hours(20);

/// What a step left to do.
pub(crate) enum NextStep {
    /// The next step, now.
    Again,
    /// Nothing before then, or before something happens.
    Until(Option<Timestamp>),
}

impl<O: Outbox> Timer<'_, O> {
    /// Does what is due in contests, and tells players what they have not been told today.
    pub(crate) fn contests(&mut self, store: &mut Store) -> Result<(), Error> {
        for id in store.due_contests(self.now)? {
            while self.in_one(store, |timer, store| timer.step(store, id))? {
                store.yield_write_lock();
            }
        }
        let since = self.now.checked_sub(BETWEEN_MAILS).unwrap_or(self.now);
        let mut ladders = Ladders::new();
        for batch in store.players_with_contest_news(since)?.chunks(BATCH) {
            self.in_one(store, |timer, store| {
                batch.iter().try_for_each(|player| timer.tell_of_contests(store, &mut ladders, *player))
            })?;
        }
        Ok(())
    }

    /// Works in one transaction, and counts what it did after the commit.
    fn in_one<T>(
        &mut self,
        store: &mut Store,
        work: impl FnOnce(&mut Self, &Store) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let before = self.ticked.clone();
        let done = store.write(|store| work(self, store));
        done.inspect_err(|_| self.ticked = before)
    }

    /// Takes one step in a contest; true when another follows at once.
    fn step(&mut self, store: &Store, id: ContestId) -> Result<bool, Error> {
        let Some(row) = store.contest(id)? else { return Ok(false) };
        let mut contest = Contest::load(store, &row)?;
        let step = match contest.row.state {
            ContestState::Open if contest.row.form == ContestForm::League => {
                self.follow_league(store, &mut contest)?
            }
            ContestState::Open if contest.row.form == ContestForm::Ladder => {
                self.follow_ladder(store, contest)?
            }
            ContestState::Open => self.begin_or_call_off(store, &mut contest)?,
            ContestState::Running if contest.opened < contest.groups.len() => {
                self.open_group(store, &mut contest)?
            }
            ContestState::Running => self.follow(store, &mut contest)?,
            ContestState::Closed => NextStep::Until(None),
        };
        if let NextStep::Until(due) = step {
            store.set_contest_due(id, due)?;
        }
        Ok(matches!(step, NextStep::Again))
    }

    /// Begins an event that is full or whose day has come. One with too few players, or that nobody began, is off.
    fn begin_or_call_off(&mut self, store: &Store, contest: &mut Contest) -> Result<NextStep, Error> {
        let is_full = contest.row.entrants >= contest.terms.size;
        let has_come = contest.terms.starts_at().is_some_and(|at| at <= self.now);
        let given_up = contest.made_at + EVENT_WAITS;
        if !is_full && !has_come && self.now < given_up {
            return Ok(NextStep::Until(Some(contest.terms.starts_at().unwrap_or(given_up))));
        }
        let players = contest.who_can_play(store)?;
        if players.len() < *EVENT_SIZES.start() as usize || !(is_full || has_come) {
            contest.note(store, ContestEventKind::Closed, None, "called off", self.now)?;
            for player in contest.joined.clone() {
                store.add_contest_news(player, contest.row.id, ContestNewsKind::Off, self.now)?;
            }
            return Ok(NextStep::Until(None));
        }
        contest.start(store, &[players], self.now)?;
        Ok(NextStep::Again)
    }

    /// Makes all boards of the next group, so that each is made once.
    fn open_group(&mut self, store: &Store, contest: &mut Contest) -> Result<NextStep, Error> {
        let number = contest.opened;
        let pairs: Vec<ContestPair> = contest.pairs().filter(|pair| pair.group == number).collect();
        let mut without = Vec::new();
        for pair in &pairs {
            let Some(players) = contest.players_of(pair) else { continue };
            match store.is_block_between(players[0], players[1])? {
                true => without.push(pair.number.to_string()),
                false => {
                    let of = OfContest {
                        contest: contest.row.id,
                        pair: pair.number,
                        name: contest.row.name.clone(),
                    };
                    self.make_board(store, contest, of, players)?;
                }
            }
        }
        contest.note(store, ContestEventKind::Opened, None, without.join(" "), self.now)?;
        self.news(store, contest, Some(number), ContestNewsKind::Started)?;
        Ok(NextStep::Again)
    }

    pub(crate) fn make_board(
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
        let terms =
            board::Terms { players: players.map(|player| player.0), contest: Some(of), lots: false, ..terms };
        let (mut board, _) = board::start(store, &terms, self.now, None, Some(&zones))?;
        for pass in board.play_passes(self.now, &zones) {
            store.add_event(board.row.id, &pass)?;
            store.update_board(&board.row)?;
        }
        Ok(())
    }

    /// Withdraws late players, and notes what is decided and over.
    fn follow(&mut self, store: &Store, contest: &mut Contest) -> Result<NextStep, Error> {
        let boards = store.contest_boards(contest.row.id)?;
        if self.end_for_withdrawn(store, contest, &boards)? {
            return Ok(NextStep::Again);
        }
        if self.withdraw_late(store, contest, &boards)? {
            return Ok(NextStep::Again);
        }
        let is_over = boards.iter().all(|board| board.state != BoardState::Running);
        let groups = standing::groups(contest, &boards);
        for (number, group) in
            groups.iter().enumerate().filter(|(number, _)| !contest.decided.contains(number))
        {
            if group.is_decided() {
                contest.note(store, ContestEventKind::Decided, None, number.to_string(), self.now)?;
                if !is_over {
                    self.news(store, contest, Some(number), ContestNewsKind::Decided)?;
                }
                return Ok(NextStep::Again);
            }
        }
        if is_over {
            contest.note(store, ContestEventKind::Closed, None, "played", self.now)?;
            self.news(store, contest, None, ContestNewsKind::Closed)?;
            return Ok(NextStep::Until(None));
        }
        // A board that ends, and a player who withdraws, make the contest due at once.
        let first_moves = contest.opened_at.map(|at| at + FIRST_MOVE).filter(|at| *at > self.now);
        Ok(NextStep::Until(first_moves))
    }

    /// Ends the running boards of players who withdrew: they resign. True when there was one.
    fn end_for_withdrawn(
        &mut self,
        store: &Store,
        contest: &Contest,
        boards: &[ContestBoardRow],
    ) -> Result<bool, Error> {
        let mut any = false;
        for row in boards.iter().filter(|board| board.state == BoardState::Running).take(BATCH) {
            let left = Seat::BOTH.into_iter().find(|seat| contest.withdrawn.contains(seat.of(&row.players)));
            let Some((seat, mut board)) = left.zip(Board::load(store, row.board)?) else { continue };
            let event = EventRow { seat: Some(seat), ..board.next_event(EventKind::Resignation, self.now) };
            clocks::keep(store, &mut board, event)?;
            let changes = ended(store, Some(self.limits), &board.row, self.now)?;
            let mut view = board_view(store, &board)?;
            view.show_ratings(&changes);
            let update = BoardUpdate::new(BoardEvent::Resigned, seat, view);
            let occasion = format!("withdrawn {} {}", board.row.id, board.row.events);
            let others = BoardNews::new(update, board.row.players, &[seat.other()]);
            self.tell(store, &occasion, others)?;
            any = true;
        }
        Ok(any)
    }

    /// Withdraws who lost a second game on time, or never moved. True when there was somebody.
    fn withdraw_late(
        &mut self,
        store: &Store,
        contest: &mut Contest,
        boards: &[ContestBoardRow],
    ) -> Result<bool, Error> {
        let is_time = contest.opened_at.is_some_and(|at| self.now.duration_since(at) >= FIRST_MOVE);
        let moved = if is_time { store.players_who_moved(contest.row.id)? } else { Vec::new() };
        for player in contest.competitors().collect::<Vec<_>>() {
            if contest.withdrawn.contains(&player) {
                continue;
            }
            let lost = boards.iter().filter(|board| lost_on_time(board, player)).count();
            let waited_for = |board: &&ContestBoardRow| {
                board.state == BoardState::Running
                    && board.to_move.is_some_and(|seat| *seat.of(&board.players) == player)
            };
            let never = is_time && !moved.contains(&player) && boards.iter().any(|board| waited_for(&board));
            if lost >= LATE_AT_MOST || (never && !store.is_away(player, self.now)?) {
                let why = if lost >= LATE_AT_MOST { "late" } else { "no move" };
                contest.withdraw(store, player, why, self.now)?;
                store.add_contest_news(player, contest.row.id, ContestNewsKind::Withdrawn, self.now)?;
                return Ok(true);
            }
            if lost == 1 && !contest.warned.contains(&player) {
                contest.note(store, ContestEventKind::Warned, Some(player), "", self.now)?;
                store.add_contest_news(player, contest.row.id, ContestNewsKind::Late, self.now)?;
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Has the players of a group, or of all, hear of something.
    fn news(
        &mut self,
        store: &Store,
        contest: &Contest,
        group: Option<usize>,
        kind: ContestNewsKind,
    ) -> Result<(), Error> {
        let groups = contest.groups.iter().enumerate();
        for (_, group) in groups.filter(|(number, _)| group.is_none_or(|group| group == *number)) {
            for competitor in group {
                store.add_contest_news(competitor.player, contest.row.id, kind, self.now)?;
            }
        }
        Ok(())
    }

    /// One mail with all that a player is to be told of contests.
    fn tell_of_contests(
        &mut self,
        store: &Store,
        ladders: &mut Ladders,
        player: PlayerId,
    ) -> Result<(), Error> {
        let news = store.take_contest_news(player, self.now)?;
        let Some(last) = news.last() else { return Ok(()) };
        let name = format!("contests {} {}", player.0, last.id);
        let with = (ladders, self.outbox.pages(), self.now);
        self.once(store, &name, |store| {
            Ok(contest_news::mail(store, player, &news, with)?.into_iter().collect())
        })
    }
}

fn lost_on_time(board: &ContestBoardRow, player: PlayerId) -> bool {
    board.ending == Some(Ending::TimedOut)
        && board.winner.is_some_and(|winner| *winner.other().of(&board.players) == player)
}

/// A seed that nobody can foresee who has not both players' secrets, and that is the same however often it is asked for.
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
