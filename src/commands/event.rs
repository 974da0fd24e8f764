//! Events: one all-play-all, made by a player.
//!
//! ```text
//! game event new name [-size=N] [-rounds=N] [-start=DATE] [options] userid password
//! game event join | leave | start | withdraw name userid password
//! game event table name
//! events
//! ```

use jiff::civil::Date;
use jiff::{SignedDuration, Timestamp};
use minijinja::context;
use turnpost_games::{GameKind, registry};

use crate::commands::challenge::challenged;
use crate::commands::contest_entry::{in_contest, must_have_one_entry, withdraw};
use crate::commands::set_up::set_up;
use crate::commands::{Command, Entry};
use crate::contest::record::Contest;
use crate::contest::terms::ContestTerms;
use crate::credentials::Actor;
use crate::failure::{CommandError, Error, refuse};
use crate::language::args::{Args, ArgumentError};
use crate::language::options::{board_options_beside_a_password, no_level};
use crate::language::token::Written;
use crate::language::{BoardOptions, Needs, Parameters, WriterPlace};
use crate::notices::Event;
use crate::notices::contest_view::{contest_line, contest_view};
use crate::notices::transcript::data;
use crate::play::Context;
use crate::store::{
    Account, AccountRole, ContestEventKind, ContestForm, ContestRow, ContestState, PlayerId, Store,
};

/// A command about an event.
#[derive(Debug, Clone)]
pub struct OnEvent {
    pub game: &'static GameKind,
    pub name: String,
    pub act: EventAct,
}

#[derive(Debug, Clone)]
pub enum EventAct {
    New(NewEvent),
    Join,
    Leave,
    Start,
    /// Surely: the question has been answered.
    Withdraw {
        surely: bool,
    },
    Table,
}

/// What an event is made with.
#[derive(Debug, Clone)]
pub struct NewEvent {
    pub size: u32,
    pub rounds: u32,
    /// The day on which it begins, full or not.
    pub start: Option<Date>,
    pub options: BoardOptions,
}

impl Parameters for OnEvent {
    fn line(&self, word: &str) -> String {
        let (act, more) = match &self.act {
            EventAct::New(new) => ("new", new.written()),
            EventAct::Join => ("join", String::new()),
            EventAct::Leave => ("leave", String::new()),
            EventAct::Start => ("start", String::new()),
            EventAct::Withdraw { surely: true } => ("withdraw", " -surely".to_owned()),
            EventAct::Withdraw { surely: false } => ("withdraw", String::new()),
            EventAct::Table => ("table", String::new()),
        };
        format!("{} {word} {act} {}{more}", self.game.key, self.name)
    }
}

impl NewEvent {
    fn written(&self) -> String {
        let start = self.start.map(|day| format!(" -start={day}")).unwrap_or_default();
        let options: String = self.options.written().iter().map(|option| format!(" {option}")).collect();
        format!(" -size={} -rounds={}{start}{options}", self.size, self.rounds)
    }
}

/// Lists the events that are open or run, and those that ended lately.
#[derive(Debug, Clone)]
pub struct Events {
    /// `None` for every game.
    pub game: Option<&'static GameKind>,
}

impl Parameters for Events {
    fn line(&self, word: &str) -> String {
        Written::new(self.game, word).end()
    }
}

pub(crate) const EVENT: Entry = Entry {
    by: Needs::Proven,
    summary: "makes an event, in which all play all; joins or leaves it; shows its table",
    details: "What may be: new, join, leave, start, withdraw, table. `event new NAME` makes one and joins you. It begins when \
              it is full (`-size=8`, from 3 to 16), on the day of `-start=2027-01-15`, or when you send `event start NAME`; \
              all boards begin at once. With `-rounds=2` each pair plays both ways. The other options are those of a \
              challenge; without any of time, each board has `-clock=20d+36h`.\n\nBefore it begins you may leave. Later only \
              `event withdraw NAME` takes you out: it loses your running games. A win counts 1, a draw one half; ties are \
              broken by Sonneborn-Berger, then by the games between the two, then by the rating at the start. Who loses two \
              games of it on time, or makes no move for three weeks, is withdrawn.",
    example: "GAME event new spring-cup ann plover-42",
    keywords: &["new", "join", "leave", "start", "withdraw", "table"],
    writer: WriterPlace::LastWithPassword,
    ..Entry::of_game("event", "what name [options] userid password", read)
};

