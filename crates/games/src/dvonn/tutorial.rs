//! The tutorial, whose lessons stand in `tutorial.txt`.

use super::position::{Dvonn, Move};
use crate::{Position, Tutorial};

pub(super) const TUTORIAL: Tutorial =
    Tutorial { options: &["random"], lessons: include_str!("tutorial.txt"), example };

/// A ply that takes an enemy stack, if there is one, and leaves the other side few moves.
fn example(position: &str) -> Option<String> {
    let position = Dvonn::read(position).ok()?;
    let enemies = position.board().controlled(position.to_move().other());
    let ply = position.legal_moves().into_iter().min_by_key(|ply| {
        let mut after = position;
        after.make(*ply);
        let takes = matches!(ply, Move::Stack(_, to) if to.set() & enemies != 0);
        (!takes, after.legal_count())
    })?;
    Some(position.write_move(ply))
}
