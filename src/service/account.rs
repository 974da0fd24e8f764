//! `help`, and making, changing and leaving an account.

use super::CommandError;
use super::confirm::AddressStates;
use super::context::Context;
use super::note::Note;
use super::notification::{Content, Notification, Recipient};
use super::play::AtBoard;
use super::transcript::Event;
use super::view::{BoardEvent, names};
use crate::command::account::{ADDRESSES_AT_MOST, Account as Asked};
use crate::command::{Login, Password, table};
use crate::ids::{Userid, Which};
use crate::service::board::Board;
use crate::service::confirm;
use crate::service::context::IdentityRefusal;
use crate::service::play;
use crate::service::profile;
use crate::service::refusal::{Refuse, refuses};
use crate::service::settings;
use crate::store::{Account, Addresses, BoardFilter, CodeHash, EventKind};

/// Why it is refused.
#[derive(Debug, thiserror::Error)]
pub(in crate::service) enum AccountRefusal {
    #[error("The userid {userid} is taken. Choose another; if it is yours, there is nothing to do.")]
    Taken { userid: Userid },
    #[error("This userid is a word the server uses itself. Choose another.")]
    ReservedUserid,
    #[error("There is no address to send your mail to. Write it behind the password.")]
    NoAddress,
    #[error("A password has from {min} to {max} characters and is not the userid.")]
    BadPassword { min: usize, max: usize },
    #[error(
        "An account has at most three addresses, and yours has {have}. `change address` puts others in their place."
    )]
    TooManyAddresses { have: usize },
    #[error(
        "The userid and the token do not belong together, or the token is older than an hour or used. `forgot userid` \
        mails another."
    )]
    BadToken,
    #[error("You have signed off already. `signup` with the same userid and password takes you back.")]
    SignedOffAlready,
}

impl Refuse for AccountRefusal {}

refuses!(AccountRefusal);

/// A password has at least so many characters.
const PASSWORD_MIN: usize = 4;
/// And at most so many.
const PASSWORD_MAX: usize = 100;

/// A reset token is good for so many seconds, and no other is sent meanwhile.
pub(super) const TOKEN_SECONDS: i64 = 60 * 60;

pub(super) fn account(ctx: &mut Context<'_>, asked: Asked) -> Result<Event, CommandError> {
    let note = match asked {
        Asked::Signup { login, addresses } => return signup(ctx, &login, addresses),
        Asked::Add(login, addresses) => add(ctx, &login, &addresses)?,
        Asked::ChangePassword(login, new) => change_password(ctx, &login, &new)?,
        Asked::ChangeAddress(login, addresses) => change_address(ctx, &login, addresses)?,
        Asked::Forgot(userid) => forgot(ctx, &userid)?,
        Asked::Reset { userid, token, password } => reset(ctx, &userid, &token, &password)?,
        Asked::Signoff(login) => sign_off(ctx, &login)?,
        Asked::Delete(login) => delete(ctx, &login)?,
        Asked::Resend(login, board) => profile::resend(ctx, &login, board)?,
        Asked::Who(userid) => profile::who(ctx, userid.as_ref())?,
        Asked::Set(login, settings) => settings::set(ctx, &login, settings)?,
        Asked::Vacation(login, days) => settings::vacation(ctx, &login, days)?,
    };
    Ok(Event::Note(note, None))
}

