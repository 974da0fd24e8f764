//! Decisions of organisers and of the host about a contest, with their reasons.

use schemars::JsonSchema;
use serde::Serialize;

use crate::contest::record::Contest;
use crate::failure::Error;
use crate::notices::names::Names;
use crate::store::{ActKind, ActOnContest, NO_RESULT, PlayerId, REPLACED, Store};

/// A decision about a contest.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct DecisionView {
    /// In seconds since 1970.
    pub at: i64,
    /// The userid of the organiser, or of a captain who replaced a player; none for the host.
    pub by: Option<String>,
    /// `board 3: cleo won`
    pub what: String,
    /// The board that it is about.
    pub board: Option<u32>,
    /// Empty if a person in it has been erased, and for players if it is the host's.
    pub reason: String,
}

/// The decisions that a reader of the contest can see, oldest first: its organiser and its players see all.
pub(crate) fn decisions_for(
    store: &Store,
    contest: &Contest,
    reader: Option<PlayerId>,
) -> Result<Vec<DecisionView>, Error> {
    let Some(reader) = reader else { return Ok(Vec::new()) };
    let plays = contest.place_of(reader).is_some() || contest.joined.contains(&reader);
    if !plays && !contest.is_organised_by(store, reader)? {
        return Ok(Vec::new());
    }
    let mut decisions = decisions(store, contest)?;
    // Whom the host told has read it.
    decisions.iter_mut().filter(|one| one.by.is_none()).for_each(|one| one.reason.clear());
    Ok(decisions)
}

/// All decisions, oldest first.
pub(crate) fn decisions(store: &Store, contest: &Contest) -> Result<Vec<DecisionView>, Error> {
    let (mut names, mut decisions) = (Names::default(), Vec::new());
    for ActOnContest { kind, at, board, player, by, detail, reason } in store.acts_on(contest.row.id)? {
        let player = player.map(|player| names.of(store, player)).transpose()?;
        let what = match (kind, player) {
            (ActKind::End, Some(winner)) => format!("{winner} won"),
            // The end of the event voided it.
            (ActKind::End, None) if detail == NO_RESULT && by.is_some() => continue,
            (ActKind::End, None) if detail == NO_RESULT => NO_RESULT.to_owned(),
            (ActKind::End, None) => "a draw".to_owned(),
            (ActKind::Undo | ActKind::ResumeBoard, _) => "in play again".to_owned(),
            (ActKind::Withdraw, Some(player)) if detail == REPLACED => format!("{player} was replaced"),
            (ActKind::Withdraw, Some(player)) => format!("{player} was taken out"),
            (ActKind::EndContest, _) => "it ended".to_owned(),
            _ => continue,
        };
        let what = board.map(|board| format!("board {board}: ")).unwrap_or_default() + &what;
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
