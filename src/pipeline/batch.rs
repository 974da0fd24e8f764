//! Acts on several letters in one transaction.
//!
//! A durable commit takes as long as acting on a letter, so letters that arrive during one commit share the next. Each
//! has its own savepoint: an error in the server undoes that letter alone. The server accepts none of them before the
//! commit.

use std::panic::{AssertUnwindSafe, catch_unwind};

use jiff::Timestamp;
use rand_chacha::ChaCha12Rng;

use super::{Aside, Handled, Prepared, act, refuse_unread};
use crate::app::App;
use crate::failure::Error;
use crate::mail::Letter;
use crate::play::Rollback;
use crate::store::{Entrance, Store};

pub struct Waiting {
    pub letter: Box<Letter>,
    pub work: Work,
}

pub enum Work {
    Act(Box<Prepared>),
    /// The letter is too large to read; the reason.
    TurnAway(String),
    /// Records the mail without acting on it; a bounce report is counted.
    SetAside(Box<Aside>),
}

/// One outcome per letter, in the order of the letters.
pub type Outcomes = Vec<Result<Handled, Rollback>>;

/// Acts on letters in one transaction, in their order. If the transaction fails, all letters fail; if one letter fails,
/// its outcome is the error.
pub fn handle_batch(
    store: &mut Store,
    app: &App,
    letters: &[Waiting],
    now: Timestamp,
    rng: &mut ChaCha12Rng,
) -> Result<Outcomes, Error> {
    store.write(|store| {
        letters
            .iter()
            .map(|Waiting { letter, work }| {
                let outcome = store.savepoint(|| {
                    // A panic must not undo the other letters. The savepoint undoes the partial work of this letter.
                    // Outside the database, letters share only templates and password hashes.
                    catch_unwind(AssertUnwindSafe(|| match work {
                        Work::Act(prepared) => act(store, app, letter, Entrance::Lmtp, prepared, now, rng),
                        Work::SetAside(aside) => {
                            let counted = aside.put(store, app, Entrance::Lmtp, now)?;
                            Ok(counted.map_or(Handled::SetAside, Handled::Counted))
                        }
                        Work::TurnAway(why) => {
                            Ok(refuse_unread(store, app, letter, Entrance::Lmtp, why, now)?)
                        }
                    }))
                    .unwrap_or(Err(Rollback::Failed(Error::Panicked)))
                });
                match outcome {
                    // SQLite rolls the whole transaction back when, for example, the disk is full.
                    Err(Rollback::Failed(error)) if !store.is_writing() => Err(error),
                    outcome => Ok(outcome),
                }
            })
            .collect()
    })
}