pub(crate) const EVENTS: Entry = Entry {
    summary: "lists events that one can join, that run, or that ended lately",
    details: "`GAME event table NAME` shows one of them.",
    example: "GAME events",
    without_game: &["events"],
    ..Entry::of_game("events", "", |args| Ok(Command::Events(Events { game: args.named_game() })))
};

/// An event has so many players.
pub(crate) const EVENT_SIZES: std::ops::RangeInclusive<u32> = 3..=16;

/// It is called off when it has not begun after so long.
pub(crate) const EVENT_WAITS: SignedDuration = SignedDuration::from_hours(90 * 24);

/// `events` and the pages list what ended so lately.
pub(crate) const LATELY: SignedDuration = SignedDuration::from_hours(30 * 24);

fn read(args: &mut Args) -> Result<Command, ArgumentError> {
    let game = args.game;
    let word = args.word("`new`, `join`, `leave`, `start`, `withdraw` or `table`")?;
    let name = args.word("the name of the event")?;
    let name = name_of(&name.text).ok_or_else(|| {
        name.error("the name of an event has 3 to 24 letters, digits and hyphens and begins with a letter")
    })?;
    let act = match word.text.to_ascii_lowercase().as_str() {
        "new" => EventAct::New(read_new(args)?),
        "join" => EventAct::Join,
        "leave" => EventAct::Leave,
        "start" => EventAct::Start,
        "withdraw" => EventAct::Withdraw { surely: args.take("-surely") },
        "table" => EventAct::Table,
        _ => {
            return Err(word.error("`new`, `join`, `leave`, `start`, `withdraw` or `table` is expected here"));
        }
    };
    if !matches!(act, EventAct::Table) {
        args.writer()?;
    }
    Ok(Command::Event(OnEvent { game, name, act }))
}

pub(crate) fn name_of(text: &str) -> Option<String> {
    let fits = (3..=24).contains(&text.len())
        && text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-');
    fits.then(|| text.to_owned())
}

fn read_new(args: &mut Args) -> Result<NewEvent, ArgumentError> {
    let mut new = NewEvent { size: 8, rounds: 1, start: None, options: BoardOptions::default() };
    let numbers = args.extract(|word| {
        let (name, value) = word.split_once('=')?;
        let number = value.parse::<u32>().ok();
        Some(match name.to_ascii_lowercase().as_str() {
            "-size" => number
                .filter(|size| EVENT_SIZES.contains(size))
                .map(|size| new.size = size)
                .ok_or_else(|| {
                    format!(
                        "a number from {} to {} is expected behind the `=`",
                        EVENT_SIZES.start(),
                        EVENT_SIZES.end()
                    )
                }),
            "-rounds" => number
                .filter(|rounds| (1..=2).contains(rounds))
                .map(|rounds| new.rounds = rounds)
                .ok_or_else(|| "1 or 2 is expected behind the `=`".to_owned()),
            "-start" => value
                .parse()
                .map(|day| new.start = Some(day))
                .map_err(|_| "a day such as 2027-01-15 is expected behind the `=`".to_owned()),
            _ => return None,
        })
    });
    numbers?;
    new.options = in_contest(no_level(board_options_beside_a_password(args)?)?);
    Ok(new)
}

