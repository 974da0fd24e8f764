//! What players decide for themselves.
//!
//! ```text
//! set userid password [key value ...]
//! ```

use crate::commands::{Command, Entry};
use crate::ids::Userid;
use crate::language::args::{Args, ArgumentError};
use crate::language::{Login, Parameters, closest};
use turnpost_games::GameKind;
use turnpost_games::registry;

#[derive(Debug, Clone)]
pub struct Set {
    pub login: Login,
    /// None: shows what is set.
    pub settings: Vec<Setting>,
}

impl Parameters for Set {
    fn login(&self) -> Option<&Login> {
        Some(&self.login)
    }
}

/// A key with its value.
#[derive(Debug, Clone)]
pub enum Setting {
    Switch(Switch, bool),
    /// The zone days and hours are told in, by its IANA name; not yet looked up.
    Zone(String),
    /// No more games than so many; `None`: as many as come.
    GameLimit(&'static GameKind, Option<u32>),
    /// True: challenges to the game are refused.
    Reject(&'static GameKind, bool),
    /// True: that player is kept away.
    Block(Userid, bool),
}

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
    /// The robot's view of a long game, when it has ended.
    Afterword,
    /// A weekly mail of open seeks and finished games.
    Announce,
}

/// What can be set.
pub(crate) const KEYS: &[&str] = &[
    "html",
    "picture",
    "broadcast",
    "digest",
    "openness",
    "afterword",
    "announce",
    "zone",
    "limit",
    "reject",
    "accept",
    "block",
    "unblock",
];

/// A player's limit is at most this; more is `off`.
const LIMIT_AT_MOST: u32 = 999;

pub(crate) const SET: Entry = Entry {
    summary: "shows and changes your settings",
    details: "`html on|off`: mails with HTML beside the text. `picture on|off`: the board as a picture in them. \
                  `broadcast on|off`: mail of the organisers to everybody. `digest on|off`: one \"your move\" mail \
                  until you write, then the next. `openness on|off`: opponents see your address. `afterword on|off`: the \
                  robot's view of a long game, when it has ended. `announce on|off`: a weekly mail of open seeks and \
                  finished games, at most; off at first.\n\n\
                  `zone Europe/Paris`: where your days are counted. `limit GAME 5`: no challenges beyond so many \
                  games (`off`: as many as come; a game counts once both have played). `reject GAME` and \
                  `accept GAME`: no challenges to that game at all, and again. `block userid` and `unblock userid`: \
                  no challenges, messages or seeks between the two of you; a game in play goes on.\n\n\
                  Several may stand in one command. Without any it shows what is set.",
    example: "set ann plover-42 zone Europe/Paris digest on",
    keywords: KEYS,
    ..Entry::of_server("set", "userid password [key value ...]", read)
};

fn read(args: &mut Args) -> Result<Command, ArgumentError> {
    let login = args.login()?;
    let mut settings = Vec::new();
    while !args.is_empty() {
        settings.push(setting(args)?);
    }
    Ok(Command::Set(Set { login, settings }))
}

fn setting(args: &mut Args) -> Result<Setting, ArgumentError> {
    let key = args.word("what is to be set")?;
    Ok(match key.text.to_ascii_lowercase().as_str() {
        "html" => Setting::Switch(Switch::Html, args.on_or_off()?),
        "picture" => Setting::Switch(Switch::Picture, args.on_or_off()?),
        "broadcast" => Setting::Switch(Switch::Broadcast, args.on_or_off()?),
        "digest" => Setting::Switch(Switch::Digest, args.on_or_off()?),
        "openness" => Setting::Switch(Switch::Openness, args.on_or_off()?),
        "announce" => Setting::Switch(Switch::Announce, args.on_or_off()?),
        "afterword" => Setting::Switch(Switch::Afterword, args.on_or_off()?),
        "zone" => Setting::Zone(args.word("a zone such as Europe/Paris")?.text),
        "limit" => {
            let game = game(args)?;
            Setting::GameLimit(game, limit(args)?)
        }
        "reject" => Setting::Reject(game(args)?, true),
        "accept" => Setting::Reject(game(args)?, false),
        "block" => Setting::Block(args.userid("the userid to block")?, true),
        "unblock" => Setting::Block(args.userid("the userid to unblock")?, false),
        other => return Err(key.error(unknown_key(other))),
    })
}

fn unknown_key(key: &str) -> String {
    match closest(key, KEYS.iter().copied()) {
        Some(near) => format!("this is nothing that can be set; did you mean `{near}`?"),
        None => {
            format!("this is nothing that can be set; there are {}", KEYS.join(", "))
        }
    }
}

fn game(args: &mut Args) -> Result<&'static GameKind, ArgumentError> {
    let word = args.word("the name of a game")?;
    registry::find(&word.text).ok_or_else(|| {
        let games: Vec<&str> = registry::GAMES.iter().map(|game| game.key).collect();
        word.error(format!("the name of a game is expected here: {}", games.join(" or ")))
    })
}

fn limit(args: &mut Args) -> Result<Option<u32>, ArgumentError> {
    let word = args.word("the number of games")?;
    if word.text.eq_ignore_ascii_case("off") {
        return Ok(None);
    }
    let is_number = word.text.bytes().all(|b| b.is_ascii_digit());
    let number = if is_number { word.text.parse().ok() } else { None };
    match number.filter(|number| *number <= LIMIT_AT_MOST) {
        Some(number) => Ok(Some(number)),
        None => Err(word.error(format!("a number from 0 to {LIMIT_AT_MOST} or `off` is expected here"))),
    }
}
