//! `turnpost perft`: counts the sequences of legal plies, to check the rules and measure their speed.

use std::process::ExitCode;
use std::time::Instant;

use turnpost_games::{GameKind, registry};

use super::print;
use crate::error::HostError;

#[derive(clap::Args)]
pub(super) struct PerftArgs {
    /// The game's word, such as dvonn
    game: String,
    /// The position's text
    position: String,
    /// How deep
    depth: u32,
}

pub(super) fn run(args: &PerftArgs) -> Result<ExitCode, HostError> {
    let PerftArgs { game, position, depth } = args;
    let kind = kind(game)?;
    let position = (kind.read)(position).map_err(|why| HostError::Asked(why.to_string()))?;
    let start = Instant::now();
    for depth in 1..=*depth {
        print(&format!("{depth} {}", position.perft(depth)))?;
    }
    print(&format!("{:.3} s", start.elapsed().as_secs_f64()))?;
    Ok(ExitCode::SUCCESS)
}

/// The game with this word.
pub(super) fn kind(word: &str) -> Result<&'static GameKind, HostError> {
    registry::find(word).ok_or_else(|| {
        let known: Vec<&str> = registry::GAMES.iter().map(|game| game.key).collect();
        HostError::Asked(format!("there is no game {word:?}; there are {}", known.join(", ")))
    })
}
