//! Plays DVONN by the CodeCup protocol, a ply a line on standard input and output: `F3`, `A3B4` or `PASS`.
//!
//! `cargo run --release -p turnpost-robot --example codecup -- [LEVEL]`. `Start` tells the robot to begin; otherwise the
//! first line is the opponent's ply. White places the last piece and moves the first stack: two lines in a row. `Quit`
//! ends the program.

use std::io::{self, BufRead, Write};
use std::sync::atomic::AtomicBool;

use turnpost_games::dvonn::Dvonn;
use turnpost_games::{Position, Seat};
use turnpost_robot::limits::Level;
use turnpost_robot::{find, search};

fn play(level: Level, input: impl BufRead, mut output: impl Write) -> io::Result<()> {
    let (mut position, mut own, mut seed) = (Dvonn::EMPTY, None, 0);
    for line in input.lines() {
        match line?.trim() {
            "Quit" => break,
            "Start" => own = Some(Seat::First),
            text => {
                own.get_or_insert(Seat::Second);
                let (ply, _) = position.read_move(text).map_err(|error| io::Error::other(error.why))?;
                position.play(ply).map_err(|error| io::Error::other(error.why))?;
            }
        }
        while own == Some(position.to_move()) {
            seed += 1;
            let Some(found) = search(&position, &level.limits(1.0, seed), &AtomicBool::new(false)) else {
                break;
            };
            let text = position.write_move(found.best_move).replace('-', "").to_uppercase();
            writeln!(output, "{text}")?;
            output.flush()?;
            position.make(found.best_move);
        }
    }
    Ok(())
}

fn main() -> io::Result<()> {
    let level = std::env::args().nth(1).map_or(Ok(5), |text| text.parse()).map_err(io::Error::other)?;
    let level = find("dvonn").and_then(|robot| robot.level(level));
    play(*level.ok_or_else(|| io::Error::other("no such level"))?, io::stdin().lock(), io::stdout())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answers(input: &str) -> io::Result<Vec<String>> {
        let mut output = Vec::new();
        play(Level { nodes: 300, noise: 0 }, input.as_bytes(), &mut output)?;
        Ok(String::from_utf8_lossy(&output).lines().map(str::to_owned).collect())
    }

    #[test]
    fn it_begins_answers_and_stops_at_a_ply_that_is_not_allowed() -> io::Result<()> {
        assert_eq!(answers("Start\nQuit\n")?.len(), 1);
        let spaces = answers("F3\nA1\nK5\nQuit\n")?;
        assert!(spaces.len() == 3 && spaces.iter().all(|space| space.len() == 2), "{spaces:?}");
        assert!(answers("A5\n").is_err());
        Ok(())
    }
}
