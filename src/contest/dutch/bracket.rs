//! Players with equal points, and those who came down to them. The best pairs are a matching of the greatest weight: each
//! criterion is a digit of the weights, the first with the highest value. The graph contains all players who have no
//! opponent yet, so that the pairs of this bracket leave opponents for all others.

use std::cmp::Ordering;
use std::collections::HashSet;

use integer_blossom::max_weight_matching;

use super::{Float, Strength, SwissField};

pub(super) struct Bracket<'a> {
    field: &'a SwissField<'a>,
    /// The players by their order: those who came down, those with equal points, then all others. `None` stands for a
    /// round without a game, if their number is odd.
    vertices: Vec<Option<usize>>,
    /// How many came down.
    pub moved: usize,
    /// How many are in the bracket.
    pub size: usize,
    /// The end of the next bracket.
    next: usize,
    /// The points of those in the bracket, each number once, the most first.
    classes: Vec<u32>,
    /// Weights of all edges, row by row; 0 where two may not meet.
    weights: Vec<i128>,
}

pub(super) struct Paired {
    /// The stronger player in front.
    pub pairs: Vec<[usize; 2]>,
    /// Players who go down to the next bracket.
    pub down: Vec<usize>,
}

impl<'a> Bracket<'a> {
    pub fn new(
        field: &'a SwissField<'a>,
        moved: Vec<usize>,
        equal: Vec<usize>,
        rest: &[usize],
    ) -> Bracket<'a> {
        let points = |at: usize| field.player(at).map_or(0, |player| player.points);
        let next =
            rest.iter().take_while(|at| rest.first().is_some_and(|first| points(**at) == points(*first)));
        let (came, size) = (moved.len(), moved.len() + equal.len());
        let next = size + next.count();
        let mut classes: Vec<u32> = moved.iter().chain(&equal).map(|at| points(*at)).collect();
        classes.dedup();
        let all = moved.into_iter().chain(equal).chain(rest.iter().copied());
        let mut vertices: Vec<Option<usize>> = all.map(Some).collect();
        if vertices.len() % 2 == 1 {
            vertices.push(None);
        }
        let mut bracket = Bracket { field, vertices, moved: came, size, next, classes, weights: Vec::new() };
        let len = bracket.len();
        let merits = |one, other| if one < other { bracket.merits(one, other) } else { None };
        let merits: Vec<Option<Vec<i32>>> =
            (0..len * len).map(|edge| merits(edge / len, edge % len)).collect();
        bracket.weights = weighed(&merits, len / 2);
        bracket
    }

    pub fn len(&self) -> usize {
        self.vertices.len()
    }

    /// The value of an edge by the criteria from C5 on, in their order; `None` if the two may not meet.
    fn merits(&self, one: usize, other: usize) -> Option<Vec<i32>> {
        let player = |at: usize| self.vertices.get(at).copied().flatten();
        let first = player(one)?;
        let high = self.field.player(first)?;
        let low = player(other).and_then(|second| self.field.player(second));
        let may_meet = match player(other) {
            Some(second) => self.field.may_meet(first, second),
            None => !high.had_bye,
        };
        if !may_meet {
            return None;
        }
        let is_pair = other < self.size;
        let leaves = one < self.size && !is_pair;
        let is_next = other < self.next && !is_pair;
        let number = |is: bool| i32::from(is);
        // One in a class of points, for each class.
        let of_class =
            |is: bool, points: u32| self.classes.iter().map(move |class| number(is && *class == points));
        let both = |one: u32, other: u32| {
            of_class(is_pair, one).zip(of_class(is_pair, other)).map(|(one, other)| one + other)
        };
        let points = i32::try_from(high.points).unwrap_or(i32::MAX);
        let mut merits = vec![if low.is_none() { -points } else { 0 }];
        merits.push(number(is_pair));
        merits.extend(both(high.points, low.map_or(0, |low| low.points)));
        merits.push(number(is_next));
        merits.extend(of_class(leaves && is_next, high.points));
        let clash = low.filter(|_| is_pair).and_then(|low| Some((low, self.field.clash(high, low)?)));
        let absolute = clash.filter(|(_, (_, strength))| *strength == Strength::Absolute);
        let [wide, thrice] = absolute.map_or([0, 0], |(low, (seat, _))| {
            let twice = [high, low].map(|player| player.had_other_twice(seat));
            let [one, other] = [high, low].map(|player| player.lacks(seat));
            // The player who lacks the seat less does not get it.
            let thrice = match one.cmp(&other) {
                Ordering::Less => twice[0],
                Ordering::Equal => twice[0] && twice[1],
                Ordering::Greater => twice[1],
            };
            [number(one > 1 && other > 1), number(thrice)]
        });
        merits.extend([-wide, -thrice, -number(clash.is_some())]);
        merits.push(-number(clash.is_some_and(|(_, (_, strength))| strength >= Strength::Strong)));
        let meets_moved = is_pair && one < self.moved && other >= self.moved;
        for ago in 0..2 {
            let again = leaves && one >= self.moved && high.floats[ago] == Some(Float::Down);
            let up = meets_moved && low.is_some_and(|low| low.floats[ago] == Some(Float::Up));
            merits.extend([-number(again), -number(up)]);
        }
        for ago in 0..2 {
            let again = leaves && one < self.moved && high.floats[ago] == Some(Float::Down);
            let up = meets_moved && low.is_some_and(|low| low.floats[ago] == Some(Float::Up));
            merits.extend(of_class(again, high.points).map(|merit| -merit));
            merits.extend(of_class(up, high.points).map(|merit| -merit));
        }
        Some(merits)
    }

    /// The partner of each vertex in the best matching; `None` if some vertex has none.
    pub fn best(&self) -> Option<Vec<usize>> {
        max_weight_matching(&self.weights, self.len()).into_iter().collect()
    }

    /// The best matching of those that also are best by `nudge`, a small number for each edge.
    pub fn best_by(&mut self, nudge: impl Fn(usize, usize) -> i128) -> Option<Vec<usize>> {
        let before = self.weights.clone();
        self.nudge(nudge);
        let best = self.best();
        self.weights = before;
        best
    }

    /// Adds a last criterion.
    pub fn nudge(&mut self, nudge: impl Fn(usize, usize) -> i128) {
        let len = self.len();
        let nudges: Vec<i128> = (0..len * len).map(|edge| nudge(edge / len, edge % len)).collect();
        let least = nudges.iter().min().copied().unwrap_or(0);
        let most = nudges.iter().max().copied().unwrap_or(0) - least;
        let scale = most * (len as i128 / 2) + 1;
        for (weight, nudge) in self.weights.iter_mut().zip(&nudges).filter(|(weight, _)| **weight > 0) {
            *weight = *weight * scale + nudge - least;
        }
    }

    /// Removes the edges of two vertices to others.
    pub fn join(&mut self, one: usize, mate: usize) {
        self.keep(|at, other| {
            let touched = [at, other].iter().filter(|at| [one, mate].contains(at)).count();
            touched != 1
        });
    }

    /// Removes the edges that `keeps` does not keep.
    pub fn keep(&mut self, keeps: impl Fn(usize, usize) -> bool) {
        let len = self.len();
        for (edge, weight) in self.weights.iter_mut().enumerate() {
            if !keeps(edge / len, edge % len) {
                *weight = 0;
            }
        }
    }

    /// The pairs of the bracket, and the players who go down.
    pub fn taken(&self, mates: &[usize]) -> Paired {
        let mut taken = Paired { pairs: Vec::new(), down: Vec::new() };
        for (at, mate) in mates.iter().enumerate().take(self.size) {
            let player = |at: usize| self.vertices.get(at).copied().flatten();
            match player(at).zip(player(*mate)) {
                Some((one, other)) if *mate < self.size && at < *mate => taken.pairs.push([one, other]),
                _ if *mate >= self.size => taken.down.extend(player(at)),
                _ => {}
            }
        }
        taken
    }
}

