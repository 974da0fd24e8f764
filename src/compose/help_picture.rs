//! Pictures of the help pages: positions that illustrate the text.

use schemars::JsonSchema;
use serde::Serialize;
use turnpost_games::GameKind;
use turnpost_games::scene::Scene;

use super::blocks::PICTURE;

/// A position, the plies to play on it, and a caption.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct HelpPicture {
    pub position: String,
    pub plies: String,
    pub caption: String,
}

impl HelpPicture {
    /// Reads a marked line; `None` for a line of text.
    pub fn read(line: &str) -> Option<HelpPicture> {
        let mut parts = line.strip_prefix(PICTURE)?.splitn(3, '|').map(|part| part.trim().to_owned());
        Some(HelpPicture { position: parts.next()?, plies: parts.next()?, caption: parts.next()? })
    }

    /// The position after the plies, with the last move; `None` if a ply is illegal.
    pub fn scene(&self, game: &GameKind) -> Option<Scene> {
        let mut table = (game.read)(&self.position).ok()?;
        let (mut scene, mut rest) = (table.look(), self.plies.as_str());
        while !rest.is_empty() {
            let before = table.look();
            let played = table.play_text(rest).ok()?;
            scene = table.look().after(&before, played.ends);
            rest = played.rest;
        }
        Some(scene)
    }
}
