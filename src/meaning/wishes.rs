//! Answers requests to the server in plain words: for a hint, the legal moves, the time left, or no more mails.

use crate::commands::LANGUAGE;
use crate::failure::{Refusal, refusal, refuse};
use crate::language::InReply;
use crate::language::phrasebook::Wish;
use crate::meaning::{Meaning, ReplyBoard};

/// Most moves that an answer lists.
const MOVES_LISTED: usize = 60;

/// Answers a request to the server in plain words. The text is not passed on to the opponent.
pub(super) fn granted(at: &ReplyBoard, wish: Wish) -> Result<Meaning, Refusal> {
    let word = match wish {
        Wish::Time => Some("show"),
        Wish::Moves if at.moves => {
            let mut moves = at.table.legal_plies();
            let more = moves.len().saturating_sub(MOVES_LISTED);
            moves.truncate(MOVES_LISTED);
            let more = if more > 0 { format!(", and {more} more") } else { String::new() };
            return refuse!("You can play {}{more}. Reply with one of them.", moves.join(", "));
        }
        Wish::Moves => None,
        Wish::Hint => Some("hint"),
        Wish::Stop => return Err(how_to_stop(&at.writer)),
    };
    match word.and_then(|word| LANGUAGE.of_reply(word)).map(|entry| &entry.in_reply) {
        Some(InReply::Alone(command)) => Ok(Meaning::Do { command: command(at.at()), words: String::new() }),
        _ => refuse!("It is not your turn on board {}.", at.token.board),
    }
}

/// What to send in place of `stop` or `delete my account`.
pub(crate) fn how_to_stop(userid: &str) -> Refusal {
    refusal!(
        "Nothing was stopped. The `unsubscribe` of your mail program pauses our mails. Or send a mail with one of these \
        as its Subject:\n\n    \
        vacation {userid} PASSWORD FROM TO\n    set {userid} PASSWORD digest on\n    signoff {userid} PASSWORD\n    \
        delete {userid} PASSWORD\n\n`vacation` stops the clocks, `digest` sends one mail at a time, `signoff` leaves \
        the mail of your running games alone, and `delete` ends your account. `resign` in reply to the mail of a game \
        gives that game up."
    )
}
