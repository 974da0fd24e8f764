//! Why the robot does not do what it is asked, and why it is not asked, each with its sentence.

use crate::ids::{BoardId, Userid};
use crate::service::{CommandError, Refusal};

/// A command about the robot or analysis that was read and not carried out.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Excuse {
    /// Somebody speaks for it.
    #[error("{userid} is the robot, and nobody speaks for it.")]
    NobodySpeaks {
        /// Its account.
        userid: Userid,
    },
    /// The host has no use for it.
    #[error("The robot of this server is switched off.")]
    Off,
    /// It does not play that game at that level.
    #[error("The robot plays {game} at levels 1 to {levels}: {}.", accounts(*levels))]
    NoSuchLevel {
        /// The game's name.
        game: &'static str,
        /// The highest level.
        levels: u8,
    },
    /// It does not play that game.
    #[error("The robot does not play {game}.")]
    NotItsGame {
        /// The game's name.
        game: &'static str,
    },
    /// It plays people only.
    #[error("One of the two players must be a person: the robot does not play itself here.")]
    TwoRobots,
    /// A player has as many games with it as one may.
    #[error("{userid} has {most} games with the robot in play, which is as many as one player may have.")]
    Enough {
        /// Who.
        userid: Userid,
        /// How many are allowed.
        most: u32,
    },
    /// It agrees to no draws.
    #[error("The robot agrees to no draws: play on, or resign.")]
    NoDraws,
    /// It gives nothing back where ratings count.
    #[error("The robot lets you take back a ply in unrated games only, and this one is rated.")]
    NothingBack,
    /// It reads no words.
    #[error("{userid} is the robot and reads no messages. Nothing was sent.")]
    ReadsNothing {
        /// Its account.
        userid: Userid,
    },
    /// It moves as soon as it can.
    #[error("{userid} is the robot: it moves as soon as its turn to think comes.")]
    NeedsNoNudge {
        /// Its account.
        userid: Userid,
    },
    /// A given position might be that of a game in play.
    #[error(
        "{userid} has a game of {game} in play. A board from a given position could be used to ask for advice on it, so \
         one is started only for players who have none."
    )]
    PlaysAlready {
        /// Who.
        userid: Userid,
        /// The game's name.
        game: &'static str,
    },
    /// Games in play are not analysed.
    #[error("Board {board} is in play. Only games that are over are analysed.")]
    InPlay {
        /// The board.
        board: BoardId,
    },
    /// A board that went away before it began.
    #[error("Board {board} was declined; there is nothing to analyse.")]
    NothingPlayed {
        /// The board.
        board: BoardId,
    },
    /// Nobody to send it to.
    #[error(
        "An analysis is mailed to a player when it is made, and this letter comes from no player's address."
    )]
    NoReader,
    /// Too many at once.
    #[error("You wait for {most} analyses already. Ask again when they have come.")]
    Patience {
        /// How many are allowed.
        most: u32,
    },
}

/// `robot-1, robot-2 and robot-3`.
fn accounts(levels: u8) -> String {
    let names: Vec<String> = (1..=levels).map(|level| format!("robot-{level}")).collect();
    match names.split_last() {
        Some((last, before)) if !before.is_empty() => format!("{} and {last}", before.join(", ")),
        _ => names.join(""),
    }
}

impl From<Excuse> for CommandError {
    fn from(excuse: Excuse) -> CommandError {
        CommandError::Refused(Refusal::Robot(excuse))
    }
}
