//! A reply whose address has a code that is good no more, or lost it on the way: In-Reply-To still names the mail that it
//! answers.

use crate::board::Board;
use crate::commands::invitation;
use crate::failure::{Error, Refusal, refusal};
use crate::ids::BoardId;
use crate::mail::{AnswerBy, Letter, reply_text};
use crate::meaning::lines::ReplyLines;
use crate::meaning::moves::{self, ReplyMoves};
use crate::notices::Answered;
use crate::notices::view::board_view;
use crate::play::Context;
use crate::store::{MailToPlayer, Store};

/// How many mails of a thread are looked for, the newest first.
const LOOKED_FOR: usize = 5;

/// The mail about a board that a letter says it answers, if it went to the right reader. References name older mails too,
/// and those of other boards if a player answers within an old thread, so no move is played by them.
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

/// The board of a token that is not valid any more, if the letter claims to come from one of its players. The answer
/// goes to them.
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

/// Why a reply with such a token does nothing.
pub(super) fn spent(ctx: &mut Context<'_>) -> Result<Refusal, Error> {
    if ctx.letter.token.as_ref().is_some_and(|token| token.0.starts_with('i')) {
        return Ok(invitation::over());
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

/// What a letter without a token hears that answers a mail about a board, sent to its own writer: the board, in a mail
/// that can be answered, and the command that needs no such address.
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
    let userid = ctx.store.player_by_id(reader)?.userid;
    let refusal = refusal!(
        "Your mail answers one about board {number}, but the address it came to has lost the code behind its `+`, so \
        nothing was done. Reply to this mail, whose address has the code again, with `{plies}` alone in the first \
        line. If the code is lost once more, write this line: `{game} move {number} {userid} PASSWORD {plies}`.",
        game = board.kind.key
    );
    let thread = ctx.thread(Some(number))?;
    let now = Some(Box::new(board_view(ctx.store, &board)?));
    Ok(Some(Answered { thread, now, ..Answered::refused(refusal.showing_board()) }))
}