/// The weights of edges with these merits, row by row, of which a matching takes `edges`.
fn weighed(merits: &[Option<Vec<i32>>], edges: usize) -> Vec<i128> {
    let len = 2 * edges;
    let digits = merits.iter().flatten().next().map_or(0, Vec::len);
    let mut weights = vec![0; merits.len()];
    for digit in 0..digits {
        let values: Vec<Option<i32>> =
            merits.iter().map(|merits| merits.as_ref()?.get(digit).copied()).collect();
        let (least, most) = values
            .iter()
            .flatten()
            .fold((0, 0), |(least, most), value| (least.min(*value), most.max(*value)));
        // At most this many edges of a matching differ from a value: each has a row and a column of its own.
        let differ = |from: i32| {
            let edges =
                || values.iter().enumerate().filter(|(_, value)| value.is_some_and(|value| value != from));
            let rows: HashSet<usize> = edges().map(|(edge, _)| edge / len).collect();
            let columns: HashSet<usize> = edges().map(|(edge, _)| edge % len).collect();
            rows.len().min(columns.len()).min(len / 2)
        };
        let differ = differ(least).min(differ(most)).max(1);
        let base = i128::from(most - least) * differ as i128 + 1;
        for (weight, value) in weights.iter_mut().zip(&values) {
            *weight = value.map_or(0, |value| *weight * base + i128::from(value - least));
        }
    }
    // Above all, everybody has an opponent.
    let all = weights.iter().max().copied().unwrap_or(0) * edges as i128 + 1;
    weights
        .iter()
        .zip(merits)
        .map(|(weight, merits)| if merits.is_some() { weight + all } else { 0 })
        .collect()
}