fn signup(ctx: &mut Context<'_>, login: &Login, mut addresses: Vec<String>) -> Result<Event, CommandError> {
    let Login { userid, password } = login;
    if let Some(taken) = ctx.store.player(userid)?.filter(|taken| !taken.id.is_robot()) {
        if taken.state != "signed-off" {
            return Err(AccountRefusal::Taken { userid: taken.userid }.into());
        }
        let account = ctx.prove(login)?;
        return Ok(Event::Note(come_back(ctx, &account, &addresses)?, None));
    }
    if !table::may_be_a_userid(userid.as_str()) {
        return Err(AccountRefusal::ReservedUserid.into());
    }
    check_password(userid, password)?;
    if addresses.is_empty() {
        addresses.extend(ctx.letter.sender.clone());
    }
    if addresses.is_empty() {
        return Err(AccountRefusal::NoAddress.into());
    }
    // A hash is missing only if the account was deleted while it was being read about: then it was not needed.
    let hash = ctx.proofs.fresh_hash(userid, password).ok_or(IdentityRefusal::NotProven)?;
    let secret = ctx.secret();
    let id = ctx.store.add_player(userid, hash, &secret, ctx.now)?;
    let account = ctx.store.player_by_id(id)?;
    for address in &addresses {
        confirm::register(ctx, &account, address, true)?;
    }
    ctx.acts_for(id);
    let AddressStates { confirmed, waiting } = AddressStates::of(&ctx.store.home(id)?);
    Ok(Event::SignedUp { userid: userid.to_string(), addresses: confirmed, waiting })
}

fn come_back(ctx: &mut Context<'_>, account: &Account, more: &[String]) -> Result<Note, CommandError> {
    ctx.store.set_active(account.id, true)?;
    let AddressStates { confirmed, waiting } = add_addresses(ctx, account, more)?;
    Ok(Note::Back { userid: account.userid.to_string(), addresses: confirmed, waiting })
}

fn add(ctx: &mut Context<'_>, login: &Login, addresses: &[String]) -> Result<Note, CommandError> {
    let account = ctx.prove(login)?;
    let AddressStates { confirmed, waiting } = add_addresses(ctx, &account, addresses)?;
    Ok(Note::Addresses { userid: account.userid.to_string(), addresses: confirmed, waiting })
}

/// Registers addresses; gives all there are then.
fn add_addresses(
    ctx: &mut Context<'_>,
    account: &Account,
    more: &[String],
) -> Result<AddressStates, CommandError> {
    let stay = |home: Addresses| home.addresses.iter().filter(|row| !row.leaves).count();
    let have = stay(ctx.store.home(account.id)?);
    for address in more {
        confirm::register(ctx, account, address, false)?;
    }
    let home = ctx.store.home(account.id)?;
    let addresses = AddressStates::of(&home);
    if stay(home) > ADDRESSES_AT_MOST {
        return Err(AccountRefusal::TooManyAddresses { have }.into());
    }
    Ok(addresses)
}

fn change_password(ctx: &mut Context<'_>, login: &Login, new: &Password) -> Result<Note, CommandError> {
    let account = ctx.prove(login)?;
    check_password(&account.userid, new)?;
    let hash = ctx.proofs.fresh_hash(&login.userid, new).ok_or(IdentityRefusal::NotProven)?;
    ctx.store.set_password(account.id, hash)?;
    Ok(Note::Password { userid: account.userid.to_string() })
}

fn change_address(
    ctx: &mut Context<'_>,
    login: &Login,
    mut addresses: Vec<String>,
) -> Result<Note, CommandError> {
    let account = ctx.prove(login)?;
    if addresses.is_empty() {
        addresses.extend(ctx.letter.sender.clone());
    }
    if addresses.is_empty() {
        return Err(AccountRefusal::NoAddress.into());
    }
    let userid = account.userid.to_string();
    for old in ctx.store.addresses(account.id)? {
        if addresses.iter().any(|new| new.to_lowercase() == old.address.to_lowercase()) {
            continue;
        }
        // One that is confirmed stays until another is: a typing mistake must not shut its player out.
        match old.confirmed_at {
            Some(_) => ctx.store.let_address_leave(account.id, &old.address)?,
            None => ctx.store.remove_address(account.id, &old.address)?,
        }
    }
    let AddressStates { confirmed, waiting } = add_addresses(ctx, &account, &addresses)?;
    if !confirmed.is_empty() {
        confirm::drop_leaving(ctx, &account)?;
    }
    Ok(Note::Addresses { userid, addresses: confirmed, waiting })
}

