//! The turn that a player is choosing on the play page.

use super::query::{Query, number_of, typed};
use crate::ids::Ply;

/// A player's choices on the play page so far.
#[derive(Debug, Clone, Default)]
pub(crate) struct OpenTurn {
    pub token: String,
    /// The plies of the turn so far.
    pub turn: Vec<String>,
    pub from: Option<String>,
    /// The board is seen from its other side.
    pub flip: bool,
    /// An earlier position to look at.
    pub ply: Option<Ply>,
    /// A turn as a player types it.
    pub typed: Option<String>,
    /// The act that was just carried out; the page confirms it.
    pub done: Option<String>,
    /// The fields of a refused form, shown again for correction.
    pub words: Option<String>,
    pub queue: Option<String>,
    pub then: Option<String>,
}

impl OpenTurn {
    /// The address of another link, seen from the same side.
    pub fn at(&self, link: &str) -> String {
        format!("/play/{link}{}", if self.flip { "?flip" } else { "" })
    }

    /// The address of another link after a form, which says what was done.
    pub fn done_at(&self, link: &str, done: &str) -> String {
        format!("{}{}done={done}", self.at(link), if self.flip { '&' } else { '?' })
    }

    /// Reads the choices of the player with this link.
    pub(super) fn read(token: &str, query: &str) -> Option<OpenTurn> {
        let typed = typed(query, "typed").ok()?;
        let query = Query::read(query, &["turn", "from", "flip", "ply", "done"])?;
        let text = |name: &str| query.take(name).map(str::to_owned);
        let chosen = OpenTurn {
            token: token.to_owned(),
            turn: query.take_words("turn"),
            from: text("from"),
            flip: query.has("flip"),
            ply: query.optional("ply", number_of)?.map(Ply),
            typed,
            done: text("done"),
            ..OpenTurn::default()
        };
        (chosen.typed.is_none() || chosen.turn.is_empty()).then_some(chosen)
    }
}
