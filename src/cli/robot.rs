//! `turnpost robot`: ask the robot for a ply, let it play another program, let its levels play each other.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use clap::{Args, Subcommand};

use super::engine_process::Process;
use super::print;
use crate::error::HostError;
use crate::ids::Seat;
use turnpost_robot::codecup::play;
use turnpost_robot::engine_match::{GameReport, play_engine};
use turnpost_robot::level_match::Tally;
use turnpost_robot::limits::MEMORY;
use turnpost_robot::{Limits, ROBOTS, Robot, find};

/// What the robot is asked for.
#[derive(Debug, Subcommand)]
pub enum RobotTask {
    /// Find a ply: prints move, value, depth, nodes and line
    Move(MoveArgs),
    /// Play DVONN in the CodeCup manner on standard input and output: Start, F3, A3B4, PASS, Quit
    Play(PlayArgs),
    /// Let two levels play each other, and print the score with its 95 % bounds
    Match(MatchArgs),
    /// Play DVONN against another program that speaks the CodeCup manner, and print the score
    Meet(MeetArgs),
}

/// `turnpost robot move`.
#[derive(Debug, Args)]
pub struct MoveArgs {
    /// The position's text
    position: String,
    /// The game's word
    #[arg(long, default_value = "dvonn")]
    game: String,
    #[command(flatten)]
    bounds: Bounds,
}

/// How long to think for a ply.
#[derive(Debug, Args)]
pub struct Bounds {
    /// Think so long, such as 5s or 200ms
    #[arg(long, value_parser = duration, group = "bound")]
    time: Option<Duration>,
    /// Make so many positions; the answer is then the same on every machine
    #[arg(long, group = "bound")]
    nodes: Option<u64>,
    /// Think so many plies deep
    #[arg(long, group = "bound")]
    depth: Option<u32>,
    /// Play at this level
    #[arg(long, group = "bound")]
    level: Option<u8>,
    /// Threads, when time is the bound
    #[arg(long, default_value_t = 1)]
    threads: usize,
    /// Mebibytes of memory for positions seen before
    #[arg(long, default_value_t = MEMORY >> 20)]
    memory: usize,
    /// Decides between plies a level thinks equal
    #[arg(long, default_value_t = 0)]
    seed: u64,
}

/// `turnpost robot play`.
#[derive(Debug, Args)]
pub struct PlayArgs {
    /// Time for the whole game, such as 30s; without it or a bound for each ply, 30 seconds
    #[arg(long, value_parser = duration, group = "bound")]
    game_time: Option<Duration>,
    #[command(flatten)]
    bounds: Bounds,
}

/// `turnpost robot match`.
#[derive(Debug, Args)]
pub struct MatchArgs {
    /// A level; given twice, the second is the other player's
    #[arg(long = "level", required = true, num_args = 1)]
    levels: Vec<u8>,
    /// The game's word
    #[arg(long, default_value = "dvonn")]
    game: String,
    /// Games, two from each opening
    #[arg(long, default_value_t = 200)]
    games: u32,
    /// This part of the levels' positions
    #[arg(long, default_value_t = 1.0)]
    nodes_scale: f64,
    /// The openings are drawn from it
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// `turnpost robot meet`.
#[derive(Debug, Args)]
pub struct MeetArgs {
    /// The robot's time for the whole game, such as 30s; without it or a bound for each ply, 30 seconds
    #[arg(long, value_parser = duration, group = "bound")]
    game_time: Option<Duration>,
    #[command(flatten)]
    bounds: Bounds,
    /// Games, each side white in half of them
    #[arg(long, default_value_t = 20)]
    games: u32,
    /// The other program and its arguments
    #[arg(last = true, required = true, value_name = "PROGRAM")]
    program: Vec<String>,
}

pub fn run(task: &RobotTask) -> Result<(), HostError> {
    match task {
        RobotTask::Move(args) => find_move(args),
        RobotTask::Play(args) => {
            let (game_time, limits) = budget(args.game_time, &args.bounds)?;
            let mut input = std::io::stdin().lock();
            play(&mut input, &mut std::io::stdout(), game_time, &limits)
                .map_err(|broken| HostError::Asked(broken.to_string()))
        }
        RobotTask::Match(args) => play_match(args),
        RobotTask::Meet(args) => meet_program(args),
    }
}

/// The robot's time for a whole game of DVONN, unless each ply is bounded, and the rest of what bounds it.
fn budget(game_time: Option<Duration>, bounds: &Bounds) -> Result<(Option<Duration>, Limits), HostError> {
    let game_time = game_time.or((!bounds.any()).then_some(Duration::from_secs(30)));
    Ok((game_time, bounds.limits(robot("dvonn")?)?))
}

/// `5s`, `200ms`, `2m`, or seconds without a unit.
fn duration(text: &str) -> Result<Duration, String> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let unit = match text.get(digits.len()..).unwrap_or_default() {
        "ms" => 0.001,
        "" | "s" => 1.0,
        "m" => 60.0,
        _ => return Err("a time is written like 5s, 200ms or 2m".to_owned()),
    };
    let number: f64 = digits.parse().map_err(|_| "a time is written like 5s, 200ms or 2m".to_owned())?;
    Duration::try_from_secs_f64(number * unit).map_err(|why| why.to_string())
}

