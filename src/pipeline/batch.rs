//! Several letters in one transaction.
//!
//! A commit that is safe against a power cut costs as much as acting on a letter. Letters that wait while another
//! commit is on its way share the next one. Each has a savepoint of its own, so that an error of ours takes back that
//! letter and no other; and none is answered for before the commit.

use std::panic::{AssertUnwindSafe, catch_unwind};

use jiff::Timestamp;
use rand_chacha::ChaCha12Rng;

use super::{Handled, Prepared, act, host, refuse};
use crate::app::App;
use crate::mail::Letter;
use crate::mail::bounce::Report;
use crate::service::bounce::count;
use crate::service::{Error, Rollback};
use crate::store::Store;

/// A letter, and what is to be done with it.
pub struct Waiting {
    pub letter: Box<Letter>,
    pub work: Work,
}

/// What is to be done with a letter.
pub enum Work {
    Act(Box<Prepared>),
    /// It is more than is read, for this reason.
    TurnAway(String),
    /// It is no letter but a report about mails of ours.
    Count(Box<Report>),
}

/// What became of each letter, in their order.
pub type Outcomes = Vec<Result<Handled, Rollback>>;

/// Acts on letters in one transaction, in their order. An error of the transaction is that of every letter in it; the
/// error of a single letter stands in its place among the others.
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
                    // A panic must not take the letters beside this one along. What it leaves half done is the
                    // savepoint's to undo, and nothing else is shared but templates and password hashes.
                    catch_unwind(AssertUnwindSafe(|| match work {
                        Work::Act(prepared) => act(store, app, letter, prepared, now, rng),
                        Work::Count(report) => {
                            Ok(count(store, host(app), app, report, now).map(Handled::Counted)?)
                        }
                        Work::TurnAway(why) => Ok(refuse(store, app, letter, why, now)?),
                    }))
                    .unwrap_or(Err(Rollback::Failed(Error::Panicked)))
                });
                match outcome {
                    // SQLite gives up the whole transaction when, for one, the disk is full.
                    Err(Rollback::Failed(error)) if !store.is_writing() => Err(error),
                    outcome => Ok(outcome),
                }
            })
            .collect()
    })
}
