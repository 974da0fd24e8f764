//! Finds the robot's moves before the transaction that plays them.

use std::collections::HashMap;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;

use turnpost_games::{Table, registry};
use turnpost_robot::advice::Advice;
use turnpost_robot::{Limits, Robot, mix};

use crate::board::{BadRecord, Board};
use crate::ids::{BoardId, Ply, Seat};
use crate::play::robot::{RESIGN, RobotConfig};
use crate::store::{BoardRow, PlayerId};

/// Maximum number of nodes of a quick search, which the writer of a letter can wait for.
const QUICK: u64 = 1_600_000;

/// The robot's answer if it swaps seats.
pub(crate) const SWAP: &str = "swap";

/// Maximum number of nodes of a hint's search, about half a second. The best level within it searches for the
/// hint.
const OF_A_HINT: u64 = 200_000;

/// Maximum number of searches for one letter. Further robot turns wait in `robot_turns`.
const THOUGHTS_AT_MOST: usize = 4;

/// A position in which the robot is to move or a player wants a hint, with everything that determines the
/// move.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Question {
    game: &'static str,
    player: PlayerId,
    board: BoardId,
    ply: Ply,
    position: String,
    /// Ply 1 can be answered by swapping seats.
    may_swap: bool,
    /// True if a player asks for a move with a reason.
    hint: bool,
}

impl Question {
    /// The question for the robot's move on a board; `None` if the robot is not to move.
    pub fn of(board: &Board) -> Option<Question> {
        Some(Question::at(board, board.row.robot_to_move()?, false))
    }

    /// The question for a hint to the player to move.
    pub fn for_a_hint(board: &Board, robot: &Robot) -> Question {
        let quick = robot.levels.iter().take_while(|level| level.nodes <= OF_A_HINT).count();
        let level = quick.min(robot.levels.len() - 1);
        Question::at(board, PlayerId::robot(u8::try_from(level).unwrap_or(u8::MAX)), true)
    }

    fn at(board: &Board, player: PlayerId, hint: bool) -> Question {
        let BoardRow { id, plies, may_swap, ref position, .. } = board.row;
        let (game, position) = (board.kind.key, position.clone());
        Question { game, player, board: id, ply: plies, position, may_swap, hint }
    }

    /// The question at the best quick level; `None` if its own level is quick.
    pub fn quick(&self) -> Option<Question> {
        let (robot, _) = self.robot().filter(|_| !self.is_quick())?;
        let quick = robot.levels.iter().take_while(|level| level.nodes <= QUICK).count().max(1);
        Some(Question { player: PlayerId::robot(u8::try_from(quick).ok()?), ..self.clone() })
    }

    fn robot(&self) -> Option<(&'static Robot, &'static turnpost_robot::limits::Level)> {
        let robot = turnpost_robot::find(self.game)?;
        Some((robot, robot.level(self.player.level()?)?))
    }

    /// The account of the engine that is asked; `None` for the robot.
    pub fn engine(&self) -> Option<PlayerId> {
        Some(self.player).filter(|player| player.is_engine())
    }

    fn is_quick(&self) -> bool {
        self.robot().is_some_and(|(_, level)| level.nodes <= QUICK)
    }

    /// The robot's turn as a player would write it, `SWAP` or `RESIGN`. The server plays forced passes, so they are
    /// left out. For a hint, a ply and the reason. `None` if cancelled.
    pub fn answer(&self, memory: usize, cancel: &AtomicBool) -> Result<Option<String>, BadRecord> {
        let lost = |why: String| BadRecord { number: 0, why: format!("the robot is lost: {why}") };
        let kind = registry::find(self.game).ok_or_else(|| lost("it does not know the game".into()))?;
        let (robot, level) = self.robot().ok_or_else(|| lost("it does not know the level".into()))?;
        let mut table = (kind.read)(&self.position).map_err(|why| lost(why.to_string()))?;
        let seat = table.turn();
        if self.may_swap
            && self.ply == Ply(1)
            && seat == Seat::Second
            && robot.is_worth_a_swap(&self.position)
        {
            let why = ". Ply 1 is so good that changing seats is better than any answer.";
            return Ok(Some(format!("{SWAP}{}", if self.hint { why } else { "" })));
        }
        if self.hint {
            let limits = Limits { memory, noise: 0, ..level.limits(1.0, self.seed(0)) };
            let advice =
                robot.advise(&self.position, &limits, cancel).map_err(|why| lost(why.to_string()))?;
            return Ok(advice.map(|advice| self.written(robot, &*table, advice)));
        }
        let mut plies: Vec<String> = Vec::new();
        let mut played = table.play_passes().len();
        while table.ended().is_none() && table.chance().is_none() && table.turn() == seat {
            let limits = Limits { memory, ..level.limits(1.0, self.seed(played)) };
            let choice = robot.choose_move(&table.position(), &limits, cancel);
            if cancel.load(Relaxed) {
                return Ok(None);
            }
            let choice = choice.map_err(|why| lost(why.to_string()))?;
            let choice = choice.ok_or_else(|| lost("it found no ply".into()))?;
            if choice.resigns {
                return Ok(Some(RESIGN.to_owned()));
            }
            let mut found = choice.best_move;
            if self.may_swap && self.ply == Ply::START {
                found = self.fair(robot, &*table, found);
            }
            table.play_text(&found).map_err(|why| lost(why.to_string()))?;
            plies.push(found);
            played += 1 + table.play_passes().len();
        }
        Ok(Some(plies.join(" ")))
    }

