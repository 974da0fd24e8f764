//! Makes an account one that a program plays, by a token.
//!
//! ```text
//! bot userid password [off]
//! ```
//!
//! The token finds the links of the account's boards, which play and pause the mails as those in mails do. It acts on
//! nothing else. Games with bots change the ratings of bots alone, so the mark stays for good, and an account gets it
//! before its first rated game.

use minijinja::context;

use crate::commands::prelude::*;
use crate::notices::Mail;
use crate::notices::mail::{Keep, Recipient};
use crate::store::CodeHash;

#[derive(Debug, Clone)]
pub struct BotToken {
    /// True to end the token without another.
    pub ends: bool,
}

impl Parameters for BotToken {
    fn line(&self, word: &str) -> String {
        Written::new(None, word).and(self.ends.then_some("off")).end()
    }
}

pub(crate) const BOT: Entry = Entry {
    by: Needs::Guarded,
    summary: "makes your account a bot, which a program of yours plays",
    details: "A mail brings a token, once; `bot` again brings another in its place, and `off` ends it. With the \
              token your program reads `/me.json` and plays: `examples/bot.py` of the source is one. The token can \
              pause the mails of the account, but changes no setting, address or password. Other players see \
              that it is a bot. It plays in no event, league or ladder, and its rated games with people change only its \
              own rating.\n\nThe mark stays for good, also after `off`. So make an account of its own for your bot, and \
              send `bot` before its first rated game.",
    example: "bot ann plover-42",
    keywords: &["off"],
    ..Entry::of_server("bot", "userid password [off]", |args| {
        args.writer()?;
        Ok(Command::Bot(BotToken { ends: args.take("off") }))
    })
};

pub(crate) fn bot(
    ctx: &mut Context<'_>,
    account: &Account,
    command: BotToken,
) -> Result<Event, CommandError> {
    let userid = account.userid.as_str();
    if command.ends {
        return match ctx.store.set_bot_token(account.id, None, ctx.now)? {
            true => Ok(Event::page("bot.md", context! { userid, ends => true }, None)),
            false => refuse!("{userid} has no token of a bot."),
        };
    }
    let Some(pages) = ctx.pages else {
        return refuse!("This server has no pages, by which a program could play.");
    };
    if !account.is_bot {
        if ctx.store.plays_rated(account.id)? || !ctx.store.contests_of(account.id, 1)?.is_empty() {
            return refuse!(
                "{userid} has played a rated game or joined a contest, so it stays a person's account. Make another \
                account for your bot."
            );
        }
        ctx.store.set_bot(account.id)?;
    }
    if let Some(until) = ctx.spend(ctx.limits.sign_ins(), &format!("{} bot", account.userid.key()))? {
        return refuse!("You have had today's tokens; the next can be had after {}.", ctx.time(until)?);
    }
    let token = ctx.code();
    ctx.store.set_bot_token(account.id, Some(CodeHash::of(&token)), ctx.now)?;
    let mail = Mail::page(Recipient::Player(account.id), "bot-token.md", context! { userid, token, pages });
    ctx.notify(Mail { keep: Keep::Recipient, ..mail });
    Ok(Event::page("bot.md", context! { userid, ends => false }, None))
}

/// Refuses the account of a bot, which plays in no contest.
pub(crate) fn must_be_no_bot(account: &Account) -> Result<(), Refusal> {
    match account.is_bot {
        true => refuse!(
            "{userid} is a bot. Events, leagues and ladders are for people: challenge them instead.",
            userid = account.userid
        ),
        false => Ok(()),
    }
}
