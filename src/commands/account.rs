//! Making, changing and leaving an account.
//!
//! ```text
//! signup userid password [address ...]
//! add userid password address ...
//! change password userid old new
//! change address userid password [address ...]
//! forgot userid
//! reset userid token new-password
//! signoff userid password
//! delete userid password
//! ```

use minijinja::context;

use crate::board::{Board, names};
use crate::commands::confirm_address::{self, AddressStates};
use crate::commands::{Command, Entry, LANGUAGE, seek};
use crate::credentials::limits::{TOKEN_SECONDS, UNCONFIRMED_SECONDS};
use crate::failure::{CommandError, Refusal, refusal, refuse};
use crate::ids::{Userid, Which};
use crate::language::args::{Args, ArgumentError};
use crate::language::{Login, Meaning, NewPassword, Parameters, Password, SetBy};
use crate::mail::Proof;
use crate::notices::board_update::BoardEvent;
use crate::notices::mail::{Keep, Recipient};
use crate::notices::{Event, Mail};
use crate::play::Context;
use crate::play::at_board::{self, AtBoard};
use crate::play::context::not_proven;
use crate::store::{Account, AccountState, BoardFilter, CodeHash, EventKind, PlayerAddresses};

/// An account has at most so many addresses.
pub(crate) const ADDRESSES_AT_MOST: usize = 3;

/// Makes an account, or takes a sign-off back.
#[derive(Debug, Clone)]
pub struct Signup {
    pub login: Login,
    /// None: the address of the sender.
    pub addresses: Vec<String>,
}

impl Parameters for Signup {
    fn login(&self) -> Option<&Login> {
        Some(&self.login)
    }

    fn new_password(&self) -> Option<NewPassword<'_>> {
        Some(NewPassword { userid: &self.login.userid, password: &self.login.password, by: SetBy::SignUp })
    }
}

#[derive(Debug, Clone)]
pub struct AddAddresses {
    pub login: Login,
    pub addresses: Vec<String>,
}

impl Parameters for AddAddresses {
    fn login(&self) -> Option<&Login> {
        Some(&self.login)
    }
}

#[derive(Debug, Clone)]
pub struct ChangePassword {
    /// With the old password.
    pub login: Login,
    pub new: Password,
}

impl Parameters for ChangePassword {
    fn login(&self) -> Option<&Login> {
        Some(&self.login)
    }

    fn new_password(&self) -> Option<NewPassword<'_>> {
        let by = SetBy::OldPassword(&self.login);
        Some(NewPassword { userid: &self.login.userid, password: &self.new, by })
    }
}

/// Puts these addresses in the place of all others.
#[derive(Debug, Clone)]
pub struct ChangeAddresses {
    pub login: Login,
    /// None: the address of the sender.
    pub addresses: Vec<String>,
}

impl Parameters for ChangeAddresses {
    fn login(&self) -> Option<&Login> {
        Some(&self.login)
    }
}

#[derive(Debug, Clone)]
pub struct Forgot {
    pub userid: Userid,
}

impl Parameters for Forgot {}

#[derive(Debug, Clone)]
pub struct Reset {
    pub userid: Userid,
    /// From the mail that `forgot` caused.
    pub token: Password,
    pub password: Password,
}

impl Parameters for Reset {
    fn new_password(&self) -> Option<NewPassword<'_>> {
        let by = SetBy::Token(&self.token);
        Some(NewPassword { userid: &self.userid, password: &self.password, by })
    }

    fn token(&self) -> Option<&Password> {
        Some(&self.token)
    }
}

pub(crate) const SIGNUP: Entry = Entry {
    summary: "makes an account",
    details: "A userid is a letter followed by 1 to 19 letters, digits, `-` or `_`. The password is asked for in \
                  every command that acts for you; only a hash of it is kept. Mail goes to the address you write \
                  from: a question goes there, and a reply of `yes` confirms it. Up to two other addresses that \
                  you name are asked after that. After `signoff` it takes you back; it needs the old password then. \
                  Nobody logs in here: a reply to a mail of ours, or your password in a command, says who you are.",
    example: "signup ann plover-42 ann@example.org",
    for_strangers: true,
    ..Entry::of_server("signup", "userid password [address ...]", read_signup)
};

