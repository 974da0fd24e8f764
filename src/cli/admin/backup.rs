//! `turnpost admin backup` copies the database while it is in use, and keeps the latest copies.
//! `turnpost admin restore` puts a copy in its place.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use clap::Args;

use crate::board::verify::verify;
use crate::cli::{DataPath, Instance, print};
use crate::contest::faults::faults as contest_faults;
use crate::copies::{COPY_NAME, SavedCopy, saved_copies};
use crate::data_dir::{self, DATABASE};
use crate::error::HostError;
use crate::store::{Replacement, StoreError};
use crate::{clock, private_files};

#[derive(Args)]
pub(crate) struct BackupArgs {
    /// The new file; with --keep the folder, in which each copy is named after the time
    file: PathBuf,
    /// Make a copy in the folder, and remove the oldest until there are N
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    keep: Option<u32>,
}

/// Makes a copy; returns a sentence about it.
pub(super) fn backup(server: &Instance, args: &BackupArgs) -> Result<String, HostError> {
    match args.keep {
        None => copy(server, &args.file),
        Some(keep) => {
            let io = HostError::at(&args.file);
            private_files::create_folder(&args.file).map_err(&io)?;
            let file = named_after_now(&args.file, COPY_NAME);
            let said = copy(server, &file)?;
            // Only now: the new copy is whole.
            Ok(said + &rotate(&file, &args.file, keep as usize).map_err(io)?)
        }
    }
}

/// A name of a file that does not exist yet. Names have whole seconds, so it may wait for the next.
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
    // `symlink_metadata` finds dangling links too.
    if file.symlink_metadata().is_ok() {
        return Err(HostError::Asked(format!("{} is there already", file.display())));
    }
    server.store.backup(file)?;
    Ok(format!("copied to {}", file.display()))
}

/// The copies that are named after times, oldest first. The folder may hold other files.
fn named_copies(folder: &Path) -> std::io::Result<Vec<SavedCopy>> {
    let mut copies = saved_copies(folder)?;
    copies.retain(|copy| copy.named.is_some());
    Ok(copies)
}

/// Removes the oldest copies, never the new one. Says how many, and names a copy whose name is in the future.
fn rotate(new: &Path, folder: &Path, keep: usize) -> std::io::Result<String> {
    let mut copies = named_copies(folder)?;
    let Some(at) = copies.iter().position(|copy| copy.path == new) else { return Ok(String::new()) };
    let new = copies.remove(at);
    // The new copy comes last, even if the clock was ahead when an earlier one was made.
    if let Some(last) = copies.last().filter(|last| last.made >= new.made) {
        let next = last.made.checked_add(Duration::from_secs(1)).unwrap_or(last.made);
        fs::File::options().write(true).open(&new.path)?.set_modified(next)?;
    }
    let kept = copies.split_off(copies.len().saturating_sub(keep.saturating_sub(1)));
    for copy in &copies {
        fs::remove_file(&copy.path)?;
    }
    let mut said = match copies.len() {
        0 => String::new(),
        count => format!("; {count} older removed"),
    };
    if let Some(ahead) = kept.iter().max_by_key(|copy| copy.named).filter(|copy| copy.named > new.named) {
        let name = ahead.path.display();
        said += &format!("; {name} is named after a later time: the clock was wrong then, or is wrong now");
    }
    Ok(said)
}

/// The most findings that are printed.
const FINDINGS: usize = 20;

#[derive(Args)]
pub(crate) struct RestoreArgs {
    /// A copy by `admin backup`, which is not changed; or a folder of `admin backup --keep`, for its newest copy
    file: PathBuf,
}

/// Checks the copy, board by board, before anything is changed.
pub(super) fn restore(place: &DataPath, args: &RestoreArgs) -> Result<ExitCode, HostError> {
    data_dir::create(&place.data)?;
    let database = place.data.join(DATABASE);
    let mut file = args.file.clone();
    if file.is_dir() {
        let copies = named_copies(&file).map_err(HostError::at(&file))?;
        let none = || HostError::Asked(format!("{} holds no copy of `admin backup --keep`", file.display()));
        file = copies.into_iter().next_back().ok_or_else(none)?.path;
    }
    let copy = Replacement::read(&file, &database).map_err(|why| match why {
        StoreError::NotOurs(_) => HostError::Asked(why.to_string()),
        why => why.into(),
    })?;
    let mut findings = verify(copy.store())?;
    findings.wrong.extend(contest_faults(copy.store())?);
    if !findings.wrong.is_empty() {
        for wrong in findings.wrong.iter().take(FINDINGS) {
            print(wrong)?;
        }
        let count = findings.wrong.len();
        print(&format!("{} has {count} findings: nothing was changed", file.display()))?;
        return Ok(ExitCode::from(1));
    }
    let aside = named_after_now(&place.data, &format!("{DATABASE}.until-%Y%m%dT%H%M%SZ"));
    let known = copy.store().identity()?;
    let had_one = copy.put_in_place(&aside)?;
    if let Some(known) = known {
        data_dir::set_mark(&place.data, &known.id)?;
    }
    let (boards, events) = (findings.boards, findings.events);
    print(&format!("restored from {}: {boards} boards, {events} events", file.display()))?;
    if had_one {
        print(&format!("the old database is {}", aside.display()))?;
    }
    Ok(ExitCode::SUCCESS)
}
