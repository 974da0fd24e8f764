//! A copy of the database, made while it is in use.

use std::fs::{self, File};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::Connection;

use super::{Result, Store, StoreError};
use crate::private_files;

impl Store {
    /// Copies the database to a new file, with SQLite's online backup. Nothing at `path` is written through or over, and
    /// a copy that fails leaves nothing there: it is made in a folder of its own and then gets its name.
    pub fn backup(&self, path: &Path) -> Result<()> {
        let io = |why| StoreError::File(path.display().to_string(), why);
        let aside = Aside::beside(path).map_err(io)?;
        let copy = aside.0.join("copy");
        private_files::create_database(&copy).map_err(io)?;
        self.copy_to(&copy)?;
        name(&copy, path).map_err(io)?;
        // The name is durable once the folder is synced.
        File::open(folder_of(path)).and_then(|folder| folder.sync_all()).map_err(io)
    }

    fn copy_to(&self, path: &Path) -> Result<()> {
        let mut copy = Connection::open(path)?;
        let backup = rusqlite::backup::Backup::new(&self.conn, &mut copy)?;
        backup.run_to_completion(1024, Duration::from_millis(5), None)?;
        Ok(())
    }
}

/// A folder for the time of the copy.
struct Aside(PathBuf);

impl Aside {
    fn beside(path: &Path) -> io::Result<Aside> {
        let name = path.file_name().ok_or(ErrorKind::InvalidInput)?.to_string_lossy();
        let mut number = 0;
        loop {
            let folder = folder_of(path).join(format!(".{name}.{}-{number}.part", std::process::id()));
            match private_files::create_new_folder(&folder) {
                // Of a process that was killed.
                Err(why) if why.kind() == ErrorKind::AlreadyExists && number < 100 => number += 1,
                made => return made.map(|()| Aside(folder)),
            }
        }
    }
}

impl Drop for Aside {
    fn drop(&mut self) {
        // What stays is private, and says by its name what it is.
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Gives a file its second name. A link in its place stays, and is an error.
fn name(made: &Path, path: &Path) -> io::Result<()> {
    match fs::hard_link(made, path) {
        Err(why) if why.kind() != ErrorKind::AlreadyExists => copy(made, path),
        done => done,
    }
}

/// For file systems where a file has one name only.
fn copy(made: &Path, path: &Path) -> io::Result<()> {
    let mut new = private_files::create_new(path)?;
    let done = File::open(made).and_then(|mut made| io::copy(&mut made, &mut new));
    let done = done.and_then(|_| new.sync_all());
    if done.is_err() {
        fs::remove_file(path)?;
    }
    done
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_copy_by_bytes_is_new_too() {
        let folder = tempfile::tempdir().unwrap();
        let (made, path) = (folder.path().join("made"), folder.path().join("path"));
        fs::write(&made, "copy").unwrap();
        copy(&made, &path).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "copy");
        assert_eq!(copy(&made, &path).unwrap_err().kind(), ErrorKind::AlreadyExists);
        assert!(copy(&folder.path().join("nothing"), &folder.path().join("new")).is_err());
        assert!(!folder.path().join("new").exists());
    }
}
