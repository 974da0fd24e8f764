//! Games that are asked for one by one: those of a ladder, and of a league between its seasons.

use jiff::Timestamp;

use crate::contest::record::Contest;
use crate::failure::Error;
use crate::ids::Seat;
use crate::store::{ContestEventKind, OfContest, PlayerId, Store};

impl Contest {
    /// As what the board of the next game is made.
    pub fn next_game(&self) -> OfContest {
        OfContest { contest: self.row.id, pair: self.asked, name: self.row.name.clone() }
    }

    /// Notes the next game, whose board is made in the same transaction.
    pub fn note_game(
        &mut self,
        store: &Store,
        challenger: PlayerId,
        other: PlayerId,
        seat: Seat,
        now: Timestamp,
    ) -> Result<(), Error> {
        let word = if seat == Seat::First { "first" } else { "second" };
        self.note(store, ContestEventKind::Challenged, Some(challenger), word, now)?;
        self.note(store, ContestEventKind::Meets, Some(other), "", now)
    }
}