pub(crate) fn event(ctx: &mut Context<'_>, by: &Actor, command: OnEvent) -> Result<Event, CommandError> {
    let OnEvent { game, name, act } = command;
    let found = ctx.store.contest_named(&name)?.filter(|row| row.form == ContestForm::Event);
    if let EventAct::New(new) = &act {
        return match found {
            Some(_) => refuse!("There is or was an event called {name}. Choose another name."),
            None if is_of_a_league(&name) => {
                refuse!("`league` and `ladder` are no part of the name of an event. Choose another name.")
            }
            None => make(ctx, game, name, new, by.proven()?),
        };
    }
    let Some(row) = found else {
        return refuse!("There is no event of that name. `events` lists those that one can join.");
    };
    if row.game != game.key {
        return refuse!(
            "{name} is an event of {its}: write `{its} event ...`.",
            its = row.game,
            name = row.name
        );
    }
    let mut contest = Contest::load(ctx.store, &row)?;
    match act {
        EventAct::New(..) | EventAct::Table => {}
        EventAct::Join => join(ctx, &mut contest, by.proven()?)?,
        EventAct::Leave => leave(ctx, &mut contest, by.proven()?)?,
        EventAct::Start => start(ctx, &mut contest, by.proven()?)?,
        EventAct::Withdraw { surely } => withdraw(ctx, &mut contest, surely, by.proven()?)?,
    }
    show(ctx, &contest)
}

/// The table, or who has joined, as an answer.
fn show(ctx: &Context<'_>, contest: &Contest) -> Result<Event, CommandError> {
    let table = contest_view(ctx.store, contest)?;
    Ok(Event::page("contest-table.txt", context! { c => data(&table) }, None))
}

pub(crate) fn events(ctx: &mut Context<'_>, command: Events) -> Result<Event, CommandError> {
    let since = ctx.now.checked_sub(LATELY).unwrap_or(ctx.now);
    let mut lines = Vec::new();
    for row in ctx.store.contests(ContestForm::Event, command.game.map(|game| game.key), since)? {
        lines.push(contest_line(ctx.store, &row)?);
    }
    let title = command.game.map_or("Events".to_owned(), |game| format!("Events of {}", game.name));
    let game = command.game.unwrap_or(registry::first()).key;
    if lines.is_empty() {
        lines.push("    none".to_owned());
        lines.extend([String::new(), format!("To make one: {game} event new NAME USERID PASSWORD")]);
    }
    Ok(Event::page("lines.txt", context! { title, lines }, None))
}

fn make(
    ctx: &mut Context<'_>,
    game: &'static GameKind,
    name: String,
    new: &NewEvent,
    account: &Account,
) -> Result<Event, CommandError> {
    challenged(ctx, &account.userid)?;
    if new.options.game.iter().any(|(name, _)| name == "seed") {
        return refuse!("Each board of an event has a start of its own: leave `-seed` out.");
    }
    // Refuse impossible options now rather than when it begins.
    set_up(ctx, game, &new.options)?;
    let is_organiser = ctx.store.role(account.id)? == AccountRole::Organiser;
    if !is_organiser && let Some(open) = open_event_of(ctx.store, account.id)? {
        return refuse!(
            "Your event {open} has not begun. One at a time is enough: `{game} event start {open}` begins it, and \
            `{game} event leave {open}` takes you out of it.",
            game = game.key
        );
    }
    let zone = ctx.zone(account.id)?;
    let starts_at = match new.start.map(|day| day.to_zoned(zone)) {
        None => None,
        Some(Ok(day)) if day.timestamp() > ctx.now && day.timestamp() <= ctx.now + EVENT_WAITS => {
            Some(day.timestamp())
        }
        Some(_) => return refuse!("An event begins on a day within the next 90 days."),
    };
    if !is_organiser && let Some(until) = ctx.spend(ctx.limits.events(), &account.userid.key())? {
        let (most, until) = (ctx.limits.events_a_day, ctx.time(until)?);
        return refuse!("You have made today's {most} events; the next can be made after {until}.");
    }
    let terms = ContestTerms {
        form: ContestForm::Event.as_str().to_owned(),
        game: game.key.to_owned(),
        name,
        size: new.size,
        rounds: new.rounds,
        starts_at: starts_at.map(Timestamp::as_second),
        options: new.options.clone(),
        season: None,
    };
    let mut contest = Contest::make(ctx.store, &terms, Some(account.id), ctx.now)?;
    let due = starts_at.unwrap_or(ctx.now + EVENT_WAITS);
    ctx.store.set_contest_due(contest.row.id, Some(due))?;
    if !is_organiser {
        contest.note(ctx.store, ContestEventKind::Joined, Some(account.id), "", ctx.now)?;
    }
    show(ctx, &contest)
}

