//! After two passes: the sides say which stones are dead.
//!
//! The side to move marks the chains that are dead and proposes this with `count`. The other side replies `accept`, or
//! proposes other marks, once, which the first side can `accept`. Each side can `resume` the game instead; then
//! two passes without a stone between count the board as it lies, so every game ends.

use super::{area, counted, halves_written};
use crate::notation::{is_dash, keyword, told_of, unreadable};
use crate::rules::{Cell, Cells, Piece, Ply, State, capital};
use crate::{Seat, Unreadable};

use super::Go;

/// The kind of stones that are marked dead.
pub(super) const DEAD: u8 = 1;
/// The kind of stones that were marked dead, and live after all.
const ALIVE: u8 = 2;

/// In `counts[2]`: after two passes the dead stones are marked. 0 means that two passes end the game.
pub(super) const MARKS: u16 = 1;
/// In `counts[2]`: the game was resumed and no stone was put down since, so two passes end it.
const RESUMED: u16 = 2;

/// In `counts[3]`: the side to move marks, and the other has not.
const FIRST: u16 = 1;
/// In `counts[3]`: the other side has proposed marks.
const ANSWER: u16 = 2;
/// In `counts[3]`: the side to move has changed the proposed marks.
const CHANGED: u16 = 3;
/// In `counts[3]`: both sides have proposed marks.
const LAST: u16 = 4;
/// In `counts[3]`: the marks are accepted.
const AGREED: u16 = 5;

/// Proposes the marks, or accepts those of the other side. It is written `accept` then.
pub(super) const COUNT: Ply = Ply { more: 1, ..Ply::PASS };
const RESUME: Ply = Ply { more: 2, ..Ply::PASS };
/// Takes all marks off.
const CLEAR: Ply = Ply { more: 3, ..Ply::PASS };

/// The plies that are words.
const WORDS: [(&str, Ply); 3] = [("count", COUNT), ("resume", RESUME), ("clear", CLEAR)];

/// True while the sides mark.
pub(super) fn is_on(state: &State) -> bool {
    (FIRST..AGREED).contains(&state.counts[3])
}

/// True if the side to move can accept the marks.
fn is_proposed(state: &State) -> bool {
    matches!(state.counts[3], ANSWER | LAST)
}

/// Begins the marking if the second pass in a row has just been counted.
pub(super) fn begin(state: &mut State) {
    if let [2, _, MARKS, stage] = &mut state.counts {
        *stage = FIRST;
    }
}

/// A stone was put down: the passes in a row end, and two more lead to marks again.
pub(super) fn put_off(state: &mut State) {
    state.counts[0] = 0;
    state.counts[2] = state.counts[2].min(MARKS);
}

pub(super) fn is_lawful(state: &State) -> bool {
    let [passes, _, then, stage] = state.counts;
    let has_marks = !(state.of_kind(DEAD) | state.of_kind(ALIVE)).is_empty();
    let is_whole = |chain: Cells| (0..3).any(|kind| (chain - state.of_kind(kind)).is_empty());
    let chains = |seat| state.board.groups(state.of(seat));
    match stage {
        0 => !has_marks && then <= RESUMED && (passes, then) != (2, MARKS),
        FIRST..=AGREED => {
            (passes, then) == (2, MARKS) && Seat::BOTH.into_iter().flat_map(chains).all(is_whole)
        }
        _ => false,
    }
}

/// A click on a stone: its chain is dead, or lives after all.
fn mark(state: &State, at: Cell) -> Ply {
    Ply { from: Some(at), more: u64::from(state.of_kind(DEAD).has(at)), ..Ply::PASS }
}

pub(super) fn named(state: &State, spaces: &[Cell]) -> Option<Ply> {
    match *spaces {
        [at] if is_on(state) => Some(mark(state, at)),
        _ => None,
    }
}

pub(super) fn each_ply(state: &State, visit: &mut impl FnMut(Ply)) {
    let stage = state.counts[3];
    let (dead, lives) = (state.of_kind(DEAD), state.of_kind(ALIVE));
    visit(COUNT);
    if stage != CHANGED && (stage != FIRST || (dead | lives).is_empty()) {
        visit(RESUME);
    }
    if stage == ANSWER && !dead.is_empty() {
        visit(CLEAR);
    }
    // A chain that lives after all is not marked again, so a turn ends.
    if stage < LAST {
        (state.taken() - lives).iter().map(|at| mark(state, at)).for_each(visit);
    }
}

pub(super) fn make(state: &mut State, ply: Ply) {
    let [passes, _, then, stage] = &mut state.counts;
    let was = *stage;
    match ply {
        COUNT => {
            *stage = match was {
                FIRST => ANSWER,
                CHANGED => LAST,
                _ => AGREED,
            };
            say(state, state.of_kind(ALIVE), 0);
            state.to_move = state.to_move.other();
        }
        RESUME => {
            (*passes, *then, *stage) = (0, RESUMED, 0);
            say(state, state.taken(), 0);
            state.to_move = state.to_move.other();
        }
        _ => {
            *stage = if was == ANSWER { CHANGED } else { was };
            match ply.from {
                Some(at) => say(state, chain(state, at), if ply.more == 0 { DEAD } else { ALIVE }),
                None => say(state, state.taken(), 0),
            }
        }
    }
}

/// Gives these stones the kind.
fn say(state: &mut State, stones: Cells, kind: u8) {
    for stone in stones.iter() {
        let piece = state.at(stone).map(|piece| Piece { kind, ..piece });
        state.set(stone, piece);
    }
}

fn chain(state: &State, at: Cell) -> Cells {
    let within = state.owner(at).map_or(Cells::NONE, |seat| state.of(seat));
    state.board.group(at, within, state.board.ways())
}

