//! The search of one thread: alpha-beta with a window of no width behind the first ply (principal variation search).
//!
//! Every value comes with the word whether it is proven: whether all that it rests on goes to the end of the game. A
//! bound from below is proven by one ply whose value is; a bound from above by all of them. Guesses on the way
//! (estimates at the leaves, margins, passes) are not proven and spoil what rests on them; reductions need no care,
//! for what they leave unsearched shows in what they rest on.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::Instant;

use super::limits::Limits;
use super::mind::{INFINITE, Judged, Mind, mix};
use super::order::{History, Scored, pick, reduction};
use super::table::{Bound, Known, PROVEN, Table};
use crate::game::Position;

/// Plies from the root that a search ever goes.
const MOST_PLIES: usize = 120;

/// So often a thread looks whether it is to stop.
const LOOK: u64 = 128;

/// Up to so many plies above the leaves margins are used, and how wide they are for each ply.
const MARGIN_DEPTH: i32 = 3;
const MARGIN: i32 = 250;

/// How far below the window's lower end an estimate is hopeless, for each ply above the leaves.
const HOPELESS: i32 = 300;

/// Plies of the other side's stacks followed at the leaves.
const QUIET_PLIES: i32 = 3;

/// A value, and whether it is proven.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Found {
    /// For the side to move.
    pub value: i32,
    /// Whether everything it rests on goes to the end of the game.
    pub proven: bool,
}

/// What the threads of a search share.
pub struct Shared<'s> {
    /// Positions seen before.
    pub table: &'s Table,
    /// What bounds the search.
    pub limits: &'s Limits,
    /// When time is up.
    pub until: Option<Instant>,
    /// Set from outside to end the search at once.
    pub cancel: &'s AtomicBool,
    /// Set when the first thread is done.
    pub done: AtomicBool,
    /// What the other threads counted.
    pub helped: Counts,
}

/// What was done.
#[derive(Debug, Default)]
pub struct Counts {
    /// Positions made.
    pub made: AtomicU64,
    /// Positions estimated.
    pub judged: AtomicU64,
    /// Positions whose value was taken from the table.
    pub met: AtomicU64,
}

/// One thread.
pub struct Worker<'s, P: Position> {
    shared: &'s Shared<'s>,
    history: History,
    killers: Vec<[Option<u16>; 2]>,
    /// The plies of each depth, kept so that lists need no new memory.
    lists: Vec<Vec<Scored<P::Move>>>,
    /// The best line from each depth on.
    lines: Vec<Vec<P::Move>>,
    /// Positions made.
    pub made: u64,
    /// Positions estimated.
    pub judged: u64,
    /// Positions whose value was taken from the table.
    pub met: u64,
    /// Whether the search was stopped: values returned from then on mean nothing.
    pub stopped: bool,
    /// Whether bounds other than cancelling count yet.
    pub bounded: bool,
}

