//! Open challenges.
//!
//! ```text
//! game seek [options] [--rating=LEAST-MOST] userid password
//! game seek off userid password
//! game accept seek number userid password
//! game seeks
//! ```

use jiff::Timestamp;
use minijinja::context;
use turnpost_games::GameKind;
use turnpost_games::registry;

use crate::commands::opening::{agreed, signed_off};
use crate::commands::prelude::*;
use crate::commands::set_up;
use crate::failure::Error;
use crate::ids::BoardId;
use crate::language::BoardOptions;
use crate::language::options::{board_options_beside_a_password, no_level};
use crate::language::token::Written;
use crate::notices::open_seeks::{
    SEEK_ENDS, SEEKS_OF_A_WELCOME, SEEKS_SHOWN, open_seeks, rating_of, waiting,
};
use crate::notices::transcript::{OpenSeek, data};
use crate::store::{PlayerId, RatingRange, SeekState, Store};

#[derive(Debug, Clone)]
pub struct Seek {
    pub game: &'static GameKind,
    pub options: BoardOptions,
    /// The allowed ratings of the opponent.
    pub rating: Option<RatingRange>,
}

impl Parameters for Seek {
    fn line(&self, word: &str) -> String {
        let rating = self.rating.map(|range| format!("--rating={range}"));
        Written::new(self.game, word).and(self.options.words()).and(rating).end()
    }
}

/// Withdraws all seeks of the writer in a game.
#[derive(Debug, Clone)]
pub struct SeekOff {
    pub game: &'static GameKind,
}

impl Parameters for SeekOff {
    fn line(&self, word: &str) -> String {
        Written::new(self.game, word).and(["off"]).end()
    }
}

#[derive(Debug, Clone)]
pub struct AcceptSeek {
    pub game: &'static GameKind,
    pub number: u32,
}

impl Parameters for AcceptSeek {
    fn line(&self, word: &str) -> String {
        Written::new(self.game, word).and(["seek"]).and([self.number]).end()
    }
}

/// Lists the open seeks.
#[derive(Debug, Clone)]
pub struct Seeks {
    /// `None` means all games.
    pub game: Option<&'static GameKind>,
}

impl Parameters for Seeks {
    fn line(&self, word: &str) -> String {
        Written::new(self.game, word).end()
    }
}

pub(crate) const SEEK: Entry = Entry {
    by: Needs::Proven,
    summary: "an open challenge that any player can accept",
    details: "The options are those of a challenge, and `--rating=1400-1800` for the opponent's rating. It ends after \
                  30 days, or with `seek off`.",
    example: "GAME seek ann plover-42",
    ..Entry::of_game("seek", "[options] userid password | off userid password", read_seek)
};

pub(crate) const SEEKS: Entry = Entry {
    summary: "lists the open challenges",
    details: "Each has a number for `accept seek`. `seeks` without the game's name lists all kinds of game.",
    example: "GAME seeks",
    without_game: &["seeks"],
    ..Entry::of_game("seeks", "", |args| Ok(Command::Seeks(Seeks { game: args.named_game() })))
};

pub(crate) fn read_seek(args: &mut Args) -> Result<Command, ArgumentError> {
    let game = args.game;
    if args.take("off") {
        args.writer()?;
        return Ok(Command::SeekOff(SeekOff { game }));
    }
    let rating = args.extract(rating_option)?.pop();
    let options = no_level(board_options_beside_a_password(args)?)?;
    args.writer()?;
    Ok(Command::Seek(Seek { game, options, rating }))
}

/// Reads the words after `accept seek`.
pub(crate) fn read_accept(args: &mut Args) -> Result<Command, ArgumentError> {
    let word = args.word("the number of a seek")?;
    let number = word.text.parse::<BoardId>();
    let number =
        number.map_err(|_| word.error("the number of a seek is expected here; `seeks` lists them"))?;
    args.writer()?;
    Ok(Command::AcceptSeek(AcceptSeek { game: args.game, number: number.0 }))
}

/// Reads `--rating=1400-1800`.
fn rating_option(word: &str) -> Option<Result<RatingRange, String>> {
    let (name, value) = word.split_once('=')?;
    if !name.eq_ignore_ascii_case("--rating") {
        return None;
    }
    Some(RatingRange::read(value))
}

/// Maximum number of open seeks per player and game.
const SEEKS_AT_MOST: usize = 5;

