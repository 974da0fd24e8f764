//! Carries out the forms of `/me`.

use axum::http::StatusCode;

use super::address::{Form, Format};
use super::answer::Answer;
use super::browser::Browser;
use super::contests::AskedContest;
use super::form::{BUSY, field};
use super::me_command::{command, guarded, plain_field};
use super::new_game::NewGame;
use super::session::{self, STRANGE};
use super::{Site, contests, me};
use crate::commands::Command;
use crate::commands::contest_entry::name_of;
use crate::commands::settings::{Set, SettingChange};
use crate::credentials::claim::must_play_all_boards;
use crate::credentials::token;
use crate::failure::Error;
use crate::ids::{BoardId, Which};
use crate::pipeline::Handled;
use crate::store::{BoardFilter, ContestForm, PlayerId, SessionRow, Store};
use crate::zone;

/// The zone of a player who has set none.
const UTC: &str = "UTC";

/// The notice after a mail has asked for a line once more.
const CONFIRM: &str = "Nothing is done yet. A mail is on its way to you. Open its link and press the button, or reply as it says.";

const A_BOT_PLAYS: &str = "The token of a bot plays on its boards and changes nothing here.\n";

const FEED: &str = "The feed of your turns is at this address. Keep it to yourself; another takes its place.";

const PUSHES: &str = "This browser is told when it is your turn. Mails come as before.";

const AGAIN: &str = "This was done already; once is enough.";

/// The acts of the form of a new game.
const NEW_GAME: [&str; 4] = ["challenge", "seek", "invite", "tutorial"];

