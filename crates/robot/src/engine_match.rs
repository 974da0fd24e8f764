//! Matches of DVONN against another program that speaks the CodeCup protocol. The caller starts the program.

use std::time::{Duration, Instant};

use super::codecup::{Player, write_ply};
use super::level_match::Tally;
use super::limits::Limits;
use super::zobrist::mix;
use turnpost_games::dvonn::board::DVONN_PIECES;
use turnpost_games::{Outcome, Position, Seat};

/// The other program, for one game.
pub trait Engine {
    /// Its next line, trimmed; empty when it has ended.
    fn receive(&mut self) -> String;

    /// Sends it a line. That it has ended shows when its next ply is asked for.
    fn send(&mut self, line: &str);
}

/// What came of a game.
#[derive(Debug, Clone)]
pub struct GameReport {
    /// The robot's seat.
    pub robot: Seat,
    /// The end of the game, or what the other program did wrong: the game is the robot's then.
    pub end: Result<Outcome, String>,
    /// What the robot elapsed, and what the other program did.
    pub elapsed: [Duration; 2],
}

/// Plays pairs of games with sides changed, and shows each game with the tally so far. The robot's time for a game is
/// `game_time`; if there is none, `limits` bound each ply.
///
/// # Errors
/// When the other program cannot be started.
pub fn play_engine<G: Engine, E>(
    start: &mut dyn FnMut() -> Result<G, E>,
    (game_time, limits): (Option<Duration>, &Limits),
    pairs: u32,
    after: &mut dyn FnMut(&GameReport, &Tally),
) -> Result<Tally, E> {
    let mut tally = Tally::default();
    for pair in 0..u64::from(pairs) {
        let limits = Limits { seed: mix(limits.seed ^ mix(pair)), ..limits.clone() };
        let mut half_points = 0;
        for robot in Seat::BOTH {
            let report = play_game(&mut start()?, Player::new(game_time, &limits), robot);
            let winner = report.end.as_ref().map_or(Some(robot), |outcome| outcome.winner);
            half_points += tally.count(winner, robot);
            after(&report, &tally);
        }
        tally.pairs.push(half_points);
    }
    Ok(tally)
}

/// One game.
fn play_game(engine: &mut dyn Engine, mut player: Player, robot: Seat) -> GameReport {
    let mut elapsed = [Duration::ZERO; 2];
    if robot == Seat::Second {
        engine.send("Start");
    }
    let end = loop {
        let position = player.position();
        if let Some(outcome) = position.outcome() {
            engine.send("Quit");
            break Ok(outcome);
        }
        let own = position.to_move() == robot;
        let started = Instant::now();
        if own {
            // DVONN pieces by chance, or two programs that always do the same would play the same game again.
            let ply = if position.placed() < DVONN_PIECES { player.random_ply() } else { player.choose() };
            player.make(ply);
            elapsed[0] += started.elapsed();
            engine.send(&write_ply(ply));
        } else {
            let line = engine.receive();
            elapsed[1] += started.elapsed();
            if line.is_empty() {
                break Err("it ended before the game did".to_owned());
            }
            if let Err(broken) = player.hear(&line) {
                break Err(broken.to_string());
            }
        }
    };
    GameReport { robot, end, elapsed }
}
