//! The robot as the rest of the house sees it: text in, text out, for any game it plays.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use super::analysis::{Analysis, analyse};
use super::duel::{Tally, duel};
use super::levels::{DVONN, HEXMEISTER, Level};
use super::limits::Limits;
use super::mind::Mind;
use super::search::think;
use turnpost_games::SetupError;
use turnpost_games::dvonn::Dvonn;
use turnpost_games::hexmeister::Hexmeister;

/// What the robot says of a position.
#[derive(Debug, Clone, PartialEq)]
pub struct Advice {
    /// The ply to play, as it is written.
    pub ply: String,
    /// What it is worth to the side to move, in hundredths of a point.
    pub value: i32,
    /// The same in the words of the game.
    pub worth: String,
    /// Whether that is the exact result against best play.
    pub exact: bool,
    /// How many plies deep it looked.
    pub depth: u32,
    /// How many positions it made.
    pub nodes: u64,
    /// The plies it expects.
    pub line: Vec<String>,
    /// How long it took.
    pub took: Duration,
}

/// Two players, the number of openings, the seed they are drawn from, and who is shown the tally on the way.
pub type Duel = fn([&Limits; 2], u32, u64, &mut dyn FnMut(&Tally)) -> Tally;

/// A position's text, the plies played from it, what bounds the search of each position, and a flag to cancel by.
pub type Analyse = fn(&str, &[String], &Limits, &AtomicBool) -> Result<Option<Analysis>, String>;

/// A game the robot plays.
pub struct Robot {
    /// The game's key, as in the registry.
    pub game: &'static str,
    /// Its levels, from 1.
    pub levels: &'static [Level],
    /// Thinks about the position of this text; nothing when the game is over. Setting the flag ends it at once.
    pub advise: fn(&str, &Limits, &AtomicBool) -> Result<Option<Advice>, SetupError>,
    /// Plays a match: see [`duel`].
    pub duel: Duel,
    /// Looks back at the game that began at a position and went on by these plies, each position searched within these
    /// limits; nothing when it was cancelled.
    pub analyse: Analyse,
}

/// Every game the robot plays. A new one is its [`Mind`] and its line here.
pub static ROBOTS: &[Robot] = &[
    Robot {
        game: "dvonn",
        levels: &DVONN,
        advise: advise::<Dvonn>,
        duel: duel::<Dvonn>,
        analyse: analyse::<Dvonn>,
    },
    Robot {
        game: "hexmeister",
        levels: &HEXMEISTER,
        advise: advise::<Hexmeister>,
        duel: duel::<Hexmeister>,
        analyse: analyse::<Hexmeister>,
    },
];

impl std::fmt::Debug for Robot {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}, {} levels", self.game, self.levels.len())
    }
}

/// The robot of the game with this key.
pub fn find(game: &str) -> Option<&'static Robot> {
    ROBOTS.iter().find(|robot| robot.game == game)
}

impl Robot {
    /// A level, from 1.
    pub fn level(&self, level: u8) -> Option<&'static Level> {
        self.levels.get(usize::from(level).checked_sub(1)?)
    }
}

fn advise<P: Mind>(text: &str, limits: &Limits, cancel: &AtomicBool) -> Result<Option<Advice>, SetupError> {
    let position = P::read(text)?;
    Ok(think(&position, limits, cancel).map(|thought| {
        let mut after = position.clone();
        let mut line = Vec::new();
        for ply in &thought.line {
            line.push(after.write_move(*ply));
            after.make(*ply);
        }
        Advice {
            ply: position.write_move(thought.best),
            value: thought.value,
            worth: P::write_value(thought.value),
            exact: thought.exact,
            depth: thought.depth,
            nodes: thought.made,
            line,
            took: thought.took,
        }
    }))
}
