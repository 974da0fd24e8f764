//! The list of the finished boards of a game.

use turnpost_games::GameKind;

use super::query::{number_of, typed};
use crate::ids::{BoardId, Userid};
use crate::store::Narrowing;

/// Which finished boards of a game its page lists.
#[derive(Debug, Clone, Default)]
pub(crate) struct FinishedBoards {
    pub player: Option<Userid>,
    pub before: Option<BoardId>,
    pub narrowing: Narrowing,
}

impl FinishedBoards {
    /// Fields of the form that are empty are left out.
    pub(super) fn read(query: &str) -> Option<FinishedBoards> {
        let filled = |name| typed(query, name).map(|text| text.filter(|text| !text.trim().is_empty())).ok();
        let player = match filled("player")? {
            Some(userid) => Some(userid.trim().parse().ok()?),
            None => None,
        };
        let before = match filled("before")? {
            Some(number) => Some(BoardId(number_of(&number)?)),
            None => None,
        };
        let mut narrowing = Narrowing::default();
        for name in Narrowing::WORDS {
            if let Some(value) = filled(name)? {
                narrowing.set(name, value.trim())?.ok()?;
            }
        }
        Some(FinishedBoards { player, before, narrowing })
    }

    /// The address of the list of those before a board.
    pub fn address(&self, game: &GameKind, before: BoardId) -> String {
        let player = self.player.iter().map(|userid| ("player", userid.to_string()));
        let mut query = form_urlencoded::Serializer::new(format!("/{}?", game.key));
        query.extend_pairs(player.chain(self.narrowing.options()));
        format!("{}#over", query.append_pair("before", &before.to_string()).finish())
    }
}
