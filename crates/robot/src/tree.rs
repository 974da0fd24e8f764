//! The search of a position: alpha-beta with a window of no width behind the first ply (principal variation search).

use super::leaves::QUIET_PLIES;
use super::mind::{INFINITE, Judged, Mind};
use super::node::Node;
use super::order::{NONE, Plies, reduction};
use super::table::{Bound, Known, PROVEN};
use super::worker::{Found, MOST_PLIES, Worker};

/// Up to so many plies above the leaves margins are used, and how wide they are for each ply.
const MARGIN_DEPTH: i32 = 5;
const MARGIN: i32 = 120;

/// How far below the window's lower end an estimate is hopeless, for each ply above the leaves.
const HOPELESS: i32 = 200;

impl<P: Mind> Worker<'_, P> {
    /// The value of a position, so many plies deep.
    ///
    /// Most positions are left here, so this is kept apart from what needs a list of plies, and put where it is called.
    #[inline(always)]
    pub(super) fn search(
        &mut self,
        position: &Node<P>,
        (mut alpha, mut beta): (i32, i32),
        depth: i32,
        at: usize,
        may_pass: bool,
    ) -> Found {
        let techniques = &self.shared.limits.techniques;
        if depth <= 0 || at >= MOST_PLIES {
            let left = if techniques.quiescence { QUIET_PLIES } else { 0 };
            return self.settle(position, (alpha, beta), left, at);
        }
        let wide = beta - alpha > 1;
        let late = position.is_late();
        if techniques.limits && late {
            // No value outside these can come out, whatever is played.
            let (least, most) = position.bounds((alpha, beta));
            if most <= alpha {
                return Found { value: most, proven: true };
            }
            if least >= beta {
                return Found { value: least, proven: true };
            }
            (alpha, beta) = (alpha.max(least - 1), beta.min(most + 1));
        }

        // A ply above the leaves the way to the table's memory takes longer than what it saves.
        let remember = techniques.table && depth > 1;
        let key = if remember { position.key() } else { 0 };
        if remember {
            self.shared.table.fetch(key);
        }
        let (mut hopeless, mut estimate) = (false, None);
        if !wide && !late && techniques.margins && depth <= MARGIN_DEPTH {
            // Before the table, whose memory is on its way.
            let far = (alpha - HOPELESS * depth, beta + MARGIN * depth);
            let value = match self.judge(position, far) {
                Judged::Final(value) => return Found { value, proven: true },
                Judged::Guess(value) => value,
            };
            if value - MARGIN * depth >= beta {
                return Found { value: value - MARGIN * depth, proven: false };
            }
            hopeless = value + HOPELESS * depth <= alpha;
            estimate = Some(value);
        }
        self.expand(position, (alpha, beta), depth, at, (may_pass, late, estimate, hopeless), key)
    }

    /// The value of a position that has to be looked into.
    fn expand(
        &mut self,
        position: &Node<P>,
        (alpha, beta): (i32, i32),
        depth: i32,
        at: usize,
        (may_pass, late, estimate, hopeless): (bool, bool, Option<i32>, bool),
        key: u64,
    ) -> Found {
        let techniques = self.shared.limits.techniques;
        let wide = beta - alpha > 1;
        let remember = techniques.table && depth > 1;
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
        let best_known = known.and_then(|known| known.best).unwrap_or(NONE);

        if techniques.passing && P::MAY_PASS && !wide && !late && depth >= 3 && may_pass && !hopeless {
            let value = match estimate {
                Some(value) => value,
                None => match self.judge(position, (alpha, beta)) {
                    Judged::Final(value) => return Found { value, proven: true },
                    Judged::Guess(value) => value,
                },
            };
            if value >= beta
                && let Some(passed) = position.passed()
            {
                let less = 2 + depth / 4;
                let found = self.turned(position, &passed, (beta - 1, beta), depth - 1 - less, at + 1, false);
                if !self.stopped && found.value >= beta {
                    return Found { value: found.value, proven: false };
                }
            }
        }

        let mut list = self.take(at);
        let found = if hopeless {
            // An estimate so low is not mended by a quiet ply.
            position.each_loud(&mut |ply| {
                list.push(P::code(ply), position.urgency(ply));
            });
            let floor = Found { value: estimate.unwrap_or(-INFINITE) + HOPELESS * depth, proven: false };
            self.plies(position, &mut list, (alpha, beta), depth, at, (key, NONE, Some(floor), late))
        } else {
            if !late {
                self.try_early(&mut list, position, best_known, at);
            }
            if list.early() == 0 {
                self.fill(&mut list, position, best_known, at);
            }
            self.plies(position, &mut list, (alpha, beta), depth, at, (key, best_known, None, late))
        };
        self.give(at, list);
        found
    }

    fn plies(
        &mut self,
        position: &Node<P>,
        list: &mut Plies,
        (mut alpha, beta): (i32, i32),
        depth: i32,
        at: usize,
        (key, best_known, floor, late): (u64, u16, Option<Found>, bool),
    ) -> Found {
        let techniques = self.shared.limits.techniques;
        if list.len() == 0 && floor.is_none() {
            // Nothing can be played only when the game is over.
            return Found { value: position.result(), proven: true };
        }
        let seat = position.to_move();
        let (start, wide) = (alpha, beta - alpha > 1);
        let alone = list.len() == 1 && list.early() == 0;
        let deeper = if techniques.extension && alone { depth } else { depth - 1 };
        // What is left out is worth this at most, which nothing proves.
        let mut best = floor.unwrap_or(Found { value: -INFINITE, proven: true });
        let mut best_code = None;
        let mut all_proven = floor.is_none();
        let mut place = 0;
        loop {
            if place > 0 && place == list.early() {
                self.fill(list, position, best_known, at);
            }
            let Some(code) = list.pick(0, place) else { break };
            let Some(ply) = P::ply(code) else { break };
            if wide {
                self.forget(at + 1);
            }
            let narrow = (alpha, alpha + 1);
            let found = if place == 0 || !techniques.scout {
                self.follow(position, ply, (alpha, beta), deeper, at)
            } else {
                let mut less = 0;
                if techniques.reductions && !late && depth >= 3 && place >= 3 {
                    less = (reduction(depth, place) - i32::from(wide)).clamp(0, deeper - 1);
                }
                let mut found = self.follow(position, ply, narrow, deeper - less, at);
                if found.value > alpha && less > 0 && !self.stopped && !found.proven {
                    found = self.follow(position, ply, narrow, deeper, at);
                }
                if found.value > alpha && found.value < beta && !self.stopped {
                    found = self.follow(position, ply, (alpha, beta), deeper, at);
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
                    best_code = Some(code);
                    alpha = found.value;
                    if wide {
                        self.note(at, ply);
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
        if techniques.table && depth > 1 {
            let proven = best.proven && P::PATH_FREE;
            let depth = if proven { PROVEN } else { depth.clamp(0, 100) as u8 };
            self.shared.table.keep(key, Known { best: best_code, value: best.value as i16, depth, bound });
        }
        best
    }
}
