//! The mail preferences of a board's players and watchers.
//!
//! Letters and the timer share them, so that a loss on time reaches the same watchers as a move.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use jiff::Timestamp;

use crate::board::clocks;
use crate::failure::Error;
use crate::ids::{BoardId, Userid};
use crate::notices::Mail;
use crate::notices::board_update::BoardNews;
use crate::notices::view::BoardView;
use crate::settings::DIGEST;
use crate::store::{BoardState, PlayerId, PreferencesRow, Store};
use crate::zone::day;

/// The preferences of each board, read once.
#[derive(Debug, Default)]
pub(crate) struct MailPreferences(HashMap<u32, Vec<PreferencesRow>>);

impl MailPreferences {
    fn of_board(&mut self, store: &Store, board: u32, now: Timestamp) -> Result<&[PreferencesRow], Error> {
        Ok(match self.0.entry(board) {
            Entry::Occupied(seen) => seen.into_mut(),
            Entry::Vacant(place) => place.insert(store.mail_preferences(BoardId(board), now)?),
        })
    }

    /// True if a player of the board is on vacation or has announced one.
    pub(crate) fn is_a_player_away(
        &mut self,
        store: &Store,
        board: BoardId,
        now: Timestamp,
    ) -> Result<bool, Error> {
        Ok(self.of_board(store, board.0, now)?.iter().any(|mail_preferences| mail_preferences.away))
    }

    /// True if the player wants one "your move" mail at a time.
    pub(crate) fn wants_digest(&self, store: &Store, player: PlayerId) -> Result<bool, Error> {
        match self.0.values().flatten().find(|mail_preferences| mail_preferences.player == player) {
            Some(mail_preferences) => Ok(mail_preferences.digest),
            None => Ok(store.is_on(player, &DIGEST)?),
        }
    }

    /// Mails for the watchers of these boards and, after an end, for players who follow all games that end.
    pub(crate) fn for_watchers(
        &mut self,
        store: &Store,
        now: Timestamp,
        news: &[BoardNews],
    ) -> Result<Vec<Mail>, Error> {
        let mut mails = Vec::new();
        for of_board in news.iter().filter(|of_board| !of_board.update.last.event.is_a_reminder()) {
            let id = BoardId(of_board.update.view.board);
            let is_over = of_board.update.view.result.is_some();
            // Most boards are in play and have no watchers. A plain move pays one query for that.
            let preferences = self.of_board(store, id.0, now)?;
            if !is_over && !preferences.iter().any(|mail_preferences| mail_preferences.watched) {
                continue;
            }
            let Some(row) = store.board(id)? else { continue };
            let mut update = of_board.for_public();
            self.complete(store, now, &mut update.view, None)?;
            for address in store.tell_watchers(id, update.view.events)? {
                mails.push(Mail::of_watched(address, update.clone()));
            }
            if !is_over {
                continue;
            }
            store.end_watching(id)?;
            if row.state == BoardState::Finished {
                for player in store.told_of_ends(&row.game)? {
                    if !row.players.contains(&player) {
                        mails.push(Mail::of_end(player, update.clone()));
                    }
                }
            }
        }
        Ok(mails)
    }

    /// Adds what the view does not know: bots, vacations, time left for all moves, and an opponent's public address.
    pub(crate) fn complete(
        &mut self,
        store: &Store,
        now: Timestamp,
        view: &mut BoardView,
        reader: Option<usize>,
    ) -> Result<(), Error> {
        if view.board == 0 || view.past {
            return Ok(());
        }
        let preferences = self.of_board(store, view.board, now)?;
        if let Some(mover) = view.turn
            && let Some(row) = store.board(BoardId(view.board))?
        {
            view.tell_left(store, &row, now)?;
            let is_away = preferences.get(mover).is_some_and(|mover| mover.away);
            view.may_nudge = !is_away && clocks::may_nudge(store, &row, now)?;
        }
        for (seat, mail_preferences) in preferences.iter().enumerate() {
            if mail_preferences.is_bot && reader != Some(seat) {
                view.about_players.push(format!("{} is a bot.", mail_preferences.userid));
            }
            if mail_preferences.away && view.result.is_none() {
                view.about_players.extend(away(store, now, &mail_preferences.userid)?);
            }
            if mail_preferences.open
                && reader.is_some_and(|reader| reader != seat)
                && let Some(address) = store.open_address(&mail_preferences.userid)?
            {
                view.about_players
                    .push(format!("{} can be written to at {address}.", mail_preferences.userid));
            }
        }
        Ok(())
    }
}

/// A player's current or next vacation, as a sentence.
pub(crate) fn away(store: &Store, now: Timestamp, userid: &str) -> Result<Option<String>, Error> {
    let Ok(userid) = userid.parse::<Userid>() else { return Ok(None) };
    let Some(vacation) = store.next_vacation(&userid, now)? else { return Ok(None) };
    let last = day(vacation.last, now);
    Ok(Some(if vacation.starts_at > now {
        format!("{userid} will be on vacation from {} to {last}.", day(vacation.first, now))
    } else {
        format!("{userid} is on vacation until {last}.")
    }))
}
