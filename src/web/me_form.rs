//! What the forms of `/me` ask, as the commands that ask the same.

use axum::http::StatusCode;
use jiff::civil::Date;
use turnpost_games::registry;

use super::answer::Answer;
use super::form::{BUSY, field};
use super::session::{self, Browser, STRANGE};
use super::{Site, me};
use crate::commands::Command;
use crate::commands::event::{self, EventAct, OnEvent};
use crate::commands::ladder::{LadderAct, OnLadder};
use crate::commands::league::{LeagueAct, OnLeague};
use crate::commands::pause::Ask;
use crate::commands::seek::{self, AcceptSeek, SeekOff};
use crate::commands::settings::{SWITCHES, Set, Setting};
use crate::commands::vacation::{DaysAway, SetVacation};
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
    let command = match command(body) {
        Some(Err(why)) => {
            return told(StatusCode::CONFLICT, &format!("This cannot be read: {why}."));
        }
        Some(Ok(command)) => Some(Say::Command(command)),
        None => letter(body, &userid, (site.now)()).map(Say::Text),
    };
    let Some((say, once)) = command.zip(once) else {
        return told(
            StatusCode::BAD_REQUEST,
            "Something is missing in this form, or is too long; nothing was done.",
        );
    };
    let handled = match say {
        Say::Text(text) => site.ask_as(browser, text, &once),
        Say::Command(command) => site.command_as(browser, command, &once),
    };
    match handled {
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

/// What a form asks.
enum Say {
    Text(String),
    Command(Command),
}

/// A field of at most so many bytes, without control characters.
fn plain_field(body: &[u8], name: &str) -> Option<String> {
    let text = field(body, name)?.trim().to_owned();
    (text.len() <= LONGEST && !text.contains(char::is_control)).then_some(text)
}

/// The command that a form asks for; `None` where it is none of these. The error says what was expected.
fn command(body: &[u8]) -> Option<Result<Command, String>> {
    let game = || registry::find(&plain_field(body, "game")?);
    match plain_field(body, "act")?.as_str() {
        "seek" => Some(seek::by_form(game()?, &plain_field(body, "options")?)),
        "unseek" => Some(Ok(Command::SeekOff(SeekOff { game: game()? }))),
        "accept" => {
            let number = plain_field(body, "number")?.parse().ok()?;
            Some(Ok(Command::AcceptSeek(AcceptSeek { game: game()?, number })))
        }
        act @ ("join" | "leave") => {
            let act = if act == "join" { EventAct::Join } else { EventAct::Leave };
            let name = event::name_of(&plain_field(body, "contest")?)?;
            Some(Ok(Command::Event(OnEvent { game: game()?, name, act })))
        }
        act @ ("league join" | "league leave") => {
            let act = if act == "league join" { LeagueAct::Join { once: false } } else { LeagueAct::Leave };
            Some(Ok(Command::League(OnLeague { game: game()?, act })))
        }
        act @ ("ladder join" | "ladder leave" | "ladder challenge") => {
            let act = match act {
                "ladder join" => LadderAct::Join,
                "ladder leave" => LadderAct::Leave,
                _ => LadderAct::Challenge { other: None },
            };
            Some(Ok(Command::Ladder(OnLadder { game: game()?, act })))
        }
        "vacation" => {
            let day = |name: &str, what: &str| {
                let day = plain_field(body, name)?.parse::<Date>();
                Some(day.map_err(|_| format!("{what} is expected here as a date such as 2027-07-01")))
            };
            let (first, last) = (day("from", "the first day")?, day("to", "the last day")?);
            let days = first.and_then(|first| Ok(DaysAway { first, last: last? }));
            Some(days.map(|days| Command::Vacation(SetVacation { days: Some(days) })))
        }
        "return" => Some(Ok(Command::Vacation(SetVacation { days: None }))),
        "set" => {
            let style = plain_field(body, "drawing")?.parse().ok()?;
            let switches = SWITCHES.map(|(key, switch)| Setting::Switch(switch, field(body, key).is_some()));
            let mut settings = vec![Setting::Zone(plain_field(body, "zone")?), Setting::Drawing(style)];
            settings.extend(switches);
            Some(Ok(Command::Set(Set { settings })))
        }
        _ => None,
    }
}

/// The letter that says the same as a form; `None` where a field is missing or holds what none of ours does.
fn letter(body: &[u8], userid: &str, now: jiff::Timestamp) -> Option<String> {
    let field = |name: &str| plain_field(body, name);
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
        "tutorial" => format!("{} tutorial {userid}", word("game")?),
        _ => return None,
    };
    Some(format!("do {command}"))
}