pub(crate) const ADD: Entry = Entry {
    summary: "sends your mail to more addresses",
    details: "An account has at most three. Every mail goes to all of them, once a reply from there has \
                  confirmed them.",
    example: "add ann plover-42 ann@example.net",
    ..Entry::of_server("add", "userid password address ...", read_add)
};

pub(crate) const CHANGE: Entry = Entry {
    summary: "changes your password or your addresses",
    details: "`change address` puts the addresses named, or the one you write from, in the place of all you had; \
                  the old ones stay until a new one is confirmed, and are told then that mail no longer goes there.",
    example: "change password ann plover-42 godwit-17",
    ..Entry::of_server(
        "change",
        "password userid old new | address userid password [address ...]",
        read_change,
    )
};

pub(crate) const FORGOT: Entry = Entry {
    summary: "mails you a token for a new password",
    details: "The token goes to the addresses of the account, at most once an hour, and is good for an hour; \
                  `reset` takes it. The answer is the same whether or not there is such an account.",
    example: "forgot ann",
    ..Entry::of_server("forgot", "userid", |args| {
        Ok(Command::Forgot(Forgot { userid: args.userid("your userid")? }))
    })
};

pub(crate) const RESET: Entry = Entry {
    summary: "sets a new password with the token that `forgot` mailed",
    details: "The command with the token stands in that mail; put your new password behind it.",
    example: "reset ann TOKEN godwit-17",
    ..Entry::of_server("reset", "userid token new-password", read_reset)
};

pub(crate) const SIGNOFF: Entry = Entry {
    summary: "ends new challenges and all mail but that of your running games",
    details: "`signup` with the same userid and password takes you back.",
    example: "signoff ann plover-42",
    ..Entry::of_server("signoff", "userid password", |args| Ok(Command::SignOff(args.login()?)))
};

pub(crate) const DELETE: Entry = Entry {
    summary: "deletes your account",
    details: "It resigns your running games and erases your addresses and your password. Finished games stay \
                  under your userid, which nobody else can ever take. There is no way back.",
    example: "delete ann plover-42",
    ..Entry::of_server("delete", "userid password", |args| Ok(Command::Delete(args.login()?)))
};

/// What people of other servers write. Nobody logs in here.
pub(crate) const MEANINGS: &[Meaning] = &[
    Meaning {
        words: &["signup", "register", "enroll", "enrol", "newaccount", "createaccount", "sign-up", "regist"],
        command: "signup",
    },
    Meaning { words: &["signoff", "signout", "sign-off", "logout", "logoff", "log-out"], command: "signoff" },
    Meaning { words: &["login", "logon", "signin", "log-in", "sign-in"], command: "help signup" },
];

fn read_signup(args: &mut Args) -> Result<Command, ArgumentError> {
    let userid = args.userid("the userid you want")?;
    let password = args.password()?;
    let addresses = addresses(args)?;
    Ok(Command::Signup(Signup { login: Login { userid, password }, addresses }))
}

fn read_add(args: &mut Args) -> Result<Command, ArgumentError> {
    let login = args.login()?;
    let addresses = addresses(args)?;
    if addresses.is_empty() {
        return Err(ArgumentError::at_end("an address is missing at the end"));
    }
    Ok(Command::AddAddresses(AddAddresses { login, addresses }))
}

