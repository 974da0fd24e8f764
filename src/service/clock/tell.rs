//! What a tick tells people: each occasion once.

use jiff::Timestamp;
use sha2::{Digest, Sha256};

use super::Timer;
use crate::ids::Identity;
use crate::mail::{Letter, outgoing};
use crate::reply::{self, MovedRow, Reply};
use crate::service::mail_preferences::MailPreferences;
use crate::service::note::Parcel;
use crate::service::transcript::Notice;
use crate::service::view::names;
use crate::service::{App, Error, Post};
use crate::store::{Entrance, PlayerId, StopRow, Store, Tally};

impl Timer<'_> {
    /// Tells every player whose deadlines a stop moved, each once.
    pub(super) fn tell_of(&mut self, store: &Store, stop: &StopRow) -> Result<(), Error> {
        let mut boards: Vec<(PlayerId, MovedRow)> = Vec::new();
        for (id, players) in store.boards_moved_by(stop.id)? {
            let Some(row) = store.board(id)? else { continue };
            let names = names(store, &players)?;
            let Some((turn, deadline)) = row.to_move.zip(row.deadline_at) else { continue };
            let told = MovedRow {
                game: row.game,
                board: id.0,
                turn: turn.of(&names).clone(),
                deadline: deadline.as_second(),
                players: names,
            };
            boards.extend(players.map(|player| (player, told.clone())));
        }
        let mut players: Vec<PlayerId> = boards.iter().map(|(player, _)| *player).collect();
        players.sort_unstable();
        players.dedup();
        for player in players {
            let rows: Vec<MovedRow> =
                boards.iter().filter(|(whose, _)| *whose == player).map(|(_, row)| row.clone()).collect();
            let zone = self.calendar.zone(store, player)?.1;
            let reply = reply::moved(self.app, &zone, (stop.from, stop.to), &rows)?;
            let occasion = format!("stop {} {}", stop.id, player.0);
            let told = once(store, self.app, self.at, &occasion, |post| mail_all(post, &[(player, reply)]))?;
            self.ticked.mails += told;
        }
        Ok(store.stop_is_told(stop.id)?)
    }

    /// Tells players about their boards, and whoever else hears of them.
    pub(super) fn tell(
        &mut self,
        store: &Store,
        occasion: &str,
        mut notices: Vec<Notice>,
    ) -> Result<(), Error> {
        let mut preferences = MailPreferences::default();
        // A reminder is between the server and its player.
        let is_over = |notice: &&Notice| notice.update.view.result.is_some();
        let mut mailings = match notices.iter().find(is_over) {
            Some(_) => preferences.onlookers(store, self.at, &notices)?,
            None => Vec::new(),
        };
        for notice in &mut notices {
            preferences.complete(store, self.at, &mut notice.update.view, Some(notice.seat))?;
        }
        for mailing in &mut mailings {
            if let Parcel::BoardUpdate(update, _) = &mut mailing.parcel {
                preferences.complete(store, self.at, &mut update.view, None)?;
            }
        }
        let mut mails = Vec::with_capacity(notices.len());
        for notice in &notices {
            let zone = self.calendar.zone(store, notice.to)?.1;
            mails.push((notice.to, reply::notice(self.app, &zone, notice)?));
        }
        let told = once(store, self.app, self.at, occasion, |post| {
            mail_all(post, &mails)?;
            mailings.iter().try_for_each(|mailing| post.send(mailing, None))?;
            // Whom a board that is over kept from hearing of the next.
            let over = notices.iter().filter(is_over);
            over.map(|notice| notice.to).try_for_each(|player| post.next_of_digest(&preferences, player))
        })?;
        self.ticked.mails += told;
        Ok(())
    }
}

fn mail_all(post: &mut Post<'_>, mails: &[(PlayerId, Reply)]) -> Result<(), Error> {
    mails
        .iter()
        .try_for_each(|(player, reply)| post.mail_player(*player, reply, outgoing::AutoSubmitted::Generated))
}

/// Lets `write` put the mails of an occasion into the outbox, unless that was done before. Gives how many.
fn once(
    store: &Store,
    app: &App,
    at: Timestamp,
    occasion: &str,
    write: impl FnOnce(&mut Post<'_>) -> Result<(), Error>,
) -> Result<usize, Error> {
    let identity = Identity(Sha256::digest(format!("tick {occasion}")).into());
    let letter = Letter::by_server(identity);
    let Some(id) = store.add_letter(&identity, at, Entrance::Tick, None)? else { return Ok(0) };
    store.close_letter(id, None, Tally::default(), occasion)?;
    let mut post = Post { store, app, letter: &letter, id, at, mails: 0 };
    write(&mut post)?;
    Ok(post.mails)
}
