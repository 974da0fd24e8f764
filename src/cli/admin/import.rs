//! `turnpost admin import`: boards from the text of game records.

use std::collections::BTreeSet;
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
    /// The records; `-` is standard input
    file: PathBuf,
    /// The players, first seat first, in place of those that the records name
    #[arg(long, value_name = "ANN,BOB", value_parser = pair)]
    players: Option<[Userid; 2]>,
    /// The format of others, such as pgn, sgf, pdn or littlegolem
    #[arg(long, value_name = "NAME")]
    format: Option<String>,
    /// The game, if several games have that format
    #[arg(long, value_name = "GAME")]
    game: Option<String>,
}

/// The longest file that is read, in bytes.
const LONGEST: u64 = 1 << 26;

/// Makes a board of each record in the file, or none; returns a sentence about them.
pub(super) fn run_import(place: &DataPath, args: &ImportArgs) -> Result<String, HostError> {
    let io = HostError::at(&args.file);
    let file: Box<dyn Read> = if args.file == Path::new("-") {
        Box::new(stdin().lock())
    } else {
        Box::new(std::fs::File::open(&args.file).map_err(&io)?)
    };
    let mut text = Vec::new();
    file.take(LONGEST).read_to_end(&mut text).map_err(io)?;
    let boards = import(&mut place.open()?, &String::from_utf8_lossy(&text), args, clock::now())?;
    Ok(match boards.as_slice() {
        [first, .., last] => format!("boards {first} to {last}, which do not count for the ratings"),
        boards => {
            let board = boards.first().copied().unwrap_or(BoardId(0));
            format!("board {board}, which does not count for the ratings")
        }
    })
}

fn import(
    server: &mut Instance,
    text: &str,
    args: &ImportArgs,
    now: Timestamp,
) -> Result<Vec<BoardId>, HostError> {
    let asked = |why: BadText| match why {
        BadText::Error(failure) => HostError::Service(failure),
        why => HostError::Asked(why.to_string()),
    };
    let mut records = match &args.format {
        None => Record::read_all(text).map_err(asked)?,
        Some(name) => {
            let (game, notation) = notation(name, args.game.as_deref())?;
            let read = (notation.read)(game, text).map_err(HostError::Asked)?;
            let read =
                read.into_iter().map(|game_read| Record::of(game, game_read, args.players.as_ref(), now));
            read.collect::<Result<_, _>>().map_err(asked)?
        }
    };
    if let Some(players) = &args.players {
        records.iter_mut().for_each(|record| record.name(players.clone()));
    }
    server.store.write(|store| records.iter().map(|record| record.load(store)).collect()).map_err(asked)
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
    let known = games.iter().flat_map(|game| game.notations.iter().map(|notation| (*game, notation)));
    let known: Vec<_> = known.collect();
    let found: Vec<_> =
        known.iter().filter(|(_, notation)| notation.name.eq_ignore_ascii_case(name)).collect();
    match found.as_slice() {
        [found] => Ok(**found),
        [] => {
            let names: BTreeSet<&str> = known.iter().map(|(_, notation)| notation.name).collect();
            let names = Vec::from_iter(names).join(", ");
            Err(HostError::Asked(format!("there is no format {name:?}; there are {names}")))
        }
        several => {
            let keys: Vec<&str> = several.iter().map(|(game, _)| game.key).collect();
            let keys = keys.join(", ");
            Err(HostError::Asked(format!("several games have that format: say which by --game, of {keys}")))
        }
    }
}
