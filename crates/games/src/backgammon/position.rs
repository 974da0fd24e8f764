//! A position: the checkers, the score, and what happens next.

use std::fmt::Debug;
use std::marker::PhantomData;

use super::board::{Board, CheckerTurn, Dice, Side};
use super::stakes::{Cube, MatchScore, Stakes};
use crate::{Cast, Seat};

/// The start of a game, by which the games of this folder differ.
pub trait Variant: Copy + Eq + Debug + Send + 'static {
    /// The checkers of each side at the start.
    const START: Side;

    /// The number of checkers of a side.
    const CHECKERS: u8 = {
        let (mut all, mut point) = (0, 0);
        while point < Self::START.len() {
            all += Self::START[point];
            point += 1;
        }
        all
    };
}

/// What happens next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stage {
    /// The second seat takes the game up with its first `roll`. The server does not play it.
    Invited,
    /// Chance: a die for each seat. The seat with the higher one begins and plays both. Equal dice are rolled again.
    Opening,
    /// The side on roll rolls or doubles. A side that is not allowed to double is not asked.
    Choice,
    /// Chance: two dice for the side on roll.
    Rolling,
    /// The side on roll plays these dice.
    Moving(Dice),
    /// The opponent of the side on roll takes the double, or drops it.
    Doubled,
    /// The board is over.
    Over,
}

/// One ply.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Move {
    /// Rolls the dice.
    Roll,
    /// Offers to double the stakes.
    Double,
    /// Accepts the double, and the cube.
    Take,
    /// Refuses the double, and loses the game.
    Drop,
    /// Gives up the running game of a match, and loses it once, twice or three times.
    Resign(u8),
    /// Plays a roll.
    Play(CheckerTurn),
}

/// A position of the game that starts as `V` says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Backgammon<V> {
    pub(super) sides: [Side; 2],
    /// The seat whose turn it is to roll, double and move.
    pub(super) on_roll: Seat,
    pub(super) stage: Stage,
    pub(super) game: MatchScore,
    pub(super) variant: PhantomData<V>,
}

impl<V: Variant> Backgammon<V> {
    /// The first position of a board.
    pub fn new(stakes: Stakes) -> Backgammon<V> {
        Backgammon::start_of_game(Stage::Invited, MatchScore::new(stakes))
    }

    pub(super) fn start_of_game(stage: Stage, game: MatchScore) -> Backgammon<V> {
        let variant = PhantomData;
        Backgammon { sides: [V::START; 2], on_roll: Seat::First, stage, game, variant }
    }

    /// The checkers, as a seat counts them.
    pub fn board_of(&self, seat: Seat) -> Board {
        Board { mine: *seat.of(&self.sides), theirs: *seat.other().of(&self.sides) }
    }

    /// The checkers, as the side on roll counts them.
    pub fn board(&self) -> Board {
        self.board_of(self.on_roll)
    }

    /// The seat whose turn it is to roll, double and move.
    pub fn on_roll(&self) -> Seat {
        self.on_roll
    }

    /// The score and the cube.
    pub fn game(&self) -> &MatchScore {
        &self.game
    }

    /// Plays two dice. In the opening the first is the first seat's.
    pub(super) fn fall(&mut self, cast: Cast) {
        let &[first, second] = cast.faces() else { return };
        let is_opening = self.stage == Stage::Opening;
        if is_opening && first == second {
            return;
        }
        if is_opening {
            self.on_roll = if first > second { Seat::First } else { Seat::Second };
        }
        self.stage = Stage::Moving([first.max(second), first.min(second)]);
    }

    /// Plays a legal ply.
    pub(super) fn go(&mut self, ply: Move) {
        match ply {
            Move::Roll if self.stage == Stage::Invited => self.stage = Stage::Opening,
            Move::Roll => self.stage = Stage::Rolling,
            Move::Double => self.stage = Stage::Doubled,
            Move::Take => {
                let value = self.game.cube.value.saturating_mul(2);
                self.game.cube = Cube { value, owner: Some(self.on_roll.other()) };
                self.stage = Stage::Rolling;
            }
            Move::Drop => self.end_game(1),
            Move::Resign(times) => {
                self.on_roll = self.on_roll.other();
                self.end_game(times);
            }
            Move::Play(turn) => {
                let after = self.board().after(&turn);
                self.sides[self.on_roll.index()] = after.mine;
                self.sides[self.on_roll.other().index()] = after.theirs;
                match after.won() {
                    Some(times) => self.end_game(times),
                    None => {
                        self.on_roll = self.on_roll.other();
                        let may_double = self.game.may_double(self.on_roll);
                        self.stage = if may_double { Stage::Choice } else { Stage::Rolling };
                    }
                }
            }
        }
    }

    /// The side on roll wins a game.
    fn end_game(&mut self, times: u8) {
        self.game.count(self.on_roll, self.game.points(times));
        if self.game.winner().is_some() {
            self.stage = Stage::Over;
        } else {
            *self = Backgammon::start_of_game(Stage::Opening, self.game);
        }
    }
}
