//! Pictures of the help: positions that show what the words say.

use serde::Serialize;
use turnpost_games::GameKind;
use turnpost_games::scene::Scene;

use super::blocks::PICTURE;

/// A position, the plies that are played on it, and what that shows.
#[derive(Debug, Clone, Serialize)]
pub struct HelpPicture {
    pub position: String,
    pub plies: String,
    pub caption: String,
}

impl HelpPicture {
    /// The picture that a line of a page with marks stands for; `None` for a line of the text.
    pub fn read(line: &str) -> Option<HelpPicture> {
        let mut parts = line.strip_prefix(PICTURE)?.splitn(3, '|').map(|part| part.trim().to_owned());
        Some(HelpPicture { position: parts.next()?, plies: parts.next()?, caption: parts.next()? })
    }

    /// The position behind the plies, with the last of them; `None` where a rule forbids it.
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
