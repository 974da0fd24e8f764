//! Backgammon: two sides race their checkers round the board by the throw of dice.
//!
//! A turn is one ply. Turns that lead to the same board are one ply with one standard form; every way to write it is
//! read. Reading order: [`board`] has the checkers and the legal turns, [`stakes`] the cube and the match, [`position`]
//! what happens next. `notation`, `text`, `words` and `draw` turn these into words, and `rules` implements
//! [`Position`](crate::Position).

pub mod board;
mod draw;
mod notation;
pub mod position;
mod rules;
pub mod stakes;
mod text;
mod words;

use crate::formats::mat;
use crate::{GameKind, GameOption, Notation, Plies, Setup, SetupError, Spaces};
use board::{Side, side_of};
pub use position::{Backgammon, Move, Variant};
pub use stakes::Stakes;

/// The usual start.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Standard;

impl Variant for Standard {
    const START: Side = side_of(&[(24, 2), (13, 5), (8, 3), (6, 5)]);
}

/// The entry of the registry.
pub const KIND: GameKind = GameKind {
    aliases: &["bg"],
    pitch: "Race your fifteen checkers home and off by the dice; hit what stands alone, and double when you lead.",
    ..kind::<Standard>("backgammon", "Backgammon")
};

/// The registry entry of a game that starts as `V` says.
pub const fn kind<V: Variant>(key: &'static str, name: &'static str) -> GameKind {
    GameKind {
        family: "dice",
        options: OPTIONS,
        notation: "8/5 6/5 moves two checkers, bar/22 enters one, 6/off bears one off",
        plies: Plies {
            // 25 is the bar.
            spaces: Spaces::Numbered(25),
            words: &[
                "roll",
                "double",
                "take",
                "drop",
                "pass",
                "ask",
                "resign game",
                "resign gammon",
                "resign backgammon",
            ],
            joints: &['/', '*', '(', ')'],
            other: Some(notation::length_of_way),
        },
        dice: true,
        notations: &[Notation { name: "mat", write: mat::write, read: mat::read }],
        has_draws: false,
        ..GameKind::of::<Backgammon<V>>(key, name, |setup| {
            Ok(Box::new(Backgammon::<V>::new(stakes_of(setup)?)))
        })
    }
}

const OPTIONS: &[GameOption] = &[
    GameOption::number("match", &["5", "1", "7"], "a match to N points with the doubling cube"),
    GameOption::plain("cube", "a single game with the doubling cube, in which gammons count"),
    GameOption::plain("jacoby", "with -cube: gammons count only if the cube was turned"),
];

fn stakes_of(setup: &Setup<'_>) -> Result<Stakes, SetupError> {
    let refuse = |why: &str| Err(SetupError::Option(why.to_owned()));
    if ["cube", "jacoby"].into_iter().any(|name| setup.value(name).is_some_and(|value| !value.is_empty())) {
        return refuse("-cube and -jacoby take no value");
    }
    let (length, is_money, jacoby) = (setup.number("match")?, setup.has("cube"), setup.has("jacoby"));
    match length {
        _ if jacoby && !is_money => refuse("-jacoby is for a single game with the cube: add -cube"),
        Some(_) if is_money => refuse("-cube is for a single game; a match has its cube without it"),
        None => Ok(Stakes { length: if is_money { 0 } else { 1 }, jacoby }),
        Some(length) => match u16::try_from(length) {
            Ok(length) if (1..=text::LONGEST).contains(&length) => Ok(Stakes { length, jacoby: false }),
            _ => refuse("-match is a number of points from 1 to 25, as in -match=5"),
        },
    }
}
