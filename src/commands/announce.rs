//! The weekly mail of open seeks, finished games and the tables of the reader's contests, for players with `announce on`, and
//! the letter that ends it.
//!
//! A week after a player was last told, the timer looks for news: seeks they may accept, games that have ended, an event or a
//! season that they play in. Without news the week passes without a mail. Weeks are counted in days of the player's
//! zone, so that a timer that runs once a day keeps the day of the week.

use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp, ToSpan};
use minijinja::context;
use turnpost_games::registry;

use crate::contest::record::Contest;
use crate::credentials::token;
use crate::failure::{CommandError, Error};
use crate::notices::contest_news::ToldContests;
use crate::notices::contest_view::contest_line;
use crate::notices::mail::{Keep, Purpose, Recipient, UnsubscribeBy};
use crate::notices::open_seeks::{WaitingSeek, waiting};
use crate::notices::transcript::data;
use crate::notices::view::{GameRow, game_row};
use crate::notices::{Event, Mail};
use crate::play::Context;
use crate::settings::ANNOUNCE;
use crate::store::{AnnouncedRow, ContestForm, ContestState, PlayerId, Store};

/// No week of any zone is shorter: the seventh day may begin a moment after the first one ended.
const SHORTEST_WEEK: SignedDuration = SignedDuration::from_hours(6 * 24 - 2);

/// A mail lists this many seeks, the newest first, and this many games, the latest first.
const SEEKS_AT_MOST: usize = 20;
const GAMES_AT_MOST: usize = 30;
const EVENTS_AT_MOST: usize = 10;

/// The seeks and games that mails of one tick choose from.
pub(crate) struct News {
    seeks: Vec<WaitingSeek>,
    finished: Vec<Finished>,
    /// Events that one can join, each with when it was made.
    events: Vec<(Timestamp, String)>,
}

struct Finished {
    at: Timestamp,
    /// The name of its game.
    game: &'static str,
    row: GameRow,
}

impl News {
    pub(crate) fn gather(store: &Store, told: &mut ToldContests, now: Timestamp) -> Result<News, Error> {
        let mut finished = Vec::new();
        for board in store.last_finished(GAMES_AT_MOST as u32 + 1)? {
            let Some(row) = store.board(board)? else { continue };
            let Some(kind) = registry::find(&row.game) else { continue };
            let shown = game_row(store, &row, kind.seats)?;
            finished.push(Finished { at: row.changed_at, game: kind.name, row: shown });
        }
        let mut events = Vec::new();
        for row in store.contests(ContestForm::Event, None, now)? {
            if row.state == ContestState::Open {
                let event = Contest::load(store, &row)
                    .and_then(|event| Ok((event.made_at, contest_line(store, &row)?)));
                events.extend(told.if_whole(row.id, event)?);
            }
        }
        Ok(News { seeks: waiting(store, now, registry::games(), usize::MAX)?, finished, events })
    }

    /// The mail to a player, unless there is nothing to tell that they have not been told.
    fn mail_to(
        &self,
        store: &Store,
        announced: &AnnouncedRow,
        told: &mut ToldContests,
        now: Timestamp,
    ) -> Result<Option<Mail>, Error> {
        let AnnouncedRow { player, userid, since, .. } = announced;
        // Of the second in which they were last told, something may have happened after that.
        let mut seeks = Vec::new();
        let mut is_new = false;
        for seek in &self.seeks {
            if seek.is_for(store, *player)? {
                is_new |= seek.row.made_at >= *since;
                seeks.push(seek.shown.clone());
            }
        }
        let mut finished: Vec<(&'static str, GameRow)> = self
            .finished
            .iter()
            .filter(|game| game.at >= *since)
            .map(|game| (game.game, game.row.clone()))
            .collect();
        is_new |= self.events.iter().any(|(made_at, _)| made_at >= since);
        let tables = told.own_tables(store, *player, now)?;
        // A ladder has a mail of its own, once a month.
        is_new |= tables.iter().any(|table| !table.is_ladder);
        if !is_new && finished.is_empty() {
            return Ok(None);
        }
        let (more_seeks, more_games) = (seeks.len() > SEEKS_AT_MOST, finished.len() > GAMES_AT_MOST);
        seeks.truncate(SEEKS_AT_MOST);
        finished.truncate(GAMES_AT_MOST);
        let token = token::that_unsubscribes(&store.secret(*player)?, *player);
        let news = context! {
            userid, since => since.as_second(), seeks => data(&seeks), more_seeks, finished => data(&finished), more_games,
            events => self.events.iter().take(EVENTS_AT_MOST).map(|(_, line)| line.trim().to_owned()).collect::<Vec<_>>(),
            tables => data(&tables),
        };
        let mail = Mail::page(Recipient::Player(*player), "announcement.txt", context! { m => news });
        let unsubscribe = Some(UnsubscribeBy::Token(token));
        Ok(Some(Mail { purpose: Purpose::News, unsubscribe, keep: Keep::Recipient, ..mail }))
    }
}

/// The players whose week is over.
pub(crate) fn due(store: &Store, now: Timestamp) -> Result<Vec<PlayerId>, Error> {
    let until = now.checked_sub(SHORTEST_WEEK).unwrap_or(now);
    let waiting = store.announced(until, now)?;
    Ok(waiting.iter().filter(|announced| is_over(announced, now)).map(|announced| announced.player).collect())
}

/// What to tell a player whose week is over, and up to when they had been told; a new week begins.
pub(crate) fn take(
    store: &Store,
    now: Timestamp,
    player: PlayerId,
    news: &News,
    told: &mut ToldContests,
) -> Result<Option<(Timestamp, Mail)>, Error> {
    let until = now.checked_sub(SHORTEST_WEEK).unwrap_or(now);
    // Asked again inside the transaction: another process may have told them.
    let announced = store.announced_to(player, until, now)?.filter(|announced| is_over(announced, now));
    let Some(announced) = announced else { return Ok(None) };
    store.set_announced(player, now)?;
    Ok(news.mail_to(store, &announced, told, now)?.map(|mail| (announced.since, mail)))
}

fn is_over(announced: &AnnouncedRow, now: Timestamp) -> bool {
    let zone = crate::zone::find(&announced.zone).unwrap_or(TimeZone::UTC);
    let day = |at: Timestamp| at.to_zoned(zone.clone()).date();
    day(announced.since).checked_add(7.days()).is_ok_and(|over| over <= day(now))
}

/// Ends the weekly mail of the player whose token the letter carries. The letter does nothing else.
pub(crate) fn unsubscribe(ctx: &mut Context<'_>, player: PlayerId) -> Result<Event, CommandError> {
    ctx.store.set(player, ANNOUNCE.to("off"), ctx.now)?;
    ctx.answer_to(player);
    let userid = ctx.store.player_by_id(player)?.userid.to_string();
    Ok(Event::page("announce-off.txt", context! { userid }, None))
}
