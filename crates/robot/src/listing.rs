//! Listing the plies of a position: the plies that did well elsewhere come forward, and those that cut off are praised.

use super::mind::Mind;
use super::order::{NONE, Plies};
use super::worker::Worker;
use turnpost_games::Seat;

/// How far killers come forward, and the ply that was best before.
const KILLER: i32 = 1 << 12;
const BEST: i32 = 1 << 17;

impl<P: Mind> Worker<'_, P> {
    /// The plies that cut off elsewhere at the same depth.
    fn killers(&self, at: usize) -> [u16; 2] {
        match self.killers.get(at) {
            Some(killers) if self.shared.limits.techniques.killers => *killers,
            _ => [NONE; 2],
        }
    }

    /// Takes the ply that was best before and the killers without a list of all, where it can be seen that they are
    /// legal: mostly one of them cuts the position off.
    pub(super) fn try_early(&self, list: &mut Plies, position: &P, best: u16, at: usize) {
        let [first, second] = self.killers(at);
        for code in [best, first, second] {
            if code != NONE && !list.was_early(code) && P::ply(code).is_some_and(|ply| position.allows(ply)) {
                list.take_early(code);
            }
        }
    }

    /// Lists the plies with their places in the order.
    pub(super) fn fill(&mut self, list: &mut Plies, position: &P, best: u16, at: usize) {
        let [first, second] = self.killers(at);
        let history = self.history.side(position.to_move(), self.shared.limits.techniques.history);
        position.each_move(&mut |ply| {
            let code = P::code(ply);
            if !list.was_early(code) {
                list.push(code, position.urgency(ply) + history.of(code));
            }
        });
        list.promote(|code| {
            let killer = if code == first || code == second { KILLER } else { 0 };
            killer + if code == best { BEST } else { 0 }
        });
    }

    /// The ply at `place` cut the position off; those before it did not.
    pub(super) fn praise(&mut self, list: &Plies, place: usize, seat: Seat, depth: i32, at: usize) {
        let Some(cut) = list.at(place) else { return };
        if let Some(killers) = self.killers.get_mut(at)
            && killers[0] != cut
        {
            *killers = [cut, killers[0]];
        }
        let weight = depth * depth;
        self.history.learn(seat, cut, weight);
        for missed in (0..place).filter_map(|place| list.at(place)) {
            self.history.learn(seat, missed, -weight);
        }
    }
}
