//! Vacations: days on which no clock of the player's games runs.
//!
//! ```text
//! vacation userid password FROM TO
//! vacation userid password off
//! ```

use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{Span, Timestamp};
use minijinja::context;
use std::collections::BTreeSet;

use crate::board::{Board, clocks, days_later, names};
use crate::commands::prelude::*;
use crate::failure::Error;
use crate::language::absence::{absence, is_told};
use crate::language::args::Argument;
use crate::notices::Mail;
use crate::notices::mail::{AWAY, MovedBoard, Purpose, Recipient};
use crate::notices::transcript::data;
use crate::play::zone_of;
use crate::store::{PlayerId, Store, VacationRow};
use crate::zone::day;

#[derive(Debug, Clone)]
pub struct SetVacation {
    /// `None` ends a running vacation and cancels future ones.
    pub days: Option<DaysAway>,
}

/// The first and the last day, both included.
#[derive(Debug, Clone)]
pub enum DaysAway {
    Dates(Date, Date),
    /// In words such as `5 to 12 December`, whose year depends on the day on which they are read.
    Told(String),
}

impl Parameters for SetVacation {
    fn line(&self, word: &str) -> String {
        match &self.days {
            Some(DaysAway::Dates(first, last)) => format!("{word} {first} {last}"),
            Some(DaysAway::Told(days)) => format!("{word} {days}"),
            None => format!("{word} off"),
        }
    }
}

pub(crate) const VACATION: Entry = Entry {
    by: Needs::Proven,
    summary: "announces a vacation, which stops your clocks",
    details: "FROM and TO are dates such as 2027-07-01, or in words, as `5 to 12 December`. Both are included, \
              count in your own zone, and are not in the past. No clock of your games runs in this time, \
              for either side, and opponents are told. There are 30 days for each year. While a bank (`-clock`) \
              is empty, days are used by themselves. `off` ends a vacation and cancels those to come.",
    example: "vacation ann plover-42 2027-07-01 2027-07-14",
    ..Entry::of_server("vacation", "userid password FROM TO | userid password off", read)
};

fn read(args: &mut Args) -> Result<Command, ArgumentError> {
    args.writer()?;
    if args.take("off") {
        return Ok(Command::Vacation(SetVacation { days: None }));
    }
    let first = args.word("the first day")?;
    let words = args.rest();
    let iso = |word: &Argument| is_iso(&word.text).then(|| word.text.parse::<Date>().ok()).flatten();
    if let (Some(first), [last]) = (iso(&first), words.as_slice())
        && let Some(last) = iso(last)
    {
        return Ok(Command::Vacation(SetVacation { days: Some(DaysAway::Dates(first, last)) }));
    }
    let days = std::iter::once(&first).chain(&words).map(|word| word.text.as_str()).collect::<Vec<_>>();
    if is_told(&days) {
        return Ok(Command::Vacation(SetVacation { days: Some(DaysAway::Told(days.join(" "))) }));
    }
    let wrong =
        |word: &Argument, what| word.error(format!("{what} is expected here as a date such as 2027-07-01"));
    Err(match (iso(&first), words.first()) {
        (None, _) => wrong(&first, "the first day"),
        (_, Some(last)) => wrong(last, "the last day"),
        (_, None) => ArgumentError::at_end("the last day is missing at the end"),
    })
}

/// True for the form `2027-07-01`. In some countries 1/7 is the first of July, in others the seventh of January.
fn is_iso(text: &str) -> bool {
    text.len() == 10 && text.bytes().all(|b| b.is_ascii_digit() || b == b'-')
}

fn too_far_ahead() -> Refusal {
    refusal!("A vacation begins and ends within the next two years.")
}

const DAYS_A_YEAR: usize = 30;

/// Maximum number of years between today and the last day of a vacation.
const YEARS_AHEAD: i64 = 2;

