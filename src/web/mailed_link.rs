//! The page of a mailed link, whose button signs a browser in or out, confirms a line, or sets a password.
//!
//! A link alone changes nothing, because mail programs open links to look at them.

use axum::http::StatusCode;
use schemars::JsonSchema;
use serde::Serialize;

use super::Site;
use super::address::Format;
use super::answer::Answer;
use super::browser::Browser;
use super::form::field;
use super::session::{STRANGE, told};
use crate::commands::answer::QuestionAnswer;
use crate::commands::password::Reset;
use crate::commands::session::LINK_IS_OVER;
use crate::commands::sign_in::{BrowserAct, Browsers};
use crate::commands::{Command, LANGUAGE};
use crate::credentials::token;
use crate::credentials::{MailQuestion, Token};
use crate::failure::Error;
use crate::language::Password;
use crate::pipeline::Handled;
use crate::store::{PlayerId, SessionRow};

#[derive(Serialize, JsonSchema)]
pub(super) struct SigningInPage<'a> {
    link: &'a str,
    userid: String,
    /// What the button does.
    #[schemars(extend("enum" = ["sign in", "sign out", "confirm", "set a password"]))]
    does: &'static str,
    /// The browser that the link signs out, or the line that it confirms.
    what: Option<String>,
    /// What that line does, as a sentence without its subject.
    means: Option<&'static str>,
    /// What happened to the form, in a sentence.
    notice: Option<&'a str>,
    /// There is nothing more to do.
    is_done: bool,
}

/// The purposes of a mailed link.
enum MailedLink {
    SignIn(PlayerId, String),
    SignOut(SessionRow),
    Confirm(PlayerId, String),
    /// It sets a password, by the token of `forgot`.
    Password(PlayerId, String),
}

impl MailedLink {
    /// Reads a link; `None` if it is used or over.
    fn read(site: &Site, link: &str) -> Result<Option<MailedLink>, Error> {
        let now = (site.now)();
        site.read(|store| {
            Ok(match Token::read(store, link, now)? {
                Some(Token::Question(MailQuestion::SignIn(player, code))) => {
                    Some(MailedLink::SignIn(player, code))
                }
                Some(Token::Question(MailQuestion::Line { player, line, .. })) => {
                    Some(MailedLink::Confirm(player, line))
                }
                Some(Token::Question(MailQuestion::Password(player, code))) => {
                    Some(MailedLink::Password(player, code))
                }
                Some(Token::SignOut(session)) => Some(MailedLink::SignOut(session)),
                _ => None,
            })
        })
    }

    fn shown(
        self,
        site: &Site,
        link: &str,
        (status, notice): (StatusCode, Option<&str>),
        format: Format,
    ) -> Result<Answer, Error> {
        let (player, does, what) = match self {
            MailedLink::SignIn(player, _) => (player, "sign in", None),
            MailedLink::SignOut(session) => (session.player, "sign out", Some(session.browser)),
            MailedLink::Confirm(player, line) => (player, "confirm", Some(line)),
            MailedLink::Password(player, _) => (player, "set a password", None),
        };
        let userid = site.read(|store| Ok(store.player_by_id(player)?.userid.to_string()))?;
        let is_done = notice.is_some() && status.is_success();
        let line = what.as_deref().filter(|_| does == "confirm");
        let entry = line.and_then(|line| LANGUAGE.read("", line, 1).first()?.entry);
        let means = entry.map(|entry| entry.summary);
        let page = SigningInPage { link, userid, does, what, means, notice, is_done };
        Ok(Answer { status, ..site.shown("signing-in", &page, format)?.private() })
    }
}

/// The page of a mailed link, whose button does what the link is for.
pub(super) fn page(site: &Site, link: &str, format: Format) -> Result<Answer, Error> {
    match MailedLink::read(site, link)? {
        Some(read) => read.shown(site, link, (StatusCode::OK, None), format),
        None => told(site, StatusCode::GONE, LINK_IS_OVER, format),
    }
}

/// Carries out the button of a mailed link.
pub(super) fn open(
    site: &Site,
    link: &str,
    browser: &Browser,
    body: &[u8],
    format: Format,
) -> Result<Answer, Error> {
    let Some(read) = MailedLink::read(site, link)? else {
        return told(site, StatusCode::GONE, LINK_IS_OVER, format);
    };
    if !browser.is_from_our_page {
        return Ok(Answer::plain(StatusCode::FORBIDDEN, STRANGE));
    }
    let by_link = |command, once: &str| site.ask(Some(link.to_owned()), command, once);
    let handled = match &read {
        MailedLink::SignIn(..) => by_link(Command::Answer(QuestionAnswer::SignIn(browser.name.clone())), ""),
        MailedLink::SignOut(_) => by_link(Command::Browser(BrowserAct::SignOut(Browsers::This)), ""),
        MailedLink::Confirm(..) => by_link(Command::Answer(QuestionAnswer::Yes), &site.once()),
        MailedLink::Password(player, code) => {
            let userid = site.read(|store| Ok(store.player_by_id(*player)?.userid))?;
            let [token, password] = [code.clone(), field(body, "password").unwrap_or_default()].map(Password);
            // A mail could not name it: there a password is one word.
            if password.0.contains(char::is_whitespace) {
                let notice = Some("A password is one word, without blanks.");
                return read.shown(site, link, (StatusCode::CONFLICT, notice), format);
            }
            site.ask(None, Command::Reset(Reset { userid, token, password }), &site.once())
        }
    };
    let Some(Handled::Acted { ends_well, answer, .. }) = handled else {
        return told(site, StatusCode::GONE, LINK_IS_OVER, format);
    };
    match read {
        MailedLink::SignIn(_, code) if ends_well => {
            let cookie = token::of_session(&site.key, &code);
            Ok(Answer { cookie: Some(site.cookie(&cookie)), ..Answer::see("/me".to_owned()).private() })
        }
        MailedLink::SignOut(_) if ends_well => {
            told(site, StatusCode::OK, "That browser is signed out.", format)
        }
        read => {
            let status = if ends_well { StatusCode::OK } else { StatusCode::CONFLICT };
            read.shown(site, link, (status, Some(&answer)), format)
        }
    }
}
