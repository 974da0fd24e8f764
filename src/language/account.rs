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

use super::args::{Args, Argument, ArgumentError};
use super::entry::{Entry, Scope};
use super::{Command, Login, NewPassword, Parameters, Password};
use crate::ids::Userid;
use crate::mail::clean;

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
        Some(NewPassword { userid: &self.login.userid, password: &self.login.password })
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
        Some(NewPassword { userid: &self.login.userid, password: &self.new })
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
        Some(NewPassword { userid: &self.userid, password: &self.password })
    }

    fn token(&self) -> Option<&Password> {
        Some(&self.token)
    }
}

pub(super) const SIGNUP: Entry = Entry {
    word: "signup",
    aliases: &[],
    scope: Scope::Server,
    arguments: "userid password [address ...]",
    summary: "makes an account",
    details: "A userid is a letter followed by 1 to 19 letters, digits, `-` or `_`. The password is asked for in \
                  every command that acts for you; only a hash of it is kept. Mail goes to the address you write \
                  from: a question goes there, and a reply of `yes` confirms it. Up to two other addresses that \
                  you name are asked after that. After `signoff` it takes you back; it needs the old password then. \
                  Nobody logs in here: a reply to a mail of ours, or your password in a command, says who you are.",
    example: "signup ann plover-42 ann@example.org",
    read: read_signup,
};

pub(super) const ADD: Entry = Entry {
    word: "add",
    aliases: &[],
    scope: Scope::Server,
    arguments: "userid password address ...",
    summary: "sends your mail to more addresses",
    details: "An account has at most three. Every mail goes to all of them, once a reply from there has \
                  confirmed them.",
    example: "add ann plover-42 ann@example.net",
    read: read_add,
};

pub(super) const CHANGE: Entry = Entry {
    word: "change",
    aliases: &[],
    scope: Scope::Server,
    arguments: "password userid old new | address userid password [address ...]",
    summary: "changes your password or your addresses",
    details: "`change address` puts the addresses named, or the one you write from, in the place of all you had; \
                  the old ones stay until a new one is confirmed, and are told then that mail no longer goes there.",
    example: "change password ann plover-42 godwit-17",
    read: read_change,
};

pub(super) const FORGOT: Entry = Entry {
    word: "forgot",
    aliases: &[],
    scope: Scope::Server,
    arguments: "userid",
    summary: "mails you a token for a new password",
    details: "The token goes to the addresses of the account, at most once an hour, and is good for an hour; \
                  `reset` takes it. The answer is the same whether or not there is such an account.",
    example: "forgot ann",
    read: |args| Ok(Command::Forgot(Forgot { userid: args.userid("your userid")? })),
};

pub(super) const RESET: Entry = Entry {
    word: "reset",
    aliases: &[],
    scope: Scope::Server,
    arguments: "userid token new-password",
    summary: "sets a new password with the token that `forgot` mailed",
    details: "The command with the token stands in that mail; put your new password behind it.",
    example: "reset ann TOKEN godwit-17",
    read: read_reset,
};

pub(super) const SIGNOFF: Entry = Entry {
    word: "signoff",
    aliases: &[],
    scope: Scope::Server,
    arguments: "userid password",
    summary: "ends new challenges and all mail but that of your running games",
    details: "`signup` with the same userid and password takes you back.",
    example: "signoff ann plover-42",
    read: |args| Ok(Command::SignOff(args.login()?)),
};

pub(super) const DELETE: Entry = Entry {
    word: "delete",
    aliases: &[],
    scope: Scope::Server,
    arguments: "userid password",
    summary: "deletes your account",
    details: "It resigns your running games and erases your addresses and your password. Finished games stay \
                  under your userid, which nobody else can ever take. There is no way back.",
    example: "delete ann plover-42",
    read: |args| Ok(Command::Delete(args.login()?)),
};

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
        let address = address(&word)?;
        if !addresses.iter().any(|known| known.eq_ignore_ascii_case(&address)) {
            addresses.push(address);
        }
    }
    Ok(addresses)
}

pub(super) fn address(word: &Argument) -> Result<String, ArgumentError> {
    read_address(&word.text).map_err(|why| word.error(why))
}

/// An address that mail can be sent to, or what would be right.
pub(crate) fn read_address(text: &str) -> Result<String, &'static str> {
    let domain = text.rsplit_once('@').map_or("", |(_, domain)| domain);
    if domain.starts_with('[') {
        return Err("mail goes to a domain such as example.org, and not to an address in brackets");
    }
    // A name without a dot is a machine in nobody's reach but its own.
    let is_whole = domain.trim_end_matches('.').contains('.') || domain.eq_ignore_ascii_case("localhost");
    let address = clean::address(text).filter(|_| is_whole);
    address.ok_or("a mail address such as ann@example.org is expected here")
}
