//! The data directory and the database in it.

use std::path::Path;
use std::time::Duration;

use crate::config::Config;
use crate::error::HostError;
use crate::store::Store;

pub const DATABASE: &str = "turnpost.db";

/// Makes the data directory if it is missing.
pub(crate) fn create(data: &Path) -> Result<(), HostError> {
    make_private(data).map_err(|why| HostError::Io(data.display().to_string(), why))
}

pub(crate) fn open_store(data: &Path, config: &Config) -> Result<Store, HostError> {
    let mut store = Store::open(&data.join(DATABASE))?;
    store.set_patience(Duration::from_secs(config.busy_seconds.into()))?;
    Ok(store)
}

/// Only the owner may enter: the directory holds mail and password hashes.
fn make_private(data: &Path) -> std::io::Result<()> {
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(data)
}
