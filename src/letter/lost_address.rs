//! Replies to an address whose code is no longer valid or was lost on the way. In-Reply-To still names the answered
//! mail.

use crate::board::Board;
use crate::commands::invite;
use crate::failure::{Error, Refusal, refusal};
use crate::ids::BoardId;
use crate::mail::{AnswerBy, Letter, reply_text};
use crate::meaning::lines::ReplyLines;
use crate::meaning::moves::{self, ReplyMoves};
use crate::notices::Answered;
use crate::notices::view::board_view;
use crate::play::Context;
use crate::store::{MailToPlayer, Store};

/// At most this many References of a letter are looked up, newest first.
const LOOKED_FOR: usize = 5;

/// The mail about a board that In-Reply-To names, if `is_right` accepts it. References are not used to play a move:
/// they name older mails too, and mails of other boards if a player answers within an old thread.
pub(crate) fn answered(
    store: &Store,
    letter: &Letter,
    is_right: impl Fn(&MailToPlayer) -> bool,
) -> Result<Option<MailToPlayer>, Error> {
    first_of(store, letter.in_reply_to.iter(), is_right)
}

fn first_of<'a>(
    store: &Store,
    ids: impl Iterator<Item = &'a String>,
    is_right: impl Fn(&MailToPlayer) -> bool,
) -> Result<Option<MailToPlayer>, Error> {
    for id in ids {
        let mail = store.mail_to_player(id)?;
        if mail.as_ref().is_some_and(|mail| mail.board.is_some() && is_right(mail)) {
            return Ok(mail);
        }
    }
    Ok(None)
}

/// The board of a token that is no longer valid, if the letter claims to come from one of the board's players. The
/// answer goes to that player.
pub(super) fn spent_on(ctx: &mut Context<'_>) -> Result<Option<BoardId>, Error> {
    let number = ctx.letter.token.as_ref().and_then(|token| token.0.strip_prefix('b')?.split_once('.'));
    let Some(number) = number.and_then(|(number, _)| number.parse().ok()) else { return Ok(None) };
    let Some(row) = ctx.store.board(number)? else { return Ok(None) };
    let players = ctx.store.players_at(ctx.letter.sender.as_deref().unwrap_or_default())?;
    let seated = players.into_iter().find(|player| row.players.contains(&player.id));
    Ok(seated.map(|player| {
        ctx.answer_to(player.id);
        number
    }))
}

/// Explains why a reply with a token that is no longer valid does nothing.
pub(super) fn spent(ctx: &mut Context<'_>) -> Result<Refusal, Error> {
    if ctx.letter.token.as_ref().is_some_and(|token| token.0.starts_with('i')) {
        return Ok(invite::over());
    }
    Ok(match spent_on(ctx)? {
        Some(board) => refusal!(
            "The mail you answered is out of date: board {board} has gone another way since, or the server was set \
            back to an earlier copy. Nothing was done; this is the board now."
        )
        .showing_board(),
        None => refusal!(
            "The server no longer knows the mail you answered: it is out of date, or the server was set back to an \
            earlier copy since. Nothing was done. Answer the newest mail that you have; `games` as the Subject of a \
            mail lists your games, and if your account is gone too, `signup` makes it again."
        ),
    })
}

/// Answers a letter that has lost its token, if it replies to a board mail that went to its sender. The answer shows
/// the board, has a Reply-To with the token, and tells the full command, which needs no token.
pub(super) fn answer(ctx: &Context<'_>) -> Result<Option<Answered>, Error> {
    let letter = ctx.letter;
    let can_be = letter.answer == AnswerBy::Mail && letter.token.is_none();
    let Some(sender) = letter.sender.as_deref().filter(|_| can_be) else { return Ok(None) };
    let ids = letter.in_reply_to.iter().chain(letter.references.iter().rev().take(LOOKED_FOR));
    let mail = first_of(ctx.store, ids, |mail| mail.recipient.eq_ignore_ascii_case(sender))?;
    let Some((reader, number)) = mail.and_then(|mail| Some((mail.player, mail.board?))) else {
        return Ok(None);
    };
    let Some(board) = Board::load(ctx.store, number)? else { return Ok(None) };
    let Some(seat) = board.seat_of(reader) else { return Ok(None) };
    let new = reply_text::new_text(&letter.text).new;
    let lines = ReplyLines::about(board.kind, &new);
    let plies = match moves::read_lines(&lines, board.to_move(seat), None) {
        ReplyMoves::None => "MOVE",
        _ => lines.first(),
    };
    let account = ctx.store.player_by_id(reader)?;
    let lost_again = account.password_hash.map_or_else(String::new, |_| {
        let (game, userid) = (board.kind.key, account.userid);
        format!(" If the code is lost once more, write this line: `{game} move {number} {userid} PASSWORD {plies}`.")
    });
    let refusal = refusal!(
        "Your mail answers one about board {number}, but the address it came to has lost the code behind its `+`, so \
        nothing was done. Reply to this mail, whose address has the code again, with `{plies}` alone in the first \
        line.{lost_again}"
    );
    let thread = ctx.thread(Some(number))?;
    let now = Some(Box::new(board_view(ctx.store, &board)?));
    Ok(Some(Answered { thread, now, ..Answered::refused(refusal.showing_board()) }))
}
