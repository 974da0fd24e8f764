//! What the robot would play, found before the transaction in which it is played.

use std::collections::HashMap;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;

use turnpost_games::registry;
use turnpost_robot::mind::mix;
use turnpost_robot::{Limits, Robot};

use crate::ids::{BoardId, Ply};
use crate::service::board::{BadRecord, Board};
use crate::service::robot::RobotConfig;

/// A search of so many positions takes a moment: somebody who waits for the answer to a letter can wait for it.
const QUICK: u64 = 1_600_000;

/// For one letter the robot thinks no more often. What is left waits for its turn.
const THOUGHTS_AT_MOST: usize = 4;

/// A position in which it is the robot's turn, with all that decides what it plays.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Question {
    game: &'static str,
    level: u8,
    board: BoardId,
    ply: Ply,
    position: String,
}

impl Question {
    /// The question a board asks; `None` where it is not the robot's turn.
    pub fn of(board: &Board) -> Option<Question> {
        let level = board.row.robot_to_move()?;
        let position = board.row.position.clone();
        Some(Question { game: board.kind.key, level, board: board.row.id, ply: board.row.plies, position })
    }

    fn robot(&self) -> Option<(&'static Robot, &'static turnpost_robot::levels::Level)> {
        let robot = turnpost_robot::find(self.game)?;
        Some((robot, robot.level(self.level)?))
    }

    /// Whether the answer takes a moment only.
    pub fn is_quick(&self) -> bool {
        self.robot().is_some_and(|(_, level)| level.nodes <= QUICK)
    }

    /// The plies of the robot's turn as a player would write them: forced passes are left out, the server plays them.
    /// Nothing when it was cancelled before it was found.
    pub fn answer(&self, memory: usize, cancel: &AtomicBool) -> Result<Option<String>, BadRecord> {
        let lost = |why: String| BadRecord { number: 0, why: format!("the robot is lost: {why}") };
        let kind = registry::find(self.game).ok_or_else(|| lost("it does not know the game".into()))?;
        let (robot, level) = self.robot().ok_or_else(|| lost("it does not know the level".into()))?;
        let mut table = (kind.read)(&self.position).map_err(|why| lost(why.to_string()))?;
        let seat = table.turn();
        let mut plies: Vec<String> = Vec::new();
        let mut ply = self.ply;
        while table.ended().is_none() {
            let text = match table.forced_ply() {
                Some(pass) => pass,
                None if table.turn() != seat => break,
                None => {
                    let limits = Limits { memory, ..level.limits(1.0, self.seed(ply)) };
                    let advice = (robot.advise)(&table.position(), &limits, cancel);
                    if cancel.load(Relaxed) {
                        return Ok(None);
                    }
                    let advice = advice.map_err(|why| lost(why.to_string()))?;
                    let found = advice.ok_or_else(|| lost("it found no ply".into()))?.ply;
                    plies.push(found.clone());
                    found
                }
            };
            table.play_text(&text).map_err(|why| lost(why.to_string()))?;
            ply = ply.next();
        }
        Ok(Some(plies.join(" ")))
    }

    /// The same board and ply give the same seed, and so, the search being bounded by positions, the same ply.
    fn seed(&self, ply: Ply) -> u64 {
        mix(u64::from(self.board.0) << 32 | u64::from(ply.0))
    }
}

/// The robot's answers to positions that a letter leads to.
#[derive(Debug, Default)]
pub struct PrecomputedMoves {
    answers: HashMap<Question, Option<String>>,
    closed: bool,
}

impl PrecomputedMoves {
    /// The answer to a question, where it is known.
    pub(in crate::service) fn answer(&self, question: &Question) -> Option<&str> {
        self.answers.get(question)?.as_deref()
    }

    /// Whether the answer would be worth thinking about now.
    pub(in crate::service) fn is_worth_asking(&self, question: &Question) -> bool {
        let has_room = !self.closed && self.answers.len() < THOUGHTS_AT_MOST;
        has_room && question.is_quick() && !self.answers.contains_key(question)
    }

    /// The one answer that is known.
    pub(in crate::service) fn of(question: Question, answer: String) -> PrecomputedMoves {
        PrecomputedMoves { answers: HashMap::from([(question, Some(answer))]), closed: true }
    }

    /// Thinks. A question that cannot be answered waits for whoever looks after the robot's turns, and says it there.
    pub fn think(&mut self, questions: Vec<Question>, memory: usize) {
        let cancel = AtomicBool::new(false);
        for question in questions.into_iter().take(THOUGHTS_AT_MOST) {
            let answer = question.answer(memory, &cancel).ok().flatten();
            self.answers.insert(question, answer);
        }
    }

    /// Nothing more is worth asking.
    pub fn close(&mut self) {
        self.closed = true;
    }
}

/// The robot as a letter meets it.
pub struct RobotMoves<'a> {
    /// What the host has decided about it.
    pub rules: &'a RobotConfig,
    /// What it has thought about.
    pub precomputed: &'a PrecomputedMoves,
    /// What it should think about before the letter is carried out.
    pub questions: Vec<Question>,
}

impl RobotMoves<'_> {
    /// The plies of the robot's turn, when they are known. Else they are asked for, if that is worth it.
    pub(in crate::service) fn plies(&mut self, question: Question) -> Option<String> {
        let known = self.precomputed.answer(&question).map(str::to_owned);
        if known.is_none() && self.rules.enabled && self.precomputed.is_worth_asking(&question) {
            self.questions.push(question);
        }
        known
    }
}
