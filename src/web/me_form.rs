//! Turns the forms of `/me` into commands.

use axum::http::StatusCode;
use jiff::civil::Date;
use turnpost_games::registry;

use super::address::Format;
use super::answer::Answer;
use super::form::{BUSY, field};
use super::session::{self, Browser, STRANGE};
use super::{Site, me};
use crate::commands::Command;
use crate::commands::challenge::{self, Challenge};
use crate::commands::contest::{EntrantAct, OnContest, name_of};
use crate::commands::contest_entry::NamedContest;
use crate::commands::invite;
use crate::commands::pause::Ask;
use crate::commands::seek::{self, AcceptSeek, SeekOff};
use crate::commands::settings::{Set, SettingChange};
use crate::commands::tutorial::Tutorial;
use crate::commands::vacation::{DaysAway, SetVacation};
use crate::contest::forms::Stay;
use crate::credentials::token;
use crate::failure::Error;
use crate::ids::{BoardId, Userid, Which};
use crate::language::args::Args;
use crate::pipeline::Handled;
use crate::settings::{SETTINGS, Setting};
use crate::store::{BoardFilter, ContestForm, PlayerId, Store};

/// The longest text of a field, in bytes.
const LONGEST: usize = 400;

/// Carries out a form of `/me`.
pub(super) fn act(site: &Site, browser: &Browser, body: &[u8], format: Format) -> Result<Answer, Error> {
    if !session::is_ours(site, browser, body) {
        return Ok(Answer::plain(StatusCode::FORBIDDEN, STRANGE));
    }
    if let Some(which) = field(body, "out") {
        return Ok(session::leave(site, browser, &which));
    }
    let Some(signed_in) = site.session(browser)? else { return session::ask(site, format) };
    let player = signed_in.player;
    let (userid, newest) =
        site.read(|store| Ok((store.player_by_id(player)?.userid, newest(store, player)?)))?;
    let told = |status: StatusCode, notice: &str| {
        let page = site.read(|store| me::shown(site, store, &signed_in, browser, Some(notice), format))?;
        Ok(Answer { status, ..page })
    };
    // Without `once`, the same request on another day would count as a repetition.
    let is_plain =
        |once: &String| (1..=32).contains(&once.len()) && once.bytes().all(|b| b.is_ascii_alphanumeric());
    let once = field(body, "once").filter(is_plain);
    // Only the beginning is checked: options after the first can be in quotes.
    let is_option = |options: String| options.trim().is_empty() || options.trim().starts_with('-');
    if !field(body, "options").is_none_or(is_option) {
        return told(
            StatusCode::BAD_REQUEST,
            "An option begins with `-`, as in `--unrated`; nothing was done.",
        );
    }
    let command = match command(body, &userid) {
        Some(Err(why)) => {
            let end = if why.ends_with('?') { "" } else { "." };
            return told(StatusCode::CONFLICT, &format!("This cannot be read: {why}{end}"));
        }
        Some(Ok(command)) => Some(command),
        None => None,
    };
    let Some((command, once)) = command.zip(once) else {
        return told(
            StatusCode::BAD_REQUEST,
            "Something is missing in this form, or is too long; nothing was done.",
        );
    };
    match site.ask_as(browser, command, &once) {
        Some(Handled::Acted { ends_well: true, answer, .. }) => {
            let begun = site.read(|store| {
                let now = self::newest(store, player)?.filter(|board| Some(*board) != newest);
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

/// A field of at most [`LONGEST`] bytes without control characters.
fn plain_field(body: &[u8], name: &str) -> Option<String> {
    let text = field(body, name)?.trim().to_owned();
    (text.len() <= LONGEST && !text.contains(char::is_control)).then_some(text)
}

/// The command of a form; `None` for an unknown form. The error says what was expected.
fn command(body: &[u8], userid: &Userid) -> Option<Result<Command, String>> {
    let game = || registry::find(&plain_field(body, "game")?);
    let options = || plain_field(body, "options");
    // The options and this word are joined and read as one command line.
    let word =
        |name: &str| plain_field(body, name).filter(|text| !text.is_empty() && !text.contains([' ', '"']));
    match plain_field(body, "act")?.as_str() {
        "challenge" => {
            let opponent = word("opponent")?;
            let challenge = Args::of_form(game()?, &format!("{} {opponent}", options()?), challenge::read);
            Some(challenge.map(|command| match command {
                Command::Challenge(challenge) => {
                    let [first, second] = match word("first").as_deref() {
                        Some("opponent") => [challenge.second, userid.clone()],
                        _ => [userid.clone(), challenge.second],
                    };
                    Command::Challenge(Challenge { first: Some(first), second, ..challenge })
                }
                command => command,
            }))
        }
        "invite" => {
            let address = word("opponent").filter(|opponent| opponent.contains('@')).unwrap_or_default();
            Some(Args::of_form(game()?, &format!("{} {address}", options()?), invite::read))
        }
        "tutorial" => {
            Some(Ok(Command::Tutorial(Tutorial { game: Some(game()?), pupil: None, password: None })))
        }
        "pause" => Some(Ok(Command::Pause(Ask::Pause))),
        "back" => Some(Ok(Command::Pause(Ask::ComeBack))),
        "seek" => Some(Args::of_form(game()?, &options()?, seek::read_seek)),
        "unseek" => Some(Ok(Command::SeekOff(SeekOff { game: game()? }))),
        "accept" => {
            let number = plain_field(body, "number")?.parse().ok()?;
            Some(Ok(Command::AcceptSeek(AcceptSeek { game: game()?, number })))
        }
        act @ ("join" | "leave") => {
            let name = name_of(&plain_field(body, "contest")?)?;
            on_contest(NamedContest::event(game()?, name), act)
        }
        act @ ("league join" | "league leave") => {
            on_contest(NamedContest::of_game(game()?, ContestForm::League), act)
        }
        act @ ("league slow join" | "league slow leave") => {
            on_contest(NamedContest::slow_league(game()?), act)
        }
        act @ ("ladder join" | "ladder leave" | "ladder challenge") => {
            on_contest(NamedContest::of_game(game()?, ContestForm::Ladder), act)
        }
        "vacation" => {
            let day = |name: &str, what: &str| {
                let day = plain_field(body, name)?.parse::<Date>();
                Some(day.map_err(|_| format!("{what} is expected here as a date such as 2027-07-01")))
            };
            let (first, last) = (day("from", "the first day")?, day("to", "the last day")?);
            let days = first.and_then(|first| Ok(DaysAway::Dates(first, last?)));
            Some(days.map(|days| Command::Vacation(SetVacation { days: Some(days) })))
        }
        "return" => Some(Ok(Command::Vacation(SetVacation { days: None }))),
        "set" => {
            let chosen = |setting: &&'static Setting| {
                // A browser leaves out a box that is not ticked.
                let left_out = || setting.is_switch().then(|| "off".to_owned());
                let value = field(body, setting.word).or_else(left_out)?;
                Some(SettingChange::To(setting.to(setting.value(&value)?)))
            };
            let zone = SettingChange::Zone(plain_field(body, "zone")?);
            // A page from before an upgrade lacks the lists that are new.
            let sent = SETTINGS.iter().filter(|list| list.is_switch() || field(body, list.word).is_some());
            let changes = std::iter::once(Some(zone)).chain(sent.map(chosen));
            Some(Ok(Command::Set(Set { changes: changes.collect::<Option<_>>()? })))
        }
        _ => None,
    }
}

/// A command on a contest. The last word of `asked` names the act.
fn on_contest(of: NamedContest, asked: &str) -> Option<Result<Command, String>> {
    let act = match asked.rsplit(' ').next()? {
        "join" => EntrantAct::Join(Stay::UntilTheyLeave),
        "leave" => EntrantAct::Leave,
        _ => EntrantAct::Challenge { other: None },
    };
    Some(Ok(Command::Contest(OnContest { of, act })))
}
