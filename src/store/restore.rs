//! Replaces the database with a copy.

use std::fs::{self, File};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::{Connection, ErrorCode, OpenFlags};

use super::backup::{Workplace, copy, folder_of, sync_folder};
use super::open::APPLICATION_ID;
use super::{Result, Store, StoreError, is_busy};
use crate::private_files;

/// How long other processes have to finish.
const PATIENCE: Duration = Duration::from_secs(2);

/// A copy that is ready to become the database.
pub struct Replacement {
    store: Store,
    database: PathBuf,
    workplace: Workplace,
}

impl Replacement {
    /// Reads a copy into a file next to the database, and brings it to the version of this program. The copy itself
    /// does not change.
    pub fn read(from: &Path, database: &Path) -> Result<Replacement> {
        let io = |why| StoreError::File(from.display().to_string(), why);
        let mut size = fs::metadata(from).map_err(io)?.len();
        if database.exists() && from.canonicalize().map_err(io)? == database.canonicalize().map_err(io)? {
            return Err(io(std::io::Error::other("this is the database itself")));
        }
        let log = beside(from, "-wal");
        size += fs::metadata(&log).map_or(0, |log| log.len());
        private_files::has_room(folder_of(database), size)
            .map_err(|why| io(std::io::Error::new(ErrorKind::StorageFull, why)))?;
        let workplace = Workplace::beside(database).map_err(io)?;
        let file = workplace.file();
        copy(from, &file).map_err(io)?;
        // A database that was copied by hand while no process used it can have a log.
        if log.exists() {
            copy(&log, &beside(&file, "-wal")).map_err(io)?;
        }
        if !is_ours(&file)? {
            return Err(StoreError::NotOurs(from.display().to_string()));
        }
        if let Some(what) = foreign(&file)? {
            return Err(StoreError::Foreign(from.display().to_string(), what));
        }
        let store = Store::open(&file)?;
        // Without these rows, browsers that signed out after the copy stay signed out, and another machine
        // can serve.
        store.run("DELETE FROM sessions", [])?;
        store.run("DELETE FROM serving", [])?;
        Ok(Replacement { store, database: database.to_owned(), workplace })
    }

    pub fn store(&self) -> &Store {
        &self.store
    }

    /// Makes it the database, and renames the old one to `aside`; false if there was none. A database exists at every
    /// moment.
    pub fn put_in_place(self, aside: &Path) -> Result<bool> {
        let Replacement { store, database, workplace } = self;
        let io = |why| StoreError::File(database.display().to_string(), why);
        // Moves the log into the database file.
        store.conn.pragma_update(None, "journal_mode", "delete")?;
        drop(store);
        let file = workplace.file();
        File::open(&file).and_then(|file| file.sync_all()).map_err(io)?;
        if !database.exists() {
            fs::hard_link(&file, &database).map_err(io)?;
            return sync_folder(&database).map_err(io).map(|()| false);
        }
        let held = hold(&database)?;
        if held.is_none() {
            // The old database is too damaged for a process to use. Its log must not be applied to the new
            // one.
            for end in ["-wal", "-shm"] {
                match fs::rename(beside(&database, end), beside(aside, end)) {
                    Err(why) if why.kind() != ErrorKind::NotFound => return Err(io(why)),
                    _ => {}
                }
            }
        }
        fs::hard_link(&database, aside).map_err(|why| StoreError::File(aside.display().to_string(), why))?;
        fs::rename(&file, &database).map_err(io)?;
        sync_folder(&database).map_err(io)?;
        drop(held);
        Ok(true)
    }
}

/// Locks a database for all others and removes its log; `None` if it is too damaged for that. A process that has
/// opened the file and waits finds, at its first write, that the file has moved.
fn hold(database: &Path) -> Result<Option<Connection>> {
    let take = || -> rusqlite::Result<Connection> {
        let conn = Connection::open_with_flags(database, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
        conn.busy_timeout(Duration::ZERO)?;
        conn.pragma_update(None, "locking_mode", "exclusive")?;
        conn.pragma_update(None, "journal_mode", "delete")?;
        conn.execute_batch("BEGIN EXCLUSIVE")?;
        Ok(conn)
    };
    let mut patience = PATIENCE;
    let pause = Duration::from_millis(50);
    loop {
        match take() {
            Err(why) if is_busy(&why) && !patience.is_zero() => {
                std::thread::sleep(pause);
                patience = patience.saturating_sub(pause);
            }
            Err(why) if is_busy(&why) => return Err(StoreError::InUse(database.display().to_string())),
            Err(_) => return Ok(None),
            Ok(conn) => return Ok(Some(conn)),
        }
    }
}

fn is_ours(file: &Path) -> Result<bool> {
    let conn = Connection::open_with_flags(file, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
    match conn.pragma_query_value(None, "application_id", |row| row.get::<_, i32>(0)) {
        Err(why) if why.sqlite_error_code() == Some(ErrorCode::NotADatabase) => Ok(false),
        application => Ok(application? == APPLICATION_ID),
    }
}

/// Something in a copy that Turnpost never writes, and that acts by itself or deceives a reader.
fn foreign(file: &Path) -> Result<Option<String>> {
    let conn = Connection::open_with_flags(file, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
    let texts = |conn: &Connection, query: &str| -> Result<Vec<String>> {
        let mut statement = conn.prepare(query)?;
        Ok(statement.query_map([], |row| row.get(0))?.collect::<rusqlite::Result<_>>()?)
    };
    let acting =
        "SELECT sql FROM sqlite_schema WHERE type IN ('trigger', 'view') OR sql LIKE 'CREATE VIRTUAL%'";
    let ours = texts(&Store::in_memory()?.conn, acting)?;
    if let Some(sql) = texts(&conn, acting)?.into_iter().find(|sql| !ours.contains(sql)) {
        return Ok(Some(format!("holds this: {:?}", sql.chars().take(60).collect::<String>())));
    }
    let has_players = !texts(&conn, "SELECT name FROM sqlite_schema WHERE name = 'players'")?.is_empty();
    let userids = if has_players { texts(&conn, "SELECT userid FROM players")? } else { Vec::new() };
    let strange = userids.into_iter().find(|userid| !userid.chars().all(|c| c.is_ascii_graphic()));
    Ok(strange.map(|userid| format!("has a player called {userid:?}")))
}

fn beside(path: &Path, end: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(end);
    PathBuf::from(name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::open::configure;

    #[test]
    fn whoever_waited_for_the_old_database_does_not_write_to_it() {
        let folder = tempfile::tempdir().unwrap();
        let database = folder.path().join("turnpost.db");
        let saved = folder.path().join("saved.db");
        Store::make(&database).unwrap().backup(&saved).unwrap();
        let replacement = Replacement::read(&saved, &database).unwrap();
        // It has opened the file and holds no lock yet.
        let mut late = Connection::open(&database).unwrap();
        assert!(replacement.put_in_place(&folder.path().join("old.db")).unwrap());
        let written = configure(&mut late).and_then(|()| Ok(late.execute_batch("CREATE TABLE late (x)")?));
        assert!(written.is_err(), "into which file?");
        drop(late);
        assert_eq!(Store::open(&database).unwrap().integrity().unwrap(), Vec::<String>::new());
    }
}
