//! What a tick tells people: each occasion once.

use jiff::Timestamp;
use sha2::{Digest, Sha256};

use super::Timer;
use crate::mail::{AnswerBy, Identity, Letter, Proof, outgoing};
use crate::reply::{self, MovedRow, Reply};
use crate::service::transcript::Notice;
use crate::service::view::names;
use crate::service::{Failure, House, Post};
use crate::store::{PlayerId, StopRow, Store, Tally};

impl Timer<'_> {
    /// Tells every player whose deadlines a stop moved, each once.
    pub(super) fn tell_of(&mut self, store: &Store, stop: &StopRow) -> Result<(), Failure> {
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
            let zone = self.zone(store, player)?.1;
            let reply = reply::moved(self.house, &zone, (stop.from, stop.to), &rows)?;
            self.mail(store, &format!("stop {} {}", stop.id, player.0), &[(player, reply)])?;
        }
        Ok(store.stop_is_told(stop.id)?)
    }

    pub(super) fn tell(&mut self, store: &Store, occasion: &str, notices: &[Notice]) -> Result<(), Failure> {
        let mut mails = Vec::with_capacity(notices.len());
        for notice in notices {
            let zone = self.zone(store, notice.to)?.1;
            mails.push((notice.to, reply::notice(self.house, &zone, notice)?));
        }
        self.mail(store, occasion, &mails)
    }

    fn mail(&mut self, store: &Store, occasion: &str, mails: &[(PlayerId, Reply)]) -> Result<(), Failure> {
        self.ticked.mails += once(store, self.house, self.at, occasion, mails)?;
        Ok(())
    }
}

/// Puts the mails of an occasion into the outbox, unless that was done before. Gives how many.
fn once(
    store: &Store,
    house: &House,
    at: Timestamp,
    occasion: &str,
    mails: &[(PlayerId, Reply)],
) -> Result<usize, Failure> {
    let identity = Identity(Sha256::digest(format!("tick {occasion}")).into());
    let letter = Letter {
        identity,
        message_id: None,
        references: Vec::new(),
        sender: None,
        proof: Proof::None,
        token: None,
        subject: String::new(),
        text: String::new(),
        answer: AnswerBy::Door,
    };
    let Some(id) = store.add_letter(&identity, at, "tick", None)? else { return Ok(0) };
    store.close_letter(id, None, Tally::default(), occasion)?;
    let mut post = Post { store, house, letter: &letter, id, at, mails: 0 };
    for (player, reply) in mails {
        post.mail_player(*player, reply, outgoing::AutoSubmitted::Generated)?;
    }
    Ok(post.mails)
}
