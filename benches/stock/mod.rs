//! The server that the benches of letters and of `serve` begin with.

use std::path::Path;

use jiff::{SignedDuration, Timestamp};
use turnpost::board::{Board, Terms};
use turnpost::ids::BoardId;
use turnpost::store::{Days, Store};
use turnpost_games::Table;
use turnpost_games::dvonn::setup::symmetrical;

/// The seed of every board.
pub const SEED: u64 = 7;

/// When everything happens.
pub fn at() -> Timestamp {
    Timestamp::from_second(1_800_000_000).unwrap()
}

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
        days: Days { nag: 7, forfeit: 21, total: 0 },
        rematch_of: None,
        tutorial: false,
        imported: None,
    }
}

/// A server with two players, whose password takes no time to check, and `boards` boards on which nobody has moved.
pub fn stock(data: &Path, boards: u32) -> Store {
    let mut store = Store::open(&data.join("turnpost.db")).unwrap();
    let cheap = argon2::Params::new(8, 1, 1, None).unwrap();
    let hasher = argon2::Argon2::new(argon2::Algorithm::Argon2id, argon2::Version::V0x13, cheap);
    let hash =
        argon2::password_hash::PasswordHasher::hash_password(&hasher, b"plover-42").unwrap().to_string();
    store
        .write(|store| {
            for (name, secret) in [("ann", [1; 32]), ("bob", [2; 32])] {
                let id = store.add_player(&name.parse().unwrap(), &hash, &secret, at())?;
                store.add_address(id, &format!("{name}@example.org"), at(), Some(at()))?;
            }
            let forfeit = at() + SignedDuration::from_hours(24 * i64::from(terms().days.forfeit));
            let event = terms().event(at(), None, None, Some(forfeit)).unwrap();
            for number in 1..=boards {
                let board = Board::start(BoardId(number), &event).unwrap();
                store.add_board(&board.row)?;
                store.add_event(board.row.id, &event)?;
            }
            Ok::<(), turnpost::store::StoreError>(())
        })
        .unwrap();
    store
}
