//! The page on which a player with a link pauses their mails, or ends the pause.
//!
//! Mail programs pause the mails by one-click unsubscription (RFC 8058): a POST with a fixed body.

use axum::http::StatusCode;
use jiff::civil::Date;
use minijinja::context;
use schemars::JsonSchema;
use serde::Serialize;

use super::Site;
use super::address::Format;
use super::answer::Answer;
use super::form::{BUSY, field};
use crate::commands::Command;
use crate::commands::pause::{self, Ask, Pause};
use crate::credentials::Token;
use crate::credentials::token::{self, TokenSeat};
use crate::failure::Error;
use crate::pipeline::Handled;
use crate::store::Store;

/// The page of a link; `None` if the link is invalid.
pub(super) fn page(site: &Site, store: &Store, link: &str, format: Format) -> Result<Option<Answer>, Error> {
    let Some(seat) = Token::page(store, link)? else { return Ok(None) };
    shown(site, store, link, seat, None, format).map(Some)
}

fn shown(
    site: &Site,
    store: &Store,
    link: &str,
    seat: TokenSeat,
    notice: Option<&str>,
    format: Format,
) -> Result<Answer, Error> {
    let Pause { userid, until, vacation } = pause::of(store, seat.player, (site.now)())?;
    let day = |day: Option<Date>| day.map(|day| day.to_string());
    let page = PausePage { userid: userid.to_string(), until: day(until), vacation: day(vacation), notice };
    let board = || Ok(context! { board => format!("/play/{link}") });
    Ok(site.shown_with("pause", &page, format, board)?.private())
}

#[derive(Serialize, JsonSchema)]
pub(super) struct PausePage<'a> {
    userid: String,
    /// The day on which the pause ends, if there is one.
    until: Option<String>,
    /// The last day of the vacation that runs, if one does.
    vacation: Option<String>,
    notice: Option<&'a str>,
}

/// Pauses the mails, or ends the pause if the form says so; `None` if the link is invalid.
pub(super) fn act(site: &Site, link: &str, body: &[u8], format: Format) -> Result<Option<Answer>, Error> {
    let Some((seat, mail)) = site.read(|store| token::mail_of_page(store, link))? else { return Ok(None) };
    let Some(ask) = asked(body) else {
        let words = "This form does not come from our pages; nothing was done.";
        let answer = site.read(|store| shown(site, store, link, seat, Some(words), format))?;
        return Ok(Some(Answer { status: StatusCode::BAD_REQUEST, ..answer }));
    };
    // Each request counts as new, because a player can pause again on another day.
    let once = (site.now)().as_second().to_string();
    let (status, notice) = match site.ask(Some(mail), Command::Pause(ask), &once) {
        Some(Handled::Acted { ends_well: false, answer, .. }) => (StatusCode::CONFLICT, Some(answer)),
        Some(_) => (StatusCode::OK, None),
        None => (StatusCode::SERVICE_UNAVAILABLE, Some(BUSY.to_owned())),
    };
    let answer = site.read(|store| shown(site, store, link, seat, notice.as_deref(), format))?;
    Ok(Some(Answer { status, ..answer }))
}

/// Reads a form in either encoding. The page's own form has a field `act`; a mail program's has the words of RFC 8058.
fn asked(body: &[u8]) -> Option<Ask> {
    let act = field(body, "act");
    match act.as_deref() {
        Some("back") => Some(Ask::ComeBack),
        Some("pause") => Some(Ask::Pause),
        Some(_) => None,
        None => {
            let text = String::from_utf8_lossy(body);
            (text.contains("List-Unsubscribe") && text.contains("One-Click")).then_some(Ask::Pause)
        }
    }
}