fn read_change(args: &mut Args) -> Result<Command, ArgumentError> {
    let what = args.word("`password` or `address`")?;
    match what.text.to_ascii_lowercase().as_str() {
        "password" => {
            let login = args.login()?;
            let new = args.secret("the new password")?;
            Ok(Command::ChangePassword(ChangePassword { login, new }))
        }
        "address" => {
            let login = args.login()?;
            let addresses = addresses(args)?;
            Ok(Command::ChangeAddresses(ChangeAddresses { login, addresses }))
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

/// All that is left, as addresses, each once.
fn addresses(args: &mut Args) -> Result<Vec<String>, ArgumentError> {
    let mut addresses: Vec<String> = Vec::new();
    for word in args.rest() {
        if addresses.len() == ADDRESSES_AT_MOST {
            return Err(word.error("an account has at most three addresses"));
        }
        let address = word.address()?;
        if !addresses.iter().any(|known| known.eq_ignore_ascii_case(&address)) {
            addresses.push(address);
        }
    }
    Ok(addresses)
}

fn no_address() -> Refusal {
    refusal!("There is no address to send your mail to. Write it behind the password.")
}

fn too_many_addresses(have: usize) -> Refusal {
    refusal!(
        "An account has at most three addresses, and yours has {have}. `change address` puts others in their place."
    )
}

fn bad_token() -> Refusal {
    refusal!(
        "The userid and the token do not belong together, or the token is older than an hour or used. `forgot userid` \
        mails another."
    )
}

const PASSWORD_MIN: usize = 4;
const PASSWORD_MAX: usize = 100;

pub(crate) fn signup(ctx: &mut Context<'_>, command: Signup) -> Result<Event, CommandError> {
    let Signup { login, addresses } = command;
    let Login { userid, password } = &login;
    let taken = ctx.store.player(userid)?.filter(|taken| !taken.id.is_robot());
    let lapsed = match taken {
        Some(taken) if ctx.store.is_lapsed(&taken, ctx.now, UNCONFIRMED_SECONDS)? => Some(taken.id),
        Some(taken) if taken.is_signed_off() => {
            let account = ctx.prove(&login)?;
            return come_back(ctx, &account, &addresses);
        }
        Some(taken) => return Err(is_taken(ctx, taken)?.into()),
        None => None,
    };
    let is_our_name = ctx.server.is_some_and(|server| server.is_called(userid.as_str()));
    if is_our_name || !LANGUAGE.may_be_a_userid(userid.as_str()) {
        return refuse!(
            "This userid is a word the server uses itself, or an office of its mail. Choose another."
        );
    }
    check_password(userid, password)?;
    let (asked, kept) = first_addresses(ctx, addresses)?;
    if ctx.used.signups > 0 && !ctx.writer.is_operator() {
        return refuse!("One account a letter: send the other `signup` in a letter of its own.");
    }
    ctx.used.signups += 1;
    // A hash is missing only if another letter has just deleted the account. Then nobody needs it.
    let hash = ctx.proofs.fresh_hash(userid, password).ok_or_else(not_proven)?;
    if let Some(lapsed) = lapsed {
        let secret = ctx.secret();
        ctx.store.release_userid(lapsed, &secret)?;
    }
    let secret = ctx.secret();
    let id = ctx.store.add_player(userid, hash, &secret, ctx.now)?;
    let account = ctx.store.player_by_id(id)?;
    for address in &asked {
        confirm_address::register(ctx, &account, address, true)?;
    }
    for address in &kept {
        ctx.store.keep_address(id, address, ctx.now)?;
    }
    ctx.answer_to(id);
    let AddressStates { confirmed, waiting } = AddressStates::of(&ctx.store.addresses(id)?);
    let waiting = waiting.into_iter().filter(|address| !kept.contains(address)).collect();
    let seeks = seek::for_newcomer(ctx, id)?;
    let robot = ctx.robot.rules.enabled;
    Ok(Event::SignedUp { userid: userid.to_string(), addresses: confirmed, waiting, kept, seeks, robot })
}

fn is_taken(ctx: &Context<'_>, taken: Account) -> Result<Refusal, CommandError> {
    let waits = match &ctx.letter.sender {
        Some(sender) => ctx.store.waiting_at(sender)?.contains(&taken.id),
        None => false,
    };
    let userid = taken.userid;
    Ok(if waits {
        refusal!(
            "The userid {userid} is taken. If it is yours, reply with `yes` to the mail that asked you; else choose \
            another."
        )
    } else {
        refusal!("The userid {userid} is taken. Choose another; if it is yours, there is nothing to do.")
    })
}

/// The addresses to register now, and those to ask once one of the first is confirmed.
///
/// A letter may have us write to where it says it comes from, and to nobody else.
fn first_addresses(
    ctx: &Context<'_>,
    named: Vec<String>,
) -> Result<(Vec<String>, Vec<String>), CommandError> {
    if ctx.writer.is_operator() && !named.is_empty() {
        return Ok((named, Vec::new()));
    }
    let own = ctx.letter.sender.clone().ok_or_else(no_address)?;
    let others: Vec<String> =
        named.into_iter().filter(|address| address.to_lowercase() != own.to_lowercase()).collect();
    if others.len() + 1 > ADDRESSES_AT_MOST {
        return Err(too_many_addresses(others.len() + 1).into());
    }
    match ctx.letter.proof {
        Proof::Sender => Ok((std::iter::once(own).chain(others).collect(), Vec::new())),
        _ => Ok((vec![own], others)),
    }
}

fn come_back(ctx: &mut Context<'_>, account: &Account, more: &[String]) -> Result<Event, CommandError> {
    ctx.store.set_account_state(account.id, AccountState::Active)?;
    let AddressStates { confirmed, waiting } = add_addresses(ctx, account, more)?;
    Ok(Event::page(
        "signup-back.txt",
        context! { userid => account.userid.as_str(), addresses => confirmed, waiting },
        None,
    ))
}

pub(crate) fn add(ctx: &mut Context<'_>, command: AddAddresses) -> Result<Event, CommandError> {
    let AddAddresses { login, addresses } = &command;
    let account = ctx.prove(login)?;
    let AddressStates { confirmed, waiting } = add_addresses(ctx, &account, addresses)?;
    Ok(Event::page(
        "add.txt",
        context! { userid => account.userid.as_str(), addresses => confirmed, waiting },
        None,
    ))
}

/// Registers addresses and returns all of the account's.
fn add_addresses(
    ctx: &mut Context<'_>,
    account: &Account,
    more: &[String],
) -> Result<AddressStates, CommandError> {
    let stay = |addresses: PlayerAddresses| addresses.rows.iter().filter(|row| !row.leaves).count();
    let have = stay(ctx.store.addresses(account.id)?);
    for address in more {
        confirm_address::register(ctx, account, address, false)?;
    }
    let addresses = ctx.store.addresses(account.id)?;
    let states = AddressStates::of(&addresses);
    if stay(addresses) > ADDRESSES_AT_MOST {
        return Err(too_many_addresses(have).into());
    }
    Ok(states)
}

pub(crate) fn change_password(ctx: &mut Context<'_>, command: ChangePassword) -> Result<Event, CommandError> {
    let ChangePassword { login, new } = &command;
    let account = ctx.prove(login)?;
    check_password(&account.userid, new)?;
    let hash = ctx.proofs.fresh_hash(&login.userid, new).ok_or_else(not_proven)?;
    ctx.store.set_password(account.id, hash)?;
    Ok(Event::page("password.txt", context! { userid => account.userid.as_str() }, None))
}

pub(crate) fn change_address(ctx: &mut Context<'_>, command: ChangeAddresses) -> Result<Event, CommandError> {
    let ChangeAddresses { login, mut addresses } = command;
    let account = ctx.prove(&login)?;
    if addresses.is_empty() {
        addresses.extend(ctx.letter.sender.clone());
    }
    if addresses.is_empty() {
        return Err(no_address().into());
    }
    let userid = account.userid.to_string();
    for old in ctx.store.addresses(account.id)?.rows {
        if addresses.iter().any(|new| new.to_lowercase() == old.address.to_lowercase()) {
            continue;
        }
        // A confirmed address stays until the player confirms another: a typing mistake must not lock the player out.
        match old.confirmed_at {
            Some(_) => ctx.store.let_address_leave(account.id, &old.address)?,
            None => ctx.store.remove_address(account.id, &old.address)?,
        }
    }
    let AddressStates { confirmed, waiting } = add_addresses(ctx, &account, &addresses)?;
    if !confirmed.is_empty() {
        confirm_address::drop_leaving(ctx, &account)?;
    }
    Ok(Event::page("add.txt", context! { userid, addresses => confirmed, waiting }, None))
}

/// The answer never tells whether the account exists, and names nobody.
pub(crate) fn forgot(ctx: &mut Context<'_>, command: Forgot) -> Result<Event, CommandError> {
    let userid = &command.userid;
    let known = |account: &Account| !account.is_deleted() && !account.id.is_robot();
    if ctx.used.resets > 0 && !ctx.writer.is_operator() {
        return refuse!("One `forgot` a letter: send the other in a letter of its own.");
    }
    ctx.used.resets += 1;
    let Some(account) = ctx.store.player(userid)?.filter(known) else {
        return Ok(Event::page("forgot.txt", context! {}, None));
    };
    let token = ctx.code();
    // Whoever writes in the name of others cannot take `forgot` from them: a player's own has its limit by itself.
    let sender = ctx.letter.sender.as_deref().unwrap_or_default();
    let is_own = ctx.store.addresses(account.id)?.row(sender).is_some_and(|row| row.confirmed_at.is_some());
    if (is_own || confirm_address::may_cause_a_question(ctx)?)
        && ctx.store.add_reset(account.id, CodeHash::of(&token), ctx.now, TOKEN_SECONDS)?
    {
        ctx.notify(token_mail(&account, &token));
    }
    Ok(Event::page("forgot.txt", context! {}, None))
}

/// The mail with a token that sets a new password.
pub(crate) fn token_mail(account: &Account, token: &str) -> Mail {
    let data = context! { userid => account.userid.to_string(), token };
    Mail { keep: Keep::Recipient, ..Mail::page(Recipient::Player(account.id), "reset-token.txt", data) }
}

pub(crate) fn reset(ctx: &mut Context<'_>, command: Reset) -> Result<Event, CommandError> {
    let Reset { userid, token, password } = &command;
    let known = |account: &Account| !account.is_deleted() && !account.id.is_robot();
    let account = ctx.store.player(userid)?.filter(known).ok_or_else(bad_token)?;
    if !ctx.store.is_reset(account.id, CodeHash::of(&token.0), ctx.now, TOKEN_SECONDS)? {
        return Err(bad_token().into());
    }
    check_password(&account.userid, password)?;
    let hash = ctx.proofs.fresh_hash(userid, password).ok_or_else(bad_token)?;
    ctx.store.set_password(account.id, hash)?;
    let secret = ctx.secret();
    ctx.store.set_secret(account.id, &secret)?;
    ctx.proofs.lift_pause(ctx.store, &account)?;
    ctx.answer_to(account.id);
    Ok(Event::page("password.txt", context! { userid => account.userid.as_str() }, None))
}

pub(crate) fn sign_off(ctx: &mut Context<'_>, login: Login) -> Result<Event, CommandError> {
    let account = ctx.prove(&login)?;
    if account.is_signed_off() {
        return refuse!(
            "You have signed off already. `signup` with the same userid and password takes you back."
        );
    }
    ctx.store.set_account_state(account.id, AccountState::SignedOff)?;
    ctx.store.end_seeks(account.id)?;
    let running = ctx.store.boards(&running(&account))?.len();
    Ok(Event::page("signoff.txt", context! { userid => account.userid.as_str(), running }, None))
}

pub(crate) fn delete(ctx: &mut Context<'_>, login: Login) -> Result<Event, CommandError> {
    let account = ctx.prove(&login)?;
    let mut resigned = Vec::new();
    for row in ctx.store.boards(&running(&account))? {
        let id = row.id;
        let Some(board) = Board::load(ctx.store, id)? else { continue };
        let Some(seat) = board.seat_of(account.id) else { continue };
        let names = names(ctx.store, &board.row.players)?;
        let at = AtBoard::new(board, seat, names);
        at_board::act(ctx, at, (EventKind::Resignation, BoardEvent::Resigned), "")?;
        resigned.push(id.0);
    }
    resigned.sort_unstable();
    let addresses = ctx.store.addresses(account.id)?.rows.into_iter();
    let last_words = addresses.filter(|row| row.confirmed_at.is_some()).map(|row| row.address).collect();
    ctx.say_goodbye(last_words);
    let secret = ctx.secret();
    ctx.store.end_seeks(account.id)?;
    ctx.store.erase_player(account.id, &secret)?;
    Ok(Event::page("delete.txt", context! { userid => account.userid.as_str(), resigned }, None))
}

fn running(account: &Account) -> BoardFilter {
    BoardFilter { game: None, player: Some(account.id), which: Which::Active, limit: u32::MAX, before: None }
}

fn check_password(userid: &Userid, password: &Password) -> Result<(), Refusal> {
    if password.is_placeholder() {
        return refuse!("`PASSWORD` stands for a password of your choice. Choose one that nobody guesses.");
    }
    let length = password.0.chars().count();
    let allowed = (PASSWORD_MIN..=PASSWORD_MAX).contains(&length);
    if allowed && !password.0.eq_ignore_ascii_case(userid.as_str()) {
        return Ok(());
    }
    refuse!("A password has from {PASSWORD_MIN} to {PASSWORD_MAX} characters and is not the userid.")
}
