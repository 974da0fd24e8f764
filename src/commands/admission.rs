//! Who enters an event: the options of `event new`, the waiting list, and the organiser's answers.
//!
//! ```text
//! [-rating=1200-1800] [-players=userid1,userid2,...] [-by-request] [-private]
//! game event accept | reject name userid1 userid password
//! ```

use crate::commands::organiser::must_organise;
use crate::contest::admission::EntryTerms;
use crate::contest::events::{BY_ORGANISER, Ruling};
use crate::contest::forms::all_play_all::must_be_open;
use crate::contest::record::Contest;
use crate::credentials::claim::no_such_userid;
use crate::failure::{CommandError, refuse};
use crate::ids::Userid;
use crate::play::Context;
use crate::store::{Account, ContestNewsKind, RatingRange};

/// The organiser's answers to a player who asks to join.
pub(crate) const ANSWERS: &[&str] = &["accept", "reject"];

#[derive(Debug, Clone, Default)]
pub struct EntryOptions {
    pub rating: Option<RatingRange>,
    pub players: Vec<Userid>,
    pub by_request: bool,
    pub private: bool,
}

impl EntryOptions {
    /// Takes a word that says who can enter. Returns `None` for any other word.
    pub(crate) fn take(&mut self, word: &str) -> Option<Result<(), String>> {
        if word.eq_ignore_ascii_case("-by-request") {
            self.by_request = true;
            return Some(Ok(()));
        }
        if word.eq_ignore_ascii_case("-private") {
            self.private = true;
            return Some(Ok(()));
        }
        let (name, value) = word.split_once('=')?;
        Some(match name.to_ascii_lowercase().as_str() {
            "-rating" => RatingRange::read(value).map(|range| self.rating = Some(range)),
            "-players" => {
                let read: Result<Vec<Userid>, _> =
                    value.split(',').map(|name| name.trim().parse::<Userid>()).collect();
                let read = read.map_err(|_| "names with commas between them are expected after the `=`");
                read.map(|players| self.players = players).map_err(str::to_owned)
            }
            _ => return None,
        })
    }

    /// The words, each after a space.
    pub(crate) fn written(&self) -> String {
        let rating = self.rating.map(|range| format!(" -rating={range}"));
        let names: Vec<&str> = self.players.iter().map(Userid::as_str).collect();
        let players = if names.is_empty() { String::new() } else { format!(" -players={}", names.join(",")) };
        let flags = [(self.by_request, " -by-request"), (self.private, " -private")];
        let flags: String = flags.into_iter().filter_map(|(is_set, flag)| is_set.then_some(flag)).collect();
        rating.unwrap_or_default() + &players + &flags
    }

    pub(crate) fn terms(&self, ctx: &Context<'_>) -> Result<EntryTerms, CommandError> {
        let mut players = Vec::new();
        for userid in &self.players {
            match ctx.store.player(userid)?.filter(|account| account.is_active() && !account.id.is_robot()) {
                Some(account) => players.push(account.id),
                None => return Err(no_such_userid(ctx.nearest(userid)?).into()),
            }
        }
        Ok(EntryTerms { rating: self.rating, players, by_request: self.by_request, private: self.private })
    }
}

/// Puts a player on the list of an event that is full, or whose organiser accepts each player.
pub(crate) fn wait(ctx: &mut Context<'_>, contest: &mut Contest, by: &Account) -> Result<(), CommandError> {
    contest.rule(ctx.store, Some(by.id), &Ruling::Asked, ctx.now)?;
    let (name, place) = (&contest.row.name, contest.waiting.len());
    if !contest.terms.entry.by_request {
        ctx.remarks.push(format!(
            "{name} is full. You are number {place} of those who wait for a place, and a mail tells you when you have one."
        ));
    } else if let Some(maker) = contest.maker {
        ctx.store.add_contest_news(maker, contest.row.id, ContestNewsKind::Asked, ctx.now)?;
        let maker = ctx.store.player_by_id(maker)?.userid;
        ctx.remarks
            .push(format!("{maker}, who organises {name}, decides whether you are in. A mail tells you."));
    }
    Ok(())
}

/// Accepts or rejects a player who waits.
pub(crate) fn admit(
    ctx: &mut Context<'_>,
    contest: &mut Contest,
    (userid, accepts): (&Userid, bool),
    by: &Account,
) -> Result<(), CommandError> {
    must_organise(ctx, contest, by)?;
    must_be_open(&contest.row)?;
    let name = contest.row.name.clone();
    let player = ctx.store.player(userid)?.map(|account| account.id);
    let Some(player) = player.filter(|player| contest.waiting.contains(player)) else {
        return refuse!("{userid} has not asked to join {name}.");
    };
    if !accepts {
        contest.take_out(ctx.store, player, BY_ORGANISER, ctx.now)?;
        return Ok(ctx.store.add_contest_news(player, contest.row.id, ContestNewsKind::Refused, ctx.now)?);
    }
    if contest.is_full() {
        return refuse!("{name} is full.");
    }
    Ok(contest.admit(ctx.store, player, ctx.now)?)
}