fn robot(game: &str) -> Result<&'static Robot, HostError> {
    find(&game.to_ascii_lowercase()).ok_or_else(|| {
        let known: Vec<&str> = ROBOTS.iter().map(|robot| robot.game).collect();
        HostError::Asked(format!("the robot does not play {game:?}; it plays {}", known.join(", ")))
    })
}

impl Bounds {
    fn any(&self) -> bool {
        self.time.is_some() || self.nodes.is_some() || self.depth.is_some() || self.level.is_some()
    }

    fn limits(&self, robot: &Robot) -> Result<Limits, HostError> {
        let level = match self.level {
            Some(level) => level_limits(robot, level, 1.0, self.seed)?,
            None => Limits { nodes: self.nodes, time: self.time, depth: self.depth, ..Limits::default() },
        };
        let memory = self.memory.saturating_mul(1 << 20);
        Ok(Limits { threads: self.threads, memory, seed: self.seed, ..level })
    }
}

fn level_limits(robot: &Robot, level: u8, scale: f64, seed: u64) -> Result<Limits, HostError> {
    let count = robot.levels.len();
    let found = robot.level(level);
    let found =
        found.ok_or_else(|| HostError::Asked(format!("{} has the levels 1 to {count}", robot.game)))?;
    Ok(found.limits(scale, seed))
}

fn find_move(args: &MoveArgs) -> Result<(), HostError> {
    let robot = robot(&args.game)?;
    let mut limits = args.bounds.limits(robot)?;
    if !args.bounds.any() {
        limits.time = Some(Duration::from_secs(5));
    }
    let choice = robot
        .choose_move(&args.position, &limits, &AtomicBool::new(false))
        .map_err(|why| HostError::Asked(why.to_string()))?
        .ok_or_else(|| HostError::Asked("the game is over".to_owned()))?;
    let exact = if choice.exact { ", exact" } else { "" };
    print(&format!("move   {}", choice.best_move))?;
    print(&format!("value  {}{exact}", choice.value_text))?;
    print(&format!("depth  {}", choice.depth))?;
    print(&format!("nodes  {}", choice.nodes))?;
    print(&format!("line   {}", choice.variation.join(" ")))
}

fn play_match(args: &MatchArgs) -> Result<(), HostError> {
    let robot = robot(&args.game)?;
    let (first, second) = match args.levels.as_slice() {
        [one] => (*one, *one),
        [one, two] => (*one, *two),
        _ => return Err(HostError::Asked("a match is between two levels".to_owned())),
    };
    let one = level_limits(robot, first, args.nodes_scale, args.seed)?;
    let two = level_limits(robot, second, args.nodes_scale, args.seed)?;
    let who = format!("level {first} against level {second}");
    let mut failed = None;
    let mut told = |tally: &Tally| {
        if tally.pairs.len().is_multiple_of(25) && tally.games() < args.games {
            failed = failed.take().or(print(&report(&who, tally)).err());
        }
    };
    let tally = robot.play_match([&one, &two], args.games.div_ceil(2), args.seed, &mut told);
    match failed {
        Some(error) => Err(error),
        None => print(&report(&who, &tally)),
    }
}

fn meet_program(args: &MeetArgs) -> Result<(), HostError> {
    let Some((program, arguments)) = args.program.split_first() else { return Ok(()) };
    let (game_time, limits) = budget(args.game_time, &args.bounds)?;
    let mut failed = None;
    let mut told = |game: &GameReport, tally: &Tally| {
        failed = failed.take().or(print(&game_report(game, tally.games())).err());
    };
    let mut start = || Process::start(program, arguments);
    let tally = play_engine(&mut start, (game_time, &limits), args.games.div_ceil(2), &mut told)
        .map_err(|why| HostError::Io(program.clone(), why))?;
    match failed {
        Some(error) => Err(error),
        None => print(&report("the robot against the other program", &tally)),
    }
}

fn game_report(game: &GameReport, number: u32) -> String {
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

fn report(who: &str, tally: &Tally) -> String {
    let (score, low, high) = tally.score();
    let Tally { won, lost, tied, .. } = tally;
    let games = tally.games();
    format!(
        "{who}: {games} games, {won} won, {lost} lost, {tied} tied, score {score:.3} ({low:.3} to {high:.3})"
    )
}
