//! Open challenges.
//!
//! ```text
//! game seek [options] [--rating=LEAST-MOST] userid password
//! game seek off userid password
//! game accept seek number userid password
//! game seeks
//! ```

use crate::commands::{Command, Entry};
use crate::ids::BoardId;
use crate::language::args::{Args, ArgumentError};
use crate::language::options::{board_options_beside_a_password, no_level};
use crate::language::{BoardOptions, Login, Parameters, WriterPlace};
use turnpost_games::GameKind;

#[derive(Debug, Clone)]
pub struct Seek {
    pub game: &'static GameKind,
    pub login: Login,
    pub options: BoardOptions,
    /// The opponent's rating.
    pub rating: Option<RatingRange>,
}

/// Both bounds are included.
#[derive(Debug, Clone, Copy)]
pub struct RatingRange {
    pub least: u16,
    pub most: u16,
}

impl Parameters for Seek {
    fn login(&self) -> Option<&Login> {
        Some(&self.login)
    }
}

/// Takes one's own seeks back.
#[derive(Debug, Clone)]
pub struct SeekOff {
    pub game: &'static GameKind,
    pub login: Login,
}

impl Parameters for SeekOff {
    fn login(&self) -> Option<&Login> {
        Some(&self.login)
    }
}

#[derive(Debug, Clone)]
pub struct AcceptSeek {
    pub game: &'static GameKind,
    pub number: u32,
    pub login: Login,
}

impl Parameters for AcceptSeek {
    fn login(&self) -> Option<&Login> {
        Some(&self.login)
    }
}

/// Lists the open seeks.
#[derive(Debug, Clone)]
pub struct Seeks {
    /// None: of every game.
    pub game: Option<&'static GameKind>,
}

impl Parameters for Seeks {}

pub(crate) const SEEK: Entry = Entry {
    summary: "an open challenge, for anybody to accept",
    details: "The options are those of a challenge, and `--rating=1400-1800` for the opponent's rating. It ends after \
                  30 days, or with `seek off`.",
    example: "GAME seek ann plover-42",
    writer: WriterPlace::LastWithPassword,
    ..Entry::of_game("seek", "[options] userid password | off userid password", read_seek)
};

pub(crate) const SEEKS: Entry = Entry {
    summary: "lists the open challenges",
    details: "Each with its number, for `accept seek`. Without a game's name it lists those of all games.",
    example: "GAME seeks",
    without_game: &["seeks"],
    ..Entry::of_game("seeks", "", |args| Ok(Command::Seeks(Seeks { game: args.named_game() })))
};

fn read_seek(args: &mut Args) -> Result<Command, ArgumentError> {
    let game = args.game;
    if args.take("off") {
        return Ok(Command::SeekOff(SeekOff { game, login: args.login()? }));
    }
    let rating = args.extract(rating_option)?.pop();
    let options = no_level(board_options_beside_a_password(args)?)?;
    let login = args.login()?;
    Ok(Command::Seek(Seek { game, login, options, rating }))
}

/// Reads what stands behind `accept seek`.
pub(crate) fn read_accept(args: &mut Args) -> Result<Command, ArgumentError> {
    let word = args.word("the number of a seek")?;
    let number = word.text.parse::<BoardId>();
    let number =
        number.map_err(|_| word.error("the number of a seek is expected here; `seeks` lists them"))?;
    Ok(Command::AcceptSeek(AcceptSeek { game: args.game, number: number.0, login: args.login()? }))
}

/// Reads `--rating=1400-1800`.
fn rating_option(word: &str) -> Option<Result<RatingRange, String>> {
    let (name, value) = word.split_once('=')?;
    if !name.eq_ignore_ascii_case("--rating") {
        return None;
    }
    let range = value
        .split_once('-')
        .and_then(|(least, most)| Some(RatingRange { least: least.parse().ok()?, most: most.parse().ok()? }));
    Some(range.filter(|range| range.least <= range.most).ok_or_else(|| {
        "two ratings are expected behind the `=`, the lower first, as in --rating=1400-1800".to_owned()
    }))
}
