//! Matches of DVONN against another program that speaks the CodeCup protocol.

use std::io::{self, BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use turnpost_games::dvonn::board::DVONN_PIECES;
use turnpost_games::{Outcome, Position, Seat};
use turnpost_robot::{Limits, mix};

use crate::codecup::{Player, write_ply};
use crate::tally::Tally;

/// The other program, for one game. It is ended when this is dropped.
struct Engine {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Engine {
    /// Starts it. What it says on standard error is not heard.
    fn start(command: &[String]) -> io::Result<Engine> {
        let (program, arguments) = command.split_first().ok_or_else(|| io::Error::other("no program"))?;
        let mut command = Command::new(program);
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn()?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(io::Error::other("it has no standard input and output"));
        };
        Ok(Engine { child, input, output: BufReader::new(output) })
    }

    /// Its next line, trimmed; empty when it has ended.
    fn receive(&mut self) -> String {
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

    /// Sends it a line. That it has ended shows when its next ply is asked for.
    fn send(&mut self, line: &str) {
        let told = writeln!(self.input, "{line}").and_then(|()| self.input.flush());
        told.unwrap_or_default();
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        self.child.kill().unwrap_or_default();
        self.child.wait().map(drop).unwrap_or_default();
    }
}

/// What came of a game.
#[derive(Debug)]
struct GameReport {
    /// The robot's seat.
    robot: Seat,
    /// The end of the game, or what the other program did wrong: the game is the robot's then.
    end: Result<Outcome, String>,
    /// What the robot used, and what the other program did.
    elapsed: [Duration; 2],
}

/// Plays pairs of games with sides changed, and shows a line after each. The robot's time for a game is `game_time`; if
/// there is none, `limits` bound each ply.
pub fn meet(
    command: &[String],
    (game_time, limits): (Option<Duration>, &Limits),
    pairs: u32,
    show: &mut dyn FnMut(&str),
) -> io::Result<Tally> {
    let mut tally = Tally::default();
    for pair in 0..u64::from(pairs) {
        let limits = Limits { seed: mix(limits.seed ^ mix(pair)), ..limits.clone() };
        let mut half_points = 0;
        for robot in Seat::BOTH {
            let report = play_game(&mut Engine::start(command)?, Player::new(game_time, &limits), robot);
            let winner = report.end.as_ref().map_or(Some(robot), |outcome| outcome.winner);
            half_points += tally.count(winner, robot);
            show(&line(&report, tally.games()));
        }
        tally.pairs.push(half_points);
    }
    Ok(tally)
}

fn line(game: &GameReport, number: u32) -> String {
    let colour = if game.robot == Seat::First { "white" } else { "black" };
    let result = match &game.end {
        Ok(outcome) => {
            let score = outcome.score.unwrap_or_default();
            format!("{} to {}", score[game.robot.index()], score[game.robot.other().index()])
        }
        Err(why) => format!("won, for the other broke off: {why}"),
    };
    let [robot, other] = game.elapsed.map(|elapsed| elapsed.as_secs_f64());
    format!("game {number}: the robot {colour}, {result}, {robot:.1} s against {other:.1} s")
}

/// One game.
fn play_game(engine: &mut Engine, mut player: Player, robot: Seat) -> GameReport {
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Four games against a line of the shell.
    fn met(shell: &str) -> (Tally, Vec<String>) {
        let command = ["sh", "-c", shell].map(str::to_owned);
        let mut lines = Vec::new();
        let tally = meet(&command, (None, &Limits::nodes(100)), 2, &mut |line| lines.push(line.to_owned()));
        (tally.unwrap(), lines)
    }

    #[test]
    fn a_program_that_breaks_off_loses_and_one_that_is_not_there_is_an_error() {
        let (tally, lines) = met("true");
        assert_eq!((tally.won, tally.pairs.as_slice()), (4, [4, 4].as_slice()));
        assert!(
            lines[0].starts_with("game 1: the robot white, won, for the other broke off: it ended before")
        );
        assert!(lines[3].starts_with("game 4: the robot black, "), "{lines:?}");
        let (_, lines) = met("yes Z9");
        assert!(lines[0].contains("broke off: \"Z9\": "), "{lines:?}");
        assert!(meet(&["/nowhere/player".to_owned()], (None, &Limits::nodes(9)), 1, &mut |_| ()).is_err());
    }
}
