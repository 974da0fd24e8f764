//! Among equally good pairs of a bracket, the first in the order of the system: those who came down meet the strongest they
//! can, then the upper half of the others meets the lower half, with as few exchanges between the halves as possible.

use super::bracket::{Bracket, Paired};

impl Bracket<'_> {
    pub fn paired(mut self) -> Option<Paired> {
        let mut mates = self.best()?;
        let (moved, size) = (self.moved, self.size);
        // Which of those who came down are paired here.
        for one in 0..moved {
            mates = self.best_by(|at, other| i128::from([at, other].contains(&one) && other < size))?;
            let stays = mates[one] < size;
            self.keep(|at, other| ![at, other].contains(&one) || (other < size) == stays);
        }
        // Whom they meet.
        for one in (0..moved).filter(|one| mates[*one] < size).collect::<Vec<_>>() {
            mates = self.best_for(one)?;
        }
        let met: Vec<usize> = (0..moved).map(|one| mates[one]).collect();
        let rest: Vec<usize> = (moved..size).filter(|at| !met.contains(at)).collect();
        let pairs = rest.iter().filter(|at| mates[**at] < size).count() / 2;
        if pairs > 0 {
            let upper = self.upper_half(&rest, pairs)?;
            let is_upper = |at: usize| upper.contains(&at);
            self.keep(|at, other| {
                let of_one_half =
                    rest.contains(&at) && rest.contains(&other) && is_upper(at) == is_upper(other);
                !(of_one_half || is_upper(at) && other >= size)
            });
            for one in upper.iter().copied() {
                mates = self.best_for(one)?;
            }
        }
        Some(self.taken(&mates))
    }

    /// The best matching in which this player meets the strongest opponent. Keeps only this edge of the player.
    fn best_for(&mut self, one: usize) -> Option<Vec<usize>> {
        let mates = self.best_by(|at, other| match (at, other) {
            _ if at == one => -(other as i128),
            _ if other == one => -(at as i128),
            _ => 0,
        })?;
        self.join(one, mates[one]);
        Some(mates)
    }

    /// Those of `rest` who are the upper players of its pairs, after as few exchanges as possible.
    fn upper_half(&mut self, rest: &[usize], pairs: usize) -> Option<Vec<usize>> {
        let size = self.size;
        let (upper, lower) = rest.split_at(pairs);
        // An upper player leaves the half by meeting a stronger upper one, or by going down; a lower player enters it by
        // meeting a weaker lower one. Edges are asked for in the order of their ends.
        let leaves = |at: usize, other: usize| match upper.contains(&at) {
            true if upper.contains(&other) => Some(other),
            true if other >= size => Some(at),
            _ => None,
        };
        let enters = |at: usize, other: usize| (lower.contains(&at) && lower.contains(&other)).then_some(at);
        let far = (self.len() * self.len()) as i128;
        self.nudge(|at, other| match (leaves(at, other), enters(at, other)) {
            (Some(down), _) => down as i128 - far,
            (_, Some(up)) => -(up as i128),
            _ => 0,
        });
        let mut mates = self.best()?;
        let exchanged = |mates: &[usize], by: &dyn Fn(usize, usize) -> Option<usize>| {
            let edges = mates.iter().enumerate().filter(|(at, mate)| at < mate);
            edges.filter_map(|(at, mate)| by(at, *mate)).collect::<Vec<_>>()
        };
        if !exchanged(&mates, &leaves).is_empty() {
            for one in upper.iter().rev() {
                mates = self.best_by(|at, other| i128::from(leaves(at, other) == Some(*one)))?;
                let left = exchanged(&mates, &leaves).contains(one);
                self.keep(|at, other| {
                    ![at, other].contains(one) || (leaves(at, other) == Some(*one)) == left
                });
            }
            for one in lower {
                mates = self.best_by(|at, other| i128::from(enters(at, other) == Some(*one)))?;
                let entered = exchanged(&mates, &enters).contains(one);
                self.keep(|at, other| {
                    ![at, other].contains(one) || (enters(at, other) == Some(*one)) == entered
                });
            }
        }
        let (left, entered) = (exchanged(&mates, &leaves), exchanged(&mates, &enters));
        let mut half: Vec<usize> =
            upper.iter().filter(|at| !left.contains(at)).chain(&entered).copied().collect();
        half.sort_unstable();
        Some(half)
    }
}
