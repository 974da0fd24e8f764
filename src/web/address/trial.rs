//! A visitor's game against the robot, and the first board of a person who has tried one.

use turnpost_games::GameKind;

use super::query::{Query, game_of, number_of};

/// The first board that a person asks for.
#[derive(Debug, Clone)]
pub(crate) struct WantedBoard {
    pub game: Option<&'static GameKind>,
    /// The number of the seek to accept; else the board is against the robot.
    pub seek: Option<u32>,
    pub trial: Trial,
}

/// A visitor's game against the robot.
#[derive(Debug, Clone)]
pub(crate) enum Trial {
    /// A game to begin.
    New { level: u8 },
    On {
        record: TrialRecord,
        code: String,
        step: Step,
        /// True if the board is shown from its other side.
        flip: bool,
    },
}

/// The full state of a visitor's game: replaying the plies gives the position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TrialRecord {
    pub level: u8,
    pub seed: u64,
    pub plies: Vec<String>,
}

/// What the visitor does in a running game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Step {
    Look,
    /// Chooses the first spaces of a ply.
    From(String),
    /// Plays a ply.
    Make(String),
}

/// The robot levels that visitors without an account can play.
pub(crate) const LEVELS: std::ops::RangeInclusive<u8> = 1..=3;

impl Trial {
    pub(super) fn read(query: &str) -> Option<Trial> {
        let query = Query::read(query, &["level", "seed", "code", "plies", "from", "make", "flip"])?;
        let level = query.optional("level", number_of)?.unwrap_or(1);
        let level = u8::try_from(level).ok().filter(|level| LEVELS.contains(level))?;
        let (code, plies) = (query.take("code"), query.take_words("plies"));
        let step = match (query.take("from"), query.take("make")) {
            (None, None) => Step::Look,
            (Some(from), None) => Step::From(from.to_owned()),
            (None, Some(ply)) => Step::Make(ply.to_owned()),
            (Some(_), Some(_)) => return None,
        };
        match query.take("seed") {
            Some(seed) => {
                let record = TrialRecord { level, seed: seed.parse().ok()?, plies };
                Some(Trial::On { record, code: code?.to_owned(), step, flip: query.has("flip") })
            }
            None => {
                (code.is_none() && plies.is_empty() && step == Step::Look).then_some(Trial::New { level })
            }
        }
    }
}

impl WantedBoard {
    pub(super) fn read(query: &str) -> Option<WantedBoard> {
        let known = Query::read(query, &["game", "seek"])?;
        Some(WantedBoard {
            game: known.optional("game", game_of)?,
            seek: known.optional("seek", number_of)?,
            trial: Trial::read(query)?,
        })
    }
}