/// Reads a ply of the marking. `dead d4 k10` names all dead stones, so after a proposal it begins with `clear`.
pub(super) fn read_ply<'t>(state: &State, text: &'t str) -> Result<Option<(Ply, &'t str)>, Unreadable> {
    let word = |word: &str| keyword(text, word);
    if !is_on(state) {
        return match word("dead") {
            Some(_) => Err(unreadable("dead", "Dead stones are marked after two passes in a row.")),
            None => Ok(None),
        };
    }
    let accepts = word("accept").filter(|_| is_proposed(state)).map(|rest| (COUNT, rest));
    let none = word("none").map(|rest| (COUNT, rest));
    let own = WORDS.into_iter().find_map(|(name, ply)| Some((ply, word(name)?)));
    if let Some(read) = own.or(accepts).or(none) {
        return Ok(Some(read));
    }
    let Some((more, rest)) = word("dead").map(|rest| (0, rest)).or(word("alive").map(|rest| (1, rest)))
    else {
        return Ok(None);
    };
    let list = rest.trim_start_matches(is_dash);
    let stones = list.trim_start();
    let is_list = more == 0 && list.starts_with(char::is_whitespace);
    if is_list && state.counts[3] == ANSWER && !state.of_kind(DEAD).is_empty() {
        return Ok(Some((CLEAR, list)));
    }
    match state.board.read(stones) {
        Some((cell, rest)) => Ok(Some((Ply { from: Some(cell?), more, ..Ply::PASS }, rest))),
        None => match keyword(stones, "none") {
            Some(rest) => Ok(Some((COUNT, rest))),
            None => Err(unreadable("dead", "Name the dead stones, as in `dead D4 K10`, or write `count`.")),
        },
    }
}

pub(super) fn write(state: &State, ply: Ply) -> Option<String> {
    match (ply.from, ply.to) {
        (Some(at), None) => {
            Some(format!("{}-{}", if ply.more == 0 { "dead" } else { "alive" }, state.board.name(at)))
        }
        _ if ply == COUNT && is_proposed(state) => Some("accept".to_owned()),
        _ => WORDS.into_iter().find(|(_, known)| *known == ply).map(|(word, _)| word.to_owned()),
    }
}

pub(super) fn explain(state: &State, ply: Ply) -> Option<String> {
    let said = match ply {
        COUNT if is_proposed(state) => "accepts the marks, and the board is counted",
        COUNT => "proposes to count with these marks",
        RESUME => "continues the game without marks",
        CLEAR => "takes all marks off",
        Ply { from: Some(at), to: None, more, .. } => {
            let name = state.board.name(at);
            let fate = if more == 0 { "is dead" } else { "lives" };
            return Some(format!("says that the chain on {name} {fate}"));
        }
        _ => return None,
    };
    Some(said.to_owned())
}

/// The rule that an illegal ply breaks while the sides mark.
pub(super) fn broken(state: &State, ply: Ply) -> String {
    let name = |at| state.board.name(at);
    match ply.from {
        Some(at) if state.is_empty(at) => format!("There is no stone on {}.", name(at)),
        Some(_) if state.counts[3] == LAST => "Both sides have named the dead stones once.".to_owned(),
        Some(at) if state.of_kind(DEAD).has(at) => {
            format!("The stone on {} is marked dead already.", name(at))
        }
        Some(at) => format!("The stone on {} lives already.", name(at)),
        None if ply == RESUME => {
            "You have marked stones in this turn, so it cannot resume the game.".to_owned()
        }
        None => "Both sides have passed.".to_owned(),
    }
}

/// What the marks of a turn change, and what they lead to.
pub(super) fn remarks(before: &State, after: &State) -> Vec<String> {
    let changed = |seat: Seat, kind: u8, fate: &str| {
        let stones = (after.of_kind(kind) - before.of_kind(kind)) & after.of(seat);
        let names: Vec<String> = stones.iter().map(|at| after.board.name(at)).collect();
        told_of(&capital::<Go>(seat), "stone", &names, fate)
    };
    let marks = Seat::BOTH
        .into_iter()
        .flat_map(|seat| [changed(seat, DEAD, "marked dead"), changed(seat, ALIVE, "said to live")]);
    match after.counts[3] {
        ANSWER | LAST if before.to_move != after.to_move => vec![tally(after)],
        _ if before.to_move != after.to_move => Vec::new(),
        _ => marks.flatten().collect(),
    }
}

/// `With these marks Black has 45 points, and White has 36 and a komi of 7: Black wins.`
pub(super) fn tally(state: &State) -> String {
    let [black, white] = Seat::BOTH.map(|seat| area(state, seat).count());
    let komi = halves_written(state.counts[1]);
    let wins = counted(state).winner.map(|seat| format!("{} wins", capital::<Go>(seat)));
    format!(
        "With these marks Black has {black} points, and White has {white} and a komi of {komi}: {}.",
        wins.unwrap_or_else(|| "a tie".to_owned())
    )
}

/// The plies that the side to move can write while the sides mark; `None` at other times.
pub(super) fn how(state: &State) -> Option<String> {
    let [side, other] = [state.to_move, state.to_move.other()].map(capital::<Go>);
    Some(match state.counts[3] {
        FIRST => format!(
            "Both have passed: {side} says which stones are dead, as in `dead D4 K10`, or `count` if none are; `resume` continues the game."
        ),
        ANSWER => format!(
            "{other} has named the dead stones: {side} can `accept`, or name them anew, as in `dead D4 K10`, or `dead none`; `resume` continues the game."
        ),
        CHANGED => format!("{side} names the dead stones anew; `count` proposes this."),
        LAST => format!("{other} has named other dead stones: {side} can `accept`, or `resume` the game."),
        _ => return None,
    })
}
