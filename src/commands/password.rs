//! Changes a password, with the old password or with a mailed token.
//!
//! ```text
//! change password userid old new
//! forgot userid
//! reset userid token new-password
//! ```

use minijinja::context;

use crate::commands::addresses::{ChangeAddresses, addresses};
use crate::commands::asking::may_cause_a_question;
use crate::commands::prelude::*;
use crate::credentials::claim::not_proven;
use crate::credentials::limits::TOKEN_SECONDS;
use crate::credentials::password;
use crate::credentials::token::of_mailed_link;
use crate::ids::Userid;
use crate::language::token::MASK;
use crate::language::{GivenPassword, Password, PasswordPurpose};
use crate::notices::Mail;
use crate::notices::mail::{Keep, Recipient};
use crate::store::CodeHash;

#[derive(Debug, Clone)]
pub struct ChangePassword {
    pub new: Password,
}

impl Parameters for ChangePassword {
    fn line(&self, word: &str) -> String {
        Written::new(None, word).and(["password", MASK]).end()
    }

    fn password(&self) -> Option<GivenPassword<'_>> {
        Some(GivenPassword { userid: None, password: &self.new, purpose: PasswordPurpose::Change })
    }
}

#[derive(Debug, Clone)]
pub struct Forgot {
    /// `None` for the accounts of the sender's address.
    pub userid: Option<Userid>,
}

impl Parameters for Forgot {
    fn line(&self, word: &str) -> String {
        Written::new(None, word).and(&self.userid).end()
    }
}

#[derive(Debug, Clone)]
pub struct Reset {
    pub userid: Userid,
    /// The token from the mail that `forgot` sent.
    pub token: Password,
    pub password: Password,
}

impl Parameters for Reset {
    fn line(&self, word: &str) -> String {
        Written::new(None, word).and([self.userid.as_str(), MASK, MASK]).end()
    }

    fn password(&self) -> Option<GivenPassword<'_>> {
        let purpose = PasswordPurpose::Token(&self.token);
        Some(GivenPassword { userid: Some(&self.userid), password: &self.password, purpose })
    }
}

pub(crate) const CHANGE: Entry = Entry {
    by: Needs::Guarded,
    summary: "changes your password or your addresses",
    details: "`change address` replaces your addresses by those that you name, or by the one that you write \
              from. The old ones stay until a new one is confirmed. Then they get a mail that says so.",
    example: "change password ann plover-42 godwit-17",
    ..Entry::of_server(
        "change",
        "password userid old new | address userid password [address ...]",
        read_change,
    )
};

pub(crate) const FORGOT: Entry = Entry {
    summary: "mails you a token for a new password",
    details: "The token goes to the addresses of the account, at most once an hour. It is good for an hour; \
               `reset` takes it. Without a name it is for the account of the address that you write from. The \
               answer is the same whether or not the account exists.",
    example: "forgot ann",
    ..Entry::of_server("forgot", "[userid]", |args| {
        // `forgot password` names no player.
        args.take("my");
        args.take("password");
        let userid = if args.is_empty() { None } else { Some(args.userid("your userid")?) };
        Ok(Command::Forgot(Forgot { userid }))
    })
};

pub(crate) const RESET: Entry = Entry {
    summary: "sets a new password with the token that `forgot` mailed",
    details: "The mail with the token has the whole command; put your new password at its end.",
    example: "reset ann TOKEN godwit-17",
    ..Entry::of_server("reset", "userid token new-password", read_reset)
};

fn read_change(args: &mut Args) -> Result<Command, ArgumentError> {
    let what = args.word("`password` or `address`")?;
    match what.text.to_ascii_lowercase().as_str() {
        "password" => {
            if args.left() < 3 || args.leaves_writer_out() {
                let why =
                    "without the old password, send `forgot` and your userid: the answer brings a new one";
                return Err(ArgumentError::at_end(why));
            }
            args.writer()?;
            let new = args.secret("the new password")?;
            Ok(Command::ChangePassword(ChangePassword { new }))
        }
        "address" => {
            args.writer()?;
            let addresses = addresses(args)?;
            Ok(Command::ChangeAddresses(ChangeAddresses { addresses }))
        }
        _ => Err(what.error("`password` or `address` is expected here")),
    }
}

