//! What players decide for themselves.
//!
//! ```text
//! set userid password [key value ...]
//! ```

use serde::Serialize;
use turnpost_games::GameKind;
use turnpost_games::registry;

use crate::board::clocks;
use crate::commands::prelude::*;
use crate::credentials::claim::no_such_userid;
use crate::ids::Userid;
use crate::language::closest;
use crate::notices::transcript::data;
use crate::store::{AccountSettings, DrawingStyle, PlayerId, Store, StoreError};

#[derive(Debug, Clone)]
pub struct Set {
    /// `None` shows what is set.
    pub settings: Vec<Setting>,
}

impl Parameters for Set {
    fn line(&self, word: &str) -> String {
        Written::new(None, word).and(self.settings.iter().flat_map(Setting::words)).end()
    }
}

impl Setting {
    fn words(&self) -> Vec<String> {
        let words = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect();
        match self {
            Setting::Switch(switch, on) => {
                let key = SWITCHES.iter().find(|(_, known)| known == switch).map_or("", |(key, _)| key);
                words(&[key, if *on { "on" } else { "off" }])
            }
            Setting::Drawing(style) => words(&["drawing", &style.to_string()]),
            Setting::Zone(zone) => words(&["zone", zone]),
            Setting::GameLimit(game, Some(most)) => words(&["limit", game.key, &most.to_string()]),
            Setting::GameLimit(game, None) => words(&["limit", game.key, "off"]),
            Setting::Reject(game, rejects) => words(&[if *rejects { "reject" } else { "accept" }, game.key]),
            Setting::Block(userid, blocks) => {
                words(&[if *blocks { "block" } else { "unblock" }, userid.as_str()])
            }
        }
    }
}

