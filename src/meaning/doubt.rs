//! Finds a line of a reply that contradicts or questions its move or its word. The server then asks the writer before
//! it acts: a question costs one mail, a wrong move can cost the game.

use crate::commands::{Entry, LANGUAGE};
use crate::ids::BoardId;
use crate::language::phrasebook::{
    act_meant, asks, asks_about_a_move, boards_named, goes_on, is_courtesy, is_farewell, is_no, is_yes,
    leads_on, only_takes_back, refuses, speaks_against,
};
use crate::language::plain::without_addresses;
use crate::meaning::lines::{ReplyLines, bare, first_word};

/// The place of a move in a reply.
pub(super) struct MovePlace {
    /// The board of the reply.
    pub board: Option<BoardId>,
    /// The number of its first line.
    pub first: usize,
    /// The number of the first line after the move and its conditions.
    pub end: usize,
}

/// The numbers of the lines that take back or question the move of a reply. The other lines go to the opponent with the move.
pub(super) fn of_move(lines: &ReplyLines<'_>, at: &MovePlace) -> Vec<usize> {
    let speaks = |(number, line): (usize, &&str)| {
        let line = *line;
        let (above, below) = (number < at.first, number >= at.end);
        let names_a_space = || !lines.finder.named(&without_addresses(line)).is_empty();
        let beside = || {
            act_meant(line).is_some()
                || is_word_of_reply(line)
                || asks_about_a_move(line)
                || boards_named(line).iter().any(|number| at.board != Some(BoardId(*number)))
        };
        let speaks = speaks_against(line)
            || number >= lines.greeted && (above || below) && beside()
            || above && asks(line) && names_a_space()
            || number + 1 == at.first && (leads_on(line) || is_no(line))
            || !above && !below && asks(line)
            || below && names_a_space()
            || number == at.end && goes_on(line)
            || below && only_takes_back(line) && !is_no(line);
        speaks.then_some(number)
    };
    lines.all.iter().enumerate().filter_map(speaks).collect()
}

/// True for a line against a move that the opponent never reads, even if the move is played. It takes the move back,
/// names another one, asks about it or says what to do instead. Other words that made the server ask go with the move.
pub(super) fn is_an_instruction(lines: &ReplyLines<'_>, line: &str) -> bool {
    only_takes_back(line)
        || is_no(line)
        || asks_about_a_move(line)
        || !boards_named(line).is_empty()
        || act_meant(line).is_some()
        || is_word_of_reply(line)
        || !lines.finder.named(&without_addresses(line)).is_empty()
}

/// True if the line is one reply word that stands alone, such as `resign`, or begins with one that asks: `resign? now`,
/// but not `resign? never!`
fn is_word_of_reply(line: &str) -> bool {
    let (word, rest) = first_word(line);
    let is_alone = bare(rest).is_empty() || line.strip_suffix(rest).is_some_and(asks) && !refuses(rest);
    let is_whole = |entry: &Entry| is_alone || entry.with_second(&bare(rest)).is_some();
    LANGUAGE.of_reply(&word).is_some_and(|entry| entry.in_reply.stands_alone() && is_whole(entry))
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
        farewell.is_some_and(|line| is_farewell(line, &[])) && at + 1 == below.len()
    };
    let speaks = |(at, line): &(usize, &&str)| match decides {
        true => {
            !is_courtesy(line, names) && !is_yes(line) && !is_signature(*at)
                || speaks_against(line)
                || asks(line)
        }
        false => speaks_against(line) || *at == 0 && goes_on(line),
    };
    let all = lines.all.get(..lines.greeted).unwrap_or_default().iter().find(|line| speaks_against(line));
    all.copied().or_else(|| below.iter().enumerate().find(speaks).map(|(_, line)| *line))
}

/// The words below the first word of a reply, without the lines that only take it back.
pub(super) fn beside_a_word(lines: &ReplyLines<'_>) -> String {
    let below = lines.all.get(lines.greeted + 1..).unwrap_or_default().iter().copied();
    below.filter(|line| !(only_takes_back(line) || is_no(line))).collect::<Vec<_>>().join("\n")
}
