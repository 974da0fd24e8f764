//! Where the search ends: estimates, and loud plies followed until the board is quiet.

use super::mind::{Judged, Mind};
use super::node::Node;
use super::worker::{Found, MOST_PLIES, Worker};

/// Plies of the other side's stacks followed at the leaves.
pub(super) const QUIET_PLIES: i32 = 3;

impl<P: Mind> Worker<'_, P> {
    /// At the leaves: the estimate, unless a loud ply makes it better. The side to move need not play a loud ply.
    #[inline]
    pub(super) fn settle(
        &mut self,
        position: &Node<P>,
        (alpha, beta): (i32, i32),
        left: i32,
        at: usize,
    ) -> Found {
        let value = match self.judge(position, (alpha, beta)) {
            Judged::Final(value) => return Found { value, proven: true },
            Judged::Guess(value) => value,
        };
        if left == 0 || value >= beta || at >= MOST_PLIES {
            return Found { value, proven: false };
        }
        self.quiet(position, value, (alpha.max(value), beta), left, at)
    }

    /// The value with loud plies, if one of them makes it better.
    fn quiet(
        &mut self,
        position: &Node<P>,
        value: i32,
        (mut alpha, beta): (i32, i32),
        left: i32,
        at: usize,
    ) -> Found {
        let mut best = Found { value, proven: false };
        let mut list = self.take(at);
        position.each_loud(&mut |ply| list.push(P::code(ply), position.urgency(ply)));
        let mut place = 0;
        while let Some(ply) = list.pick(0, place).and_then(P::ply) {
            self.made += 1;
            self.look();
            let mut next = position.clone();
            next.make(ply);
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
        self.give(at, list);
        best
    }
}
