//! What the archive knows about a position, for people.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;
use turnpost_games::{GameKind, Table};

use crate::board::archive::{MOST, reached};
use crate::ids::{Ply, Seat};
use crate::language::values::written_ply;
use crate::store::{Store, StoreError};

/// The most plies and boards that are listed.
const PLIES: usize = 20;
const BOARDS: usize = 3;

/// What the archive knows about a position.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Explored {
    /// The finished rated games that reached it, in words.
    pub sentence: String,
    pub results: Results,
    /// The moves that were played there, the usual ones first.
    pub plies: Vec<ExploredPly>,
    /// The latest games that reached it, each as the command `show` takes it.
    pub boards: Vec<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct ExploredPly {
    /// The move in notation.
    pub ply: String,
    #[serde(flatten)]
    pub results: Results,
}

/// Results of games.
#[derive(Debug, Clone, Copy, Default, Serialize, JsonSchema)]
pub(crate) struct Results {
    pub games: u32,
    /// Games won by each seat.
    pub won: [u32; 2],
    pub drawn: u32,
}

impl Results {
    fn count(&mut self, winner: Option<Seat>) {
        self.games += 1;
        match winner {
            Some(winner) => self.won[winner.index()] += 1,
            None => self.drawn += 1,
        }
    }

    fn sentence(&self, kind: &GameKind, has_more: bool) -> String {
        let Results { games, won: [first, second], drawn } = *self;
        let reached = match games {
            0 => return "No rated game that is over reached this position.".to_owned(),
            1 => "1 rated game reached this position".to_owned(),
            _ if has_more => {
                format!("Of the rated games that reached this position, these are the latest {games}")
            }
            _ => format!("{games} rated games reached this position"),
        };
        let [one, two] = kind.seats;
        let drawn = if drawn == 0 { String::new() } else { format!(", {drawn} drawn") };
        format!("{reached}: {first} won by {one}, {second} by {two}{drawn}.")
    }
}

impl Explored {
    /// Looks a position up in the archive.
    pub(crate) fn find(store: &Store, kind: &GameKind, table: &dyn Table) -> Result<Explored, StoreError> {
        let rows = reached(store, kind, table)?;
        let has_more = rows.len() >= MOST as usize;
        let mut results = Results::default();
        let mut plies: BTreeMap<String, Results> = BTreeMap::new();
        let mut boards = Vec::new();
        let mut last = None;
        for row in rows {
            // A game can reach a position twice.
            if last.replace(row.board) != Some(row.board) {
                results.count(row.winner);
                if boards.len() < BOARDS {
                    boards.push(written_ply(row.board, row.ply.map(|next| Ply(next.0.saturating_sub(1)))));
                }
            }
            if let Some(ply) = row.next {
                plies.entry(ply).or_default().count(row.winner);
            }
        }
        let mut plies: Vec<ExploredPly> =
            plies.into_iter().map(|(ply, results)| ExploredPly { ply, results }).collect();
        plies.sort_by_key(|ply| Reverse(ply.results.games));
        plies.truncate(PLIES);
        Ok(Explored { sentence: results.sentence(kind, has_more), results, plies, boards })
    }
}
