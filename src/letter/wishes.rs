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

/// Answers what a text asks the server for in plain words. It goes to nobody.
pub(super) fn granted(
    at: OnBoard,
    (board, seat): (&Board, Seat),
    wish: Wish,
) -> Result<Command, CommandError> {
    let show = LANGUAGE.of_reply("show").map(|entry| &entry.in_reply);
    match (wish, show) {
        (Wish::Time, Some(InReply::Alone(show))) => Ok(show(at)),
        (Wish::Moves, _) if to_move(board, seat).is_some() => {
            let mut moves = board.table.legal_plies();
            let more = moves.len().saturating_sub(MOVES_LISTED);
            moves.truncate(MOVES_LISTED);
            let more = if more > 0 { format!(", and {more} more") } else { String::new() };
            refuse!("You can play {}{more}. Reply with one of them.", moves.join(", "))
        }
        (Wish::Moves | Wish::Time, _) => refuse!("It is not your turn on board {}.", board.row.id),
        (Wish::Hint, _) => refuse!(
            "This server gives no hints in a game. `preview` and a move shows the board after it; once the game is \
            over, `analyse` gives the robot's view."
        ),
        (Wish::Stop, _) => Err(how_to_stop(&at.login.userid).into()),
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
