//! `turnpost admin restore`: puts a copy of the database in its place.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;

use crate::board::verify::verify;
use crate::cli::{DataPath, print};
use crate::clock;
use crate::data_dir::{self, DATABASE};
use crate::error::HostError;
use crate::store::Replacement;

/// The findings that are printed.
const FINDINGS: usize = 20;

#[derive(Args)]
pub(crate) struct RestoreArgs {
    /// What `admin backup` wrote; it stays as it is
    file: PathBuf,
}

/// Checks the copy, board by board, before anything is changed.
pub(super) fn restore(place: &DataPath, args: &RestoreArgs) -> Result<ExitCode, HostError> {
    data_dir::refuse_others(&place.data)?;
    data_dir::create(&place.data, &place.settings()?)?;
    let database = place.data.join(DATABASE);
    let copy = Replacement::read(&args.file, &database)?;
    let findings = verify(copy.store())?;
    if !findings.wrong.is_empty() {
        for wrong in findings.wrong.iter().take(FINDINGS) {
            print(wrong)?;
        }
        let count = findings.wrong.len();
        print(&format!("{} has {count} findings: nothing was changed", args.file.display()))?;
        return Ok(ExitCode::from(1));
    }
    let aside = place.data.join(format!("{DATABASE}.until-{}", clock::now().strftime("%Y%m%dT%H%M%SZ")));
    let had_one = copy.put_in_place(&aside)?;
    let (boards, events) = (findings.boards, findings.events);
    print(&format!("restored from {}: {boards} boards, {events} events", args.file.display()))?;
    if had_one {
        print(&format!("the old database is {}", aside.display()))?;
    }
    Ok(ExitCode::SUCCESS)
}
