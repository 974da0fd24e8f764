//! Who hears of a board's news, whether a letter, the timer or the host caused it.

use jiff::Timestamp;

use crate::board::Board;
use crate::failure::Error;
use crate::ids::{BoardId, Seat};
use crate::notices::board_update::{BoardEvent, BoardNews, BoardUpdate};
use crate::notices::mail::Words;
use crate::notices::mail_preferences::MailPreferences;
use crate::notices::view::board_view;
use crate::notices::{Mail, open_seeks};
use crate::store::{PlayerId, Store};

/// All mails that the news of these boards cause. `mails` come after those to the players.
pub(crate) fn of_events(
    store: &Store,
    now: Timestamp,
    news: &[BoardNews],
    mails: Vec<Mail>,
) -> Result<Vec<Mail>, Error> {
    let mut preferences = MailPreferences::default();
    let mut leaving = Vec::new();
    for of_board in news {
        for seat in &of_board.to {
            leaving.extend(to_player(store, now, &mut preferences, (of_board, *seat), None)?);
        }
    }
    leaving.extend(mails);
    leaving.extend(preferences.for_watchers(store, now, news)?);
    for player in players_of_ended(news) {
        leaving.extend(next_of_digest(store, &preferences, player, now)?);
    }
    Ok(leaving)
}

/// Tells the player at a seat. `None` for the robot, and for a "your move" mail that is held back: its player wants one
/// at a time and has not written since the last. A mail that says more than the move is never held back.
pub(crate) fn to_player(
    store: &Store,
    now: Timestamp,
    preferences: &mut MailPreferences,
    (news, seat): (&BoardNews, Seat),
    words: Option<Words>,
) -> Result<Option<Mail>, Error> {
    let player = *seat.of(&news.players);
    if player.is_robot() {
        return Ok(None);
    }
    let mut update = news.for_seat(seat);
    preferences.complete(store, now, &mut update.view, Some(seat.index()))?;
    let is_to_move = update.view.turn == Some(seat.index());
    if is_to_move && !news.is_talk() && !update.last.event.is_a_reminder() {
        store.add_pushes(player, BoardId(update.view.board), now)?;
    }
    if is_to_move && preferences.wants_digest(store, player)? {
        let is_a_move = matches!(update.last.event, BoardEvent::Played | BoardEvent::Queued);
        if is_a_move && update.notes.is_empty() && words.is_none() && store.is_told(player)? {
            store.hold(player, BoardId(update.view.board), now)?;
            return Ok(None);
        }
        store.note_told(player)?;
        update.notes.extend(open_seeks::news_for_digest(store, now, player)?);
    }
    Ok(Some(Mail::of_board(player, seat, update, words)))
}

/// The readers of boards that have ended.
pub(crate) fn players_of_ended(news: &[BoardNews]) -> impl Iterator<Item = PlayerId> {
    news.iter().filter(|news| news.update.view.result.is_some()).flat_map(BoardNews::readers)
}

/// The mail about the next board that waits for the player, in its current state.
pub(crate) fn next_of_digest(
    store: &Store,
    preferences: &MailPreferences,
    player: PlayerId,
    now: Timestamp,
) -> Result<Option<Mail>, Error> {
    if !preferences.wants_digest(store, player)? {
        return Ok(None);
    }
    store.forget_told(player)?;
    while let Some(id) = store.take_held(player)? {
        let Some(board) = Board::load(store, id)? else { continue };
        let Some(seat) = board.row.to_move.filter(|seat| *seat.of(&board.row.players) == player) else {
            continue;
        };
        let mut update = BoardUpdate::new(BoardEvent::Waits, seat, board_view(store, &board)?);
        update.notes.extend(open_seeks::news_for_digest(store, now, player)?);
        store.note_told(player)?;
        return Ok(Some(Mail::of_board(player, seat, update, None)));
    }
    Ok(None)
}
