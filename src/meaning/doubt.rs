//! Finds a line of a reply that contradicts or questions its move or its word. The server then asks the writer before
//! it acts: a question costs one mail, a wrong move can cost the game.

use turnpost_games::Table;

use crate::commands::LANGUAGE;
use crate::ids::BoardId;
use crate::language::phrasebook::{
    act_meant, asks, boards_named, goes_on, is_courtesy, is_farewell, is_yes, leads_on, speaks_against,
    without_addresses,
};
use crate::meaning::lines::{ReplyLines, bare, legal_plies};

/// A move found in a reply.
pub(super) struct Move<'t> {
    pub plies: &'t str,
    /// The position, if its writer is to move.
    pub table: Option<&'t dyn Table>,
    pub board: Option<BoardId>,
    /// Line numbers: the first and the last line of the move, and the first line after its conditions.
    pub lines: (usize, usize, usize),
}

/// Finds a line of the reply that contradicts or questions its move.
pub(super) fn of_move(lines: &ReplyLines<'_>, of: &Move<'_>) -> Option<String> {
    let (first, last, end) = of.lines;
    let above = lines.all.get(lines.greeted..first).unwrap_or_default();
    let below = lines.all.get(end..).unwrap_or_default();
    let turns = of.table.map(|table| positions_of_turn(table, of.plies)).unwrap_or_default();
    let own = lines.finder.named(of.plies);
    let is_another = |text: &String| {
        !own.iter().any(|own| own.eq_ignore_ascii_case(text))
            && turns.iter().any(|table| legal_plies(table.as_ref(), text).is_some())
    };
    let speaks = |line: &&&str| {
        speaks_against(line)
            || act_meant(line).is_some()
            || is_word_of_reply(line)
            || boards_named(line).iter().any(|number| of.board != Some(BoardId(*number)))
            || lines.finder.named(&without_addresses(line)).iter().any(is_another)
    };
    let leads_on = above.last().filter(|line| leads_on(line));
    let goes_on = || below.first().filter(|line| goes_on(line));
    let beside = || above.iter().chain(below);
    let found = beside().find(speaks).or(leads_on).or_else(goes_on).copied();
    // The move's own lines and the greeting can contradict the move too, and a phrase can span two lines.
    let whole = || {
        let all: Vec<&str> = beside().copied().collect();
        let own = lines.all.get(first..=last).unwrap_or_default();
        let greeting = lines.all.get(..lines.greeted).unwrap_or_default();
        let own = own.iter().chain(greeting).copied().find(|line| speaks_against(line));
        own.or_else(|| all.first().copied().filter(|_| speaks_against(&all.join("\n"))))
    };
    found.or_else(whole).map(str::to_owned)
}

/// The position before the turn, and the position after each ply that leaves the same player to move.
fn positions_of_turn(table: &dyn Table, plies: &str) -> Vec<Box<dyn Table>> {
    let mut positions = vec![table.copy()];
    let mut now = table.copy();
    let mut rest = plies;
    while let Ok(played) = now.play_text(rest) {
        rest = played.rest.trim_start_matches(|c: char| c == '#' || c.is_ascii_digit()).trim_start();
        if now.ended().is_some() || now.turn() != table.turn() {
            break;
        }
        positions.push(now.copy());
        if rest.is_empty() {
            break;
        }
    }
    positions
}

/// True if the line is one reply word that stands alone, such as `resign`.
fn is_word_of_reply(line: &str) -> bool {
    LANGUAGE.of_reply(&bare(line)).is_some_and(|entry| entry.in_reply.stands_alone())
}

/// Finds a line of the reply that contradicts or questions its first word. If the word `decides`, any line below it
/// contradicts it, except a courtesy, a `yes` or the signature.
pub(super) fn of_word<'t>(lines: &ReplyLines<'t>, decides: bool, names: &[&str]) -> Option<&'t str> {
    let first = lines.first();
    if asks(first) {
        return Some(first);
    }
    let below = lines.all.get(lines.greeted + 1..).unwrap_or_default();
    let is_signature = |at: usize| {
        let farewell = at.checked_sub(1).and_then(|above| below.get(above));
        farewell.is_some_and(|line| is_farewell(line)) && at + 1 == below.len()
    };
    let speaks = |(at, line): &(usize, &&str)| match decides {
        true => !is_courtesy(line, names) && !is_yes(line) && !is_signature(*at) || speaks_against(line),
        false => speaks_against(line),
    };
    let all = lines.all.get(..lines.greeted).unwrap_or_default().iter().find(|line| speaks_against(line));
    all.copied().or_else(|| below.iter().enumerate().find(speaks).map(|(_, line)| *line))
}
