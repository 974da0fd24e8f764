//! Separates words for the other players from lines that only the server reads.

use crate::commands::{LANGUAGE, Line, Reading, Request};
use crate::language::wish::{Wish, WishPlace, wish_meant};
use crate::language::{Needs, Parameters, account_change};
use crate::meaning::lines::{begins_like_a_command, is_kept, quoted};

/// The words for the other players, and what their writer hears about the lines for the server.
pub(crate) fn parted(words: &str) -> (String, Option<String>) {
    let (ours, theirs): (Vec<&str>, Vec<&str>) = words.lines().partition(|line| is_for_the_server(line));
    let remark = ours.first().map(|line| {
        format!(
            "`{}` went to nobody, and was not done: it seems to be meant for the server. Reply with that line alone, and \
            it is answered; words after `chat` reach your opponent as they are.",
            quoted(line)
        )
    });
    (theirs.join("\n").trim().to_owned(), remark)
}

/// True for a change of an account, a whole command that needs no board, and a line that only asks the server.
fn is_for_the_server(line: &str) -> bool {
    let wish = |place| wish_meant(line, &[], place);
    // An `end` can close a message.
    line != "end"
        && (is_kept(line)
            || account_change(line).is_some()
            || begins_like_a_command(line)
                && (is_of_account(line) || wish(WishPlace::ToServer).is_some_and(Wish::is_of_account))
            || wish(WishPlace::BesideMove).is_some_and(|wish| !wish.is_for_both()))
}

/// True for a whole command that needs no board, with its game at any place or without its word, and for a malformed one
/// that can hold a password.
fn is_of_account(line: &str) -> bool {
    let named = LANGUAGE.with_its_game_first(line).or_else(|| LANGUAGE.with_its_word_first(line));
    match LANGUAGE.read_line(named.as_deref().unwrap_or(line)) {
        Line { reading: Reading::Command(Request { command, .. }), .. } => {
            command.board().is_none() && !command.may_be_prose()
        }
        Line { reading: Reading::Malformed(_), entry: Some(entry), .. } => entry.by == Needs::Guarded,
        _ => false,
    }
}
