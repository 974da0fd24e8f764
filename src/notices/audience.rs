//! Who hears of what happens on a board, whether a letter, the timer or the host caused it.

use jiff::Timestamp;

use crate::board::Board;
use crate::failure::Error;
use crate::notices::board_update::{BoardEvent, BoardUpdate};
use crate::notices::mail_preferences::MailPreferences;
use crate::notices::view::board_view;
use crate::notices::{Mail, open_seeks};
use crate::store::{PlayerId, Store};

/// Everything the timer and the host tell about a board.
pub(crate) fn of_events(store: &Store, now: Timestamp, mut mails: Vec<Mail>) -> Result<Vec<Mail>, Error> {
    let mut preferences = MailPreferences::default();
    let over: Vec<PlayerId> = players_of_ended(&mails).collect();
    if mails.iter().any(|told| told.board().is_some_and(|notice| !notice.update.event.is_a_reminder())) {
        let for_watchers = preferences.for_watchers(store, now, &mails)?;
        mails.extend(for_watchers);
    }
    for mail in &mut mails {
        complete_notice(store, now, &mut preferences, mail)?;
    }
    for player in over {
        mails.extend(next_of_digest(store, &preferences, player, now)?);
    }
    Ok(mails)
}

pub(crate) fn complete_notice(
    store: &Store,
    now: Timestamp,
    preferences: &mut MailPreferences,
    mail: &mut Mail,
) -> Result<(), Error> {
    let Some(notice) = mail.board_mut() else { return Ok(()) };
    let seat = notice.reader.seat();
    preferences.complete(store, now, &mut notice.update.view, seat)
}

/// The players whose boards have ended.
pub(crate) fn players_of_ended(mails: &[Mail]) -> impl Iterator<Item = PlayerId> {
    let players = mails.iter().filter_map(Mail::player_at_board);
    players.filter(|(_, notice)| notice.update.view.result.is_some()).map(|(player, _)| player)
}

/// The next board that waits for the player, as it stands now.
pub(crate) fn next_of_digest(
    store: &Store,
    preferences: &MailPreferences,
    player: PlayerId,
    now: Timestamp,
) -> Result<Option<Mail>, Error> {
    if !preferences.wants_digest(store, player)? {
        return Ok(None);
    }
    store.set_told(player, false)?;
    while let Some(id) = store.take_held(player)? {
        let Some(board) = Board::load(store, id)? else { continue };
        let Some(seat) = board.row.to_move.filter(|seat| *seat.of(&board.row.players) == player) else {
            continue;
        };
        let mut update = BoardUpdate::new(BoardEvent::Waits, seat, board_view(store, &board)?);
        update.notes.extend(open_seeks::news_for_digest(store, now, player)?);
        store.set_told(player, true)?;
        return Ok(Some(Mail::of_board(player, seat, update)));
    }
    Ok(None)
}
