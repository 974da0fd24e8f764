//! Creates events, and lists them.
//!
//! ```text
//! game event new name [-form=FORM] [-size=N] [-rounds=N] [-weeks=N] [-start=DATE] [-until=DATE] [-when-full] [-rating=N-N]
//!     [-players=userid1,...] [-by-request] [options] userid password
//! events [past [page]]
//! ```

use std::ops::RangeInclusive;

use jiff::SignedDuration;
use minijinja::context;
use turnpost_games::{GameKind, registry};

use crate::commands::admission::EntryOptions;
use crate::commands::bot::must_be_no_bot;
use crate::commands::contest_entry::{NamedContest, name_of, table_of};
use crate::commands::event_days::EventDays;
use crate::commands::event_teams::{enter, team_to_join};
use crate::commands::opening::challenged;
use crate::commands::set_up::set_up;
use crate::commands::{Command, Entry};
use crate::contest::events::Entered;
use crate::contest::pairing::Pairing;
use crate::contest::record::Contest;
use crate::contest::terms::{ContestTerms, EventDates, in_contest};
use crate::failure::{CommandError, Error, refuse};
use crate::language::args::{Args, ArgumentError};
use crate::language::options::{board_options_beside_a_password, no_level};
use crate::language::token::Written;
use crate::language::{BoardOptions, Parameters};
use crate::notices::Event;
use crate::notices::contest_view::{contest_line, contest_view};
use crate::notices::past_contests::past_contests;
use crate::notices::transcript::data;
use crate::play::Context;
use crate::store::{Account, AccountRole, ContestForm, ContestRow, ContestState, PlayerId, Store};

#[derive(Debug, Clone)]
pub struct NewEvent {
    pub of: NamedContest,
    pub pairing: Pairing,
    pub size: u32,
    pub rounds: u32,
    pub weeks: Option<u32>,
    /// Teams: the players of each, and the team of the maker.
    pub boards: Option<u32>,
    pub team: Option<String>,
    pub days: EventDays,
    pub entry: EntryOptions,
    pub options: BoardOptions,
}

impl Parameters for NewEvent {
    fn line(&self, _: &str) -> String {
        let days = self.days.written() + &self.entry.written();
        let options: String = self.options.written().iter().map(|option| format!(" {option}")).collect();
        let form = if self.pairing.is_all_play_all() {
            String::new()
        } else {
            format!(" -form={}", self.pairing.as_str())
        };
        let rounds = match self.pairing {
            Pairing::AllPlayAll | Pairing::Swiss => format!(" -rounds={}", self.rounds),
            Pairing::KnockOut | Pairing::Teams => String::new(),
        };
        let weeks = self.weeks.map_or(String::new(), |weeks| format!(" -weeks={weeks}"));
        let boards = self.boards.map_or(String::new(), |boards| format!(" -boards={boards}"));
        let team = self.team.as_ref().map_or(String::new(), |team| format!(" -team={team}"));
        self.of
            .line("new", &format!("{form} -size={}{rounds}{weeks}{boards}{team}{days}{options}", self.size))
    }
}

/// Lists events that are open, running, or ended recently; or contests that are over.
#[derive(Debug, Clone)]
pub struct Events {
    /// `None` means all games.
    pub game: Option<&'static GameKind>,
    /// The page of the contests that are over, from 1.
    pub past: Option<usize>,
}

impl Parameters for Events {
    fn line(&self, word: &str) -> String {
        let page = self.past.filter(|page| *page > 1).map(|page| page.to_string());
        Written::new(self.game, word).and(self.past.map(|_| PAST)).and(page).end()
    }
}

/// The word after `events` for contests that are over. Their page has it in its address, in the place of a name.
const PAST: &str = "past";

pub(crate) const EVENTS: Entry = Entry {
    summary: "lists events that you can join, that run, or that have just ended",
    details: "`GAME event table NAME` shows one of them. `events past` lists all events and seasons that are over, \
              with those who won them, and `events past 2` goes on with the next.",
    example: "GAME events",
    without_game: &["events"],
    ..Entry::of_game("events", "[past [page]]", read_events)
};

fn read_events(args: &mut Args) -> Result<Command, ArgumentError> {
    let past = match args.take(PAST) {
        true if args.is_empty() => Some(1),
        true => {
            let word = args.word("the number of a page")?;
            Some(word.text.parse().map_err(|_| word.error("the number of a page is expected here"))?)
        }
        false => None,
    };
    Ok(Command::Events(Events { game: args.named_game(), past }))
}

/// How long `events` and the pages list an event that has ended.
pub(crate) const LATELY: SignedDuration = SignedDuration::from_hours(30 * 24);

