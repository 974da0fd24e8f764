//! Moves in mails to a board whose spaces were renamed. Until the next ply there, the writer can have a mail with the
//! earlier names in view.

use crate::board::Board;
use crate::credentials::Token;
use crate::credentials::token::MailKind;
use crate::failure::{CommandError, refuse};
use crate::language::OnBoard;
use crate::language::move_finder::MoveFinder;
use crate::mail::AnswerBy;
use crate::play::Context;

/// What to ask about a move that has two meanings.
pub(crate) struct Renamed {
    /// The move that the writer of an earlier mail would mean, as it is written today, if it is legal.
    pub plies: String,
    pub because: String,
}

const WHY: &str = "The columns of Go are A to T without I now, as everywhere else. In earlier mails";

/// The space that `name` means in an earlier mail, if that is another one than today.
fn earlier(ctx: &Context<'_>, at: OnBoard, name: &str) -> Result<Option<String>, CommandError> {
    let by_mail = ctx.letter.answer == AnswerBy::Mail;
    let today = at.game.renamed.filter(|_| by_mail).and_then(|renamed| renamed(name));
    let Some(today) = today.filter(|today| !today.eq_ignore_ascii_case(name)) else { return Ok(None) };
    if !ctx.store.is_newly_renamed(at.board)? {
        return Ok(None);
    }
    // A question with today's names was asked since.
    let asked = ctx.token.as_ref().and_then(Token::seat).filter(|seat| seat.mail == MailKind::Question);
    let is_answer = match asked {
        Some(seat) => {
            let draft = ctx.store.draft(at.board, seat.player)?;
            draft.is_some_and(|draft| {
                ctx.store.asked_plies(at.board, seat.player).is_ok_and(|asked| asked == draft.plies)
            })
        }
        None => false,
    };
    Ok((!is_answer).then_some(today))
}

/// The question about a move; `None` if it has one meaning.
pub(crate) fn question(ctx: &Context<'_>, at: OnBoard, plies: &str) -> Result<Option<Renamed>, CommandError> {
    let (name, _) = plies.split_once('#').unwrap_or((plies, ""));
    let Some(today) = earlier(ctx, at, name)? else { return Ok(None) };
    let table = Board::load(ctx.store, at.board)?.map(|board| board.table);
    let is_legal = |name: &str| table.as_ref().is_some_and(|table| table.copy().play_text(name).is_ok());
    let name = name.to_uppercase();
    let other = format!(" If you mean the point that is {name} now, reply `{name}`.");
    let other = if is_legal(&name) { other } else { String::new() };
    let because = format!("{WHY}, {name} was the point that is {today} now.{other}");
    Ok(Some(Renamed { plies: if is_legal(&today) { today } else { name }, because }))
}

/// Refuses a text with the name of a space that has two meanings.
pub(crate) fn refuse(ctx: &Context<'_>, at: OnBoard, text: &str) -> Result<(), CommandError> {
    for name in MoveFinder::of(at.game).named(text) {
        if let Some(today) = earlier(ctx, at, &name)? {
            return refuse!(
                "{WHY}, {name} was the point that is {today} now, so nothing was done. Write this again after the next \
                 move on board {board}.",
                board = at.board
            );
        }
    }
    Ok(())
}
