//! Decides who may start a board against the robot.

use turnpost_games::GameKind;

use crate::failure::{CommandError, Refusal, refusal, refuse};
use crate::play::Context;
use crate::store::Account;

pub(crate) fn robot_is_off() -> Refusal {
    refusal!("The robot of this server is switched off.")
}

pub(crate) fn robot_may_play(
    ctx: &Context<'_>,
    game: &'static GameKind,
    players: &[Account; 2],
) -> Result<(), CommandError> {
    let [first, second] = players;
    let (level, person) = match (first.id.level(), second.id.level()) {
        (None, None) => return Ok(()),
        (Some(_), Some(_)) => {
            return refuse!("One of the two players must be a person: the robot does not play itself here.");
        }
        (Some(level), None) => (level, second),
        (None, Some(level)) => (level, first),
    };
    let rules = ctx.robot.rules;
    if !rules.enabled {
        return Err(robot_is_off().into());
    }
    let Some(robot) = turnpost_robot::find(game.key) else {
        return refuse!("The robot does not play {game}.", game = game.name);
    };
    if robot.level(level).is_none() {
        let levels = u8::try_from(robot.levels.len()).unwrap_or(u8::MAX);
        return refuse!(
            "The robot plays {game} at levels 1 to {levels}: {}.",
            accounts(levels),
            game = game.name
        );
    }
    if ctx.store.games_with_robot(person.id)? >= rules.games {
        return refuse!(
            "{userid} plays {most} games with the robot already, the most for one player.",
            userid = person.userid,
            most = rules.games
        );
    }
    Ok(())
}

/// Refuses a chosen position that could be used to ask for advice: against the robot to players with a running game of
/// that kind, and between people where that very position, or its mirror, stands on a running board of theirs.
pub(crate) fn may_choose_position(
    ctx: &Context<'_>,
    game: &'static GameKind,
    players: &[Account; 2],
    position: &str,
) -> Result<(), CommandError> {
    let with_robot = players.iter().any(|player| player.id.is_robot());
    let chosen = mirrors(&board_of(position));
    for player in players.iter().filter(|player| !player.id.is_robot()) {
        let running = ctx.store.running_positions(player.id, game.key)?;
        let (userid, game) = (player.userid.clone(), game.name);
        if with_robot && !running.is_empty() {
            return refuse!(
                "{userid} has a game of {game} in play. A board from a given position could be used to ask for advice \
                on it, so one is started only for players who have none."
            );
        }
        if running.iter().any(|position| chosen.contains(&board_of(position))) {
            return refuse!(
                "This position, or its mirror, stands on a board of {game} that {userid} has in play, so no other \
                board may begin with it."
            );
        }
    }
    Ok(())
}

/// The rows of a board, each a list of its spaces.
type Rows<'t> = Vec<Vec<&'t str>>;

/// The board of a position, without the side to move.
fn board_of(position: &str) -> Rows<'_> {
    let rows = position.split_whitespace().next().unwrap_or_default().split('/');
    rows.map(|row| match row.contains(',') {
        true => row.split(',').collect(),
        false => row.split_inclusive(|_: char| true).collect(),
    })
    .collect()
}

/// A board and its mirrors: rows, and the spaces of each row, from either end.
fn mirrors<'t>(plain: &Rows<'t>) -> [Rows<'t>; 4] {
    let mirrored: Rows<'t> = plain.iter().map(|row| row.iter().rev().copied().collect()).collect();
    let turned = |rows: &Rows<'t>| -> Rows<'t> { rows.iter().rev().cloned().collect() };
    [turned(plain), turned(&mirrored), mirrored, plain.clone()]
}

fn accounts(levels: u8) -> String {
    let names: Vec<String> = (1..=levels).map(|level| format!("robot-{level}")).collect();
    match names.split_last() {
        Some((last, before)) if !before.is_empty() => format!("{} and {last}", before.join(", ")),
        _ => names.join(""),
    }
}
