//! Rules, notation and drawings of board games for two players. Nothing here does I/O or reads a clock.
//!
//! The [`registry`] lists the games. A [`GameKind`] sets up a [`Table`], on which moves are played as text:
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
//! let outcome = table.ended().ok_or("the game continues")?;
//! let winner = outcome.winner.map(|seat| dvonn.seat(seat));
//! assert_eq!((winner, outcome.score), (Some("white"), Some([14, 0])));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A search uses the type of the game, such as [`Dvonn`](dvonn::Dvonn) or [`Game<Hex>`](rules::Game), by the
//! trait [`Position`]:
//!
//! ```
//! use turnpost_games::{Position, dvonn::Dvonn, perft};
//!
//! let mut position = Dvonn::EMPTY;
//! let (ply, _) = position.read_move("f3")?;
//! position.play(ply)?;
//! assert_eq!(position.legal_moves().len(), 48);
//! assert_eq!(perft(&position, 2), 48 * 47);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![warn(missing_docs)]

pub mod amazons;
pub mod backgammon;
pub mod breakthrough;
mod canvas;
mod chance;
pub mod chess;
pub mod draughts;
pub mod dvonn;
pub mod einstein;
mod formats;
mod game;
pub mod go;
pub mod gomoku;
pub mod havannah;
pub mod hex;
pub mod hexmeister;
#[path = "backgammon/hypergammon.rs"]
pub mod hypergammon;
pub mod loa;
#[path = "backgammon/nackgammon.rs"]
pub mod nackgammon;
mod notation;
pub mod pig;
mod position;
pub mod registry;
pub mod reversi;
pub mod rules;
pub mod scene;
mod seat;
mod table;
pub mod y;

pub use chance::{Cast, Chance};
pub use formats::{EndedBy, Finish, Notation, Recorded};
pub use game::{
    GameKind, GameOption, Lettered, Letters, NOSWAP, Plies, Setup, Spaces, Tutorial, read_option,
};
pub use position::{Drawing, Illegal, Outcome, Position, SetupError, Unreadable, perft};
pub use seat::Seat;
pub use table::{MoveError, Pass, Played, Table, Turn, replay};
