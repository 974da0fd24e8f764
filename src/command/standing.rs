//! Who is how good, and what is played.
//!
//! ```text
//! list [game ...]
//! game standings [place | userid ...]
//! game ratings [place | userid ...]
//! ```

use super::Command;
use super::args::{Args, Expected};
use super::table::{Entry, Scope};
use crate::ids::Userid;
use turnpost_games::GameKind;
use turnpost_games::registry::{self, GAMES};

/// A command about all players.
#[derive(Debug, Clone)]
pub enum StandingCommand {
    /// `list [game ...]`
    List {
        /// Which; none: all.
        games: Vec<&'static GameKind>,
    },
    /// `game standings ...`
    Standings {
        /// The game.
        game: &'static GameKind,
        /// Which places.
        ranks: Ranks,
    },
    /// `game ratings ...`
    Ratings {
        /// The game.
        game: &'static GameKind,
        /// Which places.
        ranks: Ranks,
    },
}

/// Which places of a ranking.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ranks {
    /// From this place on, the first is 1.
    From(u32),
    /// Those of some players.
    Of(Vec<Userid>),
}

pub(super) const ENTRIES: &[Entry] = &[
    Entry {
        word: "list",
        aliases: &[],
        scope: Scope::Server,
        arguments: "[game ...]",
        summary: "lists the boards in play and those that ended lately, game by game",
        details: "Without a game's name all games. Of each game the newest 50 boards in play and the last 20 that ended.",
        example: "list",
        read: read_list,
    },
    Entry {
        word: "standings",
        aliases: &[],
        scope: Scope::Game,
        arguments: "[place | userid ...]",
        summary: "lists players by rating, with rated games won, lost and tied",
        details: "The first 50 places; with a number, the 50 places from that one on; with userids, those players alone. \
                  Who has no rated game has no place.",
        example: "GAME standings",
        read: read_standings,
    },
    Entry {
        word: "ratings",
        aliases: &[],
        scope: Scope::Game,
        arguments: "[place | userid ...]",
        summary: "lists players by rating, with the deviation of each",
        details: "As `standings`. Ratings are Glicko-2, a rating period a game; everybody begins at 1500, and until the \
                  deviation is under 110 a rating is provisional and marked with `?`. Not rated are games that were \
                  declined or replayed, those in which a player made fewer than four plies, and boards whose start says so.",
        example: "GAME ratings",
        read: read_ratings,
    },
];

fn read_list(args: &mut Args) -> Result<Command, Expected> {
    let mut games: Vec<&'static GameKind> = Vec::new();
    for (at, word) in args.rest() {
        let Some(game) = registry::find(&word) else {
            let known: Vec<&str> = GAMES.iter().map(|game| game.key).collect();
            let why = format!("the name of a game is expected here; there are {}", known.join(", "));
            return Err(Expected::at(Some(at), why));
        };
        if !games.iter().any(|known| known.key == game.key) {
            games.push(game);
        }
    }
    Ok(Command::Standing(StandingCommand::List { games }))
}

fn read_standings(args: &mut Args) -> Result<Command, Expected> {
    Ok(Command::Standing(StandingCommand::Standings { game: args.game, ranks: ranks(args)? }))
}

fn read_ratings(args: &mut Args) -> Result<Command, Expected> {
    Ok(Command::Standing(StandingCommand::Ratings { game: args.game, ranks: ranks(args)? }))
}

fn ranks(args: &mut Args) -> Result<Ranks, Expected> {
    let words = args.rest();
    match words.as_slice() {
        [] => return Ok(Ranks::From(1)),
        [(at, word)] if word.starts_with(|c: char| c.is_ascii_digit()) => {
            let place = word.parse().ok().filter(|place| *place > 0);
            return place.map(Ranks::From).ok_or_else(|| {
                Expected::at(Some(*at), "a place, which is a whole number from 1 on, is expected here")
            });
        }
        _ => {}
    }
    let userids = words.into_iter().map(|(at, word)| {
        word.parse().map_err(|_| Expected::at(Some(at), "a userid, or a place alone, is expected here"))
    });
    Ok(Ranks::Of(userids.collect::<Result<_, _>>()?))
}
