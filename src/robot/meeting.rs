//! Games of DVONN against another program that speaks the CodeCup manner: how strong the robot is beside others.
//!
//! Every game is a whole one, pieces placed by the two programs themselves, and a fresh process of the other program.

use std::io::{self, BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use super::codecup::{Broken, Budget, Player, written};
use super::duel::Tally;
use super::limits::Limits;
use super::mind::mix;
use crate::game::{Outcome, Position, Seat};

/// What came of a game.
#[derive(Debug, Clone)]
pub struct Met {
    /// The robot's seat.
    pub robot: Seat,
    /// The end of the game; `None` when the other program did not play it to its end.
    pub outcome: Option<Outcome>,
    /// What the robot took, and what the other program did.
    pub took: [Duration; 2],
    /// What the other program did wrong: the game is the robot's then.
    pub broken: Option<String>,
}

/// The other program, for one game.
struct Guest {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Guest {
    fn start(program: &str, arguments: &[String]) -> io::Result<Guest> {
        let mut command = Command::new(program);
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn()?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(io::Error::other("it has no standard input and output"));
        };
        Ok(Guest { child, input, output: BufReader::new(output) })
    }

    /// Its next ply. What it wrote, and nothing when it has ended.
    fn hear(&mut self) -> String {
        let mut line = String::new();
        while line.trim().is_empty() {
            line.clear();
            match self.output.read_line(&mut line) {
                Ok(count) if count > 0 => {}
                _ => return String::new(),
            }
        }
        line.trim().to_owned()
    }

    /// That it has ended shows when its next ply is asked for.
    fn tell(&mut self, line: &str) {
        let told = writeln!(self.input, "{line}").and_then(|()| self.input.flush());
        told.unwrap_or_default();
    }
}

impl Drop for Guest {
    fn drop(&mut self) {
        self.child.kill().unwrap_or_default();
        self.child.wait().map(drop).unwrap_or_default();
    }
}

/// Plays pairs of games with sides changed, and shows each game with the tally so far.
///
/// # Errors
/// When the program cannot be started.
pub fn meet(
    (program, arguments): (&str, &[String]),
    (budget, limits): (&Budget, &Limits),
    pairs: u32,
    after: &mut dyn FnMut(&Met, &Tally),
) -> io::Result<Tally> {
    let mut tally = Tally::default();
    for pair in 0..u64::from(pairs) {
        let mut half_points = 0;
        for robot in Seat::BOTH {
            let limits = Limits { seed: mix(limits.seed ^ mix(pair)), ..limits.clone() };
            let met = game(Guest::start(program, arguments)?, Player::new(budget, &limits), robot);
            let winner = if met.broken.is_some() {
                Some(robot)
            } else {
                met.outcome.as_ref().and_then(|outcome| outcome.winner)
            };
            half_points += tally.count(winner, robot);
            after(&met, &tally);
        }
        tally.pairs.push(half_points);
    }
    Ok(tally)
}

/// One game.
fn game(mut guest: Guest, mut player: Player, robot: Seat) -> Met {
    let mut took = [Duration::ZERO; 2];
    if robot == Seat::Second {
        guest.tell("Start");
    }
    loop {
        let position = player.position();
        let outcome = position.outcome();
        if outcome.is_some() {
            guest.tell("Quit");
            return Met { robot, outcome, took, broken: None };
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
            let heard = if line.is_empty() {
                Err("it ended before the game did".to_owned())
            } else {
                player.hear(&line).map_err(|broken: Broken| broken.to_string())
            };
            if let Err(why) = heard {
                return Met { robot, outcome: None, took, broken: Some(why) };
            }
        }
    }
}
