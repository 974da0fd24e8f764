//! `turnpost draw`: a position as text or as a picture.

use std::path::PathBuf;
use std::process::ExitCode;

use super::admin::picture::save;
use super::perft::kind;
use super::print_piece;
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

pub(super) fn run(args: &DrawArgs) -> Result<ExitCode, HostError> {
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
