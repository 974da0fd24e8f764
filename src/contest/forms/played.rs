//! Contests with an end: their games begin, late players are warned and withdrawn, and they close.

use std::collections::{HashMap, HashSet};

use jiff::{SignedDuration, Timestamp};

use super::{BATCH, Due, NextStep, Notes, OpenedGames, Opening, SECOND_CHANCE, ToldPlayer, Withdrawal};
use crate::board::interval::{Interval, length, merged, within};
use crate::contest::events::Opened;
use crate::contest::record::Contest;
use crate::failure::Error;
use crate::ids::BoardId;
use crate::store::{BoardState, ContestBoardRow, ContestEventKind, ContestNewsKind, Ending, PlayerId, Store};

/// Time after which players who have made no move are withdrawn.
const FIRST_MOVE: SignedDuration = SignedDuration::from_hours(21 * 24);

const WEEK: SignedDuration = SignedDuration::from_hours(7 * 24);
const DAY: SignedDuration = SignedDuration::from_hours(24);

#[derive(Default)]
struct Late {
    withdrawn: Vec<Withdrawal>,
    warned: Notes,
}

/// Opens the games of the next groups, then follows them.
pub(super) fn next(store: &Store, contest: &Contest, due: &Due) -> Result<NextStep, Error> {
    let next = next_groups(contest);
    if !next.is_empty() {
        return Ok(NextStep::Open(next));
    }
    let boards = store.contest_boards(contest.row.id)?;
    match without_late(store, contest, &boards, due)? {
        Some(step) => Ok(step),
        None => Ok(closed(contest, &boards, due)),
    }
}

/// Opens the games of a round a day after the last game of the round before it, or `weeks` weeks after its begin, and
/// follows them. `games` makes a round; `None` means that no round follows.
pub(super) fn next_of_rounds(
    store: &Store,
    contest: &Contest,
    due: &Due,
    games: impl FnOnce(&[ContestBoardRow]) -> Option<Opened>,
) -> Result<NextStep, Error> {
    let boards = store.contest_boards(contest.row.id)?;
    if let Some(step) = without_late(store, contest, &boards, due)? {
        return Ok(step);
    }
    let round = contest.round();
    let of_round =
        |board: &&ContestBoardRow| contest.pairs.get(&board.pair).is_some_and(|pair| pair.round == round);
    let of_round: Vec<&ContestBoardRow> = boards.iter().filter(of_round).collect();
    let runs = of_round.iter().any(|board| board.state == BoardState::Running);
    let ends_at =
        contest.opened_at.zip(contest.terms.weeks).map(|(at, weeks)| at + WEEK * weeks.cast_signed());
    // Until a day later a resignation can be given back.
    let played_at = of_round.iter().map(|board| board.changed_at + DAY).max().filter(|_| !runs);
    let opens_at = match (played_at, ends_at) {
        (Some(played), Some(end)) => Some(played.min(end)),
        (None, None) if runs => due.now.checked_add(DAY).ok(),
        (played, end) => played.or(end).filter(|_| round > 0),
    };
    if let Some(at) = opens_at.filter(|at| *at > due.now) {
        return Ok(NextStep::Wait(Some(at.min(checked_at(contest, due)))));
    }
    let signed_off = signed_off(store, contest)?;
    if !signed_off.is_empty() {
        return Ok(NextStep::Withdraw(signed_off));
    }
    let Some(opened) = games(&boards) else { return Ok(closed(contest, &boards, due)) };
    let plays = opened.pairs.as_flattened().iter().chain(&opened.byes);
    let plays: Vec<usize> = plays.copied().collect();
    let mut told = contest.at_places(opened.group, &plays).unwrap_or_default();
    told.sort_unstable();
    told.dedup();
    let told = told.into_iter().map(|player| ToldPlayer { player, news: ContestNewsKind::Started }).collect();
    Ok(NextStep::Open(vec![Opening { games: OpenedGames::OfGroup(opened), told }]))
}

/// Players who have no account any more: they get no opponents.
fn signed_off(store: &Store, contest: &Contest) -> Result<Vec<Withdrawal>, Error> {
    let mut signed_off = Vec::new();
    for player in contest.competitors().filter(|player| !contest.withdrawn.contains(player)) {
        if !store.player_by_id(player)?.is_active() {
            signed_off.push(Withdrawal { player, news: ContestNewsKind::Withdrawn });
        }
    }
    Ok(signed_off)
}

/// Ends boards of withdrawn players, withdraws or warns; `None` if there is none to withdraw or to warn.
fn without_late(
    store: &Store,
    contest: &Contest,
    boards: &[ContestBoardRow],
    due: &Due,
) -> Result<Option<NextStep>, Error> {
    let running = boards.iter().filter(|board| board.state == BoardState::Running);
    let withdrawn: HashSet<PlayerId> = contest.withdrawn.iter().copied().collect();
    let left = running.filter(|board| board.players.iter().any(|player| withdrawn.contains(player)));
    let left: Vec<BoardId> = left.map(|board| board.board).take(BATCH).collect();
    if !left.is_empty() {
        return Ok(Some(NextStep::EndBoards(left)));
    }
    let late = late_players(store, contest, boards, &withdrawn, due)?;
    Ok(match (late.withdrawn.is_empty(), late.warned.told.is_empty()) {
        (false, _) => Some(NextStep::Withdraw(late.withdrawn)),
        (true, false) => Some(NextStep::Note(late.warned)),
        (true, true) => None,
    })
}

