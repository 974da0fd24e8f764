//! Opens and closes a database: makes the file, migrates it, and sets SQLite's options.
//!
//! Migrations are numbered files, never changed, applied in order and counted by `PRAGMA user_version`.

use std::fs::File;
use std::io;
use std::path::Path;
use std::time::Duration;

use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags, TransactionBehavior};

use super::backup::{Workplace, folder_of, name, sync_folder};
use super::senders::Sending;
use super::{NO_ADDRESS, Result, Store, StoreError, is_busy};
use crate::private_files;

/// How long a writer waits for another. After that, the mail server keeps the letter.
pub(super) const BUSY: Duration = Duration::from_secs(20);

/// The longest write-ahead log that a process leaves, in bytes: the next process must read it.
pub(super) const LOG_AT_MOST: u64 = 256 * 1024;

/// "Tpst" in ASCII marks Turnpost's files among other SQLite files.
pub(super) const APPLICATION_ID: i32 = 0x5470_7374;

/// The page cache of a connection, in KiB, allocated on demand. `serve` has ten connections.
const CACHE_KIB: i64 = 4 * 1024;

/// The page cache for letters that share a commit, in KiB. Sixty letters change more pages than [`CACHE_KIB`]
/// holds, and SQLite would write some of them to the log twice.
const CACHE_OF_WRITER_KIB: i64 = 16 * 1024;

impl Store {
    /// Opens an existing database, and migrates it.
    pub fn open(path: &Path) -> Result<Store> {
        for file in private_files::of_database(path) {
            private_files::narrow(&file);
        }
        let small_blocks = has_small_blocks(path)?;
        let mut conn = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
        conn.busy_timeout(BUSY)?;
        // Checked before WAL is turned on: that changes the file, which can be another program's.
        let application: i32 = conn.pragma_query_value(None, "application_id", |row| row.get(0))?;
        if application != APPLICATION_ID {
            return Err(StoreError::NotOurs(path.display().to_string()));
        }
        configure(&mut conn)?;
        if small_blocks {
            fill_index(&conn)?;
        }
        migrate_to(&mut conn, LATEST)?;
        undo_in_memory(&conn)?;
        Ok(Store::of(conn))
    }

    /// Opens a database. If it is missing, makes the whole of it or nothing.
    pub fn make(path: &Path) -> Result<Store> {
        if !path.exists() {
            let io = |why| StoreError::File(path.display().to_string(), why);
            let workplace = Workplace::beside(path).map_err(io)?;
            let file = workplace.file();
            let mut conn = Connection::open(&file)?;
            // If the process ends before it is done, the next one makes it anew.
            conn.pragma_update(None, "journal_mode", "off")?;
            conn.pragma_update(None, "synchronous", "off")?;
            conn.pragma_update(None, "application_id", APPLICATION_ID)?;
            migrate_to(&mut conn, LATEST)?;
            // Until the host sets an address, its mails go into files.
            conn.execute("UPDATE identity SET address = ?1, transport = 'directory'", [NO_ADDRESS])?;
            drop(conn);
            File::open(&file).and_then(|file| file.sync_all()).map_err(io)?;
            name(&file, path).and_then(|()| sync_folder(path)).map_err(io)?;
        }
        Store::open(path)
    }

    /// Opens an existing database for writing, without migrating it.
    pub fn open_existing(path: &Path) -> Result<Store> {
        let small_blocks = has_small_blocks(path)?;
        let conn = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
        conn.busy_timeout(BUSY)?;
        if small_blocks {
            fill_index(&conn)?;
        }
        Ok(Store::of(conn))
    }

    /// Opens an existing database of this version for reading.
    pub fn open_read_only(path: &Path) -> Result<Store> {
        let store = Store::open_any_version(path)?;
        match user_version(&store.conn)? {
            LATEST => Ok(store),
            found if found > LATEST => Err(TooNew { found }.into()),
            found => Err(TooOld::of(path, found).into()),
        }
    }

    /// Opens an existing database of any version for reading.
    pub fn open_any_version(path: &Path) -> Result<Store> {
        has_small_blocks(path)?;
        let conn = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
        conn.busy_timeout(BUSY)?;
        let application: i32 = conn.pragma_query_value(None, "application_id", |row| row.get(0))?;
        if application != APPLICATION_ID {
            return Err(StoreError::NotOurs(path.display().to_string()));
        }
        conn.set_prepared_statement_cache_capacity(128);
        Ok(Store::of(conn))
    }

    /// A database in memory, for tests and previews.
    pub fn in_memory() -> Result<Store> {
        let mut conn = Connection::open_in_memory()?;
        configure(&mut conn)?;
        migrate_to(&mut conn, LATEST)?;
        Ok(Store::of(conn))
    }