/// A key with its value.
#[derive(Debug, Clone)]
pub enum Setting {
    Switch(Switch, bool),
    /// How mails show boards in their text.
    Drawing(DrawingStyle),
    /// The zone days and hours are told in, by its IANA name; not yet looked up.
    Zone(String),
    /// The most games at once; `None` for no limit.
    GameLimit(&'static GameKind, Option<u32>),
    /// True: challenges to the game are refused.
    Reject(&'static GameKind, bool),
    /// True: that player is kept away.
    Block(Userid, bool),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Switch {
    /// Mails hold HTML in addition to the text.
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
    /// A page asks before it plays a turn.
    Confirm,
    /// The player's banks run on Saturdays and Sundays.
    Weekends,
}

/// The switches by their keys, in the order in which they are shown.
pub(crate) const SWITCHES: [(&str, Switch); 9] = [
    ("html", Switch::Html),
    ("picture", Switch::Picture),
    ("broadcast", Switch::Broadcast),
    ("digest", Switch::Digest),
    ("openness", Switch::Openness),
    ("afterword", Switch::Afterword),
    ("announce", Switch::Announce),
    ("confirm", Switch::Confirm),
    ("weekends", Switch::Weekends),
];

/// What can be set.
pub(crate) const KEYS: &[&str] = &[
    "html",
    "picture",
    "drawing",
    "broadcast",
    "digest",
    "openness",
    "afterword",
    "announce",
    "confirm",
    "weekends",
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
    by: Needs::Proven,
    summary: "shows and changes your settings",
    details: "`html on|off`: mails with HTML beside the text. `picture on|off`: the board as a picture in them. \
                  `drawing words`: the board in their text as sentences; `drawing compact`: narrow, for a phone; \
                  `drawing full`: as at first. \
                  `broadcast on|off`: mail of the organisers to everybody. `digest on|off`: one \"your move\" mail \
                  until you write, then the next. `openness on|off`: opponents see your address. `afterword on|off`: the \
                  robot's view of a long game, when it has ended. `announce on|off`: a weekly mail of open seeks, \
                  finished games and how your contests stand, at most; off at first. `confirm off`: a page plays a turn as soon as it is chosen. \
                  `weekends off`: no bank of yours (`-clock`) runs on a Saturday or Sunday of your zone; opponents see \
                  it.\n\n\
                  `zone Europe/Paris`: where your days are counted. `limit GAME 5`: no challenges beyond so many \
                  games (`off`: as many as come; a game counts once both have played). `reject GAME` and \
                  `accept GAME`: no challenges to that game at all, and again. `block userid` and `unblock userid`: \
                  no mail between the two of you but moves, and no challenges or seeks; a game in play goes on.\n\n\
                  Several may stand in one command. Without any it shows what is set.",
    example: "set ann plover-42 zone Europe/Paris digest on",
    keywords: KEYS,
    ..Entry::of_server("set", "userid password [key value ...]", read)
};

fn read(args: &mut Args) -> Result<Command, ArgumentError> {
    args.writer()?;
    let mut settings = Vec::new();
    while !args.is_empty() {
        settings.push(setting(args)?);
    }
    Ok(Command::Set(Set { settings }))
}

fn setting(args: &mut Args) -> Result<Setting, ArgumentError> {
    let key = args.word("what is to be set")?;
    Ok(match key.text.to_ascii_lowercase().as_str() {
        "drawing" => {
            let word = args.word("`full`, `compact` or `words`")?;
            let style = word.text.to_ascii_lowercase().parse();
            Setting::Drawing(style.map_err(|_| word.error("`full`, `compact` or `words` is expected here"))?)
        }
        "zone" => Setting::Zone(args.word("a zone such as Europe/Paris")?.text),
        "limit" => {
            let game = game(args)?;
            Setting::GameLimit(game, limit(args)?)
        }
        "reject" => Setting::Reject(game(args)?, true),
        "accept" => Setting::Reject(game(args)?, false),
        "block" => Setting::Block(args.userid("the userid to block")?, true),
        "unblock" => Setting::Block(args.userid("the userid to unblock")?, false),
        other => match SWITCHES.iter().find(|(key, _)| *key == other) {
            Some((_, switch)) => Setting::Switch(*switch, args.on_or_off()?),
            None => return Err(key.error(unknown_key(other))),
        },
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
    registry::find(&word.text)
        .ok_or_else(|| word.error("the name of a game is expected here; `help rules` lists them"))
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

pub(crate) fn set(ctx: &mut Context<'_>, by: &Account, command: Set) -> Result<Event, CommandError> {
    for setting in command.settings {
        set_one(ctx, by, setting)?;
    }
    settings_of(ctx, by)
}

fn set_one(ctx: &mut Context<'_>, account: &Account, setting: Setting) -> Result<(), CommandError> {
    match setting {
        Setting::Switch(Switch::Weekends, on) => {
            clocks::set_weekends(ctx.store, account.id, !on, ctx.now)?;
        }
        Setting::Switch(switch, on) => {
            let mut settings = ctx.store.settings(account.id)?;
            *field(&mut settings, switch) = on;
            ctx.store.set_settings(account.id, &settings, ctx.now)?;
        }
        Setting::Drawing(style) => ctx.store.set_drawing(account.id, style)?,
        Setting::Zone(name) => {
            let Some(zone) = crate::zone::find(&name) else {
                return refuse!(
                    "There is no time zone of that name. Zones are written as Europe/Paris or America/New_York, or UTC."
                );
            };
            ctx.store.set_zone(account.id, zone.iana_name().unwrap_or("UTC"))?;
            let free = !ctx.store.settings(account.id)?.weekends;
            clocks::set_weekends(ctx.store, account.id, free, ctx.now)?;
        }
        Setting::GameLimit(game, at_most) => {
            let settings = ctx.store.game_settings(account.id, game.key)?;
            let settings = crate::store::GameSettings { at_most, ..settings };
            ctx.store.set_game_settings(account.id, game.key, &settings)?;
        }
        Setting::Reject(game, rejects) => {
            let settings = ctx.store.game_settings(account.id, game.key)?;
            let settings = crate::store::GameSettings { rejects, ..settings };
            ctx.store.set_game_settings(account.id, game.key, &settings)?;
        }
        Setting::Block(userid, on) => set_block(ctx, account, &userid, on)?,
    }
    Ok(())
}

fn set_block(
    ctx: &mut Context<'_>,
    account: &Account,
    userid: &Userid,
    on: bool,
) -> Result<(), CommandError> {
    let other = ctx.store.player(userid)?.filter(|other| !other.is_deleted());
    let Some(other) = other else {
        return Err(no_such_userid(ctx.nearest(userid)?).into());
    };
    if other.id == account.id {
        return refuse!("You cannot block yourself.");
    }
    match on {
        true => ctx.store.block(account.id, other.id)?,
        false => ctx.store.end_block(account.id, other.id)?,
    }
    Ok(())
}

fn settings_of(ctx: &Context<'_>, account: &Account) -> Result<Event, CommandError> {
    let mut games = Vec::new();
    for game in registry::games() {
        let set = ctx.store.game_settings(account.id, game.key)?;
        if set.rejects {
            games.push(format!("No challenges to {}.", game.name));
        } else if let Some(limit) = set.at_most {
            let games_word = if limit == 1 { "game" } else { "games" };
            games.push(format!("No more than {limit} {games_word} of {} at once.", game.name));
        }
        if set.tells_ends {
            games.push(format!("A mail whenever a game of {} ends.", game.name));
        }
    }
    let mut blocked = Vec::new();
    for other in ctx.store.blocked(account.id)? {
        blocked.push(ctx.store.player_by_id(other)?.userid.to_string());
    }
    let Account { zone, drawing, .. } = ctx.store.player_by_id(account.id)?;
    let settings = SettingsView {
        userid: account.userid.to_string(),
        switches: switches(ctx.store, account.id)?.to_vec(),
        drawing: drawing.as_str(),
        zone,
        games,
        blocked,
    };
    Ok(Event::page("set.txt", data(&settings), None))
}

/// The switches of a player, by their keys.
pub(crate) fn switches(store: &Store, player: PlayerId) -> Result<[(&'static str, bool); 9], StoreError> {
    let mut settings = store.settings(player)?;
    Ok(SWITCHES.map(|(key, switch)| (key, *field(&mut settings, switch))))
}

fn field(settings: &mut AccountSettings, switch: Switch) -> &mut bool {
    match switch {
        Switch::Html => &mut settings.html,
        Switch::Picture => &mut settings.picture,
        Switch::Broadcast => &mut settings.broadcast,
        Switch::Digest => &mut settings.digest,
        Switch::Openness => &mut settings.openness,
        Switch::Afterword => &mut settings.afterword,
        Switch::Announce => &mut settings.announce,
        Switch::Confirm => &mut settings.confirm,
        Switch::Weekends => &mut settings.weekends,
    }
}

/// All that a player has set.
#[derive(Debug, Clone, Serialize)]
struct SettingsView {
    /// Whose.
    userid: String,
    /// Switches by their keys.
    switches: Vec<(&'static str, bool)>,
    drawing: &'static str,
    zone: String,
    /// What is set for games, a sentence each.
    games: Vec<String>,
    /// Whom they keep away.
    blocked: Vec<String>,
}
