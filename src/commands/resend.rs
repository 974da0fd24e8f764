//! Sends the last mail again.
//!
//! ```text
//! resend userid password [board]
//! ```

use crate::commands::prelude::*;
use crate::commands::show;
use crate::ids::BoardId;
use crate::notices::Mail;
use crate::notices::mail::{Content, Recipient};

#[derive(Debug, Clone)]
pub struct Resend {
    /// Only mails about this board; `None` for any mail.
    pub about: Option<BoardId>,
}

impl Parameters for Resend {
    fn line(&self, word: &str) -> String {
        Written::new(None, word).and(self.about).end()
    }
}

pub(crate) const RESEND: Entry = Entry {
    by: Needs::Proven,
    summary: "sends the last mail you got again",
    details: "With the number of a board it sends the last mail about that board.",
    example: "resend ann plover-42 1",
    ..Entry::of_server("resend", "userid password [board]", |args| {
        args.writer()?;
        let about = if args.is_empty() { None } else { Some(args.board()?) };
        Ok(Command::Resend(Resend { about }))
    })
};

/// Sends each confirmed address the last mail with a board that it got. The resent mail is the answer.
pub(crate) fn resend(
    ctx: &mut Context<'_>,
    account: &Account,
    command: Resend,
) -> Result<Event, CommandError> {
    let Resend { about: board } = command;
    let mut sent = None;
    for row in ctx.store.addresses(account.id)?.rows {
        if row.confirmed_at.is_none() {
            continue;
        }
        let Some(last) = ctx.store.last_mail(account.id, &row.address, board)? else { continue };
        let is_again = |mail: &Mail| matches!(&mail.content, Content::Resent(sent) if sent.message_id == last.message_id);
        if ctx.mails.iter().any(is_again) {
            return refuse!("This letter has that mail sent again already.");
        }
        if let Some(until) = ctx.spend(ctx.limits.resends(), &account.userid.key())? {
            return refuse!(
                "As many mails as a player may have in a day were sent again. Ask again after {until}; `show` shows a \
                board at any time.",
                until = ctx.time(until)?
            );
        }
        sent = Some(last.board);
        ctx.notify(Mail::resent(Recipient::PlayerAt(account.id, row.address), last));
    }
    match sent {
        Some(board) => Ok(Event::Resent { board }),
        None => match ctx.store.last_board_shown(account.id, board)? {
            Some(board) => show::board(ctx, board),
            None => refuse!("There is no mail with a board to you that could be sent again."),
        },
    }
}
