//! Answers what a reply asks the server for in plain words: a hint, the moves, the time left, the end of mails.

use crate::board::Board;
use crate::commands::{Command, LANGUAGE};
use crate::failure::{CommandError, Refusal, refusal, refuse};
use crate::ids::{Seat, Userid};
use crate::language::phrasebook::Wish;
use crate::language::{InReply, OnBoard};
use crate::letter::reply_lines::to_move;

/// Moves that an answer lists.
const MOVES_LISTED: usize = 60;

/// Answers what a text asks the server for in plain words. It is not passed on.
pub(super) fn granted(
    at: OnBoard,
    board: &Board,
    seat: Seat,
    userid: &Userid,
    wish: Wish,
) -> Result<Command, CommandError> {
    let not_your_turn = || refusal!("It is not your turn on board {}.", board.row.id);
    let word = |word: &str| match LANGUAGE.of_reply(word).map(|entry| &entry.in_reply) {
        Some(InReply::Alone(command)) => Ok(command(at)),
        _ => Err(not_your_turn().into()),
    };
    match wish {
        Wish::Time => word("show"),
        Wish::Moves if to_move(board, seat).is_some() => {
            let mut moves = board.table.legal_plies();
            let more = moves.len().saturating_sub(MOVES_LISTED);
            moves.truncate(MOVES_LISTED);
            let more = if more > 0 { format!(", and {more} more") } else { String::new() };
            refuse!("You can play {}{more}. Reply with one of them.", moves.join(", "))
        }
        Wish::Moves => Err(not_your_turn().into()),
        Wish::Hint => word("hint"),
        Wish::Stop => Err(how_to_stop(userid).into()),
    }
}

/// What to send in place of `stop` or `delete my account`.
pub(super) fn how_to_stop(userid: &Userid) -> Refusal {
    refusal!(
        "Nothing was stopped. The `unsubscribe` of your mail program pauses our mails. Or send a mail with one of these \
        as its Subject:\n\n    \
        vacation {userid} PASSWORD FROM TO\n    set {userid} PASSWORD digest on\n    signoff {userid} PASSWORD\n    \
        delete {userid} PASSWORD\n\n`vacation` stops the clocks, `digest` sends one mail at a time, `signoff` leaves \
        the mail of your running games alone, and `delete` ends your account. `resign` in reply to the mail of a game \
        gives that game up."
    )
}