    /// Another connection to the same file, for reading; `None` for a database in memory.
    pub fn reader(&self) -> Result<Option<Store>> {
        match self.conn.path().filter(|path| !path.is_empty()) {
            Some(path) => Store::open_read_only(Path::new(path)).map(Some),
            None => Ok(None),
        }
    }

    /// Closes the database for a process that ends now, without freeing SQLite's memory: that took a
    /// twentieth of the time of a letter.
    pub fn close_quickly(mut self) {
        self.end_sending();
        self.empty_long_log();
        std::mem::forget(self);
    }

    /// Empties a long write-ahead log.
    ///
    /// SQLite's automatic checkpoint leaves the log as long as it was, for the next commit of the connection.
    /// A process that ends has no next commit.
    fn empty_long_log(&mut self) {
        let log = self.conn.path().map(|path| format!("{path}-wal"));
        let length = log.and_then(|log| std::fs::metadata(log).ok()).map_or(0, |log| log.len());
        if length > LOG_AT_MOST {
            // The next process reads what is left in it.
            let _ = self.empty_log();
        }
    }

    fn of(conn: Connection) -> Store {
        let opened = conn.path().and_then(|path| std::fs::metadata(path).ok());
        Store {
            conn,
            opened,
            patience: BUSY,
            write_lock: None,
            sending: Sending::default(),
            machine: String::new(),
        }
    }

    /// Empties the write-ahead log, which holds pages as they were before. False if others use the database:
    /// to wait for them would make writers wait too.
    pub(super) fn empty_log(&mut self) -> Result<bool> {
        let write_lock = self.write_lock.clone();
        let guard = write_lock.as_ref().map(|write_lock| write_lock.take(self.patience));
        if matches!(guard, Some(None)) {
            return Ok(false);
        }
        self.conn.busy_timeout(Duration::ZERO)?;
        let busy = self.conn.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| row.get::<_, i64>(0));
        self.conn.busy_timeout(self.patience)?;
        match busy {
            Err(why) if !is_busy(&why) => Err(why.into()),
            busy => Ok(busy.is_ok_and(|busy| busy == 0)),
        }
    }

    /// Makes room in memory for transactions of many letters.
    pub fn gathering(self) -> Result<Store> {
        self.conn.pragma_update(None, "cache_size", -CACHE_OF_WRITER_KIB)?;
        Ok(self)
    }
}

impl Drop for Store {
    fn drop(&mut self) {
        self.end_sending();
        self.empty_long_log();
    }
}

/// The disk space of the index of the write-ahead log and a first commit, in bytes.
const INDEX: u64 = 64 * 1024;

/// True if the blocks of the disk are smaller than 4 KiB; an error if it has no room for the index of the log.
///
/// SQLite maps that file into memory, and extends it by writing one byte in each 4 KiB. A smaller block is allocated
/// only when it is first touched. If the disk is full then, the system ends the process by SIGBUS.
fn has_small_blocks(path: &Path) -> Result<bool> {
    match private_files::room_in_small_blocks(folder_of(path)) {
        Some(room) if room < INDEX => {
            let full = io::Error::new(io::ErrorKind::StorageFull, "the disk is full");
            Err(StoreError::File(path.display().to_string(), full))
        }
        room => Ok(room.is_some()),
    }
}

/// Makes SQLite touch the whole index while the disk has room, which it does before it writes the first frame
/// of a log. The frame changes nothing, so no sync is needed.
fn fill_index(conn: &Connection) -> Result<()> {
    let version = user_version(conn)?;
    if version <= LATEST {
        conn.pragma_update(None, "synchronous", "off")?;
        conn.pragma_update(None, "user_version", version)?;
        conn.pragma_update(None, "synchronous", "full")?;
    }
    Ok(())
}

pub(super) fn configure(conn: &mut Connection) -> Result<()> {
    conn.busy_timeout(BUSY)?;
    // Room for every statement of a long-lived process.
    conn.set_prepared_statement_cache_capacity(128);
    conn.pragma_update(None, "cache_size", -CACHE_KIB)?;
    conn.set_transaction_behavior(TransactionBehavior::Immediate);
    conn.set_db_config(DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)?;
    // Keeps query plans. Otherwise SQLite plans again whenever a bound variable matches the condition of a partial
    // index, which took a third of the time of a move.
    conn.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
    // Otherwise a process for one letter writes every page to the log and then to the database. It also makes and
    // removes the log. See `Drop`.
    conn.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)?;
    turn_on_wal(conn)?;
    conn.pragma_update(None, "synchronous", "full")?;
    conn.pragma_update(None, "foreign_keys", true)?;
    // Overwrites what is deleted: no page of the file keeps addresses and words of people who left.
    conn.pragma_update(None, "secure_delete", true)?;
    conn.pragma_update(None, "cell_size_check", true)?;
    Ok(())
}