/// Closes old seeks that no player accepted, and returns their number. All readers check the age anyway; this
/// keeps the administrator's lists short.
pub(crate) fn end_old(store: &Store, now: Timestamp) -> Result<usize, Error> {
    let before = now.checked_sub(SEEK_ENDS).unwrap_or(now);
    Ok(store.end_old_seeks(before)?.len())
}

pub(crate) fn seek(ctx: &mut Context<'_>, by: &Account, command: Seek) -> Result<Event, CommandError> {
    let Seek { game, options, rating } = &command;
    if !by.is_active() {
        return Err(signed_off(by.userid.clone()).into());
    }
    // Refuse impossible options now, not when the seek is accepted.
    set_up::set_up(ctx, game, options)?;
    if open_seeks(ctx.store, ctx.now, game)?.iter().filter(|seek| seek.player == by.id).count()
        >= SEEKS_AT_MOST
    {
        return refuse!(
            "You have {SEEKS_AT_MOST} open seeks already; `{game} seek off` takes them back.",
            game = game.key
        );
    }
    let text = serde_json::to_string(options).unwrap_or_default();
    let number = ctx.store.add_seek(game.key, by.id, &text, *rating, ctx.now)?;
    Ok(Event::page("seek.md", context! { number }, None))
}

pub(crate) fn seek_off(ctx: &mut Context<'_>, by: &Account, command: SeekOff) -> Result<Event, CommandError> {
    let SeekOff { game } = &command;
    let mut numbers = Vec::new();
    for seek in open_seeks(ctx.store, ctx.now, game)?.into_iter().filter(|seek| seek.player == by.id) {
        ctx.store.close_seek(seek.id, None)?;
        numbers.push(seek.id.to_string());
    }
    Ok(Event::page("seek-off.md", context! { game => game.name, numbers }, None))
}

pub(crate) fn accept_seek(
    ctx: &mut Context<'_>,
    by: &Account,
    command: AcceptSeek,
) -> Result<Event, CommandError> {
    let AcceptSeek { game, number } = &command;
    let number = *number;
    let since = ctx.now.checked_sub(SEEK_ENDS).unwrap_or(ctx.now);
    let seek = ctx
        .store
        .seek(number)?
        .filter(|seek| seek.state == SeekState::Open && seek.game == game.key && seek.made_at > since)
        .ok_or_else(|| {
            refusal!("There is no open seek of that number. `{game} seeks` lists them.", game = game.key)
        })?;
    if seek.player == by.id {
        return refuse!(
            "This seek is your own, for others to accept. `{game} seek off` takes it back.",
            game = game.key
        );
    }
    if let Some(range) = seek.rating {
        let rating = rating_of(ctx.store, game.key, by.id)?;
        if !range.contains(rating) {
            let RatingRange { least, most } = range;
            return refuse!("This seek is for ratings from {least} to {most}, and yours is {rating}.");
        }
    }
    let mut options: BoardOptions = serde_json::from_str(&seek.options).unwrap_or_default();
    options.lots = true;
    let event = agreed(ctx, game, [seek.player, by.id], &options)?;
    ctx.store.close_seek(seek.id, event.thread().map(|thread| thread.board))?;
    Ok(event)
}

pub(crate) fn seeks(ctx: &mut Context<'_>, command: Seeks) -> Result<Event, CommandError> {
    let asked = command.game.as_ref().map_or(registry::games(), std::slice::from_ref);
    let mut open = waiting(ctx.store, ctx.now, asked, SEEKS_SHOWN + 1)?;
    let more = open.len() > SEEKS_SHOWN;
    open.truncate(SEEKS_SHOWN);
    let seeks: Vec<OpenSeek> = open.into_iter().map(|seek| seek.shown).collect();
    let (game, game_name) = (command.game.map(|game| game.key), command.game.map(|game| game.name));
    Ok(Event::page("seeks.md", context! { game, game_name, seeks => data(&seeks), more }, None))
}

/// Open seeks to show to a new player, all of which they can accept.
pub(crate) fn for_newcomer(ctx: &Context<'_>, player: PlayerId) -> Result<Vec<OpenSeek>, CommandError> {
    let mut seeks = Vec::new();
    for seek in waiting(ctx.store, ctx.now, registry::games(), SEEKS_SHOWN)? {
        if seeks.len() < SEEKS_OF_A_WELCOME && seek.is_for(ctx.store, player)? {
            seeks.push(seek.shown);
        }
    }
    Ok(seeks)
}
