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

use crate::commands::{Command, Entry};
use crate::ids::Userid;
use crate::language::args::{Args, ArgumentError};
use crate::language::{Login, Meaning, NewPassword, Parameters, Password, SetBy};

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
