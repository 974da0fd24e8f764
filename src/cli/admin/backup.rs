//! `turnpost admin backup` copies the database while it is in use, and keeps the latest copies of many; `turnpost admin
//! restore` puts a copy in its place.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use clap::Args;

use crate::board::verify::verify;
use crate::cli::{DataPath, Instance, print};
use crate::contest::record::faults as contest_faults;
use crate::copies::{COPY_NAME, time_of_copy};
use crate::data_dir::{self, DATABASE};
use crate::error::HostError;
use crate::store::Replacement;
use crate::{clock, private_files};

#[derive(Args)]
pub(crate) struct BackupArgs {
    /// The new file; with --keep the folder, in which each copy is named after the time
    file: PathBuf,
    /// Make a copy in the folder, and remove those before the latest N
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    keep: Option<u32>,
}

/// Makes a copy; gives a sentence about it.
pub(super) fn backup(server: &Instance, args: &BackupArgs) -> Result<String, HostError> {
    match args.keep {
        None => copy(server, &args.file),
        Some(keep) => {
            let io = |why| HostError::Io(args.file.display().to_string(), why);
            private_files::create_folder(&args.file).map_err(io)?;
            let said = copy(server, &named_after_now(&args.file, COPY_NAME))?;
            // Only now that there is a new one.
            let removed = rotate(&args.file, keep as usize).map_err(io)?;
            Ok(if removed > 0 { format!("{said}; {removed} older removed") } else { said })
        }
    }
}

/// A file that is not there yet: each has a second of its own.
pub(in crate::cli) fn named_after_now(folder: &Path, form: &str) -> PathBuf {
    loop {
        let file = folder.join(clock::now().strftime(form).to_string());
        if file.symlink_metadata().is_err() {
            return file;
        }
        std::thread::sleep(Duration::from_millis(200));
    }
}

fn copy(server: &Instance, file: &Path) -> Result<String, HostError> {
    // A dangling link is there too.
    if file.symlink_metadata().is_ok() {
        return Err(HostError::Asked(format!("{} is there already", file.display())));
    }
    server.store.backup(file)?;
    Ok(format!("copied to {}", file.display()))
}

/// Removes all but the latest copies; gives how many went. Other files in the folder are not ours.
fn rotate(folder: &Path, keep: usize) -> std::io::Result<usize> {
    let mut copies = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_type()?.is_file() && entry.file_name().to_str().and_then(time_of_copy).is_some() {
            copies.push(entry.path());
        }
    }
    copies.sort();
    copies.truncate(copies.len().saturating_sub(keep));
    for copy in &copies {
        fs::remove_file(copy)?;
    }
    Ok(copies.len())
}

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
    let mut findings = verify(copy.store())?;
    findings.wrong.extend(contest_faults(copy.store())?);
    if !findings.wrong.is_empty() {
        for wrong in findings.wrong.iter().take(FINDINGS) {
            print(wrong)?;
        }
        let count = findings.wrong.len();
        print(&format!("{} has {count} findings: nothing was changed", args.file.display()))?;
        return Ok(ExitCode::from(1));
    }
    let aside = named_after_now(&place.data, &format!("{DATABASE}.until-%Y%m%dT%H%M%SZ"));
    let had_one = copy.put_in_place(&aside)?;
    let (boards, events) = (findings.boards, findings.events);
    print(&format!("restored from {}: {boards} boards, {events} events", args.file.display()))?;
    if had_one {
        print(&format!("the old database is {}", aside.display()))?;
    }
    Ok(ExitCode::SUCCESS)
}
