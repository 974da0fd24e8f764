//! `resend`: sends the last mail that shows a board again, or the board, where the mail is no longer kept.

use crate::commands::grammar::resend::Resend;
use crate::commands::show;
use crate::failure::{CommandError, refuse};
use crate::ids::BoardId;
use crate::notices::notification::{Content, Recipient};
use crate::notices::{Event, Notification};
use crate::play::Context;

/// Sends each address the last mail with a board that went there. That mail is the answer.
pub(crate) fn resend(ctx: &mut Context<'_>, command: Resend) -> Result<Event, CommandError> {
    let Resend { login, about: board } = &command;
    let board = *board;
    let account = ctx.prove(login)?;
    let mut sent = None;
    for row in ctx.store.addresses(account.id)?.rows {
        if row.confirmed_at.is_none() {
            continue;
        }
        if let Some(last) = ctx.store.last_mail(account.id, &row.address, board)? {
            sent = Some(last.board.map(|board| board.0));
            let to = Recipient::PlayerAt(account.id, row.address);
            ctx.notify(Notification::new(to, Content::Resent(last)));
        }
    }
    match sent {
        Some(board) => Ok(Event::Resent { board: board.map(BoardId) }),
        None => match ctx.store.last_board_shown(account.id, board)? {
            Some(board) => show::board(ctx, board),
            None => refuse!("There is no mail with a board to you that could be sent again."),
        },
    }
}
