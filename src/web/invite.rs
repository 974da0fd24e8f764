//! The page of an invitation, reached from its mail or from a link that a player hands on. Its buttons do the same as
//! a reply to the mail, and sign the browser in. The mail of a sign-up is an invitation by the robot.
//!
//! A link alone changes nothing, because mail programs open links to look at them.

use axum::http::StatusCode;
use minijinja::context;
use schemars::JsonSchema;
use serde::Serialize;
use turnpost_games::registry;

use super::Site;
use super::address::Format;
use super::answer::Answer;
use super::browser::Browser;
use super::form::{BUSY, field};
use super::session::STRANGE;
use super::sign_up;
use crate::commands::Command;
use crate::commands::answer::QuestionAnswer;
use crate::commands::begin::{Begin, FirstBoard, NewPerson};
use crate::commands::invite::{OVER, terms_of};
use crate::credentials::{MailQuestion, Token, token};
use crate::failure::Error;
use crate::pipeline::{About, Handled};
use crate::store::InvitationRow;

#[derive(Serialize, JsonSchema)]
pub(super) struct InvitationPage<'a> {
    /// The form was sent, or can be.
    is_answered: bool,
    /// What happened to the form, in a sentence.
    notice: Option<&'a str>,
    invitation: Option<OpenInvitation<'a>>,
}

/// An invitation that can be answered.
#[derive(Serialize, JsonSchema)]
struct OpenInvitation<'a> {
    /// The userid of the player who invites.
    by: String,
    /// The word of its game.
    game: &'a str,
    /// The name of its game.
    name: &'static str,
    /// What a beginner must know of the game for the first move.
    pitch: &'static str,
    link: &'a str,
    /// It went to an address; the form takes `answer`. Else it takes `name` and `address`.
    is_mailed: bool,
    /// It went to a person who signed up on a page. `name` is empty if no game was asked for.
    is_sign_up: bool,
    /// The player who says yes: an account of the address, or the name that was asked for.
    userid: Option<String>,
    /// True if the address has an account.
    has_account: bool,
    /// The code for the form of a player who is signed in, if the link was handed on. That form takes no name.
    code: Option<String>,
    /// What was typed as the name, if it was refused.
    typed_name: &'a str,
    /// Who is first, whether it is rated, and its options, in sentences.
    terms: String,
    /// When it ends, in seconds since 1970.
    until: i64,
}

/// The page of an invitation. It has buttons, or a form if the link was handed on.
pub(super) fn page(site: &Site, link: &str, browser: &Browser, format: Format) -> Result<Answer, Error> {
    match open(site, link)? {
        Some(row) => {
            let code = site.session(browser)?.filter(|_| row.address.is_none());
            let code = code.map(|_| browser.form_code(site));
            shown(site, Some(Visit { row: &row, link, typed_name: "", code }), (StatusCode::OK, None), format)
        }
        None => over(site, format),
    }
}

/// Carries out the form of an invitation.
pub(super) fn answer(
    site: &Site,
    link: &str,
    browser: &Browser,
    body: &[u8],
    format: Format,
) -> Result<Answer, Error> {
    let Some(row) = open(site, link)? else { return over(site, format) };
    let typed_name = sign_up::typed(body, "name");
    let code = field(body, "code").filter(|_| row.address.is_none());
    let again = |status, notice: &str| {
        let visit = Visit { row: &row, link, typed_name: &typed_name, code: code.clone() };
        shown(site, Some(visit), (status, Some(notice)), format)
    };
    if code.is_some() {
        let board = FirstBoard { link: Some(link.to_owned()), ..FirstBoard::default() };
        let begin = Begin { person: None, game: registry::find(&row.game), board };
        return match sign_up::open(site, begin, browser, body)? {
            Ok(opened) => Ok(opened),
            Err((status, notice)) => again(status, &notice),
        };
    }
    if !browser.is_from_our_page {
        return again(StatusCode::FORBIDDEN, STRANGE);
    }
    let accept = |userid| QuestionAnswer::Accept { userid, browser: browser.name.clone() };
    let from_link = |NewPerson { userid, address }| QuestionAnswer::FromLink { userid, address };
    let (read, notice) = match (&row.address, sign_up::typed(body, "answer").as_str()) {
        (Some(_), "no") => {
            (Ok(QuestionAnswer::No), "Nobody can have us invite you any more, and no other mail comes.")
        }
        (Some(_), "yes") => (sign_up::name(body).map(accept), ""),
        (Some(_), _) => return again(StatusCode::BAD_REQUEST, "Press one of the buttons."),
        (None, _) => (
            sign_up::person(body).map(from_link),
            "If a mail may go to that address, one a week, it is on its way. Its link opens the board.",
        ),
    };
    let answer = match read {
        Ok(answer) => answer,
        Err((status, notice)) => return again(status, &notice),
    };
    match site.ask(Some(link.to_owned()), Command::Answer(answer), &site.once()) {
        Some(Handled::Acted { ends_well: false, answer, .. }) => again(StatusCode::CONFLICT, &answer),
        Some(Handled::Acted { answer, about, .. }) if notice.is_empty() => {
            accepted(site, (&row, link), &about, &answer, format)
        }
        Some(_) => shown(site, None, (StatusCode::OK, Some(notice)), format),
        None => again(StatusCode::SERVICE_UNAVAILABLE, BUSY),
    }
}

