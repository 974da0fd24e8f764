//! Decides who may start a board against the robot.

use turnpost_games::GameKind;

use crate::ids::Userid;
use crate::service::CommandError;
use crate::service::context::Context;
use crate::service::refusal::{Refuse, refuses};
use crate::store::Account;

#[derive(Debug, thiserror::Error)]
pub(super) enum RobotRefusal {
    #[error("The robot of this server is switched off.")]
    Off,
    #[error("One of the two players must be a person: the robot does not play itself here.")]
    TwoRobots,
    #[error("The robot does not play {game}.")]
    NotItsGame { game: &'static str },
    #[error("The robot plays {game} at levels 1 to {levels}: {}.", accounts(*levels))]
    NoSuchLevel { game: &'static str, levels: u8 },
    #[error("{userid} has {most} games with the robot in play, which is as many as one player may have.")]
    Enough { userid: Userid, most: u32 },
    #[error(
        "{userid} has a game of {game} in play. A board from a given position could be used to ask for advice on it, so \
        one is started only for players who have none."
    )]
    PlaysAlready { userid: Userid, game: &'static str },
    #[error("The robot agrees to no draws: play on, or resign.")]
    NoDraws,
    #[error("The robot lets you take back a ply in unrated games only, and this one is rated.")]
    NothingBack,
}

impl Refuse for RobotRefusal {}

refuses!(RobotRefusal);

pub(super) fn robot_may_play(
    ctx: &Context<'_>,
    game: &'static GameKind,
    players: &[Account; 2],
) -> Result<(), CommandError> {
    let [first, second] = players;
    let (level, person) = match (first.id.level(), second.id.level()) {
        (None, None) => return Ok(()),
        (Some(_), Some(_)) => return Err(RobotRefusal::TwoRobots.into()),
        (Some(level), None) => (level, second),
        (None, Some(level)) => (level, first),
    };
    let rules = ctx.robot.rules;
    if !rules.enabled {
        return Err(RobotRefusal::Off.into());
    }
    let Some(robot) = turnpost_robot::find(game.key) else {
        return Err(RobotRefusal::NotItsGame { game: game.name }.into());
    };
    if robot.level(level).is_none() {
        let levels = u8::try_from(robot.levels.len()).unwrap_or(u8::MAX);
        return Err(RobotRefusal::NoSuchLevel { game: game.name, levels }.into());
    }
    if ctx.store.games_with_robot(person.id)? >= rules.games {
        return Err(RobotRefusal::Enough { userid: person.userid.clone(), most: rules.games }.into());
    }
    Ok(())
}

/// Refuses a chosen position to players with a running game of that kind: they could copy its position and let the
/// robot find their moves.
pub(super) fn may_choose_position(
    ctx: &Context<'_>,
    game: &'static GameKind,
    players: &[Account; 2],
) -> Result<(), CommandError> {
    for player in players.iter().filter(|player| !player.id.is_robot()) {
        if ctx.store.has_a_running_game(player.id, game.key)? {
            let userid = player.userid.clone();
            return Err(RobotRefusal::PlaysAlready { userid, game: game.name }.into());
        }
    }
    Ok(())
}

fn accounts(levels: u8) -> String {
    let names: Vec<String> = (1..=levels).map(|level| format!("robot-{level}")).collect();
    match names.split_last() {
        Some((last, before)) if !before.is_empty() => format!("{} and {last}", before.join(", ")),
        _ => names.join(""),
    }
}