/// Keeps in memory what a savepoint has to restore. The default is a file, made and removed for each letter.
/// Migrations and `VACUUM` need more room than memory has.
pub(super) fn undo_in_memory(conn: &Connection) -> Result<()> {
    Ok(conn.pragma_update(None, "temp_store", "memory")?)
}

/// Turns on write-ahead logging, which the file remembers. SQLite does not wait when several processes do
/// this to a new file at once; it reports that it is busy.
fn turn_on_wal(conn: &Connection) -> Result<()> {
    let mut patience = BUSY;
    let pause = Duration::from_millis(10);
    loop {
        match conn.pragma_update(None, "journal_mode", "wal") {
            Err(why) if is_busy(&why) && !patience.is_zero() => {
                std::thread::sleep(pause);
                patience = patience.saturating_sub(pause);
            }
            done => return Ok(done?),
        }
    }
}

/// The n-th migration brings a database to version n.
const MIGRATIONS: &[&str] = &[
    include_str!("../../migrations/0001_boards_and_mail.sql"),
    include_str!("../../migrations/0002_proposals_queues_seeks.sql"),
    include_str!("../../migrations/0003_accounts_and_talk.sql"),
    include_str!("../../migrations/0004_clocks_and_ratings.sql"),
    include_str!("../../migrations/0005_bounces_and_limits.sql"),
    include_str!("../../migrations/0006_robot.sql"),
    include_str!("../../migrations/0007_limits.sql"),
    include_str!("../../migrations/0008_conversation.sql"),
    include_str!("../../migrations/0009_keeping.sql"),
    include_str!("../../migrations/0010_checks.sql"),
    include_str!("../../migrations/0011_proofs.sql"),
    include_str!("../../migrations/0012_measured_levels.sql"),
    include_str!("../../migrations/0013_sessions.sql"),
    include_str!("../../migrations/0014_invitations.sql"),
    include_str!("../../migrations/0015_boards_shown.sql"),
    include_str!("../../migrations/0016_hints.sql"),
    include_str!("../../migrations/0017_bank_clock.sql"),
    include_str!("../../migrations/0018_contests.sql"),
    include_str!("../../migrations/0019_replication.sql"),
    include_str!("../../migrations/0020_contest_snapshots.sql"),
    include_str!("../../migrations/0021_identity_and_bans.sql"),
    include_str!("../../migrations/0022_zone_of_the_turn.sql"),
    include_str!("../../migrations/0023_contest_record.sql"),
    include_str!("../../migrations/0024_settings.sql"),
    include_str!("../../migrations/0025_words_of_a_draft.sql"),
    include_str!("../../migrations/0026_letters_of_go.sql"),
    include_str!("../../migrations/0027_notes.sql"),
    include_str!("../../migrations/0028_notes_on_players.sql"),
    include_str!("../../migrations/0029_pushes.sql"),
    include_str!("../../migrations/0030_anchored_levels.sql"),
    include_str!("../../migrations/0031_bots.sql"),
    include_str!("../../migrations/0032_archive.sql"),
    include_str!("../../migrations/0033_acts_on_contests.sql"),
    include_str!("../../migrations/0034_most_watched.sql"),
];

/// The version this program writes.
pub const LATEST: u32 = MIGRATIONS.len() as u32;

/// A later program has written this database.
#[derive(Debug, thiserror::Error)]
#[error(
    "the database is of version {found}, and this Turnpost knows versions up to {LATEST}: use a later Turnpost"
)]
pub struct TooNew {
    pub found: u32,
}

/// An earlier program has written this database, and a store that only reads cannot bring it up to date.
#[derive(Debug, thiserror::Error)]
#[error(
    "the database is of version {found}; the first write brings it to {LATEST}, and `turnpost --data {data} upgrade` \
     copies it first"
)]
pub struct TooOld {
    pub found: u32,
    data: String,
}

impl TooOld {
    pub fn of(path: &Path, found: u32) -> TooOld {
        TooOld { found, data: private_files::quoted(folder_of(path)) }
    }
}

/// Brings a database up to `version`, one transaction for each migration. Tests use it to build earlier
/// versions.
pub fn migrate_to(conn: &mut Connection, version: u32) -> Result<()> {
    // Reading takes no lock, and the database is nearly always up to date.
    let found = user_version(conn)?;
    if found > LATEST {
        return Err(TooNew { found }.into());
    }
    for number in found + 1..=version {
        let transaction = conn.transaction()?;
        // Another process can have migrated in the meantime.
        if user_version(&transaction)? < number {
            if let Some(sql) = MIGRATIONS.get(number as usize - 1) {
                transaction.execute_batch(sql)?;
            }
            transaction.pragma_update(None, "user_version", number)?;
        }
        transaction.commit()?;
    }
    Ok(())
}

fn user_version(conn: &Connection) -> Result<u32> {
    Ok(conn.pragma_query_value(None, "user_version", |row| row.get(0))?)
}
