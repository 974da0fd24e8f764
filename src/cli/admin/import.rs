//! `turnpost admin import`: a board from the text of a game record.

use std::io::{Read, stdin};
use std::path::{Path, PathBuf};

use clap::Args;
use jiff::Timestamp;
use turnpost_games::registry;
use turnpost_games::{GameKind, Notation};

use crate::board::record::{BadText, Record};
use crate::cli::{DataPath, Instance};
use crate::clock;
use crate::error::HostError;
use crate::ids::{BoardId, Userid};

#[derive(Args)]
pub(crate) struct ImportArgs {
    /// The record; `-` is standard input
    file: PathBuf,
    /// The players, first seat first, in place of those that the record names
    #[arg(long, value_name = "ANN,BOB", value_parser = pair)]
    players: Option<[Userid; 2]>,
    /// The format of another server, such as littlegolem or codecup
    #[arg(long, value_name = "NAME")]
    format: Option<String>,
    /// The game, if several games have that format
    #[arg(long, value_name = "GAME")]
    game: Option<String>,
}

/// Makes a board of the record in the file; returns a sentence about it.
pub(super) fn run_import(place: &DataPath, args: &ImportArgs) -> Result<String, HostError> {
    let io = HostError::at(&args.file);
    let file: Box<dyn Read> = if args.file == Path::new("-") {
        Box::new(stdin().lock())
    } else {
        Box::new(std::fs::File::open(&args.file).map_err(&io)?)
    };
    let mut text = Vec::new();
    file.take(1 << 20).read_to_end(&mut text).map_err(io)?;
    let board = import(&mut place.open()?, &String::from_utf8_lossy(&text), args, clock::now())?;
    Ok(format!("board {board}, which does not count for the ratings"))
}

fn import(server: &mut Instance, text: &str, args: &ImportArgs, at: Timestamp) -> Result<BoardId, HostError> {
    let asked = |why: BadText| match why {
        BadText::Error(failure) => HostError::Service(failure),
        why => HostError::Asked(why.to_string()),
    };
    let mut record = match &args.format {
        None => Record::read(text).map_err(asked)?,
        Some(name) => {
            let (game, notation) = notation(name, args.game.as_deref())?;
            let players = args.players.clone().ok_or_else(|| {
                HostError::Asked(
                    "such a record names no players: say who they are by --players ann,bob".into(),
                )
            })?;
            let read = (notation.read)(text).map_err(HostError::Asked)?;
            Record::of_plies(game, players, read.plies, read.resigned, at).map_err(asked)?
        }
    };
    if let Some(players) = &args.players {
        record.name(players.clone());
    }
    server.store.write(|store| record.load(store)).map_err(asked)
}

/// Two userids with a comma between them.
fn pair(text: &str) -> Result<[Userid; 2], String> {
    let (first, second) = text.split_once(',').ok_or("two names with a comma between them are expected")?;
    let userid = |text: &str| text.trim().parse::<Userid>().map_err(|why| why.to_string());
    Ok([userid(first)?, userid(second)?])
}

fn notation(name: &str, game: Option<&str>) -> Result<(&'static GameKind, &'static Notation), HostError> {
    let games: Vec<&'static GameKind> = match game {
        Some(word) => {
            vec![registry::find(word).ok_or_else(|| HostError::Asked(format!("there is no game {word:?}")))?]
        }
        None => registry::games().to_vec(),
    };
    let known = || games.iter().flat_map(|game| game.notations.iter().map(|notation| (*game, notation)));
    known().find(|(_, notation)| notation.name.eq_ignore_ascii_case(name)).ok_or_else(|| {
        let names: Vec<&str> = known().map(|(_, notation)| notation.name).collect();
        HostError::Asked(format!("there is no format {name:?}; there are {}", names.join(", ")))
    })
}
