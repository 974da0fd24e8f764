//! The weekly mail to players with `announce on`: open seeks, finished games and the tables of their
//! contests. Also handles the letter that unsubscribes from it.
//!
//! A week after a player's last mail, the timer looks for news: seeks that they can accept, finished games,
//! new events, or an event or season that they play in. Without news there is no mail that week. Weeks are
//! counted in days of the player's zone, so a timer that runs once a day keeps the day of the week.

use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp, ToSpan};
use minijinja::context;
use serde::Serialize;
use turnpost_games::registry;

use crate::contest::record::Contest;
use crate::credentials::token;
use crate::failure::{CommandError, Error};
use crate::notices::contest_view::{ContestLine, contest_line};
use crate::notices::mail::{Keep, Purpose, Recipient, UnsubscribeBy};
use crate::notices::open_seeks::{WaitingSeek, waiting};
use crate::notices::told_contests::ToldContests;
use crate::notices::transcript::data;
use crate::notices::view::{GameRow, game_row};
use crate::notices::{Event, Mail};
use crate::play::Context;
use crate::settings::ANNOUNCE;
use crate::store::{AnnouncedRow, ContestForm, ContestState, PlayerId, Store};

/// The shortest possible week in any zone, less two hours to spare. It lasts from the end of a day to the start of the
/// seventh day after it.
const SHORTEST_WEEK: SignedDuration = SignedDuration::from_hours(6 * 24 - 2);

/// Maximum number of seeks, finished games and events in a mail.
const SEEKS_AT_MOST: usize = 20;
const GAMES_AT_MOST: usize = 30;
const EVENTS_AT_MOST: usize = 10;

/// The news that all mails of one tick draw from.
pub(crate) struct News {
    seeks: Vec<WaitingSeek>,
    finished: Vec<Finished>,
    /// Open events: when each was made, and its line.
    events: Vec<(Timestamp, ContestLine)>,
}

#[derive(Serialize)]
struct Finished {
    #[serde(skip)]
    at: Timestamp,
    /// The game's name.
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

    /// The mail to a player; `None` if it would contain nothing new.
    fn mail_to(
        &self,
        store: &Store,
        announced: &AnnouncedRow,
        told: &mut ToldContests,
        now: Timestamp,
    ) -> Result<Option<Mail>, Error> {
        let AnnouncedRow { player, userid, since, .. } = announced;
        // Times are whole seconds, so `>=`: more can happen in the second of the last mail, after it.
        let mut seeks = Vec::new();
        let mut is_new = false;
        for seek in &self.seeks {
            if seek.is_for(store, *player)? {
                is_new |= seek.row.made_at >= *since;
                seeks.push(seek.shown.clone());
            }
        }
        let mut finished: Vec<_> = self.finished.iter().filter(|game| game.at >= *since).collect();
        is_new |= self.events.iter().any(|(made_at, _)| made_at >= since);
        let tables = told.own_tables(store, *player, now)?;
        // A ladder sends its own mail once a month.
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
            events => self.events.iter().take(EVENTS_AT_MOST).map(|(_, line)| data(line)).collect::<Vec<_>>(),
            tables => data(&tables),
        };
        let mail = Mail::page(Recipient::Player(*player), "announcement.md", context! { m => news });
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

/// Starts a player's new week. If there is news, returns the time when the old week began, and the mail about it.
pub(crate) fn take(
    store: &Store,
    now: Timestamp,
    player: PlayerId,
    news: &News,
    told: &mut ToldContests,
) -> Result<Option<(Timestamp, Mail)>, Error> {
    let until = now.checked_sub(SHORTEST_WEEK).unwrap_or(now);
    // Check again inside the transaction: another process might have sent the mail.
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

/// Ends the weekly mail of the player whose token the letter carries. The letter carries out nothing else.
pub(crate) fn unsubscribe(ctx: &mut Context<'_>, player: PlayerId) -> Result<Event, CommandError> {
    ctx.store.set(player, ANNOUNCE.to("off"), ctx.now)?;
    ctx.answer_to(player);
    let userid = ctx.store.player_by_id(player)?.userid.to_string();
    Ok(Event::page("announce-off.md", context! { userid }, None))
}
