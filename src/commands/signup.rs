//! Creates an account.
//!
//! ```text
//! signup userid [password] [address ...]
//! ```

use minijinja::context;

use crate::commands::addresses::{
    ADDRESSES_AT_MOST, add_addresses, addresses, no_address, too_many_addresses,
};
use crate::commands::confirm_address::{self, AddressStates};
use crate::commands::prelude::*;
use crate::commands::{LANGUAGE, seek};
use crate::credentials::claim::{Shown, not_proven};
use crate::credentials::password;
use crate::failure::Error;
use crate::ids::{Userid, same_address};
use crate::language::token::MASK;
use crate::language::{Claim, GivenPassword, Password, PasswordPurpose, WordsElsewhere};
use crate::mail::Proof;
use crate::store::AccountState;

/// Creates an account, or reactivates one that has signed off.
#[derive(Debug, Clone)]
pub struct Signup {
    pub userid: Userid,
    /// `None` creates an account without a password, like a plain `yes`.
    pub password: Option<Password>,
    /// If empty, the sender's address is used.
    pub addresses: Vec<String>,
}

impl Parameters for Signup {
    fn line(&self, word: &str) -> String {
        let password = self.password.as_ref().map(|_| MASK);
        Written::new(None, word).and([&self.userid]).and(password).and(&self.addresses).end()
    }

    fn password(&self) -> Option<GivenPassword<'_>> {
        let password = self.password.as_ref()?;
        Some(GivenPassword { userid: Some(&self.userid), password, purpose: PasswordPurpose::SignUp })
    }
}

pub(crate) const SIGNUP: Entry = Entry {
    summary: "makes an account",
    details: "A name is a letter followed by 1 to 19 letters, digits, `-` or `_`. A mail goes to the address \
              that you write from. Your reply to it proves that the address is yours: `yes NEWPASSWORD` makes \
              the account and sets the password, and `yes` alone makes it without one. You can play without a \
              password, by replies and links. A command from elsewhere needs it; the server keeps only a hash. \
              You can name up to two other addresses if your mail server vouches for the letter; otherwise `add` \
              adds them later. After `signoff`, `signup` with the old password takes you back. There is no login \
              by mail: a reply to our mail, or your password in a command, says who you are.",
    example: "signup ann plover-42 ann@example.org",
    for_strangers: true,
    ..Entry::of_server("signup", "userid [password] [address ...]", read_signup)
};

/// Words of other servers, and the commands they mean here. There is no login here.
pub(crate) const MEANINGS: &[WordsElsewhere] = &[
    WordsElsewhere {
        words: &["signup", "register", "enroll", "enrol", "newaccount", "createaccount", "sign-up", "regist"],
        command: "signup",
    },
    WordsElsewhere {
        words: &["signoff", "signout", "sign-off", "logout", "logoff", "log-out"],
        command: "signoff",
    },
    WordsElsewhere { words: &["login", "logon", "signin", "log-in", "sign-in"], command: "help signup" },
];

fn read_signup(args: &mut Args) -> Result<Command, ArgumentError> {
    let userid = args.userid("the name you want")?;
    let password = if args.is_empty() { None } else { Some(args.password()?) };
    Ok(Command::Signup(Signup { userid, password, addresses: addresses(args)? }))
}

pub(crate) fn signup(ctx: &mut Context<'_>, command: Signup) -> Result<Event, CommandError> {
    let Signup { userid, password, addresses } = command;
    let userid = &userid;
    let unclaimed = match ctx.store.player(userid)? {
        Some(taken) if ctx.store.is_unclaimed(&taken)? => Some(taken.id),
        Some(taken) if taken.is_signed_off() => {
            let Some(password) = password else {
                return refuse!(
                    "The account {userid} is signed off. To take it back, write its password after the name."
                );
            };
            let by = ctx.identify(&Claim::written(taken.userid, password), Shown::NOTHING)?;
            return come_back(ctx, by.proven()?, &addresses);
        }
        Some(taken) => {
            let userid = taken.userid;
            return refuse!(
                "The name {userid} is taken. Choose another; if it is yours, there is nothing to do."
            );
        }
        None => None,
    };
    if LANGUAGE.is_placeholder(userid.as_str()) {
        let name = proposed(ctx, ctx.sender().unwrap_or_default())?;
        return refuse!(
            "What do you want to be called? Put a name of your choice in the place of {userid}, for example:\n\n    \
            signup {name}"
        );
    }
    if !may_be_called(ctx, userid) {
        return refuse!(
            "This name is a word that the server uses itself, or an office of its mail. Choose another."
        );
    }
    password.iter().try_for_each(|password| password::check(userid, password))?;
    let is_proven = ctx.letter.proof != Proof::None;
    let asked = first_addresses(ctx, addresses, is_proven)?;
    if ctx.used.signups > 0 && !ctx.writer.is_operator() {
        return refuse!("One account a letter: send the other `signup` in a letter of its own.");
    }
    ctx.used.signups += 1;
    let id = match unclaimed {
        Some(id) => id,
        None => {
            let secret = ctx.secret();
            ctx.store.add_player(userid, None, &secret, ctx.now)?
        }
    };
    let account = ctx.store.player_by_id(id)?;
    let before = ctx.store.addresses(id)?;
    for address in &asked {
        let held = confirm_address::register(ctx, &account, address)?;
        if let Some(until) = held.filter(|_| !is_proven) {
            return Err(
                asked_enough(&account.userid, before.row(address).is_some(), &ctx.time(until)?).into()
            );
        }
    }
    if let Some(password) = password.filter(|_| is_proven) {
        // The hash is missing only if another letter has just claimed the userid.
        let hash = ctx.proofs.fresh_hash(userid, &password).ok_or_else(not_proven)?;
        ctx.store.set_password(id, hash)?;
    }
    ctx.answer_to(id);
    let AddressStates { confirmed, waiting } = AddressStates::of(&ctx.store.addresses(id)?);
    let seeks = seek::for_newcomer(ctx, id)?;
    let robot = ctx.robot.rules.enabled;
    Ok(Event::SignedUp { userid: userid.to_string(), addresses: confirmed, waiting, seeks, robot })
}

