//! The rules of Hexmeister: the side to move, the legal plies and what they do, and the end of the game.

use super::cells::{Cell, GATES, base, cells};
use super::history::{History, QUIET_TURNS, REPETITIONS};
use super::position::{Hexmeister, Move};
use super::{draw, notation, refuse, text};
use crate::scene::{Ends, Scene};
use crate::{Outcome, Position, Seat, SetupError, Unreadable};

/// The number of stones, on the board and in reserve, that a side needs to be able to win.
const ENOUGH: u32 = 5;

impl Hexmeister {
    /// True if `seat` could begin a turn with a drop or a move.
    #[inline]
    fn can_act(&self, seat: Seat) -> bool {
        self.drops_of(seat) != 0 || self.board.can_move(seat, self.rules.straight)
    }
}

/// True if a move earns a bonus by entering a gate: any gate, except from base to base (rule 5).
fn enters_gate(seat: Seat, from: Cell, to: Cell) -> bool {
    let home = base(seat);
    GATES & to.set() != 0 && (home & from.set() == 0 || home & to.set() == 0)
}

impl Position for Hexmeister {
    type Move = Move;

    #[inline]
    fn to_move(&self) -> Seat {
        self.to_move
    }

    /// Rule 6, and the draws of rule 7.
    fn outcome(&self) -> Option<Outcome> {
        let won = |seat| self.board.won(seat).map(|how| Outcome::won(seat, how));
        if let Some(outcome) = Seat::BOTH.into_iter().find_map(won) {
            return Some(outcome);
        }
        // All draws but the first are decided at the start of a turn.
        let how = if Seat::BOTH.iter().all(|seat| self.stones_left(*seat) < ENOUGH) {
            "both have fewer than five stones"
        } else if self.bonus {
            return None;
        } else if self.history.times() >= REPETITIONS {
            "the same position a third time"
        } else if self.quiet_turns() >= QUIET_TURNS {
            "100 turns without a drop or a capture"
        } else if Seat::BOTH.iter().any(|seat| self.can_act(*seat)) {
            return None;
        } else {
            "neither has anything to drop or move"
        };
        Some(Outcome::tie(how))
    }

    fn each_move(&self, visit: &mut impl FnMut(Move)) {
        if self.outcome().is_some() {
            return;
        }
        let mut any = false;
        for cell in cells(self.drops()) {
            any = true;
            visit(Move::Drop(cell));
        }
        self.board.each_reach(self.to_move, self.rules.straight, &mut |from, reached| {
            any = true;
            cells(reached).for_each(|to| visit(Move::Go(from, to)));
        });
        if self.bonus {
            visit(Move::Done);
        } else if !any {
            visit(Move::Pass);
        }
    }

    fn legal_count(&self) -> u64 {
        if self.outcome().is_some() {
            return 0;
        }
        let mut count = u64::from(self.drops().count_ones());
        self.board.each_reach(self.to_move, self.rules.straight, &mut |_, reached| {
            count += u64::from(reached.count_ones());
        });
        if self.bonus { count + 1 } else { count.max(1) }
    }

    /// The pass if no drop or move is legal, or `done` if a bonus cannot be used.
    fn forced(&self) -> Option<Move> {
        if self.drops() != 0
            || self.board.can_move(self.to_move, self.rules.straight)
            || self.outcome().is_some()
        {
            return None;
        }
        Some(if self.bonus { Move::Done } else { Move::Pass })
    }

    fn why_not(&self, ply: Move) -> String {
        refuse::why_not(self, ply)
    }

    fn make(&mut self, ply: Move) {
        let seat = self.to_move;
        let (earned, quiet) = match ply {
            Move::Drop(cell) => {
                self.board.put(seat, cell.set());
                let reserve = &mut self.reserves[seat.index()];
                // Saturating: an illegal ply must not panic in the server.
                *reserve = reserve.saturating_sub(1);
                (self.board.capture(seat) != 0, false)
            }
            Move::Go(from, to) => {
                self.board.take(seat, from.set());
                self.board.put(seat, to.set());
                let captured = self.board.capture(seat) != 0;
                (captured || enters_gate(seat, from, to), !captured)
            }
            Move::Done | Move::Pass => (false, true),
        };
        if !quiet {
            self.history = History::EMPTY;
        }
        self.bonus = earned && self.board.won(seat).is_none();
        if !self.bonus {
            self.to_move = seat.other();
            self.history.push(self.board);
        }
    }

    fn read_move<'t>(&self, text: &'t str) -> Result<(Move, &'t str), Unreadable> {
        notation::read(text, self.bonus)
    }

    fn write_move(&self, ply: Move) -> String {
        ply.to_string()
    }

    fn read(text: &str) -> Result<Hexmeister, SetupError> {
        text::read(text)
    }

    fn write(&self) -> String {
        text::write(self)
    }

    fn key_text(&self) -> String {
        let text = text::write(self);
        text.split(" since ").next().unwrap_or_default().to_owned()
    }

    fn scene(&self) -> Scene {
        draw::scene(self)
    }

    fn ends(&self, ply: Move) -> Ends<impl ToString> {
        let (from, to) = match ply {
            Move::Drop(to) => (None, Some(to)),
            Move::Go(from, to) => (Some(from), Some(to)),
            Move::Done | Move::Pass => (None, None),
        };
        Ends { from, to, then: None }
    }

    fn explain(&self, ply: Move) -> String {
        match ply {
            Move::Drop(cell) => format!("drops a stone on {cell}"),
            Move::Go(from, to) => format!("moves the stone on {from} to {to}"),
            Move::Done => {
                let drop = if self.drops() == 0 { "" } else { "a drop or " };
                format!("gives up the bonus, {drop}a move")
            }
            Move::Pass => "passes".to_owned(),
        }
    }

    fn remarks(&self, after: &Hexmeister) -> Vec<String> {
        text::remarks(self, after)
    }
}
