//! The options of a new board.
//!
//! ```text
//! -position="..." --nagtime=D --forfeittime=D --totaltime=D -clock=20d+36h --unrated --lots --swap -nograce --level=N, and the game's own
//! ```

use serde::{Deserialize, Serialize};

use super::args::{Args, ArgumentError};
use super::spelling::closest;
use super::token::option;
use crate::ids::ROBOT_LEVELS;
use crate::store::Bank;
use turnpost_games::{GameKind, GameOption};

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct BoardOptions {
    /// The game's own options in the order given, names in lower case.
    pub game: Vec<(String, Option<String>)>,
    pub position: Option<String>,
    /// `--nagtime=`, days.
    pub nag: Option<u32>,
    /// `--forfeittime=`, days.
    pub forfeit: Option<u32>,
    /// `--totaltime=`, days.
    pub total: Option<u32>,
    pub clock: Option<Bank>,
    pub unrated: bool,
    pub lots: bool,
    pub swap: bool,
    /// `-nograce`: no move is taken back without consent. Options from before there was a choice have it.
    #[serde(default = "yes")]
    pub no_grace: bool,
    /// `-salt=`, the challenger's word for the dice of a game that has some.
    #[serde(default)]
    pub salt: Option<String>,
    /// `--level=`, for a game against `robot`. It chooses the opponent and is no option of the board.
    #[serde(skip)]
    pub level: Option<u8>,
}

fn yes() -> bool {
    true
}

/// Refuses `--level`, which only a challenge of `robot` takes.
pub(crate) fn no_level(options: BoardOptions) -> Result<BoardOptions, ArgumentError> {
    match options.level {
        Some(_) => Err(ArgumentError::at_end("--level is for a challenge of `robot`, which takes no seeks")),
        None => Ok(options),
    }
}

/// One option, read.
enum OptionValue {
    Game(String, Option<String>),
    Position(String),
    Nag(u32),
    Forfeit(u32),
    Total(u32),
    Clock(Bank),
    Unrated,
    Lots,
    Swap,
    NoGrace,
    Salt(String),
    Level(u8),
}

/// The options that every game has, as the error for a misspelt option lists them.
const SERVER_OPTIONS: &[&str] = &[
    "--nagtime=D",
    "--forfeittime=D",
    "--totaltime=D",
    "-clock=20d+36h",
    "--unrated",
    "--lots",
    "--swap",
    "-nograce",
    "--level=N",
    "-position=\"...\"",
];

/// Takes the options of a new board out of the arguments, at any place.
pub(crate) fn board_options(args: &mut Args) -> Result<BoardOptions, ArgumentError> {
    options_but(args, |_| false)
}

/// Takes the options of a new board out of arguments that include a password. The password can be `-` or
/// begin as options do, so a word that is no known option keeps its place.
pub(crate) fn board_options_beside_a_password(args: &mut Args) -> Result<BoardOptions, ArgumentError> {
    let game = args.game;
    options_but(args, |word| !is_option(game, word))
}

/// True for a word with the name of an option.
fn is_option(game: &'static GameKind, word: &str) -> bool {
    let name = word.split_once('=').map_or(word, |(name, _)| name).to_ascii_lowercase();
    SERVER_OPTIONS.iter().any(|known| known.split_once('=').map_or(*known, |(known, _)| known) == name)
        || game.options.iter().any(|option| name.strip_prefix('-') == Some(option.name))
}

fn options_but(args: &mut Args, leave: impl Fn(&str) -> bool) -> Result<BoardOptions, ArgumentError> {
    let game = args.game;
    let mut options = BoardOptions::default();
    for chosen in args.extract(|word| if leave(word) { None } else { read_option(game, word) })? {
        let twice = match chosen {
            OptionValue::Game(name, value) => {
                let twice = options.game.iter().any(|(known, _)| *known == name);
                options.game.push((name, value));
                twice
            }
            OptionValue::Position(text) => options.position.replace(text).is_some(),
            OptionValue::Nag(days) => options.nag.replace(days).is_some(),
            OptionValue::Forfeit(days) => options.forfeit.replace(days).is_some(),
            OptionValue::Total(days) => options.total.replace(days).is_some(),
            OptionValue::Clock(bank) => options.clock.replace(bank).is_some(),
            OptionValue::Unrated => std::mem::replace(&mut options.unrated, true),
            OptionValue::Lots => std::mem::replace(&mut options.lots, true),
            OptionValue::Swap => std::mem::replace(&mut options.swap, true),
            OptionValue::NoGrace => std::mem::replace(&mut options.no_grace, true),
            OptionValue::Salt(word) => options.salt.replace(word).is_some(),
            OptionValue::Level(level) => options.level.replace(level).is_some(),
        };
        if twice {
            return Err(ArgumentError::at_end("an option is given twice"));
        }
    }
    if options.clock.is_some() && (options.forfeit.is_some() || options.total.is_some()) {
        let why = "the bank of -clock is the only limit of its board, without --forfeittime and --totaltime";
        return Err(ArgumentError::at_end(why));
    }
    Ok(options)
}

