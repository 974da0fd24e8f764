//! The questions of our mails, and what their answers do.

use crate::commands::answer::QuestionAnswer;
use crate::commands::prelude::*;
use crate::commands::{announce, confirm_address, invitation, sign_in, watch};
use crate::credentials::claim::nothing_proves;
use crate::credentials::{MailQuestion, Token};

/// Acts on a button, or on a `yes` with a password.
pub(crate) fn answer(ctx: &mut Context<'_>, answer: QuestionAnswer) -> Result<Event, CommandError> {
    let Some(Token::Question(question)) = ctx.token.clone() else { return Err(nothing_proves().into()) };
    answered(ctx, question, Some(answer))
}

/// Acts on what the first line of a reply answers; `None` if that is nothing.
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
            Some(QuestionAnswer::SignIn(browser)) => sign_in::open(ctx, player, &code, &browser),
            _ => Err(nothing_proves().into()),
        },
        // A command answers it: `letter/act.rs` carries that out.
        MailQuestion::Contest(..) => Err(nothing_proves().into()),
    }
}
