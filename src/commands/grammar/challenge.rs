//! Starting a board.
//!
//! ```text
//! game challenge [options] userid1 userid2      (`robot` with --level=N is `robot-N`)
//! ```

use crate::commands::{Command, Entry};
use crate::ids::Userid;
use crate::language::args::{Args, ArgumentError};
use crate::language::options::board_options;
use crate::language::{BoardOptions, Parameters, ROBOT, WriterPlace, robot_userid};
use turnpost_games::GameKind;

#[derive(Debug, Clone)]
pub struct Challenge {
    pub game: &'static GameKind,
    pub options: BoardOptions,
    /// Sits on the first seat.
    pub first: Userid,
    pub second: Userid,
}

impl Parameters for Challenge {}

pub(crate) const CHALLENGE: Entry = Entry {
    aliases: &["chall"],
    summary: "starts a board at once; userid1 has the first move",
    details: "From mail, the sender must be one of the two; your own userid may be left out, and you have the first move \
              then: `GAME challenge robot`. The game's own options are on its help page. Those of every \
              game: `-position=\"...\"` starts from a position text, unrated; `--nagtime=D` days until a reminder (7), \
              `--forfeittime=D` days until the player to move loses (21), `--totaltime=D` days for all of a player's moves \
              (none), each with 0 for never; `--unrated` keeps the board out of the ratings; `--lots` draws who is \
              first; `--swap` lets the second player answer ply 1 with `swap`. `robot` in place of a userid is the robot: \
              --level=N says how well it plays, from 1 (a beginner can beat it) to 9; 3 where it is not given. `robot-5` is \
              the robot at level 5; each level has a rating of its own. It plays Hexmeister at levels 1 to 3.\n\nThe robot \
              answers in the answer to your move, or, at the highest levels, in a mail that follows. It agrees to no draws, \
              lets you take back a ply in unrated games, changes no seats, and takes no seeks. Nobody plays more than a few \
              games with it at once. Nobody who has a game in play starts another of the same kind from a given position, \
              against anybody: it could be used to ask for advice.",
    example: "GAME challenge ann bob",
    operands: 2,
    writer: WriterPlace::First(
        "Nothing in this letter proves who wrote it, so the userid of the second player is missing at the end. In full:",
    ),
    ..Entry::of_game("challenge", "[options] userid1 userid2", read)
};

fn read(args: &mut Args) -> Result<Command, ArgumentError> {
    let game = args.game;
    let mut options = board_options(args)?;
    let [first, second] = players(args, options.level.take())?;
    Ok(Command::Challenge(Challenge { game, options, first, second }))
}

/// Two userids; `robot` is the robot at `level`.
pub(crate) fn players(args: &mut Args, level: Option<u8>) -> Result<[Userid; 2], ArgumentError> {
    let mut players =
        [args.userid("the userid of the first player")?, args.userid("the userid of the second player")?];
    let mut named = 0;
    for player in &mut players {
        if player.as_str().eq_ignore_ascii_case(ROBOT)
            && let Some(robot) = robot_userid(level)
        {
            *player = robot;
            named += 1;
        }
    }
    if level.is_some() && named == 0 {
        return Err(ArgumentError::at_end("--level is for a game against `robot`"));
    }
    Ok(players)
}
