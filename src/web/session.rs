//! Signing in by mail: the player asks for a link, and the button on its page signs one browser in.
//!
//! A link alone changes nothing, because mail programs open links to look at them. Every change is a letter to the
//! pipeline, with the link or the browser's code as its token.

use std::net::IpAddr;
use std::time::Instant;

use axum::http::StatusCode;
use jiff::Timestamp;
use schemars::JsonSchema;
use serde::Serialize;

use super::Site;
use super::address::{Format, OpenTurn};
use super::answer::Answer;
use super::browser::Browser;
use super::form::{BUSY, field};
use crate::commands::Command;
use crate::commands::sign_in::{BrowserAct, Browsers, SignIn};
use crate::credentials::Token;
use crate::credentials::token::{self, TokenSeat};
use crate::failure::Error;
use crate::ids::mailbox;
use crate::language::Password;
use crate::mail::{Letter, ReplyToken};
use crate::pipeline::Handled;
use crate::store::{CodeHash, SessionRow};

/// The purpose of the code for a browser that signs in on the play page.
const STAY: &str = "stay";

/// The purpose of the code of a feed.
const FEED: &str = "feed";

/// The code of the feed that this browser asks for.
pub(super) fn feed_code(site: &Site, browser: &Browser, once: &str) -> String {
    token::page_code(&site.key, FEED, &format!("{} {once}", browser.cookie()))
}

/// The player whose feed has this link.
pub(super) fn of_feed(site: &Site, link: &str) -> Result<Option<SessionRow>, Error> {
    let Some((_, code)) = link.split_once('.') else { return Ok(None) };
    let now = (site.now)();
    let found = site.read(|store| Ok(store.session(token::of_feed(code), now)?))?;
    if found.as_ref().is_some_and(|session| is_due(session, now)) {
        site.ask(Some(format!("t0.feed.{code}")), Command::Browser(BrowserAct::Keep), &site.once());
    }
    Ok(found)
}

/// True if a visit is to be recorded, so that the browser stays signed in.
pub(super) fn is_due(session: &SessionRow, now: Timestamp) -> bool {
    now.as_second() - session.used_at.as_second() > USED_AGAIN
}

/// Seconds between two records of when a browser was last used.
const USED_AGAIN: i64 = 24 * 60 * 60;

/// The notice for a form that another site has sent.
pub(super) const STRANGE: &str = "This form does not come from our page in your browser; nothing was done.";

/// The notice for a visitor who asks too often.
const OFTEN: &str = "Many links were asked for from your address, so this form sends none today. Reply to any mail about \
                     your boards with the line `signin YOURNAME`, and one comes.";

/// The longest userid or address in the form, in bytes.
const NAME: usize = 200;

impl Site {
    /// The player who has signed this browser in.
    pub(super) fn session(&self, browser: &Browser) -> Result<Option<SessionRow>, Error> {
        let Some(code) = &browser.cookie else { return Ok(None) };
        self.read(|store| Ok(store.session(CodeHash::of(code), (self.now)())?))
    }

    /// The player who has signed this browser in, or whose bot sends its token. Only for pages that change nothing.
    pub(super) fn reader(&self, browser: &Browser) -> Result<Option<SessionRow>, Error> {
        match &browser.bearer {
            Some(token) => self.read(|store| Ok(store.bot_session(CodeHash::of(token))?)),
            None => self.session(browser),
        }
    }

    /// Counts a visitor's request for a sign-in link for `who`; false if a limit is exceeded.
    pub(super) fn may_sign_in(&self, visitor: IpAddr, who: &str) -> bool {
        let [of_one, of_all] = &self.signers;
        let now = Instant::now();
        of_one.may_ask_for(&mailbox(who), visitor, now) && of_all.may_ask(visitor, now)
    }

    /// Hands a command to the pipeline, on behalf of the token's owner if there is a token. The same command with the
    /// same `once` is carried out once.
    pub(super) fn ask(&self, token: Option<String>, command: Command, once: &str) -> Option<Handled> {
        let letter = Letter::by_page(token.map(ReplyToken), command.to_string(), once);
        (self.hand)(Box::new(letter), Some(command))
    }

    /// Hands over a command of the player who has signed this browser in.
    pub(super) fn ask_as(&self, browser: &Browser, command: Command, once: &str) -> Option<Handled> {
        self.ask(Some(format!("t0.{}", browser.cookie())), command, once)
    }

    /// Hands over a line as a mail of that player has it, so that a guarded command is asked about by mail.
    pub(super) fn say_as(&self, browser: &Browser, line: String, once: &str) -> Option<Handled> {
        let token = ReplyToken(format!("t0.{}", browser.cookie()));
        (self.hand)(Box::new(Letter::by_page(Some(token), line, once)), None)
    }

