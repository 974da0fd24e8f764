//! Corrections: what happens to the games of a closed contest can change its tables.

use std::collections::BTreeSet;

use crate::board::Board;
use crate::contest::events::Ruling;
use crate::contest::forms::{NextStep, Notes};
use crate::contest::record::Contest;
use crate::failure::Error;
use crate::store::{ContestBoardRow, ContestNewsKind, Store};

/// The next step of a closed contest. If results are not what the contest last told, it notes the games and tells the
/// players of their groups.
pub(crate) fn next(store: &Store, contest: &Contest) -> Result<NextStep, Error> {
    let told_at = contest.row.changed_at;
    let (mut changed, mut groups) = (Vec::new(), BTreeSet::new());
    for now in store.contest_boards(contest.row.id)?.into_iter().filter(|board| board.changed_at > told_at) {
        let Some(pair) = contest.pairs.get(&now.pair) else { continue };
        let mut events = store.events(now.board)?;
        events.retain(|event| event.at <= told_at);
        let told = Board::rebuild(now.board, &events)?.row;
        let (ending, winner) =
            told.result.map_or((None, None), |result| (Some(result.ending), result.winner));
        let told =
            ContestBoardRow { players: told.players, state: told.state, ending, winner, ..now.clone() };
        if pair.result(&told) != pair.result(&now) {
            changed.push(now.pair);
            groups.insert(pair.group);
        }
    }
    if changed.is_empty() {
        return Ok(NextStep::Wait(None));
    }
    let players = groups.iter().filter_map(|group| contest.groups.get(*group)).flatten();
    let players: Vec<_> = players.map(|competitor| competitor.player).collect();
    let notes = Notes::ruled(&Ruling::Corrected(changed));
    Ok(NextStep::Note(notes.tell(players, ContestNewsKind::Corrected)))
}
