//! Transports that keep mails: in a folder of `.eml` files, the default until the host sets another transport, or in
//! memory, for tests.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use sha2::{Digest, Sha256};

use super::{OutEnvelope, SendError, Transport};
use crate::private_files;

#[derive(Debug, Clone)]
pub struct Directory {
    folder: PathBuf,
}

impl Directory {
    /// The folder is made when the first mail is written.
    pub fn new(folder: impl Into<PathBuf>) -> Self {
        Directory { folder: folder.into() }
    }

    /// Removes the mails for which `is_theirs` is true, given their number and bytes.
    pub fn remove(&self, is_theirs: impl Fn(Option<i64>, &[u8]) -> bool) -> io::Result<()> {
        let files = match fs::read_dir(&self.folder) {
            Err(why) if why.kind() == io::ErrorKind::NotFound => return Ok(()),
            files => files?,
        };
        for file in files {
            let path = file?.path();
            let is_a_mail = path.extension().is_some_and(|end| end == "eml" || end == "part");
            let number = path.file_stem().and_then(|name| name.to_str()?.parse().ok());
            if is_a_mail && is_theirs(number, &fs::read(&path)?) {
                fs::remove_file(&path)?;
            }
        }
        Ok(())
    }

    /// Writes a temporary file, syncs it and renames it, so that readers see only whole mails.
    fn write(&self, name: &str, mail: &[u8]) -> io::Result<()> {
        private_files::create_folder(&self.folder)?;
        let temporary = self.folder.join(format!(".{name}.{}.part", std::process::id()));
        // A killed process can have left it.
        let _ = fs::remove_file(&temporary);
        let mut file = private_files::create_new(&temporary)?;
        let done = file.write_all(mail).and_then(|()| file.sync_all());
        drop(file);
        let done = done.and_then(|()| fs::rename(&temporary, self.folder.join(format!("{name}.eml"))));
        if done.is_err() {
            // If this fails, the next try removes the file.
            let _ = fs::remove_file(&temporary);
            return done;
        }
        // The rename is durable once the folder is synced.
        File::open(&self.folder)?.sync_all()
    }
}

impl Transport for Directory {
    fn send(&self, envelope: &OutEnvelope, mail: &[u8]) -> Result<(), SendError> {
        self.write(&name(envelope, mail), mail)
            .map_err(|error| SendError::Down(format!("cannot write {}: {error}", self.folder.display())))
    }
}

/// The file name of a mail. It is the same for every try, so that sending again overwrites the file.
fn name(envelope: &OutEnvelope, mail: &[u8]) -> String {
    if let Some(number) = envelope.number {
        return format!("{number:08}");
    }
    let hash = Sha256::new().chain_update((envelope.to.len() as u64).to_be_bytes());
    let hash = hash.chain_update(&envelope.to).chain_update(mail).finalize();
    hash.iter().take(16).map(|octet| format!("{octet:02x}")).collect()
}

#[derive(Debug, Default)]
pub struct Memory {
    has_viewers: bool,
    sent: Mutex<Vec<Sent>>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sent {
    pub envelope: OutEnvelope,
    pub mail: Vec<u8>,
}

impl Memory {
    /// Takes mails with their pictures.
    pub fn with_viewers() -> Memory {
        Memory { has_viewers: true, ..Memory::default() }
    }

    /// Takes all mails sent so far, oldest first.
    pub fn take(&self) -> Vec<Sent> {
        std::mem::take(&mut *self.sent.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Transport for Memory {
    fn send(&self, envelope: &OutEnvelope, mail: &[u8]) -> Result<(), SendError> {
        let sent = Sent { envelope: envelope.clone(), mail: mail.to_vec() };
        self.sent.lock().unwrap_or_else(PoisonError::into_inner).push(sent);
        Ok(())
    }

    fn has_viewers(&self) -> bool {
        self.has_viewers
    }
}
