//! What a signed-in reader can do on the page of an event: enter and leave it, organise it, appeal.

use jiff::Timestamp;
use serde::Serialize;

use crate::commands::rulings::APPEALS;
use crate::contest::forms::Stay;
use crate::contest::pairing::Pairing;
use crate::contest::record::Contest;
use crate::contest::teams::Team;
use crate::failure::{CommandError, Error};
use crate::notices::names::Names;
use crate::store::{
    Account, ActKind, ActOnContest, BoardState, ContestBoardRow, ContestState, PlayerId, Store,
};

/// The forms of the page. Each list that is empty has no form.
#[derive(Default, Serialize)]
pub(super) struct EventForms {
    joins: bool,
    /// The reader waits for a place.
    waits: bool,
    leaves: bool,
    withdraws: bool,
    organises: bool,
    starts: bool,
    /// Players who have asked to join.
    asked: Vec<String>,
    /// Players whom the organiser can take out.
    players: Vec<String>,
    /// Boards that the organiser can end.
    boards: Vec<RunningBoard>,
    /// Players who have made no move, and those who can take their places.
    replaced: Vec<String>,
    waiting: Vec<String>,
    /// Boards on which the reader can appeal.
    ruled: Vec<u32>,
}

#[derive(Serialize)]
struct RunningBoard {
    board: u32,
    /// Userids.
    players: Vec<String>,
}

impl EventForms {
    /// `None` if the reader can do nothing in the event.
    pub fn of(
        store: &Store,
        event: &Contest,
        reader: &Account,
        now: Timestamp,
    ) -> Result<Option<EventForms>, Error> {
        let (player, state) = (reader.id, event.row.state);
        let is_open = state == ContestState::Open;
        let enters = match (event.kind().enter)(store, event, player, Stay::UntilTheyLeave) {
            Ok(()) => event.terms.dates.until().is_none_or(|until| until > now),
            Err(CommandError::Refused(_)) => false,
            Err(CommandError::Failed(why)) => return Err(why),
        };
        let mut names = Names::default();
        let mut competitors: Vec<PlayerId> = event.competitors().collect();
        competitors.retain(|player| !event.withdrawn.contains(player));
        let boards = store.contest_boards(event.row.id)?;
        let runs = |row: &&ContestBoardRow| row.state == BoardState::Running;
        let has_game = boards.iter().filter(runs).any(|row| row.players.contains(&player));
        let may_withdraw = event.terms.pairing != Pairing::KnockOut || has_game;
        let mut forms = EventForms {
            joins: enters && !reader.is_bot,
            waits: state != ContestState::Closed && event.waiting.contains(&player),
            withdraws: state == ContestState::Running && competitors.contains(&player) && may_withdraw,
            organises: state != ContestState::Closed && event.is_organised_by(store, player)?,
            ruled: ruled_boards(store, event, (player, &boards), now)?,
            ..EventForms::default()
        };
        forms.leaves = forms.waits || is_open && event.joined.contains(&player);
        if forms.organises {
            forms.starts = is_open && event.lineup(store)?.len() >= event.least();
            let others = if is_open { &event.joined } else { &competitors };
            forms.players = names.all(store, others.iter().filter(|other| **other != player))?;
            let asked = event.waiting.iter().filter(|_| is_open && event.terms.entry.by_request);
            forms.asked = names.all(store, asked)?;
            for row in boards.iter().filter(runs).filter(|row| !row.players.contains(&player)) {
                let players = names.all(store, row.players.iter())?;
                forms.boards.push(RunningBoard { board: row.board.0, players });
            }
        }
        // The captain of a team gives places to its own players alone.
        let team = event.led_team(player);
        if state == ContestState::Running && !event.waiting.is_empty() && (forms.organises || team.is_some())
        {
            let is_led = |other: &&PlayerId| {
                let leads = |team: &Team| event.team_of.get(other) == Some(&team.name);
                forms.organises || team.as_ref().is_some_and(leads)
            };
            let moved = store.players_who_moved(event.row.id)?;
            let has_ended = |player| {
                boards.iter().any(|row| row.players.contains(player) && row.state != BoardState::Running)
            };
            let silent = competitors.iter().filter(|player| !moved.contains(player) && !has_ended(player));
            let replaced = names.all(store, silent.filter(is_led))?;
            let waiting = names.all(store, event.waiting.iter().filter(is_led))?;
            if !replaced.is_empty() && !waiting.is_empty() {
                (forms.replaced, forms.waiting) = (replaced, waiting);
            }
        }
        let EventForms { joins, leaves, withdraws, organises, .. } = forms;
        let any = joins || leaves || withdraws || organises;
        Ok((any || !forms.ruled.is_empty() || !forms.replaced.is_empty()).then_some(forms))
    }
}

/// Boards of a player that an organiser has ended, and on which the player can still appeal.
fn ruled_boards(
    store: &Store,
    event: &Contest,
    (player, boards): (PlayerId, &[ContestBoardRow]),
    now: Timestamp,
) -> Result<Vec<u32>, Error> {
    let acts = store.acts_on(event.row.id)?;
    let mut ruled = Vec::new();
    for row in boards.iter().filter(|row| row.players.contains(&player) && row.state != BoardState::Running) {
        let ends = |act: &&ActOnContest| act.kind == ActKind::End && act.board == Some(row.board);
        let last = acts.iter().rev().find(ends);
        if last.is_some_and(|act| act.by.is_some() && now.duration_since(act.at) <= APPEALS)
            && !store.has_appealed(row.board, player)?
        {
            ruled.push(row.board.0);
        }
    }
    Ok(ruled)
}
