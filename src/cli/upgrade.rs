//! `turnpost upgrade`: brings the database to the version of this program, after a copy of it; or only tries it on a
//! copy.
//!
//! Every command that writes to a database upgrades it too, without a copy and without a message.

use std::process::ExitCode;
use std::time::Instant;

use super::admin::{named_after_now, run_verify};
use super::progress::Progress;
use super::{DataPath, print};
use crate::data_dir::DATABASE;
use crate::error::HostError;
use crate::store::{LATEST, Store};

#[derive(clap::Args)]
pub(super) struct UpgradeArgs {
    /// Bring a copy to the new version, check it and remove it: the database stays as it is
    #[arg(long)]
    dry_run: bool,
}

pub(super) fn run(place: &DataPath, args: &UpgradeArgs) -> Result<ExitCode, HostError> {
    let database = place.data.join(DATABASE);
    let old = place.look_by(Store::open_any_version)?.store;
    let version = old.version(&database)?;
    if version == LATEST {
        print(&format!("the database is of version {LATEST} already"))?;
        return Ok(ExitCode::SUCCESS);
    }
    let begun = Instant::now();
    let took =
        || format!("from version {version} to {LATEST} in {:.1} seconds", begun.elapsed().as_secs_f64());
    if args.dry_run {
        return old.on_upgraded_copy(&database, |new| {
            print(&format!("a copy was made and brought {}; the database stays as it is", took()))?;
            run_verify(new, Progress::on_a_terminal())
        })?;
    }
    let copy = named_after_now(&place.data, &format!("turnpost-of-version-{version}-%Y%m%dT%H%M%SZ.db"));
    old.backup(&copy)?;
    // Closed before the upgrade, which may change what it has read.
    drop(old);
    print(&format!("copied to {}", copy.display()))?;
    let new = place.open()?.store;
    print(&format!("the database was brought {}, the copy included", took()))?;
    run_verify(&new, Progress::on_a_terminal())
}
