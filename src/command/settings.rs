//! What players decide for themselves.
//!
//! ```text
//! set userid password key value ...
//! vacation userid password FROM TO
//! vacation userid password off
//! ```

use jiff::civil::Date;

use super::Command;
use super::account::Account;
use super::args::{Args, Expected};
use super::table::{Entry, Scope, closest};
use crate::ids::Userid;
use turnpost_games::GameKind;
use turnpost_games::registry;

/// A key with its value.
#[derive(Debug, Clone)]
pub enum Setting {
    /// Something that is on or off.
    Switch(Switch, bool),
    /// The zone days and hours are told in, by its IANA name; not yet looked up.
    Zone(String),
    /// No more games than so many; `None`: as many as come.
    RateLimit(&'static GameKind, Option<u32>),
    /// Whether challenges to a game are refused.
    Reject(&'static GameKind, bool),
    /// Whether that player is kept away.
    Block(Userid, bool),
}

/// What is on or off.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Switch {
    /// Mails hold HTML beside the text.
    Html,
    /// Mails hold the drawing as a picture.
    Picture,
    /// Organisers' mails to everybody come.
    Broadcast,
    /// One "your move" mail until the player acts.
    Digest,
    /// Opponents see the player's address.
    Openness,
}

/// Every key, with the values it takes.
const KEYS: &[(&str, &str)] = &[
    ("html", "on|off"),
    ("picture", "on|off"),
    ("broadcast", "on|off"),
    ("digest", "on|off"),
    ("openness", "on|off"),
    ("zone", "Europe/Paris"),
    ("limit", "game number|off"),
    ("reject", "game"),
    ("accept", "game"),
    ("block", "userid"),
    ("unblock", "userid"),
];

/// A player's limit is at most this; more is `off`.
const LIMIT_AT_MOST: u32 = 999;

pub(super) const ENTRIES: &[Entry] = &[
    Entry {
        word: "set",
        aliases: &[],
        scope: Scope::Server,
        arguments: "userid password [key value ...]",
        summary: "shows and changes your settings",
        details: "`html on|off`: mails with HTML beside the text. `picture on|off`: the board as a picture in them. \
                  `broadcast on|off`: mail of the organisers to everybody. `digest on|off`: one \"your move\" mail \
                  until you write, then the next. `openness on|off`: opponents see your address.\n\n\
                  `zone Europe/Paris`: where your days are counted. `limit GAME 5`: no challenges beyond so many \
                  games (`off`: as many as come; a game counts once both have played). `reject GAME` and \
                  `accept GAME`: no challenges to that game at all, and again. `block userid` and `unblock userid`: \
                  no challenges, messages or seeks between the two of you; a game in play goes on.\n\n\
                  Several may stand in one command. Without any it shows what is set.",
        example: "set ann plover-42 zone Europe/Paris digest on",
        read: read_set,
    },
    Entry {
        word: "vacation",
        aliases: &[],
        scope: Scope::Server,
        arguments: "userid password FROM TO | userid password off",
        summary: "announces a vacation",
        details: "FROM and TO are dates such as 2027-07-01, both included, in your own zone, and not in the past. No \
                  clock of your games runs meanwhile, for either side, and opponents are told. There are 30 days for \
                  each year. `off` ends a vacation and takes back those to come.",
        example: "vacation ann plover-42 2027-07-01 2027-07-14",
        read: read_vacation,
    },
];

fn read_set(args: &mut Args) -> Result<Command, Expected> {
    let login = args.login()?;
    let mut settings = Vec::new();
    while !args.is_empty() {
        settings.push(setting(args)?);
    }
    Ok(Command::Account(Account::Set(login, settings)))
}

fn setting(args: &mut Args) -> Result<Setting, Expected> {
    let (at, key) = args.word("what is to be set")?;
    Ok(match key.to_ascii_lowercase().as_str() {
        "html" => Setting::Switch(Switch::Html, on_or_off(args)?),
        "picture" => Setting::Switch(Switch::Picture, on_or_off(args)?),
        "broadcast" => Setting::Switch(Switch::Broadcast, on_or_off(args)?),
        "digest" => Setting::Switch(Switch::Digest, on_or_off(args)?),
        "openness" => Setting::Switch(Switch::Openness, on_or_off(args)?),
        "zone" => Setting::Zone(args.word("a zone such as Europe/Paris")?.1),
        "limit" => {
            let game = game(args)?;
            Setting::RateLimit(game, limit(args)?)
        }
        "reject" => Setting::Reject(game(args)?, true),
        "accept" => Setting::Reject(game(args)?, false),
        "block" => Setting::Block(args.userid("the userid to block")?, true),
        "unblock" => Setting::Block(args.userid("the userid to unblock")?, false),
        other => return Err(Expected::at(Some(at), unknown_key(other))),
    })
}

fn unknown_key(key: &str) -> String {
    match closest(key, KEYS.iter().map(|(key, _)| *key)) {
        Some(near) => format!("this is nothing that can be set; did you mean `{near}`?"),
        None => {
            let keys: Vec<&str> = KEYS.iter().map(|(key, _)| *key).collect();
            format!("this is nothing that can be set; there are {}", keys.join(", "))
        }
    }
}

/// Whether `word` is a key of `set`.
pub(super) fn is_key(word: &str) -> bool {
    KEYS.iter().any(|(key, _)| key.eq_ignore_ascii_case(word))
}

/// `on` or `off`.
pub(super) fn on_or_off(args: &mut Args) -> Result<bool, Expected> {
    let (at, word) = args.word("`on` or `off`")?;
    match word.to_ascii_lowercase().as_str() {
        "on" => Ok(true),
        "off" => Ok(false),
        _ => Err(Expected::at(Some(at), "`on` or `off` is expected here")),
    }
}

fn game(args: &mut Args) -> Result<&'static GameKind, Expected> {
    let (at, word) = args.word("the name of a game")?;
    registry::find(&word).ok_or_else(|| {
        let games: Vec<&str> = registry::GAMES.iter().map(|game| game.key).collect();
        Expected::at(Some(at), format!("the name of a game is expected here: {}", games.join(" or ")))
    })
}

fn limit(args: &mut Args) -> Result<Option<u32>, Expected> {
    let (at, word) = args.word("the number of games")?;
    if word.eq_ignore_ascii_case("off") {
        return Ok(None);
    }
    let number = word.bytes().all(|b| b.is_ascii_digit()).then(|| word.parse().ok()).flatten();
    match number.filter(|number| *number <= LIMIT_AT_MOST) {
        Some(number) => Ok(Some(number)),
        None => Err(Expected::at(
            Some(at),
            format!("a number from 0 to {LIMIT_AT_MOST} or `off` is expected here"),
        )),
    }
}

fn read_vacation(args: &mut Args) -> Result<Command, Expected> {
    let login = args.login()?;
    if args.next_is("off") {
        args.word("`off`")?;
        return Ok(Command::Account(Account::Vacation(login, None)));
    }
    let first = date(args, "the first day")?;
    let last = date(args, "the last day")?;
    Ok(Command::Account(Account::Vacation(login, Some((first, last)))))
}

/// `2027-07-01`, and no other way of writing it: 1/7 is read differently in different places.
fn date(args: &mut Args, what: &str) -> Result<Date, Expected> {
    let (at, word) = args.word(what)?;
    let plain = word.len() == 10 && word.bytes().all(|b| b.is_ascii_digit() || b == b'-');
    let date = if plain { word.parse::<Date>().ok() } else { None };
    date.ok_or_else(|| {
        Expected::at(Some(at), format!("{what} is expected here as a date such as 2027-07-01"))
    })
}