/// The open event that a player made and is in.
fn open_event_of(store: &Store, player: PlayerId) -> Result<Option<String>, Error> {
    const MOST: u32 = 100;
    for row in store.contests_of(player, MOST)? {
        if (row.form, row.state) == (ContestForm::Event, ContestState::Open)
            && let contest = Contest::load(store, &row)?
            && contest.maker == Some(player)
            && contest.joined.contains(&player)
        {
            return Ok(Some(row.name));
        }
    }
    Ok(None)
}

fn join(ctx: &mut Context<'_>, contest: &mut Contest, account: &Account) -> Result<(), CommandError> {
    challenged(ctx, &account.userid)?;
    let name = &contest.row.name;
    if contest.joined.contains(&account.id) {
        return refuse!("You are in {name} already.");
    }
    must_be_open(&contest.row)?;
    if contest.row.entrants >= contest.terms.size {
        return refuse!("{name} is full and about to begin.");
    }
    must_have_one_entry(ctx, account, contest)?;
    for player in &contest.joined {
        if ctx.store.is_block_between(account.id, *player)? {
            return refuse!(
                "Somebody who plays in {name} and you have a block between you, and there all play all."
            );
        }
    }
    contest.note(ctx.store, ContestEventKind::Joined, Some(account.id), "", ctx.now)?;
    if contest.row.entrants == contest.terms.size {
        ctx.store.set_contest_due(contest.row.id, Some(ctx.now))?;
    }
    Ok(())
}

fn must_be_open(row: &ContestRow) -> Result<(), CommandError> {
    match row.state {
        ContestState::Open => Ok(()),
        ContestState::Running => {
            refuse!("{name} has begun, and nobody joins or leaves it now.", name = row.name)
        }
        ContestState::Closed => refuse!("{name} is over.", name = row.name),
    }
}

fn leave(ctx: &mut Context<'_>, contest: &mut Contest, account: &Account) -> Result<(), CommandError> {
    let ContestRow { name, game, state, .. } = &contest.row;
    if !contest.joined.contains(&account.id) {
        return refuse!("You are not in {name}.");
    }
    if *state == ContestState::Running {
        return refuse!(
            "{name} runs, and your games go on: nothing was done. To give them up, which loses those that still run: \
            `{game} event withdraw {name} {userid} PASSWORD`.",
            userid = account.userid
        );
    }
    must_be_open(&contest.row)?;
    contest.note(ctx.store, ContestEventKind::Left, Some(account.id), "", ctx.now)?;
    if contest.joined.is_empty() {
        contest.note(ctx.store, ContestEventKind::Closed, None, "everybody left", ctx.now)?;
        ctx.store.set_contest_due(contest.row.id, Some(ctx.now))?;
    }
    Ok(())
}

fn start(ctx: &mut Context<'_>, contest: &mut Contest, account: &Account) -> Result<(), CommandError> {
    let name = &contest.row.name;
    if contest.maker != Some(account.id) && ctx.store.role(account.id)? != AccountRole::Organiser {
        return refuse!("Who made {name} may begin it; it also begins by itself when it is full.");
    }
    must_be_open(&contest.row)?;
    let least = *EVENT_SIZES.start() as usize;
    let players = contest.who_can_play(ctx.store)?;
    if players.len() < least {
        return refuse!("An event needs {least} players, and {name} has {}.", players.len());
    }
    Ok(contest.start(ctx.store, &[players], ctx.now)?)
}

/// True for a name that leagues and ladders have for themselves.
fn is_of_a_league(name: &str) -> bool {
    name.to_lowercase().split('-').any(|part| part == "league" || part == "ladder")
}
