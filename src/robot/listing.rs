//! Listing the plies of a position: the plies that did well elsewhere come forward, and those that cut off are praised.

use super::mind::Mind;
use super::order::Scored;
use super::worker::{NONE, Worker};
use crate::game::Seat;

/// How far killers come forward, and the ply that was best before.
const KILLER: i32 = 1 << 12;
const BEST: i32 = 1 << 20;

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