/// Closes the contest a day after its last game.
fn closed(contest: &Contest, boards: &[ContestBoardRow], due: &Due) -> NextStep {
    if boards.iter().all(|board| board.state != BoardState::Running) {
        // Until then a resignation can be given back.
        let closes_at = boards.iter().map(|board| board.changed_at + DAY).max();
        if closes_at.is_some_and(|at| due.now < at) {
            return NextStep::Wait(closes_at);
        }
        let closed = Notes::of(ContestEventKind::Closed, "played");
        return NextStep::Note(closed.tell(contest.competitors(), ContestNewsKind::Closed));
    }
    NextStep::Wait(Some(checked_at(contest, due)))
}

/// When to look for late players. The end of a board or a withdrawal makes the contest due at once. After the time for first
/// moves the contest is checked once a day, because players who were away then have more time.
fn checked_at(contest: &Contest, due: &Due) -> Timestamp {
    let first_moves = contest.opened_at.map(|at| at + FIRST_MOVE).filter(|at| *at > due.now);
    first_moves.or(due.now.checked_add(DAY).ok()).unwrap_or(Timestamp::MAX)
}

/// Finds players to withdraw and players to warn. No move at all withdraws a player. A first loss on time is a warning,
/// and one that ends [`SECOND_CHANCE`] after the player was told of it, or later, withdraws them.
fn late_players(
    store: &Store,
    contest: &Contest,
    boards: &[ContestBoardRow],
    withdrawn: &HashSet<PlayerId>,
    due: &Due,
) -> Result<Late, Error> {
    let id = contest.row.id;
    let mut lost: HashMap<PlayerId, Vec<Timestamp>> = HashMap::new();
    for board in boards.iter().filter(|board| board.ending == Some(Ending::TimedOut)) {
        if let Some(winner) = board.winner {
            lost.entry(*winner.other().of(&board.players)).or_default().push(board.changed_at);
        }
    }
    let mut late = Late::default();
    let mut silent = HashSet::new();
    if let Some(opened_at) = contest.opened_at.filter(|at| due.now.duration_since(*at) >= FIRST_MOVE) {
        let moved = store.players_who_moved(id)?;
        // Do not withdraw a player whose turns have all lasted less than a week: their opponents were slow.
        for player in store.players_to_move_since(id, due.now - WEEK)? {
            if !moved.contains(&player) && ran(store, player, [opened_at, due.now], due)? >= FIRST_MOVE {
                silent.insert(player);
            }
        }
    }
    for player in contest.competitors().filter(|player| !withdrawn.contains(player)) {
        if late.withdrawn.len().max(late.warned.told.len()) >= BATCH {
            break;
        }
        let losses = lost.get(&player).map_or(&[][..], Vec::as_slice);
        let told_at = contest.warned.get(&player).copied();
        if silent.contains(&player) {
            late.withdrawn.push(Withdrawal { player, news: ContestNewsKind::Silent });
        } else if let Some((last, told_at)) = losses.iter().max().zip(told_at) {
            // The host can take the first loss back.
            if losses.len() > 1 && ran(store, player, [told_at, *last], due)? >= SECOND_CHANCE {
                late.withdrawn.push(Withdrawal { player, news: ContestNewsKind::Withdrawn });
            }
        } else if !losses.is_empty() && !store.has_contest_news(player, id, ContestNewsKind::Late)? {
            late.warned = late.warned.tell([player], ContestNewsKind::Late);
        }
    }
    Ok(late)
}

/// For how long a player's clocks could run between two times: without the vacations that the player set, and without
/// the time for which the server was down.
fn ran(
    store: &Store,
    player: PlayerId,
    [from, to]: [Timestamp; 2],
    due: &Due,
) -> Result<SignedDuration, Error> {
    let away = store.vacations(player)?;
    let away = away.iter().filter(|away| !away.automatic).map(Interval::of);
    let still = merged(due.stops.iter().copied().chain(away).collect());
    let still = length(&within(&still, from.as_second(), to.as_second()));
    Ok(to.duration_since(from) - SignedDuration::from_secs(still))
}

/// The games of the next groups, about half a batch. All games of a group begin in one step, so that a group begins only
/// once.
fn next_groups(contest: &Contest) -> Vec<Opening> {
    let (mut openings, mut games) = (Vec::new(), 0);
    for number in contest.opened_groups()..contest.groups.len() {
        if games >= BATCH / 2 {
            break;
        }
        let opened = contest.games_at_once(number);
        games += opened.pairs.len();
        let players = contest.groups.get(number).into_iter().flatten().map(|competitor| competitor.player);
        let told = players.map(|player| ToldPlayer { player, news: ContestNewsKind::Started }).collect();
        openings.push(Opening { games: OpenedGames::OfGroup(opened), told });
    }
    openings
}
