//! Decides which players can start a board against the robot.

use turnpost_games::GameKind;
use turnpost_games::scene::Thing;
use turnpost_robot::Robot;

use crate::failure::{CommandError, Refusal, refusal, refuse};
use crate::ids::Userid;
use crate::play::Context;
use crate::play::robot::accounts;
use crate::store::Account;

pub(crate) fn robot_is_off() -> Refusal {
    refusal!("The robot of this server is switched off.")
}

/// The robot that plays and analyses a game.
pub(crate) fn robot_of(game: &GameKind) -> Result<&'static Robot, Refusal> {
    turnpost_robot::find(game.key)
        .ok_or_else(|| refusal!("The robot does not know {game}.", game = game.name))
}

pub(crate) fn robot_may_play(
    ctx: &Context<'_>,
    game: &'static GameKind,
    players: &[Account; 2],
) -> Result<(), CommandError> {
    let [first, second] = players;
    let (robot, person) = match (first.id.is_robot(), second.id.is_robot()) {
        (false, false) => return Ok(()),
        (true, true) => {
            return refuse!("One of the two players must be a person: programs do not play each other here.");
        }
        (true, false) => (first, second),
        (false, true) => (second, first),
    };
    let rules = ctx.robot.rules;
    if !rules.enabled {
        return Err(robot_is_off().into());
    }
    match robot.id.level() {
        Some(level) => robot_plays_at(game, level)?,
        None => engine_plays(ctx, game, &robot.userid)?,
    }
    if ctx.store.games_with_robot(person.id)? >= rules.games {
        return refuse!(
            "{userid} plays {most} games with programs already, the most for one player.",
            userid = person.userid,
            most = rules.games
        );
    }
    Ok(())
}

fn robot_plays_at(game: &'static GameKind, level: u8) -> Result<(), Refusal> {
    let robot = robot_of(game)?;
    if robot.level(level).is_some() {
        return Ok(());
    }
    let levels = u8::try_from(robot.levels.len()).unwrap_or(u8::MAX);
    Err(refusal!(
        "The robot plays {game} at levels 1 to {levels}: {}.",
        accounts("robot", levels),
        game = game.name
    ))
}

fn engine_plays(ctx: &Context<'_>, game: &'static GameKind, userid: &Userid) -> Result<(), Refusal> {
    let Some(seated) = ctx.robot.rules.engines.of(userid) else {
        return Err(refusal!("{userid} does not play here any more."));
    };
    match seated.config.kind() {
        Some(own) if own.key == game.key => Ok(()),
        own => Err(refusal!(
            "{userid} does not play {game}, but {}.",
            own.map_or("nothing", |own| own.name),
            game = game.name
        )),
    }
}

/// Refuses a chosen position that could be used to get advice. Against the robot: if the player has a running
/// game of that kind. Between people: if a running board of either has that position or its mirror image.
pub(crate) fn may_choose_position(
    ctx: &Context<'_>,
    game: &'static GameKind,
    players: &[Account; 2],
    position: &str,
) -> Result<(), CommandError> {
    let with_robot = players.iter().any(|player| player.id.is_robot());
    let chosen = board_of(game, position).map(|board| mirrors(&board)).unwrap_or_default();
    for player in players.iter().filter(|player| !player.id.is_robot()) {
        let running = ctx.store.running_positions(player.id, game.key)?;
        let (userid, name) = (&player.userid, game.name);
        if with_robot && !running.is_empty() {
            return refuse!(
                "{userid} has a game of {name} in play. A board from a given position could be used to ask for advice \
                on it, so one is started only for players who have none."
            );
        }
        if running.iter().filter_map(|text| board_of(game, text)).any(|board| chosen.contains(&board)) {
            return refuse!(
                "This position, or its mirror, is on a board of {name} that {userid} has in play, so no other \
                board can begin with it."
            );
        }
    }
    Ok(())
}

/// The rows of a board; each space holds a thing or nothing.
type Rows = Vec<Vec<Option<Thing>>>;

/// The board of a position, without the side to move.
fn board_of(game: &GameKind, position: &str) -> Option<Rows> {
    let scene = (game.read)(position).ok()?.look();
    Some(scene.rows().into_iter().map(|row| row.into_iter().map(|space| space.thing).collect()).collect())
}

/// The board, its mirror images and its rotations: rows reversed, each row reversed, and both with columns as
/// rows.
fn mirrors(plain: &Rows) -> Vec<Rows> {
    let longest = plain.iter().map(Vec::len).max().unwrap_or_default();
    let columns = (0..longest).map(|at| plain.iter().filter_map(|row| row.get(at).copied()).collect());
    let mut mirrors = vec![plain.clone(), columns.collect()];
    for turned in [true, false] {
        for index in 0..mirrors.len() {
            let mut mirror = mirrors.get(index).cloned().unwrap_or_default();
            if turned {
                mirror.reverse()
            } else {
                mirror.iter_mut().for_each(|row| row.reverse())
            }
            mirrors.push(mirror);
        }
    }
    mirrors
}
