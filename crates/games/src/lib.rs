//! The rules, notation and drawings of board games for two. Nothing here does I/O or reads a clock.
//!
//! A caller that does not care which game it serves asks the [`registry`] for a [`GameKind`] and plays by text:
//!
//! ```
//! use turnpost_games::{Setup, registry};
//!
//! let dvonn = registry::find("DVONN").ok_or("no such game")?;
//! let options = [("random".to_owned(), None)];
//! let mut table = (dvonn.start)(&Setup { options: &options, seed: 7 })?;
//! println!("{}", table.drawing().board);
//! while table.ended().is_none() {
//!     let plies = table.legal_plies();
//!     table.play_text(&plies[0])?;
//! }
//! let outcome = table.ended().ok_or("the game goes on")?;
//! let winner = outcome.winner.map(|seat| dvonn.seat(seat));
//! assert_eq!((winner, outcome.score), (Some("white"), Some([14, 0])));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A caller that searches uses the game's own type, [`Dvonn`](dvonn::Dvonn) or
//! [`Hexmeister`](hexmeister::Hexmeister), through the trait [`Position`].

#![warn(missing_docs)]

pub mod amazons;
pub mod breakthrough;
mod canvas;
pub mod chess;
pub mod draughts;
pub mod dvonn;
mod game;
pub mod go;
pub mod gomoku;
pub mod havannah;
pub mod hex;
pub mod hexmeister;
pub mod loa;
mod notation;
mod position;
pub mod registry;
pub mod reversi;
pub mod rules;
pub mod scene;
mod seat;
mod table;
pub mod y;

pub use game::{
    GameKind, GameOption, NOSWAP, Notation, Plies, Setup, Spaces, Transcribed, Tutorial, read_option,
};
pub use position::{Drawing, Illegal, Outcome, Position, SetupError, Unreadable, perft};
pub use seat::Seat;
pub use table::{MoveError, Pass, Played, Table, Turn, replay};
