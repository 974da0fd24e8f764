//! The robot: finds a ply in any game's [`Position`](crate::game::Position), and knows of nothing but games.
//!
//! Reading order: [`mind`] (what the search asks of a game), [`search`] (deeper by a ply at a time; threads), `worker`
//! (alpha-beta, and what is proven), [`table`], `order`, [`limits`]; then the games, [`dvonn`] with what it looks at
//! and [`hexmeister`]; then what is done with it: [`levels`], [`advice`] (the face towards the house, in text),
//! [`codecup`], [`duel`].
//!
//! A caller takes [`find`] and asks [`Robot::advise`](advice::Robot) with [`Limits`] and a flag to cancel by. It never
//! blocks on anything but thinking.
//!
//! # Exact results
//!
//! A search bounded by depth reaches the end of the game in some lines long before it does in all. Every value is
//! therefore carried with the word whether it is proven, and the table keeps proofs at any depth. When the value at the
//! root is proven the search is over, and the value is the final score. `tests/robot_search.rs` compares 3000 late
//! positions, forced passes among them, with a plain minimax, and again with each technique left out.
//!
//! # What each technique brings
//!
//! Positions made to depth 8 without it, against all (`cargo bench --bench robot -- techniques`: geometric mean of 12
//! full boards, 76 130 positions with all); and the score of the robot with it against the robot without, at 5000
//! positions a ply (`turnpost robot match --level 5 --level 5 --nodes-scale 0.05 --games 400 --without NAME`).
//!
//! | technique | positions without it | score of 400 games with it, 95 % bounds |
//! |---|---|---|
//! | `table`: positions seen before | 1.54 times | 0.571 (0.532 to 0.611) |
//! | `killers` | 1.24 times | 0.551 (0.510 to 0.592) |
//! | `history` | 1.03 times | 0.524 (0.483 to 0.564) |
//! | `scout`: windows of no width, which `margins`, `passing` and `reductions` need | 77 times | 0.590 (0.546 to 0.634) |
//! | `aspiration` | 0.95 times | 0.527 (0.488 to 0.567) |
//! | `reductions` of late plies | 4.97 times | 0.507 (0.466 to 0.549) |
//! | `passing`: good even after a pass | 1.10 times | 0.505 (0.463 to 0.547) |
//! | `margins` near the leaves | 2.58 times | 0.598 (0.555 to 0.640) |
//! | `quiescence` over stacks of the other side | 0.86 times | 0.512 (0.472 to 0.553) |
//! | `extension` of single plies | 1.00 times | 0.500 (0.461 to 0.539) |
//! | `limits`: no more than the pieces allow | 1.00 times | 0.495 (0.456 to 0.534) |
//!
//! Only the table, killers, scout and margins won games beyond doubt at this length of thought. A depth with
//! reductions is not the depth of a full-width search: they save five times the positions and win hardly more.
//! The weights matter most: those of the first fit won 0.928 (bounds 0.029 to each side, 300 games of 3000 positions
//! a ply) against weights set by hand, and those of a second fit to games of the first 0.529 (0.045, 400 games). Both
//! were played by two copies of the sources; there is no command for it.
//!
//! # What it reaches
//!
//! Two cores, others at work on them; one thread.
//!
//! - Levels, 200 games at a twentieth of the positions (`turnpost robot match --level 2 --level 1 --games 200
//!   --nodes-scale 0.05` and so on), score of the upper with its 95 % bounds: 2 against 1 0.777 (0.722 to 0.833), 3
//!   against 2 0.750 (0.693 to 0.807), 4 against 3 0.775 (0.725 to 0.825), 5 against 4 0.715 (0.653 to 0.777), 6
//!   against 5 0.675 (0.624 to 0.726), 7 against 6 0.730 (0.674 to 0.786), 8 against 7 0.695 (0.641 to 0.749). 9
//!   against 8 is not measured. Hexmeister, 40 games: 2 against 1 38 won, 3 against 2 40 won.
//! - Level 9 on the first board of the help page: 60 million positions, depth 17, 7.3 s.
//! - Speed (`cargo bench --bench robot -- speed`): 9.6 million positions a second made and estimated, 0.05 of the 194
//!   million that plain perft makes. A tenth is not reached: estimates take about half of the time, listing and
//!   ordering plies and the way to the table's memory most of the rest.
//! - Depth (`-- depth`): 8 from a full board in 0.01 s, 12 in 0.10 s, with reductions.
//! - Endgames: of 30 games of level 4, twelve plies before the end (24 stacks and 22 plies on average) 23 were solved
//!   exactly in a second, sixteen plies before the end (28 stacks, 30 plies) 9 in three seconds. `-- solve games=500`
//!   measures it for games of level 5, with ten seconds for the latter. What is missing most is a bound on the score
//!   better than the number of pieces on the board.

pub mod advice;
pub mod codecup;
pub mod duel;
pub mod dvonn;
pub mod hexmeister;
pub mod levels;
pub mod limits;
pub mod mind;
mod order;
pub mod search;
pub mod table;
mod worker;

pub use advice::{Advice, ROBOTS, Robot, find};
pub use limits::{Limits, Techniques};
pub use mind::{Judged, Mind};
pub use search::{Thought, think, think_with};
