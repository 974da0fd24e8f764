//! The cube, the score of a match, and the points of a game.

use crate::Seat;

/// The highest cube.
const HIGHEST_CUBE: u16 = 4096;

/// What both players agreed on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stakes {
    /// The points that win the match. 0 is one game with the cube; 1 is one game without it.
    pub length: u16,
    /// In a game with the cube: gammons count only if the cube was turned.
    pub jacoby: bool,
}

/// The doubling cube.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cube {
    /// The points of a single game.
    pub value: u16,
    /// The seat that can double next; `None` if both can.
    pub owner: Option<Seat>,
}

impl Cube {
    /// The cube at the start of a game.
    pub const CENTRED: Cube = Cube { value: 1, owner: None };
}

/// The state of a match between and during its games.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MatchScore {
    /// What is played for.
    pub stakes: Stakes,
    /// The points of the first and the second seat.
    pub score: [u16; 2],
    /// The cube of the current game.
    pub cube: Cube,
    /// True in the first game after a side came within a point of winning the match: its cube is out of play.
    pub is_crawford: bool,
}

impl MatchScore {
    /// The score before the first game.
    pub fn new(stakes: Stakes) -> MatchScore {
        MatchScore { stakes, score: [0, 0], cube: Cube::CENTRED, is_crawford: false }
    }

    /// True if the games of this board have a cube.
    pub fn has_cube(&self) -> bool {
        self.stakes.length != 1
    }

    /// True if a cube of this value is of use to the seat: without another double it does not win the match.
    pub(super) fn is_alive(&self, seat: Seat, value: u16) -> bool {
        self.stakes.length == 0 || seat.of(&self.score).saturating_add(value) < self.stakes.length
    }

    /// True if the seat can double when it is to roll.
    pub fn may_double(&self, seat: Seat) -> bool {
        let Cube { value, owner } = self.cube;
        let is_theirs = owner.is_some_and(|owner| owner != seat);
        !is_theirs && !self.is_crawford && value < HIGHEST_CUBE && self.is_alive(seat, value)
    }

    /// True if the seat can double when it is to roll, once it has taken a double.
    pub(super) fn may_redouble(&self, seat: Seat) -> bool {
        let cube = Cube { value: self.cube.value.saturating_mul(2), owner: Some(seat) };
        MatchScore { cube, ..*self }.may_double(seat)
    }

    /// The points of a game that is won once, twice (a gammon) or three times (a backgammon).
    pub fn points(&self, times: u8) -> u16 {
        let is_single = self.stakes.jacoby && self.cube.owner.is_none();
        self.cube.value * if is_single { 1 } else { u16::from(times) }
    }

    /// Counts a game for its winner, and prepares the next one.
    pub fn count(&mut self, winner: Seat, points: u16) {
        let before = self.score;
        self.score[winner.index()] += points;
        self.cube = Cube::CENTRED;
        self.is_crawford = self.is_near(self.score) && !self.is_near(before);
    }

    /// True if a side is a point from winning the match.
    pub(super) fn is_near(&self, score: [u16; 2]) -> bool {
        self.stakes.length > 1 && score.contains(&(self.stakes.length - 1))
    }

    /// The winner of the match, or of the only game.
    pub fn winner(&self) -> Option<Seat> {
        let goal = self.stakes.length.max(1);
        Seat::BOTH.into_iter().find(|seat| *seat.of(&self.score) >= goal)
    }
}
