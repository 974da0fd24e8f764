//! `turnpost admin import`: a board from the text of a game record.

use jiff::Timestamp;

use crate::board::record::{BadText, Record};
use crate::cli::Instance;
use crate::error::HostError;
use crate::ids::{BoardId, Userid};
use turnpost_games::registry::{self, GAMES};
use turnpost_games::{GameKind, Notation};

/// How to load a record.
#[derive(Debug, Clone, Default)]
pub(super) struct Import {
    /// Replaces the players that the record names.
    pub players: Option<[Userid; 2]>,
    /// The format of another server; `None` is our own.
    pub format: Option<String>,
    /// The game, when several games have the format.
    pub game: Option<String>,
}

/// Makes a new, unrated board from a record.
pub(super) fn import(
    server: &mut Instance,
    text: &str,
    how: &Import,
    at: Timestamp,
) -> Result<BoardId, HostError> {
    let asked = |why: BadText| match why {
        BadText::Error(failure) => HostError::Service(failure),
        why => HostError::Asked(why.to_string()),
    };
    let mut record = match &how.format {
        None => Record::read(text).map_err(asked)?,
        Some(name) => {
            let (game, notation) = notation(name, how.game.as_deref())?;
            let players = how.players.clone().ok_or_else(|| {
                HostError::Asked(
                    "such a record names no players: say who they are by --players ann,bob".into(),
                )
            })?;
            let read = (notation.read)(text).map_err(HostError::Asked)?;
            Record::of_plies(game, players, read.plies, read.resigned, at).map_err(asked)?
        }
    };
    if let Some(players) = &how.players {
        record.name(players.clone());
    }
    server.store.write(|store| record.load(store)).map_err(asked)
}

fn notation(name: &str, game: Option<&str>) -> Result<(&'static GameKind, &'static Notation), HostError> {
    let games: Vec<&'static GameKind> = match game {
        Some(word) => {
            vec![registry::find(word).ok_or_else(|| HostError::Asked(format!("there is no game {word:?}")))?]
        }
        None => GAMES.to_vec(),
    };
    let known = || games.iter().flat_map(|game| game.notations.iter().map(|notation| (*game, notation)));
    known().find(|(_, notation)| notation.name.eq_ignore_ascii_case(name)).ok_or_else(|| {
        let names: Vec<&str> = known().map(|(_, notation)| notation.name).collect();
        HostError::Asked(format!("there is no format {name:?}; there are {}", names.join(", ")))
    })
}
