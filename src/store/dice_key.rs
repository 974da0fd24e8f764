//! The key of the dice: a file next to the database. No copy of the database has it, so none foretells a roll.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

use rand::Rng;

use super::backup::{Workplace, name, sync_folder};
use super::{Result, Store, StoreError};
use crate::{clock, private_files};

/// The name of the file.
pub const DICE_KEY: &str = "dice.key";

impl Store {
    /// The key of the dice, which is made if it is missing. A database in memory has one of zeros.
    pub fn dice_key(&self) -> Result<[u8; 32]> {
        let Some(path) = self.key_file() else { return Ok([0; 32]) };
        let wrong = |why| StoreError::File(path.display().to_string(), why);
        if !path.exists() {
            match make(&path) {
                // Another process was faster.
                Err(why) if why.kind() == ErrorKind::AlreadyExists => {}
                made => made.map_err(wrong)?,
            }
        }
        self.known_dice_key().transpose().unwrap_or_else(|| Err(wrong(ErrorKind::NotFound.into())))
    }

    /// The key of the dice; `None` if it is missing.
    pub fn known_dice_key(&self) -> Result<Option<[u8; 32]>> {
        let Some(path) = self.key_file() else { return Ok(Some([0; 32])) };
        let wrong = |why| StoreError::File(path.display().to_string(), why);
        match fs::read(&path) {
            Err(why) if why.kind() == ErrorKind::NotFound => Ok(None),
            Err(why) => Err(wrong(why)),
            Ok(octets) => {
                let short = |_| wrong(io::Error::new(ErrorKind::InvalidData, "a key has 32 octets"));
                octets.try_into().map(Some).map_err(short)
            }
        }
    }

    fn key_file(&self) -> Option<PathBuf> {
        let path = self.conn.path().filter(|path| !path.is_empty())?;
        Some(Path::new(path).with_file_name(DICE_KEY))
    }
}

/// Writes a new key, the whole of it or nothing.
fn make(path: &Path) -> io::Result<()> {
    let mut key = [0; 32];
    clock::rng().map_err(io::Error::other)?.fill_bytes(&mut key);
    let workplace = Workplace::beside(path)?;
    let mut file: File = private_files::create_new(&workplace.file())?;
    file.write_all(&key)?;
    file.sync_all()?;
    name(&workplace.file(), path)?;
    sync_folder(path)
}
