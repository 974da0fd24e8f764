//! A reply whose address lost its code on the way: In-Reply-To and References still name the mail that it answers.

use crate::board::Board;
use crate::failure::{Error, refusal};
use crate::letter::reply_lines::{ReplyLines, to_move};
use crate::letter::reply_moves::{self, ReplyMoves};
use crate::mail::{AnswerBy, reply_text};
use crate::notices::view::board_view;
use crate::notices::{Answer, Answered};
use crate::play::Context;

/// How many mails of a thread are looked for, the newest first.
const LOOKED_FOR: usize = 5;

/// What a letter without a token hears that answers a mail about a board, sent to its own writer: the board, in a mail
/// that can be answered, and the command that needs no such address.
pub(super) fn answer(ctx: &Context<'_>) -> Result<Option<Answered>, Error> {
    let letter = ctx.letter;
    let can_be = letter.answer == AnswerBy::Mail && letter.token.is_none();
    let Some(sender) = letter.sender.as_deref().filter(|_| can_be) else { return Ok(None) };
    for id in letter.references.iter().rev().take(LOOKED_FOR) {
        let mail = ctx.store.mail_to_player(id)?.filter(|mail| mail.recipient.eq_ignore_ascii_case(sender));
        let Some((mail, number)) = mail.and_then(|mail| Some((mail.player, mail.board?))) else { continue };
        let Some(board) = Board::load(ctx.store, number)? else { continue };
        let Some(seat) = board.seat_of(mail) else { continue };
        let new = reply_text::new_text(&letter.text).new;
        let plies = match reply_moves::read(to_move(&board, seat), &new) {
            ReplyMoves::None => "MOVE",
            _ => ReplyLines::new(&new).first(),
        };
        let userid = ctx.store.player_by_id(mail)?.userid;
        let refusal = refusal!(
            "Your mail answers one about board {number}, but the address it came to has lost the code behind its `+`, \
            so nothing was done. Reply to this mail, whose address has the code again, with `{plies}` alone in the \
            first line. If the code is lost once more, write this line: `{game} move {number} {userid} PASSWORD \
            {plies}`.",
            game = board.kind.key
        );
        let thread = ctx.thread(Some(number))?;
        let now = Some(Box::new(board_view(ctx.store, &board)?));
        let answer = Answer::Refused(refusal.showing_board());
        return Ok(Some(Answered { echo: String::new(), answer, begins: false, thread, now }));
    }
    Ok(None)
}
