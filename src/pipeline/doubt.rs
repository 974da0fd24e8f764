//! Decides about mails where only an address or a Subject looks automatic: did a person write them?
//!
//! `mail` cannot tell, since it knows neither players nor commands. A letter with a command is a person's, whatever
//! its Subject says; a player's confirmed address is a person's, whatever it is called. Else: no answer. A program may
//! unsubscribe for a person, and is not answered.

use crate::commands::{LANGUAGE, Line, Reading};
use crate::credentials::Token;
use crate::failure::Error;
use crate::language::Parameters;
use crate::mail::bounce::{Diagnosis, Voice};
use crate::mail::incoming::{self, Envelope, Ignored, Incoming, Mark};
use crate::mail::{Letter, ServerIdentity};
use crate::store::Store;

/// The letter in a mail that was set aside, if a person wrote it; else the mail stays aside.
pub fn reconsider(
    store: &Store,
    server: &ServerIdentity,
    why: Ignored,
    bytes: &[u8],
    envelope: &Envelope,
) -> Result<Incoming, Error> {
    if let Ignored::Automatic(_) = why
        && let Some(letter) = incoming::read_unsubscription(bytes, envelope, server)
        && let Some(token) = &letter.token
        && matches!(Token::read(store, &token.0)?, Some(Token::Unsubscribe(_)))
    {
        return Ok(Incoming::Letter(letter));
    }
    let Some(mark) = why.leaves_doubt() else { return Ok(Incoming::Ignored(why)) };
    let second = incoming::read_as_a_persons(bytes, envelope, server);
    let by_a_person = match &second {
        Incoming::Letter(letter) | Incoming::Refused { letter, .. } => match mark {
            Mark::Robot => is_a_players(store, letter)? && !is_a_programs(letter),
            _ => commands(letter),
        },
        Incoming::Ignored(_) => false,
    };
    Ok(if by_a_person { second } else { Incoming::Ignored(why) })
}

/// True when the sender's address is a player's, or answers our question whether it is.
fn is_a_players(store: &Store, letter: &Letter) -> Result<bool, Error> {
    let Some(sender) = &letter.sender else { return Ok(false) };
    if !store.players_at(sender)?.is_empty() {
        return Ok(true);
    }
    let token = letter.token.as_ref().map(|token| Token::read(store, &token.0)).transpose()?.flatten();
    Ok(matches!(token, Some(Token::Confirm(_, address)) if address.eq_ignore_ascii_case(sender)))
}

/// What programs write of their mails, in lower case.
const BY_A_PROGRAM: [&str; 6] = [
    "unsubscribe",
    "do not reply",
    "don't reply",
    "automatically generated",
    "generated automatically",
    "automated message",
];

/// True when the text of a robot's address is a program's: a report of a mail that came back, or a newsletter.
fn is_a_programs(letter: &Letter) -> bool {
    let text = letter.text.to_lowercase();
    let reports = || Diagnosis::of(&format!("{}\n{text}", letter.subject), Voice::Anybody).is_some();
    !commands(letter) && (BY_A_PROGRAM.iter().any(|words| text.contains(words)) || reports())
}

/// True when the first line is a command that says who gives it. An absence note may begin with "help" and quote whole
/// commands below, but it does not begin with a password. Its Subject says nothing: "Message delivery has failed" would
/// be a message from the player Delivery.
fn commands(letter: &Letter) -> bool {
    let signed = |line: &Line| match &line.reading {
        Reading::Command(command) => command.login().is_some() || command.new_password().is_some(),
        _ => false,
    };
    LANGUAGE.read("", &letter.text, 1).first().is_some_and(signed)
}
