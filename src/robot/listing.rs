//! Listing the plies of a position: the plies that did well elsewhere come forward, and those that cut off are praised.

use super::mind::Mind;
use super::order::Scored;
use super::table::{Bound, PROVEN};
use super::worker::{Found, NONE, Worker};
use crate::game::Seat;

/// How far killers come forward, and the ply that was best before.
const KILLER: i32 = 1 << 12;
const BEST: i32 = 1 << 20;

/// How far a ply goes back for each reply that it leaves, where replies are counted.
const REPLY: i32 = 5000;

impl<P: Mind> Worker<'_, P> {
    /// Lists the plies with their places in the order.
    pub(super) fn fill(
        &mut self,
        list: &mut Vec<Scored<P::Move>>,
        position: &P,
        best: Option<u16>,
        at: usize,
    ) {
        let techniques = self.shared.limits.techniques;
        let seat = position.to_move();
        let best = best.unwrap_or(NONE);
        let [first, second] = match self.killers.get(at) {
            Some(killers) if techniques.killers => *killers,
            _ => [NONE; 2],
        };
        let history = self.history.side(seat, techniques.history);
        position.each_move(&mut |ply| {
            let code = P::code(ply);
            let mut score = position.urgency(ply) + history.of(code);
            score += if code == first || code == second { KILLER } else { 0 };
            score += if code == best { BEST } else { 0 };
            list.push(Scored { ply, score, code });
        });
    }

    /// A look at what each ply of a late position leads to: a position known to cut this one off does so without being
    /// searched, and the fewer replies a ply leaves the earlier it comes, for the less there is to search.
    pub(super) fn foresee(
        &mut self,
        position: &P,
        list: &mut [Scored<P::Move>],
        (alpha, beta): (i32, i32),
        depth: i32,
        best: Option<u16>,
    ) -> Option<Found> {
        let wide = beta - alpha > 1;
        self.keys.clear();
        for scored in list {
            self.count();
            let mut next = position.clone();
            next.make(scored.ply);
            if next.to_move() == position.to_move() {
                continue;
            }
            self.keys.push(next.key());
            if best != Some(scored.code) {
                scored.score -= REPLY * next.legal_count() as i32;
            }
        }
        // One after the other with nothing in between: the processor then waits for several at once.
        let table = self.shared.table;
        self.keys.iter().filter_map(|key| table.find(*key)).find_map(|known| {
            let (value, proven) = (-i32::from(known.value), known.depth == PROVEN);
            let deep = proven || !wide && i32::from(known.depth) >= depth - 1;
            (deep && known.bound != Bound::Lower && value >= beta).then_some(Found { value, proven })
        })
    }

    /// The ply at `place` cut the position off; those before it did not.
    pub(super) fn praise(
        &mut self,
        list: &[Scored<P::Move>],
        place: usize,
        seat: Seat,
        depth: i32,
        at: usize,
    ) {
        let Some(cut) = list.get(place) else { return };
        if let Some(killers) = self.killers.get_mut(at)
            && killers[0] != cut.code
        {
            *killers = [cut.code, killers[0]];
        }
        let weight = depth * depth;
        self.history.learn(seat, cut.code, weight);
        for missed in list.iter().take(place) {
            self.history.learn(seat, missed.code, -weight);
        }
    }
}
