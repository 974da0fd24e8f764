//! Starting boards.
//!
//! ```text
//! game challenge [options] userid1 userid2      (`robot` with --level=N is `robot-N`)
//! ```

use super::args::{Args, Expected};
use super::table::{Entry, ROBOT, Scope, closest};
use super::token::option;
use super::{BoardOptions, Command};
use crate::ids::ROBOT_LEVELS;
use crate::ids::Userid;
use turnpost_games::{GameKind, GameOption};

pub(super) const ENTRIES: &[Entry] = &[Entry {
    word: "challenge",
    aliases: &["chall"],
    scope: Scope::Game,
    arguments: "[options] userid1 userid2",
    summary: "starts a board at once; userid1 has the first move",
    details: "From mail, the sender must be one of the two. The game's own options are on its help page. Those of every \
              game: `-position=\"...\"` starts from a position text, unrated; `--nagtime=D` days until a reminder (7), \
              `--forfeittime=D` days until the player to move loses (21), `--totaltime=D` days for all of a player's moves \
              (none), each with 0 for never; `--unrated` keeps the board out of the ratings; `--lots` draws who is \
              first; `--swap` lets the second player answer ply 1 with `swap`. `robot` in place of a userid is the robot: \
              --level=N says how well it plays, from 1 (a beginner can beat it) to 9; 3 where it is not given. `robot-5` is \
              the robot at level 5; each level has a rating of its own. It plays Hexmeister at levels 1 to 3.\n\nThe robot \
              answers in the answer to your move, or, at the highest levels, in a mail that follows. It agrees to no draws, \
              lets you take back a ply in unrated games, changes no seats, and takes no seeks. Nobody plays more than a few \
              games with it at once. Nobody who has a game in play starts another of the same kind from a given position, \
              against anybody: it could be used to ask for advice.",
    example: "GAME challenge ann bob",
    read: read_challenge,
}];

fn read_challenge(args: &mut Args) -> Result<Command, Expected> {
    let game = args.game;
    let mut options = board_options(args)?;
    let [first, second] = players(args, options.level.take())?;
    Ok(Command::Challenge { game, options, first, second })
}

/// The level of `robot` where none is given.
pub const DEFAULT_LEVEL: u8 = 3;

/// The userid of the robot at a level.
pub fn robot_userid(level: Option<u8>) -> Option<Userid> {
    format!("{ROBOT}-{}", level.unwrap_or(DEFAULT_LEVEL)).parse().ok()
}

/// Two userids; `robot` is the robot at `level`.
pub(super) fn players(args: &mut Args, level: Option<u8>) -> Result<[Userid; 2], Expected> {
    let mut players =
        [args.userid("the userid of the first player")?, args.userid("the userid of the second player")?];
    let mut named = 0;
    for player in &mut players {
        if player.as_str().eq_ignore_ascii_case(ROBOT)
            && let Some(robot) = robot_userid(level)
        {
            *player = robot;
            named += 1;
        }
    }
    if level.is_some() && named == 0 {
        return Err(Expected::at(None, "--level is for a game against `robot`"));
    }
    Ok(players)
}

/// The options of a board that nobody sits at yet.
pub(super) fn no_level(options: BoardOptions) -> Result<BoardOptions, Expected> {
    match options.level {
        Some(_) => Err(Expected::at(None, "--level is for a challenge of `robot`, which takes no seeks")),
        None => Ok(options),
    }
}

/// One option, read.
enum Chosen {
    Game(String, Option<String>),
    Position(String),
    Nag(u32),
    Forfeit(u32),
    Total(u32),
    Unrated,
    Lots,
    Swap,
    Level(u8),
}

/// Options that every game has, as they are offered when one was misspelt.
const SERVER_OPTIONS: &[&str] = &[
    "--nagtime=D",
    "--forfeittime=D",
    "--totaltime=D",
    "--unrated",
    "--lots",
    "--swap",
    "--level=N",
    "-position=\"...\"",
];

/// Takes the options of a new board out of the arguments, wherever they stand.
pub(super) fn board_options(args: &mut Args) -> Result<BoardOptions, Expected> {
    options_but(args, |_| false)
}

/// The same where a password stands among the arguments: it may begin as options do, or be `-`. What is no option known
/// here keeps its place.
pub(super) fn board_options_beside_a_password(args: &mut Args) -> Result<BoardOptions, Expected> {
    let game = args.game;
    options_but(args, |word| !is_option(game, word))
}

/// Whether a word is written as one of the options is.
fn is_option(game: &'static GameKind, word: &str) -> bool {
    let name = word.split_once('=').map_or(word, |(name, _)| name).to_ascii_lowercase();
    SERVER_OPTIONS.iter().any(|known| known.split_once('=').map_or(*known, |(known, _)| known) == name)
        || game.options.iter().any(|option| name.strip_prefix('-') == Some(option.name))
}

