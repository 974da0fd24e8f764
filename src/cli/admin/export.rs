//! `turnpost admin export`: everything of a server as text. `admin import` of such a file: a new server.

use std::fs;
use std::io::{self, BufRead, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Args, ValueEnum};

use crate::board::saved;
use crate::board::verify::verify;
use crate::cli::{Instance, Place, complain, print};
use crate::data_dir::{self, DATABASE};
use crate::error::HostError;
use crate::private_files;
use crate::store::{ExportError, Exported, Replacement};

/// The findings that are printed.
const FINDINGS: usize = 20;

#[derive(Args)]
pub(crate) struct ExportArgs {
    /// The new file, which only its owner can read; without it, standard output
    file: Option<PathBuf>,
    /// One JSON object a line
    #[arg(long, value_enum, default_value = "jsonl")]
    format: Format,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Format {
    Jsonl,
}

/// Writes all that can be read, and says what cannot.
pub(super) fn export(server: &mut Instance, args: &ExportArgs) -> Result<ExitCode, HostError> {
    let Format::Jsonl = args.format;
    let exported = match args.file.as_deref().filter(|file| *file != Path::new("-")) {
        None => write(server, &mut io::stdout().lock(), "standard output")?,
        Some(path) => {
            let name = path.display().to_string();
            let file = private_files::create_new(path).map_err(|why| HostError::Io(name.clone(), why))?;
            let done = write(server, &mut &file, &name).and_then(|exported| {
                file.sync_all().map(|()| exported).map_err(|why| HostError::Io(name, why))
            });
            if done.is_err() {
                // Half an export is none.
                let _ = fs::remove_file(path);
            }
            done?
        }
    };
    for left_out in &exported.left_out {
        complain(&format!("left out: {left_out}"));
    }
    complain(&format!("{} rows written", exported.rows));
    Ok(if exported.left_out.is_empty() { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

fn write(server: &mut Instance, out: &mut dyn Write, name: &str) -> Result<Exported, HostError> {
    saved::export(&mut server.store, &mut BufWriter::with_capacity(1 << 16, out)).map_err(|why| match why {
        ExportError::Store(why) => HostError::Store(why),
        ExportError::Out(why) => HostError::Io(name.to_owned(), why),
    })
}

/// Makes a new server of an export.
pub(super) fn import(place: &Place, lines: &mut dyn BufRead) -> Result<ExitCode, HostError> {
    data_dir::refuse_others(&place.data)?;
    let database = place.data.join(DATABASE);
    if database.exists() {
        let says = format!("{} is there already: an export is read into a new directory", database.display());
        return Err(HostError::Asked(says));
    }
    data_dir::create(&place.data, &place.settings()?)?;
    let (mut new, loaded) = Replacement::load(lines, &database)?;
    let mut left_out = loaded.left_out;
    if !left_out.is_empty() {
        left_out.extend(new.store_mut().write(saved::mend)?);
    }
    let findings = verify(new.store())?;
    if !findings.wrong.is_empty() {
        for wrong in findings.wrong.iter().take(FINDINGS) {
            print(wrong)?;
        }
        print(&format!("the export has {} findings: nothing was made of it", findings.wrong.len()))?;
        return Ok(ExitCode::from(1));
    }
    new.put_in_place(&database.with_extension("db.before-import"))?;
    for left_out in &left_out {
        print(left_out)?;
    }
    print(&format!(
        "imported: {} rows, {} boards, {} events",
        loaded.rows, findings.boards, findings.events
    ))?;
    Ok(if left_out.is_empty() { ExitCode::SUCCESS } else { ExitCode::from(1) })
}
