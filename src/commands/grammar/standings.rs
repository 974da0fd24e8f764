//! Players by rating.
//!
//! ```text
//! game standings [place | userid ...]
//! game ratings [place | userid ...]
//! ```

use super::who::Who;
use crate::commands::{Command, Entry};
use crate::ids::Userid;
use crate::language::Parameters;
use crate::language::args::{Args, ArgumentError};
use turnpost_games::GameKind;

/// `standings` or `ratings`, which differ in their columns.
#[derive(Debug, Clone)]
pub struct Standings {
    pub game: &'static GameKind,
    pub ranks: Ranks,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ranks {
    /// From this place on; the first is 1.
    From(u32),
    Of(Vec<Userid>),
}

impl Parameters for Standings {}

pub(crate) const STANDINGS: Entry = Entry {
    aliases: &["players"],
    summary: "lists players by rating, with rated games won, lost and tied",
    details: "The first 50 places; with a number, the 50 places from that one on; with userids, those players alone. \
                  Who has no rated game has no place.",
    example: "GAME standings",
    without_game: &["players"],
    ..Entry::of_game("standings", "[place | userid ...]", |args| match args.named_game() {
        Some(_) => Ok(Command::Standings(read(args)?)),
        // `players` alone.
        None => Ok(Command::Who(Who { userid: None })),
    })
};

pub(crate) const RATINGS: Entry = Entry {
    summary: "lists players by rating, with the deviation of each",
    details: "As `standings`. Ratings are Glicko-2, a rating period a game; everybody begins at 1500, and until the \
                  deviation is under 110 a rating is provisional and marked with `?`. Not rated are games that were \
                  declined or replayed, those in which a player made fewer than four plies, and boards whose start says so.",
    example: "GAME ratings",
    ..Entry::of_game("ratings", "[place | userid ...]", |args| Ok(Command::Ratings(read(args)?)))
};

fn read(args: &mut Args) -> Result<Standings, ArgumentError> {
    Ok(Standings { game: args.game, ranks: ranks(args)? })
}

fn ranks(args: &mut Args) -> Result<Ranks, ArgumentError> {
    let words = args.rest();
    match words.as_slice() {
        [] => return Ok(Ranks::From(1)),
        [word] if word.text.starts_with(|c: char| c.is_ascii_digit()) => {
            let place = word.text.parse().ok().filter(|place| *place > 0);
            return place
                .map(Ranks::From)
                .ok_or_else(|| word.error("a place, which is a whole number from 1 on, is expected here"));
        }
        _ => {}
    }
    let userids = words.iter().map(|word| {
        word.text.parse().map_err(|_| word.error("a userid, or a place alone, is expected here"))
    });
    Ok(Ranks::Of(userids.collect::<Result<_, _>>()?))
}
