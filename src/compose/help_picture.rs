//! Pictures of the help pages: positions that illustrate the text.

use schemars::JsonSchema;
use serde::Serialize;
use turnpost_games::GameKind;
use turnpost_games::scene::Scene;

/// A position, the plies to play on it, and a caption.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct HelpPicture {
    pub position: String,
    pub plies: String,
    pub caption: String,
}

impl HelpPicture {
    /// Reads the three lines of a `picture` fence.
    pub fn read(lines: &str) -> Option<HelpPicture> {
        let mut lines = lines.lines().map(|line| line.trim().to_owned());
        Some(HelpPicture { position: lines.next()?, plies: lines.next()?, caption: lines.next()? })
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