/// Carries out a form of `/me`.
pub(super) fn act(site: &Site, browser: &Browser, body: &[u8], format: Format) -> Result<Answer, Error> {
    if browser.bearer.is_some() {
        return Ok(Answer::plain(StatusCode::FORBIDDEN, A_BOT_PLAYS));
    }
    if !browser.has_sent(site, body) {
        return Ok(Answer::plain(StatusCode::FORBIDDEN, STRANGE));
    }
    if let Some(which) = field(body, "out") {
        return Ok(session::leave(site, browser, &which));
    }
    let Some(signed_in) = site.session(browser)? else { return session::ask(site, format) };
    let player = signed_in.player;
    let (account, newest) = site.read(|store| Ok((store.player_by_id(player)?, newest(store, player)?)))?;
    // A new game that fails keeps what was typed, with the reason above its fields. After anything else the form is
    // fresh.
    let act = plain_field(body, "act").unwrap_or_default();
    let is_new_game = NEW_GAME.contains(&act.as_str());
    let is_json = format == Format::Json;
    // The forms of an event stand on its page, but that of a new one.
    let event = plain_field(body, "contest").filter(|_| act == "event").and_then(|name| name_of(&name));
    let is_new_event = act == "event" && field(body, "do").as_deref() == Some("new");
    let told = |status: StatusCode, notice: &str| {
        let (notice, form) = match (is_new_game, status.is_success()) {
            (false, false) if is_new_event => (Some(notice), NewGame::with_event(body)),
            (true, false) => {
                let wrong = Some(notice.to_owned());
                (Some(notice).filter(|_| is_json), NewGame { wrong, ..NewGame::of_form(body) })
            }
            _ => (Some(notice), NewGame::default()),
        };
        let page = site.read(|store| {
            let name = event.as_deref().filter(|_| !is_json && !is_new_event);
            let page = name.map(|name| event_page(site, store, (&signed_in, browser), name, notice));
            match page.transpose()?.flatten() {
                Some(page) => Ok(page),
                None => me::shown(site, store, (&signed_in, browser), (notice, &form), format),
            }
        })?;
        Ok(Answer { status, ..page })
    };
    if let Err(refusal) = must_play_all_boards(&signed_in) {
        return told(StatusCode::CONFLICT, &refusal.to_string());
    }
    if act == "fields" {
        let form = NewGame::of_form(body);
        return site.read(|store| me::shown(site, store, (&signed_in, browser), (None, &form), format));
    }
    // The browser tells its zone until the player has one.
    if let Some(zone) = plain_field(body, "tz").filter(|zone| act != "set" && zone::find(zone).is_some())
        && account.zone == UTC
    {
        let set = Set { changes: vec![SettingChange::Zone(zone)] };
        site.ask_as(browser, Command::Set(set), &site.once());
    }
    // Without `once`, the same request on another day would count as a repetition.
    let is_plain =
        |once: &String| (1..=32).contains(&once.len()) && once.bytes().all(|b| b.is_ascii_alphanumeric());
    let once = field(body, "once").filter(is_plain).unwrap_or_default();
    let feed = session::feed_code(site, browser, &once);
    let command = match command(body, &account.userid, &feed) {
        Some(Err(why)) => {
            let end = if why.ends_with('?') { "" } else { "." };
            let begins = if is_new_game { "Nothing was done" } else { "This cannot be read" };
            return told(StatusCode::CONFLICT, &format!("{begins}: {why}{end}"));
        }
        Some(Ok(command)) => Some(command),
        None => None,
    };
    let line = guarded(&act, body);
    let is_guarded = line.is_some();
    let handled = match (line, command) {
        (Some(line), _) if !once.is_empty() => site.say_as(browser, line, &once),
        (None, Some(command)) if !once.is_empty() => site.ask_as(browser, command, &once),
        _ => {
            return told(
                StatusCode::BAD_REQUEST,
                "Something is missing in this form, or is too long; nothing was done.",
            );
        }
    };
    match handled {
        Some(Handled::Acted { mails: 1.., ends_well: false, .. }) if is_guarded => {
            told(StatusCode::OK, CONFIRM)
        }
        Some(Handled::Acted { ends_well: true, .. }) if act == "feed" => {
            told(StatusCode::OK, &format!("{FEED}\n\n{}/me/f0.{feed}.atom", site.url))
        }
        Some(Handled::Acted { ends_well: true, .. }) if act == "push" => told(StatusCode::OK, PUSHES),
        Some(Handled::Acted { ends_well: true, .. }) if act == "note" => {
            let about = plain_field(body, "about").unwrap_or_default();
            Ok(Answer::see(format!("/players/{about}")).private())
        }
        // The page shows what was done, but not what the server has to say of it.
        Some(Handled::Acted { ends_well: true, remark, .. }) if event.is_some() => match remark {
            Some(remark) => told(StatusCode::OK, &remark),
            None => Ok(Answer::see(format!("/events/{}", event.as_deref().unwrap_or_default())).private()),
        },
        Some(Handled::Acted { ends_well: true, answer, .. }) => {
            let begun = site.read(|store| {
                let now = self::newest(store, player)?.filter(|board| Some(*board) != newest);
                now.map_or(Ok(None), |board| token::of_page(store, board, player, None))
            })?;
            let is_link = |word: &&str| word.starts_with(&format!("{}/invite/", site.url));
            match (begun, answer.split_whitespace().find(is_link)) {
                (Some(link), _) => Ok(Answer::see(format!("/play/{link}")).private()),
                // The link is shown once: the server keeps its hash.
                (None, Some(link)) => {
                    let form = NewGame { link: Some(link.to_owned()), ..NewGame::of_form(body) };
                    let notice = Some(answer.as_str()).filter(|_| is_json);
                    site.read(|store| me::shown(site, store, (&signed_in, browser), (notice, &form), format))
                }
                (None, None) => told(StatusCode::OK, &answer),
            }
        }
        Some(Handled::Acted { answer, .. }) => told(StatusCode::CONFLICT, &answer),
        Some(Handled::Again | Handled::Counted(_) | Handled::SetAside) => told(StatusCode::OK, AGAIN),
        None => told(StatusCode::SERVICE_UNAVAILABLE, BUSY),
    }
}

/// The page of an event with a notice; `None` if there is no such event.
fn event_page(
    site: &Site,
    store: &Store,
    (signed_in, browser): (&SessionRow, &Browser),
    name: &str,
    notice: Option<&str>,
) -> Result<Option<Answer>, Error> {
    let row = store.contest_named(name)?;
    if row.is_none_or(|row| row.form != ContestForm::Event) {
        return Ok(None);
    }
    let wanted = AskedContest { name, group: 1, form: Form::Page };
    contests::shown(site, store, (Some(signed_in), browser), &wanted, notice)
}

/// The player's newest board in play.
fn newest(store: &Store, player: PlayerId) -> Result<Option<BoardId>, Error> {
    let filter =
        BoardFilter { player: Some(player), which: Which::Active, limit: 1, ..BoardFilter::default() };
    Ok(store.boards(&filter)?.first().map(|board| board.id))
}