/// Leads to the board that has begun. The browser is signed in by the code of the link, if the link may still do so.
fn accepted(
    site: &Site,
    (row, link): (&InvitationRow, &str),
    about: &About,
    answer: &str,
    format: Format,
) -> Result<Answer, Error> {
    let code = link.split_once('.').map_or("", |(_, code)| code);
    let code = token::of_session(&site.key, code);
    let browser = Browser { cookie: Some(code.clone()), ..Browser::default() };
    let cookie = site.session(&browser)?.map(|_| site.cookie(&code));
    let page = match sign_up::begun(site, about)? {
        Some(board) => Answer::see(board).private(),
        None if row.game.is_empty() => Answer::see("/me".to_owned()).private(),
        // The account is made, and the game could not begin.
        None => shown(site, None, (StatusCode::OK, Some(answer)), format)?,
    };
    Ok(Answer { cookie, ..page })
}

/// The invitation of a link, if it can still be answered.
fn open(site: &Site, link: &str) -> Result<Option<InvitationRow>, Error> {
    let now = (site.now)();
    Ok(match site.read(|store| Token::read(store, link, now))? {
        Some(Token::Question(MailQuestion::Invitation(row))) => {
            Some(row).filter(|row| now.as_second() < row.ends_at())
        }
        _ => None,
    })
}

fn over(site: &Site, format: Format) -> Result<Answer, Error> {
    shown(site, None, (StatusCode::GONE, Some(OVER)), format)
}

/// An invitation that a visitor can answer.
struct Visit<'a> {
    row: &'a InvitationRow,
    link: &'a str,
    typed_name: &'a str,
    code: Option<String>,
}

fn shown(
    site: &Site,
    invitation: Option<Visit<'_>>,
    (status, notice): (StatusCode, Option<&str>),
    format: Format,
) -> Result<Answer, Error> {
    let invitation = match invitation {
        Some(Visit { row, link, typed_name, code }) => {
            let (by, owner) = site.read(|store| {
                let owners = store.players_at(row.address.as_deref().unwrap_or_default())?;
                let owner = owners.into_iter().min_by_key(|owner| !owner.is_active());
                Ok((store.player_by_id(row.player)?.userid.to_string(), owner))
            })?;
            let game = registry::find(&row.game);
            Some(OpenInvitation {
                is_sign_up: row.player.is_robot(),
                has_account: owner.is_some(),
                userid: owner.map(|owner| owner.userid.to_string()).or_else(|| row.userid.clone()),
                typed_name,
                code,
                game: &row.game,
                name: game.map_or("", |game| game.name),
                pitch: game.map_or("", |game| game.pitch),
                link,
                // A sign-up has other options than a challenge.
                terms: if row.player.is_robot() { String::new() } else { terms_of(row, &by) },
                by,
                is_mailed: row.address.is_some(),
                until: row.ends_at(),
            })
        }
        None => None,
    };
    let page = InvitationPage { notice, invitation, is_answered: status == StatusCode::OK };
    let answer = site.shown_with("invite", &page, format, || Ok(context! { once => sign_up::once(site) }))?;
    Ok(Answer { status, ..answer.private() })
}
