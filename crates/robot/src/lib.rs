//! The robot plays and analyses the games of [`turnpost_games`]. It does not depend on the server.
//!
//! ```
//! use std::sync::atomic::AtomicBool;
//! use turnpost_robot::{Limits, find};
//!
//! let board = "w,w,w,w,b,b,w,b,b/b,b,D,w,b,D,b,b,w,D/w,b,w,b,w,w,b,w,w,w,b/b,b,w,b,b,w,b,w,w,w/w,b,b,w,b,b,w,w,b w";
//! let robot = find("dvonn").expect("the robot plays DVONN");
//! let choice = robot.choose_move(board, &Limits::nodes(20_000), &AtomicBool::new(false))?;
//! let choice = choice.expect("the game is not over");
//! assert_eq!(choice.variation[0], choice.best_move);
//! println!("{} is worth {}", choice.best_move, choice.value_text);
//! # Ok::<(), turnpost_games::SetupError>(())
//! ```
//!
//! Reading order: [`evaluate`], `search`, `alpha_beta`, `move_picker`, `tt`. Exact results: `solver`, `dfpn`,
//! `pn_table`, `endgame`. Games: [`dvonn`], [`hexmeister`], `go`, `gomoku`, `stones`,
//! `backgammon` with `bear_off`, `einstein`. For callers: [`limits`] with the
//! levels, [`Robot`], [`analysis`], [`advice`], [`deciding`]. Programs of others: [`engine`].
//! `docs/robot.md` lists what was tried and measured; `examples/matches` measures them.

#![warn(missing_docs)]

pub mod advice;
mod alpha_beta;
pub mod analysis;
mod backgammon;
pub mod deciding;
mod dfpn;
pub mod dvonn;
mod einstein;
mod endgame;
pub mod engine;
pub mod evaluate;
mod go;
mod gomoku;
pub mod hexmeister;
mod hint;
mod hints;
mod judged;
pub mod limits;
mod mind;
mod move_picker;
mod playouts;
mod pn_table;
mod robot;
mod search;
mod solver;
mod stones;
mod tt;

pub use evaluate::{Evaluator, Score};
pub use hint::Hint;
pub use judged::{Judge, Judged};
pub use limits::Limits;
pub use mind::{Evaluated, Mind, MoveOf, Playouts};
pub use playouts::Playout;
pub use robot::{Choice, ROBOTS, Robot, find};
pub use search::{SearchResult, search};
pub use tt::mix;
