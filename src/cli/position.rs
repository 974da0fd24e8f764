//! `turnpost draw` shows a position as text or picture; `turnpost perft` counts sequences of legal plies from it.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use turnpost_games::{GameKind, GameOption, Setup, Table, read_option, registry};

use super::admin::picture::save;
use super::{print, print_piece};
use crate::error::HostError;

#[derive(clap::Args)]
struct PositionArgs {
    /// The game's word
    game: String,
    /// The text of the position, or `start`
    position: String,
    /// An option of `start`, as of a challenge, such as size=5
    #[arg(long = "option", value_name = "NAME[=VALUE]")]
    options: Vec<String>,
}

impl PositionArgs {
    fn table(&self) -> Result<(&'static GameKind, Box<dyn Table>), HostError> {
        let kind = kind(&self.game)?;
        let asked = |why: String| HostError::Asked(why);
        let options: Vec<_> =
            self.options.iter().map(|option| option_of(kind, option)).collect::<Result<_, _>>()?;
        let table = match self.position.as_str() {
            "start" => (kind.start)(&Setup { options: &options, seed: 0 }),
            _ if !options.is_empty() => {
                return Err(asked("--option goes with `start`, not with a text".to_owned()));
            }
            position => (kind.read)(position),
        };
        Ok((kind, table.map_err(|why| asked(why.to_string()))?))
    }
}

fn option_of(kind: &GameKind, option: &str) -> Result<(String, Option<String>), HostError> {
    let (name, value) = read_option(option);
    if kind.options.iter().any(|known| known.name == name && known.value.is_some() == value.is_some()) {
        return Ok((name, value));
    }
    let known: Vec<String> = kind.options.iter().map(GameOption::written).collect();
    let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
    Err(HostError::Asked(format!("{} has no option {option:?}; it has {known}", kind.name)))
}

#[derive(clap::Args)]
pub(super) struct DrawArgs {
    #[command(flatten)]
    position: PositionArgs,
    /// Draw it as SVG, to this file or to standard output
    #[arg(long, value_name = "FILE", conflicts_with = "png")]
    svg: Option<Option<PathBuf>>,
    /// Draw it as PNG, to this file or to standard output
    #[arg(long, value_name = "FILE")]
    png: Option<Option<PathBuf>>,
}

pub(super) fn draw(args: &DrawArgs) -> Result<ExitCode, HostError> {
    let DrawArgs { position, svg, png } = args;
    let (kind, table) = position.table()?;
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
    #[command(flatten)]
    position: PositionArgs,
    /// How deep
    depth: u32,
}

/// Counts to check the rules and measure their speed.
pub(super) fn perft(args: &PerftArgs) -> Result<ExitCode, HostError> {
    let PerftArgs { position, depth } = args;
    let (_, position) = position.table()?;
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
        let known: Vec<&str> = registry::games().iter().map(|game| game.key).collect();
        HostError::Asked(format!("there is no game {word:?}; there are {}", known.join(", ")))
    })
}
