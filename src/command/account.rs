//! Help and accounts.
//!
//! ```text
//! help [subject ...]
//! signup userid password [address ...]
//! ```

use super::Command;
use super::args::{Args, Expected};
use super::table::{Entry, Scope};

/// An account has at most so many addresses.
pub const ADDRESSES_AT_MOST: usize = 3;

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
                  most three; without any, to the address you write from.",
        example: "signup ann plover-42 ann@example.org",
        read: read_signup,
    },
];

fn read_help(args: &mut Args) -> Result<Command, Expected> {
    Ok(Command::Help { subjects: args.rest().into_iter().map(|(_, subject)| subject).collect() })
}

fn read_signup(args: &mut Args) -> Result<Command, Expected> {
    let userid = args.userid("the userid you want")?;
    let password = args.password()?;
    let mut addresses: Vec<String> = Vec::new();
    for (at, word) in args.rest() {
        if addresses.len() == ADDRESSES_AT_MOST {
            return Err(Expected::at(Some(at), "an account has at most three addresses"));
        }
        if word.parse::<lettre::Address>().is_err() || word.starts_with('-') {
            return Err(Expected::at(Some(at), "a mail address such as ann@example.org is expected here"));
        }
        if !addresses.iter().any(|known| known.eq_ignore_ascii_case(&word)) {
            addresses.push(word);
        }
    }
    Ok(Command::Signup { userid, password, addresses })
}