pub(crate) fn vacation(
    ctx: &mut Context<'_>,
    account: &Account,
    command: SetVacation,
) -> Result<Event, CommandError> {
    let SetVacation { days } = &command;
    let zone = ctx.zone(account.id)?;
    let today = ctx.now.to_zoned(zone.clone()).date();
    let Some(days) = days else {
        let any = ctx.store.end_vacations(account.id, ctx.now, today)? > 0;
        if any {
            tell_opponents(ctx, account, None)?;
        }
        return Ok(Event::page("vacation-off.md", context! { any }, None));
    };
    let told = match days {
        DaysAway::Dates(first, last) => Some((*first, *last)),
        DaysAway::Told(days) => absence(days, today),
    };
    let (first, last) = told.ok_or_else(|| {
        refusal!("The days of a vacation are written like this: `vacation 2027-07-01 2027-07-14`.")
    })?;
    if first < today {
        return refuse!("A vacation cannot begin in the past; it is {today} in your zone.");
    }
    if last < first {
        return refuse!("The last day of this vacation is before its first.");
    }
    let horizon = today.checked_add(Span::new().years(YEARS_AHEAD)).unwrap_or(Date::MAX);
    if last > horizon {
        return Err(too_far_ahead().into());
    }
    let others = ctx.store.vacations(account.id)?;
    let mut ahead = others.iter().filter(|other| other.ends_at > ctx.now && !other.automatic);
    if let Some(other) = ahead.find(|other| other.first <= last && other.last >= first) {
        return refuse!(
            "Your vacation from {first} to {last} shares days with it. A reply of `vacation off` takes that back.",
            first = day(other.first, ctx.now),
            last = day(other.last, ctx.now)
        );
    }
    enough_left(&others, first, last)?;
    add(ctx, account, &zone, (first, last))?;
    tell_opponents(ctx, account, Some((first, last)))?;
    Ok(Event::page(
        "vacation.md",
        context! { first => day(first, ctx.now), last => day(last, ctx.now) },
        None,
    ))
}

fn add(
    ctx: &Context<'_>,
    account: &Account,
    zone: &TimeZone,
    (first, last): (Date, Date),
) -> Result<(), CommandError> {
    let starts_at = begins(first, zone).map_or(ctx.now, |begins| begins.max(ctx.now));
    let ends_at = last.tomorrow().ok().and_then(|day| begins(day, zone)).ok_or_else(too_far_ahead)?;
    Ok(ctx
        .store
        .add_vacation(account.id, &VacationRow { first, last, automatic: false, starts_at, ends_at })?)
}

/// Maximum number of days spent automatically in a row without a letter from the player.
const SPENT_IN_A_ROW: u32 = 10;

/// A vacation day that the server spent for a player whose clock bank was empty.
pub(crate) struct DaySpent {
    /// The number of days left in `year`.
    pub left: usize,
    pub year: i16,
    /// The time of the player's last letter.
    pub written_at: Option<Timestamp>,
}

/// Spends a day of a player's vacation, from the second in which a bank was empty. `None` if no day is left,
/// or if too many were spent since the player's last letter.
pub(crate) fn spend_a_day(
    store: &Store,
    player: PlayerId,
    empty_at: Timestamp,
) -> Result<Option<DaySpent>, Error> {
    let (written_at, spent) = store.days_spent_since_writing(player)?;
    let zone = zone_of(store, player)?;
    let taken = taken(&store.vacations(player)?);
    if store.begin_spent_day_at(player, empty_at)? {
        let year = empty_at.to_zoned(zone).year();
        let of_year = taken.iter().filter(|other| other.year() == year).count();
        return Ok(Some(DaySpent { left: DAYS_A_YEAR.saturating_sub(of_year), year, written_at }));
    }
    if spent >= SPENT_IN_A_ROW {
        return Ok(None);
    }
    // A day stays used even if the player cancelled that vacation.
    let today = empty_at.to_zoned(zone.clone()).date();
    let free = today.series(Span::new().days(1)).find(|day| !taken.contains(day));
    let Some(first) = free else { return Ok(None) };
    let of_year = taken.iter().filter(|other| other.year() == first.year()).count();
    let Some(left) = DAYS_A_YEAR.checked_sub(of_year + 1) else { return Ok(None) };
    let ends_at = days_later(empty_at, 1, &zone);
    let last = ends_at.to_zoned(zone).date().max(first);
    store
        .add_vacation(player, &VacationRow { first, last, automatic: true, starts_at: empty_at, ends_at })?;
    Ok(Some(DaySpent { left, year: first.year(), written_at }))
}

/// Announces vacation for the next `wanted` days, from today, until the days of a year run out. Days that
/// already belong to a vacation stay in it.
pub(crate) fn from_today(
    ctx: &mut Context<'_>,
    account: &Account,
    wanted: usize,
) -> Result<(), CommandError> {
    let zone = ctx.zone(account.id)?;
    let today = ctx.now.to_zoned(zone.clone()).date();
    let others = ctx.store.vacations(account.id)?;
    let is_announced = |day: Date| {
        let mut ahead = others.iter().filter(|other| other.ends_at > ctx.now);
        ahead.any(|other| other.first <= day && day <= other.last)
    };
    let mut taken = taken(&others);
    let mut new: Vec<(Date, Date)> = Vec::new();
    for day in today.series(Span::new().days(1)).take(wanted).filter(|day| !is_announced(*day)) {
        let of_year = taken.iter().filter(|other| other.year() == day.year()).count();
        if of_year >= DAYS_A_YEAR && !taken.contains(&day) {
            break;
        }
        taken.insert(day);
        match new.last_mut().filter(|(_, last)| last.tomorrow().is_ok_and(|next| next == day)) {
            Some((_, last)) => *last = day,
            None => new.push((day, day)),
        }
    }
    for days in &new {
        add(ctx, account, &zone, *days)?;
    }
    match (new.first(), new.last()) {
        (Some((first, _)), Some((_, last))) => tell_opponents(ctx, account, Some((*first, *last))),
        _ => Ok(()),
    }
}

