//! Moves up and down: computes the groups of the next season.
//!
//! The members are listed by rating, and the list is cut into groups. Then members change groups so that promises are
//! kept. The first two of a group move up by one group or more, and the last two down by one or more. All others stay,
//! or move by one group.

use std::cmp::Reverse;
use std::collections::{BTreeSet, VecDeque};
use std::ops::RangeInclusive;

use super::groups::sizes;

/// A player of the next season.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Member<P> {
    pub player: P,
    pub rating: i64,
    /// The rating is too unsure to limit the member to one group up or down.
    pub provisional: bool,
    /// `None` for newcomers.
    pub last: Option<LastSeason>,
}

/// The group and place of a member in the last season.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LastSeason {
    /// Group number; 0 is the first group.
    pub group: usize,
    /// [`sent`] of the place, with running games counted half. If a table of an earlier season closed since then, this
    /// includes `sent` of the final place minus `sent` of the provisional place there.
    pub sent: i32,
}

/// 1 if a line of the table sends its player up, -1 if down, else 0. A group of six or more sends two up and two down, a
/// smaller group one. The first group sends no player up, and the last none down. Lines count from 1, groups from 0.
/// Among players of a shared place the line is decided by the rating at the start, then the seat.
pub fn sent(line: usize, size: usize, group: usize, groups: usize) -> i32 {
    let moved = if size < 6 { 1 } else { 2 };
    if line <= moved && group > 0 {
        1
    } else if line + moved > size && group + 1 < groups {
        -1
    } else {
        0
    }
}

/// The groups that a member was promised. If two promises conflict, the one whose kind is listed first is kept.
#[derive(Debug, Clone)]
struct Promise {
    kind: PromiseKind,
    groups: RangeInclusive<usize>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum PromiseKind {
    Up,
    Down,
    AtMostOne,
    Nothing,
}

/// The promise to a member. The number of groups was `before` and is `now`.
///
/// A provisional rating removes only the limit of one group. Promises to move up or down stay, because the table showed
/// them.
///
/// If the number of groups changes, a member's last group has two readings: by number, and by depth in the
/// list. Up means above both readings, so that the number is better and the opponents are stronger. Down means
/// below the upper reading. The limit of one group allows one group above the upper and one below the lower reading.
/// No promise names a group that does not exist.
fn promise<P>(member: &Member<P>, before: usize, now: usize) -> Promise {
    let bottom = now.saturating_sub(1);
    let Some(last) = member.last else { return Promise { kind: PromiseKind::Nothing, groups: 0..=bottom } };
    let by_depth = ((2 * last.group + 1) * now / (2 * before.max(1))).min(bottom);
    let (upper, lower) = (last.group.min(by_depth), last.group.max(by_depth));
    let by = last.sent.unsigned_abs() as usize;
    let (kind, groups) = match last.sent {
        1.. => (PromiseKind::Up, 0..=upper.saturating_sub(by)),
        ..=-1 => (PromiseKind::Down, (upper + by).min(bottom)..=bottom),
        0 if member.provisional => (PromiseKind::Nothing, 0..=bottom),
        0 => (PromiseKind::AtMostOne, upper.saturating_sub(1)..=(lower + 1).min(bottom)),
    };
    Promise { kind, groups }
}

/// The groups of the next season, the first group first, each in order of rating. `before` is the number of groups of
/// the last season.
///
/// All promises are kept if possible. Otherwise, for example if most of the upper half leave, as many as possible are kept:
/// first those of members who move up, then of those who move down, then the rest.
pub fn next_groups<P: Copy>(members: &[Member<P>], before: usize) -> Vec<Vec<P>> {
    let sizes = sizes(members.len());
    let numbers = || sizes.iter().enumerate().flat_map(|(group, size)| std::iter::repeat_n(group, *size));
    let mut by_rating: Vec<&Member<P>> = members.iter().collect();
    by_rating.sort_by_key(|member| Reverse(member.rating));
    let promises: Vec<Promise> =
        by_rating.iter().map(|member| promise(member, before, sizes.len())).collect();
    let wanted = |(rank, group): (usize, usize)| {
        let allowed = &promises[rank].groups;
        (group.clamp(*allowed.start(), *allowed.end()), rank)
    };
    let mut list: Vec<(usize, usize)> = numbers().enumerate().map(wanted).collect();
    list.sort_unstable();
    let mut groups = vec![Vec::new(); sizes.len()];
    for ((_, rank), group) in list.into_iter().zip(numbers()) {
        groups[group].push(rank);
    }
    let mut stands = vec![0; by_rating.len()];
    for (group, ranks) in groups.iter().enumerate() {
        ranks.iter().for_each(|rank| stands[*rank] = group);
    }
    let mut cut = Cut { promises: &promises, groups, stands, shut: BTreeSet::new() };
    cut.keep_promises();
    let in_order = |mut group: Vec<usize>| {
        group.sort_unstable();
        group.into_iter().map(|rank| by_rating[rank].player).collect()
    };
    cut.groups.into_iter().map(in_order).collect()
}

/// The list cut into groups, each member by their rank in the list of ratings.
struct Cut<'a> {
    promises: &'a [Promise],
    groups: Vec<Vec<usize>>,
    /// The group of each rank.
    stands: Vec<usize>,
    /// Groups from which [`Cut::mend`] found no chain, with the kind that it spared. Their members stay.
    shut: BTreeSet<(usize, PromiseKind)>,
}

