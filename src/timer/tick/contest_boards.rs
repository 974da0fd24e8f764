//! What the boards of a running contest lead to: late players are warned and withdrawn, and it ends.

use std::collections::{HashMap, HashSet};

use jiff::{SignedDuration, Timestamp};

use crate::board::interval::{Interval, length, merged, within};
use crate::board::{Board, clocks};
use crate::contest::forms::{NextStep, Notes, Withdrawal};
use crate::contest::record::Contest;
use crate::failure::Error;
use crate::ids::{BoardId, Seat};
use crate::notices::Outbox;
use crate::notices::board_update::{BoardEvent, BoardNews, BoardUpdate};
use crate::notices::view::board_view;
use crate::play::ended;
use crate::store::{
    BoardState, ContestBoardRow, ContestEventKind, ContestNewsKind, Ending, EventKind, EventRow, PlayerId,
    Store,
};
use crate::timer::tick::{BATCH, Timer};

/// Players who have made no move by then are withdrawn.
const FIRST_MOVE: SignedDuration = SignedDuration::from_hours(21 * 24);

/// Losses on time in a contest after which a player is withdrawn from it.
const LATE_AT_MOST: usize = 2;

const WEEK: SignedDuration = SignedDuration::from_hours(7 * 24);
const DAY: SignedDuration = SignedDuration::from_hours(24);

#[derive(Default)]
struct Late {
    withdrawn: Vec<Withdrawal>,
    warned: Notes,
}

impl<O: Outbox> Timer<'_, O> {
    /// The next step on the boards of a running contest: ends for withdrawn players, warnings, withdrawals, or its own end.
    pub(crate) fn next_on_boards(&self, store: &Store, contest: &Contest) -> Result<NextStep, Error> {
        let boards = store.contest_boards(contest.row.id)?;
        let running = || boards.iter().filter(|board| board.state == BoardState::Running);
        let withdrawn: HashSet<PlayerId> = contest.withdrawn.iter().copied().collect();
        let left = running().filter(|board| board.players.iter().any(|player| withdrawn.contains(player)));
        let left: Vec<BoardId> = left.map(|board| board.board).take(BATCH).collect();
        if !left.is_empty() {
            return Ok(NextStep::EndBoards(left));
        }
        let late = self.late_players(store, contest, &boards, &withdrawn)?;
        if !late.withdrawn.is_empty() {
            return Ok(NextStep::Withdraw(late.withdrawn));
        }
        if !late.warned.is_empty() {
            return Ok(NextStep::Note(late.warned));
        }
        if running().next().is_none() {
            let closed = Notes::of(ContestEventKind::Closed, "played");
            return Ok(NextStep::Note(closed.tell(contest.competitors(), ContestNewsKind::Closed)));
        }
        // A board that ends, and a player who withdraws, make the contest due at once.
        // After the time for first moves it is looked at once a day: players were away then.
        let first_moves = contest.opened_at.map(|at| at + FIRST_MOVE).filter(|at| *at > self.now);
        Ok(NextStep::Wait(first_moves.or(self.now.checked_add(DAY).ok())))
    }

    /// Players who lost a second game on time or never moved, and players who lost a first game on time.
    fn late_players(
        &self,
        store: &Store,
        contest: &Contest,
        boards: &[ContestBoardRow],
        withdrawn: &HashSet<PlayerId>,
    ) -> Result<Late, Error> {
        let mut lost: HashMap<PlayerId, usize> = HashMap::new();
        for board in boards.iter().filter(|board| board.ending == Some(Ending::TimedOut)) {
            if let Some(winner) = board.winner {
                *lost.entry(*winner.other().of(&board.players)).or_default() += 1;
            }
        }
        let mut late = Late::default();
        if let Some(opened_at) = contest.opened_at.filter(|at| self.now.duration_since(*at) >= FIRST_MOVE) {
            let moved: HashSet<PlayerId> = store.players_who_moved(contest.row.id)?.into_iter().collect();
            // Less than a week with the move is no reason.
            let waits = |board: &&ContestBoardRow| self.now.duration_since(board.changed_at) >= WEEK;
            let mover = |board: &ContestBoardRow| board.to_move.map(|seat| *seat.of(&board.players));
            let waited_for: HashSet<PlayerId> = boards.iter().filter(waits).filter_map(mover).collect();
            for player in contest.competitors() {
                let is_silent = waited_for.contains(&player) && !moved.contains(&player);
                if is_silent
                    && !withdrawn.contains(&player)
                    && self.now.duration_since(opened_at) - self.stood_still(store, player, opened_at)?
                        >= FIRST_MOVE
                {
                    late.withdrawn.push(Withdrawal { player, why: "no move" });
                }
            }
        }
        for player in contest.competitors().filter(|player| !withdrawn.contains(player)) {
            match lost.get(&player).copied().unwrap_or_default() {
                0 => {}
                _ if late.withdrawn.iter().any(|silent| silent.player == player) => {}
                LATE_AT_MOST.. => late.withdrawn.push(Withdrawal { player, why: "late" }),
                _ if contest.warned.contains(&player) => {}
                _ => {
                    late.warned.add(ContestEventKind::Warned, player, "");
                    late.warned = late.warned.tell([player], ContestNewsKind::Late);
                }
            }
        }
        Ok(late)
    }

    /// How long a player's clocks have stood still since: by vacations, and while the server was down.
    fn stood_still(
        &self,
        store: &Store,
        player: PlayerId,
        since: Timestamp,
    ) -> Result<SignedDuration, Error> {
        let stops = self.calendar.stops.iter();
        let stops = stops.map(|stop| Interval(stop.from.as_second(), stop.to.as_second()));
        let away = store.vacations(player)?;
        let all = merged(stops.chain(away.iter().map(Interval::of)).collect());
        Ok(SignedDuration::from_secs(length(&within(&all, since.as_second(), self.now.as_second()))))
    }

    /// Ends boards of players who withdrew: they resign.
    pub(crate) fn end_boards(
        &mut self,
        store: &Store,
        contest: &Contest,
        boards: &[BoardId],
    ) -> Result<(), Error> {
        for id in boards {
            let Some(mut board) = Board::load(store, *id)?.filter(|board| board.row.to_move.is_some()) else {
                continue;
            };
            let left =
                Seat::BOTH.into_iter().find(|seat| contest.withdrawn.contains(seat.of(&board.row.players)));
            let Some(seat) = left else { continue };
            let event = EventRow { seat: Some(seat), ..board.next_event(EventKind::Resignation, self.now) };
            clocks::keep(store, &mut board, event)?;
            let changes = ended(store, Some(self.limits), &board.row, self.now)?;
            let mut view = board_view(store, &board)?;
            view.show_ratings(&changes);
            let update = BoardUpdate::new(BoardEvent::Resigned, seat, view);
            let occasion = format!("withdrawn {} {}", board.row.id, board.row.events);
            let others = BoardNews::new(update, board.row.players, &[seat.other()]);
            self.tell(store, &occasion, others)?;
        }
        Ok(())
    }
}