/// True unless the userid is reserved for the server.
pub(crate) fn may_be_called(ctx: &Context<'_>, userid: &Userid) -> bool {
    let is_our_name = ctx.server.is_some_and(|server| server.is_called(userid.as_str()));
    !is_our_name && LANGUAGE.may_be_a_userid(userid.as_str())
}

/// True if a new account can have this userid.
pub(crate) fn is_free(ctx: &Context<'_>, userid: &Userid) -> Result<bool, Error> {
    Ok(may_be_called(ctx, userid) && ctx.store.player(userid)?.is_none())
}

/// Refuses a userid that a new account cannot have. `how` tells what to do.
pub(crate) fn must_be_free(ctx: &Context<'_>, userid: &Userid, how: &str) -> Result<(), CommandError> {
    if is_free(ctx, userid)? {
        return Ok(());
    }
    refuse!("The name {userid} is taken, or a word of the server's. {how}")
}

/// A free userid made from the first name in an address.
pub(crate) fn proposed(ctx: &Context<'_>, address: &str) -> Result<Userid, CommandError> {
    const NUMBERS: u32 = 1000;
    let local = address.split('@').next().unwrap_or_default().to_lowercase();
    let mut parts = local.split(|c: char| !c.is_ascii_alphanumeric());
    let is_name = |part: &&str| part.len() > 1 && part.parse::<Userid>().is_ok();
    for name in [parts.find(is_name).unwrap_or("player"), "player"] {
        for number in 1..NUMBERS {
            let number = if number > 1 { number.to_string() } else { String::new() };
            let text = format!("{name}{number}");
            if let Ok(userid) = text.parse()
                && is_free(ctx, &userid)?
            {
                return Ok(userid);
            }
        }
    }
    refuse!("No name is free that could be proposed here. `signup` makes an account under another.")
}

/// Refuses a sign-up whose question cannot be sent now.
fn asked_enough(userid: &Userid, is_asked: bool, until: &str) -> Refusal {
    match is_asked {
        true => refusal!(
            "The account {userid} is made once you reply to the mail that asked you, with `yes` or `yes NEWPASSWORD` in \
            the first line; its Subject ends in `welcome, {userid}`. If you cannot find it, send this again after \
            {until}, and another comes."
        ),
        false => refusal!(
            "The account {userid} was not made: as many mails as may leave for now have asked whose address is whose. \
            Send this again after {until}."
        ),
    }
}

/// The addresses to register for a new account.
///
/// An unproven letter causes mail only to the address it claims to come from. Its additional addresses are
/// ignored: otherwise a forger could receive the mail of the person who answers `yes`.
fn first_addresses(
    ctx: &Context<'_>,
    named: Vec<String>,
    is_proven: bool,
) -> Result<Vec<String>, CommandError> {
    if ctx.writer.is_operator() && !named.is_empty() {
        return Ok(named);
    }
    let own = ctx.sender().ok_or_else(no_address)?.to_owned();
    let others: Vec<String> = named.into_iter().filter(|address| !same_address(address, &own)).collect();
    if others.len() + 1 > ADDRESSES_AT_MOST {
        return Err(too_many_addresses(others.len() + 1).into());
    }
    Ok(std::iter::once(own).chain(others.into_iter().filter(|_| is_proven)).collect())
}

fn come_back(ctx: &mut Context<'_>, account: &Account, more: &[String]) -> Result<Event, CommandError> {
    ctx.store.set_account_state(account.id, AccountState::Active)?;
    let AddressStates { confirmed, waiting } = add_addresses(ctx, account, more)?;
    Ok(Event::page(
        "signup-back.md",
        context! { userid => account.userid.as_str(), addresses => confirmed, waiting },
        None,
    ))
}