/// Ends the running vacation if it began at `since` or later.
pub(crate) fn end_running(
    ctx: &mut Context<'_>,
    account: &Account,
    since: Timestamp,
) -> Result<(), CommandError> {
    let today = ctx.now.to_zoned(ctx.zone(account.id)?).date();
    match ctx.store.end_running_vacation(account.id, since, ctx.now, today)? {
        0 => Ok(()),
        _ => tell_opponents(ctx, account, None),
    }
}

/// Moves the deadlines of the player's boards. Tells each opponent once, about all their common boards.
fn tell_opponents(
    ctx: &mut Context<'_>,
    account: &Account,
    days: Option<(Date, Date)>,
) -> Result<(), CommandError> {
    let mut boards: Vec<(PlayerId, MovedBoard)> = Vec::new();
    for (id, ..) in ctx.store.boards_in_play_of(account.id)? {
        let Some(mut board) = Board::load(ctx.store, id)? else { continue };
        if board.row.days.limit() {
            clocks::settle_now(ctx.store, &mut board, ctx.now)?;
        }
        let row = &board.row;
        let players = names(ctx.store, &row.players)?;
        let Some(turn) = row.to_move else { continue };
        let opponent = row.players.into_iter().find(|player| *player != account.id && !player.is_robot());
        let Some(opponent) = opponent else { continue };
        let moved = MovedBoard {
            game: row.game.clone(),
            board: id.0,
            turn: turn.of(&players).clone(),
            deadline: row.deadline_at.map(Timestamp::as_second),
            players,
        };
        boards.push((opponent, moved));
    }
    let mut opponents: Vec<PlayerId> = boards.iter().map(|(opponent, _)| *opponent).collect();
    opponents.sort_unstable();
    opponents.dedup();
    for opponent in opponents {
        let theirs = boards.iter().filter(|(whose, _)| *whose == opponent);
        let rows: Vec<&MovedBoard> = theirs.map(|(_, moved)| moved).collect();
        let reader = ctx.store.player_by_id(opponent)?.userid.to_string();
        let userid = account.userid.to_string();
        let days = days.map(|(first, last)| (day(first, ctx.now), day(last, ctx.now)));
        let data = context! { reader, userid, days, rows => data(&rows) };
        let mail = Mail::page(Recipient::Player(opponent), AWAY, data);
        let mut mail = Mail { purpose: Purpose::News, ..mail };
        // A mail that replaces an earlier mail of this letter is not charged again.
        let is_further = !ctx.mails.iter().any(|before| mail.gather(before));
        if is_further && let Some(why) = ctx.take_mail(account.id, opponent)? {
            ctx.unmailed.push(why);
            continue;
        }
        ctx.notify(mail);
    }
    Ok(())
}

/// The first instant of a day in a zone.
fn begins(day: Date, zone: &TimeZone) -> Option<Timestamp> {
    day.to_zoned(zone.clone()).ok().map(|day| day.timestamp())
}

/// Checks that each year has enough vacation days left for these days.
fn enough_left(others: &[VacationRow], first: Date, last: Date) -> Result<(), Refusal> {
    let taken = taken(others);
    for year in first.year()..=last.year() {
        let of_year = taken.iter().filter(|day| day.year() == year).count();
        let new = days(first, last).filter(|day| day.year() == year && !taken.contains(day)).count();
        if of_year + new > DAYS_A_YEAR {
            return refuse!(
                "There are 30 days of vacation for a year, and you have {left} left for {year}.",
                left = DAYS_A_YEAR.saturating_sub(of_year)
            );
        }
    }
    Ok(())
}

/// The set of these vacations' days, so that a day cancelled and announced again counts once. An automatic
/// vacation counts as its first day.
fn taken(vacations: &[VacationRow]) -> BTreeSet<Date> {
    let last = |vacation: &VacationRow| if vacation.automatic { vacation.first } else { vacation.last };
    vacations.iter().flat_map(|vacation| days(vacation.first, last(vacation))).collect()
}

fn days(first: Date, last: Date) -> impl Iterator<Item = Date> {
    first.series(Span::new().days(1)).take_while(move |day| *day <= last)
}