/// The answer says nothing about whether there is such an account, and names nobody.
fn forgot(ctx: &mut Context<'_>, userid: &Userid) -> Result<Note, CommandError> {
    let known = |account: &Account| account.state != "deleted" && !account.id.is_robot();
    let Some(account) = ctx.store.player(userid)?.filter(known) else {
        return Ok(Note::Forgot);
    };
    let token = ctx.code();
    if ctx.store.add_reset(account.id, CodeHash::of(&token), ctx.now, TOKEN_SECONDS)? {
        let content = Content::ResetToken { userid: account.userid.to_string(), token };
        ctx.notify(Notification::new(Recipient::Player(account.id), content));
    }
    Ok(Note::Forgot)
}

fn reset(
    ctx: &mut Context<'_>,
    userid: &Userid,
    token: &Password,
    password: &Password,
) -> Result<Note, CommandError> {
    let known = |account: &Account| account.state != "deleted" && !account.id.is_robot();
    let account = ctx.store.player(userid)?.filter(known).ok_or(AccountRefusal::BadToken)?;
    if !ctx.store.is_reset(account.id, CodeHash::of(&token.0), ctx.now, TOKEN_SECONDS)? {
        return Err(AccountRefusal::BadToken.into());
    }
    check_password(&account.userid, password)?;
    let hash = ctx.proofs.fresh_hash(userid, password).ok_or(AccountRefusal::BadToken)?;
    ctx.store.set_password(account.id, hash)?;
    let secret = ctx.secret();
    ctx.store.set_secret(account.id, &secret)?;
    ctx.speaks(account.id);
    Ok(Note::Password { userid: account.userid.to_string() })
}

fn sign_off(ctx: &mut Context<'_>, login: &Login) -> Result<Note, CommandError> {
    let account = ctx.prove(login)?;
    if account.state == "signed-off" {
        return Err(AccountRefusal::SignedOffAlready.into());
    }
    ctx.store.set_active(account.id, false)?;
    ctx.store.end_seeks(account.id)?;
    let running = ctx.store.boards(&running(&account))?.len();
    Ok(Note::SignedOff { userid: account.userid.to_string(), running })
}

fn delete(ctx: &mut Context<'_>, login: &Login) -> Result<Note, CommandError> {
    let account = ctx.prove(login)?;
    let mut resigned = Vec::new();
    for row in ctx.store.boards(&running(&account))? {
        let id = row.id;
        let Some(board) = Board::load(ctx.store, id)? else { continue };
        let Some(seat) = board.seat_of(account.id) else { continue };
        let names = names(ctx.store, &board.row.players)?;
        let mut at = AtBoard { board, seat, player: account.id, names };
        play::happen(ctx, &mut at, EventKind::Resignation, "")?;
        play::tell(ctx, BoardEvent::Resigned, &at)?;
        resigned.push(id.0);
    }
    resigned.sort_unstable();
    let addresses = ctx.store.addresses(account.id)?.into_iter();
    let last_words = addresses.filter(|row| row.confirmed_at.is_some()).map(|row| row.address).collect();
    ctx.say_goodbye(last_words);
    let secret = ctx.secret();
    ctx.store.end_seeks(account.id)?;
    ctx.store.erase_player(account.id, &secret)?;
    Ok(Note::Deleted { userid: account.userid.to_string(), resigned })
}

fn running(account: &Account) -> BoardFilter {
    BoardFilter { game: None, player: Some(account.id), which: Which::Active, limit: u32::MAX, before: None }
}

fn check_password(userid: &Userid, password: &Password) -> Result<(), AccountRefusal> {
    let length = password.0.chars().count();
    let allowed = (PASSWORD_MIN..=PASSWORD_MAX).contains(&length);
    if allowed && !password.0.eq_ignore_ascii_case(userid.as_str()) {
        return Ok(());
    }
    Err(AccountRefusal::BadPassword { min: PASSWORD_MIN, max: PASSWORD_MAX })
}