fn read_reset(args: &mut Args) -> Result<Command, ArgumentError> {
    let userid = args.userid("your userid")?;
    let token = args.secret("the token")?;
    let password = args.secret("the new password")?;
    Ok(Command::Reset(Reset { userid, token, password }))
}

fn bad_token() -> Refusal {
    refusal!(
        "The name and the token do not belong together, or the token is older than an hour or used. `forgot` and \
        your name get another."
    )
}

pub(crate) fn change_password(
    ctx: &mut Context<'_>,
    account: &Account,
    command: ChangePassword,
) -> Result<Event, CommandError> {
    let ChangePassword { new } = &command;
    password::check(&account.userid, new)?;
    let hash = ctx.proofs.fresh_hash(&account.userid, new).ok_or_else(not_proven)?;
    ctx.store.set_password(account.id, hash)?;
    Ok(Event::page("password.md", context! { userid => account.userid.as_str() }, None))
}

/// The answer does not reveal whether the account exists, and names no player.
pub(crate) fn forgot(ctx: &mut Context<'_>, command: Forgot) -> Result<Event, CommandError> {
    let known = |account: &Account| !account.is_deleted() && !account.id.is_robot();
    if ctx.used.resets > 0 && !ctx.writer.is_operator() {
        return refuse!("One `forgot` a letter: send the other in a letter of its own.");
    }
    ctx.used.resets += 1;
    let sender = ctx.letter.sender.as_deref().unwrap_or_default();
    let accounts = match &command.userid {
        Some(userid) => ctx.store.player(userid)?.into_iter().collect(),
        None => ctx.store.players_at(sender)?,
    };
    for account in accounts.into_iter().filter(known) {
        let token = ctx.code();
        // Letters from the player's own address skip the limit on questions, which letters from other addresses
        // could use up.
        let is_own =
            ctx.store.addresses(account.id)?.row(sender).is_some_and(|row| row.confirmed_at.is_some());
        if (is_own || may_cause_a_question(ctx)?)
            && ctx.store.add_reset(account.id, CodeHash::of(&token), ctx.now, TOKEN_SECONDS)?
        {
            ctx.notify(token_mail(&account, &token, ctx.pages));
        }
    }
    Ok(Event::page("forgot.md", context! {}, None))
}

/// The mail with a token that sets a new password.
pub(crate) fn token_mail(account: &Account, token: &str, pages: Option<&str>) -> Mail {
    let link = pages.map(|pages| format!("{pages}/sign-in/{}", of_mailed_link(account.id, token)));
    let data = context! { userid => account.userid.to_string(), token, link };
    Mail { keep: Keep::Recipient, ..Mail::page(Recipient::Player(account.id), "reset-token.md", data) }
}

pub(crate) fn reset(ctx: &mut Context<'_>, command: Reset) -> Result<Event, CommandError> {
    let Reset { userid, token, password } = &command;
    let known = |account: &Account| !account.is_deleted() && !account.id.is_robot();
    let account = ctx.store.player(userid)?.filter(known).ok_or_else(bad_token)?;
    if !ctx.store.is_reset(account.id, CodeHash::of(&token.0), ctx.now, TOKEN_SECONDS)? {
        return Err(bad_token().into());
    }
    password::check(&account.userid, password)?;
    let hash = ctx.proofs.fresh_hash(userid, password).ok_or_else(bad_token)?;
    ctx.store.set_password(account.id, hash)?;
    // A person who knew the old password might also have mails with tokens of the account.
    if account.password_hash.is_some() {
        let secret = ctx.secret();
        ctx.store.set_secret(account.id, &secret)?;
    }
    ctx.store.end_sessions(account.id)?;
    ctx.proofs.lift_pause(ctx.store, &account)?;
    ctx.answer_to(account.id);
    Ok(Event::page("password.md", context! { userid => account.userid.as_str() }, None))
}
