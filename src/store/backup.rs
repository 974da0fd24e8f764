//! A copy of the database, made while it is in use.

use std::fs::{self, File, TryLockError};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use super::{Result, Store, StoreError};
use crate::private_files;

impl Store {
    /// Copies the database to a new file, even while other processes write. The copy is made in a temporary
    /// folder and then gets its name: it overwrites no file, follows no link, and leaves nothing if it fails.
    pub fn backup(&self, path: &Path) -> Result<()> {
        let io = |why| StoreError::File(path.display().to_string(), why);
        private_files::has_room(folder_of(path), self.size()?)
            .map_err(|why| io(io::Error::new(ErrorKind::StorageFull, why)))?;
        let workplace = Workplace::beside(path).map_err(io)?;
        let copy = workplace.file();
        private_files::create_new(&copy).map_err(io)?;
        self.copy_to(&copy)?;
        File::open(&copy).and_then(|copy| copy.sync_all()).map_err(io)?;
        name(&copy, path).map_err(io)?;
        sync_folder(path).map_err(io)
    }

    /// Calls `look` with a copy of the database that is migrated to the version of this program.
    pub fn on_upgraded_copy<T>(&self, database: &Path, look: impl FnOnce(&Store) -> T) -> Result<T> {
        let workplace = Workplace::beside(database)
            .map_err(|why| StoreError::File(database.display().to_string(), why))?;
        let copy = workplace.file();
        self.backup(&copy)?;
        Ok(look(&Store::open(&copy)?))
    }

    /// Copies in one read transaction: it blocks no writer, and a write does not restart it. The copy has no
    /// free pages, so it is small and contains nothing erased.
    fn copy_to(&self, path: &Path) -> Result<()> {
        let io = |why| StoreError::File(path.display().to_string(), why);
        // SQLite can read a relative name that begins with `file:` as a URI, but no absolute name.
        let path = std::path::absolute(path).map_err(io)?;
        let name = path.to_str().ok_or_else(|| io(ErrorKind::InvalidFilename.into()))?;
        self.run("VACUUM INTO ?1", [name])
    }

    /// The size of the pages in use, in bytes.
    fn size(&self) -> Result<u64> {
        let sql = "SELECT (page_count - freelist_count) * page_size
                   FROM pragma_page_count, pragma_freelist_count, pragma_page_size";
        let octets: i64 = self.one(sql, [])?;
        Ok(octets.unsigned_abs())
    }
}

/// A temporary folder next to a file, in which the content of the file is written; deleted on drop. A folder
/// left by a killed process is used again.
pub(super) struct Workplace {
    folder: PathBuf,
    _lock: File,
}

impl Workplace {
    pub(super) fn beside(path: &Path) -> io::Result<Workplace> {
        let name = path.file_name().ok_or(ErrorKind::InvalidInput)?.to_string_lossy();
        let folder = folder_of(path).join(format!(".{name}.part"));
        match private_files::create_new_folder(&folder) {
            Err(why) if why.kind() == ErrorKind::AlreadyExists && private_files::is_own_folder(&folder) => {}
            made => made?,
        }
        let lock = File::open(&folder)?;
        match lock.try_lock() {
            Err(TryLockError::WouldBlock) => {
                return Err(io::Error::new(ErrorKind::ResourceBusy, "another process is writing it"));
            }
            locked => locked?,
        }
        for left in fs::read_dir(&folder)? {
            fs::remove_file(left?.path())?;
        }
        Ok(Workplace { folder, _lock: lock })
    }

    pub(super) fn file(&self) -> PathBuf {
        self.folder.join("copy")
    }
}

impl Drop for Workplace {
    fn drop(&mut self) {
        // If deleting fails, the remaining folder is private, and its name says what it is.
        let _ = fs::remove_dir_all(&self.folder);
    }
}

pub(super) fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Syncs the folder of a file, so that a new name in it survives a power failure.
pub(super) fn sync_folder(path: &Path) -> io::Result<()> {
    File::open(folder_of(path)).and_then(|folder| folder.sync_all())
}

/// Hard-links `made` as `path`, or copies it if that fails; an error if `path` exists, even as a link.
pub(super) fn name(made: &Path, path: &Path) -> io::Result<()> {
    match fs::hard_link(made, path) {
        Err(why) if why.kind() != ErrorKind::AlreadyExists => copy(made, path),
        done => done,
    }
}

/// Copies a file, for file systems without hard links.
pub(super) fn copy(made: &Path, path: &Path) -> io::Result<()> {
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

    #[test]
    fn what_a_dead_process_left_is_replaced_and_a_living_one_is_let_be() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::make(&folder.path().join("turnpost.db")).unwrap();
        let target = folder.path().join("copy.db");
        let part = folder.path().join(".copy.db.part");
        let living = Workplace::beside(&target).unwrap();
        let why = store.backup(&target).unwrap_err().to_string();
        assert!(why.ends_with("copy.db: another process is writing it"), "{why}");
        // As when it is killed: nothing of it is removed.
        fs::write(living.file(), "half").unwrap();
        fs::write(part.join("copy-journal"), "half").unwrap();
        std::mem::forget(living);
        assert!(store.backup(&target).is_err(), "it holds the lock as long as it lives");
        fs::rename(&part, folder.path().join("away")).unwrap();
        private_files::create_new_folder(&part).unwrap();
        fs::write(part.join("copy"), "half").unwrap();
        store.backup(&target).unwrap();
        assert!(!part.exists());
        assert_eq!(Store::open(&target).unwrap().integrity().unwrap(), Vec::<String>::new());
        // A folder that others can enter is not used.
        fs::create_dir(folder.path().join(".second.part")).unwrap();
        let open = std::os::unix::fs::PermissionsExt::from_mode(0o755);
        fs::set_permissions(folder.path().join(".second.part"), open).unwrap();
        assert!(store.backup(&folder.path().join("second")).is_err());
    }
}
