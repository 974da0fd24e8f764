//! The checkers, and the turns that a roll allows.
//!
//! A side counts its points from its own home: 1 is its ace point, 24 the far one, 25 the bar, 0 what is borne off. The
//! opponent's number of a point is 25 less this number.

use std::collections::BTreeMap;

/// The place of checkers that are borne off.
pub const OFF: u8 = 0;
/// The place of checkers that were hit.
pub const BAR: u8 = 25;

/// The number of a side's checkers on each of its points, from [`OFF`] to [`BAR`].
pub type Side = [u8; 26];

/// Two dice, the higher first.
pub type Dice = [u8; 2];

/// The checkers, as the side to move counts them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Board {
    /// The checkers of the side to move.
    pub mine: Side,
    /// The checkers of its opponent, by the opponent's points.
    pub theirs: Side,
}

/// The move of one checker by one die.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct CheckerStep {
    /// The point that the checker leaves.
    pub from: u8,
    /// The point that it reaches, which is lower.
    pub to: u8,
}

/// All that a side does with a roll: at most four steps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct CheckerTurn {
    steps: [Option<CheckerStep>; 4],
}

impl CheckerTurn {
    /// The turn without a step, for a side that cannot move.
    pub const PASS: CheckerTurn = CheckerTurn { steps: [None; 4] };

    /// The steps in the order in which they are played.
    pub fn steps(&self) -> impl Iterator<Item = CheckerStep> + '_ {
        self.steps.iter().flatten().copied()
    }

    /// The turn with one more step. A fifth step is lost.
    pub(super) fn with(mut self, step: CheckerStep) -> CheckerTurn {
        if let Some(free) = self.steps.iter_mut().find(|place| place.is_none()) {
            *free = Some(step);
        }
        self
    }
}

/// The dice that a roll gives to play: two, or four if they are equal.
fn dice_to_play([high, low]: Dice) -> Vec<u8> {
    if high == low { vec![high; 4] } else { vec![high, low] }
}

/// The checkers of a side by their points, for start positions.
pub const fn side_of(points: &[(u8, u8)]) -> Side {
    let mut side = [0; 26];
    let mut at = 0;
    while at < points.len() {
        side[points[at].0 as usize] = points[at].1;
        at += 1;
    }
    side
}

/// The number of pips that a side has to go.
pub fn pips(side: &Side) -> u16 {
    (0..).zip(side).map(|(point, count)| point * u16::from(*count)).sum()
}

/// How many times a side that is as far as this loses a game: 1, 2 for a gammon, 3 for a backgammon.
pub(super) fn times_lost(side: &Side) -> u8 {
    // The winner's home and the bar, as the loser counts them.
    let far: u8 = side[19..].iter().sum();
    match (side[usize::from(OFF)], far) {
        (0, 0) => 2,
        (0, _) => 3,
        _ => 1,
    }
}

impl Board {
    /// The number of the opponent's checkers on a point of the side to move.
    pub(super) fn theirs_at(&self, point: u8) -> u8 {
        if (1..=24).contains(&point) { self.theirs[usize::from(BAR - point)] } else { 0 }
    }

    /// The step of the checker on `from` by a die, if it is allowed.
    fn reach(&self, from: u8, die: u8) -> Option<CheckerStep> {
        let is_mine = self.mine[usize::from(from)] > 0;
        let waits = from != BAR && self.mine[usize::from(BAR)] > 0;
        if !is_mine || waits {
            return None;
        }
        if from > die {
            let to = from - die;
            return (self.theirs_at(to) < 2).then_some(CheckerStep { from, to });
        }
        let last = (1..=BAR).rev().find(|point| self.mine[usize::from(*point)] > 0)?;
        (last <= 6 && (from == die || from == last)).then_some(CheckerStep { from, to: OFF })
    }

    /// Moves a checker, and returns true if it hits one. A step from an empty point gives a board without meaning.
    pub(super) fn step(&mut self, CheckerStep { from, to }: CheckerStep) -> bool {
        let [from, place] = [from, to].map(usize::from);
        self.mine[from] = self.mine[from].wrapping_sub(1);
        self.mine[place] = self.mine[place].wrapping_add(1);
        let hits = self.theirs_at(to) == 1;
        if hits {
            self.theirs[usize::from(BAR - to)] = 0;
            self.theirs[usize::from(BAR)] += 1;
        }
        hits
    }

    fn stepped(mut self, step: CheckerStep) -> Board {
        self.step(step);
        self
    }

    /// The board after a turn, still as the same side counts it.
    pub fn after(self, turn: &CheckerTurn) -> Board {
        turn.steps().fold(self, Board::stepped)
    }

    /// The legal turns of a roll, by the boards that they lead to. If no checker can move, it is the turn without a step.
    ///
    /// As many dice as possible are played. If one of them can be played but not both, it is the higher one.
    pub fn turns(&self, dice: Dice) -> BTreeMap<Board, CheckerTurn> {
        let [high, low] = dice;
        let mut found = FoundTurns::default();
        found.search(*self, CheckerTurn::PASS, &dice_to_play(dice), BAR);
        if high != low {
            // If the higher die alone can be played, the lower die alone is not enough.
            found.only_longer = found.most == 1;
            found.search(*self, CheckerTurn::PASS, &[low, high], BAR);
        }
        found.boards
    }

