//! The robot in matches: against another program, and one level against another.
//!
//! `cargo run --release -p turnpost-robot --example matches -- WORDS`, where the words are
//! - `play`: play DVONN by the CodeCup protocol on standard input and output;
//! - `meet games=20 -- PROGRAM ARGUMENTS`: play DVONN against a program that speaks it; prints each game and the score;
//! - `levels 4 3 games=200 scale=0.05 game=dvonn`: play two levels against each other, with that part of their positions; level 0 plays at random.
//!
//! `play` and `meet` think by `game-time=30s`, or for each ply by `time=5s`, `nodes=N`, `depth=N` or `level=N`. `threads`
//! share the work when time is the bound, `memory` is in MiB, and `seed` decides what chance decides.

#![allow(clippy::print_stdout, clippy::print_stderr, clippy::indexing_slicing)]
#![cfg_attr(test, allow(clippy::unwrap_used))]

mod codecup;
mod engine;
mod levels;
mod tally;

use std::process::ExitCode;
use std::str::FromStr;
use std::time::Duration;

use turnpost_robot::{Limits, find};

use tally::Tally;

/// The words of the command line: `name=value`, and others.
struct Words(Vec<String>);

impl Words {
    fn text(&self, name: &str) -> Option<&str> {
        self.0.iter().find_map(|word| word.strip_prefix(name)?.strip_prefix('='))
    }

    fn number<T: FromStr>(&self, name: &str) -> Result<Option<T>, String> {
        let number = |text: &str| text.parse().map_err(|_| format!("{name}={text} is no number"));
        self.text(name).map(number).transpose()
    }

    /// `5s`, `200ms` or `2m`.
    fn duration(&self, name: &str) -> Result<Option<Duration>, String> {
        let Some(text) = self.text(name) else { return Ok(None) };
        let wrong = || format!("{name}={text}: a time is written like 5s, 200ms or 2m");
        let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
        let unit = match &text[digits.len()..] {
            "ms" => 0.001,
            "s" => 1.0,
            "m" => 60.0,
            _ => return Err(wrong()),
        };
        let number: f64 = digits.parse().map_err(|_| wrong())?;
        Duration::try_from_secs_f64(number * unit).map(Some).map_err(|_| wrong())
    }

    /// The robot's time for a game of DVONN, unless each ply is bounded, and what else bounds it.
    fn bounds(&self) -> Result<(Option<Duration>, Limits), String> {
        let seed = self.number("seed")?.unwrap_or_default();
        let mut limits = match self.number("level")? {
            Some(level) => level_limits("dvonn", level, 1.0, seed)?,
            None => Limits {
                nodes: self.number("nodes")?,
                time: self.duration("time")?,
                depth: self.number("depth")?,
                seed,
                ..Limits::default()
            },
        };
        limits.threads = self.number("threads")?.unwrap_or(limits.threads);
        limits.memory = self.number("memory")?.map_or(limits.memory, |mebibytes: usize| mebibytes << 20);
        let is_bounded = limits.is_repeatable() || limits.time.is_some();
        let otherwise = (!is_bounded).then_some(Duration::from_secs(30));
        Ok((self.duration("game-time")?.or(otherwise), limits))
    }
}

fn level_limits(game: &str, level: u8, scale: f64, seed: u64) -> Result<Limits, String> {
    if level == 0 {
        return Ok(Limits::nodes(0));
    }
    let found = find(game).and_then(|robot| robot.level(level));
    Ok(found.ok_or_else(|| format!("{game} has no level {level}"))?.limits(scale, seed))
}

fn play_levels(words: &Words) -> Result<(), String> {
    let levels: Vec<u8> = words.0.iter().filter_map(|word| word.parse().ok()).collect();
    let [first, second] = levels[..] else { return Err("a match is between two levels".to_owned()) };
    let game = words.text("game").unwrap_or("dvonn");
    let (scale, seed) = (words.number("scale")?.unwrap_or(1.0), words.number("seed")?.unwrap_or(1));
    let [one, two] = [first, second].map(|level| level_limits(game, level, scale, seed));
    let games: u32 = words.number("games")?.unwrap_or(200);
    let show = &mut |tally: &Tally| {
        if tally.pairs.len().is_multiple_of(25) || tally.games() >= games {
            println!("level {first} against level {second}: {tally}");
        }
    };
    let (players, pairs) = ([&one?, &two?], games.div_ceil(2));
    let robot = find(game).ok_or_else(|| format!("the robot does not play {game}"))?;
    levels::play_match(robot, players, pairs, seed, show);
    Ok(())
}

fn run(words: &Words, program: &[String]) -> Result<(), String> {
    match words.0.first().map(String::as_str) {
        Some("play") => {
            let (game_time, limits) = words.bounds()?;
            codecup::play(&mut std::io::stdin().lock(), &mut std::io::stdout(), game_time, &limits)
                .map_err(|why| why.to_string())
        }
        Some("meet") => {
            let (game_time, limits) = words.bounds()?;
            let pairs = words.number("games")?.unwrap_or(20_u32).div_ceil(2);
            let tally = engine::meet(program, (game_time, &limits), pairs, &mut |line| println!("{line}"));
            let tally = tally.map_err(|why| format!("{}: {why}", program.join(" ")))?;
            println!("the robot against the other program: {tally}");
            Ok(())
        }
        Some("levels") => play_levels(words),
        _ => Err("play, meet or levels?".to_owned()),
    }
}

fn main() -> ExitCode {
    let mut words: Vec<String> = std::env::args().skip(1).collect();
    let program = match words.iter().position(|word| word == "--") {
        Some(end) => words.split_off(end).split_off(1),
        None => Vec::new(),
    };
    match run(&Words(words), &program) {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("{why}");
            ExitCode::FAILURE
        }
    }
}
