//! Games of DVONN against another program that speaks the CodeCup manner: how strong the robot is beside others.
//!
//! Every game is a whole one, pieces placed by the two programs themselves. Whoever calls starts the other program.

use std::time::{Duration, Instant};

use super::codecup::{Player, written};
use super::duel::Tally;
use super::limits::Limits;
use super::mind::mix;
use turnpost_games::{Outcome, Position, Seat};

/// The other program, for one game.
pub trait Guest {
    /// Its next line, without the space around it; nothing when it has ended.
    fn hear(&mut self) -> String;

    /// Tells it a line. That it has ended shows when its next ply is asked for.
    fn tell(&mut self, line: &str);
}

/// What came of a game.
#[derive(Debug, Clone)]
pub struct Met {
    /// The robot's seat.
    pub robot: Seat,
    /// The end of the game, or what the other program did wrong: the game is the robot's then.
    pub end: Result<Outcome, String>,
    /// What the robot took, and what the other program did.
    pub took: [Duration; 2],
}

/// Plays pairs of games with sides changed, and shows each game with the tally so far. The robot's time for a game is
/// `game_time`; if there is none, `limits` bound each ply.
///
/// # Errors
/// When the other program cannot be started.
pub fn meet<G: Guest, E>(
    start: &mut dyn FnMut() -> Result<G, E>,
    (game_time, limits): (Option<Duration>, &Limits),
    pairs: u32,
    after: &mut dyn FnMut(&Met, &Tally),
) -> Result<Tally, E> {
    let mut tally = Tally::default();
    for pair in 0..u64::from(pairs) {
        let limits = Limits { seed: mix(limits.seed ^ mix(pair)), ..limits.clone() };
        let mut half_points = 0;
        for robot in Seat::BOTH {
            let met = game(&mut start()?, Player::new(game_time, &limits), robot);
            let winner = met.end.as_ref().map_or(Some(robot), |outcome| outcome.winner);
            half_points += tally.count(winner, robot);
            after(&met, &tally);
        }
        tally.pairs.push(half_points);
    }
    Ok(tally)
}

/// One game.
fn game(guest: &mut dyn Guest, mut player: Player, robot: Seat) -> Met {
    let mut took = [Duration::ZERO; 2];
    if robot == Seat::Second {
        guest.tell("Start");
    }
    let end = loop {
        let position = player.position();
        if let Some(outcome) = position.outcome() {
            guest.tell("Quit");
            break Ok(outcome);
        }
        let own = position.to_move() == robot;
        let started = Instant::now();
        if own {
            // Its first piece by chance, or against a program that always does the same every game would be the same.
            let ply = if position.placed() < 2 { player.by_chance() } else { player.choose() };
            player.make(ply);
            took[0] += started.elapsed();
            guest.tell(&written(ply));
        } else {
            let line = guest.hear();
            took[1] += started.elapsed();
            if line.is_empty() {
                break Err("it ended before the game did".to_owned());
            }
            if let Err(broken) = player.hear(&line) {
                break Err(broken.to_string());
            }
        }
    };
    Met { robot, end, took }
}
