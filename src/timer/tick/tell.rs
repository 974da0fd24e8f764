//! Writes the mails of a tick, once for each occasion.

use std::collections::BTreeMap;

use minijinja::context;

use crate::board::names;
use crate::commands::announce::{self, News};
use crate::failure::Error;
use crate::notices::board_update::BoardNews;
use crate::notices::mail::{MovedBoard, Purpose, Recipient};
use crate::notices::told_contests::ToldContests;
use crate::notices::transcript::data;
use crate::notices::{Mail, Occasion, Outbox, audience};
use crate::store::{ClosedLetter, Entrance, PlayerId, StopRow, Store};
use crate::timer::tick::Timer;
use crate::timer::tick::contests::MAILS;

impl<O: Outbox> Timer<'_, O> {
    /// Tells each player once which deadlines a server stop moved.
    pub(crate) fn tell_of(&mut self, store: &mut Store, stop: &StopRow) -> Result<(), Error> {
        let mut boards: BTreeMap<PlayerId, Vec<MovedBoard>> = BTreeMap::new();
        for (id, players) in store.boards_moved_by(stop.id)? {
            let Some(row) = store.board(id)? else { continue };
            let names = names(store, &players)?;
            let Some((turn, deadline)) = row.to_move.zip(row.deadline_at) else { continue };
            let moved = MovedBoard {
                game: row.game,
                board: id.0,
                turn: turn.of(&names).clone(),
                deadline: Some(deadline.as_second()),
                players: names,
            };
            for player in players {
                boards.entry(player).or_default().push(moved.clone());
            }
        }
        let boards: Vec<_> = boards.into_iter().collect();
        for batch in boards.chunks(MAILS) {
            self.in_one(store, |timer, store| {
                batch.iter().try_for_each(|(player, rows)| timer.tell_of_moved(store, stop, *player, rows))
            })?;
            store.yield_write_lock();
        }
        Ok(store.write(|store| store.stop_is_told(stop.id))?)
    }

    fn tell_of_moved(
        &mut self,
        store: &Store,
        stop: &StopRow,
        player: PlayerId,
        rows: &[MovedBoard],
    ) -> Result<(), Error> {
        let reader = store.player_by_id(player)?.userid.to_string();
        let (from, to) = (stop.from.as_second(), stop.to.as_second());
        let data = context! { reader, from, to, rows => data(&rows) };
        let mail = Mail::page(Recipient::Player(player), "moved.md", data);
        let mail = Mail { purpose: Purpose::News, ..mail };
        // If a stop is shortened, its new end makes a new occasion, so players can be told again.
        let name = format!("stop {} {} {}", stop.id, player.0, stop.to.as_second());
        self.once(store, &name, |_| Ok(vec![mail]))
    }

    /// Mails the weekly news, such as open seeks and finished games, to the players whose week is over.
    pub(crate) fn announce(&mut self, store: &mut Store) -> Result<(), Error> {
        let now = self.now;
        let mut contests = ToldContests::default();
        for batch in announce::due(store, now)?.chunks(MAILS) {
            self.in_one(store, |timer, store| {
                let news = News::gather(store, &mut contests, now)?;
                for player in batch {
                    if let Some((since, mail)) = announce::take(store, now, *player, &news, &mut contests)? {
                        let name = format!("announce {} {}", player.0, since.as_second());
                        timer.once(store, &name, |_| Ok(vec![mail]))?;
                    }
                }
                Ok(())
            })?;
            store.yield_write_lock();
        }
        let damaged = contests.damaged.iter().map(|(id, why)| format!("mails of contest {}: {why}", id.0));
        self.ticked.damaged.extend(damaged);
        Ok(())
    }

    /// Mails the news of a board to its players and watchers.
    pub(crate) fn tell(&mut self, store: &Store, occasion: &str, news: BoardNews) -> Result<(), Error> {
        let now = self.now;
        self.once(store, occasion, |store| audience::of_events(store, now, &[news], Vec::new()))
    }

    /// Puts the mails of the occasion `name` into the outbox, unless an earlier call did.
    pub(crate) fn once(
        &mut self,
        store: &Store,
        name: &str,
        mails: impl FnOnce(&Store) -> Result<Vec<Mail>, Error>,
    ) -> Result<(), Error> {
        let Some(occasion) = Occasion::begin(store, Entrance::Tick, &format!("tick {name}"), self.now)?
        else {
            return Ok(());
        };
        store.close_letter(occasion.id, &ClosedLetter::of(name))?;
        self.ticked.mails += self.outbox.put(store, &occasion, mails(store)?, self.now)?;
        Ok(())
    }
}
