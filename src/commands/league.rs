//! Leagues: who joins plays a season after the other, in a group of their strength.
//!
//! ```text
//! game league
//! game league join [once] | leave | withdraw userid password
//! game league table [season]
//! ```

use minijinja::{Value, context};
use turnpost_games::GameKind;

use crate::commands::challenge::challenged;
use crate::commands::contest_entry::{must_have_one_entry, open_contest, withdraw};
use crate::commands::{Command, Entry};
use crate::contest::league::season_name;
use crate::contest::record::Contest;
use crate::contest::terms::league_name;
use crate::credentials::Actor;
use crate::failure::{CommandError, Error, refuse};
use crate::language::args::{Args, ArgumentError};
use crate::language::{Needs, Parameters, WriterPlace};
use crate::notices::Event;
use crate::notices::contest_view::{ContestView, contest_view, view_of_player};
use crate::notices::transcript::data;
use crate::play::Context;
use crate::store::{Account, ContestEventKind, ContestForm, PlayerId, Store};

/// A command about the league of a game.
#[derive(Debug, Clone)]
pub struct OnLeague {
    pub game: &'static GameKind,
    pub act: LeagueAct,
}

#[derive(Debug, Clone)]
pub enum LeagueAct {
    Look,
    Join {
        once: bool,
    },
    Leave,
    Withdraw {
        surely: bool,
    },
    /// Of the season of this number, or the last.
    Table(Option<u32>),
}

impl Parameters for OnLeague {
    fn line(&self, word: &str) -> String {
        let act = match self.act {
            LeagueAct::Look => String::new(),
            LeagueAct::Join { once } => if once { " join once" } else { " join" }.to_owned(),
            LeagueAct::Leave => " leave".to_owned(),
            LeagueAct::Withdraw { surely } => {
                if surely { " withdraw -surely" } else { " withdraw" }.to_owned()
            }
            LeagueAct::Table(None) => " table".to_owned(),
            LeagueAct::Table(Some(season)) => format!(" table {season}"),
        };
        format!("{} {word}{act}", self.game.key)
    }
}

pub(crate) const LEAGUE: Entry = Entry {
    by: Needs::Proven,
    summary: "the league of a game: how it stands, joining, leaving, its tables",
    details: "What may be: join, leave, withdraw, table. Who joins plays a season after the other, in a group of four to ten \
              of about their strength, all against all at once, until they leave; `join once` plays one season. Seasons \
              begin on Mondays, and a mail tells you a week before. The first two of a group go up and the last two go \
              down; newcomers begin where their rating puts them.\n\n`leave` takes you out after the season; only \
              `withdraw` gives up its running games. A second loss on time in a season withdraws you too, and so does no \
              move at all within three weeks; `join` brings you back. `league table 2` shows the second season.",
    example: "GAME league join ann plover-42",
    keywords: &["join", "once", "leave", "withdraw", "table"],
    writer: WriterPlace::LastWithPassword,
    ..Entry::of_game("league", "[what] [once | season] [userid password]", read)
};

fn read(args: &mut Args) -> Result<Command, ArgumentError> {
    let game = args.game;
    let act = if args.is_empty() {
        LeagueAct::Look
    } else if args.take("join") {
        let before = args.take("once");
        args.writer()?;
        LeagueAct::Join { once: args.take("once") || before }
    } else if args.take("leave") {
        args.writer()?;
        LeagueAct::Leave
    } else if args.take("withdraw") {
        let surely = args.take("-surely");
        args.writer()?;
        LeagueAct::Withdraw { surely }
    } else if args.take("table") {
        let season = if args.is_empty() { None } else { Some(args.word("the number of a season")?) };
        let season = season
            .map(|word| word.text.parse().map_err(|_| word.error("the number of a season is expected here")));
        LeagueAct::Table(season.transpose()?)
    } else {
        let word = args.word("`join`")?;
        return Err(word.error("`join`, `leave`, `withdraw` or `table` is expected here"));
    };
    Ok(Command::League(OnLeague { game, act }))
}

