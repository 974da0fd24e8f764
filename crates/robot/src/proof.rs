//! Proofs near the end of the game: whether a side can reach a result, by proof numbers in depth-first order (df-pn).
//!
//! A proof of "ann ends with five points at least" needs one good ply of hers and all of the other side's, so it follows
//! the positions where there is little to choose from, however deep they lie; alpha-beta goes through all of them to one
//! depth. Each position has two numbers, how much is at least to be seen yet to prove and to disprove it. Of several
//! positions that must all be proven the hardest counts, and a little for each other one: their sum would count
//! positions many times that are reached on many ways, as nearly all are when both sides' plies are in different
//! corners of the board.

use super::ending::Endings;
use super::first_look::{first_look, to_the_end};
use super::mind::Mind;
use super::node::Node;
use super::proofs::{Numbers, Proofs, Recalled, View};
use super::worker::Worker;
use turnpost_games::Seat;

/// What is to be proven: that `side` ends with `least` or more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Aim {
    /// The side.
    pub side: Seat,
    /// Its result, as values are counted.
    pub least: i32,
}

/// What a proof came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answer<M> {
    /// The aim is reached: the side gets this much at least, by this ply if it is to move.
    Yes(i32, Option<M>),
    /// The other side can keep it from being reached: the side gets this much at most.
    No(i32),
    /// It was stopped, or was allowed no more positions.
    Open,
}

/// A ply that might be tried.
#[derive(Debug, Clone, Copy)]
struct Branch<M> {
    ply: M,
    key: u64,
    view: View,
    /// How far the results of other aims make a proof likely.
    lean: i32,
}

/// Proves one aim at a time, and keeps what it saw for the next.
#[derive(Debug)]
pub struct Prover<'p, P: Mind> {
    proofs: &'p Proofs,
    /// What the ends of the game come to.
    endings: Endings,
    /// Which of two threads it is that work on the same aims; `None` when it is alone.
    thread: Option<usize>,
    /// The branches of all positions on the way to the one looked at.
    branches: Vec<Branch<P::Move>>,
    /// The positions one ply on.
    nexts: Vec<Node<P>>,
    aim: Aim,
    /// Positions made at which it gives up.
    until: u64,
}