fn options_but(args: &mut Args, leave: impl Fn(&str) -> bool) -> Result<BoardOptions, Expected> {
    let game = args.game;
    let mut options = BoardOptions::default();
    for chosen in args.extract(|word| if leave(word) { None } else { read_option(game, word) })? {
        let twice = match chosen {
            Chosen::Game(name, value) => {
                let twice = options.game.iter().any(|(known, _)| *known == name);
                options.game.push((name, value));
                twice
            }
            Chosen::Position(text) => options.position.replace(text).is_some(),
            Chosen::Nag(days) => options.nag.replace(days).is_some(),
            Chosen::Forfeit(days) => options.forfeit.replace(days).is_some(),
            Chosen::Total(days) => options.total.replace(days).is_some(),
            Chosen::Unrated => std::mem::replace(&mut options.unrated, true),
            Chosen::Lots => std::mem::replace(&mut options.lots, true),
            Chosen::Swap => std::mem::replace(&mut options.swap, true),
            Chosen::Level(level) => options.level.replace(level).is_some(),
        };
        if twice {
            return Err(Expected::at(None, "an option is given twice"));
        }
    }
    Ok(options)
}

fn read_option(game: &'static GameKind, word: &str) -> Option<Result<Chosen, String>> {
    // A position text holds `-` nowhere and a userid never begins with it: here every such word is meant as an option.
    if !word.starts_with('-') {
        return None;
    }
    let (name, value) = match word.split_once('=') {
        Some((name, value)) => (name.to_ascii_lowercase(), Some(value)),
        None => (word.to_ascii_lowercase(), None),
    };
    Some(match name.as_str() {
        "--nagtime" => days(value).map(Chosen::Nag),
        "--forfeittime" => days(value).map(Chosen::Forfeit),
        "--totaltime" => days(value).map(Chosen::Total),
        "--unrated" => without_value(value).map(|()| Chosen::Unrated),
        "--lots" => without_value(value).map(|()| Chosen::Lots),
        "--swap" => without_value(value).map(|()| Chosen::Swap),
        "--level" => level(value).map(Chosen::Level),
        "-position" => match value {
            Some(text) if !text.is_empty() => Ok(Chosen::Position(text.to_owned())),
            _ => Err("a position is expected behind the `=`, in quotes".to_owned()),
        },
        _ => match game.options.iter().find(|option| name.strip_prefix('-') == Some(option.name)) {
            Some(option) => game_option(option, value),
            None => Err(unknown_option(game, &name)),
        },
    })
}

/// Reads `--rating=1400-1800`.
pub(super) fn rating_option(word: &str) -> Option<Result<(u16, u16), String>> {
    let (name, value) = word.split_once('=')?;
    if !name.eq_ignore_ascii_case("--rating") {
        return None;
    }
    let bounds =
        value.split_once('-').and_then(|(least, most)| Some((least.parse().ok()?, most.parse().ok()?)));
    Some(bounds.filter(|(least, most)| least <= most).ok_or_else(|| {
        "two ratings are expected behind the `=`, the lower first, as in --rating=1400-1800".to_owned()
    }))
}

fn game_option(option: &GameOption, value: Option<&str>) -> Result<Chosen, String> {
    match (option.value, value) {
        (None, _) => without_value(value).map(|()| Chosen::Game(option.name.to_owned(), None)),
        (Some(_), Some(value)) if !value.is_empty() => {
            Ok(Chosen::Game(option.name.to_owned(), Some(value.to_owned())))
        }
        (Some(_), _) => Err(format!("a value is expected: {}", option.written())),
    }
}

fn without_value(value: Option<&str>) -> Result<(), String> {
    match value {
        None => Ok(()),
        Some(_) => Err("this option takes no value".to_owned()),
    }
}

fn days(value: Option<&str>) -> Result<u32, String> {
    value
        .filter(|value| value.bytes().all(|b| b.is_ascii_digit()))
        .and_then(|value| value.parse().ok())
        .filter(|days| *days <= 3650)
        .ok_or_else(|| "a number of days from 0 to 3650 is expected behind the `=`".to_owned())
}

fn level(value: Option<&str>) -> Result<u8, String> {
    value
        .and_then(|value| value.parse().ok())
        .filter(|level| (1..=ROBOT_LEVELS).contains(level))
        .ok_or_else(|| format!("a level from 1 to {ROBOT_LEVELS} is expected behind the `=`"))
}

fn unknown_option(game: &GameKind, name: &str) -> String {
    let offered = offered_options(game);
    let near = closest(
        name.trim_start_matches('-'),
        offered.iter().map(|option| option.split('=').next().unwrap_or(option).trim_start_matches('-')),
    )
    .and_then(|near| offered.iter().find(|option| option.trim_start_matches('-').starts_with(near)));
    match near {
        Some(near) => format!("this is no option of {}; did you mean `{near}`?", game.name),
        None => format!("this is no option of {}; there are {}", game.name, offered.join(", ")),
    }
}

impl BoardOptions {
    /// Each option as it was given.
    pub fn written(&self) -> Vec<String> {
        let mut written: Vec<String> =
            self.game.iter().map(|(name, value)| option(name, value.as_deref())).collect();
        let days = [("nagtime", self.nag), ("forfeittime", self.forfeit), ("totaltime", self.total)];
        written.extend(days.iter().filter_map(|(name, days)| days.map(|days| format!("--{name}={days}"))));
        let flags = [("unrated", self.unrated), ("lots", self.lots), ("swap", self.swap)];
        written.extend(flags.iter().filter(|(_, given)| *given).map(|(name, _)| format!("--{name}")));
        written.extend(self.position.iter().map(|_| "-position=...".to_owned()));
        written
    }
}

/// Every option of a new board as it is written.
pub fn offered_options(game: &GameKind) -> Vec<String> {
    game.options
        .iter()
        .map(GameOption::written)
        .chain(SERVER_OPTIONS.iter().map(|option| (*option).to_owned()))
        .collect()
}
