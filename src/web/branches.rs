//! Lines of an analysis board: which of them differ, their branches, and the conditional moves that they make.

use minijinja::{Value, context};
use turnpost_games::Seat;

use super::variation::VariationPly;
use crate::language::plan::{Branch, Plan};

/// The lines that no other line continues or repeats.
pub(super) fn longest<'a>(lines: impl Iterator<Item = &'a [VariationPly]>) -> Vec<&'a [VariationPly]> {
    let mut longest: Vec<&[VariationPly]> = Vec::new();
    for line in lines {
        if !longest.iter().any(|other| other.starts_with(line)) {
            longest.retain(|other| !line.starts_with(other));
            longest.push(line);
        }
    }
    longest
}

/// The branches of these lines after their first `at` plies, which are equal. A run of plies without another branch is
/// one item.
pub(super) fn branches(
    lines: &[&[VariationPly]],
    now: &[VariationPly],
    at: usize,
    address: &dyn Fn(&[VariationPly]) -> String,
) -> Vec<Value> {
    let mut seen: Vec<&VariationPly> = Vec::new();
    let mut found = Vec::new();
    for first in lines.iter().filter_map(|line| line.get(at)) {
        if seen.contains(&first) {
            continue;
        }
        seen.push(first);
        let own: Vec<&[VariationPly]> =
            lines.iter().copied().filter(|line| line.get(at) == Some(first)).collect();
        let Some(longest) = own.iter().max_by_key(|line| line.len()) else { continue };
        let is_shared = |end: &usize| {
            own.iter().all(|line| line.len() <= *end || line.get(..=*end) == longest.get(..=*end))
        };
        let end = (at..longest.len()).take_while(is_shared).last().unwrap_or(at) + 1;
        let plies: Vec<Value> = (at..end)
            .filter_map(|ply| {
                let upto = longest.get(..=ply)?;
                let text = &upto.last()?.text;
                Some(context! { text, href => address(upto), is_now => upto == now })
            })
            .collect();
        found.push(context! { plies, then => branches(&own, now, end, address) });
    }
    found
}

/// The player's first turn in the shown line, if the player is to move, and what answers the opponent's turns
/// afterwards. Both are texts for the form of the play page.
pub(super) fn plan(
    lines: &[&[VariationPly]],
    now: &[VariationPly],
    to_move: Seat,
    own: Seat,
) -> (Option<String>, Option<String>) {
    let lines: Vec<Vec<SideTurn>> = lines.iter().map(|line| turns(line)).collect();
    let first = turns(now).into_iter().next().filter(|_| to_move == own);
    if to_move == own && first.is_none() {
        return (None, None);
    }
    let mut plan = Plan::default();
    for line in &lines {
        match (&first, line.as_slice()) {
            (None, line) => add(&mut plan, line, own),
            (Some(first), [begun, rest @ ..]) if begun == first => add(&mut plan, rest, own),
            _ => {}
        }
    }
    let text = (!plan.is_empty()).then(|| plan.behind().replace("; ", "\n"));
    (first.map(|turn| turn.text), text)
}

/// The plies of one seat in a row, without forced passes.
#[derive(PartialEq, Eq)]
struct SideTurn {
    seat: Seat,
    text: String,
}

fn turns(line: &[VariationPly]) -> Vec<SideTurn> {
    let chosen: Vec<&VariationPly> = line.iter().filter(|ply| !ply.is_forced).collect();
    let turns = chosen.chunk_by(|one, other| one.seat == other.seat).filter_map(|turn| {
        let text = turn.iter().map(|ply| ply.text.as_str()).collect::<Vec<_>>().join(" ");
        Some(SideTurn { seat: turn.first()?.seat, text })
    });
    turns.collect()
}

/// Adds the answers of a line. Of two answers to the same turn, the first is kept.
fn add(plan: &mut Plan, line: &[SideTurn], own: Seat) {
    let (on, play, rest) = match line {
        [theirs, mine, rest @ ..] if theirs.seat != own && mine.seat == own => {
            (Some(&theirs.text), mine, rest)
        }
        [mine, rest @ ..] if mine.seat == own => (None, mine, rest),
        _ => return,
    };
    let known = plan.0.iter().position(|branch| branch.on.as_ref() == on);
    match known.and_then(|known| plan.0.get_mut(known)) {
        Some(branch) if branch.play == play.text => add(&mut branch.then, rest, own),
        Some(_) => {}
        None => {
            let mut branch = Branch { on: on.cloned(), play: play.text.clone(), then: Plan::default() };
            add(&mut branch.then, rest, own);
            plan.0.push(branch);
        }
    }
}
