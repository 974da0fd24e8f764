//! The robot: finds a ply in any game's [`Position`](turnpost_games::Position), and knows of nothing but games.
//!
//! Reading order: [`mind`] (what the search asks of a game), `node` (a position on the way), [`search`] (deeper by a
//! ply at a time; threads), `worker` (one thread), `tree` (alpha-beta), `leaves`, `listing`, `order`, [`table`],
//! [`limits`], `hunt` (for the exact result), `proven` (what is known of it), `proof` (by proof numbers), `first_look`
//! (the numbers to begin with), `ending` (the last plies), `proofs` (their table); then the games, [`dvonn`] with what it
//! looks at and [`hexmeister`]; then what is done with it: [`levels`], [`advice`] (the face towards the house, in text),
//! [`codecup`], [`duel`], [`meeting`], [`analysis`].
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
//! With 34 stacks and fewer, a quarter of the positions go into proofs by proof numbers; where the exact result is
//! wanted ([`Limits::exact`]: analysis; with 37 and fewer then) nineteen twentieths, behind alpha-beta's first half a
//! million: that the side to move gets somewhat more, or less, than alpha-beta expects by now, and where that is
//! decided the next point, until the bounds from both sides meet. Two
//! threads work on the same proof with one table, and each takes the second easiest way where the other is on the
//! easiest. Once 12 stacks are left a proof looks at everything (`ending`), and with 15 where it would look into what
//! comes of each ply. Where no exact result is reached alpha-beta's ply is played, unless another one is proven to get
//! more than that is estimated to. `tests/robot_search.rs` compares 3000 late positions, forced passes among them,
//! with a plain minimax, and again with each technique left out.
//!
//! # The estimate of DVONN
//!
//! What a position is worth is a sum over its rings and its higher stacks. A ring ([`dvonn::ring`]) is what stands on a
//! space, how far that is from a DVONN piece, and how many spaces beside it each side holds; a ply changes a dozen of
//! them, so their sum is carried from ply to ply. A higher stack ([`dvonn::stack`]) is its height and what it reaches.
//! That accounts for 0.610 of the spread of results in games that the fit did not see, where thirteen things counted for
//! each side accounted for 0.586: rings with the number of each side's neighbours 0.582, with links to DVONN pieces
//! through occupied spaces besides 0.605, with the distance instead 0.610; without what the higher stacks reach 0.579;
//! with the places of the six neighbours round the space 0.605, no better than their numbers.
//!
//! In games of 20 000 positions a ply it won 0.833 (0.774 to 0.891) of 200 and, with rough estimates, 0.700 (0.640 to
//! 0.760) of the same against the robot with thirteen things, and with weights fitted once more, to games of its own,
//! 0.724 (0.679 to 0.769) of 400 others. Those weights won 0.603 (0.561 to 0.645) of 600 against the first ones. All this
//! by `robot meet --nodes`, where the robot's first piece alone is by chance: no more than a hundred of the games differ,
//! and the true bounds are twice as wide and wider. At two seconds a game, where no two games are alike, it was 0.658
//! (0.535 to 0.781) of 60.
//!
//! - Rough estimates where the rings alone are three and a half points outside the window: 4 % more positions a second
//!   than with four points. With three it is 8 % more, and 0.482 (0.464 to 0.501) of 1600 games of 20 000 positions a
//!   ply against four.
//! - Killers and the table's ply tried before anything is listed, and estimates rough from three and a half points on:
//!   0.504 (0.417 to 0.592) of 120 games of a second each against the robot before, which made a fifth less positions.
//! - A position is copied once and changed where it stands. Where the copy was moved to its place the search made 11.6
//!   million positions a second instead of 13.6, for memory just written in bytes is slow to be read in words.
//!
//! # What each technique brings
//!
//! All figures from here on to the levels were measured with the estimate of thirteen things.
//!
//! Positions made to depth 8 without it, against all (`cargo bench --bench robot -- techniques`: geometric mean of 12
//! full boards, 42 758 positions with all); and the score of the robot with it against the robot without, at 5000
//! positions a ply (`turnpost robot match --level 5 --level 5 --nodes-scale 0.05 --games 2000 --without NAME`).
//!
//! | technique | positions without it | score of 2000 games with it, 95 % bounds |
//! |---|---|---|
//! | `table`: positions seen before | 1.73 times | 0.576 (0.557 to 0.594) |
//! | `killers` | 1.25 times | 0.555 (0.536 to 0.573) |
//! | `history` | 0.93 times | 0.512 (0.495 to 0.529) |
//! | `scout`: windows of no width, which `margins`, `passing` and `reductions` need | 124 times | 0.650 (0.632 to 0.669) |
//! | `aspiration` | 1.09 times | 0.531 (0.512 to 0.550) |
//! | `reductions` of late plies | 3.50 times | 0.510 (0.491 to 0.529) |
//! | `passing`: good even after a pass | 0.99 times | 0.502 (0.483 to 0.520) |
//! | `margins` near the leaves | 5.14 times | 0.644 (0.626 to 0.662) |
//! | `quiescence` over stacks of the other side | 0.98 times | 0.508 (0.490 to 0.527) |
//! | `extension` of single plies | 1.00 times | 0.510 (0.492 to 0.529) |
//! | `proofs` by proof numbers near the end | | 0.499 (0.481 to 0.518) |
//! | `limits`: no more than the pieces allow | 1.00 times | 0.501 (0.483 to 0.520) |
//!
//! Only the table, killers, scout, aspiration and margins won games beyond doubt at this length of thought. A depth with
//! reductions is not the depth of a full-width search: they save more than three times the positions and win hardly
//! more.
//!
//! What `proofs` bring is exact results, measured with guesses down to 24 stacks: 14 endings of 22 to 32 stacks, twelve
//! plies before the end of their games, took 1.2 s of a processor each in the mean, 0.1 to 3.1, and with leaps of
//! alpha-beta to the end in their place 2.7 s, 0.2 to 6.8.
//!
//! `limits` by what no play can change (9 stacks and fewer) save 3 % of the positions when asked from 8 stacks on, 9 %
//! from 12 on, 10 % from 16 to 24 on; in the proof of one ending they decided 3 % of the positions with 12 stacks, and
//! 20 % of those with 9. They take time as well: endings took the least when they were asked from 9 stacks on, 3 % less
//! than from 10.
//!
//! Of 250 endings twelve plies before the end, 221 were solved in a second of the clock by one thread, 221 by two that
//! came from both sides with a table each, and 224 to 226 by two with one table; up to four seconds each, all of them
//! together took 0.86 of the time. To turn to what alpha-beta expects by now, and not to finish a proof of something
//! else before, saves up to half of an ending's positions (22 million, 11 with it), and 5 % of those of twelve hard
//! ones. To ask `limits` further only where the first ply's reach leaves a hope of a decision takes 5 % of the time away.
//!
//! Of 60 endings sixteen plies before the end, the 28 that took two threads from 1 to 30 s now take 0.67 of the time
//! and of the positions (geometric means). To count the next depth of alpha-beta beforehand, so that it never takes
//! more than its share, and to make that a tenth, took 0.81 of the time by itself (as with [`Limits::exact`]). The
//! rest, in positions of one thread up to 150 million: 0.94 to begin with what other aims came to, and 0.93 of that to
//! go on by single points where leaps were before. Together with a proof's own result, which may be more than its aim,
//! that makes the next aim on the same side mostly cheap, while an aim beyond the truth costs nearly as much as the
//! last one however far off it is.
//!
//! Sixteen such endings, of 4 to 14 million positions, take 0.66 of the time and 0.85 of the positions since a proof looks
//! at everything once 13 stacks are left, asks its table by labels (0.94 of the time by itself) and works out bounds for
//! one side alone. From 14 stacks on it takes 1.01 times the time and 1.06 times the positions, from 15 on 1.19 and 1.21
//! times. What is looked at is a dozen positions in the mean with 13 stacks, and 18 with 14. Of fourteen endings 0.96 of
//! the positions were left without a small table and from 11 stacks on, and 0.81 with one and from 12 on. Half as much
//! memory for it makes 1.02 times as many positions, twice as much 0.96 times, and 1.10 times the time, for then it has
//! no room near the processor.
//!
//! Of endings sixteen plies before the end that take two threads 1 to 7 s, 12 and 12 others now take 0.86 and 0.78 of
//! the time and 0.84 and 0.77 of the positions (geometric means, one thread). To look at everything with 12 stacks, and
//! with 15 where a position is looked into, took 0.89 of the time of twelve by itself: before, a proof made everything
//! that comes of 14 stacks and looked at 2.5 of the 7 in no good order. With 13 and 14 it is 0.98 of the time, 13 and 15
//! 0.95, 12 and 14 0.91, 12 and 16 0.93, 11 and 15 0.91, 11 and 16 0.89. The rest is that a proof begins a quarter further
//! from even than alpha-beta expects: half further 0.95 and 0.99 of the positions instead of 0.97 and 0.94. To begin
//! with the right result would take 0.67 of the time, and a point beyond it 0.71, three points 0.88; yet to go on by
//! leaps that grow as long as aims are decided the same way takes 1.02 to 1.10 of it. Not worth it, with what each took:
//! the ply that cut off last tried before anything is listed (0.99), bounds before the table (1.02), no table and no
//! order of plies with 6 stacks (0.98), bounds that let a stack move where it stays safe and count no more captures
//! than there are stacks to capture (0.98 of the positions, 1.07 of the time), bounds without branches (more time).
//!
//! Three dozen such endings, one thread, geometric means of each dozen: the instructions that x86 processors have had since 2011
//! take about 0.95 of the time, memory of proofs fetched before it is needed 0.97 and 0.95, the program compiled
//! as a whole 0.98. A twentieth for alpha-beta instead of a tenth, and its first half a million positions without
//! proofs, 0.94, 0.95 and 0.87; a fortieth, or a million, as much. Estimates trusted up to 14 points instead of 22, and
//! proofs begun two fifths further from even than alpha-beta expects instead of a quarter, 0.99, 0.96 and 0.92 of the
//! positions. Thirty others of 3.5 to 10 s with two threads took 166 s together with the first two of these, and 136 s
//! with all.
//!
//! Where games are to be won nine tenths are too much: with 400 000 positions a ply that won 0.379 (0.300 to 0.459) of
//! 120 games against the robot without proofs, for most positions with 30 stacks are not solved by so few, and the
//! depth is lost. With a quarter it was 0.435 (0.349 to 0.521) of 100, and 0.510 (0.461 to 0.559) of 240 from other
//! openings; with proofs from 26 stacks on instead of 34 the same 240 came to 0.512, and from 22 on to 0.521 (+- 0.05).
//! With 1.6 million positions, those of level 7, it was 0.490 (0.434 to 0.546) of 100. None of this tells it from even:
//! up to level 7 proofs make results exact and win nothing.
//!
//! Games won, with 95 % bounds, by two copies of the sources (there is no command for it):
//!
//! - Guesses down to 12 stacks instead of 24, and margins of 120 and 200 a ply up to five plies above the leaves instead
//!   of 250 and 300 up to three: 0.586 +- 0.019 of 2000 games of 5000 positions a ply, 0.559 +- 0.030 of 800 of 40 000.
//!   Of 4000 games of 5000 positions: 0.524 with 120 for 250 alone, 0.561 with the guesses besides (+- 0.014).
//! - The weights: those of the first fit 0.928 +- 0.029 of 300 games of 3000 positions a ply against weights set by hand,
//!   and those of a second fit to games of the first 0.529 +- 0.045 of 400.
//! - An estimate of 13 things against one of 19, which takes 15 % longer, at equal time: 0.508 +- 0.014 of 4000 games,
//!   5750 positions a ply against 5000; 0.499 +- 0.041 of 400 games of ten times as many.
//!
//! Tried and left out:
//!
//! - estimates of fewer things, of 2000 to 4000 games of 5000 positions a ply: spaces within reach for numbers of plies,
//!   and no heights (22 % fewer instructions a position) 0.451 +- 0.014, and 0.468 +- 0.019 with 6300 positions; with the
//!   higher stacks that can move besides, 0.469 +- 0.014; nine things, all plies in one number, 0.490 +- 0.014, a tenth
//!   faster;
//! - an estimate from four sets where it is far outside the window (8 % faster; 0.412 +- 0.053 of 200 games);
//! - no plies behind the 8th to the 20th near the leaves: 0.488 to 0.506 +- 0.028;
//! - loud plies before the others are listed, a ply above the leaves (5 % faster, 11 % more positions);
//! - in positions with 12 stacks and fewer, known positions one ply on and fewest replies first: nothing;
//! - first numbers of proofs from weights fitted to 700 000 positions out of proofs, which foretold 88 of 100 instead of
//!   84: as many positions for 60 endings; without any estimate 3 % more, and up to two and a half times as many for
//!   single ones, for twelve hard ones 1.4 times as many;
//! - in proofs, to fetch the entries of the table as soon as each key is known: 1.35 times the time; 32 MiB or a
//!   gibibyte of memory instead of 64, other steps from the second easiest, more or nothing for each other open
//!   position: no difference;
//! - in proofs, for 28 hard endings by one thread with 40 to 60 million positions each: first numbers from the estimate
//!   of the position before and what the ply takes (0.85 of the time for a position, 1.26 times as many), or from
//!   searches of 3 to 8 plies near the beginning (1.02 to 1.75 times as many); a better start for plies that won
//!   elsewhere (1.04 to 1.22 times); plies by their power of 2.5 or 4 instead of 3, estimates weighed half more or a
//!   third less, each other open position counted not at all or three times (0.96 to 1.02 times); aims a third or two
//!   thirds further from even than expected, or two to four points lower (0.97 to 1.01 times);
//! - in proofs, to take positions for one that differ in nothing but stacks which never move and are never reached: 98
//!   and 99 of 100 are left in two endings;
//! - pages of 2 MiB for the tables: 0.97 and 0.98 of the time for proofs;
//! - in the last plies of proofs, stacks by numbers and sets of 16 bits, with the key and the lead carried along: 1.00 to
//!   1.15 times the time in three shapes, for half of it goes by until a branch is known that nobody could foretell; a
//!   table of 384 KiB to a mebibyte instead of 512 KiB: as much;
//! - in proofs, rough estimates where they are 5, 10 or 16 points off: 1.17, 1.06 and 1.02 times the positions, 1.12 to
//!   1.01 times the time, so even far off the estimate matters;
//! - in the last plies of proofs, plies that cut off elsewhere first (0.98 of the positions, no less time); to begin with
//!   them earlier where the estimate is far off (1.00 to 1.23 times the time), or where there are few plies (0.96 to 1.03
//!   times);
//! - in proofs, estimates of fewer things, now that they are asked for with 14 stacks and more alone: without links to
//!   DVONN pieces 1.26 times the time and 1.29 times the positions, without higher stacks that can be taken 1.09 and 1.15
//!   times;
//! - in proofs, to leave an aim that has taken a quarter of everything for a lower one, and to come back from there: 1.17
//!   times as many positions; leaps downwards only: as many; entries of 16 bytes, a cache line for four: 0.97 times as
//!   many positions, 1.4 times the time;
//! - in proofs of three dozen endings sixteen plies before the end, one thread: what comes of the plies that alpha-beta
//!   expects solved first, from the end of that line backwards, each result the next aim: 0.83, 0.95 and 1.28 of the
//!   positions of a dozen each, and of two dozen 0.92 to 1.42 without its first three to seven plies, for that line is
//!   seldom the best play;
//! - in proofs of the same: to move an aim left open by what its numbers hint at, 0.99 and 1.00 of the positions; to
//!   move numbers kept of another aim by how far off that is, as many. Three times the memory, 0.98 of the positions and
//!   1.04 times the time;
//! - in proofs of two dozen of them: plies in the last positions ordered by the score behind them, 0.99 of the positions
//!   and 1.1 times the time, for the first ply makes nine of ten cut-offs as it is; keys of products that do not wait for
//!   each other, 0.98 to 1.03 of the time;
//! - weights of their own for the last plies: a fit to 1.5 million positions with 36 stacks and fewer (80 000 games)
//!   accounts for 0.697 of the spread in games left out, the weights in use for 0.641, and for 0.691 when they are
//!   multiplied by 1.37. So in what is seen of a position there is little more to be had. Where proofs would begin, a
//!   quarter further from even than alpha-beta expects, was off by a median of 2.8 points after 100 000 positions, 1.5
//!   after a million and 1.0 after four, in those of 265 easy endings that alpha-beta had not solved by then;
//! - a look at the table's memory before the estimate is made, for real: no faster; by the processor's instruction for
//!   it 1 % faster, and left in;
//! - plies listed in one loop instead of one for each stack, and quiet ones with their score looked up: fewer
//!   instructions or branches, no faster; plies of the same score in an order by chance: 0.441 (0.409 to 0.473) of 800
//!   games of 20 000 positions a ply, though few of these differ.
//!
//! # What it reaches
//!
//! One thread; seconds are seconds of the processor where nothing else is said.
//!
//! - Levels, 200 games at a twentieth of the positions (`turnpost robot match --level 2 --level 1 --games 200
//!   --nodes-scale 0.05` and so on), score of the upper with its 95 % bounds: 2 against 1 0.830 (0.778 to 0.882), 3
//!   against 2 0.850 (0.804 to 0.896), 4 against 3 0.848 (0.801 to 0.894), 5 against 4 0.780 (0.725 to 0.835), 6
//!   against 5 0.748 (0.692 to 0.803), 7 against 6 0.743 (0.691 to 0.794), 8 against 7 0.718 (0.666 to 0.769); 9
//!   against 8 in 100 games, with the estimate of thirteen things and half the positions, 0.835 (0.770 to 0.900).
//!   Hexmeister, 40 games: 2 against 1 40 won, 3 against 2 39 won.
//! - Level 9 on the first board of the help page: 120 million positions, depth 20, 9.9 s.
//! - With the estimate of thirteen things against PrimaDvonna, a strong player of the CodeCup 2011, both with five
//!   seconds for a whole game: 116 won, 3 lost
//!   and 1 tied, scores 0.967 (0.921 to 1.012) and 0.975 (0.939 to 1.011) of 60 games each (`turnpost robot meet
//!   --game-time 5s --games 60 --seed 100 -- PROGRAM --time=4.95`, and with seed 200), and since proofs look at everything
//!   with 13 stacks 59 won and 1 lost, 0.983 (0.951 to 1.016), with seed 300. That program is no part of this
//!   project: its search, estimates and division of time were rebuilt for measuring from its published sources, on a
//!   board of another make. The same command measures against any other program. Before the placing was fitted to what
//!   wins, 3 were won, 6 lost and 1 tied, though 39 of 40 were won from layouts of the robot's own.
//! - The placing, both sides played by the robot afterwards, with 20 000 positions a ply: 0.705 (0.638 to 0.772) and
//!   0.792 (0.737 to 0.848) in 200 games each against the placing before, by weights of an earlier tuning that differ
//!   a little. A third ply of search makes it no better: against PrimaDvonna's placing, two plies deep, 0.62 with three
//!   plies, 0.66 with two and 0.64 with one, +- 0.03. Other weights for the first pieces than for the last: 0.65 instead
//!   of 0.62 +- 0.04, left out.
//! - Speed (`-- speed`), nobody else at work: perft 167 and 163 million positions a second on the two boards of the help
//!   page, made and estimated 16.8 and 16.5 million, 0.101 and 0.102 of it (150, 149, 15.2 and 15.2 with the instructions
//!   of the oldest x86 processors).
//!   Until then it was 0.081 at most, and 0.078 to 0.082 on the day of the change: the killers and the table's ply are
//!   tried before anything is listed (0.083 to 0.096 by itself), what most positions need is apart from what needs a
//!   list, and where the processor cannot foretell a branch there is none (0.093 to 0.099). A sixth less instructions
//!   alone had brought nothing.
//! - Depth 8 from the same boards (`turnpost robot move POSITION --depth 8`): 66 784 and 49 841 positions with
//!   reductions, a hundredth of a second.
//! - Endgames, 500 games of level 5, two threads, nobody else at work: sixteen plies before the end 402 were solved
//!   exactly in ten seconds of the clock, 80.4 %, half of them in 0.48 s (`-- solve games=500 threads=2 plies=16`, 25
//!   minutes); twelve plies before the end 466 in a second, 93 %, half of them in 0.031 s (`plies=12`, 3 minutes). What
//!   is not solved mostly has 30 stacks and more yet: there the end was near only in the line that was played. Before
//!   the last changes 318 of the first 400 were, and 275 of the 277 of these with 29 stacks and fewer.

#![warn(missing_docs)]

pub mod advice;
pub mod analysis;
pub mod codecup;
pub mod duel;
pub mod dvonn;
mod ending;
mod first_look;
pub mod hexmeister;
mod hunt;
mod leaves;
pub mod levels;
pub mod limits;
mod listing;
pub mod meeting;
pub mod mind;
mod node;
mod order;
mod proof;
mod proofs;
mod proven;
pub mod search;
pub mod table;
mod tree;
mod worker;

pub use advice::{Advice, ROBOTS, Robot, find};
pub use limits::{Limits, Techniques};
pub use mind::{Judged, Mind};
pub use search::{Thought, think, think_with};