fn read_option(game: &'static GameKind, word: &str) -> Option<Result<OptionValue, String>> {
    // A userid never begins with `-`, and a position is in quotes: here every such word is meant as an option.
    if !word.starts_with('-') {
        return None;
    }
    let (name, value) = match word.split_once('=') {
        Some((name, value)) => (name.to_ascii_lowercase(), Some(value)),
        None => (word.to_ascii_lowercase(), None),
    };
    Some(match name.as_str() {
        "--nagtime" => days(value).map(OptionValue::Nag),
        "--forfeittime" => days(value).map(OptionValue::Forfeit),
        "--totaltime" => days(value).map(OptionValue::Total),
        "-clock" => clock(value).map(OptionValue::Clock),
        "--unrated" => without_value(value).map(|()| OptionValue::Unrated),
        "--lots" => without_value(value).map(|()| OptionValue::Lots),
        "--swap" => without_value(value).map(|()| OptionValue::Swap),
        "-nograce" => without_value(value).map(|()| OptionValue::NoGrace),
        "--level" => level(value).map(OptionValue::Level),
        "-salt" if game.dice => match value {
            Some(word) if !word.is_empty() => Ok(OptionValue::Salt(word.to_owned())),
            _ => Err("a word of yours is expected after the `=`".to_owned()),
        },
        "-position" => match value {
            Some(text) if !text.is_empty() => Ok(OptionValue::Position(text.to_owned())),
            _ => Err("a position is expected after the `=`, in quotes".to_owned()),
        },
        _ => match game.options.iter().find(|option| name.strip_prefix('-') == Some(option.name)) {
            Some(option) => game_option(option, value),
            None => Err(unknown_option(game, &name)),
        },
    })
}

fn game_option(option: &GameOption, value: Option<&str>) -> Result<OptionValue, String> {
    match (option.value, value) {
        (None, _) => without_value(value).map(|()| OptionValue::Game(option.name.to_owned(), None)),
        (Some(_), Some(value)) if !value.is_empty() => {
            Ok(OptionValue::Game(option.name.to_owned(), Some(value.to_owned())))
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
        .ok_or_else(|| "a number of days from 0 to 3650 is expected after the `=`".to_owned())
}

/// Reads `20d+36h`: a bank, and what each move gives back.
fn clock(value: Option<&str>) -> Result<Bank, String> {
    Bank::read(value.unwrap_or_default()).ok_or_else(|| {
        "a clock is written -clock=20d+36h: a bank from 1h to 365d, and after the `+` what each move gives back, no more \
         than the bank"
            .to_owned()
    })
}

fn level(value: Option<&str>) -> Result<u8, String> {
    value
        .and_then(|value| value.parse().ok())
        .filter(|level| (1..=ROBOT_LEVELS).contains(level))
        .ok_or_else(|| format!("a level from 1 to {ROBOT_LEVELS} is expected after the `=`"))
}

/// True for a word that would be an option without a slip in its name.
pub(super) fn is_nearly_an_option(game: &GameKind, word: &str) -> bool {
    let (name, value) = word.split_once('=').unwrap_or((word, "0"));
    let bare = name.trim_start_matches('-').to_lowercase();
    let is_time = value.bytes().all(|b| b.is_ascii_digit()) || Bank::read(value).is_some();
    word.starts_with('-') && word.len() <= 40 && is_time && {
        let offered = offered_options(game);
        closest(&bare, offered.iter().map(|option| name_of(option)).chain(["rating", "before"])).is_some()
    }
}

/// The name of an option as it is offered.
fn name_of(option: &str) -> &str {
    option.split('=').next().unwrap_or(option).trim_start_matches('-')
}

fn unknown_option(game: &GameKind, name: &str) -> String {
    let offered = offered_options(game);
    let near = closest(name.trim_start_matches('-'), offered.iter().map(|option| name_of(option)))
        .and_then(|near| offered.iter().find(|option| option.trim_start_matches('-').starts_with(near)));
    match near {
        Some(near) => format!("this is no option of {}; did you mean `{near}`?", game.name),
        None => format!("this is no option of {}; there are {}", game.name, offered.join(", ")),
    }
}

impl BoardOptions {
    /// Each option as people read it, without the text of a position.
    pub(crate) fn written(&self) -> Vec<String> {
        let position = self.position.as_ref().map(|_| "...".to_owned());
        BoardOptions { position, ..self.clone() }.words()
    }

    /// Each option as it is written in a line.
    pub(crate) fn words(&self) -> Vec<String> {
        let mut written: Vec<String> =
            self.game.iter().map(|(name, value)| option(name, value.as_deref())).collect();
        let days = [("nagtime", self.nag), ("forfeittime", self.forfeit), ("totaltime", self.total)];
        written.extend(days.iter().filter_map(|(name, days)| days.map(|days| format!("--{name}={days}"))));
        written.extend(self.clock.map(|bank| format!("-clock={bank}")));
        let flags = [("unrated", self.unrated), ("lots", self.lots), ("swap", self.swap)];
        written.extend(flags.iter().filter(|(_, given)| *given).map(|(name, _)| format!("--{name}")));
        written.extend(self.no_grace.then(|| "-nograce".to_owned()));
        written.extend(self.salt.iter().map(|word| option("salt", Some(word))));
        written.extend(self.position.iter().map(|position| option("position", Some(position))));
        written
    }
}

/// Every option of a new board as it is written.
fn offered_options(game: &GameKind) -> Vec<String> {
    game.options
        .iter()
        .map(GameOption::written)
        .chain(SERVER_OPTIONS.iter().map(|option| (*option).to_owned()))
        .chain(game.dice.then(|| "-salt=WORD".to_owned()))
        .collect()
}
