//! A position of Hexmeister, and its face towards the rest of the house.

use super::board::{Board, STONES, Win};
use super::cells::{Cell, CellSet, GATES, base, cells};
use super::history::{History, QUIET_TURNS, REPETITIONS};
use super::{draw, notation, refuse, remarks, text};
use crate::{Drawing, Illegal, Outcome, Position, Seat, SetupError, Unreadable};

/// A side with fewer stones than this, on the board and in reserve, cannot win any more.
const ENOUGH: u32 = 5;

/// A position: the stones, whose ply it is, whether that ply is a bonus, and what may be repeated.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Hexmeister {
    board: Board,
    to_move: Seat,
    /// Stones not dropped yet.
    reserves: [u8; 2],
    /// Whether the side to move has earned a bonus in this turn and has neither used nor declined it.
    bonus: bool,
    rules: Rules,
    /// Unless a bonus is pending, its newest board is `board`.
    history: History,
}

/// The options a board is played with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Rules {
    /// Stones move in straight lines only.
    pub straight: bool,
    /// A bonus may be used for a drop.
    pub bonusdrop: bool,
}

/// One ply.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Move {
    /// Puts a stone from the reserve on an empty cell of one's own base.
    Drop(Cell),
    /// Moves the stone on the first cell to the second.
    Go(Cell, Cell),
    /// Declines the bonus that is pending.
    Done,
    /// There is nothing to drop and nothing to move.
    Pass,
}

impl Hexmeister {
    /// The empty board, white to play.
    pub fn start(rules: Rules) -> Hexmeister {
        Hexmeister::turn_begins(Board::EMPTY, Seat::First, [STONES; 2], rules)
    }

    /// A position at the start of a turn of which nothing earlier is known. Nothing is checked; texts from outside
    /// go through [`Position::read`].
    pub(super) fn turn_begins(board: Board, to_move: Seat, reserves: [u8; 2], rules: Rules) -> Hexmeister {
        let mut history = History::EMPTY;
        history.push(board);
        Hexmeister { board, to_move, reserves, bonus: false, rules, history }
    }

    /// The same with a history of its own, and with or without a pending bonus.
    pub(super) fn with_history(self, history: History, bonus: bool) -> Hexmeister {
        Hexmeister { history, bonus, ..self }
    }

    /// The stones on the board.
    #[inline]
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// Stones of `seat` that are not dropped yet.
    #[inline]
    pub fn reserve(&self, seat: Seat) -> u8 {
        *seat.of(&self.reserves)
    }

    /// Stones of `seat` on the board and in reserve.
    pub fn stones_left(&self, seat: Seat) -> u32 {
        self.board.stones(seat).count_ones() + u32::from(self.reserve(seat))
    }

    /// Stones of `seat` that were captured.
    pub fn captured(&self, seat: Seat) -> u32 {
        u32::from(STONES).saturating_sub(self.stones_left(seat))
    }

    /// Whether the ply to come is a bonus.
    #[inline]
    pub fn bonus(&self) -> bool {
        self.bonus
    }

    /// The options it is played with.
    #[inline]
    pub fn rules(&self) -> Rules {
        self.rules
    }

    /// The boards since the last drop or capture.
    pub fn history(&self) -> &History {
        &self.history
    }

    /// The turns that have passed since the one with the last drop or capture; one that is not over does not count.
    pub fn quiet_turns(&self) -> usize {
        self.history.len().saturating_sub(1)
    }

    /// The cells on which the side to move may drop a stone now, the game being on.
    #[inline]
    pub(super) fn drops(&self) -> CellSet {
        if self.bonus && !self.rules.bonusdrop { 0 } else { self.drops_of(self.to_move) }
    }

    #[inline]
    fn drops_of(&self, seat: Seat) -> CellSet {
        if self.reserve(seat) == 0 { 0 } else { self.board.drops(seat) }
    }

    /// Whether `seat` could begin a turn with anything but a pass.
    #[inline]
    fn can_act(&self, seat: Seat) -> bool {
        self.drops_of(seat) != 0 || self.board.can_move(seat, self.rules.straight)
    }

    /// Rule 6, and the draws of rule 7.
    fn end(&self) -> Option<(Option<Seat>, &'static str)> {
        for seat in Seat::BOTH {
            if let Some(win) = self.board.won(seat) {
                let how = match win {
                    Win::Alignment => "five gates in a line",
                    Win::OuterRing => "all six outer gates",
                    Win::MiddleRing => "all six middle gates",
                };
                return Some((Some(seat), how));
            }
        }
        if Seat::BOTH.iter().all(|seat| self.stones_left(*seat) < ENOUGH) {
            return Some((None, "both have fewer than five stones"));
        }
        if self.bonus {
            // The rest is about the start of a turn.
            return None;
        }
        if self.history.times() >= REPETITIONS {
            return Some((None, "the same position a third time"));
        }
        if self.quiet_turns() >= QUIET_TURNS {
            return Some((None, "100 turns without a drop or a capture"));
        }
        let stuck = !self.can_act(self.to_move) && !self.can_act(self.to_move.other());
        stuck.then_some((None, "neither has anything to drop or move"))
    }

    /// Lets the stones `seat` now surrounds be captured; says whether there were any.
    fn capture(&mut self, seat: Seat) -> bool {
        self.board.capture(seat) != 0
    }
}

/// Whether a move earns a bonus by entering a gate: not from a cell of one's own base to a gate of it (rule 5).
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

    fn outcome(&self) -> Option<Outcome> {
        self.end().map(|(winner, how)| Outcome { winner, score: None, how: Some(how) })
    }

    fn each_move(&self, visit: &mut impl FnMut(Move)) {
        if self.end().is_some() {
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
        if self.end().is_some() {
            return 0;
        }
        let mut count = u64::from(self.drops().count_ones());
        self.board.each_reach(self.to_move, self.rules.straight, &mut |_, reached| {
            count += u64::from(reached.count_ones());
        });
        if self.bonus { count + 1 } else { count.max(1) }
    }

    /// A pass, when there is nothing to drop or move; `done`, when a bonus was earned that nothing can be done with.
    fn forced(&self) -> Option<Move> {
        if self.drops() != 0 || self.board.can_move(self.to_move, self.rules.straight) || self.end().is_some()
        {
            return None;
        }
        Some(if self.bonus { Move::Done } else { Move::Pass })
    }

    fn check(&self, ply: Move) -> Result<(), Illegal> {
        match refuse::reason(self, ply) {
            None => Ok(()),
            Some(why) => Err(Illegal { why }),
        }
    }

    fn make(&mut self, ply: Move) {
        let seat = self.to_move;
        let (earned, quiet) = match ply {
            Move::Drop(cell) => {
                self.board.put(seat, cell.set());
                if let Some(reserve) = self.reserves.get_mut(seat.index()) {
                    // Saturating, because a caller's mistake must not bring the server down.
                    *reserve = reserve.saturating_sub(1);
                }
                (self.capture(seat), false)
            }
            Move::Go(from, to) => {
                self.board.take(seat, from.set());
                self.board.put(seat, to.set());
                let captured = self.capture(seat);
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

    fn draw(&self) -> Drawing {
        draw::draw(self)
    }

    fn remarks(&self, after: &Hexmeister) -> Vec<String> {
        remarks::captured(self, after).into_iter().collect()
    }
}
