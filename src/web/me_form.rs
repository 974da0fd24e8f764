//! Turns the forms of `/me` into commands.

use std::borrow::Cow;

use axum::http::StatusCode;
use jiff::civil::Date;
use turnpost_games::{GameKind, registry};

use super::address::{Form, Format};
use super::answer::Answer;
use super::browser::Browser;
use super::contests::AskedContest;
use super::form::{BUSY, field};
use super::new_game::NewGame;
use super::session::{self, STRANGE};
use super::{Site, contests, me};
use crate::commands::answer::QuestionAnswer;
use crate::commands::challenge::{self, Challenge};
use crate::commands::contest::{EntrantAct, OnContest, read_event};
use crate::commands::contest_entry::{NamedContest, name_of};
use crate::commands::invite;
use crate::commands::password::Forgot;
use crate::commands::pause::Ask;
use crate::commands::seek::{self, AcceptSeek, SeekOff};
use crate::commands::settings::{Set, SettingChange};
use crate::commands::sign_in::BrowserAct;
use crate::commands::tutorial::Tutorial;
use crate::commands::vacation::{DaysAway, SetVacation};
use crate::commands::{Command, LANGUAGE};
use crate::contest::forms::Stay;
use crate::credentials::claim::must_play_all_boards;
use crate::credentials::token;
use crate::failure::Error;
use crate::ids::{BoardId, Userid, Which};
use crate::language::args::Args;
use crate::language::token::{plain, quote};
use crate::language::values::read_address;
use crate::language::{InReply, OnBoard, Password};
use crate::pipeline::Handled;
use crate::settings::{SETTINGS, Setting};
use crate::store::{BoardFilter, ContestForm, PlayerId, Store};
use crate::zone;

/// The longest text of a field, in bytes.
const LONGEST: usize = 400;

