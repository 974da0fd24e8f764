//! The robot as callers see it: text in, text out, for any game it plays.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use super::advice::{Advice, advise};
use super::analysis::{Analysis, analyse};
use super::go::GoBoard;
use super::judged::Judged;
use super::limits::{
    AMAZONS, BACKGAMMON, BREAKTHROUGH, CHESS, DRAUGHTS, DVONN, EINSTEIN, GO, GOMOKU, HAVANNAH, HEX_AND_Y,
    HEXMEISTER, LINES_OF_ACTION, Level, Limits, REVERSI,
};
use super::mind::{Evaluated, Mind, Playouts};
use super::stones::Stones;
use turnpost_games::amazons::Amazons;
use turnpost_games::backgammon::{Backgammon, Standard};
use turnpost_games::breakthrough::Breakthrough;
use turnpost_games::chess::Chess;
use turnpost_games::draughts::Draughts;
use turnpost_games::dvonn::Dvonn;
use turnpost_games::einstein::Einstein;
use turnpost_games::gomoku::Gomoku;
use turnpost_games::havannah::Havannah;
use turnpost_games::hex::Hex;
use turnpost_games::hexmeister::Hexmeister;
use turnpost_games::hypergammon::Hypergammon;
use turnpost_games::loa::LinesOfAction;
use turnpost_games::nackgammon::Nackgammon;
use turnpost_games::reversi::Reversi;
use turnpost_games::rules::Game;
use turnpost_games::y::Y;
use turnpost_games::{Position, SetupError};

/// The move the robot chose.
#[derive(Debug, Clone, PartialEq)]
pub struct Choice {
    /// The ply in notation.
    pub best_move: String,
    /// The value of the move to the side to move, in hundredths of a point.
    pub value: i32,
    /// The value as text for players, such as `+3.00 pieces`.
    pub value_text: String,
    /// True if the value is the result against best play.
    pub exact: bool,
    /// True if the side to move should resign.
    pub resigns: bool,
    /// The depth of the search.
    pub depth: u32,
    /// Positions made.
    pub nodes: u64,
    /// The line that the robot expects, starting with its own move.
    pub variation: Vec<String>,
    /// Duration of the search.
    pub elapsed: Duration,
}

/// A game that the robot plays.
pub struct Robot {
    /// The game's key, as in the registry of games.
    pub game: &'static str,
    /// The levels of the game's robot; level 1 is first.
    pub levels: &'static [Level],
    choose_move: ChooseMove,
    advise: Advise,
    analyse: Analyse,
    is_worth_a_swap: fn(&str) -> bool,
}

type ChooseMove = fn(&str, &Limits, &AtomicBool) -> Result<Option<Choice>, SetupError>;
type Advise = fn(&str, &Limits, &AtomicBool) -> Result<Option<Advice>, SetupError>;
type Analyse = fn(&str, &[String], &Limits, &AtomicBool) -> Result<Option<Analysis>, String>;

/// Every game that the robot plays. To add a game, write a [`Hint`](super::Hint), a [`Playout`](super::Playout) or a
/// [`Judge`](super::Judge), and a line here.
pub static ROBOTS: &[Robot] = &[
    Robot::new::<Evaluated<Dvonn>>("dvonn", &DVONN),
    Robot::new::<Evaluated<Hexmeister>>("hexmeister", &HEXMEISTER),
    Robot::new::<Evaluated<Game<Breakthrough>>>("breakthrough", &BREAKTHROUGH),
    Robot::new::<Evaluated<Game<Reversi>>>("reversi", &REVERSI),
    Robot::new::<Evaluated<Game<LinesOfAction>>>("loa", &LINES_OF_ACTION),
    Robot::new::<Evaluated<Game<Amazons>>>("amazons", &AMAZONS),
    Robot::new::<Evaluated<Game<Chess>>>("chess", &CHESS),
    Robot::new::<Evaluated<Game<Draughts>>>("draughts", &DRAUGHTS),
    Robot::new::<Playouts<Stones<Hex>>>("hex", &HEX_AND_Y),
    Robot::new::<Playouts<Stones<Y>>>("y", &HEX_AND_Y),
    Robot::new::<Playouts<Stones<Havannah>>>("havannah", &HAVANNAH),
    Robot::new::<Evaluated<Game<Gomoku>>>("gomoku", &GOMOKU),
    Robot::new::<Playouts<GoBoard>>("go", &GO),
    Robot::new::<Judged<Backgammon<Standard>>>("backgammon", &BACKGAMMON),
    Robot::new::<Judged<Backgammon<Nackgammon>>>("nackgammon", &BACKGAMMON),
    Robot::new::<Judged<Backgammon<Hypergammon>>>("hypergammon", &BACKGAMMON),
    Robot::new::<Judged<Game<Einstein>>>("einstein", &EINSTEIN),
];

/// The robot of the game with this key.
pub fn find(game: &str) -> Option<&'static Robot> {
    ROBOTS.iter().find(|robot| robot.game == game)
}

impl Robot {
    const fn new<M: Mind>(game: &'static str, levels: &'static [Level]) -> Robot {
        Robot {
            game,
            levels,
            choose_move: choose_move::<M>,
            advise: advise::<M>,
            analyse: analyse::<M>,
            is_worth_a_swap: |position| {
                M::Game::read(position).is_ok_and(|position| M::is_worth_a_swap(&position))
            },
        }
    }

    /// The level with this number, from 1; `None` if the game has no such level.
    pub fn level(&self, level: u8) -> Option<&'static Level> {
        self.levels.get(usize::from(level).checked_sub(1)?)
    }

    /// Chooses a move; `None` if the game is over or the dice are next. Setting `cancel` ends the search at once with the best move so far.
    ///
    /// # Errors
    /// If the position cannot be read.
    pub fn choose_move(
        &self,
        position: &str,
        limits: &Limits,
        cancel: &AtomicBool,
    ) -> Result<Option<Choice>, SetupError> {
        (self.choose_move)(position, limits, cancel)
    }

    /// Chooses a move and gives the reason for it; `None` if the game is over.
    ///
    /// # Errors
    /// If the position cannot be read.
    pub fn advise(
        &self,
        position: &str,
        limits: &Limits,
        cancel: &AtomicBool,
    ) -> Result<Option<Advice>, SetupError> {
        (self.advise)(position, limits, cancel)
    }

    /// True if the first ply of a game, which led to `position`, is so good that the second player should swap
    /// seats. False if the robot cannot tell.
    pub fn is_worth_a_swap(&self, position: &str) -> bool {
        (self.is_worth_a_swap)(position)
    }

    /// Analyses a game. Searches each position within the limits. `None` if the analysis was cancelled.
    ///
    /// # Errors
    /// If the position or a ply cannot be read, or the rules forbid the ply.
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

fn choose_move<M: Mind>(
    text: &str,
    limits: &Limits,
    cancel: &AtomicBool,
) -> Result<Option<Choice>, SetupError> {
    let position = M::Game::read(text)?;
    Ok(M::search(&position, limits, cancel).map(|found| {
        let mut after = position.clone();
        let mut variation = Vec::new();
        for ply in &found.variation {
            variation.push(after.write_move(*ply));
            after.make(*ply);
        }
        Choice {
            best_move: position.write_move(found.best_move),
            value: found.value,
            value_text: M::write_value(found.value),
            exact: found.exact,
            resigns: found.resigns,
            depth: found.depth,
            nodes: found.nodes,
            variation,
            elapsed: found.elapsed,
        }
    }))
}