impl<'s, P: Mind> Worker<'s, P> {
    /// A thread that has done nothing.
    pub fn new(shared: &'s Shared<'s>) -> Worker<'s, P> {
        Worker {
            shared,
            history: History::new(),
            killers: vec![[None; 2]; MOST_PLIES + 1],
            lists: vec![Vec::new(); MOST_PLIES + 1],
            lines: vec![Vec::new(); MOST_PLIES + 2],
            made: 0,
            judged: 0,
            met: 0,
            stopped: false,
            bounded: false,
        }
    }

    /// The best line of the last search, behind its first ply.
    pub fn line(&self) -> &[P::Move] {
        self.lines.get(1).map_or(&[], Vec::as_slice)
    }

    /// Tells what it counted, for the thread that reports.
    pub fn tell(&self) {
        self.shared.helped.made.fetch_add(self.made, Relaxed);
        self.shared.helped.judged.fetch_add(self.judged, Relaxed);
        self.shared.helped.met.fetch_add(self.met, Relaxed);
    }

    fn look(&mut self) {
        let shared = self.shared;
        let late = || shared.until.is_some_and(|until| Instant::now() >= until);
        if shared.cancel.load(Relaxed) || shared.done.load(Relaxed) || self.bounded && late() {
            self.stopped = true;
        }
    }

    /// Plays `ply` and searches what comes of it. The window and the value are those of the side that plays it.
    #[inline]
    pub fn follow(&mut self, position: &P, ply: P::Move, window: (i32, i32), depth: i32, at: usize) -> Found {
        self.made += 1;
        if self.made.is_multiple_of(LOOK) {
            self.look();
        }
        if self.bounded && self.shared.limits.nodes.is_some_and(|nodes| self.made > nodes) {
            self.stopped = true;
        }
        if self.stopped {
            return Found { value: 0, proven: false };
        }
        let mut next = position.clone();
        next.make(ply);
        self.turned(position, &next, window, depth, at + 1, true)
    }

    /// Searches `next` for the side to move in `before`. A side may play twice in a row.
    #[inline]
    fn turned(
        &mut self,
        before: &P,
        next: &P,
        window: (i32, i32),
        depth: i32,
        at: usize,
        may_pass: bool,
    ) -> Found {
        if next.to_move() == before.to_move() {
            return self.search(next, window, depth, at, may_pass);
        }
        let found = self.search(next, (-window.1, -window.0), depth, at, may_pass);
        Found { value: -found.value, ..found }
    }

    /// The estimate or the result, with the error of the low levels.
    #[inline]
    fn judge(&mut self, position: &P) -> Judged {
        self.judged += 1;
        let judged = position.judge();
        let noise = self.shared.limits.noise;
        match judged {
            Judged::Guess(value) if noise > 0 => {
                let drawn = mix(position.key() ^ self.shared.limits.seed) >> 32;
                let error = ((drawn * (2 * noise as u64 + 1)) >> 32) as i32 - noise;
                Judged::Guess(value + error)
            }
            judged => judged,
        }
    }

    fn search(
        &mut self,
        position: &P,
        (mut alpha, mut beta): (i32, i32),
        depth: i32,
        at: usize,
        may_pass: bool,
    ) -> Found {
        let techniques = self.shared.limits.techniques;
        if let Some(line) = self.lines.get_mut(at) {
            line.clear();
        }
        if depth <= 0 || at >= MOST_PLIES {
            let left = if techniques.quiescence { QUIET_PLIES } else { 0 };
            return self.settle(position, (alpha, beta), left, at);
        }
        let wide = beta - alpha > 1;
        let late = position.is_late();
        if techniques.limits && late {
            // No value outside these can come out, whatever is played.
            let (least, most) = position.bounds();
            if most <= alpha {
                return Found { value: most, proven: true };
            }
            if least >= beta {
                return Found { value: least, proven: true };
            }
            (alpha, beta) = (alpha.max(least - 1), beta.min(most + 1));
        }

        // A ply above the leaves the way to the table's memory takes longer than what it saves.
        let remember = techniques.table && (late || depth > 1);
        let key = if remember { position.key() } else { 0 };
        let known = if remember { self.shared.table.find(key) } else { None };
        if let Some(known) = known {
            let proven = known.depth == PROVEN;
            let value = i32::from(known.value);
            let decides = match known.bound {
                Bound::Exact => true,
                Bound::Lower => value >= beta,
                Bound::Upper => value <= alpha,
            };
            if decides && (proven || !wide && i32::from(known.depth) >= depth) {
                self.met += 1;
                return Found { value, proven };
            }
        }
        let best_known = known.and_then(|known| known.best);

        let (mut hopeless, mut estimate) = (false, 0);
        if !wide && !late && (techniques.margins && depth <= MARGIN_DEPTH || techniques.passing && depth >= 3)
        {
            let value = match self.judge(position) {
                Judged::Final(value) => return Found { value, proven: true },
                Judged::Guess(value) => value,
            };
            if techniques.margins && depth <= MARGIN_DEPTH {
                if value - MARGIN * depth >= beta {
                    return Found { value: value - MARGIN * depth, proven: false };
                }
                hopeless = value + HOPELESS * depth <= alpha;
                estimate = value;
            }
            if techniques.passing
                && P::MAY_PASS
                && depth >= 3
                && may_pass
                && value >= beta
                && let Some(passed) = position.passed()
            {
                let less = 2 + depth / 4;
                let found = self.turned(position, &passed, (beta - 1, beta), depth - 1 - less, at + 1, false);
                if !self.stopped && found.value >= beta {
                    return Found { value: found.value, proven: false };
                }
            }
        }

        let mut list = self.lists.get_mut(at).map(std::mem::take).unwrap_or_default();
        let found = if hopeless {
            // An estimate so low is not mended by a quiet ply.
            list.clear();
            position.each_loud(&mut |ply| {
                list.push(Scored { ply, score: position.urgency(ply), code: P::code(ply) });
            });
            let floor = Found { value: estimate + HOPELESS * depth, proven: false };
            self.plies(position, &mut list, (alpha, beta), depth, at, (key, Some(floor), late))
        } else {
            self.fill(&mut list, position, best_known, at);
            self.plies(position, &mut list, (alpha, beta), depth, at, (key, None, late))
        };
        if let Some(place) = self.lists.get_mut(at) {
            *place = list;
        }
        found
    }

    /// Lists the plies with their places in the order.
    fn fill(&mut self, list: &mut Vec<Scored<P::Move>>, position: &P, best: Option<u16>, at: usize) {
        let techniques = self.shared.limits.techniques;
        let seat = position.to_move();
        let killers = self.killers.get(at).copied().unwrap_or_default();
        list.clear();
        position.each_move(&mut |ply| {
            let code = P::code(ply);
            let mut score = position.urgency(ply);
            if best == Some(code) {
                score = 1 << 24;
            } else if techniques.killers && killers.contains(&Some(code)) {
                score += 1 << 12;
            }
            if techniques.history {
                score += self.history.of(seat, code);
            }
            list.push(Scored { ply, score, code });
        });
    }

    fn plies(
        &mut self,
        position: &P,
        list: &mut [Scored<P::Move>],
        (mut alpha, beta): (i32, i32),
        depth: i32,
        at: usize,
        (key, floor, late): (u64, Option<Found>, bool),
    ) -> Found {
        let techniques = self.shared.limits.techniques;
        if list.is_empty() && floor.is_none() {
            // Nothing can be played only when the game is over.
            return match position.judge() {
                Judged::Final(value) => Found { value, proven: true },
                Judged::Guess(value) => Found { value, proven: false },
            };
        }
        let seat = position.to_move();
        let (start, wide) = (alpha, beta - alpha > 1);
        let deeper = if techniques.extension && list.len() == 1 { depth } else { depth - 1 };
        // What is left out is worth this at most, which nothing proves.
        let mut best = floor.unwrap_or(Found { value: -INFINITE, proven: true });
        let mut best_code = None;
        let mut all_proven = floor.is_none();
        let mut place = 0;
        while let Some(scored) = pick(list, place) {
            let narrow = (alpha, alpha + 1);
            let found = if place == 0 || !techniques.scout {
                self.follow(position, scored.ply, (alpha, beta), deeper, at)
            } else {
                let mut less = 0;
                if techniques.reductions && !late && depth >= 3 && place >= 3 {
                    less = (reduction(depth, place) - i32::from(wide)).clamp(0, deeper - 1);
                }
                let mut found = self.follow(position, scored.ply, narrow, deeper - less, at);
                if found.value > alpha && less > 0 && !self.stopped && !found.proven {
                    found = self.follow(position, scored.ply, narrow, deeper, at);
                }
                if found.value > alpha && found.value < beta && !self.stopped {
                    found = self.follow(position, scored.ply, (alpha, beta), deeper, at);
                }
                found
            };
            if self.stopped {
                return found;
            }
            all_proven &= found.proven;
            if found.value > best.value {
                best = found;
                if found.value > alpha {
                    best_code = Some(scored.code);
                    alpha = found.value;
                    if wide {
                        self.note(at, scored.ply);
                    }
                    if found.value >= beta {
                        break;
                    }
                }
            }
            place += 1;
        }
        let bound = if best.value >= beta {
            self.praise(list, place, seat, depth, at);
            Bound::Lower
        } else {
            best.proven = all_proven;
            if best.value > start { Bound::Exact } else { Bound::Upper }
        };
        if techniques.table && (late || depth > 1) {
            let proven = best.proven && P::PATH_FREE;
            let depth = if proven { PROVEN } else { depth.clamp(0, 100) as u8 };
            self.shared.table.keep(key, Known { best: best_code, value: best.value as i16, depth, bound });
        }
        best
    }

    /// The ply at `place` cut the position off; those before it did not.
    fn praise(
        &mut self,
        list: &[Scored<P::Move>],
        place: usize,
        seat: crate::ids::Seat,
        depth: i32,
        at: usize,
    ) {
        let Some(cut) = list.get(place) else { return };
        if let Some(killers) = self.killers.get_mut(at)
            && killers[0] != Some(cut.code)
        {
            *killers = [Some(cut.code), killers[0]];
        }
        let weight = depth * depth;
        self.history.learn(seat, cut.code, weight);
        for missed in list.iter().take(place) {
            self.history.learn(seat, missed.code, -weight);
        }
    }

    /// Puts `ply` in front of the best line of the next depth.
    fn note(&mut self, at: usize, ply: P::Move) {
        let Some((upper, lower)) = self.lines.split_at_mut_checked(at + 1) else { return };
        if let (Some(line), Some(rest)) = (upper.last_mut(), lower.first()) {
            line.clear();
            line.push(ply);
            line.extend_from_slice(rest);
        }
    }

    /// At the leaves: the estimate, unless a loud ply makes it better. The side to move need not play a loud ply.
    fn settle(&mut self, position: &P, (mut alpha, beta): (i32, i32), left: i32, at: usize) -> Found {
        let value = match self.judge(position) {
            Judged::Final(value) => return Found { value, proven: true },
            Judged::Guess(value) => value,
        };
        let mut best = Found { value, proven: false };
        if left == 0 || value >= beta || at >= MOST_PLIES {
            return best;
        }
        alpha = alpha.max(value);
        let mut list = self.lists.get_mut(at).map(std::mem::take).unwrap_or_default();
        list.clear();
        position.each_loud(&mut |ply| list.push(Scored { ply, score: position.urgency(ply), code: 0 }));
        let mut place = 0;
        while let Some(scored) = pick(&mut list, place) {
            self.made += 1;
            if self.made.is_multiple_of(LOOK) {
                self.look();
            }
            let mut next = position.clone();
            next.make(scored.ply);
            let found = if next.to_move() == position.to_move() {
                self.settle(&next, (alpha, beta), left - 1, at + 1)
            } else {
                let found = self.settle(&next, (-beta, -alpha), left - 1, at + 1);
                Found { value: -found.value, ..found }
            };
            if self.stopped {
                break;
            }
            if found.value > best.value {
                best = found;
                alpha = alpha.max(found.value);
                if found.value >= beta {
                    break;
                }
            }
            place += 1;
        }
        // Not proven unless it cuts off: there are quiet plies as well.
        best.proven &= best.value >= beta;
        if let Some(slot) = self.lists.get_mut(at) {
            *slot = list;
        }
        best
    }
}
