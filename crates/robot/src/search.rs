//! Thinking about a position: deeper by one ply at a time until a bound is met or everything is proven.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

use super::hunt::Hunt;
use super::limits::Limits;
use super::mind::{INFINITE, Mind};
use super::node::Node;
use super::proofs::{PROVERS, Proofs};
use super::proven::{Bounds, Proven};
use super::table::Table;
use super::worker::{Counts, Found, Shared, Worker};

/// The first window reaches so far to both sides of the last value.
const WINDOW: i32 = 60;

/// Behind searches so deep and deeper proofs are tried.
const PROOF_DEPTH: u32 = 8;

/// A depth takes about so many times the positions of the last.
const GROWTH: u64 = 3;

/// What came of thinking.
#[derive(Debug, Clone, PartialEq)]
pub struct Thought<M> {
    /// The ply to play.
    pub best: M,
    /// What it is worth to the side to move, in hundredths of a point.
    pub value: i32,
    /// Whether the value is the exact result against best play.
    pub exact: bool,
    /// How many plies deep the last search that was finished went.
    pub depth: u32,
    /// Positions made.
    pub made: u64,
    /// Positions estimated.
    pub judged: u64,
    /// Positions whose value was taken from the table.
    pub met: u64,
    /// The plies expected, `best` first.
    pub line: Vec<M>,
    /// How long it took.
    pub took: Duration,
}

/// Thinks about `position`; `None` when the game is over.
///
/// `cancel` ends it at once, with the best ply found so far. A search bounded by nodes or depth begins with an empty
/// table, so that its answer depends on nothing else.
pub fn think<P: Mind>(position: &P, limits: &Limits, cancel: &AtomicBool) -> Option<Thought<P::Move>> {
    let mut table = Table::new(limits.table_bytes());
    think_with(position, limits, cancel, &mut table)
}

/// The same with a table that keeps what earlier searches of the game found out. Not for searches that are to be
/// repeatable.
pub fn think_with<P: Mind>(
    position: &P,
    limits: &Limits,
    cancel: &AtomicBool,
    table: &mut Table,
) -> Option<Thought<P::Move>> {
    let started = Instant::now();
    table.begin();
    let shared = Shared {
        table,
        limits,
        until: limits.time.map(|time| started + time),
        cancel,
        done: AtomicBool::new(false),
        helped: Counts::default(),
        proven: Proven::nothing(),
    };
    let mut plies = position.legal_moves();
    plies.sort_by_key(|ply| -position.urgency(*ply));
    let first = *plies.first()?;
    let threads = if limits.repeatable() { 1 } else { limits.threads.max(1) };
    let hunts = limits.techniques.proofs && limits.depth.is_none();
    let hunts = hunts && P::PATH_FREE && P::GRAIN > 0 && position.is_in_sight(limits.exact);
    let proofs = hunts.then(|| Proofs::new(limits.proof_bytes()));
    let hunt = |thread: usize| {
        let proofs = proofs.as_ref().filter(|_| thread < PROVERS)?;
        Some(Hunt::new(proofs, limits.ending_bytes(), (threads > 1).then_some(thread)))
    };
    let root = Node::new(position.clone());
    let mut main = Worker::new(&shared);
    let mut best = Best { ply: first, value: 0, exact: false, depth: 0, line: vec![first] };
    std::thread::scope(|scope| {
        for helper in 1..threads {
            let (root, plies, shared, hunt) = (&root, plies.clone(), &shared, &hunt);
            let mut best = best.clone();
            scope.spawn(move || {
                let mut worker = Worker::new(shared);
                // Every second helper is a ply ahead, so that threads do not do the same at the same time.
                let hunt = hunt(helper);
                deepen(&mut worker, root, plies, limits, helper as u32 % 2, hunt, &mut best);
                worker.tell();
            });
        }
        deepen(&mut main, &root, plies.clone(), limits, 0, hunt(0), &mut best);
        shared.done.store(true, Relaxed);
    });
    best.take_proven::<P>(&shared.proven.bounds(), &plies);
    Some(Thought {
        best: best.ply,
        value: best.value,
        exact: best.exact,
        depth: best.depth,
        made: main.made + shared.helped.made.load(Relaxed),
        judged: main.judged + shared.helped.judged.load(Relaxed),
        met: main.met + shared.helped.met.load(Relaxed),
        line: best.line,
        took: started.elapsed(),
    })
}

