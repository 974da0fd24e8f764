//! Help and accounts.
//!
//! ```text
//! help [subject ...]
//! signup userid password [address ...]
//! add userid password address ...
//! change password userid old new
//! change address userid password [address ...]
//! forgot userid
//! reset userid token new-password
//! signoff userid password
//! delete userid password
//! resend userid password [board]
//! who [userid]
//! ```

use super::args::{Args, Expected};
use super::settings::Setting;
use super::table::{Entry, Scope};
use super::{Command, Login, Password};
use crate::ids::{BoardId, Userid};
use crate::mail::clean;

/// An account has at most so many addresses.
pub const ADDRESSES_AT_MOST: usize = 3;

/// Something done to an account.
#[derive(Debug, Clone)]
pub enum Account {
    /// `signup`: makes it, or takes a sign-off back.
    Signup {
        /// Its userid and password.
        login: Login,
        /// Where its mail goes; none: the sender's address.
        addresses: Vec<String>,
    },
    /// `add`: more addresses.
    Add(Login, Vec<String>),
    /// `change password`: the old one proves who asks.
    ChangePassword(Login, Password),
    /// `change address`: these in place of all others; none: the sender's.
    ChangeAddress(Login, Vec<String>),
    /// `forgot`: mails a reset token.
    Forgot(Userid),
    /// `reset`: a new password for a token.
    Reset {
        /// Whose.
        userid: Userid,
        /// From the mail that `forgot` caused; as secret as a password.
        token: Password,
        /// The new password.
        password: Password,
    },
    /// `signoff`.
    Signoff(Login),
    /// `delete`.
    Delete(Login),
    /// `resend`: the last mail again, or the last about a board.
    Resend(Login, Option<BoardId>),
    /// `who`: a public card; without a userid, the list.
    Who(Option<Userid>),
    /// `set`.
    Set(Login, Vec<Setting>),
    /// `vacation`: its first and last day; none: takes vacations back.
    Vacation(Login, Option<(jiff::civil::Date, jiff::civil::Date)>),
}

impl Account {
    /// The userid and password it acts with.
    pub fn login(&self) -> Option<&Login> {
        match self {
            Account::Signup { login, .. }
            | Account::Add(login, _)
            | Account::ChangePassword(login, _)
            | Account::ChangeAddress(login, _)
            | Account::Signoff(login)
            | Account::Delete(login)
            | Account::Resend(login, _)
            | Account::Set(login, _)
            | Account::Vacation(login, _) => Some(login),
            Account::Forgot(_) | Account::Reset { .. } | Account::Who(_) => None,
        }
    }

    /// A password it sets, with the account it sets it for.
    pub fn new_password(&self) -> Option<(&Userid, &Password)> {
        match self {
            Account::Signup { login, .. } => Some((&login.userid, &login.password)),
            Account::ChangePassword(login, new) => Some((&login.userid, new)),
            Account::Reset { userid, password, .. } => Some((userid, password)),
            _ => None,
        }
    }

    /// A token it holds.
    pub fn token(&self) -> Option<&Password> {
        match self {
            Account::Reset { token, .. } => Some(token),
            _ => None,
        }
    }
}

pub(super) const ENTRIES: &[Entry] = &[
    Entry {
        word: "help",
        aliases: &[],
        scope: Scope::Server,
        arguments: "[subject ...]",
        summary: "explains a subject: commands, tutorial, a command or a game",
        details: "Without a subject it prints the first page. `help commands` lists every command, `help tutorial` \
                  leads through a first game, and the name of a command or a game explains that one.",
        example: "help commands",
        read: read_help,
    },
    Entry {
        word: "signup",
        aliases: &[],
        scope: Scope::Server,
        arguments: "userid password [address ...]",
        summary: "makes an account",
        details: "A userid is a letter followed by 1 to 19 letters, digits, `-` or `_`. The password is asked for in \
                  every command that acts for you; only a hash of it is kept. Mail goes to the addresses named, at \
                  most three; without any, to the address you write from. Each gets one mail, and a reply to it \
                  confirms the address. After `signoff` it takes you back; it needs \
                  the old password then.",
        example: "signup ann plover-42 ann@example.org",
        read: read_signup,
    },
    Entry {
        word: "add",
        aliases: &[],
        scope: Scope::Server,
        arguments: "userid password address ...",
        summary: "sends your mail to more addresses",
        details: "An account has at most three. Every mail goes to all of them, once a reply from there has \
                  confirmed them.",
        example: "add ann plover-42 ann@example.net",
        read: read_add,
    },
    Entry {
        word: "change",
        aliases: &[],
        scope: Scope::Server,
        arguments: "password userid old new | address userid password [address ...]",
        summary: "changes your password or your addresses",
        details: "`change address` puts the addresses named, or the one you write from, in the place of all you had; \
                  the old ones stay until a new one is confirmed, and are told then that mail no longer goes there.",
        example: "change password ann plover-42 godwit-17",
        read: read_change,
    },
    Entry {
        word: "forgot",
        aliases: &[],
        scope: Scope::Server,
        arguments: "userid",
        summary: "mails you a token for a new password",
        details: "The token goes to the addresses of the account, at most once an hour, and is good for an hour; \
                  `reset` takes it. The answer is the same whether or not there is such an account.",
        example: "forgot ann",
        read: read_forgot,
    },
    Entry {
        word: "reset",
        aliases: &[],
        scope: Scope::Server,
        arguments: "userid token new-password",
        summary: "sets a new password with the token that `forgot` mailed",
        details: "The command with the token stands in that mail; put your new password behind it.",
        example: "reset ann TOKEN godwit-17",
        read: read_reset,
    },
    Entry {
        word: "signoff",
        aliases: &[],
        scope: Scope::Server,
        arguments: "userid password",
        summary: "ends new challenges and all mail but that of your running games",
        details: "`signup` with the same userid and password takes you back.",
        example: "signoff ann plover-42",
        read: read_signoff,
    },
    Entry {
        word: "delete",
        aliases: &[],
        scope: Scope::Server,
        arguments: "userid password",
        summary: "deletes your account",
        details: "It resigns your running games and erases your addresses and your password. Finished games stay \
                  under your userid, which nobody else can ever take. There is no way back.",
        example: "delete ann plover-42",
        read: read_delete,
    },
    Entry {
        word: "resend",
        aliases: &[],
        scope: Scope::Server,
        arguments: "userid password [board]",
        summary: "sends the last mail you got again",
        details: "With a board's number: the last mail about that board.",
        example: "resend ann plover-42 1",
        read: read_resend,
    },
    Entry {
        word: "who",
        aliases: &[],
        scope: Scope::Server,
        arguments: "[userid]",
        summary: "shows a player's card",
        details: "Since when, games in play and finished, and vacations. Without a userid it lists the players who \
                  came last.",
        example: "who ann",
        read: read_who,
    },
];

