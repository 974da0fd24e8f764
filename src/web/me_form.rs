//! What the forms of `/me` ask, as the commands that ask the same.

use axum::http::StatusCode;

use super::answer::Answer;
use super::form::{BUSY, field};
use super::session::{self, Browser, STRANGE};
use super::{Site, me};
use crate::commands::pause::Ask;
use crate::commands::settings::SWITCHES;
use crate::credentials::token;
use crate::failure::Error;
use crate::ids::{BoardId, Which};
use crate::pipeline::Handled;
use crate::store::{BoardFilter, PlayerId, Store};

/// The longest text of a field, in bytes.
const LONGEST: usize = 400;

/// Does what a form of the page asks.
pub(super) fn act(site: &Site, browser: &Browser, body: &[u8], json: bool) -> Result<Answer, Error> {
    if !session::is_ours(site, browser, body) {
        return Ok(Answer::plain(StatusCode::FORBIDDEN, STRANGE));
    }
    if let Some(which) = field(body, "out") {
        return Ok(session::leave(site, browser, &which));
    }
    let Some(signed_in) = site.session(browser)? else { return session::ask(site, json) };
    let player = signed_in.player;
    let (userid, newest) =
        site.read(|store| Ok((store.player_by_id(player)?.userid.to_string(), newest(store, player)?)))?;
    let told = |status: StatusCode, notice: &str| {
        let page = site.read(|store| me::shown(site, store, (&signed_in, browser), Some(notice), json))?;
        Ok(Answer { status, ..page })
    };
    // Without a number of its own a form would be the same as one of another day.
    let is_plain =
        |once: &String| (1..=32).contains(&once.len()) && once.bytes().all(|b| b.is_ascii_alphanumeric());
    let once = field(body, "once").filter(is_plain);
    // What is behind the first may stand in quotes.
    let is_option = |options: String| options.trim().is_empty() || options.trim().starts_with('-');
    if !field(body, "options").is_none_or(is_option) {
        return told(
            StatusCode::BAD_REQUEST,
            "An option begins with `-`, as in `--unrated`; nothing was done.",
        );
    }
    let Some((text, once)) = letter(body, &userid, (site.now)()).zip(once) else {
        return told(
            StatusCode::BAD_REQUEST,
            "Something is missing in this form, or is too long; nothing was done.",
        );
    };
    match site.ask_as(browser, text, &once) {
        Some(Handled::Acted { ends_well: true, answer, .. }) => {
            let begun = site.read(|store| {
                // Joining a league begins several, of which the answer tells.
                let is_one = field(body, "act").is_none_or(|act| act != "league join");
                let now = self::newest(store, player)?.filter(|board| is_one && Some(*board) != newest);
                now.map_or(Ok(None), |board| token::of_page(store, board, player, None))
            })?;
            match begun {
                Some(link) => Ok(Answer::see(format!("/play/{link}")).private()),
                None => told(StatusCode::OK, &answer),
            }
        }
        Some(Handled::Acted { answer, .. }) => told(StatusCode::CONFLICT, &answer),
        Some(Handled::Again | Handled::Counted(_) | Handled::SetAside) => {
            told(StatusCode::OK, "This was done already; once is enough.")
        }
        None => told(StatusCode::SERVICE_UNAVAILABLE, BUSY),
    }
}

/// The player's newest board in play.
fn newest(store: &Store, player: PlayerId) -> Result<Option<BoardId>, Error> {
    let filter =
        BoardFilter { player: Some(player), which: Which::Active, limit: 1, ..BoardFilter::default() };
    Ok(store.boards(&filter)?.first().map(|board| board.id))
}

/// The letter that says the same as a form; `None` where a field is missing or holds what none of ours does.
fn letter(body: &[u8], userid: &str, now: jiff::Timestamp) -> Option<String> {
    let field = |name: &str| {
        let text = field(body, name)?.trim().to_owned();
        (text.len() <= LONGEST && !text.contains(char::is_control)).then_some(text)
    };
    let word = |name: &str| field(name).filter(|text| !text.is_empty() && !text.contains([' ', '"']));
    let command = match field("act")?.as_str() {
        "pause" => return Some(Ask::Pause.text(now)),
        "back" => return Some(Ask::ComeBack.text(now)),
        "challenge" => {
            let opponent = word("opponent")?;
            let [first, second] = match field("first").as_deref() {
                // An address is nobody's userid, and stands behind the one who invites.
                Some("opponent") if !opponent.contains('@') => [opponent.as_str(), userid],
                _ => [userid, opponent.as_str()],
            };
            format!("{} challenge {} {first} {second}", word("game")?, field("options")?)
        }
        "invite" => {
            let address = field("opponent").filter(|opponent| opponent.contains('@')).unwrap_or_default();
            format!("{} invite {} {address} {userid} -", word("game")?, field("options")?)
        }
        "seek" => format!("{} seek {} {userid} -", word("game")?, field("options")?),
        "unseek" => format!("{} seek off {userid} -", word("game")?),
        "accept" => format!("{} accept seek {} {userid} -", word("game")?, word("number")?),
        act @ ("join" | "leave") => format!("{} event {act} {} {userid} -", word("game")?, word("contest")?),
        words @ ("league join" | "league leave" | "ladder join" | "ladder leave" | "ladder challenge") => {
            format!("{} {words} {userid} -", word("game")?)
        }
        "tutorial" => format!("{} tutorial {userid}", word("game")?),
        "vacation" => format!("vacation {userid} - {} {}", word("from")?, word("to")?),
        "return" => format!("vacation {userid} - off"),
        "set" => {
            let zone = word("zone")?;
            let on = |key: &str| if field(key).is_some() { "on" } else { "off" };
            let switches = SWITCHES.map(|(key, _)| format!("{key} {}", on(key)));
            format!("set {userid} - zone {zone} drawing {} {}", word("drawing")?, switches.join(" "))
        }
        _ => return None,
    };
    Some(format!("do {command}"))
}
