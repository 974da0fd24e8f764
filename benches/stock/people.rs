//! The people of the club that benches, tests and fuzzing begin with: ann and bob.

use jiff::Timestamp;
use turnpost::store::{Store, StoreError};

/// The password of both, and what is stored of it: a hash that takes no time to check.
const PASSWORD_HASH: &str =
    "$argon2id$v=19$m=8,t=1,p=1$dHVybnBvc3QtYmVuY2gtcw$Qs3Q6yuaDCwkLaLgfhamJZzTfEXcklG/uONpOy3CLrQ";

/// When everything happens.
pub fn at() -> Timestamp {
    Timestamp::from_second(1_800_000_000).unwrap()
}

/// Makes the first two accounts of a server, ann (player 1) and bob. Each has the password `plover-42` and an address
/// of example.org.
pub fn sign_up(store: &mut Store) {
    store
        .write(|store| {
            for (name, secret) in [("ann", [1; 32]), ("bob", [2; 32])] {
                let player = store.add_player(&name.parse().unwrap(), PASSWORD_HASH, &secret, at())?;
                store.add_address(player, &format!("{name}@example.org"), at(), Some(at()))?;
            }
            Ok::<_, StoreError>(())
        })
        .unwrap();
}
