use std::collections::BTreeSet;

use proptest::prelude::*;
use proptest::sample::select;
use turnpost::contest::groups::sizes;
use turnpost::contest::movement::{LastSeason, Member, next_groups, sent};

#[test]
fn two_go_up_and_two_down_but_of_few_one_and_one() {
    let group = |size: usize, group: usize, groups: usize| -> Vec<i32> {
        (1..=size).map(|place| sent(place, size, group, groups)).collect()
    };
    assert_eq!(group(8, 1, 3), [1, 1, 0, 0, 0, 0, -1, -1]);
    assert_eq!(group(6, 1, 3), [1, 1, 0, 0, -1, -1]);
    assert_eq!(group(5, 1, 3), [1, 0, 0, 0, -1]);
    assert_eq!(group(4, 1, 3), [1, 0, 0, -1]);
    assert_eq!(group(6, 0, 3), [0, 0, 0, 0, -1, -1], "nobody goes up from the first group");
    assert_eq!(group(6, 2, 3), [1, 1, 0, 0, 0, 0], "nobody goes down from the last");
    assert_eq!(group(6, 0, 1), [0; 6]);
}

fn member(player: usize, rating: i64, last: Option<(usize, i32)>) -> Member<usize> {
    let last = last.map(|(group, sent)| LastSeason { group, sent });
    Member { player, rating, provisional: false, last }
}

/// Three groups of eight, players 0 to 7 in the first, by rating.
fn three_groups() -> Vec<Member<usize>> {
    let of = |player: usize| {
        member(player, -(player as i64), Some((player / 8, sent(player % 8 + 1, 8, player / 8, 3))))
    };
    (0..24).map(of).collect()
}

#[test]
fn promises_come_before_ratings() {
    let groups = next_groups(&three_groups(), 3);
    assert_eq!(groups[0], [0, 1, 2, 3, 4, 5, 8, 9]);
    assert_eq!(groups[1], [6, 7, 10, 11, 12, 13, 16, 17]);
    assert_eq!(groups[2], [14, 15, 18, 19, 20, 21, 22, 23]);
    assert_eq!(next_groups(&three_groups()[..3], 3), Vec::<Vec<usize>>::new());
    assert_eq!(next_groups(&three_groups()[..4], 3), [[0, 1, 2, 3]], "one group breaks no promise");
}

/// 5 stayed by halves and is sent down by the closed table; 10 should have gone up.
#[test]
fn a_correction_moves_besides_the_two() {
    let mut members = three_groups();
    for (player, owed) in [(5, -1), (10, 1), (8, -1)] {
        members[player].last.as_mut().unwrap().sent += owed;
    }
    let groups = next_groups(&members, 3);
    assert!(groups[1].contains(&5) && groups[0].contains(&10), "{groups:?}");
    // 8 goes up by the last season and down by the one before: free to move one group either way.
    assert!(groups[0].contains(&8) || groups[1].contains(&8));
    members[16].last.as_mut().unwrap().sent += 1;
    assert!(next_groups(&members, 3)[0].contains(&16), "up twice");
}

#[test]
fn newcomers_and_provisional_ratings_stand_where_the_rating_puts_them() {
    let mut members = three_groups();
    members[20].rating = 100;
    assert!(!next_groups(&members, 3)[0].contains(&20), "at most one group");
    members[20].provisional = true;
    assert!(next_groups(&members, 3)[0].contains(&20));
    members.push(member(24, 200, None));
    assert!(next_groups(&members, 3)[0].contains(&24));
    // Who is first in the table goes up, however unsure the rating is.
    members[8].provisional = true;
    members[8].rating = -100;
    assert!(next_groups(&members, 3)[0].contains(&8));
}

/// The groups that each kind of promise allows: to those who go up, to those who go down, and to the rest.
fn promised(members: &[Member<usize>], before: usize, now: usize) -> [Vec<(usize, Vec<usize>)>; 3] {
    let mut kinds = [Vec::new(), Vec::new(), Vec::new()];
    for member in members {
        let Some(last) = member.last else { continue };
        let depth = (last.group as f64 + 0.5) / before as f64;
        let scaled = (depth * now as f64 + 1e-9).floor() as i32;
        let (upper, lower) = (scaled.min(last.group as i32), scaled.max(last.group as i32));
        let bottom = now as i32 - 1;
        let (kind, allowed) = match last.sent {
            1.. => (0, 0..=(upper - last.sent).max(0)),
            ..=-1 => (1, (upper - last.sent).min(bottom)..=bottom),
            0 if member.provisional => continue,
            0 => (2, (upper - 1).max(0)..=(lower + 1).min(bottom)),
        };
        kinds[kind].push((member.player, allowed.map(|group| group as usize).collect()));
    }
    kinds
}

/// How many of these promises can be kept at once: the size of the largest matching.
fn most(promises: &[(usize, Vec<usize>)], sizes: &[usize]) -> usize {
    fn place(
        at: usize,
        promises: &[(usize, Vec<usize>)],
        sizes: &[usize],
        seen: &mut [bool],
        held: &mut [Vec<usize>],
    ) -> bool {
        for group in &promises[at].1 {
            if std::mem::replace(&mut seen[*group], true) {
                continue;
            }
            if held[*group].len() < sizes[*group] {
                held[*group].push(at);
                return true;
            }
            for seat in 0..held[*group].len() {
                if place(held[*group][seat], promises, sizes, seen, held) {
                    held[*group][seat] = at;
                    return true;
                }
            }
        }
        false
    }
    let mut held = vec![Vec::new(); sizes.len()];
    (0..promises.len())
        .filter(|at| place(*at, promises, sizes, &mut vec![false; sizes.len()], &mut held))
        .count()
}

/// Clubs whose numbers changed as they like, with any places. In some most come from the upper groups, so that not everybody
/// can be kept there.
fn changed_club() -> impl Strategy<Value = (Vec<Member<usize>>, usize)> {
    let all = |(before, crowded): (usize, usize)| {
        let groups = (0..before).prop_map(move |group| group / crowded);
        let last = prop::option::weighted(0.8, (groups, select(vec![-2, -1, -1, 0, 0, 0, 1, 1, 2])));
        let one = (0_i64..30, last, prop::bool::weighted(0.1));
        (prop::collection::vec(one, 0..90), Just(before))
    };
    (1..12_usize, 1..4_usize).prop_flat_map(all).prop_map(|(all, before)| {
        let of =
            |(player, (rating, last, provisional))| Member { provisional, ..member(player, rating, last) };
        (all.into_iter().enumerate().map(of).collect(), before)
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(400) })]

    /// No way to make the groups keeps more: first of those who go up, then of those who go down, then of the rest.
    #[test]
    fn no_promise_is_broken_that_could_be_kept((members, before) in changed_club()) {
        let groups = next_groups(&members, before);
        let sizes = sizes(members.len());
        prop_assert_eq!(groups.iter().map(Vec::len).collect::<Vec<_>>(), sizes.clone());
        let all: BTreeSet<usize> = groups.concat().into_iter().collect();
        prop_assert_eq!(all.len(), sizes.iter().sum::<usize>());
        for group in &groups {
            prop_assert!(group.is_sorted_by_key(|player| -members[*player].rating));
        }
        let mut given = Vec::new();
        for kind in promised(&members, before, sizes.len()).into_iter().take_while(|_| !groups.is_empty()) {
            given.extend(kind);
            let kept = given.iter().filter(|(player, allowed)| allowed.iter().any(|group| groups[*group].contains(player)));
            prop_assert_eq!(kept.count(), most(&given, &sizes));
        }
    }
}
