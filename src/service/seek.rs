//! Open challenges: `seek`, `seek off`, `accept seek` and `seeks`.

use jiff::{SignedDuration, Timestamp};
use minijinja::context;
use turnpost_games::GameKind;
use turnpost_games::registry::GAMES;

use crate::command::BoardOptions;
use crate::command::seek::{AcceptSeek, Seek, SeekOff, Seeks};
use crate::ids::Seat;
use crate::service::challenge::ChallengeRefusal;
use crate::service::context::Context;
use crate::service::refusal::{Refuse, refuses};
use crate::service::transcript::{Event, OpenSeek};
use crate::service::{CommandError, Error, challenge, ratings};
use crate::store::{PlayerId, SeekRow, SeekState, Store, StoreError};

#[derive(Debug, thiserror::Error)]
enum SeekRefusal {
    #[error("You have {most} open seeks already; `{game} seek off` takes them back.")]
    TooManySeeks { most: usize, game: &'static str },
    #[error("There is no open seek of that number. `{game} seeks` lists them.")]
    NoSuchSeek { game: &'static str },
    #[error("This seek is your own, for others to accept. `{game} seek off` takes it back.")]
    OwnSeek { game: &'static str },
    #[error("This seek is for ratings from {least} to {most}, and yours is {rating}.")]
    RatingOutside { least: u16, most: u16, rating: i64 },
}

impl Refuse for SeekRefusal {}

refuses!(SeekRefusal);

const SEEK_ENDS: SignedDuration = SignedDuration::from_hours(30 * 24);

/// `seeks` shows this many, the newest first.
const SEEKS_SHOWN: usize = 50;

/// Stands in an example.
const FIRST_GAME: &str = "dvonn";

/// A welcome shows this many.
const SEEKS_OF_A_WELCOME: usize = 3;

/// Open seeks a player may have in a game.
const SEEKS_AT_MOST: usize = 5;

/// Closes old seeks that nobody accepted and counts them. Every reader checks their age anyway; this keeps the
/// administrator's lists short.
pub(super) fn end_old(store: &Store, now: Timestamp) -> Result<usize, Error> {
    let before = now.checked_sub(SEEK_ENDS).unwrap_or(now);
    Ok(store.end_old_seeks(before)?.len())
}

pub(super) fn seek(ctx: &mut Context<'_>, command: Seek) -> Result<Event, CommandError> {
    let Seek { game, login, options, rating } = &command;
    let rating = rating.map(|range| (range.least, range.most));
    let account = ctx.prove(login)?;
    if !account.is_active() {
        return Err(ChallengeRefusal::SignedOff { userid: account.userid }.into());
    }
    // Refuse impossible options now rather than when somebody accepts.
    challenge::set_up(ctx, game, options)?;
    if open_seeks(ctx.store, ctx.now, game)?.iter().filter(|seek| seek.player == account.id).count()
        >= SEEKS_AT_MOST
    {
        return Err(SeekRefusal::TooManySeeks { most: SEEKS_AT_MOST, game: game.key }.into());
    }
    let text = serde_json::to_string(options).unwrap_or_default();
    let number = ctx.store.add_seek(game.key, account.id, &text, rating, ctx.now)?;
    let line = format!("Your seek is number {number}; it ends when somebody accepts it, or after 30 days.");
    Ok(Event::page(
        "lines.txt",
        context! { title => format!("{} seek", game.name), lines => vec![line] },
        None,
    ))
}

pub(super) fn seek_off(ctx: &mut Context<'_>, command: SeekOff) -> Result<Event, CommandError> {
    let SeekOff { game, login } = &command;
    let account = ctx.prove(login)?;
    let mut ended = Vec::new();
    for seek in open_seeks(ctx.store, ctx.now, game)?.into_iter().filter(|seek| seek.player == account.id) {
        ctx.store.close_seek(seek.id, None)?;
        ended.push(format!("seek {} ended", seek.id));
    }
    Ok(Event::page(
        "lines.txt",
        context! { title => format!("{} seeks of {}", game.name, account.userid), lines => ended },
        None,
    ))
}

pub(super) fn accept_seek(ctx: &mut Context<'_>, command: AcceptSeek) -> Result<Event, CommandError> {
    let AcceptSeek { game, number, login } = &command;
    let number = *number;
    let account = ctx.prove(login)?;
    let since = ctx.now.checked_sub(SEEK_ENDS).unwrap_or(ctx.now);
    let seek = ctx
        .store
        .seek(number)?
        .filter(|seek| seek.state == SeekState::Open && seek.game == game.key && seek.made_at > since)
        .ok_or(SeekRefusal::NoSuchSeek { game: game.key })?;
    if seek.player == account.id {
        return Err(SeekRefusal::OwnSeek { game: game.key }.into());
    }
    if let Some((least, most)) = seek.rating {
        let rating = rating_of(ctx.store, game.key, account.id)?;
        if !(i64::from(least)..=i64::from(most)).contains(&rating) {
            return Err(SeekRefusal::RatingOutside { least, most, rating }.into());
        }
    }
    let seeker = challenge::challenged(ctx, &ctx.store.player_by_id(seek.player)?.userid, "first")?;
    let account = challenge::challenged(ctx, &account.userid, "second")?;
    let mut options: BoardOptions = serde_json::from_str(&seek.options).unwrap_or_default();
    options.lots = true;
    let start = challenge::set_up(ctx, game, &options)?;
    let players = [seeker, account];
    // Both players want this board, so their limits on challenges do not matter.
    challenge::may_play(ctx, game, &players, &Seat::BOTH)?;
    let event = challenge::open_board(ctx, game, players, Some(Seat::Second), &options, start)?;
    ctx.store.close_seek(seek.id, event.thread().map(|thread| thread.board))?;
    Ok(event)
}

pub(super) fn seeks(ctx: &mut Context<'_>, command: Seeks) -> Result<Event, CommandError> {
    let (mut open, title) = match command.game {
        Some(game) => {
            let title = format!("Open seeks for {}", game.name);
            (waiting(ctx.store, ctx.now, &[game], SEEKS_SHOWN + 1)?, title)
        }
        None => (waiting(ctx.store, ctx.now, GAMES, SEEKS_SHOWN + 1)?, "Open seeks".to_owned()),
    };
    let more = open.len() > SEEKS_SHOWN;
    open.truncate(SEEKS_SHOWN);
    let line = |WaitingSeek { shown: seek, .. }: &WaitingSeek| {
        let game = if command.game.is_none() { format!("{}  ", seek.game) } else { String::new() };
        format!("{:>5}  {game}{}{}", seek.number, seek.by, seek.terms)
    };
    let mut lines: Vec<String> = open.iter().map(line).collect();
    if more {
        lines.push("Older ones are left out; an accepted seek makes room for the next.".to_owned());
    }
    let game = command.game.map(|game| game.key);
    let how = match (open.first(), game) {
        (None, game) => {
            lines.push("    none".to_owned());
            format!("To make one: {} seek USERID PASSWORD", game.unwrap_or(FIRST_GAME))
        }
        (Some(_), Some(game)) => format!("To play one: {game} accept seek NUMBER USERID PASSWORD"),
        (Some(WaitingSeek { shown: OpenSeek { number, game, .. }, .. }), None) => {
            format!("To play one, say the first: {game} accept seek {number} USERID PASSWORD")
        }
    };
    lines.extend([String::new(), how]);
    Ok(Event::page("lines.txt", context! { title, lines }, None))
}

/// A seek that somebody can accept now.
#[derive(Debug, Clone)]
pub(crate) struct WaitingSeek {
    pub row: SeekRow,
    pub shown: OpenSeek,
}

impl WaitingSeek {
    /// True when this player may accept it: it is somebody else's, no block is between them, and their rating fits.
    pub(super) fn is_for(&self, store: &Store, player: PlayerId) -> Result<bool, StoreError> {
        let row = &self.row;
        if row.player == player || store.is_block_between(row.player, player)? {
            return Ok(false);
        }
        let Some((least, most)) = row.rating else { return Ok(true) };
        let rating = rating_of(store, &row.game, player)?;
        Ok((i64::from(least)..=i64::from(most)).contains(&rating))
    }
}

fn rating_of(store: &Store, game: &str, player: PlayerId) -> Result<i64, StoreError> {
    let row = store.rating(game, player)?.unwrap_or_else(|| ratings::unrated(player));
    Ok(row.rating / 100)
}

/// The first `most` open seeks of these games, the newest of each game first.
pub(crate) fn waiting(
    store: &Store,
    now: Timestamp,
    games: &[&'static GameKind],
    most: usize,
) -> Result<Vec<WaitingSeek>, StoreError> {
    let mut waiting = Vec::new();
    for game in games {
        for row in open_seeks(store, now, game)? {
            let seeker = store.player_by_id(row.player)?;
            // Hide seeks that nobody can accept now.
            if !seeker.is_active() || challenge::is_at_the_limit(store, game, seeker.id)? {
                continue;
            }
            if waiting.len() == most {
                return Ok(waiting);
            }
            let options: BoardOptions = serde_json::from_str(&row.options).unwrap_or_default();
            let rating =
                row.rating.map(|(least, most)| format!(", rating {least}-{most}")).unwrap_or_default();
            let options = options.written();
            let options = if options.is_empty() { String::new() } else { format!(", {}", options.join(" ")) };
            let (by, terms) = (seeker.userid.to_string(), format!("{rating}{options}"));
            let shown = OpenSeek { number: row.id, game: game.key, by, terms };
            waiting.push(WaitingSeek { row, shown });
        }
    }
    Ok(waiting)
}

/// The seeks that a new player is shown: some that they may accept.
pub(super) fn for_newcomer(ctx: &Context<'_>, player: PlayerId) -> Result<Vec<OpenSeek>, CommandError> {
    let mut seeks = Vec::new();
    for seek in waiting(ctx.store, ctx.now, GAMES, SEEKS_SHOWN)? {
        if seeks.len() < SEEKS_OF_A_WELCOME && seek.is_for(ctx.store, player)? {
            seeks.push(seek.shown);
        }
    }
    Ok(seeks)
}

/// A sentence about the seeks that a player may accept and their digest has not told of; `None` where there is none.
pub(super) fn news_for_digest(
    store: &Store,
    now: Timestamp,
    player: PlayerId,
) -> Result<Option<String>, StoreError> {
    let told = store.seeks_told(player)?;
    let mut news = Vec::new();
    let mut newest = told;
    for seek in waiting(store, now, GAMES, SEEKS_SHOWN)? {
        newest = newest.max(seek.row.id);
        if seek.row.id > told && seek.is_for(store, player)? {
            news.push(seek.shown);
        }
    }
    if newest > told {
        store.set_seeks_told(player, newest)?;
    }
    let [first, ..] = news.as_slice() else { return Ok(None) };
    let userid = store.player_by_id(player)?.userid;
    let seek = |seek: &OpenSeek| format!("{} {} of {}{}", seek.game, seek.number, seek.by, seek.terms);
    let listed: Vec<String> = news.iter().take(SEEKS_OF_A_WELCOME).map(seek).collect();
    let more = if news.len() > SEEKS_OF_A_WELCOME { "; `seeks` lists them all" } else { "" };
    Ok(Some(format!(
        "New open seeks: {}{more}. To play one: `{} accept seek {} {userid} PASSWORD`.",
        listed.join("; "),
        first.game,
        first.number
    )))
}

fn open_seeks(store: &Store, now: Timestamp, game: &GameKind) -> Result<Vec<SeekRow>, StoreError> {
    let since = now.checked_sub(SEEK_ENDS).unwrap_or(now);
    store.open_seeks(game.key, since)
}