/// The best found so far.
#[derive(Debug, Clone)]
struct Best<M> {
    ply: M,
    value: i32,
    exact: bool,
    /// Of the last search that was finished.
    depth: u32,
    line: Vec<M>,
}

impl<M: Copy> Best<M> {
    /// What is proven counts more than what was found without proof.
    fn take_proven<P: Mind<Move = M>>(&mut self, proven: &Bounds, plies: &[M]) {
        let ply = plies.iter().copied().find(|ply| P::code(*ply) == proven.ply);
        let (Some(ply), false) = (ply, self.exact) else { return };
        let exact = proven.least >= proven.most;
        if !exact && proven.least <= self.value {
            return;
        }
        if P::code(ply) != P::code(self.ply) {
            (self.ply, self.line) = (ply, vec![ply]);
        }
        (self.value, self.exact) = (proven.least, exact);
    }
}

/// Deeper by one ply at a time.
fn deepen<P: Mind>(
    worker: &mut Worker<'_, P>,
    position: &Node<P>,
    mut plies: Vec<P::Move>,
    limits: &Limits,
    ahead: u32,
    mut hunt: Option<Hunt<'_, P>>,
    best: &mut Best<P::Move>,
) {
    let deepest = limits.depth.unwrap_or(u32::MAX).min(position.deepest().max(1));
    let mut last = None;
    let mut depth = ahead;
    while depth < deepest {
        depth += 1;
        let mut reach = WINDOW;
        let mut window = match last {
            Some(value) if limits.techniques.aspiration && depth > 3 => (value - reach, value + reach),
            _ => (-INFINITE, INFINITE),
        };
        let begun = worker.made;
        let found = loop {
            let found = root(worker, position, &mut plies, window, depth, best);
            if worker.stopped {
                return;
            }
            reach *= 4;
            if found.value <= window.0 {
                window.0 = (found.value - reach).max(-INFINITE);
            } else if found.value >= window.1 {
                window.1 = (found.value + reach).min(INFINITE);
            } else {
                break found;
            }
        };
        (best.depth, best.exact) = (depth, found.proven);
        worker.bounded = true;
        if found.proven {
            return;
        }
        if let Some(hunt) = &mut hunt
            && depth >= PROOF_DEPTH
            && hunt.go_on(worker, position, found.value, GROWTH * (worker.made - begun))
        {
            worker.shared.done.store(true, Relaxed);
            return;
        }
        if worker.stopped {
            return;
        }
        last = Some(found.value);
    }
}

/// One search of all plies at the root. The best comes to the front of `plies`, for the next.
fn root<P: Mind>(
    worker: &mut Worker<'_, P>,
    position: &Node<P>,
    plies: &mut [P::Move],
    (mut alpha, beta): (i32, i32),
    depth: u32,
    best: &mut Best<P::Move>,
) -> Found {
    let deeper = depth as i32 - 1;
    let mut value = -INFINITE;
    let mut proven = true;
    for place in 0..plies.len() {
        let Some(ply) = plies.get(place).copied() else { break };
        let mut found = Found { value: INFINITE, proven: false };
        worker.forget(1);
        if place > 0 {
            found = worker.follow(position, ply, (alpha, alpha + 1), deeper, 0);
        }
        if found.value > alpha && (place == 0 || alpha + 1 < beta) && !worker.stopped {
            found = worker.follow(position, ply, (alpha, beta), deeper, 0);
        }
        if worker.stopped {
            break;
        }
        proven &= found.proven;
        value = value.max(found.value);
        if found.value > alpha {
            alpha = found.value;
            // Behind it those that were better before: plies stay in the order in which they were last found good.
            if let Some(front) = plies.get_mut(..=place) {
                front.rotate_right(1);
            }
            (best.ply, best.value, best.exact) = (ply, value, false);
            best.line.clear();
            best.line.push(ply);
            best.line.extend_from_slice(worker.line());
            if value >= beta {
                break;
            }
        }
    }
    Found { value, proven }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// Has `work` done by threads of a search that has done nothing else.
    pub fn with_shared<T>(work: impl FnOnce(&Shared<'_>) -> T) -> T {
        with_limits(&Limits::default(), work)
    }

    /// The same for a search with these limits.
    pub fn with_limits<T>(limits: &Limits, work: impl FnOnce(&Shared<'_>) -> T) -> T {
        let shared = Shared {
            table: &Table::new(1024),
            limits,
            until: None,
            cancel: &AtomicBool::new(false),
            done: AtomicBool::new(false),
            helped: Counts::default(),
            proven: Proven::nothing(),
        };
        work(&shared)
    }
}
