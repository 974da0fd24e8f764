//! Checks that everything stored beside a board's events follows from them.

use turnpost_games::{Setup, registry};

use crate::ids::BoardId;
use crate::service::board::{Board, Terms};
use crate::service::{Error, ratings};
use crate::store::{EventKind, EventRow, Store, StoreError};

/// What `admin verify` found.
#[derive(Debug, Default)]
pub struct Findings {
    /// Boards replayed.
    pub boards: usize,
    /// Events replayed.
    pub events: usize,
    /// What is wrong, a sentence each.
    pub wrong: Vec<String>,
}

/// Replays every board and compares everything stored beside its events.
pub fn verify(store: &Store) -> Result<Findings, Error> {
    let mut findings = Findings { wrong: store.integrity()?, ..Findings::default() };
    for id in store.board_numbers()? {
        findings.boards += 1;
        match store.events(id) {
            Ok(events) => {
                findings.events += events.len();
                if let Some(why) = check(store, id, &events) {
                    findings.wrong.push(format!("board {id}: {why}"));
                }
            }
            Err(why) => findings.wrong.push(format!("board {id}: {why}")),
        }
    }
    for id in store.plans_left_over()? {
        findings.wrong.push(format!("board {id}: it is over and has queues or drafts"));
    }
    findings.wrong.extend(forgotten_turns(store)?);
    match ratings::check(store) {
        Ok(wrong) => findings.wrong.extend(wrong),
        // We reported an unreadable row above. Go on with the others.
        Err(why) => findings.wrong.push(format!("ratings: {why}")),
    }
    Ok(findings)
}

/// What is wrong with one board.
pub(super) fn board(store: &Store, id: BoardId) -> Option<String> {
    match store.events(id) {
        Ok(events) => check(store, id, &events),
        Err(why) => Some(why.to_string()),
    }
}

fn check(store: &Store, id: BoardId, events: &[EventRow]) -> Option<String> {
    let rebuilt = match Board::rebuild(id, events) {
        Ok(board) => board.row,
        Err(why) => return Some(why.to_string()),
    };
    let stored = match store.board(id) {
        Ok(Some(row)) => row,
        Ok(None) => return Some("its row or its seats are missing".into()),
        Err(why) => return Some(why.to_string()),
    };
    if rebuilt != stored {
        return Some(format!("its events make {rebuilt:?}, and stored is {stored:?}"));
    }
    events.first().and_then(unfair_start)
}

/// Boards with the robot to move and no robot turn, or the other way round.
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

/// Why the start position does not follow from options and seed, which prove a fair shuffle; `None` when it does.
pub(super) fn unfair_start(start: &EventRow) -> Option<String> {
    let terms: Terms = match start.kind {
        EventKind::Start => serde_json::from_str(&start.text).ok()?,
        _ => return None,
    };
    if terms.from_position {
        return None;
    }
    let kind = registry::find(&terms.game)?;
    match (kind.start)(&Setup { options: &terms.options, seed: terms.seed }) {
        Ok(table) if table.position() == terms.position => None,
        Ok(_) => Some("its start position is not the one its options and seed give".into()),
        Err(why) => Some(format!("its options give no start position: {why}")),
    }
}