impl Cut<'_> {
    fn may_stand(&self, rank: usize, group: usize) -> bool {
        self.promises[rank].groups.contains(&group)
    }

    fn keep_promises(&mut self) {
        for kind in [PromiseKind::Up, PromiseKind::Down, PromiseKind::AtMostOne] {
            for rank in 0..self.promises.len() {
                if self.promises[rank].kind == kind && !self.may_stand(rank, self.stands[rank]) {
                    let _kept = self.mend(rank, PromiseKind::AtMostOne) || self.mend(rank, kind);
                }
            }
        }
    }

    /// Keeps a promise by the shortest chain of moves; false if there is none. The member moves to an allowed group, a
    /// member of that group moves to a group allowed to them, and so on. The last one moves to the place that the first
    /// member left. The last one needs no permission if their promise is broken already or is of a later kind than
    /// `spared`.
    fn mend(&mut self, rank: usize, spared: PromiseKind) -> bool {
        let home = self.stands[rank];
        let mut entered_by = vec![None; self.groups.len()];
        let mut reached: VecDeque<usize> = self.promises[rank].groups.clone().collect();
        reached.retain(|group| !self.shut.contains(&(*group, spared)));
        reached.make_contiguous().sort_by_key(|group| group.abs_diff(home));
        reached.iter().for_each(|group| entered_by[*group] = Some(rank));
        while let Some(group) = reached.pop_front() {
            let gives_way =
                |rank: &&usize| !self.may_stand(**rank, group) || self.promises[**rank].kind > spared;
            let last = self.fits(group, home).or_else(|| self.groups[group].iter().find(gives_way).copied());
            if let Some(last) = last {
                let (mut mover, mut vacant) = (Some(last), home);
                while let Some(moved) = mover {
                    let from = std::mem::replace(&mut self.stands[moved], vacant);
                    self.groups[from].retain(|rank| *rank != moved);
                    self.groups[vacant].push(moved);
                    (mover, vacant) = (entered_by[from], from);
                }
                return true;
            }
            for (next, entered) in entered_by.iter_mut().enumerate() {
                if entered.is_none() && next != home && !self.shut.contains(&(next, spared)) {
                    *entered = self.fits(group, next);
                    reached.extend(entered.map(|_| next));
                }
            }
        }
        let entered = (0..entered_by.len()).filter(|group| entered_by[*group].is_some());
        self.shut.extend(entered.map(|group| (group, spared)));
        false
    }

    /// A member of `group` who is allowed in `other`. It is the strongest if `other` is above, the weakest if below.
    fn fits(&self, group: usize, other: usize) -> Option<usize> {
        let fitting = self.groups[group].iter().copied().filter(|rank| self.may_stand(*rank, other));
        if other < group { fitting.min() } else { fitting.max() }
    }
}
