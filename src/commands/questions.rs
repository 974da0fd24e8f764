//! Dispatches answers to the questions of the server's mails.

use crate::commands::answer::QuestionAnswer;
use crate::commands::prelude::*;
use crate::commands::{announce, confirm_address, invitation, session, watch};
use crate::credentials::claim::nothing_proves;
use crate::credentials::{MailQuestion, Token};

/// Handles the answer of a button, or a `yes` with a password.
pub(crate) fn answer(ctx: &mut Context<'_>, answer: QuestionAnswer) -> Result<Event, CommandError> {
    let Some(Token::Question(question)) = ctx.token.clone() else { return Err(nothing_proves().into()) };
    answered(ctx, question, Some(answer))
}

/// Handles the answer in the first line of a reply; `answer` is `None` if that line answers nothing.
pub(crate) fn answered(
    ctx: &mut Context<'_>,
    question: MailQuestion,
    answer: Option<QuestionAnswer>,
) -> Result<Event, CommandError> {
    match question {
        MailQuestion::Address(player, address) => confirm_address::answered(ctx, player, address, answer),
        MailQuestion::Watch { board, address, code } => watch::answered(ctx, board, address, code, answer),
        MailQuestion::Invitation(row) => invitation::answered(ctx, &row, answer),
        MailQuestion::WeeklyMail(player) => announce::unsubscribe(ctx, player),
        MailQuestion::SignIn(player, code) => match answer {
            Some(QuestionAnswer::SignIn(browser)) => session::open(ctx, player, &code, &browser),
            _ => Err(nothing_proves().into()),
        },
        MailQuestion::Line { player, link, line } => match answer {
            Some(QuestionAnswer::Yes) => session::confirmed(ctx, player, link, &line),
            _ => Err(nothing_proves().into()),
        },
        // A reply to a contest mail is read as a command, which `letter/act.rs` carries out. `reset` sets a password.
        MailQuestion::Contest(..) | MailQuestion::Password(..) => Err(nothing_proves().into()),
    }
}
