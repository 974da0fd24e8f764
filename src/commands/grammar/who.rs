//! A player's card, the players who came last, or those of nearly the same rating.
//!
//! ```text
//! who [userid]
//! [game] who near userid
//! ```

use crate::commands::{Command, Entry};
use crate::ids::Userid;
use crate::language::args::{Args, ArgumentError};
use crate::language::{NO_USERID, Parameters, WriterPlace};
use turnpost_games::GameKind;

#[derive(Debug, Clone)]
pub struct Who {
    pub userid: Option<Userid>,
}

impl Parameters for Who {}

/// The players whose ratings are nearest to somebody's.
#[derive(Debug, Clone)]
pub struct Near {
    pub userid: Userid,
    /// None: at every game they have a rating at.
    pub game: Option<&'static GameKind>,
}

impl Parameters for Near {}

/// Stands where a userid could, so nobody is called so.
pub(crate) const NEAR: &str = "near";

pub(crate) const WHO: Entry = Entry {
    summary: "shows a player's card",
    details: "Since when, games in play and finished, and vacations. Without a userid it lists the players who \
                  came last. `who near ann` lists the players whose ratings are nearest to ann's, `dvonn who near ann` \
                  those at DVONN; your own userid may be left out.",
    example: "who ann",
    keywords: &[NEAR],
    writer: WriterPlace::Last(NO_USERID),
    ..Entry::of_server("who", "[userid] | near userid", |args| {
        if args.take(NEAR) {
            return read_near(args);
        }
        let userid = if args.is_empty() { None } else { Some(args.userid("a userid")?) };
        Ok(Command::Who(Who { userid }))
    })
};

pub(crate) const GAME_WHO: Entry = Entry {
    summary: "lists players of nearly the same rating",
    details: "The nearest first, each with the rating, rated games and the day of the last move: people who have moved \
                  in the last 90 days. Without the game's name it does so for every game the player has a rating at. \
                  Your own userid may be left out.",
    example: "GAME who near ann",
    writer: WriterPlace::Last(NO_USERID),
    ..Entry::of_game("who", "near userid", |args| {
        if !args.take(NEAR) {
            let word = args.word("`near`")?;
            return Err(word.error("`near` and a userid are expected here; `who` and a userid show a player"));
        }
        read_near(args)
    })
};

fn read_near(args: &mut Args) -> Result<Command, ArgumentError> {
    Ok(Command::Near(Near { userid: args.userid("a userid")?, game: args.named_game() }))
}
