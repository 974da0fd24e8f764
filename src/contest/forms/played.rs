//! Contests with an end: their games begin, late players are warned and withdrawn, and they close.

use std::collections::{HashMap, HashSet};

use jiff::{SignedDuration, Timestamp};

use super::{BATCH, Due, NextStep, Notes, OpenedGames, Opening, ToldPlayer, Withdrawal};
use crate::board::interval::{Interval, length, merged, within};
use crate::contest::events::{Noted, Ruling};
use crate::contest::record::Contest;
use crate::failure::Error;
use crate::ids::BoardId;
use crate::store::{BoardState, ContestBoardRow, ContestEventKind, ContestNewsKind, Ending, PlayerId, Store};

/// Time after which players who have made no move are withdrawn.
const FIRST_MOVE: SignedDuration = SignedDuration::from_hours(21 * 24);

/// Losses on time in a contest after which a player is withdrawn from it.
const LATE_AT_MOST: usize = 2;

const WEEK: SignedDuration = SignedDuration::from_hours(7 * 24);
const DAY: SignedDuration = SignedDuration::from_hours(24);

#[derive(Default)]
struct Late {
    withdrawn: Vec<Withdrawal>,
    warned: Notes,
}

/// Opens the games of the next groups. After that: ends boards of withdrawn players, withdraws, warns, or closes the
/// contest.
pub(super) fn next(store: &Store, contest: &Contest, due: &Due) -> Result<NextStep, Error> {
    let next = next_groups(contest);
    if !next.is_empty() {
        return Ok(NextStep::Open(next));
    }
    let boards = store.contest_boards(contest.row.id)?;
    let running = || boards.iter().filter(|board| board.state == BoardState::Running);
    let withdrawn: HashSet<PlayerId> = contest.withdrawn.iter().copied().collect();
    let left = running().filter(|board| board.players.iter().any(|player| withdrawn.contains(player)));
    let left: Vec<BoardId> = left.map(|board| board.board).take(BATCH).collect();
    if !left.is_empty() {
        return Ok(NextStep::EndBoards(left));
    }
    let late = late_players(store, contest, &boards, &withdrawn, due)?;
    if !late.withdrawn.is_empty() {
        return Ok(NextStep::Withdraw(late.withdrawn));
    }
    if !late.warned.is_empty() {
        return Ok(NextStep::Note(late.warned));
    }
    if running().next().is_none() {
        let closed = Notes::of(ContestEventKind::Closed, "played");
        return Ok(NextStep::Note(closed.tell(contest.competitors(), ContestNewsKind::Closed)));
    }
    // The end of a board or a withdrawal makes the contest due at once. After the time for first moves the contest is
    // checked once a day, because players who were away then have more time.
    let first_moves = contest.opened_at.map(|at| at + FIRST_MOVE).filter(|at| *at > due.now);
    Ok(NextStep::Wait(first_moves.or(due.now.checked_add(DAY).ok())))
}

/// Finds players to withdraw and players to warn. Two losses on time, or no move at all, withdraw a player. A first
/// loss on time is a warning.
fn late_players(
    store: &Store,
    contest: &Contest,
    boards: &[ContestBoardRow],
    withdrawn: &HashSet<PlayerId>,
    due: &Due,
) -> Result<Late, Error> {
    let mut lost: HashMap<PlayerId, usize> = HashMap::new();
    for board in boards.iter().filter(|board| board.ending == Some(Ending::TimedOut)) {
        if let Some(winner) = board.winner {
            *lost.entry(*winner.other().of(&board.players)).or_default() += 1;
        }
    }
    let mut late = Late::default();
    if let Some(opened_at) = contest.opened_at.filter(|at| due.now.duration_since(*at) >= FIRST_MOVE) {
        let moved: HashSet<PlayerId> = store.players_who_moved(contest.row.id)?.into_iter().collect();
        // Do not withdraw a player whose turn has lasted less than a week.
        let waits = |board: &&ContestBoardRow| due.now.duration_since(board.changed_at) >= WEEK;
        let mover = |board: &ContestBoardRow| board.to_move.map(|seat| *seat.of(&board.players));
        let waited_for: HashSet<PlayerId> = boards.iter().filter(waits).filter_map(mover).collect();
        for player in contest.competitors() {
            let is_silent = waited_for.contains(&player) && !moved.contains(&player);
            if is_silent
                && !withdrawn.contains(&player)
                && due.now.duration_since(opened_at) - stood_still(store, player, opened_at, due)?
                    >= FIRST_MOVE
            {
                late.withdrawn.push(Withdrawal { player, why: "no move" });
            }
        }
    }
    for player in contest.competitors().filter(|player| !withdrawn.contains(player)) {
        if late.withdrawn.len().max(late.warned.events.len()) >= BATCH {
            break;
        }
        match lost.get(&player).copied().unwrap_or_default() {
            0 => {}
            _ if late.withdrawn.iter().any(|silent| silent.player == player) => {}
            LATE_AT_MOST.. => late.withdrawn.push(Withdrawal { player, why: "late" }),
            _ if contest.warned.contains(&player) => {}
            _ => {
                let noted = Noted { player: Some(player), ..Noted::ruled(&Ruling::Warned) };
                late.warned.events.push(noted);
                late.warned = late.warned.tell([player], ContestNewsKind::Late);
            }
        }
    }
    Ok(late)
}

/// How long a player's clocks were stopped since then, by vacations or because the server was down.
fn stood_still(
    store: &Store,
    player: PlayerId,
    since: Timestamp,
    due: &Due,
) -> Result<SignedDuration, Error> {
    let stops = due.stops.iter().copied();
    let away = store.vacations(player)?;
    let all = merged(stops.chain(away.iter().map(Interval::of)).collect());
    Ok(SignedDuration::from_secs(length(&within(&all, since.as_second(), due.now.as_second()))))
}

/// The games of the next groups. All games of a group begin in one step, so that a group begins only once.
fn next_groups(contest: &Contest) -> Vec<Opening> {
    let (mut openings, mut games) = (Vec::new(), 0);
    for number in contest.opened_groups()..contest.groups.len() {
        if games >= BATCH {
            break;
        }
        let opened = contest.all_play_all(number);
        games += opened.pairs.len();
        let players = contest.groups.get(number).into_iter().flatten().map(|competitor| competitor.player);
        let told = players.map(|player| ToldPlayer { player, news: ContestNewsKind::Started }).collect();
        openings.push(Opening { games: OpenedGames::OfGroup(opened), told });
    }
    openings
}
