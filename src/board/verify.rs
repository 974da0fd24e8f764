//! Checks that everything stored in addition to a board's events follows from them.
//!
//! Each core checks one page of boards after the other. Each page is read in one transaction.

mod pages;
mod ratings;

use std::thread;

use turnpost_games::{Setup, registry};

use crate::board::Terms;
use crate::failure::Error;
use crate::store::{Store, StoreError};

use pages::{PageFaults, Pages};

#[derive(Debug, Default)]
pub struct Verified {
    /// Boards replayed.
    pub boards: usize,
    /// Events replayed.
    pub events: usize,
    /// A sentence for each fault.
    pub wrong: Vec<String>,
}

/// Replays every board and compares everything stored with it.
pub fn verify(store: &Store) -> Result<Verified, Error> {
    verify_telling(store, |_| ())
}

/// Does what [`verify`] does. Calls `told` after each page with the number of boards checked so far.
pub fn verify_telling(store: &Store, told: impl Fn(usize) + Sync) -> Result<Verified, Error> {
    check(store, told, Store::integrity)
}

/// Does what [`verify`] does, but skips SQLite's integrity check of the file.
pub fn verify_sound(store: &Store) -> Result<Verified, Error> {
    check(store, |_| (), |_| Ok(Vec::new()))
}

fn check(
    store: &Store,
    told: impl Fn(usize) + Sync,
    integrity: impl FnOnce(&Store) -> Result<Vec<String>, StoreError>,
) -> Result<Verified, Error> {
    let pages = Pages::new(told);
    let sound = thread::scope(|scope| {
        let others: Vec<_> = other_readers(store)?
            .into_iter()
            .map(|reader| {
                let pages = &pages;
                scope.spawn(move || pages.check(&reader))
            })
            .collect();
        // SQLite's own check runs on this core while the others start with the boards.
        let sound = integrity(store)?;
        pages.check(store)?;
        others.into_iter().try_for_each(|other| other.join().unwrap_or(Err(Error::Panicked)))?;
        Ok::<_, Error>(sound)
    })?;
    let PageFaults { boards, events, wrong, more, games } = pages.into_found();
    let mut findings = Verified { boards, events, wrong: sound };
    findings.wrong.extend(wrong.into_iter().map(|(board, why)| format!("board {board}: {why}")));
    if more > 0 {
        findings.wrong.push(format!("{more} other boards are wrong too"));
    }
    for id in store.plans_left_over()? {
        findings.wrong.push(format!("board {id}: it is over and has queues or drafts"));
    }
    findings.wrong.extend(forgotten_turns(store)?);
    let (archived, expected) = store.archive_sizes()?;
    if archived != expected {
        findings.wrong.push(format!(
            "the archive has {archived} positions, and its boards have {expected}: `admin reindex` makes it anew"
        ));
    }
    match ratings::check(store, &games) {
        Ok(wrong) => findings.wrong.extend(wrong),
        // An unreadable row was reported above.
        Err(why) => findings.wrong.push(format!("ratings: {why}")),
    }
    Ok(findings)
}

/// One read connection for each further core. A database in memory has none.
fn other_readers(store: &Store) -> Result<Vec<Store>, StoreError> {
    let cores = thread::available_parallelism().map_or(1, std::num::NonZero::get);
    (1..cores).filter_map(|_| store.reader().transpose()).collect()
}

/// Finds boards on which the robot is to move, but no robot turn is stored. Also finds stored robot turns without such
/// a board.
fn forgotten_turns(store: &Store) -> Result<Vec<String>, StoreError> {
    let mut wrong = Vec::new();
    let mut noted = store.robot_turns()?;
    for (id, event) in store.boards_of_robot_to_move()? {
        let before = noted.len();
        noted.retain(|turn| (turn.board, turn.event) != (id, event));
        if noted.len() == before {
            wrong.push(format!("board {id}: it is the robot's turn, and none is noted after event {event}"));
        }
    }
    wrong.extend(
        noted.iter().map(|turn| format!("board {}: a turn of the robot's is noted and is none", turn.board)),
    );
    Ok(wrong)
}

/// Checks that options and seed give the start position, which proves a fair shuffle. `None` if they do, else why not.
pub(crate) fn unfair_start(terms: &Terms) -> Option<String> {
    if terms.from_position {
        return None;
    }
    let kind = registry::find(&terms.game)?;
    let start = |seed| (kind.start)(&Setup { options: &terms.options, seed }).map(|table| table.position());
    match start(terms.seed) {
        Ok(position) if position == terms.position => None,
        // The record of a running board hides its seed.
        Ok(position) if terms.seed_hash().is_some() && start(1).is_ok_and(|other| other != position) => None,
        Ok(_) => Some("its start position is not the one its options and seed give".into()),
        Err(why) => Some(format!("its options give no start position: {why}")),
    }
}
