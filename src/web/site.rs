//! What all requests for pages share.

use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};

use jiff::Timestamp;
use rand::Rng;
use rand_chacha::ChaCha12Rng;
use tokio::sync::{Semaphore, watch};
use turnpost_games::{GameKind, registry};

use super::news::FollowedSubjects;
use super::visitors::{Places, Visitors};
use super::{steps, trial};
use crate::commands::Command;
use crate::compose::Templates;
use crate::failure::Error;
use crate::mail::Letter;
use crate::pipeline::Handled;
use crate::play::robot::RobotConfig;
use crate::push::PushKey;
use crate::store::{Store, StoreError};

/// Requests that read the database at once; others wait.
pub(super) const READERS: usize = 4;

/// The most robot moves for one address in a minute and in an hour.
const THOUGHTS: [u32; 2] = [20, 300];

/// The most pictures, style sheets and scripts for one address in a minute and in an hour.
const PICTURES: [u32; 2] = [600, 12_000];

/// The most requests of open pages that look for news, for one address in a minute and in an hour.
const LOOKS: [u32; 2] = [240, 7_200];

/// The most forms of one visitor that are received at once.
const FORMS: u32 = 8;

/// The most sign-in links that one address can ask for in an hour and in a day, in all and for one name. The daily
/// limit of a player is higher, so one visitor cannot use up a player's links.
const SIGN_INS: [u32; 2] = [20, 60];
const SIGN_INS_OF_ONE: [u32; 2] = [3, 4];

/// Hands a letter to the writer, with the command of its button if there is one; `None` if that failed.
pub type Hand = dyn Fn(Box<Letter>, Option<Command>) -> Option<Handled> + Send + Sync;

/// The site that answers the next request. It is replaced when the settings change.
pub type CurrentSite = watch::Receiver<Arc<Site>>;

/// What all requests share.
pub struct Site {
    pub(super) templates: Arc<Templates>,
    /// The databases that no request uses at the moment.
    stores: Mutex<Vec<Store>>,
    pub(super) visitors: Visitors,
    /// Counts requests for pictures and other files, of which a page has many.
    pub(super) viewers: Visitors,
    /// Counts requests of open pages that look for news.
    pub(super) lookers: Visitors,
    /// Forms that are being received.
    pub(super) forms: Places,
    pub(super) news: Arc<FollowedSubjects>,
    /// Proxies in front of the server, trusted to name the visitor's address.
    pub(super) proxies: Vec<IpAddr>,
    /// The base address of the pages, without a slash at the end.
    pub(super) url: String,
    /// The permit to draw all positions of a game. It has a store of its own.
    pub(super) stepping: Arc<Semaphore>,
    pub(super) steps: steps::KeptSteps,
    /// The permits for all other stores, one for each.
    pub(super) free: Arc<Semaphore>,
    pub(super) hand: Box<Hand>,
    pub(super) answered: Box<dyn Fn(u16) + Send + Sync>,
    /// The key of the codes in forms, cookies and visitors' games.
    pub(super) key: [u8; 32],
    /// Makes the seeds of visitors' boards and the `once` of forms.
    pub(super) rng: Mutex<ChaCha12Rng>,
    pub(super) now: fn() -> Timestamp,
    /// Seed of the board on the first page, and its game.
    pub(super) first_seed: u64,
    pub(super) first_game: Option<&'static GameKind>,
    /// Memory for the robot's tables; `None` if the robot is off.
    pub(super) robot: Option<usize>,
    /// The permit to let the robot think.
    pub(super) thinking: Arc<Semaphore>,
    pub(super) thinkers: Visitors,
    /// The public key of pushes; `None` if the server sends none.
    pub(super) push: Option<String>,
    /// Counts requests for sign-in links: for one name, and in all.
    pub(super) signers: [Visitors; 2],
}

/// The settings that the server gives to the pages.
pub struct Setting<'a> {
    pub templates: Arc<Templates>,
    pub proxies: Vec<IpAddr>,
    /// The base address of the pages.
    pub url: &'a str,
    /// The word of the game on the first page; empty for the first game that the robot plays.
    pub try_game: &'a str,
    pub rng: ChaCha12Rng,
    pub now: fn() -> Timestamp,
    pub robot: &'a RobotConfig,
    /// True if the server sends pushes.
    pub push: bool,
    pub hand: Box<Hand>,
    /// Called with the status of every answer.
    pub answered: Box<dyn Fn(u16) + Send + Sync>,
}

impl Site {
    /// `open` opens the database for reading.
    pub fn new<E: From<StoreError>>(
        setting: Setting<'_>,
        open: impl Fn() -> Result<Store, E>,
    ) -> Result<Site, E> {
        let Setting { templates, proxies, url, try_game, mut rng, now, robot, push, hand, answered } =
            setting;
        let stores = (0..=READERS).map(|_| open()).collect::<Result<Vec<_>, _>>()?;
        let key = open()?.bounce_key()?;
        Ok(Site {
            templates,
            stores: Mutex::new(stores),
            visitors: Visitors::default(),
            viewers: Visitors::allowing(PICTURES),
            lookers: Visitors::allowing(LOOKS),
            forms: Places::of(FORMS),
            news: Arc::new(FollowedSubjects::new(open()?)),
            proxies,
            url: url.trim_end_matches('/').to_owned(),
            stepping: Arc::new(Semaphore::new(1)),
            steps: steps::KeptSteps::default(),
            free: Arc::new(Semaphore::new(READERS)),
            hand,
            answered,
            key,
            first_seed: u64::from(rng.next_u32()),
            first_game: registry::find(try_game.trim()).or_else(|| trial::games().next()),
            rng: Mutex::new(rng),
            now,
            robot: robot.enabled.then(|| robot.bytes().min(trial::MEMORY)),
            thinking: Arc::new(Semaphore::new(1)),
            thinkers: Visitors::allowing(THOUGHTS),
            push: push.then(|| Ok::<_, E>(PushKey::of(&mut open()?)?.public())).transpose()?,
            signers: [SIGN_INS_OF_ONE, SIGN_INS].map(Visitors::allowing_daily),
        })
    }

    /// Calls `read` with a free database; `None` if there is none.
    pub(super) fn reading<T>(
        &self,
        read: impl FnOnce(&Store) -> Result<T, Error>,
    ) -> Option<Result<T, Error>> {
        let store = self.stores.lock().unwrap_or_else(PoisonError::into_inner).pop()?;
        let result = read(&store);
        self.stores.lock().unwrap_or_else(PoisonError::into_inner).push(store);
        Some(result)
    }
}
