//! Which events a board allows next, and what each of them changes on it.

use crate::board::dice::DiceNote;
use crate::board::interval::Stopped;
use crate::board::{BadRecord, Board, ended, hosts};
use crate::ids::{Ply, Seat};
use crate::store::{BoardState, Ending, EventKind, EventRow, PlayerId, ResultRow};

impl Board {
    /// Applies an event that neither plays nor takes back plies.
    pub fn apply(&mut self, event: &EventRow) -> Result<(), BadRecord> {
        self.must_follow(event)?;
        if matches!(event.kind, EventKind::Ply | EventKind::Undo | EventKind::Resumption) {
            return Err(BadRecord::new(event, "needs the record before it"));
        }
        self.note(event);
        Ok(())
    }

    /// Checks that an event is allowed next.
    pub(super) fn must_follow(&self, event: &EventRow) -> Result<(), BadRecord> {
        if event.number != self.row.events.saturating_add(1) {
            return Err(BadRecord::new(event, &format!("follows event {}", self.row.events)));
        }
        if self.row.state != BoardState::Running
            && !(self.row.state == BoardState::Finished && hosts::reopens(event))
            && !matches!(DiceNote::of(event), Some(DiceNote::Secret(_)))
        {
            return Err(BadRecord::new(event, "follows the end of the game"));
        }
        match event.kind {
            EventKind::Start => return Err(BadRecord::new(event, "a second start")),
            EventKind::TimedOut => {
                if event.seat != Some(self.table.turn()) {
                    return Err(BadRecord::new(event, "is about the seat that is not to move"));
                }
                // Events of earlier versions have no deadline; then the deadline of the event before counts.
                if event.deadline_at.or(self.row.deadline_at).is_some_and(|deadline| event.at < deadline) {
                    return Err(BadRecord::new(event, "came before the deadline"));
                }
            }
            EventKind::Deadline => {
                Stopped::read(&event.text).map_err(|why| BadRecord::new(event, &why.to_string()))?;
            }
            EventKind::Dice => {
                let is_whole =
                    DiceNote::of(event).is_some_and(|note| note.is_of_a_seat() == event.seat.is_some());
                if !self.kind.dice || !is_whole {
                    return Err(BadRecord::new(event, "is no note on the dice of the game"));
                }
            }
            EventKind::Swap if !self.row.may_swap => {
                return Err(BadRecord::new(event, "swaps where no swap is allowed"));
            }
            _ => {}
        }
        self.must_fit_host(event)
    }

    pub(super) fn play_event(&mut self, event: &EventRow) -> Result<(), BadRecord> {
        if event.ply != Some(self.row.plies.next()) {
            return Err(BadRecord::new(event, &format!("should be ply {}", self.row.plies.next())));
        }
        if event.seat != self.mover() {
            return Err(BadRecord::new(event, "was played by the seat that is not to move"));
        }
        let is_standard =
            self.table.replay(&event.text).map_err(|why| BadRecord::new(event, &why.to_string()))?;
        if !is_standard {
            return Err(BadRecord::new(event, "is not written as plies are written"));
        }
        self.row.plies = self.row.plies.next();
        self.row.to_move = Some(self.table.turn());
        Ok(())
    }

    /// Applies an event to the board row, except for its position. If the event is a ply, the table has already played
    /// it.
    pub(super) fn note(&mut self, event: &EventRow) {
        let row = &mut self.row;
        row.events = event.number;
        row.changed_at = event.at;
        row.deadline_at = event.deadline_at;
        if event.kind == EventKind::Dice {
            return;
        }
        // Any act of a player withdraws the open proposal.
        if event.kind != EventKind::Deadline {
            row.proposal = None;
        }
        match event.kind {
            EventKind::Ply => {
                row.plies = event.ply.unwrap_or(row.plies);
                // Only the answer to ply 1 can be a swap.
                row.may_swap = row.may_swap && row.plies == Ply(1);
                row.result = self.table.ended().map(|outcome| ResultRow {
                    ending: Ending::Normal,
                    winner: outcome.winner,
                    score: outcome.score,
                    how: outcome.how.map(str::to_owned),
                });
            }
            EventKind::Undo | EventKind::Resumption => {
                row.plies = event.ply.unwrap_or(row.plies);
                row.result = None;
                row.state = BoardState::Running;
            }
            EventKind::Ruling => row.result = Some(hosts::result(event)),
            EventKind::Reseat => hosts::seat(&mut row.players, event),
            EventKind::Swap => {
                row.players.reverse();
                row.may_swap = false;
                row.swapped = true;
            }
            EventKind::Proposal => row.proposal = event.text.parse().ok().zip(event.seat),
            EventKind::Resignation => row.result = Some(ended(Ending::Resigned, event.seat.map(Seat::other))),
            EventKind::TimedOut => row.result = Some(ended(Ending::TimedOut, event.seat.map(Seat::other))),
            EventKind::Agreement => row.result = Some(ended(Ending::Agreed, None)),
            EventKind::Decline => {
                row.result = Some(ended(Ending::Abandoned, None));
                row.rated = false;
            }
            EventKind::Start
            | EventKind::Rejection
            | EventKind::Deadline
            | EventKind::Dice
            | EventKind::Adjournment => {}
        }
        if row.result.is_some() {
            row.state =
                if event.kind == EventKind::Decline { BoardState::Declined } else { BoardState::Finished };
        }
        if row.state == BoardState::Running {
            row.to_move = Some(self.table.turn());
        } else {
            row.to_move = None;
            row.deadline_at = None;
            row.may_swap = false;
        }
    }
}

/// The player who accepted the challenge: the second of the two to make a ply or a swap, or the one whose word binds the
/// dice. A later take-back does not undo the acceptance.
pub(crate) fn taken_up_by(events: &[EventRow]) -> Option<PlayerId> {
    let binds = |event: &&EventRow| {
        event.seat == Some(Seat::Second) && matches!(DiceNote::of(event), Some(DiceNote::Salt(_)))
    };
    if let Some(roller) = events.iter().find(binds) {
        return roller.player;
    }
    let is_act = |event: &&EventRow| matches!(event.kind, EventKind::Ply | EventKind::Swap);
    let mut acts = events.iter().filter(is_act).filter(|event| event.player.is_some());
    let first = acts.next()?.seat;
    acts.find(|event| event.seat != first)?.player
}
