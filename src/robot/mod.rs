//! The robot: finds a ply in any game's [`Position`](crate::game::Position), and knows of nothing but games.
//!
//! Reading order: [`mind`] (what the search asks of a game), [`search`] (deeper by a ply at a time; threads), `worker`
//! (one thread, and what is proven), `tree` (alpha-beta), `leaves`, `listing`, `order`, [`table`], [`limits`], `hunt` (for
//! the exact result), `proof` (by proof numbers), `proofs` (their table); then
//! the games, [`dvonn`] with what it looks at and [`hexmeister`]; then what is done with it: [`levels`], [`advice`]
//! (the face towards the house, in text), [`codecup`], [`duel`], [`analysis`].
//!
//! A caller takes [`find`] and asks [`Robot::advise`](advice::Robot) with [`Limits`] and a flag to cancel by. It never
//! blocks on anything but thinking.
//!
//! # Exact results
//!
//! A search bounded by depth reaches the end of the game in some lines long before it does in all. Every value is
//! therefore carried with the word whether it is proven, and the table keeps proofs at any depth. When the value at the
//! root is proven the search is over, and the value is the final score.
//!
//! With 34 stacks and fewer, four fifths of the positions go into proofs by proof numbers: that the side to move gets
//! what alpha-beta expects, then a point more or less, and further off in steps that double, until the bounds from both
//! sides meet. Two threads come from both sides. Where no exact result is reached alpha-beta's ply is played, unless
//! another one is proven to get more than that is estimated to. `tests/robot_search.rs` compares 3000 late
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
//! These figures are from before the estimate looked at 13 things instead of 19, and before what is below; they were
//! not measured again.
//!
//! | technique | what it brings |
//! |---|---|
//! | `foresight`: known positions one ply on, fewest replies first, from five plies above the leaves on | a tenth of the positions in 24 late positions of 1.5 million each; no change in 200 games of 5000 positions a ply |
//! | `proofs` by proof numbers near the end | 14 endings of 22 to 32 stacks, twelve plies before the end of their games: 1.2 s of a processor each in the mean, 0.1 to 3.1, and with leaps of alpha-beta to the end in their place 2.7 s, 0.2 to 6.8; 3000 games of 5000 positions a ply 0.493 (0.479 to 0.508), 600 of 50 000 0.515 (0.482 to 0.548) |
//! | `limits` by what no play can change (12 stacks and fewer) | 3 % of the positions when asked from 8 stacks on, 9 % from 12 on, 10 % from 16 to 24 on |
//!
//! Tried and left out: loud plies before the others are listed, a ply above the leaves (5 % faster, 11 % more
//! positions); an estimate from four sets where it is far outside the window (8 % faster; against the search as it was
//! before 0.412, bounds 0.053, without it 0.465, bounds 0.056, 200 games each of 5000 positions a ply); no quiescence
//! in late positions (2 to 15 % fewer positions, not played out).
//!
//! Only the table, killers, scout and margins won games beyond doubt at this length of thought. A depth with
//! reductions is not the depth of a full-width search: they save five times the positions and win hardly more.
//! The weights matter most: those of the first fit won 0.928 (bounds 0.029 to each side, 300 games of 3000 positions
//! a ply) against weights set by hand, and those of a second fit to games of the first 0.529 (0.045, 400 games). Both
//! were played by two copies of the sources; there is no command for it.
//!
//! # What it reaches
//!
//! One thread; seconds are seconds of the processor where nothing else is said.
//!
//! - Levels, 200 games at a twentieth of the positions (`turnpost robot match --level 2 --level 1 --games 200
//!   --nodes-scale 0.05` and so on), score of the upper with its 95 % bounds: 2 against 1 0.755 (0.699 to 0.811), 3
//!   against 2 0.767 (0.713 to 0.822), 4 against 3 0.767 (0.708 to 0.827), 5 against 4 0.720 (0.662 to 0.778), 6
//!   against 5 0.730 (0.678 to 0.782), 7 against 6 0.713 (0.659 to 0.766), 8 against 7 0.705 (0.651 to 0.759), 9
//!   against 8 in 100 games 0.790 (0.722 to 0.858). Hexmeister, 40 games: 2 against 1 38 won, 3 against 2 40 won.
//! - Level 9 on the first board of the help page: 60 million positions, depth 18, 6.9 s.
//! - Speed (`-- speed`), nobody else at work: perft 194 and 190 million positions a second on the two boards of the help
//!   page, made and estimated 10.4 and 10.5 million, 0.054 and 0.055 of it. On a busier machine it was 0.085, for
//!   there perft made 95 million and the search 8.1 million. A tenth is not reached: estimates take 45 % of the time,
//!   the way to the table's memory 7 %, listing and ordering plies 20 %. An instruction that counts bits would add a
//!   twentieth.
//! - Depth 8 from the same board (`turnpost robot move POSITION --depth 8`): 88 040 positions with reductions, 13 ms.
//! - Endgames (`-- solve games=60 threads=2`): twelve plies before the end of games of level 5, 47 of 60 were solved
//!   exactly in a second of the clock, sixteen plies before it 36 of 60 in ten seconds. Nine of ten and eight of ten are
//!   not reached. Of 60 other positions twelve plies before the end, 46 in a second by one thread and 46 by two; with
//!   alpha-beta alone 42 and 43. Most of those left have 30 to 41 stacks and some 40 plies to choose from: there the end
//!   was near only in the line that was played. `games=500` was not run.
//! - The estimate of 13 things against that of 19, which takes 15 % longer, at equal time: 0.508 (0.494 to 0.522) of 4000
//!   games, 5750 positions a ply against 5000; 0.499 (0.458 to 0.540) of 400 games of ten times as many. Played by two
//!   copies of the sources.

pub mod advice;
pub mod analysis;
pub mod codecup;
pub mod duel;
pub mod dvonn;
pub mod hexmeister;
mod hunt;
mod leaves;
pub mod levels;
pub mod limits;
mod listing;
pub mod mind;
mod order;
mod proof;
mod proofs;
pub mod search;
pub mod table;
mod tree;
mod worker;

pub use advice::{Advice, ROBOTS, Robot, find};
pub use limits::{Limits, Techniques};
pub use mind::{Judged, Mind};
pub use search::{Thought, think, think_with};