    /// The steps that continue `begun` towards a legal turn of this roll, each once.
    pub fn next_steps(&self, dice: Dice, begun: &[CheckerStep]) -> Vec<CheckerStep> {
        let turns = self.turns(dice);
        let mut found = Vec::new();
        let Some(left) = steps_left(&turns, begun).and_then(|left| left.checked_sub(1)) else { return found };
        let states = self.half_turns(dice, begun);
        for (step, after) in states.iter().flat_map(|state| followed(state, None)) {
            if !found.contains(&step) && is_completed(&after, left, &turns) {
                found.push(step);
            }
        }
        found
    }

    /// The dice that these ways of checkers leave to play; all of them if no turn begins with the ways. The ways of a half
    /// turn have a step each.
    pub(super) fn dice_left(&self, dice: Dice, begun: &[CheckerStep]) -> Vec<u8> {
        let turns = self.turns(dice);
        let after = begun.iter().fold(*self, |board, way| board.stepped(*way));
        if turns.keys().any(|end| end.mine == after.mine) {
            return Vec::new();
        }
        let is_legal = |state: &HalfTurn| {
            steps_left(&turns, begun).is_some_and(|left| is_completed(state, left, &turns))
        };
        let state = self.half_turns(dice, begun).into_iter().find(is_legal);
        state.map_or(dice_to_play(dice), |(_, left)| left)
    }

    /// What these steps can leave.
    fn half_turns(&self, dice: Dice, begun: &[CheckerStep]) -> Vec<HalfTurn> {
        begun.iter().fold(vec![(*self, dice_to_play(dice))], |states, step| {
            let after = states.iter().flat_map(|state| followed(state, Some(*step)));
            after.map(|(_, after)| after).collect()
        })
    }

    /// 1 for a single win, 2 for a gammon, 3 for a backgammon, once the side to move has borne off all checkers.
    pub fn won(&self) -> Option<u8> {
        if self.mine[1..].iter().any(|count| *count > 0) {
            return None;
        }
        Some(times_lost(&self.theirs))
    }
}

/// A board in the middle of a turn, and the dice that are left.
type HalfTurn = (Board, Vec<u8>);

/// The steps that are possible next, or only `wanted`, with what each leaves.
fn followed((board, dice): &HalfTurn, wanted: Option<CheckerStep>) -> Vec<(CheckerStep, HalfTurn)> {
    let mut found = Vec::new();
    for (number, die) in dice.iter().enumerate() {
        if dice[..number].contains(die) {
            continue;
        }
        let steps = (1..=BAR).rev().filter_map(|from| board.reach(from, *die));
        for step in steps.filter(|step| wanted.is_none_or(|wanted| wanted == *step)) {
            let mut rest = dice.clone();
            rest.remove(number);
            found.push((step, (board.stepped(step), rest)));
        }
    }
    found
}

/// The number of steps that complete the begun ones.
fn steps_left(turns: &BTreeMap<Board, CheckerTurn>, begun: &[CheckerStep]) -> Option<usize> {
    let most = turns.values().map(|turn| turn.steps().count()).max().unwrap_or_default();
    most.checked_sub(begun.len())
}

/// True if `left` more steps lead to the end of a legal turn.
fn is_completed(state: &HalfTurn, left: usize, turns: &BTreeMap<Board, CheckerTurn>) -> bool {
    match left.checked_sub(1) {
        None => turns.contains_key(&state.0),
        Some(left) => followed(state, None).iter().any(|(_, after)| is_completed(after, left, turns)),
    }
}

/// The longest turns found so far.
#[derive(Default)]
struct FoundTurns {
    boards: BTreeMap<Board, CheckerTurn>,
    most: usize,
    /// Turns as short as those found are not wanted.
    only_longer: bool,
}

impl FoundTurns {
    /// `from` is the furthest point that can move. Among equal dice, the furthest checker moves first: every board is
    /// reached that way too.
    fn search(&mut self, board: Board, turn: CheckerTurn, dice: &[u8], from: u8) {
        let Some((die, rest)) = dice.split_first() else { return self.keep(board, turn) };
        let mut is_stuck = true;
        for from in (1..=from).rev() {
            let Some(step) = board.reach(from, *die) else { continue };
            is_stuck = false;
            let next = if rest.first() == Some(die) { from } else { BAR };
            self.search(board.stepped(step), turn.with(step), rest, next);
        }
        if is_stuck {
            self.keep(board, turn);
        }
    }

    fn keep(&mut self, board: Board, turn: CheckerTurn) {
        let length = turn.steps().count();
        if length > self.most {
            (self.most, self.only_longer) = (length, false);
            self.boards.clear();
        }
        if length == self.most && !self.only_longer {
            self.boards.entry(board).or_insert(turn);
        }
    }
}
