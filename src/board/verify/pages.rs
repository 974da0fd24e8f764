//! Splits the boards into pages. Each free thread takes the next page.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::board::verify::ratings::{self, Rated};
use crate::board::verify::unfair_start;
use crate::board::{Board, Terms, clocks, dice};
use crate::failure::Error;
use crate::ids::BoardId;
use crate::store::{BoardRow, EventRow, Store, StoreError};

/// Boards per page. Each core holds all events of its page in memory.
const PAGE: u32 = 200;

/// Largest number of faults to keep. A fault's sentence prints two whole board rows, and a database can have millions.
const FINDINGS: usize = 10_000;

#[derive(Debug, Default)]
pub(crate) struct PageFaults {
    pub boards: usize,
    pub events: usize,
    pub wrong: Vec<(BoardId, String)>,
    /// Faults beyond those kept.
    pub more: usize,
    pub games: BTreeMap<BoardId, Rated>,
}

/// Hands out the boards of a database to several threads.
pub(crate) struct Pages<F> {
    /// The first board of the next page.
    next: Mutex<BoardId>,
    found: Mutex<PageFaults>,
    told: F,
}

impl<F: Fn(usize) + Sync> Pages<F> {
    pub fn new(told: F) -> Pages<F> {
        Pages { next: Mutex::new(BoardId(0)), found: Mutex::new(PageFaults::default()), told }
    }

    pub fn check(&self, store: &Store) -> Result<(), Error> {
        while let Some(ids) = self.next(store)? {
            let page = DatabasePage::of(store, &ids);
            let mut found = lock(&self.found);
            found.boards += ids.len();
            found.events += page.events;
            let room = FINDINGS.saturating_sub(found.wrong.len());
            found.more += page.wrong.len().saturating_sub(room);
            found.wrong.extend(page.wrong.into_iter().take(room));
            found.games.extend(page.games);
            (self.told)(found.boards);
        }
        Ok(())
    }

    fn next(&self, store: &Store) -> Result<Option<Vec<BoardId>>, StoreError> {
        let mut next = lock(&self.next);
        let ids = store.board_numbers_from(*next, PAGE)?;
        let Some(last) = ids.last() else { return Ok(None) };
        *next = BoardId(last.0.saturating_add(1));
        Ok(Some(ids))
    }

    pub fn into_found(self) -> PageFaults {
        let mut found = self.found.into_inner().unwrap_or_else(PoisonError::into_inner);
        found.wrong.sort_by_key(|(board, _)| board.0);
        found
    }
}

#[derive(Debug, Default)]
struct DatabasePage {
    events: usize,
    wrong: Vec<(BoardId, String)>,
    games: Vec<(BoardId, Rated)>,
}

impl DatabasePage {
    fn of(store: &Store, ids: &[BoardId]) -> DatabasePage {
        let mut page = DatabasePage::default();
        if let [first, .., last] | [first @ last] = ids
            && let Ok(PageRows { boards, events }) = whole(store, *first, *last)
            && boards.len() == ids.len()
        {
            let mut events = events.chunk_by(|(one, _), (other, _)| one == other).peekable();
            for row in boards {
                let own = events.next_if(|events| events.first().is_some_and(|(board, _)| *board == row.id));
                let own: Vec<EventRow> =
                    own.unwrap_or_default().iter().map(|(_, event)| event.clone()).collect();
                page.add(store, row.id, Ok(own), Ok(Some(row)));
            }
            return page;
        }
        // An unreadable row fails the whole page: read each board alone.
        for id in ids {
            let (events, row) = (store.events(*id), store.board(*id));
            page.add(store, *id, events, row);
        }
        page
    }

    fn add(
        &mut self,
        store: &Store,
        id: BoardId,
        events: Result<Vec<EventRow>, StoreError>,
        row: Result<Option<BoardRow>, StoreError>,
    ) {
        let events = match events {
            Ok(events) => events,
            Err(why) => return self.wrong.push((id, why.to_string())),
        };
        self.events += events.len();
        if let Ok(Some(row)) = &row
            && let Some(rated) = ratings::rated(row, &events)
        {
            self.games.push((id, rated));
        }
        if let Some(why) = check(store, id, &events, row) {
            self.wrong.push((id, why));
        }
    }
}

struct PageRows {
    boards: Vec<BoardRow>,
    events: Vec<(BoardId, EventRow)>,
}

/// Reads a page in one transaction.
fn whole(store: &Store, first: BoardId, last: BoardId) -> Result<PageRows, StoreError> {
    store.read(|| {
        Ok(PageRows {
            boards: store.boards_between(first, last)?,
            events: store.events_between(first, last)?,
        })
    })
}

/// The fault of one board, given its row.
fn check(
    store: &Store,
    id: BoardId,
    events: &[EventRow],
    stored: Result<Option<BoardRow>, StoreError>,
) -> Option<String> {
    let (mut rebuilt, has_dice) = match Board::rebuild(id, events) {
        Ok(board) => (board.row, board.kind.dice),
        Err(why) => return Some(why.to_string()),
    };
    let stored = match stored {
        Ok(Some(row)) => row,
        Ok(None) => return Some("its row or its seats are missing".into()),
        Err(why) => return Some(why.to_string()),
    };
    if stored.to_move.is_some() {
        rebuilt.deadline_at = match clocks::missed_deadline(store, id) {
            Ok(None) => stored.deadline_at,
            Ok(Some(wrong)) => wrong,
            Err(why) => return Some(why.to_string()),
        };
    }
    if rebuilt != stored {
        return Some(format!("its events make {rebuilt:?}, and stored is {stored:?}"));
    }
    let terms = Terms::of(events.first()?).ok()?;
    let dice = || {
        let key = store.known_dice_key().ok().flatten();
        dice::forged(id, events, key.as_ref()).unwrap_or_else(|why| Some(why.to_string()))
    };
    unfair_start(&terms).or_else(|| if has_dice { dice() } else { None })
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
