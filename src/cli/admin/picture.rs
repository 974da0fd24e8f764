//! `turnpost admin board N --svg|--png`: a board as a picture.

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use turnpost_games::scene::{Choice, Scene, Theme};

use crate::error::HostError;
use crate::ids::{BoardId, Ply};
use crate::notices::look::look;
use crate::store::Store;
use crate::{picture, private_files};

/// The options for pictures; `Some(None)` means standard output.
#[derive(Args)]
#[group(id = "picture", multiple = false, conflicts_with_all = ["board_act", "json"])]
pub(crate) struct PictureArgs {
    /// Draw it as SVG, to this file or to standard output
    #[arg(long, value_name = "FILE")]
    svg: Option<Option<PathBuf>>,
    /// Draw it as PNG, as mails show it, to this file or to standard output
    #[arg(long, value_name = "FILE")]
    png: Option<Option<PathBuf>>,
}

impl PictureArgs {
    pub(super) fn is_asked(&self) -> bool {
        self.svg.is_some() || self.png.is_some()
    }

    pub(super) fn write(&self, store: &Store, board: BoardId, ply: Option<Ply>) -> Result<(), HostError> {
        let look = look(store, board, ply)?.ok_or_else(|| {
            HostError::Asked(match ply {
                Some(ply) => format!("there is no board {board}, or it has no move {ply}"),
                None => format!("there is no board {board}"),
            })
        })?;
        save(&look.scene, &look.sentence(), self.svg.as_ref(), self.png.as_ref())
    }
}

/// Writes the requested pictures of a scene, each to its file or to standard output.
pub(crate) fn save(
    scene: &Scene,
    sentence: &str,
    svg: Option<&Option<PathBuf>>,
    png: Option<&Option<PathBuf>>,
) -> Result<(), HostError> {
    if let Some(file) = svg {
        let svg = scene.svg(Theme::Light, sentence, |_| Choice::default());
        write(file.as_deref(), svg.as_bytes())?;
    }
    if let Some(file) = png {
        let png = picture::png(scene).map_err(|why| HostError::Asked(why.to_string()))?;
        write(file.as_deref(), &png)?;
    }
    Ok(())
}

fn write(file: Option<&Path>, picture: &[u8]) -> Result<(), HostError> {
    match file {
        Some(file) => private_files::replace(file, picture).map_err(HostError::at(file)),
        None => std::io::stdout()
            .write_all(picture)
            .map_err(|why| HostError::Io("standard output".to_owned(), why)),
    }
}