/// Reads the options after the name.
pub(crate) fn read_new(args: &mut Args, of: NamedContest) -> Result<Command, ArgumentError> {
    let (mut days, mut entry) = (EventDays::default(), EntryOptions::default());
    let (mut pairing, mut size, mut rounds, mut weeks) = (Pairing::AllPlayAll, None, None, None);
    let (mut boards, mut team) = (None, None);
    let numbers = args.extract(|word| {
        if let Some(taken) = days.take(word).or_else(|| entry.take(word)) {
            return Some(taken);
        }
        let (name, value) = word.split_once('=')?;
        let number = value.parse::<u32>().map_err(|_| "a number is expected after the `=`".to_owned());
        Some(match name.to_ascii_lowercase().as_str() {
            "-form" => Pairing::ALL
                .into_iter()
                .find(|known| known.as_str() == value.to_ascii_lowercase())
                .map(|known| pairing = known)
                .ok_or_else(|| {
                    "`swiss`, `knock-out`, `teams` or `all-play-all` is expected after the `=`".to_owned()
                }),
            "-size" => number.map(|number| size = Some(number)),
            "-rounds" => number.map(|number| rounds = Some(number)),
            "-weeks" => number.map(|number| weeks = Some(number)),
            "-boards" => number.map(|number| boards = Some(number)),
            "-team" => name_of(value).map(|name| team = Some(name)).ok_or_else(|| {
                "a name of 3 to 24 letters, digits and hyphens is expected after the `=`".to_owned()
            }),
            _ => return None,
        })
    });
    numbers?;
    let size = within("-size", size, pairing.sizes(), if pairing == Pairing::Teams { 4 } else { 8 })?;
    let (rounds, weeks) = match pairing {
        Pairing::AllPlayAll => (within("-rounds", rounds, 1..=2, 1)?, weeks),
        Pairing::Swiss => {
            let rounds = within("-rounds", rounds, 2..=(size - 1).min(MOST_ROUNDS), rounds_for(size))?;
            (rounds, Some(within("-weeks", weeks.take(), 1..=26, WEEKS_A_ROUND)?))
        }
        Pairing::KnockOut if rounds.is_some() => {
            return Err(ArgumentError::at_end(
                "a knock-out has the rounds that its players need: leave `-rounds=` out",
            ));
        }
        Pairing::Teams if rounds.is_some() => {
            return Err(ArgumentError::at_end("teams meet once: leave `-rounds=` out"));
        }
        Pairing::KnockOut | Pairing::Teams => (1, weeks),
    };
    let boards = match pairing {
        Pairing::Teams if entry.by_request => {
            return Err(ArgumentError::at_end("teams choose their players: leave `-by-request` out"));
        }
        Pairing::Teams => Some(within("-boards", boards, 2..=8, 4)?),
        _ if boards.is_some() || team.is_some() => {
            return Err(ArgumentError::at_end("`-boards=` and `-team=` are for `-form=teams`"));
        }
        _ => None,
    };
    if weeks.is_some() && pairing != Pairing::Swiss {
        return Err(ArgumentError::at_end("`-weeks=` is for the rounds of `-form=swiss`"));
    }
    let options = in_contest(no_level(board_options_beside_a_password(args)?)?);
    args.writer()?;
    Ok(Command::NewEvent(NewEvent { of, pairing, size, rounds, weeks, boards, team, days, entry, options }))
}

/// Most rounds of a Swiss event: with rounds of six weeks, it takes more than a year.
const MOST_ROUNDS: u32 = 11;

/// Weeks of a round of a Swiss event, unless its maker sets others.
const WEEKS_A_ROUND: u32 = 6;

/// Enough rounds for one player alone to win all games.
fn rounds_for(size: u32) -> u32 {
    size.next_power_of_two().ilog2()
}

fn within(
    option: &str,
    number: Option<u32>,
    allowed: RangeInclusive<u32>,
    usual: u32,
) -> Result<u32, ArgumentError> {
    match number {
        Some(number) if !allowed.contains(&number) => Err(ArgumentError::at_end(format!(
            "`{option}={number}` does not fit: a number from {} to {} is expected after the `=`",
            allowed.start(),
            allowed.end()
        ))),
        number => Ok(number.unwrap_or(usual)),
    }
}