impl<'p, P: Mind> Prover<'p, P> {
    /// One that keeps what it sees in `proofs`, and the ends of the game in a table of its own with so many bytes: with
    /// none they are proven like the rest. Where it is one of two threads, all aims are those of the side to move
    /// in the position the worker's search thinks about, and one that is decided there meanwhile is given up.
    pub fn new(proofs: &'p Proofs, ending_bytes: usize, thread: Option<usize>) -> Prover<'p, P> {
        let aim = Aim { side: Seat::First, least: 0 };
        let endings = Endings::new(ending_bytes);
        Prover { proofs, endings, thread, branches: Vec::new(), nexts: Vec::new(), aim, until: 0 }
    }

    /// Tries to prove or disprove `aim` from `position` until the worker has made `until` positions. Asked again, it
    /// goes on where it stopped.
    pub fn prove(
        &mut self,
        worker: &mut Worker<'_, P>,
        position: &Node<P>,
        aim: Aim,
        until: u64,
    ) -> Answer<P::Move> {
        (self.aim, self.until) = (aim, until);
        self.branches.clear();
        let View { numbers, bound } = self.refine(worker, position, position.key(), Numbers::MOST, (0, 0));
        if numbers.is_disproven() {
            return Answer::No(bound);
        }
        if !numbers.is_proven() {
            return Answer::Open;
        }
        let wins = |branch: &&Branch<P::Move>| branch.view == View::decided(true, bound);
        let wins = self.branches.iter().find(wins).filter(|_| position.to_move() == aim.side);
        Answer::Yes(bound, wins.map(|branch| branch.ply))
    }

    /// Looks into a position, `at` plies on, until one of its numbers reaches `limits` or it is proven or disproven. The
    /// branches of the position lie behind `base` when it returns.
    fn refine(
        &mut self,
        worker: &mut Worker<'_, P>,
        position: &Node<P>,
        key: u64,
        limits: Numbers,
        (base, at): (usize, usize),
    ) -> View {
        let own = position.to_move() == self.aim.side;
        self.branches.truncate(base);
        let begun = worker.made;
        self.tell(at, key);
        self.proofs.fetch_bucket(key);
        // Of the first position the ply is wanted too.
        let whole =
            if at > 0 { to_the_end(worker, &mut self.endings, position, self.aim, true) } else { None };
        let view = match whole.or_else(|| self.branch_out(worker, position, own)) {
            Some(decided) => decided,
            None => loop {
                let busy = self.thread.map_or(0, |thread| self.proofs.other(thread, at + 1));
                let branches = self.branches.get(base..).unwrap_or_default();
                let Choice { reached, best, next } = choose(branches, own, limits, busy);
                let (Some(next), Some(branch), false) = (next, branches.get(best), self.is_spent(worker))
                else {
                    break View { numbers: reached, bound: bound(branches, own, reached) };
                };
                let (ply, key) = (branch.ply, branch.key);
                let found = match self.meanwhile(branch) {
                    Some(found) => found,
                    None => {
                        let mut after = position.clone();
                        after.make(ply);
                        worker.count();
                        let end = self.branches.len();
                        let found = self.refine(worker, &after, key, next, (end, at + 1));
                        self.branches.truncate(end);
                        found
                    }
                };
                if let Some(branch) = self.branches.get_mut(base + best) {
                    branch.view = found;
                }
            },
        };
        self.tell(at, 0);
        self.proofs.keep(key, view, worker.made - begun);
        view
    }

    /// Tells the other thread which position it looks into.
    #[inline]
    fn tell(&self, at: usize, key: u64) {
        if let Some(thread) = self.thread {
            self.proofs.tell(thread, at, key);
        }
    }

    /// Whether there is nothing left to do, or nothing left to do it with.
    #[inline]
    fn is_spent(&self, worker: &Worker<'_, P>) -> bool {
        let decided = || self.thread.is_some() && worker.shared.proven.decides(self.aim.least);
        worker.stopped || worker.made >= self.until || decided()
    }

    /// What the other thread found out about a branch since it was last looked at.
    #[inline]
    fn meanwhile(&self, branch: &Branch<P::Move>) -> Option<View> {
        self.thread?;
        match self.proofs.find(branch.key, self.aim) {
            Recalled::View(view) if view.numbers != branch.view.numbers => Some(view),
            _ => None,
        }
    }

    /// Lists the branches of a position with what is known of each. If one of them gives the side to move what it wants,
    /// that is the answer.
    fn branch_out(&mut self, worker: &mut Worker<'_, P>, position: &Node<P>, own: bool) -> Option<View> {
        let Prover { branches, nexts, proofs, endings, .. } = self;
        let base = branches.len();
        position.each_move(&mut |ply| branches.push(Branch { ply, key: 0, view: View::UNKNOWN, lean: 0 }));
        let branches = branches.get_mut(base..).unwrap_or_default();
        nexts.clear();
        nexts.extend(branches.iter().map(|_| position.clone()));
        for (branch, next) in branches.iter().zip(&mut *nexts) {
            next.make(branch.ply);
            worker.count();
        }
        // Behind all of them: what was written a moment ago cannot be read at once.
        for (branch, next) in branches.iter_mut().zip(&*nexts) {
            branch.key = next.key();
            proofs.fetch_labels(branch.key);
        }
        for branch in &*branches {
            proofs.fetch_entry(branch.key);
        }
        for branch in &mut *branches {
            match proofs.find(branch.key, self.aim) {
                Recalled::View(view) => branch.view = view,
                Recalled::Lean(lean) => branch.lean = lean,
            }
            if branch.view.numbers.seen_by(own) == Numbers::decided(true) {
                return Some(branch.view);
            }
        }
        for (branch, next) in branches.iter_mut().zip(&*nexts) {
            if branch.view == View::UNKNOWN {
                branch.view = first_look(worker, endings, next, self.aim, branch.lean);
                if branch.view.numbers.seen_by(own).is_proven() {
                    return Some(branch.view);
                }
            }
        }
        None
    }
}

/// Which branch to look into, and how far.
struct Choice {
    /// The numbers of the position.
    reached: Numbers,
    /// The place of the branch that is the easiest for the side to move.
    best: usize,
    /// How far; `None` when the position's limits are reached.
    next: Option<Numbers>,
}

/// For the side to move the easiest of its branches counts, and for the other side all of them. Into the branch whose key
/// is `busy` the other thread looks: if the second easiest is not twice as hard, it is taken instead.
fn choose<M>(branches: &[Branch<M>], own: bool, limits: Numbers, busy: u64) -> Choice {
    let (mut best, mut easiest, mut second) = (0, u32::MAX, u32::MAX);
    let (mut hardest, mut open) = (0, 0_u32);
    for (place, branch) in branches.iter().enumerate() {
        let Numbers { proof: ease, disproof: rest } = branch.view.numbers.seen_by(own);
        hardest = hardest.max(rest);
        open += u32::from(rest > 0);
        if ease < easiest {
            (best, second, easiest) = (place, easiest, ease);
        } else {
            second = second.min(ease);
        }
    }
    let others = open.saturating_sub(1);
    let reached =
        Numbers { proof: easiest, disproof: if hardest == 0 { 0 } else { hardest.saturating_add(others) } };
    let limits = limits.seen_by(own);
    let far = reached.proof >= limits.proof || reached.disproof >= limits.disproof;
    let taken = busy != 0 && branches.get(best).is_some_and(|branch| branch.key == busy);
    if taken && second < limits.proof.min(easiest.saturating_mul(2)) {
        (best, second) = easiest_but(branches, own, best);
    }
    let next = (!far).then(|| {
        // Somewhat further than the second easiest, or it would go back and forth between the two.
        let proof = limits.proof.min(second.saturating_add(second).saturating_add(1));
        Numbers { proof, disproof: limits.disproof.saturating_sub(others) }.seen_by(own)
    });
    Choice { reached: reached.seen_by(own), best, next }
}

/// What the branches prove together where they decide the position: each side gets the best for itself of those that
/// win for the side to move, or of all when all of them lose.
fn bound<M>(branches: &[Branch<M>], own: bool, reached: Numbers) -> i32 {
    let Numbers { proof: ease, disproof: rest } = reached.seen_by(own);
    if ease > 0 && rest > 0 {
        return 0;
    }
    let counts = |branch: &&Branch<M>| rest == 0 || branch.view.numbers.seen_by(own).is_proven();
    let bounds = branches.iter().filter(counts).map(|branch| branch.view.bound);
    if own { bounds.max() } else { bounds.min() }.unwrap_or(0)
}

/// The place of the easiest branch besides the one at `taken`, and how easy the next is.
fn easiest_but<M>(branches: &[Branch<M>], own: bool, taken: usize) -> (usize, u32) {
    let (mut best, mut easiest, mut second) = (taken, u32::MAX, u32::MAX);
    for (place, branch) in branches.iter().enumerate().filter(|(place, _)| *place != taken) {
        let ease = branch.view.numbers.seen_by(own).proof;
        if ease < easiest {
            (best, second, easiest) = (place, easiest, ease);
        } else {
            second = second.min(ease);
        }
    }
    (best, second)
}
