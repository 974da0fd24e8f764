//! Hexmeister, by William M. Helvey: stones move along lanes and through gates, and gates win the game.
//!
//! Rule numbers in this folder, such as rule 3, are those of the game's help page. That page also says how this server
//! interprets unclear rules.
//!
//! Reading order: [`cells`] has the shape of the board, [`board`] the stones and their moves, `history` the
//! boards that can recur, [`position`] the side to move, reserves and bonus. `notation`, `text`, `refuse` and
//! `draw` turn these into words, and `rules` implements [`Position`].

pub mod board;
pub mod cells;
mod draw;
mod history;
mod notation;
pub mod position;
mod refuse;
mod rules;
mod text;

pub use position::{Hexmeister, Move, Rules};

use super::{GameKind, GameOption, Plies, Position, Setup, SetupError, Table, Tutorial};
use cells::{CENTRE, MIDDLE_GATES};

/// The entry of the registry.
pub const KIND: GameKind = GameKind {
    family: "in a row",
    options: &[
        GameOption::plain("straight", "a stone moves in a straight line, without turning"),
        GameOption::plain("bonusdrop", "a bonus may be used for a drop instead of a move"),
    ],
    notation: "c1 drops, c1-d4 moves, d8-c9+c9-f8 uses a bonus, done declines it",
    pitch: "Drop a stone on your base or move one; five gates in a line win, or all six of a ring.",
    plies: Plies { words: &["pass", "done"], joints: &['+'], ..Plies::of_columns('k') },
    tutorial: Some(Tutorial { options: &[], lessons: include_str!("tutorial.txt"), example }),
    map: Some(draw::map),
    ..GameKind::of::<Hexmeister>("hexmeister", "Hexmeister", start)
};

fn start(setup: &Setup<'_>) -> Result<Box<dyn Table>, SetupError> {
    if let Some((name, _)) = setup.options.iter().find(|(_, value)| value.is_some()) {
        return Err(SetupError::Option(format!("-{name} takes no value")));
    }
    let rules = Rules { straight: setup.has("straight"), bonusdrop: setup.has("bonusdrop") };
    Ok(Box::new(Hexmeister::start(rules)))
}

/// The ply to suggest: one that wins, else one that captures. Otherwise it brings a stone to an inner gate, or next to
/// an inner gate.
fn example(position: &str) -> Option<String> {
    let position = Hexmeister::read(position).ok()?;
    let (us, inner) = (position.to_move(), MIDDLE_GATES | CENTRE);
    let ply = position.legal_moves().into_iter().rev().max_by_key(|ply| {
        let mut after = position.clone();
        after.make(*ply);
        let held = after.board().stones(us) & inner;
        let near = match ply {
            Move::Go(_, to) => (to.neighbours() & inner & after.board().empty()).count_ones(),
            _ => 0,
        };
        (after.board().won(us).is_some(), after.captured(us.other()), held.count_ones(), near)
    })?;
    Some(position.write_move(ply))
}
