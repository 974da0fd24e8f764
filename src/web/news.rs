//! Tells open pages that their boards have changed, by server-sent events. The page then loads itself, as it does without
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

use super::Site;
use super::address::Followed;
use super::browser::Browser;
use super::visitors::{Places, VisitorPlace};
use crate::connections::AtWork;
use crate::credentials::Token;
use crate::failure::Error;
use crate::ids::BoardId;
use crate::store::{LiveState, PlayerId, Store};

/// The most streams, in all and for one visitor. A browser opens six connections to a server at once.
pub(super) const STREAMS: usize = 256;
const STREAMS_OF_ONE: u32 = 4;

/// How often the database is asked whether it has changed.
const ASKED: Duration = Duration::from_millis(500);

/// How often a stream without news says that it is still there. Proxies close a silent connection after a minute.
const BREATH: Duration = Duration::from_secs(20);

/// What pages follow.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Subject {
    Board(BoardId),
    /// All boards of a player.
    Player(PlayerId),
}

impl Subject {
    fn state(self, store: &Store) -> Result<Option<LiveState>, Error> {
        Ok(match self {
            Subject::Board(board) => store.news_of_board(board)?,
            Subject::Player(player) => Some(store.news_of_player(player)?),
        })
    }
}

impl Followed {
    /// The subject, and true if the visitor reads what its players say; `None` if there is no such page.
    pub fn find(&self, site: &Site, browser: &Browser) -> Result<Option<(Subject, bool)>, Error> {
        Ok(match self {
            Followed::Board(game, board) => {
                let row = site.read(|store| Ok(store.board(*board)?))?.filter(|row| row.game == game.key);
                row.map(|row| (Subject::Board(row.id), false))
            }
            Followed::Link(link) => {
                site.read(|store| Token::page(store, link))?.map(|seat| (Subject::Board(seat.board), true))
            }
            Followed::Me => site.reader(browser)?.map(|signed_in| (Subject::Player(signed_in.player), true)),
        })
    }
}

type Followers = HashMap<Subject, watch::Sender<Option<LiveState>>>;

/// The boards and players whose news pages follow.
pub(super) struct FollowedSubjects {
    /// Only its own connection sees that the database has changed.
    store: Mutex<Store>,
    followers: Mutex<Followers>,
    /// The streams of each visitor, and of all.
    pub of_one: Places,
    pub of_all: Arc<Semaphore>,
}

impl FollowedSubjects {
    pub fn new(store: Store) -> FollowedSubjects {
        FollowedSubjects {
            store: Mutex::new(store),
            followers: Mutex::default(),
            of_one: Places::of(STREAMS_OF_ONE),
            of_all: Arc::new(Semaphore::new(STREAMS)),
        }
    }

    fn followers(&self) -> MutexGuard<'_, Followers> {
        self.followers.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The news of a subject, which begin with those of now.
    pub fn follow(self: &Arc<FollowedSubjects>, subject: Subject) -> watch::Receiver<Option<LiveState>> {
        let mut followers = self.followers();
        let is_first = followers.is_empty();
        let mut news = followers.entry(subject).or_insert_with(|| watch::Sender::new(None)).subscribe();
        news.mark_changed();
        if is_first {
            tokio::spawn(Arc::clone(self).tell());
        }
        news
    }

    /// Tells the news until no page follows any.
    async fn tell(self: Arc<FollowedSubjects>) {
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

    /// Reads what has changed since `version` of the database, and gives the version of now. `None` if no page follows
    /// news.
    fn look(&self, version: Option<i64>) -> Option<Option<i64>> {
        let followed: Vec<(Subject, bool)> = {
            let mut followers = self.followers();
            followers.retain(|_, news| news.receiver_count() > 0);
            followers.iter().map(|(subject, news)| (*subject, news.borrow().is_none())).collect()
        };
        if followed.is_empty() {
            return None;
        }
        let store = self.store.lock().unwrap_or_else(PoisonError::into_inner);
        let read = || {
            let now = Some(store.data_version()?);
            let wanted = followed.iter().filter(|(_, is_new)| *is_new || now != version);
            let states = wanted.map(|(subject, _)| Ok((*subject, subject.state(&store)?)));
            Ok::<_, Error>((now, states.collect::<Result<Vec<_>, Error>>()?))
        };
        let (now, states) = match read() {
            Ok(read) => read,
            Err(why) => {
                warn!("pages hear no news: {why}");
                return Some(version);
            }
        };
        let followers = self.followers();
        for (subject, state) in states {
            if let Some(news) = followers.get(&subject) {
                news.send_if_modified(|told| {
                    *told != state && {
                        *told = state;
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

    /// The next state, as the page has it; `None` at the end.
    pub async fn next(&mut self) -> Option<String> {
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
