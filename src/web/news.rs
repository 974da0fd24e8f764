//! Tells open pages that their board has changed, by server-sent events. The page then loads itself, as it does without
//! them. One task asks the database for all pages, so a page that waits costs nothing.

use std::collections::HashMap;
use std::convert::Infallible;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use axum::body::Body;
use axum::response::IntoResponse;
use axum::response::sse::{Event, KeepAlive, Sse};
use futures_util::stream::unfold;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use tracing::warn;

use super::address::Followed;
use super::visitors::{Places, VisitorPlace};
use crate::connections::AtWork;
use crate::credentials::Token;
use crate::failure::Error;
use crate::ids::BoardId;
use crate::store::{LiveState, Store};

/// The most streams, in all and for one visitor. A browser opens six connections to a server at once.
pub(super) const STREAMS: usize = 256;
const STREAMS_OF_ONE: u32 = 4;

/// How often the database is asked whether it has changed.
const ASKED: Duration = Duration::from_millis(500);

/// How often a stream without news says that it is still there. Proxies close a silent connection after a minute.
const BREATH: Duration = Duration::from_secs(20);

impl Followed {
    /// The board, and true if the visitor reads what its players say; `None` if there is no such page.
    pub fn find(&self, store: &Store) -> Result<Option<(BoardId, bool)>, Error> {
        Ok(match self {
            Followed::Board(game, board) => {
                store.board(*board)?.filter(|row| row.game == game.key).map(|row| (row.id, false))
            }
            Followed::Link(link) => Token::page(store, link)?.map(|seat| (seat.board, true)),
        })
    }
}

/// The boards that pages follow.
pub(super) struct FollowedBoards {
    /// Only its own connection sees that the database has changed.
    store: Mutex<Store>,
    boards: Mutex<HashMap<BoardId, watch::Sender<Option<LiveState>>>>,
    /// The streams of each visitor, and of all.
    pub of_one: Places,
    pub of_all: Arc<Semaphore>,
}

impl FollowedBoards {
    pub fn new(store: Store) -> FollowedBoards {
        FollowedBoards {
            store: Mutex::new(store),
            boards: Mutex::default(),
            of_one: Places::of(STREAMS_OF_ONE),
            of_all: Arc::new(Semaphore::new(STREAMS)),
        }
    }

    fn boards(&self) -> MutexGuard<'_, HashMap<BoardId, watch::Sender<Option<LiveState>>>> {
        self.boards.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The news of a board, which begin with those of now.
    pub fn follow(self: &Arc<FollowedBoards>, board: BoardId) -> watch::Receiver<Option<LiveState>> {
        let mut boards = self.boards();
        let is_first = boards.is_empty();
        let mut news = boards.entry(board).or_insert_with(|| watch::Sender::new(None)).subscribe();
        news.mark_changed();
        if is_first {
            tokio::spawn(Arc::clone(self).tell());
        }
        news
    }

    /// Tells the news until no page follows a board.
    async fn tell(self: Arc<FollowedBoards>) {
        let mut version = None;
        loop {
            let its = Arc::clone(&self);
            match tokio::task::spawn_blocking(move || its.look(version)).await {
                Ok(Some(seen)) => version = seen,
                Ok(None) | Err(_) => return,
            }
            tokio::time::sleep(ASKED).await;
        }
    }

    /// Reads what has changed since `version` of the database, and gives the version of now; `None` if no page follows a
    /// board.
    fn look(&self, version: Option<i64>) -> Option<Option<i64>> {
        let followed: Vec<(BoardId, bool)> = {
            let mut boards = self.boards();
            boards.retain(|_, news| news.receiver_count() > 0);
            boards.iter().map(|(board, news)| (*board, news.borrow().is_none())).collect()
        };
        if followed.is_empty() {
            return None;
        }
        let store = self.store.lock().unwrap_or_else(PoisonError::into_inner);
        let read = || {
            let now = Some(store.data_version()?);
            let wanted = followed.iter().filter(|(_, is_new)| *is_new || now != version);
            let wanted: Vec<BoardId> = wanted.map(|(board, _)| *board).collect();
            let rows = if wanted.is_empty() { Vec::new() } else { store.news_of_boards(&wanted)? };
            Ok::<_, Error>((now, rows))
        };
        let (now, rows) = match read() {
            Ok(read) => read,
            Err(why) => {
                warn!("pages hear no news: {why}");
                return Some(version);
            }
        };
        let boards = self.boards();
        for row in rows {
            if let Some(news) = boards.get(&row.board) {
                let row = Some(row);
                news.send_if_modified(|told| {
                    *told != row && {
                        *told = row;
                        true
                    }
                });
            }
        }
        Some(now)
    }
}

/// A stream of news to one page.
pub(super) struct NewsStream {
    pub news: watch::Receiver<Option<LiveState>>,
    /// True if the visitor reads what the players say.
    pub with_words: bool,
    /// The state that the page knows of.
    pub told: Option<String>,
    /// The stream ends with it, and the browser asks again.
    pub ended: Pin<Box<dyn Future<Output = ()> + Send>>,
    pub _place: VisitorPlace,
    pub _permit: OwnedSemaphorePermit,
    /// No other connection takes the place of this one.
    pub _working: AtWork,
}

impl NewsStream {
    pub fn body(self) -> Body {
        let stream = unfold(self, async |mut stream| {
            let text = stream.next().await?;
            Some((Ok::<_, Infallible>(Event::default().data(text)), stream))
        });
        Sse::new(stream).keep_alive(KeepAlive::new().interval(BREATH)).into_response().into_body()
    }

    /// The next state of the board, as the page has it; `None` at the end.
    async fn next(&mut self) -> Option<String> {
        loop {
            tokio::select! {
                changed = self.news.changed() => changed.ok()?,
                () = &mut self.ended => return None,
            }
            let now = self.news.borrow_and_update().map(|news| news.text(self.with_words));
            if now.is_some() && now != self.told {
                self.told.clone_from(&now);
                return now;
            }
        }
    }
}
