//! Reads the forms of `/me` as commands.

use std::borrow::Cow;

use jiff::civil::Date;
use turnpost_games::{GameKind, registry};

use super::form::field;
use super::new_game::NewGame;
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
use crate::ids::Userid;
use crate::language::args::Args;
use crate::language::token::{plain, quote};
use crate::language::values::read_address;
use crate::language::{InReply, OnBoard, Password};
use crate::settings::{SETTINGS, Setting};
use crate::store::ContestForm;

/// The longest text of a field, in bytes.
const LONGEST: usize = 400;

/// The longest note of a player, in bytes.
const NOTE: usize = 1000;

/// A field of at most [`LONGEST`] bytes without control characters.
pub(super) fn plain_field(body: &[u8], name: &str) -> Option<String> {
    let text = field(body, name)?.trim().to_owned();
    (text.len() <= LONGEST && !text.contains(char::is_control)).then_some(text)
}

/// The line of a command that a mail has to confirm, as one writes it by mail.
pub(super) fn guarded(act: &str, body: &[u8]) -> Option<String> {
    let address = || read_address(&plain_field(body, "address")?).ok();
    match act {
        "signoff" | "delete" => Some(act.to_owned()),
        "add" | "change address" => Some(format!("{act} {}", address()?)),
        _ => None,
    }
}

/// The command of a form; `None` for an unknown form. The error says what was expected. `feed` is the code for a feed.
pub(super) fn command(body: &[u8], userid: &Userid, feed: &str) -> Option<Result<Command, String>> {
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
            let words: Vec<String> = words.into_iter().flatten().collect();
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
    // Names are parted by commas, blanks, or both.
    let value = value.replace(',', " ").split_whitespace().collect::<Vec<_>>().join(",");
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
