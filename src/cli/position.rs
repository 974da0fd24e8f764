//! `turnpost draw` and `turnpost perft`: a position as text or as a picture, and the sequences of legal plies from it.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use turnpost_games::{GameKind, registry};

use super::admin::picture::save;
use super::{print, print_piece};
use crate::error::HostError;

#[derive(clap::Args)]
pub(super) struct DrawArgs {
    /// The game's word, such as dvonn
    game: String,
    /// The position's text
    position: String,
    /// Draw it as SVG, to this file or to standard output
    #[arg(long, value_name = "FILE", conflicts_with = "png")]
    svg: Option<Option<PathBuf>>,
    /// Draw it as PNG, to this file or to standard output
    #[arg(long, value_name = "FILE")]
    png: Option<Option<PathBuf>>,
}

pub(super) fn draw(args: &DrawArgs) -> Result<ExitCode, HostError> {
    let DrawArgs { game, position, svg, png } = args;
    let kind = kind(game)?;
    let table = (kind.read)(position).map_err(|why| HostError::Asked(why.to_string()))?;
    let scene = table.look();
    if svg.is_none() && png.is_none() {
        let drawing = scene.drawing();
        print_piece(&format!("{}\n{}\n{}\n", drawing.board, drawing.key, drawing.standing))?;
    }
    save(&scene, &scene.sentence(kind.seats), svg.as_ref(), png.as_ref())?;
    Ok(ExitCode::SUCCESS)
}

#[derive(clap::Args)]
pub(super) struct PerftArgs {
    /// The game's word, such as dvonn
    game: String,
    /// The position's text
    position: String,
    /// How deep
    depth: u32,
}

/// Counts to check the rules and measure their speed.
pub(super) fn perft(args: &PerftArgs) -> Result<ExitCode, HostError> {
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
fn kind(word: &str) -> Result<&'static GameKind, HostError> {
    registry::find(word).ok_or_else(|| {
        let known: Vec<&str> = registry::GAMES.iter().map(|game| game.key).collect();
        HostError::Asked(format!("there is no game {word:?}; there are {}", known.join(", ")))
    })
}
