//! The answer to a mail's question: the first line of a reply, or a button of a page.

use crate::commands::prelude::*;
use crate::commands::{Line, Reading, Request};
use crate::credentials::{MailQuestion, Token};
use crate::failure::Error;
use crate::ids::Userid;
use crate::language::phrasebook::{is_clear_yes, is_no};
use crate::language::token::{MASK, plain, words};
use crate::language::{Claim, GivenPassword, Password, PasswordPurpose};
use crate::store::{PlayerId, Store};

#[derive(Debug, Clone)]
pub enum QuestionAnswer {
    Yes,
    No,
    /// `yes as NAME`
    YesAs(Userid),
    /// `yes NEWPASSWORD`. Only the reader of the mailbox can write it, so the password is theirs.
    WithPassword(Userid, Password),
    /// The button of a sign-in link, with the name of the browser to sign in.
    SignIn(String),
    /// The button of a mailed invitation. It also signs the browser in.
    Accept {
        userid: Option<Userid>,
        browser: String,
    },
    /// The form of an invitation link that a player handed on.
    FromLink {
        userid: Userid,
        address: String,
    },
}

impl Parameters for QuestionAnswer {
    fn line(&self, _: &str) -> String {
        match self {
            QuestionAnswer::Yes => "yes".to_owned(),
            QuestionAnswer::No => "no".to_owned(),
            QuestionAnswer::YesAs(userid) => format!("yes as {userid}"),
            QuestionAnswer::WithPassword(..) => format!("yes {MASK}"),
            QuestionAnswer::SignIn(browser) => format!("sign in {browser}"),
            QuestionAnswer::Accept { userid: Some(userid), browser } => {
                format!("yes as {userid}, sign in {browser}")
            }
            QuestionAnswer::Accept { userid: None, browser } => format!("yes, sign in {browser}"),
            QuestionAnswer::FromLink { userid, address } => format!("yes as {userid} {address}"),
        }
    }

    fn password(&self) -> Option<GivenPassword<'_>> {
        let QuestionAnswer::WithPassword(userid, password) = self else { return None };
        Some(GivenPassword { userid: Some(userid), password, purpose: PasswordPurpose::Question })
    }
}

/// Reads the first line of a reply; `None` if it is no answer.
pub(crate) fn read(
    store: &Store,
    question: &MailQuestion,
    text: &str,
) -> Result<Option<QuestionAnswer>, Error> {
    let first = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
    if let MailQuestion::Address(player, address) = question
        && let Some(answer) = with_more(store, *player, address, first)?
    {
        return Ok(Some(answer));
    }
    Ok(match named(first) {
        _ if is_no(first) => Some(QuestionAnswer::No),
        Some(userid) => Some(QuestionAnswer::YesAs(userid)),
        None => is_clear_yes(first).then_some(QuestionAnswer::Yes),
    })
}

/// The userid in `yes as NAME`.
fn named(line: &str) -> Option<Userid> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let [yes, word, name] = words.as_slice() else { return None };
    let is_plain = is_clear_yes(yes) && word.eq_ignore_ascii_case("as");
    name.trim_end_matches(['.', '!']).parse().ok().filter(|_| is_plain)
}

/// Reads `yes NAME`, `yes NEWPASSWORD` or both, in reply to an address question. NAME is the account asked
/// about, or another account that waits for the address: the token proves the mailbox, so its reader chooses
/// the account.
fn with_more(
    store: &Store,
    asked: PlayerId,
    address: &str,
    line: &str,
) -> Result<Option<QuestionAnswer>, Error> {
    let Ok(words) = words(&plain(line)) else { return Ok(None) };
    let mut words = words.into_iter().map(|word| word.text).filter(|word| !bare(word).is_empty());
    if words.next().is_none_or(|word| bare(&word) != "yes") {
        return Ok(None);
    }
    let words: Vec<String> = words.collect();
    let named = match words.first() {
        Some(word) => waiting_as(store, asked, &bare(word), address)?,
        None => None,
    };
    let (account, password) = match (named, words.as_slice()) {
        (Some(account), [_]) => return Ok(Some(QuestionAnswer::YesAs(account.userid))),
        (Some(account), [_, password]) => (account, password),
        (None, [password]) if !is_clear_yes(line) => (store.player_by_id(asked)?, password),
        _ => return Ok(None),
    };
    Ok(Some(QuestionAnswer::WithPassword(account.userid, Password(password.clone()))))
}

fn bare(word: &str) -> String {
    word.trim_matches(|c: char| !c.is_alphanumeric() && !matches!(c, '_' | '-')).to_lowercase()
}

/// The account with this userid, if it is the account asked about or waits for the same address.
pub(crate) fn waiting_as(
    store: &Store,
    asked: PlayerId,
    userid: &str,
    address: &str,
) -> Result<Option<Account>, Error> {
    for player in std::iter::once(asked).chain(store.waiting_at(address)?) {
        let account = store.player_by_id(player)?;
        if account.userid.key() == userid {
            return Ok(Some(account));
        }
    }
    Ok(None)
}

/// Turns a `yes` with a password into a command, so that the password is hashed before the transaction.
pub fn settle(store: &Store, token: Option<&Token>, lines: &mut [Line]) -> Result<(), Error> {
    let Some(Token::Question(question)) = token else { return Ok(()) };
    for line in lines {
        if let Reading::Reply(text) = &line.reading
            && let Some(answer @ QuestionAnswer::WithPassword(..)) = read(store, question, text)?
        {
            line.echo = answer.line("");
            line.strict_echo = line.echo.clone();
            line.reading = Reading::Command(Request { by: Claim::Nobody, command: Command::Answer(answer) });
        }
    }
    Ok(())
}
