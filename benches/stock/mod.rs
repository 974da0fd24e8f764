//! The server that the benches begin with.

mod people;

use std::path::Path;

use jiff::tz::TimeZone;
use turnpost::board::{Terms, start};
use turnpost::store::{Store, TimeControl};
use turnpost_games::Table;
use turnpost_games::dvonn::setup::symmetrical;

pub use people::at;

/// The seed of every board.
pub const SEED: u64 = 7;

/// The terms of every board.
pub fn terms() -> Terms {
    Terms {
        game: "dvonn".into(),
        players: [1, 2],
        options: vec![("symmetry".into(), None), ("seed".into(), Some(SEED.to_string()))],
        seed: SEED,
        from_position: false,
        position: symmetrical(SEED).position(),
        rated: false,
        lots: false,
        may_swap: false,
        days: TimeControl { nag: 7, forfeit: 21, ..TimeControl::default() },
        grace: None,
        rematch_of: None,
        contest: None,
        tutorial: false,
        imported: None,
        salt: None,
    }
}

/// A server with ann and bob, and `boards` boards on which no player has moved.
pub fn stock(data: &Path, boards: u32) -> Store {
    let mut store = Store::make(&data.join("turnpost.db")).unwrap();
    people::sign_up(&mut store);
    store
        .write(|store| {
            let (terms, zones) = (terms(), [TimeZone::UTC, TimeZone::UTC]);
            (0..boards).try_for_each(|_| start(store, &terms, at(), None, Some(&zones)).map(drop))
        })
        .unwrap();
    store
}
