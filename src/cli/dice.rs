//! `turnpost dice` computes the rolls of a record again, on any machine.

use std::io::{Read, stdin};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use super::print;
use crate::board::dice::{DiceRecord, forged};
use crate::board::record::{BadText, Record};
use crate::clock;
use crate::error::HostError;
use crate::store::Store;

#[derive(clap::Args)]
pub(super) struct DiceArgs {
    /// The record of a game, or several of them; `-` is standard input
    file: PathBuf,
}

/// Prints a line for each record. The exit code is 1 if the rolls of one do not follow from its secret.
pub(super) fn run(args: &DiceArgs) -> Result<ExitCode, HostError> {
    let io = HostError::at(&args.file);
    let mut text = String::new();
    match args.file.as_path() {
        file if file == Path::new("-") => stdin().read_to_string(&mut text),
        file => std::fs::File::open(file).and_then(|mut file| file.read_to_string(&mut text)),
    }
    .map_err(io)?;
    let asked = |why: BadText| HostError::Asked(why.to_string());
    let mut code = ExitCode::SUCCESS;
    for record in Record::read_all(&text).map_err(asked)? {
        match dice(&record).map_err(asked)? {
            Ok(says) => print(&says)?,
            Err(why) => {
                print(&why)?;
                code = ExitCode::FAILURE;
            }
        }
    }
    Ok(code)
}

/// What a record proves about its rolls; the inner error says why it proves nothing.
fn dice(record: &Record) -> Result<Result<String, String>, BadText> {
    let mut store = Store::in_memory()?;
    let (id, events) = store.write(|store| {
        for userid in &record.players {
            store.add_player(userid, None, &[0; 32], clock::now())?;
        }
        let id = record.load(store)?;
        Ok::<_, BadText>((id, store.events(id)?))
    })?;
    if let Some(why) = forged(id, &events, None).map_err(|why| BadText::Whole(why.to_string()))? {
        return Ok(Err(format!("FORGED: {why}")));
    }
    let DiceRecord { hash, secret, rolls, .. } = DiceRecord::of(&events);
    Ok(match (hash, secret) {
        (Some((hash, _)), Some(_)) => {
            Ok(format!("{rolls} rolls follow from the secret with the hash {hash}"))
        }
        (Some((hash, _)), None) => {
            Err(format!("the secret with the hash {hash} is not told yet: ask for the record after the game"))
        }
        (None, _) => Err("the record tells no hash, so its rolls cannot be checked".to_owned()),
    })
}