    /// A fresh `once`: each form becomes a letter of its own.
    pub(super) fn once(&self) -> String {
        format!("{} {}", self.seed(), self.seed())
    }
}

#[derive(Serialize, JsonSchema)]
pub(super) struct SignInPage<'a> {
    /// What happened to the form, in a sentence.
    notice: Option<&'a str>,
}

/// The page that asks who wants to sign in.
pub(super) fn ask(site: &Site, format: Format) -> Result<Answer, Error> {
    Ok(site.shown("sign-in", &SignInPage { notice: None }, format)?.private())
}

/// Mails a link, if there is such an account. The answer is the same whether or not there is.
pub(super) fn send(
    site: &Site,
    browser: &Browser,
    visitor: IpAddr,
    body: &[u8],
    format: Format,
) -> Result<Answer, Error> {
    let who = field(body, "who").unwrap_or_default();
    let who = who.trim();
    let is_plain =
        !who.is_empty() && who.len() <= NAME && !who.contains(|c: char| c.is_whitespace() || c == '"');
    let (status, notice) = if !browser.is_from_our_page {
        (StatusCode::FORBIDDEN, STRANGE.to_owned())
    } else if !is_plain {
        (StatusCode::BAD_REQUEST, "Write your userid or your address.".to_owned())
    } else if !site.may_sign_in(visitor, who) {
        (StatusCode::TOO_MANY_REQUESTS, OFTEN.to_owned())
    } else {
        match site.ask(None, Command::SignIn(SignIn { who: who.to_owned() }), &site.once()) {
            Some(Handled::Acted { ends_well: false, answer, .. }) => (StatusCode::CONFLICT, answer),
            Some(_) => (
                StatusCode::OK,
                "If there is such an account, a mail with a link is on its way. It is good for a quarter of an hour."
                    .to_owned(),
            ),
            None => (StatusCode::SERVICE_UNAVAILABLE, BUSY.to_owned()),
        }
    };
    told(site, status, &notice, format)
}

/// The sign-in page with a notice.
pub(super) fn told(site: &Site, status: StatusCode, notice: &str, format: Format) -> Result<Answer, Error> {
    let page = site.shown("sign-in", &SignInPage { notice: Some(notice) }, format)?.private();
    Ok(Answer { status, ..page })
}

/// Signs in the browser that plays by the newest link to a board; `None` if the link is invalid.
pub(super) fn stay(
    site: &Site,
    chosen: &OpenTurn,
    browser: &Browser,
    body: &[u8],
) -> Result<Option<Answer>, Error> {
    let link = &chosen.token;
    if !browser.is_from_our_page {
        return Ok(Some(Answer::plain(StatusCode::FORBIDDEN, STRANGE)));
    }
    let Some((_, mail)) = site.read(|store| token::mail_of_page(store, link))? else { return Ok(None) };
    let once = field(body, "once").unwrap_or_default();
    // This code is not the cookie yet: `token::of_session` also needs the server's key.
    let code = token::page_code(&site.key, STAY, &format!("{link} {once}"));
    let stay = BrowserAct::Stay { code: Password(code.clone()), browser: browser.name.clone() };
    let cookie = match site.ask(Some(mail), Command::Browser(stay), &once) {
        Some(Handled::Acted { ends_well: true, .. }) => {
            Some(site.cookie(&token::of_session(&site.key, &code)))
        }
        _ => None,
    };
    Ok(Some(Answer { cookie, ..Answer::see(chosen.at(link)).private() }))
}

/// The newest link to the board, if a signed-in player opened a link from an earlier mail.
pub(super) fn newer_link(
    site: &Site,
    signed_in: Option<&SessionRow>,
    link: &str,
) -> Result<Option<String>, Error> {
    let Some(session) = signed_in else { return Ok(None) };
    site.read(|store| {
        let is_its =
            |seat: &TokenSeat| seat.player == session.player && session.plays(seat.board) && !seat.fresh;
        let old = Token::page(store, link)?.filter(is_its);
        old.map_or(Ok(None), |seat| token::of_page(store, seat.board, seat.player, None))
    })
}

/// Signs out this browser, another one, or all browsers of the player.
pub(super) fn leave(site: &Site, browser: &Browser, which: &str) -> Answer {
    let which = match which {
        "" => Browsers::This,
        "all" => Browsers::All,
        // Any other text becomes 0, which signs nothing out: ids count from 1.
        id => Browsers::One(id.parse().unwrap_or_default()),
    };
    site.ask_as(browser, Command::Browser(BrowserAct::SignOut(which)), &site.once());
    let is_own = which == Browsers::This || which == Browsers::All;
    let cookie = is_own.then(|| site.cookie(""));
    let to = if is_own { "/sign-in" } else { "/me" };
    Answer { cookie, ..Answer::see(to.to_owned()).private() }
}
