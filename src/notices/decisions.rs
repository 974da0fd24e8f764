//! Decisions of organisers and of the host about a contest, with their reasons.

use schemars::JsonSchema;
use serde::Serialize;

use crate::contest::record::Contest;
use crate::failure::Error;
use crate::notices::names::Names;
use crate::store::{ActKind, ActOnContest, PlayerId, Store};

/// A decision about a contest.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct DecisionView {
    /// In seconds since 1970.
    pub at: i64,
    /// The userid of the organiser or of a captain; none for the host.
    pub by: Option<String>,
    /// `board 3: cleo won`
    pub what: String,
    /// The board that was ended.
    pub board: Option<u32>,
    /// Empty if a person in it has been erased.
    pub reason: String,
}

/// The decisions that a reader of the contest can see, oldest first: its maker and its players see all.
pub(crate) fn decisions_for(
    store: &Store,
    contest: &Contest,
    reader: Option<PlayerId>,
) -> Result<Vec<DecisionView>, Error> {
    let takes_part = |player: PlayerId| {
        let lists = [&contest.joined, &contest.waiting, &contest.withdrawn];
        contest.maker == Some(player)
            || contest.place_of(player).is_some()
            || lists.iter().any(|list| list.contains(&player))
    };
    match reader.is_some_and(takes_part) {
        true => decisions(store, contest),
        false => Ok(Vec::new()),
    }
}

/// All decisions, oldest first.
pub(crate) fn decisions(store: &Store, contest: &Contest) -> Result<Vec<DecisionView>, Error> {
    let (mut names, mut decisions) = (Names::default(), Vec::new());
    for ActOnContest { kind, at, board, player, by, reason, .. } in store.acts_on(contest.row.id)? {
        let player = player.map(|player| names.of(store, player)).transpose()?;
        let what = match (kind, board, player) {
            (ActKind::End, Some(board), Some(winner)) => format!("board {board}: {winner} won"),
            (ActKind::End, Some(board), None) => format!("board {board}: nobody won"),
            (ActKind::Withdraw, _, Some(player)) => format!("{player} was taken out"),
            (ActKind::StartContest, ..) => "it began".to_owned(),
            (ActKind::EndContest, ..) => "it ended".to_owned(),
            _ => continue,
        };
        let by = by.map(|by| names.of(store, by)).transpose()?;
        decisions.push(DecisionView {
            at: at.as_second(),
            by,
            what,
            board: board.map(|board| board.0),
            reason,
        });
    }
    Ok(decisions)
}
