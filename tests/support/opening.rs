//! How a stage begins. Each opening is played once in a process; every stage after that begins with a copy of its database.

use std::collections::HashMap;
use std::path::Path;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use rand_chacha::ChaCha12Rng;
use rand_chacha::rand_core::SeedableRng;
use tempfile::TempDir;
use turnpost::app::App;
use turnpost::compose::Templates;
use turnpost::config::Config;
use turnpost::data_dir::DATABASE;
use turnpost::mail::transport::OutEnvelope;
use turnpost::store::Store;

use super::{Mail, Stage};

/// What was done before a stage begins.
pub struct Opening {
    /// The file of its database.
    pub database: Vec<u8>,
    /// The mails that left.
    pub left: Vec<Mail>,
    /// The envelopes they left with.
    pub envelopes: Vec<OutEnvelope>,
    /// The state of the generator.
    pub rng: ChaCha12Rng,
    /// How many letters were written.
    pub letters: u32,
}

/// An empty server.
pub static EMPTY: LazyLock<Opening> = LazyLock::new(|| {
    let folder = folder();
    let path = folder.path().join(DATABASE);
    drop(Store::make(&path).unwrap());
    let database = file_of(&rusqlite::Connection::open(path).unwrap());
    Opening { database, left: vec![], envelopes: vec![], rng: ChaCha12Rng::seed_from_u64(1), letters: 0 }
});

/// Ann and bob have signed up.
pub static PLAYERS: LazyLock<Opening> = LazyLock::new(|| Stage::new().peopled().into_opening());

/// They play on board 1.
pub static GAME: LazyLock<Opening> = LazyLock::new(|| {
    let mut stage = Stage::with_players();
    stage.mail("ann@example.org", "dvonn challenge -symmetry -seed=7 ann bob", "");
    stage.into_opening()
});

impl Stage {
    fn into_opening(self) -> Opening {
        let database = file_of(&self.database());
        let Stage { left, envelopes, rng, letters, .. } = self;
        Opening { database, left, envelopes, rng, letters }
    }
}

/// A folder in memory, if the system has one. No test is about power cuts, and forcing the disk takes as long as the rest.
pub fn folder() -> TempDir {
    static IN_MEMORY: LazyLock<Option<&Path>> = LazyLock::new(|| {
        let folder = Path::new("/dev/shm");
        let room = rustix::fs::statvfs(folder).ok()?;
        (room.f_bavail * room.f_frsize > 1 << 30).then_some(folder)
    });
    match *IN_MEMORY {
        Some(folder) => tempfile::tempdir_in(folder).unwrap(),
        None => tempfile::tempdir().unwrap(),
    }
}

/// All of a database in one file.
fn file_of(database: &rusqlite::Connection) -> Vec<u8> {
    let log: (i64, i64, i64) = database
        .query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))
        .unwrap();
    assert_eq!(log, (0, 0, 0));
    std::fs::read(database.path().unwrap()).unwrap()
}

/// The app of a configuration. Servers of one name share their templates, so that each is parsed once.
pub fn app(config: &Config) -> App {
    static PARSED: LazyLock<Mutex<HashMap<String, Arc<Templates>>>> = LazyLock::new(Mutex::default);
    let mut app = config.app();
    if config.templates.is_empty() {
        let name = format!("{:?} {} {:?}", app.server, app.operator, app.pages);
        let mut parsed = PARSED.lock().unwrap_or_else(PoisonError::into_inner);
        app.templates = Arc::clone(parsed.entry(name).or_insert(app.templates));
    }
    app
}