/// The longest note of a player, in bytes.
const NOTE: usize = 1000;

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
    // The forms of an event stand on its page.
    let event = plain_field(body, "contest").filter(|_| act == "event");
    let told = |status: StatusCode, notice: &str| {
        let (notice, form) = match (is_new_game, status.is_success()) {
            (true, false) => {
                let wrong = Some(notice.to_owned());
                (Some(notice).filter(|_| is_json), NewGame { wrong, ..NewGame::of_form(body) })
            }
            _ => (Some(notice), NewGame::default()),
        };
        let page = site.read(|store| {
            let wanted = event.as_deref().map(|name| AskedContest {
                name,
                group: 1,
                form: Form::Page.or_json(format),
            });
            let of_event =
                |wanted| contests::shown(site, store, (Some(&signed_in), browser), &wanted, notice);
            match wanted.map_or(Ok(None), of_event)? {
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
        Some(Handled::Acted { ends_well: true, .. } | Handled::Again) if event.is_some() => {
            Ok(Answer::see(format!("/events/{}", event.unwrap_or_default())).private())
        }
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

/// The line of a command that a mail has to confirm, as one writes it by mail.
fn guarded(act: &str, body: &[u8]) -> Option<String> {
    let address = || read_address(&plain_field(body, "address")?).ok();
    match act {
        "signoff" | "delete" => Some(act.to_owned()),
        "add" | "change address" => Some(format!("{act} {}", address()?)),
        _ => None,
    }
}

/// The command of a form; `None` for an unknown form. The error says what was expected. `feed` is the code for a feed.
fn command(body: &[u8], userid: &Userid, feed: &str) -> Option<Result<Command, String>> {
    let game = || registry::find(&plain_field(body, "game")?);
    let board = || plain_field(body, "board")?.parse().ok();
    let form = NewGame::of_form(body);
    let options = |game: &'static GameKind| form.options(game);
    // The options and this word are joined and read as one command line.
    let word =
        |name: &str| plain_field(body, name).filter(|text| !text.is_empty() && !text.contains([' ', '"']));
    match plain_field(body, "act")?.as_str() {
        "challenge" => {
            let game = game()?;
            let Some(opponent) = word("opponent") else {
                return Some(Err(
                    "write against whom: a name, `robot`, or the address of a friend".to_owned()
                ));
            };
            let read =
                |options: String| Args::of_form(game, &format!("{options} {opponent}"), challenge::read);
            Some(options(game).and_then(read).map(|command| match command {
                Command::Challenge(challenge) => {
                    let [first, second] = match form.field("first") {
                        "opponent" => [challenge.second, userid.clone()],
                        _ => [userid.clone(), challenge.second],
                    };
                    Command::Challenge(Challenge { first: Some(first), second, ..challenge })
                }
                command => command,
            }))
        }
        "invite" => {
            let game = game()?;
            Some(options(game).and_then(|options| Args::of_form(game, &options, invite::read)))
        }
        "tutorial" => {
            Some(Ok(Command::Tutorial(Tutorial { game: Some(game()?), pupil: None, password: None })))
        }
        "feed" => Some(Ok(Command::Browser(BrowserAct::Feed { code: Password(feed.to_owned()) }))),
        "note" => {
            let about = plain_field(body, "about")?.parse().ok()?;
            let words = Password(field(body, "words")?.trim().to_owned());
            let is_short = words.0.len() <= NOTE;
            let note = Command::Browser(BrowserAct::Note { about, words });
            Some(is_short.then_some(note).ok_or_else(|| format!("a note has at most {NOTE} bytes")))
        }
        "push" => Some(Ok(Command::Browser(BrowserAct::Push { to: Some(Password(field(body, "push")?)) }))),
        "no push" => Some(Ok(Command::Browser(BrowserAct::Push { to: None }))),
        "password" => Some(Ok(Command::Forgot(Forgot { userid: Some(userid.clone()) }))),
        "pause" => Some(Ok(Command::Pause(Ask::Pause))),
        "back" => Some(Ok(Command::Pause(Ask::ComeBack))),
        "seek" => {
            let game = game()?;
            Some(options(game).and_then(|options| Args::of_form(game, &options, seek::read_seek)))
        }
        "unseek" => Some(Ok(Command::SeekOff(SeekOff { game: game()? }))),
        "accept" => {
            let number = plain_field(body, "number")?.parse().ok()?;
            Some(Ok(Command::AcceptSeek(AcceptSeek { game: game()?, number })))
        }
        act @ ("invited" | "uninvited") => {
            let number = plain_field(body, "number")?.parse().ok()?;
            let answer = if act == "invited" { QuestionAnswer::Yes } else { QuestionAnswer::No };
            Some(Ok(Command::Browser(BrowserAct::Invited { number, answer })))
        }
        act @ ("join" | "leave") => {
            let name = name_of(&plain_field(body, "contest")?)?;
            on_contest(NamedContest::event(game()?, name), act)
        }
        "event" => {
            let words = ["do", "contest", "words", "other"].map(|name| plain_field(body, name));
            let words: Vec<String> = words.into_iter().flatten().filter(|word| !word.contains('"')).collect();
            let reason = field(body, "reason").map(|reason| format!(" {}", quote(&plain(reason.trim()))));
            let options: String = form_urlencoded::parse(body).filter_map(event_option).collect();
            let line = words.join(" ") + &options + &reason.unwrap_or_default();
            Some(Args::of_form(game()?, &line, read_event))
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
        // A word about one board, as a reply has it.
        word => match LANGUAGE.of_reply(word)?.in_reply {
            InReply::Alone(command) | InReply::ForMove(command) => {
                Some(Ok(command(OnBoard { game: game()?, board: board()? })))
            }
            _ => None,
        },
    }
}

/// An option of an event after a blank, from a field such as `e-size`; `None` for another field or an empty one.
fn event_option((name, value): (Cow<'_, str>, Cow<'_, str>)) -> Option<String> {
    let name = name.strip_prefix("e-")?;
    let value: String = value.split_whitespace().collect();
    match value.as_str() {
        "" => None,
        "on" => Some(format!(" -{name}")),
        _ => Some(format!(" {}", quote(&format!("-{name}={value}")))),
    }
}

/// A command on a contest. The last word of `asked` names the act.
fn on_contest(of: NamedContest, asked: &str) -> Option<Result<Command, String>> {
    let act = match asked.rsplit(' ').next()? {
        "join" => EntrantAct::Join { stay: Stay::UntilTheyLeave, team: None },
        "leave" => EntrantAct::Leave,
        _ => EntrantAct::Challenge { other: None },
    };
    Some(Ok(Command::Contest(OnContest { of, act })))
}
