//! `turnpost robot`: ask the robot for a ply, or let it play as an engine.

mod gtp;
mod uci;

use std::io;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use clap::{Args, Subcommand};
use rand::Rng;
use turnpost_games::{GameKind, registry};

use super::{print, print_piece};
use crate::clock;
use crate::error::HostError;
use turnpost_robot::engine::Protocol;
use turnpost_robot::limits::MEMORY;
use turnpost_robot::{Limits, ROBOTS, Robot, find, mix};

#[derive(Debug, Subcommand)]
pub enum RobotTask {
    /// Find a ply: prints move, value, depth, nodes and line
    Move(MoveArgs),
    /// Play chess as a UCI engine on standard input and output
    Uci {
        #[command(flatten)]
        level: EngineLevel,
    },
    /// Play go, hex, havannah, y or gomoku as a GTP engine on standard input and output
    Gtp {
        /// The game's word
        game: String,
        #[command(flatten)]
        level: EngineLevel,
    },
}

/// `turnpost robot move`.
#[derive(Debug, Args)]
pub struct MoveArgs {
    /// The position's text
    position: String,
    /// The game's word (default: the first game that the robot plays)
    #[arg(long)]
    game: Option<String>,
    #[command(flatten)]
    bounds: SearchBounds,
}

/// How much to think about a ply.
#[derive(Debug, Args)]
pub struct SearchBounds {
    /// Think for TIME, such as 5s or 200ms
    #[arg(long, value_parser = duration, group = "bound")]
    time: Option<Duration>,
    /// Search NODES positions; the answer is then the same on every machine
    #[arg(long, group = "bound")]
    nodes: Option<u64>,
    /// Search DEPTH plies deep
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
    /// Decides between plies that a level finds equal
    #[arg(long, default_value_t = 0)]
    seed: u64,
}

pub fn run(task: &RobotTask) -> Result<(), HostError> {
    match task {
        RobotTask::Move(args) => find_move(args),
        RobotTask::Uci { level } => {
            let (kind, own_engine) = own_engine(None, level, Protocol::Uci)?;
            uci::run(kind, own_engine, io::stdin().lock())
        }
        RobotTask::Gtp { game, level } => {
            let (kind, own_engine) = own_engine(Some(game), level, Protocol::Gtp)?;
            gtp::run(kind, own_engine, io::stdin().lock())
        }
    }
}

/// The strength of the robot as an engine.
#[derive(Debug, Args)]
pub struct EngineLevel {
    /// Play at this level (default: the highest)
    #[arg(long)]
    level: Option<u8>,
}

/// The robot as an engine.
struct OwnEngine {
    robot: &'static Robot,
    level: u8,
    /// Changes from move to move, so that games differ.
    seed: u64,
}

fn own_engine(
    game: Option<&str>,
    asked: &EngineLevel,
    protocol: Protocol,
) -> Result<(&'static GameKind, OwnEngine), HostError> {
    let known: Vec<&GameKind> =
        registry::games().iter().copied().filter(|kind| protocol.knows(kind)).collect();
    let is_meant = |kind: &&&GameKind| game.is_none_or(|game| kind.answers_to(game));
    let kind = *known.iter().find(is_meant).ok_or_else(|| {
        let known: Vec<&str> = known.iter().map(|kind| kind.key).collect();
        HostError::Asked(format!("the protocol is for {}, not for {game:?}", known.join(", ")))
    })?;
    let robot = robot(Some(kind.key))?;
    let seed = clock::rng().map_err(|why| HostError::Asked(why.to_string()))?.next_u64();
    let mut own_engine = OwnEngine { robot, level: robot.levels.len() as u8, seed };
    if let Some(level) = asked.level {
        level_limits(robot, level, seed)?;
        own_engine.level = level;
    }
    Ok((kind, own_engine))
}

impl OwnEngine {
    fn highest(&self) -> u8 {
        self.robot.levels.len() as u8
    }

    /// The limits of the level, with the next seed.
    fn limits(&mut self) -> Limits {
        self.seed = mix(self.seed);
        self.robot.level(self.level).map_or_else(Limits::default, |level| level.limits(1.0, self.seed))
    }
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

fn robot(game: Option<&str>) -> Result<&'static Robot, HostError> {
    let robot = match game {
        Some(game) => find(&game.to_ascii_lowercase()),
        None => ROBOTS.first(),
    };
    robot.ok_or_else(|| {
        let game = game.unwrap_or_default();
        let known: Vec<&str> = ROBOTS.iter().map(|robot| robot.game).collect();
        HostError::Asked(format!("the robot does not play {game:?}; it plays {}", known.join(", ")))
    })
}

impl SearchBounds {
    fn any(&self) -> bool {
        self.time.is_some() || self.nodes.is_some() || self.depth.is_some() || self.level.is_some()
    }

    fn limits(&self, robot: &Robot) -> Result<Limits, HostError> {
        let level = match self.level {
            Some(level) => level_limits(robot, level, self.seed)?,
            None => Limits { nodes: self.nodes, time: self.time, depth: self.depth, ..Limits::default() },
        };
        let memory = self.memory.saturating_mul(1 << 20);
        Ok(Limits { threads: self.threads, memory, seed: self.seed, ..level })
    }
}

fn level_limits(robot: &Robot, level: u8, seed: u64) -> Result<Limits, HostError> {
    let count = robot.levels.len();
    let found = robot.level(level);
    let found =
        found.ok_or_else(|| HostError::Asked(format!("{} has the levels 1 to {count}", robot.game)))?;
    Ok(found.limits(1.0, seed))
}

fn find_move(args: &MoveArgs) -> Result<(), HostError> {
    let robot = robot(args.game.as_deref())?;
    let mut limits = args.bounds.limits(robot)?;
    if !args.bounds.any() {
        limits.time = Some(Duration::from_secs(5));
    }
    let choice = robot
        .choose_move(&args.position, &limits, &AtomicBool::new(false))
        .map_err(|why| HostError::Asked(why.to_string()))?
        .ok_or_else(|| {
            HostError::Asked("no side is to move: the game is over, or the dice are next".to_owned())
        })?;
    let exact = if choice.exact { ", exact" } else { "" };
    print(&format!("move   {}", choice.best_move))?;
    print(&format!("value  {}{exact}", choice.value_text))?;
    print(&format!("depth  {}", choice.depth))?;
    print(&format!("nodes  {}", choice.nodes))?;
    print(&format!("line   {}", choice.variation.join(" ")))
}
