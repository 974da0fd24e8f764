//! Makes files and folders that only their owner can read. They hold mail, password hashes and the secrets of reply
//! tokens.

use std::ffi::OsString;
use std::fs::{self, DirBuilder, File, OpenOptions, Permissions};
use std::io::{self, ErrorKind, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

use rustix::fs::{Access, Mode, StatVfsMountFlags};

const FILE: u32 = 0o600;
const FOLDER: u32 = 0o700;
/// The smallest memory page, the unit in which SQLite and the system map files.
const PAGE: u64 = 4096;
const OTHERS: u32 = 0o077;

/// Makes all new files of this process private, those of libraries too.
pub fn set_umask() {
    rustix::process::umask(Mode::from_raw_mode(OTHERS));
}

/// The user of this process.
pub fn user() -> u32 {
    rustix::process::geteuid().as_raw()
}

/// Makes a folder, and the missing ones above it.
pub fn create_folder(path: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(FOLDER).create(path)
}

/// Makes a folder; fails if the name is taken, even by a dangling link.
pub fn create_new_folder(path: &Path) -> io::Result<()> {
    DirBuilder::new().mode(FOLDER).create(path)
}

/// True if the folder belongs to this user and no other user can enter it.
pub fn is_own_folder(path: &Path) -> bool {
    fs::symlink_metadata(path)
        .is_ok_and(|found| found.is_dir() && found.uid() == user() && found.mode() & OTHERS == 0)
}

/// Makes a file; fails if the name is taken, even by a dangling link.
pub fn create_new(path: &Path) -> io::Result<File> {
    OpenOptions::new().write(true).create_new(true).mode(FILE).open(path)
}

/// Replaces a plain file. Its other hard links keep the old content. Refuses a symbolic link or a folder.
pub fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    match fs::symlink_metadata(path) {
        Ok(found) if !found.is_file() => {
            let why = "this is no plain file, so nothing was written there: name another one";
            return Err(io::Error::new(ErrorKind::AlreadyExists, why));
        }
        Ok(_) => fs::remove_file(path)?,
        Err(_) => {}
    }
    create_new(path)?.write_all(bytes)
}

/// Opens a file to append to it; makes it if it is missing.
pub fn append(path: &Path) -> io::Result<File> {
    let file = OpenOptions::new().append(true).create(true).mode(FILE).open(path)?;
    narrow(path);
    Ok(file)
}

/// A database and SQLite's files next to it.
pub fn of_database(path: &Path) -> impl Iterator<Item = PathBuf> {
    ["", "-wal", "-shm", "-journal"].into_iter().map(move |end| {
        let mut name = OsString::from(path);
        name.push(end);
        PathBuf::from(name)
    })
}

/// Makes a file or folder of this user private; true if it was not. Leaves links alone, whose target may belong to
/// others.
pub fn narrow(path: &Path) -> bool {
    let Ok(found) = fs::symlink_metadata(path) else { return false };
    let is_ours = found.uid() == user() && (found.is_file() || found.is_dir());
    if !is_ours || found.mode() & OTHERS == 0 {
        return false;
    }
    // Fails on file systems without permission bits.
    let _ = fs::set_permissions(path, Permissions::from_mode(found.mode() & FOLDER));
    true
}

/// Fails with a sentence if the disk of a folder is read only or has less than `bytes` free.
pub fn has_room(folder: &Path, bytes: u64) -> Result<(), String> {
    let Ok(disk) = rustix::fs::statvfs(folder) else { return Ok(()) };
    if disk.f_flag.contains(StatVfsMountFlags::RDONLY) {
        return Err("the disk can only be read".to_owned());
    }
    // Some file systems do not report their free room.
    if room(folder).is_some_and(|free| free < bytes) {
        return Err("the disk is full".to_owned());
    }
    Ok(())
}

/// The room on the disk of a folder, in bytes; `None` if the file system does not count it.
pub fn room(folder: &Path) -> Option<u64> {
    let disk = rustix::fs::statvfs(folder).ok().filter(|disk| disk.f_blocks > 0)?;
    // Excludes the blocks that are reserved for the superuser.
    let free = if user() == 0 { disk.f_bfree } else { disk.f_bavail };
    Some(free.saturating_mul(disk.f_frsize))
}

/// The room on a disk whose blocks are smaller than a page of memory; `None` for other disks.
pub fn room_in_small_blocks(folder: &Path) -> Option<u64> {
    let disk = rustix::fs::statvfs(folder).ok()?;
    (disk.f_frsize < PAGE).then(|| disk.f_bavail.saturating_mul(disk.f_frsize))
}

/// True for a failure after which the same command can succeed: a full disk, a read-only disk, a file in use.
pub fn may_pass(why: &io::Error) -> bool {
    use ErrorKind::{QuotaExceeded, ReadOnlyFilesystem, ResourceBusy, StorageFull};
    matches!(why.kind(), StorageFull | QuotaExceeded | ReadOnlyFilesystem | ResourceBusy)
}

/// True for a file that this user can start.
pub fn is_program(path: &Path) -> bool {
    path.is_file() && rustix::fs::access(path, Access::EXEC_OK).is_ok()
}

/// A path quoted for a shell.
pub fn quoted(path: &Path) -> String {
    let path = path.display().to_string();
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "/._-+,@:".contains(c);
    if path.chars().all(is_plain) { path } else { format!("'{}'", path.replace('\'', r"'\''")) }
}

/// Makes a folder private. If others could enter it, also the files in it.
pub fn narrow_folder(folder: &Path) {
    if narrow(folder) {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            narrow(&entry.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_quoted_where_a_shell_needs_it() {
        assert_eq!(quoted(Path::new("/var/lib/turnpost")), "/var/lib/turnpost");
        assert_eq!(quoted(Path::new("a b's")), r"'a b'\''s'");
    }
}
