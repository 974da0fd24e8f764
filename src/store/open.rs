//! Prepares a database file: marks it as ours and sets SQLite's options.

use std::path::Path;
use std::time::Duration;

use rusqlite::config::DbConfig;
use rusqlite::{Connection, TransactionBehavior};

use super::{BUSY, Result, Store, StoreError, is_busy};
use crate::private_files;

/// "Tpst" in ASCII marks our files among other SQLite files.
pub(super) const APPLICATION_ID: i32 = 0x5470_7374;

/// The pages that a connection keeps, allocated on demand. `serve` has ten connections.
const CACHE_KIB: i64 = 4 * 1024;

/// The same where letters share a commit. Sixty of them change more pages than the above holds, and SQLite would write
/// some to the log twice.
const CACHE_OF_WRITER_KIB: i64 = 16 * 1024;

impl Store {
    /// Makes room in memory for transactions of many letters.
    pub fn gathering(self) -> Result<Store> {
        self.conn.pragma_update(None, "cache_size", -CACHE_OF_WRITER_KIB)?;
        Ok(self)
    }
}

/// Makes a missing database file private, and an existing one. SQLite gives the files beside it the same mode.
pub(super) fn keep_private(path: &Path) -> Result<()> {
    private_files::create_database(path).map_err(|why| StoreError::File(path.display().to_string(), why))?;
    for file in private_files::of_database(path) {
        private_files::narrow(&file);
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
    // Keeps query plans. Otherwise SQLite plans anew whenever a bound variable meets the condition of a
    // partial index, which took a third of the time of a move.
    conn.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
    // A process for one letter would otherwise write every page twice, to the log and at its end to the
    // database, and make and remove the log. See `Drop`.
    conn.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)?;
    turn_on_wal(conn)?;
    conn.pragma_update(None, "synchronous", "full")?;
    conn.pragma_update(None, "foreign_keys", true)?;
    // What is deleted is overwritten: addresses and words of people who left are in no page of the file.
    conn.pragma_update(None, "secure_delete", true)?;
    conn.pragma_update(None, "cell_size_check", true)?;
    Ok(())
}

/// Keeps what a savepoint may have to undo in memory: else it goes to a file, which is made and removed for each letter.
/// Migrations and `VACUUM` have more to keep than that.
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

/// Marks a new file as ours and refuses a file of other programs.
pub(super) fn claim(conn: &mut Connection, path: &Path) -> Result<()> {
    let transaction = conn.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let tables: i64 = transaction.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
    let application: i32 = transaction.pragma_query_value(None, "application_id", |row| row.get(0))?;
    if application != APPLICATION_ID {
        if tables > 0 || application != 0 {
            return Err(StoreError::NotOurs(path.display().to_string()));
        }
        transaction.pragma_update(None, "application_id", APPLICATION_ID)?;
    }
    transaction.commit()?;
    Ok(())
}