pub(crate) fn events(ctx: &mut Context<'_>, command: Events) -> Result<Event, CommandError> {
    if let Some(page) = command.past {
        let Some(past) = past_contests(ctx.store, command.game.map(|game| game.key), page)? else {
            return refuse!("There is no page {page} of contests that are over.");
        };
        return Ok(Event::page("past-contests.md", past.context(), None));
    }
    let since = ctx.now.checked_sub(LATELY).unwrap_or(ctx.now);
    let mut events = Vec::new();
    for row in ctx.store.contests(ContestForm::Event, command.game.map(|game| game.key), since)? {
        events.push(contest_line(ctx.store, &row)?);
    }
    let game = command.game.unwrap_or(registry::first()).key;
    let game_name = command.game.map(|game| game.name);
    Ok(Event::page("events.md", context! { game, game_name, events => data(&events) }, None))
}

pub(crate) fn new(ctx: &mut Context<'_>, by: &Account, new: NewEvent) -> Result<Event, CommandError> {
    let NamedContest { game, form, mut name } = new.of;
    if new.entry.private {
        let code = ctx.code();
        let whole = name_of(&format!("{name}-{}", code.get(..PRIVATE).unwrap_or(&code)));
        let Some(whole) = whole else {
            return refuse!(
                "The name of a private event is shorter: the server adds {PRIVATE} letters to it."
            );
        };
        name = whole;
    }
    if ctx.store.contest_named(&name)?.is_some_and(|row| row.form == form) {
        return refuse!("There is or was an event called {name}. Choose another name.");
    }
    if name.eq_ignore_ascii_case(PAST) {
        return refuse!("`events {PAST}` lists events that are over. Choose another name.");
    }
    if is_of_a_league(&name) {
        return refuse!("`league` and `ladder` are no part of the name of an event. Choose another name.");
    }
    must_be_no_bot(by)?;
    challenged(ctx, &by.userid)?;
    if new.options.game.iter().any(|(name, _)| name == "seed") {
        return refuse!("Each board of an event has a start of its own: leave `-seed` out.");
    }
    // Refuse impossible options now, not when the event starts.
    set_up(ctx, game, &new.options)?;
    let is_organiser = ctx.store.role(by.id)? == AccountRole::Organiser;
    if !is_organiser && let Some(open) = open_event_of(ctx.store, by.id)? {
        return refuse!(
            "Your event {open} has not begun. One at a time is enough: `{game} event start {open}` begins it, and \
            `{game} event leave {open}` takes you out of it.",
            open = open.name,
            game = open.game
        );
    }
    let dates = new.days.dates(ctx, by.id, EventDates::default())?;
    let entry = new.entry.terms(ctx)?;
    if !is_organiser && let Some(until) = ctx.spend(ctx.limits.events(), &by.userid.key())? {
        let (most, until) = (ctx.limits.events_a_day, ctx.time(until)?);
        return refuse!("You have made today's {most} events; the next can be made after {until}.");
    }
    let mut options = new.options;
    if options.position.is_none() {
        let more = game.more_between_people(&options.game);
        options.game.extend(more);
    }
    let terms = ContestTerms {
        size: new.size * new.boards.unwrap_or(1),
        boards: new.boards,
        pairing: new.pairing,
        rounds: new.rounds,
        weeks: new.weeks,
        dates,
        entry,
        ..ContestTerms::new(form, game.key, name, options)
    };
    let mut contest = Contest::make(ctx.store, &terms, Some(by.id), ctx.now)?;
    ctx.store.set_contest_due(contest.row.id, Some(ctx.now))?;
    if !is_organiser {
        let team = team_to_join(&contest, new.team)?;
        enter(ctx, &mut contest, by.id, (Entered::default(), team))?;
    }
    if contest.terms.entry.private {
        let name = &contest.row.name;
        let page = ctx.pages.map(|pages| format!(", or on its page: {pages}/events/{name}"));
        ctx.remarks.push(format!(
            "{name} is in no list. Players to whom you give its name join by `{} event join {name}`{}",
            game.key,
            page.unwrap_or_else(|| ".".to_owned())
        ));
    }
    Ok(table_of(&contest_view(ctx.store, &contest)?))
}

/// The random letters at the end of the name of a private event: 40 bits.
const PRIVATE: usize = 8;

fn open_event_of(store: &Store, player: PlayerId) -> Result<Option<ContestRow>, Error> {
    const MOST: u32 = 100;
    for row in store.contests_of(player, MOST)? {
        if (row.form, row.state) == (ContestForm::Event, ContestState::Open)
            && let contest = Contest::load(store, &row)?
            && contest.maker == Some(player)
            && contest.joined.contains(&player)
        {
            return Ok(Some(row));
        }
    }
    Ok(None)
}

/// True for names reserved for leagues and ladders.
fn is_of_a_league(name: &str) -> bool {
    name.to_lowercase().split('-').any(|part| part == "league" || part == "ladder")
}