    /// The text of a hint.
    fn written(&self, robot: &Robot, table: &dyn Table, Advice { best_move, why }: Advice) -> String {
        if self.may_swap && self.ply == Ply::START {
            let fair = self.fair(robot, table, best_move);
            return format!("{fair}. The robot changes seats where ply 1 is very good; here it does not.");
        }
        format!("{best_move}. {why}")
    }

    /// Returns `found`, unless the robot would answer that ply 1 with a swap. In that case returns a random
    /// fair ply.
    fn fair(&self, robot: &Robot, table: &dyn Table, found: String) -> String {
        let is_fair = |ply: &String| {
            let mut after = table.copy();
            after.play_text(ply).is_ok() && !robot.is_worth_a_swap(&after.position())
        };
        if is_fair(&found) {
            return found;
        }
        let mut fair = table.legal_plies();
        fair.retain(is_fair);
        let at = self.seed(0) % fair.len().max(1) as u64;
        fair.into_iter().nth(at as usize).unwrap_or(found)
    }

    /// The seed for the ply `played` plies later. Board and ply determine the seed, and searches are bounded
    /// by positions, so the move is always the same.
    fn seed(&self, played: usize) -> u64 {
        mix((u64::from(self.board.0) << 32) | (u64::from(self.ply.0) + played as u64))
    }
}

/// The robot's answers for positions that a letter leads to.
#[derive(Debug, Default)]
pub struct PrecomputedMoves {
    answers: HashMap<Question, Option<String>>,
    closed: bool,
}

impl PrecomputedMoves {
    pub(crate) fn answer(&self, question: &Question) -> Option<&str> {
        self.answers.get(question)?.as_deref()
    }

    /// True if the robot should answer the question before the next try at the letter.
    fn is_worth_asking(&self, question: &Question) -> bool {
        let has_room = !self.closed && self.answers.len() < THOUGHTS_AT_MOST;
        has_room && question.is_quick() && !self.answers.contains_key(question)
    }

    /// Moves with a single known answer, which accept no more questions.
    pub(crate) fn of(question: Question, answer: String) -> PrecomputedMoves {
        PrecomputedMoves { answers: HashMap::from([(question, Some(answer))]), closed: true }
    }

    /// Answers questions. A question that fails is left to the robot worker, which reports the failure.
    pub fn think(&mut self, questions: Vec<Question>, memory: usize) {
        let cancel = AtomicBool::new(false);
        for question in questions.into_iter().take(THOUGHTS_AT_MOST) {
            let answer = question.answer(memory, &cancel).ok().flatten();
            self.answers.insert(question, answer);
        }
    }

    pub fn close(&mut self) {
        self.closed = true;
    }
}

/// The robot as the commands of a letter use it.
pub(crate) struct RobotMoves<'a> {
    pub rules: &'a RobotConfig,
    pub precomputed: &'a PrecomputedMoves,
    /// Questions to answer before the next try at the letter.
    pub questions: Vec<Question>,
}

impl RobotMoves<'_> {
    /// The plies of the robot's turn, if known. Otherwise notes the question if it is worth asking.
    pub(crate) fn plies(&mut self, question: Question) -> Option<String> {
        let known = self.precomputed.answer(&question).map(str::to_owned);
        if known.is_none() && self.rules.enabled && self.precomputed.is_worth_asking(&question) {
            self.questions.push(question);
        }
        known
    }
}