fn read_help(args: &mut Args) -> Result<Command, Expected> {
    Ok(Command::Help { subjects: args.rest().into_iter().map(|(_, subject)| subject).collect() })
}

fn read_signup(args: &mut Args) -> Result<Command, Expected> {
    let userid = args.userid("the userid you want")?;
    let password = args.password()?;
    let addresses = addresses(args)?;
    Ok(Command::Account(Account::Signup { login: Login { userid, password }, addresses }))
}

fn read_add(args: &mut Args) -> Result<Command, Expected> {
    let login = args.login()?;
    let addresses = addresses(args)?;
    if addresses.is_empty() {
        return Err(Expected::at(None, "an address is missing at the end"));
    }
    Ok(Command::Account(Account::Add(login, addresses)))
}

fn read_change(args: &mut Args) -> Result<Command, Expected> {
    let (at, word) = args.word("`password` or `address`")?;
    Ok(Command::Account(match word.to_ascii_lowercase().as_str() {
        "password" => {
            let login = args.login()?;
            Account::ChangePassword(login, args.secret("the new password")?)
        }
        "address" => {
            let login = args.login()?;
            Account::ChangeAddress(login, addresses(args)?)
        }
        _ => return Err(Expected::at(Some(at), "`password` or `address` is expected here")),
    }))
}

fn read_forgot(args: &mut Args) -> Result<Command, Expected> {
    Ok(Command::Account(Account::Forgot(args.userid("your userid")?)))
}

fn read_reset(args: &mut Args) -> Result<Command, Expected> {
    let userid = args.userid("your userid")?;
    let token = args.secret("the token")?;
    let password = args.secret("the new password")?;
    Ok(Command::Account(Account::Reset { userid, token, password }))
}

fn read_signoff(args: &mut Args) -> Result<Command, Expected> {
    Ok(Command::Account(Account::Signoff(args.login()?)))
}

fn read_delete(args: &mut Args) -> Result<Command, Expected> {
    Ok(Command::Account(Account::Delete(args.login()?)))
}

fn read_resend(args: &mut Args) -> Result<Command, Expected> {
    let login = args.login()?;
    let board = if args.is_empty() { None } else { Some(args.board()?) };
    Ok(Command::Account(Account::Resend(login, board)))
}

fn read_who(args: &mut Args) -> Result<Command, Expected> {
    let userid = if args.is_empty() { None } else { Some(args.userid("a userid")?) };
    Ok(Command::Account(Account::Who(userid)))
}

/// All that is left, as addresses, each once.
fn addresses(args: &mut Args) -> Result<Vec<String>, Expected> {
    let mut addresses: Vec<String> = Vec::new();
    for (at, word) in args.rest() {
        if addresses.len() == ADDRESSES_AT_MOST {
            return Err(Expected::at(Some(at), "an account has at most three addresses"));
        }
        let word = address(at, &word)?;
        if !addresses.iter().any(|known| known.eq_ignore_ascii_case(&word)) {
            addresses.push(word);
        }
    }
    Ok(addresses)
}

/// A mail address.
pub(super) fn address(at: usize, word: &str) -> Result<String, Expected> {
    let address = clean::address(word);
    address.ok_or_else(|| Expected::at(Some(at), "a mail address such as ann@example.org is expected here"))
}
