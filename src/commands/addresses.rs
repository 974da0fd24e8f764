//! The addresses of an account. `change address` is read in [`crate::commands::password`], with `change password`.
//!
//! ```text
//! add userid password address ...
//! change address userid password [address ...]
//! ```

use minijinja::context;

use crate::commands::confirm_address::{self, AddressStates};
use crate::commands::prelude::*;
use crate::ids::same_address;

/// Maximum number of addresses per account.
pub(crate) const ADDRESSES_AT_MOST: usize = 3;

#[derive(Debug, Clone)]
pub struct AddAddresses {
    pub addresses: Vec<String>,
}

impl Parameters for AddAddresses {
    fn line(&self, word: &str) -> String {
        Written::new(None, word).and(&self.addresses).end()
    }
}

/// Replaces all addresses of the account with these.
#[derive(Debug, Clone)]
pub struct ChangeAddresses {
    /// If empty, the sender's address is used.
    pub addresses: Vec<String>,
}

impl Parameters for ChangeAddresses {
    fn line(&self, word: &str) -> String {
        Written::new(None, word).and(["address"]).and(&self.addresses).end()
    }
}

pub(crate) const ADD: Entry = Entry {
    by: Needs::Guarded,
    summary: "sends your mail to more addresses",
    details: "An account has at most three addresses. A new one must confirm with a reply first; then every mail \
              goes to all of them.",
    example: "add ann plover-42 ann@example.net",
    ..Entry::of_server("add", "userid password address ...", read_add)
};

fn read_add(args: &mut Args) -> Result<Command, ArgumentError> {
    args.writer()?;
    let addresses = addresses(args)?;
    if addresses.is_empty() {
        return Err(ArgumentError::at_end("an address is missing at the end"));
    }
    Ok(Command::AddAddresses(AddAddresses { addresses }))
}

/// Reads the rest of the line as addresses; drops repeated ones.
pub(crate) fn addresses(args: &mut Args) -> Result<Vec<String>, ArgumentError> {
    let mut addresses: Vec<String> = Vec::new();
    for word in args.rest() {
        if addresses.len() == ADDRESSES_AT_MOST {
            return Err(word.error("an account has at most three addresses"));
        }
        let address = word.address()?;
        if !addresses.iter().any(|known| same_address(known, &address)) {
            addresses.push(address);
        }
    }
    Ok(addresses)
}

pub(crate) fn no_address() -> Refusal {
    refusal!("There is no address to send your mail to. Write it after the password.")
}

pub(crate) fn too_many_addresses(have: usize) -> Refusal {
    refusal!(
        "An account has at most three addresses, and yours has {have}. `change address` puts others in their place."
    )
}

pub(crate) fn add(
    ctx: &mut Context<'_>,
    account: &Account,
    command: AddAddresses,
) -> Result<Event, CommandError> {
    let AddressStates { confirmed, waiting } = add_addresses(ctx, account, &command.addresses)?;
    Ok(Event::page(
        "add.md",
        context! { userid => account.userid.as_str(), addresses => confirmed, waiting },
        None,
    ))
}

/// Registers more addresses and returns all addresses of the account.
pub(crate) fn add_addresses(
    ctx: &mut Context<'_>,
    account: &Account,
    more: &[String],
) -> Result<AddressStates, CommandError> {
    let addresses = ctx.store.addresses(account.id)?;
    let have = addresses.rows.iter().filter(|row| !row.leaves).count();
    let is_new = |address: &&String| addresses.row(address).is_none_or(|row| row.leaves);
    if have + more.iter().filter(is_new).count() > ADDRESSES_AT_MOST {
        return Err(too_many_addresses(have).into());
    }
    for address in more {
        confirm_address::register(ctx, account, address)?;
    }
    Ok(AddressStates::of(&ctx.store.addresses(account.id)?))
}

pub(crate) fn change_address(
    ctx: &mut Context<'_>,
    account: &Account,
    command: ChangeAddresses,
) -> Result<Event, CommandError> {
    let ChangeAddresses { mut addresses } = command;
    if addresses.is_empty() {
        addresses.extend(ctx.letter.sender.clone());
    }
    if addresses.is_empty() {
        return Err(no_address().into());
    }
    let userid = account.userid.to_string();
    for old in ctx.store.addresses(account.id)?.rows {
        if addresses.iter().any(|new| same_address(new, &old.address)) {
            continue;
        }
        // A confirmed address stays until the player confirms another. So a typing mistake neither locks the
        // player out nor lets another person claim the account.
        match old.confirmed_at.or(old.stopped_at) {
            Some(_) => ctx.store.let_address_leave(account.id, &old.address)?,
            None => ctx.store.remove_address(account.id, &old.address)?,
        }
    }
    let AddressStates { confirmed, waiting } = add_addresses(ctx, account, &addresses)?;
    if !confirmed.is_empty() {
        confirm_address::drop_leaving(ctx, account)?;
    }
    Ok(Event::page("add.md", context! { userid, addresses => confirmed, waiting }, None))
}
