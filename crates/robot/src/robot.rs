//! The robot as a caller sees it: text in, text out, for any game it plays.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use super::analysis::{Analysis, analyse};
use super::evaluate::Evaluator;
use super::limits::{DVONN, HEXMEISTER, Level, Limits};
use super::search::search;
use turnpost_games::SetupError;
use turnpost_games::dvonn::Dvonn;
use turnpost_games::hexmeister::Hexmeister;

/// The move the robot chose.
#[derive(Debug, Clone, PartialEq)]
pub struct Choice {
    /// The move, as it is written.
    pub best_move: String,
    /// Its value to the side to move, in hundredths of a point.
    pub value: i32,
    /// The same in the words of the game.
    pub value_text: String,
    /// Whether that is the result against best play.
    pub exact: bool,
    /// The depth of the search.
    pub depth: u32,
    /// Positions made.
    pub nodes: u64,
    /// The moves it expects, its own first.
    pub variation: Vec<String>,
    /// How long it took.
    pub elapsed: Duration,
}

/// A game the robot plays.
pub struct Robot {
    /// The game's key, as in the registry of games.
    pub game: &'static str,
    /// Its levels, from 1.
    pub levels: &'static [Level],
    choose_move: ChooseMove,
    analyse: Analyse,
}

type ChooseMove = fn(&str, &Limits, &AtomicBool) -> Result<Option<Choice>, SetupError>;
type Analyse = fn(&str, &[String], &Limits, &AtomicBool) -> Result<Option<Analysis>, String>;

/// Every game the robot plays. A new one is its [`Evaluator`] and a line here.
pub static ROBOTS: &[Robot] =
    &[Robot::new::<Dvonn>("dvonn", &DVONN), Robot::new::<Hexmeister>("hexmeister", &HEXMEISTER)];

/// The robot of the game with this key.
pub fn find(game: &str) -> Option<&'static Robot> {
    ROBOTS.iter().find(|robot| robot.game == game)
}

impl Robot {
    const fn new<P: Evaluator>(game: &'static str, levels: &'static [Level]) -> Robot {
        Robot { game, levels, choose_move: choose_move::<P>, analyse: analyse::<P> }
    }

    /// A level, from 1.
    pub fn level(&self, level: u8) -> Option<&'static Level> {
        self.levels.get(usize::from(level).checked_sub(1)?)
    }

    /// Chooses a move in a position; `None` when the game is over. Setting `cancel` ends the search at once, with the
    /// best move so far.
    ///
    /// # Errors
    /// When the position cannot be read.
    pub fn choose_move(
        &self,
        position: &str,
        limits: &Limits,
        cancel: &AtomicBool,
    ) -> Result<Option<Choice>, SetupError> {
        (self.choose_move)(position, limits, cancel)
    }

    /// Analyses the game that began at a position and went on by these plies, each position searched within the
    /// limits; `None` when it was cancelled.
    ///
    /// # Errors
    /// When the position or a ply cannot be read, or the rules forbid the ply.
    pub fn analyse(
        &self,
        start: &str,
        plies: &[String],
        limits: &Limits,
        cancel: &AtomicBool,
    ) -> Result<Option<Analysis>, String> {
        (self.analyse)(start, plies, limits, cancel)
    }
}

impl std::fmt::Debug for Robot {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}, {} levels", self.game, self.levels.len())
    }
}

fn choose_move<P: Evaluator>(
    text: &str,
    limits: &Limits,
    cancel: &AtomicBool,
) -> Result<Option<Choice>, SetupError> {
    let position = P::read(text)?;
    Ok(search(&position, limits, cancel).map(|found| {
        let mut after = position.clone();
        let mut variation = Vec::new();
        for ply in &found.variation {
            variation.push(after.write_move(*ply));
            after.make(*ply);
        }
        Choice {
            best_move: position.write_move(found.best_move),
            value: found.value,
            value_text: P::write_value(found.value),
            exact: found.exact,
            depth: found.depth,
            nodes: found.nodes,
            variation,
            elapsed: found.elapsed,
        }
    }))
}