pub(crate) fn league(ctx: &mut Context<'_>, by: &Actor, command: OnLeague) -> Result<Event, CommandError> {
    let OnLeague { game, act } = command;
    let row = ctx.store.contest_named(&league_name(game.key))?;
    let found = row.map(|row| Contest::load(ctx.store, &row)).transpose()?;
    match act {
        LeagueAct::Join { once } => join(ctx, game, found, once, by.proven()?),
        LeagueAct::Leave => {
            let (mut league, account) = member(game, found, by)?;
            league.note(ctx.store, ContestEventKind::Left, Some(account.id), "", ctx.now)?;
            look(ctx, game, Some(&league), Some(account.id))
        }
        LeagueAct::Withdraw { surely } => {
            let Some(mut season) = season(ctx.store, game, found.as_ref(), None)? else {
                return refuse!("No season of the {game} league has begun yet.", game = game.name);
            };
            let account = by.proven()?;
            withdraw(ctx, &mut season, surely, account)?;
            let table = view_of_player(ctx.store, &season, account.id)?;
            Ok(Event::page("contest-table.txt", context! { c => data(&table) }, None))
        }
        LeagueAct::Table(number) => {
            let Some(season) = season(ctx.store, game, found.as_ref(), number)? else {
                return refuse!("There is no such season of the {game} league.", game = game.name);
            };
            let table = contest_view(ctx.store, &season)?;
            Ok(Event::page("contest-table.txt", context! { c => data(&table) }, None))
        }
        LeagueAct::Look => {
            let reader = ctx.player()?;
            look(ctx, game, found.as_ref(), reader)
        }
    }
}

/// The season of a number, or the last that has begun.
pub(crate) fn season(
    store: &Store,
    game: &GameKind,
    league: Option<&Contest>,
    number: Option<u32>,
) -> Result<Option<Contest>, Error> {
    let Some(number) = number.or(league.map(|league| league.league.seasons)) else { return Ok(None) };
    let row = store.contest_named(&season_name(game.key, number))?;
    row.map(|row| Contest::load(store, &row)).transpose()
}

/// How the league stands, with the reader's own group.
fn look(
    ctx: &Context<'_>,
    game: &'static GameKind,
    league: Option<&Contest>,
    reader: Option<PlayerId>,
) -> Result<Event, CommandError> {
    let season = season(ctx.store, game, league, None)?;
    let own =
        season.map(|season| view_of_player(ctx.store, &season, reader.unwrap_or(PlayerId(0)))).transpose()?;
    Ok(Event::page("league.txt", shown(ctx.store, game, league, reader, own.as_ref())?, None))
}

/// What `league.txt` says to a reader of a league and a view of its season.
pub(crate) fn shown(
    store: &Store,
    game: &GameKind,
    league: Option<&Contest>,
    reader: Option<PlayerId>,
    season: Option<&ContestView>,
) -> Result<Value, Error> {
    let userid = reader.map(|player| store.player_by_id(player)).transpose()?;
    let has_reader = |players: &[PlayerId]| reader.is_some_and(|reader| players.contains(&reader));
    let next = league.and_then(|league| league.league.next);
    Ok(context! {
        game => game.key, game_name => game.name,
        is_in => league.is_some_and(|league| has_reader(&league.joined)),
        reader => userid.as_ref().map_or("USERID", |reader| reader.userid.as_str()),
        members => league.map_or(0, |league| league.joined.len()),
        next => next.map(|next| next.starts_at),
        c => season.map(data),
    })
}

fn join(
    ctx: &mut Context<'_>,
    game: &'static GameKind,
    found: Option<Contest>,
    once: bool,
    account: &Account,
) -> Result<Event, CommandError> {
    challenged(ctx, &account.userid)?;
    let mut league = match found {
        Some(league) => league,
        None => open_contest(ctx, game, ContestForm::League)?,
    };
    let is_member = league.joined.contains(&account.id);
    if is_member && league.league.once.contains(&account.id) == once {
        return refuse!("You are in the {game} league already.", game = game.name);
    }
    must_have_one_entry(ctx, account, &league)?;
    let text = if once { "once" } else { "" };
    league.note(ctx.store, ContestEventKind::Joined, Some(account.id), text, ctx.now)?;
    // The timer plans the first season.
    if league.league.next.is_none_or(|next| next.put_off) {
        ctx.store.set_contest_due(league.row.id, Some(ctx.now))?;
    }
    look(ctx, game, Some(&league), Some(account.id))
}

/// The league and a member of it, who is proven.
fn member<'a>(
    game: &'static GameKind,
    found: Option<Contest>,
    by: &'a Actor,
) -> Result<(Contest, &'a Account), CommandError> {
    let account = by.proven()?;
    match found.filter(|league| league.joined.contains(&account.id)) {
        Some(league) => Ok((league, account)),
        None => refuse!("You are not in the {game} league.", game = game.name),
    }
}
